"""Tokens: random, told once, stored hashed. Table ids: random too, and unrelated to any token."""

import hashlib
import secrets
import unicodedata

from fabletop.server.protocol.errors import ApiError


def fresh_token() -> str:
    """192 random bits: opens a seat, or a table for its host."""
    return secrets.token_urlsafe(24)


def fresh_table_id() -> str:
    """72 random bits: people with the link may look, nobody finds it by trying."""
    return secrets.token_urlsafe(9)


def hashed(token: str | None) -> str:
    """What is stored of a token. It has too many bits to be guessed, so a plain hash is enough."""
    return (
        hashlib.sha256(b"fabletop token:" + token.encode(errors="surrogateescape")).hexdigest()
        if token
        else ""
    )


def checked_line(text: str) -> str:
    """A line of chat: printable, on one line."""
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text).strip()
    if not kept:
        raise ApiError("bad_message", "there is nothing to say")
    return kept
