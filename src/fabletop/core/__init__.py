"""What both games share: the Game protocol, chance, events, records, sittings and the laws."""
