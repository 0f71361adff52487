"""Fairy School in the terminal."""
