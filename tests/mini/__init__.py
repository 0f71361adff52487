"""A game in miniature that the tests of the build compile: it shows every pattern that CONTRIBUTING.md describes."""
