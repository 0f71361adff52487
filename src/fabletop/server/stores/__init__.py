"""Durable storage: log entries, the store protocol, SQLite and PostgreSQL, schema versions."""
