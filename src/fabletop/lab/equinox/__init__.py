"""What the lab knows of Equinox: what is noted of a game, what a power is worth, how its bots are trained."""
