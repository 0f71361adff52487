"""Several workers: forwarding to the worker that owns a table, the supervisor. Optional as a whole."""
