"""Which addresses the server may call on somebody's behalf: https and public ones only.

Every address that a host name resolves to must be public, and the connection goes to an address that was checked.
"""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult

from fabletop.server.protocol.errors import ApiError

INTERNET = ipaddress.IPv6Network("2000::/3")
"""All that is assigned of IPv6; what lies elsewhere is local, or an old way of writing IPv4."""
NOT_PUBLIC = tuple(
    ipaddress.ip_network(net)
    for net in (
        # https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
        *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4"),
        # https://www.iana.org/assignments/iana-ipv6-special-registry, as far as it lies in 2000::/3: protocol
        # assignments with Teredo, documentation, 6to4, direct delegation of AS112
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
)
"""Addresses that are not for the whole Internet: a list of our own, since Python's `is_global` changes."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""How a network without IPv4 writes the IPv4 addresses of others."""
HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+", re.IGNORECASE)
"""A name or an address in plain letters: others, such as ① for 1, would be another host by the time it is called."""


def _meant(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The address that is reached in the end: an IPv4 address inside an IPv6 address is unwrapped."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return parsed.ipv4_mapped
        if parsed in NAT64:
            return ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
    return parsed


def is_public(address: str) -> bool:
    """May the server call this address on somebody's behalf?"""
    target = _meant(address)
    if target.version == 6 and target not in INTERNET:
        return False
    return not any(target in net for net in NOT_PUBLIC)


def checked_url(url: str, trusted: Iterable[str] = ()) -> str:
    """The host of an address that may be called; ApiError says what is wrong with it."""
    if not url.isprintable():  # urlsplit ignores some control characters
        raise ApiError("bad_message", "an address must not contain control characters")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise ApiError("bad_message", "this is no address") from None
    if host in trusted:
        return host
    if parts.scheme != "https" or not host:
        raise ApiError("bad_message", "a webhook needs an address that begins with https://")
    if not HOST.fullmatch(host):
        raise ApiError("bad_message", "a webhook's host must be written in plain letters (xn--… for others)")
    if parts.username is not None or parts.password is not None:
        raise ApiError("bad_message", "a webhook's address must not contain a password")
    if port not in (None, 443):
        raise ApiError("bad_message", "a webhook is called on the usual port of https")
    try:
        literal = is_public(host)
    except ValueError:
        return host  # a name: checked when it is resolved
    if not literal:
        raise ApiError("bad_message", "a webhook must be a public address")
    return host


class PublicOnly(AbstractResolver):
    """Resolves names, and refuses a name if any of its addresses is not public; the connection uses a checked
    address."""

    def __init__(self, trusted: Iterable[str]) -> None:
        self.trusted = frozenset(trusted)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """All addresses of a host, or an error."""
        infos = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM, family=socket.AF_UNSPEC
        )
        if host not in self.trusted and not all(is_public(str(info[4][0])) for info in infos):
            raise OSError(f"{host} is not a public address")
        return [
            ResolveResult(
                hostname=host,
                host=str(info[4][0]),
                port=port,
                family=info[0],
                proto=info[2],
                flags=socket.AI_NUMERICHOST,
            )
            for info in infos
        ]

    async def close(self) -> None:
        """Nothing to close."""
