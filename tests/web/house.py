"""A real server in a process of its own, for the browser to visit; it can be stopped and started again."""

import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PATIENCE = 60
"""Seconds after which a test stops waiting for something that should have happened: a busy machine is slow."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class House:
    """`fabletop serve` on loopback, with quick bots and no limits on rates."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    quick: tuple[str, ...] = ("--bot-pause", "0.02", "--view-gap", "0.01")

    def start(self) -> None:
        command = [sys.executable, "-m", "fabletop", "serve", "--port", str(self.port)]
        command += ["--database", str(self.folder / "tables.sqlite"), *self.quick, "--open-limits"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.address}/readyz", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
            if self.process.poll() is not None:
                break
        raise RuntimeError(f"the server did not start:\n{(self.folder / 'server.log').read_text()[-2000:]}")

    def stop(self, kill: bool = False) -> None:
        if self.process is None:
            return
        self.process.kill() if kill else self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.process = None

    def faults(self) -> list[str]:
        """What went wrong in the server."""
        text = (self.folder / "server.log").read_text()
        return re.findall(r'"level": "error"[^\n]*', text)
