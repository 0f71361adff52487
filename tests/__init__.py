"""The tests. A regular package, so that no package called `tests` in site-packages comes before it (pgx has one)."""
