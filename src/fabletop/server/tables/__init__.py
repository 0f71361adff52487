"""Tables in memory: the fold of a log, one actor per table, delivery to each viewer, commands, bots and clocks."""
