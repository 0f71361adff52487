"""Players that read and write text: objects with `answer(text)`, and programs that speak over their standard streams.

A program gets one line of JSON for each question and answers with one line of text:

    {"kind": "ask", "seat": 0, "text": "…"}        read the text, answer with an option
    {"kind": "wrong", "seat": 0, "text": "…"}      the last answer was no option: why, and what would be right
    {"kind": "end", "seat": 0, "text": "…"}        the game is over; no answer, the input ends
"""

import contextlib
import json
import queue
import shlex
import subprocess
from collections.abc import Callable
from threading import Thread
from typing import Protocol, runtime_checkable

from fabletop.core.chance import Chance
from fabletop.core.errors import BadOptions, FabletopError
from fabletop.envs.text import TextEnv

COMMAND = "command:"
"""Begins a player that is a program: `command:python3 player.py`."""
PATIENCE = 120.0
"""Seconds in which a program answers."""
ATTEMPTS = 3
"""Answers to one question; after the last wrong one any option is taken."""
LONGEST = 10_000
"""Questions to a player in a game, far more than a game has: a player that opens and cancels a choice over and over
again would go on for ever."""


@runtime_checkable
class TextPlayer(Protocol):
    """A player in words: reads what a person reads, answers with the word of an option."""

    def answer(self, text: str) -> str:
        """The answer to a question, or another one after an answer that was wrong: then the text says why."""


class Program:
    """A program that answers over its standard input and output. Use it with `with`."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.command = command
        self.patience = patience
        try:
            words = shlex.split(command)
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except (OSError, ValueError, IndexError) as error:
            raise BadOptions(f"the command {command!r} does not run: {error}") from None
        self._lines: queue.Queue[str] = queue.Queue()
        Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        """Close its input and let it end; end it where it does not."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout:
            for line in self.process.stdout:
                self._lines.put(line)
        self._lines.put("")

    def tell(self, kind: str, seat: int, text: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"kind": kind, "seat": seat, "text": text}) + "\n")
            self.process.stdin.flush()
        except OSError:
            raise FabletopError(self._ended()) from None

    def hear(self) -> str:
        """The next line of the program."""
        try:
            line = self._lines.get(timeout=self.patience)
        except queue.Empty:
            raise FabletopError(
                f"{self.command!r} has not answered for {self.patience:g} seconds; it should write one line for each "
                "line that it reads, and flush its output"
            ) from None
        if not line:
            raise FabletopError(self._ended())
        return line

    def _ended(self) -> str:
        try:
            code = self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return f"{self.command!r} has closed its output before the game was over"
        return f"{self.command!r} ended with code {code} before the game was over"


def play(
    env: TextEnv,
    player: TextPlayer | Program,
    chance: Chance,
    attempts: int = ATTEMPTS,
    longest: int = LONGEST,
) -> int:
    """Let a player answer for the caller's seats until the game is over; returns how many answers were wrong.

    After `attempts` wrong answers to one question, an option is taken at random. FabletopError after `longest`
    questions.
    """
    asked = wrong = 0
    while not env.over:
        asked += 1
        if asked > longest:
            raise FabletopError(
                f"the game is not over after {longest:,} questions; does the player open and cancel the same choice "
                "over and over again?"
            )
        seat, text = env.observe()
        options = env.options(seat)
        if len(options) == 1:
            env.act(options[0], seat)
            continue
        ask = _asker(player, seat)
        answered = env.act(ask("ask", text), seat)
        for _ in range(attempts - 1):
            if answered.done:
                break
            wrong += 1
            answered = env.act(ask("wrong", f"{text}\n\n{answered.text}"), seat)
        if not answered.done:
            wrong += 1
            env.act(chance.pick(options), seat)
    if isinstance(player, Program):
        for seat in env.seats:
            player.tell("end", seat, env.observe(seat)[1])
    return wrong


def _asker(player: TextPlayer | Program, seat: int) -> Callable[[str, str], str]:
    """How to ask a player."""

    def program(kind: str, text: str) -> str:
        assert isinstance(player, Program)
        player.tell(kind, seat, text)
        return player.hear()

    def thinker(kind: str, text: str) -> str:
        assert isinstance(player, TextPlayer)
        answer = player.answer(text)
        if not isinstance(answer, str):
            raise FabletopError(f"answer(text) should return a text, not {type(answer).__name__}")
        return answer

    return program if isinstance(player, Program) else thinker
