"""A throwaway PostgreSQL server on a Unix socket, started by the tests and ended with them."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

PACKAGES = {
    "initdb": "postgresql",
    "pg_ctl": "postgresql",
    "runuser": "util-linux",
}
"""The Debian package of each tool."""


def found(name):
    """A tool; where it is missing the tests are skipped with a reason, but not in CI."""
    path = shutil.which(name)
    if path is None:
        path = next(
            (str(p) for p in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None
        )
    if path is None:
        message = f"{name} is not installed; on Debian: apt-get install {PACKAGES[name]}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path


class Postgres:
    """A PostgreSQL server; durable enough to be killed and started again."""

    def __init__(self):
        self.tools = {name: found(name) for name in ("initdb", "pg_ctl")}
        self.folder = Path(tempfile.mkdtemp(prefix="fabletop-postgres-"))
        self.folder.chmod(0o755)
        self.runner = []
        if os.getuid() == 0:  # it refuses to run as root
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.runner = [found("runuser"), "-u", "postgres", "--"]
        self._run(
            *(self.tools["initdb"], "-D", self.folder / "data", "-A", "trust", "-U", "postgres"),
            *("--no-sync", "-E", "UTF8", "--locale=C.UTF-8"),
        )
        self.start()
        self.databases = 0

    def _run(self, *command):
        told = subprocess.run(
            [*self.runner, *map(str, command)], capture_output=True, text=True, cwd=self.folder, timeout=60
        )
        assert told.returncode == 0, told.stdout + told.stderr

    def start(self):
        """Start, or start again."""
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
        options = f"-c listen_addresses='' -k {self.folder} -c max_connections=60"
        # not synced to the disk, but written: a kill of the server loses nothing, a power cut would
        options += " -c fsync=off -c full_page_writes=off"
        with (self.folder / "log").open("a") as log:
            told = subprocess.run(
                [*self.runner, self.tools["pg_ctl"], "-D", str(self.folder / "data"), "-w", "-o", options, "start"],
                stdout=log, stderr=log, cwd=self.folder, timeout=60,
            )  # fmt: skip
        assert told.returncode == 0, (self.folder / "log").read_text()

    def stop(self, mode="immediate"):
        """Stop; `immediate` is as good as a kill."""
        self._run(self.tools["pg_ctl"], "-D", self.folder / "data", "-m", mode, "-w", "stop")

    def address(self, database="postgres"):
        """As asyncpg wants it."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    async def fresh(self):
        """The address of a new, empty database."""
        import asyncpg

        self.databases += 1
        name = f"trial{self.databases}"
        connection = await asyncpg.connect(self.address())
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()
        return self.address(name)

    def close(self):
        """Stop and forget."""
        with contextlib.suppress(AssertionError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
