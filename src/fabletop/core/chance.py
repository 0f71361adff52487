"""Chance: the only source of randomness, portable for ever.

The generator is SplitMix64 (one 64-bit word, published test vectors). Engines hold such words in their state, one per
*stream*: one for each seat and one for the table. While a game is recorded, every word is replaced by
HMAC-SHA256(seed, stream, counter) before it is used, so that nobody can work back from what they saw to what will
come, nothing depends on who was faster, and any prefix of a record replays.

>>> Chance(0).word() == 0xE220A8397B1DCDAF
True
>>> chance = Chance.from_text("midsummer")
>>> sorted(chance.shuffled(range(5))), chance.below(1)
([0, 1, 2, 3, 4], 0)
"""

import hashlib
import hmac
import os
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")

MASK64 = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15
SALTED = "v2:"
"""Marks a commitment with a salt; the first form has no mark."""


def scramble(word: int) -> int:
    """A word whose every bit depends on every bit of the given one: what SplitMix64 makes of its state.

    Compiled modules use the same in C (`splitmix.pxd`).
    """
    z = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


class Chance:
    """A stream of random numbers (SplitMix64)."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & MASK64

    @classmethod
    def from_text(cls, text: str) -> "Chance":
        """A stream of its own for any text."""
        return cls(stream_word(text, "text", 0))

    def word(self) -> int:
        """The next 64 random bits."""
        self.state = (self.state + GOLDEN) & MASK64
        return scramble(self.state)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; n is at most 2**32, the bias at most n / 2**32."""
        return ((self.word() >> 32) * n) >> 32

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out


def fresh_seed() -> str:
    """A secret seed of 256 bits, as text."""
    return os.urandom(32).hex()


def stream_word(seed: str, stream: str, counter: int) -> int:
    """The word with which `stream` goes on after its `counter`-th step, derived from the secret seed."""
    return four_words(seed, stream, counter // 4)[counter % 4]


@lru_cache(maxsize=4096)  # a block serves four steps; old seeds are never asked for again
def four_words(seed: str, stream: str, block: int) -> tuple[int, ...]:
    """HMAC-SHA256 gives 256 bits at a time: four words, for four steps of a stream.

    The two hashes of HMAC are begun once for each seed; `hmac.digest` would begin them again every time, and
    release the interpreter's lock, which costs a server with several threads far more than the hashing.
    """
    inner, outer = (part.copy() for part in _begun(seed))
    inner.update(f"{stream}:{block}".encode())
    outer.update(inner.digest())
    return struct.unpack(">4Q", outer.digest())


@lru_cache(maxsize=512)
def _begun(seed: str) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """The inner and the outer hash of HMAC after the key (RFC 2104)."""
    key = seed.encode()
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    return hashlib.sha256(bytes(b ^ 0x36 for b in key)), hashlib.sha256(bytes(b ^ 0x5C for b in key))


def fresh_salt() -> str:
    """128 random bits as text: a commitment with it hides its seed, even if the seed is easy to guess."""
    return os.urandom(16).hex()


def commitment(seed: str, salt: str = "") -> str:
    """What is published before a game so that the seed and the salt, published after it, can be checked.

    Without a salt it is the first form, which tables made before salts have; it hides only a seed that nobody can
    guess.
    """
    if not salt:
        return hashlib.sha256(f"fabletop seed:{seed}".encode()).hexdigest()
    return SALTED + hashlib.sha256(f"fabletop seed:{salt}:{seed}".encode()).hexdigest()


def verify(seed: str, published: str, salt: str = "") -> bool:
    """Is this the seed to which the table committed itself?"""
    return hmac.compare_digest(commitment(seed, salt), published.strip().lower())
