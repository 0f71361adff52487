"""The cards of the miniature game: a module that is never compiled."""

CARD_VALUES = tuple(card % 10 for card in range(20))
