"""The parts of the frame that every screen may use: the log, the chooser, the line of keys."""
