"""What a good player of Equinox knows, as numbers."""
