"""The report on Equinox."""
