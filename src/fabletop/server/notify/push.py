"""Browser push: the key by which push services know this server (VAPID, RFC 8292). Needs the extra `push`.

A push carries no content: the service worker of the page shows its own words, so nothing about a game passes through
the push service, and nothing needs to be encrypted for it.

The signature is made here, in ten lines, and not by py-vapid: that library refuses `http://` as the subject, and a
server on `http://localhost` can push.
"""

import base64
import contextlib
import json
import os
from pathlib import Path
from urllib.parse import urlsplit

from fabletop.server.stores.private import private_file, private_folder

try:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
except ImportError:  # pragma: no cover - then there is no push
    ec = None  # type: ignore[assignment]

LASTS = 12 * 3600
"""Seconds for which a signature is good; a push service takes at most a day."""
KEPT = 24 * 3600
"""Seconds for which a push service keeps a push for a browser that is off."""


def base64url(data: bytes) -> str:
    """As the push services want it: without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushKey:
    """Signs pushes."""

    def __init__(self, private: "ec.EllipticCurvePrivateKey") -> None:
        self._private = private
        point = private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.public = base64url(point)
        """What a browser needs to subscribe."""

    def headers(self, endpoint: str, subject: str, now: float) -> dict[str, str]:
        """What a request to a push service must carry."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + LASTS, "sub": subject}
        head = {"typ": "JWT", "alg": "ES256"}
        signed = ".".join(base64url(json.dumps(part).encode()) for part in (head, claims))
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        token = f"{signed}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
        return {"Authorization": f"vapid t={token}, k={self.public}", "TTL": str(KEPT), "Urgency": "normal"}


def push_key(path: Path | None) -> PushKey | None:
    """The key in a file, which is made if need be; None where there is to be no push, or the extra is missing."""
    if path is None or ec is None:
        return None
    private_folder(path.parent)
    with contextlib.suppress(FileExistsError):  # another worker may have been quicker
        made = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(made)
        try:
            os.link(draft, path)
        finally:
            draft.unlink()
    private_file(path)
    private = serialization.load_pem_private_key(path.read_bytes(), None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)
    return PushKey(private)
