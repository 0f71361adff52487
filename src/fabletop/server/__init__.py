"""The game server: durable tables that many people and bots sit at, over HTTP and WebSocket.

app.py       composition root: one worker with its routes; run.py and command.py start it
api/         HTTP handlers and queries, the WebSocket, what every answer carries
tables/      a table in memory and its log: fold, delivery per viewer, commands, bots and clocks, the registry
stores/      the database: SQLite or PostgreSQL behind one protocol, the schema, the lease of a worker
protocol/    every message and every error, as types; docs/protocol.md is generated from them
cluster/     forwarding to the worker that owns a table, the supervisor of several workers
bots/        bots think in processes of their own
notify/      webhooks and browser push
services.py  what all tables of a worker share; settings.py, limits.py, metrics.py, logs.py
admin.py     backup, restore and checks of a database; command.py has the command lines
"""
