# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Liveness of the other processes of a job: each keeps a port open as long as it lives, and publishes it in the store."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Collection
from typing import TypeVar

import mf_smem

from ._errors import HMCError, HMCStatusError
from ._numbers import status_t

_Answer = TypeVar("_Answer")

#: Longest wait for other processes.
DEADLINE_S = 300.0
#: Pause before another attempt where the last one failed at once.
PAUSE_S = 0.05
#: Longest wait for a connection; and after so long without an answer a host is asked whether it is there.
_DIALLED_S, _ASKED_AFTER_S = 0.5, 5
_KEYS = "hmc/lives/"


def may_pass(error: mf_smem.Error) -> bool:
    """True if a store that is missing, slow, or blocked by another program's port may become available."""
    return error.retry == mf_smem.Retry.LATER


class Lives:
    """The process's own port, and connections to other processes' ports, made when they are first waited for.

    Nothing is ever sent. The kernel ends a connection when the process at its other end ends, for any cause; accepting it is not
    needed for that.
    """

    def __init__(self, store: mf_smem.Store, rank: int, ip: str) -> None:
        """Says at the store that this process is here, as the rank at this address."""
        self._store, self._rank = store, rank
        self._links: dict[int, socket.socket] = {}
        #: Ranks found gone when queried.
        self._refused: set[int] = set()
        if rank != 0:
            # The store goes with it, as a rule; then it is too late to ask where it was.
            self._await_first()
        place = self._listen(ip)
        self.answer(lambda: store.set(f"{_KEYS}{rank}", json.dumps(place)))

    def _listen(self, ip: str) -> tuple[str, int] | None:
        """Own port; None if unavailable: the end of this process is then not noticed."""
        family = socket.AF_INET6 if ":" in ip else socket.AF_INET
        try:
            self._own = socket.create_server((ip, 0), family=family, backlog=socket.SOMAXCONN)
        except OSError:
            return None
        # In a longer-lived child the port is closed, so that this process's end shows.
        os.register_at_fork(after_in_child=self._own.close)
        return ip, self._own.getsockname()[1]

    def _await_first(self) -> None:
        """Waits for rank 0, and connects to it."""
        end = time.monotonic() + DEADLINE_S
        while True:
            try:
                self._store.wait([f"{_KEYS}0"])
                break
            except mf_smem.Error as error:
                if not may_pass(error):
                    raise
                if time.monotonic() > end:
                    raise HMCError(f"rank 0 did not come to the store {self._store.url}") from error
                if not isinstance(error, mf_smem.TimedOutError):
                    time.sleep(PAUSE_S)
        self.check([0])

    def answer(self, ask: Callable[[], _Answer]) -> _Answer:
        """Reads from the store. While it does not answer, rank 0 is checked for life: the store usually ends
        with it."""
        end = time.monotonic() + DEADLINE_S
        while True:
            if not self._store.is_connected:
                self.check([0])
            try:
                return ask()
            except mf_smem.Error as error:
                if not may_pass(error) or time.monotonic() > end:
                    raise
                if not isinstance(error, mf_smem.TimedOutError):
                    time.sleep(PAUSE_S)

    def check(self, ranks: Collection[int]) -> None:
        """Raises `HMCStatusError` for one of these that was here and is gone."""
        unknown = {0, *ranks} - {self._rank} - self._links.keys() - self._refused
        if unknown:
            self._find(unknown)
        for rank in sorted(ranks):
            link = self._links.get(rank)
            if rank in self._refused or (link is not None and _is_over(link)):
                raise HMCStatusError(f"rank {rank} has left the group", status_t.ERROR)

    def _find(self, ranks: Collection[int]) -> None:
        """Connects to the given ranks if they are present."""
        try:
            entries = self._store.list(_KEYS)
        except mf_smem.Error:
            # Away for a while, or for good; the call that waits finds that out.
            return
        for entry in entries:
            rank = int(entry.key.removeprefix(_KEYS))
            place = json.loads(entry.value)
            if rank in ranks and place is not None:
                try:
                    self._links[rank] = _link(*place)
                except ConnectionRefusedError:
                    self._refused.add(rank)
                except OSError:
                    # It may be out of reach for a while.
                    continue


def _link(ip: str, port: int) -> socket.socket:
    link = socket.create_connection((ip, port), timeout=_DIALLED_S)
    link.setblocking(False)
    # A host that fails says nothing.
    link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in ((socket.TCP_KEEPIDLE, _ASKED_AFTER_S), (socket.TCP_KEEPINTVL, _ASKED_AFTER_S), (socket.TCP_KEEPCNT, 3)):
        link.setsockopt(socket.IPPROTO_TCP, option, value)
    return link


def _is_over(link: socket.socket) -> bool:
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
