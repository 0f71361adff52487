"""A client of the server: bots, tests and scripts play over the network. docs/client.md describes it.

async with Client("http://127.0.0.1:8000") as client:
    made = await client.make("equinox", seats=["open", "bot"], name="Ana")
    async with client.connect(made["table"], made["token"]) as connection:
        while (choice := await connection.next_choice()) is not None:
            await connection.act(choice["options"][0])
        print(connection.table["outcome"])
"""

from fabletop.client.connection import Connection
from fabletop.client.errors import AnswerTimeout, ConnectionLost, RequestRefused
from fabletop.client.http import Client

__all__ = ["AnswerTimeout", "Client", "Connection", "ConnectionLost", "RequestRefused"]
