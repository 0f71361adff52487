"""Tokens: random, handed out once, stored hashed. Table ids: random too, and unrelated to any token."""

import hashlib
import re
import secrets
import unicodedata

from fabletop.server.protocol.errors import ApiError
from fabletop.server.stores.entries import LONGEST_NAME


def fresh_token() -> str:
    """192 random bits: opens a seat, or a table for its host."""
    return secrets.token_urlsafe(24)


def fresh_table_id() -> str:
    """72 random bits: whoever has the link may look, nobody finds it by trying."""
    return secrets.token_urlsafe(9)


def hashed(token: str | None) -> str:
    """What is stored of a token. It has too many bits to be guessed, so a plain hash is enough."""
    return (
        hashlib.sha256(b"fabletop token:" + token.encode(errors="surrogateescape")).hexdigest()
        if token
        else ""
    )


def checked_name(text: str) -> str:
    """A name that can be shown to others: no control characters, single spaces, not too long."""
    kept = "".join(
        c if unicodedata.category(c)[0] != "C" else " " for c in unicodedata.normalize("NFC", text)
    )
    name = re.sub(r"\s+", " ", kept).strip()
    if not name:
        raise ApiError("bad_message", "a name needs at least one letter")
    if len(name) > LONGEST_NAME:
        raise ApiError("bad_message", f"a name has at most {LONGEST_NAME} letters")
    return name


def checked_line(text: str) -> str:
    """A line of chat: printable, on one line."""
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text).strip()
    if not kept:
        raise ApiError("bad_message", "there is nothing to say")
    return kept
