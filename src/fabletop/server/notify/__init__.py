"""Notifications that it is somebody's turn: webhooks and browser push."""
