"""The screens: start, table, curtain, result, replay, help."""
