"""The lab: bots against each other, with statistics; reports on the games. `ladder` and `report` are its doors."""
