# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The endpoints of one transfer engine: its name at each store where it meets others, with the same memory at all."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence

from . import _mf_smem
from ._codes import NOT_EXIST, failed
from ._errors import DuplicatedError, Error


class Endpoints:
    """Endpoints by the URL of their store. May be used by any thread; a store that does not answer delays only its own
    endpoint."""

    def __init__(self, peer_down: Callable[[str], None]) -> None:
        """`peer_down` is a method that is called with the name of an engine that is gone."""
        #: Of everything below, for moments.
        self._lock = threading.RLock()
        self._peer_down = weakref.WeakMethod(peer_down)
        #: The name, the role and the rest that each is made of; None: none is made.
        self._made_of: tuple[str, int, int, int, str] | None = None
        self._regions: dict[int, int] = {}
        self._endpoints: dict[str, _mf_smem.TransferEndpoint] = {}
        #: By the URL: held by the thread that makes one.
        self._making: dict[str, threading.Lock] = {}
        #: Has the memory of `malloc`.
        self._memory: _mf_smem.TransferEndpoint | None = None

    def begin(self, name: str, role: int, device: int, data_op_type: int, nic: str) -> None:
        """Endpoints may be made from now on, of this."""
        with self._lock:
            self._made_of = (name, role, device, data_op_type, nic)

    def end(self) -> None:
        """Ends all. Registrations stay for endpoints made after another `begin`. Waits for copies in flight."""
        with self._lock:
            endpoints, self._endpoints = list(self._endpoints.values()), {}
            if self._memory is not None and self._memory not in endpoints:
                endpoints.append(self._memory)
            self._memory = self._made_of = None
        for endpoint in endpoints:
            endpoint.destroy()

    def forget_memory(self) -> None:
        """Nothing is registered."""
        with self._lock:
            self._regions.clear()

    # ---- endpoints ----

    def known(self, url: str) -> _mf_smem.TransferEndpoint | None:
        """The endpoint at a store, if there is one."""
        return self._endpoints.get(url)

    def any(self) -> _mf_smem.TransferEndpoint | None:
        """One of the endpoints, if there are any."""
        with self._lock:
            return next(iter(self._endpoints.values()), None)

    def drop(self, url: str, former: _mf_smem.TransferEndpoint | None) -> None:
        """Drops an endpoint with a lost store if it is still current at this URL. It ends when the last thread has left
        it."""
        with self._lock:
            if former is not None and self._endpoints.get(url) is former:
                del self._endpoints[url]

    def at(
        self, url: str, timeout_s: int, former: _mf_smem.TransferEndpoint | None = None
    ) -> _mf_smem.TransferEndpoint | None:
        """The endpoint at a store, with all memory that is registered; None: the store does not accept it in time. In place of
        `former`, which has not reached a peer: where another store is at the URL, a new one; where `former` still has its name
        there, the store is the same, and `former` stays."""
        with self._lock:
            making = self._making.setdefault(url, threading.Lock())
        # One thread makes it; threads for the same destination wait.
        with making:
            with self._lock:
                known, made_of = self._endpoints.get(url), self._made_of
            if made_of is None or known is not None and known is not former:
                return known
            try:
                endpoint = _mf_smem.TransferEndpoint(url, *made_of, timeout_s)
            except DuplicatedError:
                return known
            except Error:
                self.drop(url, known)
                return None
            gone = self._peer_down
            endpoint.set_peer_down(lambda name: (call := gone()) and call(name))
            with self._lock:
                regions = self._regions
                is_there = self._made_of is made_of and (
                    not regions or endpoint.register(list(regions), list(regions.values())) == 0
                )
                if is_there:
                    self._endpoints[url] = endpoint
                    return endpoint
            # Ended meanwhile, or a registration failed.
            endpoint.destroy()
            return None

    # ---- memory ----

    def register(self, addresses: Sequence[int], capacities: Sequence[int]) -> int:
        """Registers ranges at all endpoints, all or none. A code."""
        with self._lock:
            done: list[_mf_smem.TransferEndpoint] = []
            for endpoint in self._endpoints.values():
                code = endpoint.register(addresses, capacities)
                if code != 0:
                    for former in done:
                        for address in addresses:
                            former.deregister(address)
                        # Earlier registrations at the same addresses ended with them.
                        if self._regions:
                            former.register(list(self._regions), list(self._regions.values()))
                    return code
                done.append(endpoint)
            for address, capacity in zip(addresses, capacities):
                self._regions[address] = max(capacity, self._regions.get(address, 0))
        return 0

    def deregister(self, address: int) -> int:
        """Takes a registration back at all endpoints; one that is not there is back. A code."""
        with self._lock:
            self._regions.pop(address, None)
            codes = [endpoint.deregister(address) for endpoint in self._endpoints.values()]
        return next((code for code in codes if code not in (0, NOT_EXIST)), 0)

    def malloc(self, size: int) -> int:
        """Memory of zeroes, registered at all endpoints. Its address; 0: a failure."""
        with self._lock:
            owner = self._memory or next(iter(self._endpoints.values()), None)
            address = 0 if owner is None else owner.malloc(size)
            if owner is None or address == 0:
                return 0
            self._memory = owner
            for endpoint in self._endpoints.values():
                if endpoint is not owner:
                    endpoint.register([address], [size])
            self._regions[address] = size
            return address

    def free(self, address: int) -> int:
        """Takes back and frees memory of `malloc`. A code."""
        with self._lock:
            if self._memory is None:
                return failed("transfer: there is no memory of trans_malloc", NOT_EXIST)
            self._regions.pop(address, None)
            for endpoint in self._endpoints.values():
                if endpoint is not self._memory:
                    endpoint.deregister(address)
            return self._memory.free(address)
