"""Durable storage: log entries, the interface of a store, SQLite and PostgreSQL, schema versions, the lease of a
worker, and background tasks that outlast a store that is down."""
