"""API errors. Each has a code for programs and a text for people.

Errors that people meet in a browser are in their language: `worded` takes the text from `lang/*/refusals.toml`. Other
errors are for programs, in English; in another language a sentence for their code replaces them.
"""

from typing import Any

from fabletop.core.errors import FabletopError
from fabletop.lang import Lexicon

STATUS = {
    "bad_message": 400,
    "bad_options": 400,
    "bad_record": 400,
    "not_allowed": 403,
    "unknown": 404,
    "not_asked": 409,
    "stale": 409,
    "not_offered": 409,
    "cannot_undo": 409,
    "not_playing": 409,
    "taken": 409,
    "no_hint": 409,
    "too_large": 413,
    "too_many": 429,
    "fault": 500,
    "busy": 503,
    "moved": 503,
}
"""Every code, with the HTTP status that goes with it."""


class ApiError(FabletopError):
    """The request was understood and is not carried out; nothing has changed."""

    def __init__(self, code: str, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.wait = wait
        """Seconds after which it would be allowed, where time is all that is missing."""
        self.key = ""
        """The text in `refusals.toml`, if it has one; `values` fill it in."""
        self.values: dict[str, Any] = {}

    def in_language(self, lang: str | None) -> str:
        """The text in a language; None is English."""
        if lang is None or lang == "en":
            return self.message
        lexicon = Lexicon(lang)
        if not self.key:
            return lexicon(f"refusals.code.{self.code}")
        return lexicon(f"refusals.reason.{self.key}", **self.values)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]


def worded(code: str, key: str, wait: float | None = None, **values: Any) -> ApiError:
    """An error whose text is in the language files."""
    error = ApiError(code, Lexicon("en")(f"refusals.reason.{key}", **values), wait)
    error.key, error.values = key, values
    return error


def busy() -> ApiError:
    """The store cannot be written or read at the moment."""
    return worded("busy", "busy")


def moved() -> ApiError:
    """The table is no longer played on this worker."""
    return worded("moved", "moved")


def unknown_table() -> ApiError:
    """No such table, or one that the client may not know of: both get the same words."""
    return worded("unknown", "unknown_table")
