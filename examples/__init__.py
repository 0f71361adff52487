"""Programs to start from. A regular package, so that no package called `examples` in site-packages comes before it."""
