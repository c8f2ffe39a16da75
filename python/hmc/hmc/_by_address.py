# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The short calls of the first interface: a peer is named by its address alone, and both sides use one offset."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, SupportsIndex, TypeVar, cast

from . import _native
from ._numbers import ConnType, MemoryType, status, status_t

#: What `send` says of its transfer.
_SENT, _NOT_SENT = 1, 2
_PORTS = 1 << 16


_Call = TypeVar("_Call", bound=Callable[..., status_t])


def or_short(is_short: Callable[[tuple[Any, ...], dict[str, Any]], bool], short: Callable[..., status_t]) -> Callable[[_Call], _Call]:
    """Has a method take the arguments of its short form as well."""

    def decorate(full: _Call) -> _Call:
        @functools.wraps(full)
        def call(self: Any, *values: Any, **named: Any) -> status_t:
            return (short if is_short(values, named) else full)(self, *values, **named)

        return cast("_Call", call)

    return decorate


def without_ctrl(values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """True if a server listens without an address of its control channel."""
    return len(values) < 4 and not named.keys() & {"ctrl_tcp_port", "ctrl_uds_path"}


def of_address(values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """True if a peer is named by its address, and not by its rank."""
    return "ip" in named or isinstance(next(iter(values), None), str)


def of_memory(values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """True if the argument after a peer's address is memory, and not a port."""
    if len(values) + len(named) == 4 and "port" not in named:
        return True
    return isinstance(values[3], MemoryType) if len(values) > 3 else len(values) < 2 and "port" not in named


def _ctrl_port(data_port: int) -> int:
    """The port of the control channel that belongs to a data port."""
    return (data_port + 1) % _PORTS


def _data_port_beside(ctrl_port: int, port: int) -> int:
    """Data port for a port beside a control channel at `ctrl_port` (0: none): shifted if both are equal. Programs have data at
    2025, with the control channel at 2026, and further data at 2026."""
    return (port + 10000) % _PORTS if ctrl_port == port != 0 else port


class ByAddress:
    """Short forms of calls, for a communicator."""

    def __init__(self, native: _native.Communicator) -> None:
        self._native = native
        self._lock = threading.Lock()
        #: Ports that were connected to by address alone.
        self._ports: dict[tuple[str, int], int] = {}

    def port_of(self, ip: str, conn: int) -> tuple[status_t, int]:
        """The port of the only connection to an address. NOT_FOUND: no connection; ERROR: several."""
        code, port = self._native.port_of(ip, conn)
        return status(code), port

    def init_server(self, ip: str, port: int, conn: int) -> status_t:
        """Listens for the control channel at the next port, unless another process does, and for data."""
        _native.ctrl_start_plain(ip, _ctrl_port(port))
        return status(self._native.listen(ip, _data_port_beside(_native.ctrl_plain_port(""), port), conn))

    def connect(self, ip: str, port: int, conn: int) -> status_t:
        """Makes a link of the control channel, then a connection, in place of an earlier one to the address."""
        if not _native.ctrl_dial_plain(ip, _ctrl_port(port)):
            return status_t.ERROR
        data = _data_port_beside(_native.ctrl_plain_port(ip), port)
        code = status(self._native.connect(ip, data, conn))
        if code != status_t.SUCCESS:
            return code
        with self._lock:
            before = self._ports.get((ip, conn), data)
            self._ports[ip, conn] = data
        return code if before == data else status(self._native.disconnect(ip, before, conn))

    def disconnect(self, ip: str, conn: int) -> status_t:
        """Ends the connection and the link of an address."""
        found, port = self.port_of(ip, conn)
        with self._lock:
            own = self._ports.pop((ip, conn), None)
        if found == status_t.ERROR:
            # Of several links, the one made by address.
            if own is None:
                return found
            found, port = status_t.SUCCESS, own
        if found == status_t.SUCCESS:
            self._native.disconnect(ip, port, conn)
        _native.ctrl_close_plain(ip)
        return status_t.SUCCESS

    def say(self, ip: str, was_sent: bool) -> bool:
        """Sends the message behind a `send`."""
        return _native.ctrl_send_plain(ip, _SENT if was_sent else _NOT_SENT) == 0

    def hear(self, ip: str) -> bool:
        """Waits for that message; whether the transfer went well."""
        code, value = _native.ctrl_recv_plain(ip)
        return code == 0 and value == _SENT


def conn_of(value: SupportsIndex | ConnType) -> int:
    """The number of a type of connections."""
    return int(ConnType(value.__index__()))
