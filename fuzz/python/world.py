# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stores, ports and endpoints that transfer engines find instead of the library's: in one thread, without a socket.

The engines are those of ``python/mf_smem``; each is alone in its process. `WORLD` is their only view of each other.
"""

from __future__ import annotations

import pathlib
import sys
import types
import weakref
from collections.abc import Callable, Sequence

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python" / "mf_smem"

INVALID, NO_RESOURCES, DUPLICATED, NOT_EXIST, NOT_INIT, NOT_CONNECTED = -2000, -2002, -2006, -2007, -2008, -2014

Down = Callable[[str], None]


class Process:
    """Private state of an engine."""

    def __init__(self) -> None:
        self.code, self.text, self.is_alive = 0, "", True
        self.stores: list[Store] = []
        #: An endpoint ends with its last user, so nothing here is one.
        self.endpoints: weakref.WeakSet[Endpoint] = weakref.WeakSet()

    def fails(self, code: int, text: str = "as the world says") -> int:
        self.code, self.text = code, text
        return code

    def die(self) -> None:
        """It is killed."""
        self.is_alive = False
        for endpoint in list(self.endpoints):
            endpoint.end()
        for store in list(self.stores):
            store.end()


class Store:
    """A store at an address, as long as it is there."""

    def __init__(self, url: str, owner: Process | None = None) -> None:
        self.url, self.owner, self.is_alive = url, owner, True
        self.names: weakref.WeakValueDictionary[str, Endpoint] = weakref.WeakValueDictionary()
        WORLD.stores[url] = self
        if owner is not None:
            owner.stores.append(self)

    def end(self) -> None:
        self.is_alive = False
        del WORLD.stores[self.url]
        if self.owner is not None:
            self.owner.stores.remove(self)


class World:
    """All of it. `process` belongs to the engine that is called now."""

    def __init__(self) -> None:
        self.process = Process()
        self.stores: dict[str, Store] = {}
        #: Addresses where something else listens.
        self.others: set[str] = set()
        #: Pending reports of lost engines.
        self.pending: list[tuple[Process, Down, str]] = []
        #: Counted since they were set to 0.
        self.copies = self.joins = 0
        self.reached: Endpoint | None = None
        #: So many registrations go well before one does not; None: all do.
        self.refuse_in: int | None = None

    def answers(self, url: str) -> bool:
        return not url.startswith("tcp://") or url in self.stores or url in self.others

    def free_port(self, host: str, ports: range) -> int:
        return next((port for port in ports[:8] if not self.answers(f"tcp://{host}:{port}")), 0)


WORLD = World()
#: The exception of the package, when `load` has loaded it.
Failure: type[Exception] = RuntimeError


class Endpoint:
    """``TransferEndpoint`` of the extension."""

    def __init__(self, url: str, name: str, role: int, device: int, data_op_type: int, nic: str, timeout_s: int) -> None:
        del role, device, data_op_type, nic, timeout_s
        self.is_alive, self.process, self.name = False, WORLD.process, name
        self.regions: dict[int, set[int]] = {}
        self.known: weakref.WeakValueDictionary[str, Endpoint] = weakref.WeakValueDictionary()
        self.down: Down | None = None
        WORLD.joins += 1
        store = WORLD.stores.get(url)
        if store is None or name in store.names or not self.process.is_alive:
            code = NOT_CONNECTED if store is None else DUPLICATED
            raise Failure(self.process.fails(code), "as the world says")
        self.is_alive, self.store = True, store
        store.names[name] = self
        self.process.endpoints.add(self)

    def __del__(self) -> None:
        self.destroy()

    def destroy(self) -> None:
        if self.process.is_alive:
            self.end()

    def end(self) -> None:
        if not self.is_alive:
            return
        self.is_alive = False
        self.process.endpoints.discard(self)
        self.store.names.pop(self.name, None)
        for other in [*self.store.names.values(), *everybody()]:
            is_concerned = self.store.is_alive and other.store is self.store or other.known.get(self.name) is self
            if other.down is not None and is_concerned:
                WORLD.pending.append((other.process, other.down, self.name))

    def set_peer_down(self, callback: Down | None) -> int:
        self.down = callback
        return 0

    # ---- memory ----

    def register(self, addresses: Sequence[int], capacities: Sequence[int]) -> int:
        if WORLD.refuse_in is not None:
            WORLD.refuse_in -= 1
            if WORLD.refuse_in < 0:
                WORLD.refuse_in = None
                return self.process.fails(NO_RESOURCES)
        if not self.is_alive:
            return self.process.fails(INVALID)
        for address, capacity in zip(addresses, capacities):
            self.regions.setdefault(address, set()).add(capacity)
        return 0

    def deregister(self, address: int) -> int:
        return 0 if self.regions.pop(address, None) else self.process.fails(NOT_EXIST)

    def malloc(self, size: int) -> int:
        if size <= 0 or not self.is_alive:
            self.process.fails(INVALID)
            return 0
        address = 0x10_0000 + 0x1000 * len(self.regions)
        while address in self.regions:
            address += 0x1000
        self.regions[address] = {size}
        return address

    def free(self, address: int) -> int:
        self.regions.pop(address, None)
        return 0

    # ---- others ----

    def find(self, name: str) -> Endpoint | None:
        """The endpoint of a name, as a transfer finds it."""
        known = self.known.get(name)
        if known is not None and known.is_alive:
            return known
        return self.store.names.get(name) if self.store.is_alive else None

    def copy(self, name: str, local: int, remote: int, size: int, is_write: bool) -> int:
        del local, is_write
        WORLD.copies += 1
        if not self.is_alive:
            return self.process.fails(INVALID)
        found = self.find(name)
        if found is None:
            return self.process.fails(NOT_CONNECTED)
        self.known[name] = WORLD.reached = found
        is_there = any(at <= remote and remote + size <= at + max(sizes) for at, sizes in found.regions.items())
        return 0 if is_there else self.process.fails(INVALID)


def everybody() -> list[Endpoint]:
    """All endpoints that are there."""
    return [endpoint for store in WORLD.stores.values() for endpoint in store.names.values()]


def _create_config_store(url: str) -> int:
    if url in WORLD.stores:
        return 0 if WORLD.stores[url].owner is WORLD.process else WORLD.process.fails(-2009)
    if url in WORLD.others:
        return WORLD.process.fails(-2009)
    Store(url, WORLD.process)
    return 0


def _destroy_config_store(url: str) -> int:
    store = WORLD.stores.get(url)
    if store is None or store.owner is not WORLD.process:
        return WORLD.process.fails(NOT_EXIST)
    store.end()
    return 0


def _find(endpoint: Endpoint, name: str) -> int:
    WORLD.copies += 1
    found = endpoint.find(name) if endpoint.is_alive else None
    if found is None:
        return WORLD.process.fails(NOT_CONNECTED)
    endpoint.known[name] = WORLD.reached = found
    return 0


def load() -> types.ModuleType:
    """The module of the engines, over this world."""
    extension = types.ModuleType("mf_smem._mf_smem")
    vars(extension).update(
        TransferEndpoint=Endpoint,
        create_config_store=_create_config_store,
        destroy_config_store=_destroy_config_store,
        last_error_code=lambda: WORLD.process.code,
        get_last_err_msg=lambda: WORLD.process.text,
        leave_error=lambda code, text: WORLD.process.fails(code, text),
        tls_is_chosen=lambda: True,
        settings_json=lambda: "[]",
        transfer_find=_find,
    )
    package = types.ModuleType("mf_smem")
    package.__path__ = [str(SOURCES)]
    vars(package)["_mf_smem"] = extension
    sys.modules.update({"mf_smem": package, "mf_smem._mf_smem": extension})
    from mf_smem import _errors, transfer

    global Failure
    Failure = _errors.Error
    vars(transfer).update(
        answers=lambda url: WORLD.answers(url), free_port=lambda host, ports: WORLD.free_port(host, ports), bound=_Bound
    )
    return transfer


class _Bound:
    """A socket at a free port."""

    def __init__(self, ports: range) -> None:
        self.port = ports[0]

    def getsockname(self) -> tuple[str, int]:
        return "", self.port

    def close(self) -> None:
        pass
