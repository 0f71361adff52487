"""The report on Fairy School, and training of what a situation promises."""
