"""Tokens: random, sent once, stored hashed. Table ids: random too, and independent of tokens."""

import base64
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


def derived(what: str, token: str, request: str, size: int) -> str:
    """An id or a token that only the holder of another token can know, the same each time it is asked for."""
    text = f"fabletop {what}:{token}:{request}".encode()
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()[:size]).decode().rstrip("=")


def fingerprint(kind: str, data: bytes) -> str:
    """What a message means, as it is stored to know it again: it may hold a token, so only a hash."""
    return hashlib.sha256(kind.encode() + data).hexdigest()[:32]


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
