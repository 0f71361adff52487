"""What a good player of Fairy School knows, as numbers, and what the rest of a year promises, as learned."""
