"""What the tests of the server share."""

import pytest
import pytest_asyncio

from fabletop.server.stores.postgres import PostgresStore
from fabletop.server.stores.sqlite import SqliteStore
from tests.server.hall import hall
from tests.server.services import Postgres


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server for all tests."""
    server = Postgres()
    yield server
    server.close()


@pytest_asyncio.fixture
async def open_hall(tmp_path):
    """A hall on SQLite, and a client."""
    async with hall(tmp_path) as both:
        yield both


@pytest_asyncio.fixture(params=["sqlite", "postgres"])
async def new_store(request, tmp_path):
    """Makes stores that share one database."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "tables.sqlite")
    address = await request.getfixturevalue("postgres").fresh()
    return lambda: PostgresStore(address)


@pytest_asyncio.fixture
async def store(new_store):
    """An open, empty store."""
    made = new_store()
    await made.open()
    yield made
    await made.close()


@pytest_asyncio.fixture
async def reopened(new_store):
    """Closes a store and opens another on the same database."""
    opened = []

    async def again(store):
        await store.close()
        opened.append(new_store())
        await opened[-1].open()
        return opened[-1]

    yield again
    for store in opened:
        await store.close()
