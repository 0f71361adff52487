"""The game server: durable tables that many people and bots sit at, over HTTP and WebSocket.

wire.py       every message, as types; docs/protocol.md is made from it
entries.py    what a table's log is made of; table.py folds the log into the table as it stands
story.py      what each viewer has been told, and which update it has reached
live.py       a table in memory: the one writer; verbs.py what may be asked of it
desk.py       which tables live here, which elsewhere; peers.py speaks with the other workers
store.py      the store protocol and the group commit; sqlite.py, postgres.py, schema.py behind it
bus.py        messages between workers, in one process or over Redis
thinkers.py   bots think in processes of their own; thinker.py is such a process
app.py        HTTP and WebSocket; lobby.py the routes, socket.py the line to a player
command.py    `fabletop serve` and `fabletop admin`
"""
