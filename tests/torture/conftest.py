"""What the short trials share."""

import shutil

import pytest

from tests.torture.servers import new_folder


@pytest.fixture
def quick_folder():
    """A folder in memory where there is one: the disk is simulated, and need not be a real one."""
    folder = new_folder()
    yield folder
    shutil.rmtree(folder)
