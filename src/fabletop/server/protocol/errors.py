"""API errors: what a client is told when something is refused. Each has a code for programs and a text for people."""

from fabletop.core.errors import FabletopError

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

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]


def busy() -> ApiError:
    """The store cannot be written or read at the moment."""
    return ApiError("busy", "this cannot be saved at the moment; try again shortly with the same id")


def moved() -> ApiError:
    """The table is no longer played on this worker."""
    return ApiError("moved", "the table has moved to another worker; connect again")


def unknown_table() -> ApiError:
    """No such table, or one that the client may not know of: both get the same words."""
    return ApiError("unknown", "there is no such table; check the link")
