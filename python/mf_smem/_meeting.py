# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meeting of transfer engines: decisions only, without a socket.

Three generations of callers name the meeting point in three ways, and all of them work at once::

    store_url names a store that answers ──► all meet there
    always ────────────────────────────────► an engine opens a store at its session's address, and is met there; that it
                                             cannot is an error where store_server_role is its role and no store answers

"""

from __future__ import annotations

import enum
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, replace

#: Among which `get_rpc_port` takes a free one before a session is known.
RPC_PORTS = range(15_000, 25_001)


class Role(enum.Enum):
    """Role of an engine, declared by the caller: sender or receiver. Either may read and write."""

    PREFILL = "Prefill"
    DECODE = "Decode"


def role_of(text: str) -> Role:
    """The role of this name; `ValueError` for anything else."""
    try:
        return Role(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a role: 'Prefill' (sends) or 'Decode' (receives)") from None


@dataclass(frozen=True)
class Session:
    """The address by which others name an engine. Port 0: one is still to be chosen."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """The store at this address."""
        return f"tcp://{self}"

    def at(self, port: int) -> Session:
        """The same host with a port."""
        return replace(self, port=port)


def session(text: str) -> Session:
    """Parses ``ip:port``, ``ip:0``, ``ip``, ``[ip6]:port`` and ``ip:port_pid``; `ValueError` for anything else."""
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not a session: a text, ip:port or [ip6]:port, is expected")
    text = text.strip()
    host, port = text, ""
    if text.startswith("["):
        host, _, port = text[1:].partition("]")
        if port and not port.startswith(":"):
            raise ValueError(f"{text!r} is not a session: [ip6]:port is expected")
        port = port[1:]
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    # A process number behind the port is no part of the address.
    port = port.partition("_")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise ValueError(f"{text!r} is not a session: ip:port or [ip6]:port is expected, and {host!r} is not an IP address") from None
    if port and not (port.isascii() and port.isdigit() and int(port) < 65_536):
        raise ValueError(f"{text!r} is not a session: {port!r} is not a port")
    return Session(str(address), int(port or 0))


def named_stores(store_url: str | None, own: Session) -> list[str]:
    """The stores that a ``store_url`` names, in its order: those with a port, apart from the engine's own address."""
    found = []
    for part in (store_url or "").split(","):
        scheme, separator, place = part.strip().rpartition("://")
        if scheme == "tcp" or not separator:
            try:
                named = session(place)
            except ValueError:
                # A host name, which the store's client resolves.
                if place.rpartition(":")[2].isdigit() and ":" in place:
                    found.append(f"tcp://{place}")
                continue
            if named.port != 0 and named != own:
                found.append(named.url)
        elif place:
            found.append(part.strip())
    return found


@dataclass(frozen=True)
class Plan:
    """Meeting plan of an engine."""

    #: The common store, or None.
    shared: str | None
    #: True if it is unreachable without a store at its own address.
    must_serve: bool


def plan(role: Role, store_server_role: str, answering: str | None) -> Plan:
    """`answering` is the first of `named_stores` that answers, or that this process has made."""
    return Plan(answering, must_serve=answering is None and role.value == store_server_role)


class Route(enum.Enum):
    """Through which store a destination is reached."""

    SHARED = "the store where all meet"
    OWN = "the own store, which the destination has visited"
    VISIT = "the store of the destination"


def routes(plan: Plan, serves: bool, destination: Session, own: Session) -> list[Route]:
    """The routes to a destination, in the order in which they are tried."""
    if destination == own:
        return [Route.OWN if serves else Route.SHARED]
    found = [Route.SHARED] if plan.shared is not None else []
    if serves:
        found.append(Route.OWN)
    return [*found, Route.VISIT]


def session_ports(environ: Mapping[str, str]) -> range:
    """The ports among which a session without one gets its own."""
    first, last = 9000, 65_535
    for side, names in (
        ("start", ("MF_CONFIG_STORE_PORT_START", "MEMFABRIC_HYBRID_CONFIG_STORE_PORT_START")),
        ("end", ("MF_CONFIG_STORE_PORT_END", "MEMFABRIC_HYBRID_CONFIG_STORE_PORT_END")),
    ):
        text = next((environ[name] for name in names if environ.get(name)), None)
        if text is None:
            continue
        if not (text.isascii() and text.isdigit() and 0 < int(text) < 65_536):
            raise ValueError(f"{names[0]} is {text!r}, and no port")
        first, last = (int(text), last) if side == "start" else (first, int(text))
    if first > last:
        raise ValueError(f"MF_CONFIG_STORE_PORT_START {first} is behind MF_CONFIG_STORE_PORT_END {last}")
    return range(first, last + 1)
