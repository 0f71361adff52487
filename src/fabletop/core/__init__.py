"""What both games share, without knowing any: the Game protocol, chance, events and who may know them, records, a game
in play (`sitting`), replay, lessons, many games at once (`batch`), and the laws that every game obeys."""
