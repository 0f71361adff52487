"""What can go wrong between a client and the server."""


class RequestRefused(Exception):
    """The server refused; `code` is one of those in docs/protocol.md."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class ConnectionLost(Exception):
    """The server could not be reached any more, or closed the connection for good; or the connection broke during a
    message that is sent only once."""


class AnswerTimeout(Exception):
    """The server is there but has not answered in time: what was asked may be done or not."""
