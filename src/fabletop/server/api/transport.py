"""What every HTTP answer has: security headers, no library's name, and errors as JSON, those of the HTTP parser too."""

import logging

from aiohttp import web

from fabletop.lang import LANGUAGES
from fabletop.server.protocol import wire
from fabletop.server.protocol.errors import ApiError

log = logging.getLogger("fabletop.server")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def add_headers(response: web.StreamResponse) -> None:
    """Add the security headers that the response does not have yet, and name the server."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers["Server"] = "fabletop"


def language_of(request: web.BaseRequest) -> str | None:
    """The first language of the header Accept-Language that we have."""
    named = (part.strip()[:2].lower() for part in request.headers.get("Accept-Language", "").split(","))
    return next((code for code in named if code in LANGUAGES), None)


def refusal(refused: ApiError, lang: str | None = None) -> web.Response:
    """An error as JSON."""
    return web.Response(
        body=wire.encode(wire.Error(refused.code, refused.in_language(lang), wait=refused.wait)),
        status=refused.status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


class Protocol(web.RequestHandler):
    """aiohttp's own, but for what is answered where no handler of ours was reached."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer a request that the parser refuses; it is neither logged nor counted as a fault."""
        if request.writer.output_size > 0:
            raise ConnectionError("a part of the answer has been sent already")
        if status < 500:
            log.debug("a request was refused by the parser", exc_info=exc)
            response = refusal(ApiError("bad_message", "this is no HTTP request that can be answered"))
        else:
            log.error("a request could not be handled", exc_info=exc)
            response = refusal(ApiError("fault", "something went wrong here"))
        response.set_status(status)
        response.force_close()
        add_headers(response)
        return response


class _Server(web.Server):
    def __call__(self) -> web.RequestHandler:
        made = super().__call__()
        made.__class__ = Protocol
        return made


class Runner(web.AppRunner):
    """A runner whose connections speak by `Protocol`. aiohttp has no setting for that."""

    async def setup(self) -> None:
        """Prepare the application to be served."""
        await super().setup()
        assert self.server is not None
        self.server.__class__ = _Server
