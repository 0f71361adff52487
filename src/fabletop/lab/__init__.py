"""The lab: many games of bots, and what they say.

matches, ladder, rate, ratings      who plays better: `fabletop ladder` and `fabletop rate`
study, runner, results, records     the games of a study, played and stored: `fabletop lab run`
report, sections, marks, page       what a game or a study comes to, as one page: `fabletop lab report`
change, effects                     what a changed card, option or bot does: `fabletop lab change`
tuning, train/                      better weights and nets for the bots
equinox/, fairy_school/             what is measured in each game
"""
