# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Words that the members of a group write into each other's memory: how far each is in an exchange."""

from __future__ import annotations

import array
import os
import socket
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ._buffer import ConnBuffer
from ._communicator import Communicator
from ._errors import HMCError, HMCStatusError, check
from ._meeting import Meeting
from ._numbers import ConnType, MemoryType, status_t

#: Longest wait for another member.
_DEADLINE_S = 300.0
#: So often a word is read before the first sleep, and the shortest and longest sleep.
_READS, _NAP_S, _NAP_MOST_S = 200, 20e-6, 1e-3
#: Interval of liveness checks of awaited members.
_CHECKED_S = 0.5
_WORD = 8


class Signals:
    """The process's own words, and connections to the other members' words, made when they are first needed.

    A member has two rows of words, a word of each member in both: `READY`, which says that it may be put to, and `DONE`, that all it
    was to get from that member is there. Words only grow.
    """

    READY, DONE = 0, 1

    def __init__(self, ip: str, meets: Meeting) -> None:
        """Listens at this address of one's own."""
        self._rank, self._world, self._meets = meets.rank, meets.world, meets
        self._core = ConnBuffer(0, (4 * self._world + 1) * _WORD, MemoryType.CPU)
        self._native = Communicator(self._core)._native
        # A process that ends after its last exchange must not end a connection with words in flight.
        weakref.finalize(self, self._native.flush)
        self._core.writeFromCpu(bytes(self._core.buffer_size), self._core.buffer_size)
        self._row = array.array("Q", bytes(2 * self._world * _WORD))
        self._own: dict[str, Any] = {"ip": ip, "port": self._listen(ip)}
        self._places: list[tuple[str, int]] = []

    def meet(self) -> None:
        """Finds out where the others listen, once. **Collective.**"""
        if not self._places:
            self._places = [(one["ip"], one["port"]) for one in self._meets.gather(self._own)]

    def _listen(self, ip: str) -> int:
        for _ in range(100):
            with socket.socket() as probe:
                probe.bind((ip, 0))
                port: int = probe.getsockname()[1]
            # Another process may have taken it meanwhile.
            code = self._native.listen(ip, port, ConnType.UCX)
            if code != status_t.ERROR:
                break
        check("Communicator.initServer of a group's signals", code)
        return port

    def connect(self, ranks: Sequence[int]) -> None:
        """Connects to members with higher ranks, and waits for the others to connect."""
        for rank in ranks:
            if rank > self._rank:
                name = f"Communicator.connectTo of the signals of rank {rank}"
                check(name, self._native.connect(*self._places[rank], ConnType.UCX))
        for rank in ranks:
            until(
                lambda: self._is_connected(rank),
                lambda: f"rank {rank} did not connect to rank {self._rank}",
                lambda: self._check_dialler(rank),
            )

    def send(self, kind: int, ranks: Sequence[int], value: int) -> None:
        """Writes one's own word of members."""
        word, place = value.to_bytes(_WORD, sys.byteorder), (kind * self._world + self._rank) * _WORD
        for rank in ranks:
            # It stays until the member has seen it: the next one is sent after its answer.
            scratch = ((2 + kind) * self._world + rank) * _WORD
            check("ConnBuffer.writeFromCpu", self._core.writeFromCpu(word, _WORD, scratch))
            # `flush` waits for it.
            code = self._native.put_unobserved(*self._places[rank], scratch, place, _WORD, ConnType.UCX)
            check(f"Communicator.put of a signal to rank {rank}", code)

    def flush(self) -> None:
        """Waits until the members have all that was sent to them."""
        check("a put of signals", self._native.flush())

    def first(self, wanted: Sequence[tuple[int, int]], value: int) -> list[tuple[int, int]]:
        """Waits until words, each named by its row and a member, have at least this value; returns those that have. Raises
        `HMCError` when a member is gone (`HMCStatusError`), or makes no progress, or none arrives."""
        places = [(kind * self._world + rank) * _WORD for kind, rank in wanted]
        begun = time.monotonic()
        while (code := self._native.await_word(places, value, int(_CHECKED_S * 1e3))) == status_t.TIMEOUT:
            if time.monotonic() - begun > _DEADLINE_S:
                late = sorted({rank for _, rank in wanted})
                raise HMCError(f"ranks {late} of {self._world} did not come to the exchange within {_DEADLINE_S:.0f} s")
            self._check_members({rank for _, rank in wanted})
        check("a wait for signals", code)
        check("ConnBuffer.readToCpu", self._core.readToCpu(self._row, len(self._row) * _WORD))
        return [(kind, rank) for kind, rank in wanted if self._row[kind * self._world + rank] >= value]

    def _check_dialler(self, rank: int) -> None:
        check_listener(rank, *self._places[rank])
        self._meets.check()

    def _check_members(self, ranks: set[int]) -> None:
        """Raises `HMCError` when one of them is gone, or another has noticed that."""
        self._meets.check()
        for rank in ranks:
            # A transfer notices that the other end is gone; a connection that is not used may not.
            code = self._native.get(*self._places[rank], 4 * self._world * _WORD, 0, _WORD, ConnType.UCX)
            check(f"Communicator.get from rank {rank} of {self._world}, which is waited for,", code)

    def _is_connected(self, rank: int) -> bool:
        return self._native.check(*self._places[rank], ConnType.UCX) == status_t.SUCCESS


def check_listener(rank: int, ip: str, *ports: int) -> None:
    """Raises `HMCStatusError` when all ports of a member are closed: it is gone."""
    places = [ip]
    if _is_own(ip):
        # Without a secret, members listen at the loopback interface of their host, regardless of their
        # address.
        places.append("::1" if ":" in ip else "127.0.0.1")
    if all(_refuses(place, port) for port in ports for place in places):
        raise HMCStatusError(f"rank {rank} at {ip} has left the group", status_t.ERROR)


def _is_own(ip: str) -> bool:
    """True if this host has the address."""
    with socket.socket(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((ip, 0))
        except OSError:
            return False
    return True


def _refuses(ip: str, port: int) -> bool:
    """True if certainly no process listens there."""
    try:
        socket.create_connection((ip, port), timeout=_CHECKED_S).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        # It may be busy, or out of reach for a while.
        pass
    return False


def until(
    is_so: Callable[[], bool], otherwise: Callable[[], str], meanwhile: Callable[[], None] = lambda: None
) -> None:
    """Waits until something is so; `meanwhile` is called from time to time."""
    for _ in range(_READS):
        if is_so():
            return
        os.sched_yield()
    nap, begun = _NAP_S, time.monotonic()
    checked = begun
    while not is_so():
        now = time.monotonic()
        if now - begun > _DEADLINE_S:
            raise HMCError(f"{otherwise()} within {_DEADLINE_S:.0f} s")
        if now - checked > _CHECKED_S:
            meanwhile()
            checked = now
        time.sleep(nap)
        nap = min(nap * 1.5, _NAP_MOST_S)
