"""Tests of the browser client, in a real browser."""
