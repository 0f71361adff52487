"""What the lab knows of Fairy School: what is noted of a year, what a card is worth, how its bots are trained."""
