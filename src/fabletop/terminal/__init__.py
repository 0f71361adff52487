"""The table in the terminal. `run` opens it, `command` is its command line; nothing here is imported before that.

`screens/` has the screens, `widgets/` their parts, `boards/` what each game draws.
"""
