# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfer engines meet: `TransferEngine` of the package in a world of stores, names and ports, in any order of events.

Engines begin, end, die and come back; stores, too, and something else listens at their addresses. Whom an engine can reach by the
rules, a transfer reaches; it reaches that one and no other, asks no store twice, and what ends leaves nothing.
"""

from __future__ import annotations

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import world
from world import INVALID, NOT_CONNECTED, NOT_INIT, SOURCES, WORLD, Endpoint, Process, Store

TRANSFER = world.load()
COVERED = SOURCES

from mf_smem._errors import Error  # noqa: E402
from mf_smem._meeting import Session, named_stores, session  # noqa: E402

#: The last two share an address.
HOSTS = ["10.0.0.1", "10.0.0.2", "fe80::3", "10.0.0.1"]
SHARED = ["tcp://10.0.0.98:5570", "tcp://10.0.0.99:5570"]
STORES = [None, "", SHARED[0], SHARED[1][6:], ",".join(SHARED), "tcp://10.0.0.1:9000", "tcp://10.0.0.2", "etcd://10.0.0.9:1/x"]
ADDRESSES = [0x1000 * number for number in range(1, 5)]


class Input:
    """Numbers out of the bytes of an input; zeros behind its end."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def byte(self) -> int:
        first, self.rest = self.rest[:1], self.rest[1:]
        return first[0] if first else 0

    def text(self) -> str:
        count = self.byte() % 32
        text, self.rest = self.rest[:count], self.rest[count:]
        return text.decode("latin-1")


class Member:
    """An engine, and its expected state."""

    def __init__(self, number: int) -> None:
        self.host = HOSTS[number]
        self.begin()

    def begin(self) -> None:
        """In a new process."""
        self.process = Process()
        self.engine = TRANSFER.TransferEngine()
        self.regions: dict[int, int] = {}
        self.allocated: set[int] = set()

    @property
    def own(self) -> Session | None:
        own: Session | None = self.engine._session
        return own

    def endpoint(self, url: str) -> Endpoint | None:
        known: Endpoint | None = self.engine._endpoints.known(url)
        return known


class Events:
    """An order of events."""

    def __init__(self, data: bytes) -> None:
        WORLD.__init__()  # type: ignore[misc]
        self.input = Input(data)
        self.members = [Member(number) for number in range(len(HOSTS))]

    def run(self) -> None:
        for _ in range(64):
            if not self.input.rest:
                break
            self.step()
            self.check()
        for member in self.members:
            self.end(member)
        assert not [endpoint for endpoint in world.everybody()], "an engine has left a name"
        assert not [store for store in WORLD.stores.values() if store.owner], "an engine has left a store"

    def step(self) -> None:
        member, kind = self.members[self.input.byte() % len(HOSTS)], self.input.byte() % 16
        WORLD.process, WORLD.copies, WORLD.joins = member.process, 0, 0
        if kind <= 2:
            self.initialize(member)
        elif kind == 3:
            self.end(member)
        elif kind == 4:
            member.process.die()
            member.begin()
        elif kind == 5:
            url = SHARED[self.input.byte() % 2]
            WORLD.stores[url].end() if url in WORLD.stores else Store(url)
        elif kind == 6:
            self.register(member)
        elif kind == 7:
            self.memory(member)
        elif kind == 8:
            self.deliver()
        elif kind == 9:
            url = f"tcp://{HOSTS[self.input.byte() % 2]}:9000"
            if url in WORLD.others:
                WORLD.others.remove(url)
            elif url not in WORLD.stores:
                WORLD.others.add(url)
        elif kind == 10:
            port = member.engine.get_rpc_port()
            assert port == (member.own.port if member.own else port) != 0
        else:
            self.transfer(member)

    def name(self, host: str) -> str:
        """A session, as callers write it."""
        bracketed = f"[{host}]" if ":" in host else host
        kind = self.input.byte() % 8
        return [f"{bracketed}:9000", f"{bracketed}:9000", f" {bracketed}:9000_4711 ", bracketed, f"{bracketed}:0",
                f"{bracketed}:9001", self.input.text() if kind == 6 else host, f"{bracketed}:9000"][kind]

    # ---- begin and end ----

    def initialize(self, member: Member) -> None:
        text, url = self.name(member.host), STORES[self.input.byte() % len(STORES)]
        if self.input.byte() % 8 == 7:
            url = self.input.text()
        kind = self.input.byte()
        role, server_role = ["Prefill", "Decode", "Other"][kind % 8 // 3], ["Prefill", "Decode"][kind // 8 % 2]
        before = member.own
        code = member.engine.initialize(url, text, role, -1, store_server_role=server_role)
        assert code <= 0 and (code == 0) == (member.own is not None) or before is not None
        if before is not None:
            assert member.own == before, "an engine has another name"
            return
        if member.own is None:
            assert member.process.text, "a failure without a text"
            assert not member.process.endpoints and not member.process.stores, "a failure has left something"
            return
        named = session(text)
        assert member.own.host == named.host and member.own.port in (named.port or member.own.port, member.own.port)
        stores = [at for at in named_stores(url, member.own) if WORLD.answers(at)]
        assert member.engine._plan.shared == (stores[0] if stores else None)
        if stores:
            assert member.endpoint(stores[0]) is not None, "it is not at the store where all meet"
        else:
            assert role != server_role or self.serves(member), "nobody can reach it"

    def serves(self, member: Member) -> bool:
        return member.own is not None and any(store.url == member.own.url for store in member.process.stores)

    def end(self, member: Member) -> None:
        WORLD.process = member.process
        member.engine.destroy()
        member.engine.destroy()
        assert member.own is None and not member.process.endpoints and not member.process.stores
        member.regions, member.allocated = {}, set()

    def deliver(self) -> None:
        pending, WORLD.pending = WORLD.pending, []
        for process, down, name in pending:
            if process.is_alive:
                WORLD.process = process
                down(name)

    # ---- memory ----

    def register(self, member: Member) -> None:
        count, first = self.input.byte() % 4, self.input.byte()
        addresses = [ADDRESSES[(first + place) % len(ADDRESSES)] for place in range(count)]
        capacities = [self.input.byte() for _ in range(count)]
        if first % 8 == 0:
            WORLD.refuse_in = self.input.byte() % 3
        code = member.engine.batch_register_memory(addresses, capacities)
        WORLD.refuse_in = None
        if code == 0:
            for address, capacity in zip(addresses, capacities):
                member.regions[address] = max(capacity, member.regions.get(address, 0))

    def memory(self, member: Member) -> None:
        kind, size = self.input.byte() % 4, self.input.byte()
        if kind == 0:
            address = member.engine.trans_malloc(size)
            if address != 0:
                assert size > 0 and address not in member.regions
                member.regions[address] = size
                member.allocated.add(address)
        elif kind == 1 and member.allocated:
            address = member.allocated.pop()
            assert member.engine.trans_free(address) == 0
            member.regions.pop(address, None)
        else:
            address = ADDRESSES[size % len(ADDRESSES)]
            code = member.engine.unregister_memory(address)
            assert code == (0 if member.own else -1)
            if code == 0:
                member.regions.pop(address, None)

    # ---- transfers ----

    def transfer(self, member: Member) -> None:
        other = self.members[self.input.byte() % len(HOSTS)]
        text = str(other.own) if other.own and self.input.byte() % 4 else self.name(other.host)
        kind, remote = self.input.byte(), ADDRESSES[self.input.byte() % len(ADDRESSES)]
        expected = self.expected(member, text)
        WORLD.copies = WORLD.joins = 0
        WORLD.reached = None
        if kind % 4 == 0:
            code = 0
            try:
                member.engine._found(text)
            except Error as error:
                code = error.code
        elif kind % 4 == 1:
            code = member.engine.transfer_sync_read(text, 1, remote, 1 + kind)
        else:
            code = member.engine.transfer_sync_write(text, 1, remote, 1 + kind)
        assert WORLD.copies <= 4 and WORLD.joins <= 1, "a transfer asks again and again"
        if expected:
            assert code in expected, f"{code} is none of {expected}"
            return
        reached, WORLD.reached = WORLD.reached, None
        assert reached is not None and reached.is_alive, f"{code}: a destination that is there is not reached"
        named = session(text)
        assert reached.name == str(named) and reached.process.is_alive
        owner = next(other for other in self.members if other.process is reached.process)
        assert owner.own == named, "another one has been reached"
        is_there = any(at <= remote and remote + 1 + kind <= at + size for at, size in owner.regions.items())
        assert code == (0 if kind % 4 == 0 or is_there else INVALID)
        # At a store of either of them, or where both meet, the other one finds this one, too.
        meets = [owner.engine._plan.shared, str(named.url), member.own and member.own.url]
        if reached.store.is_alive and reached.store.url in meets:
            assert not self.expected(owner, str(member.own)), "only one of two reaches the other"

    def expected(self, member: Member, text: str) -> list[int]:
        """The codes of failures that the rules allow; none: the destination is there for this engine."""
        try:
            named = session(text)
        except ValueError:
            return [INVALID]
        own = member.own
        if named.port == 0:
            # It names no engine; the order of the checks is open.
            return [INVALID, NOT_INIT, NOT_CONNECTED]
        if own is None:
            return [NOT_INIT]
        name = str(named)
        cached = member.engine._reached.get(text)
        if cached is not None and cached[1].find(cached[0]) is not None:
            return []
        shared = member.engine._plan.shared
        urls = [url for url in (shared, own.url if self.serves(member) else None) if url is not None]
        urls += [named.url] if named != own else []
        for url in urls:
            known, store = member.endpoint(url), WORLD.stores.get(url)
            if known is not None and known.find(name) is not None:
                return []
            # It may visit the store of the destination, under its own name.
            is_there = store is not None and name in store.names and str(own) not in store.names
            if url == named.url and named != own and is_there:
                return []
        return [NOT_CONNECTED]

    def check(self) -> None:
        """Invariants between any two events."""
        for member in self.members:
            endpoints = member.engine._endpoints._endpoints
            for url, endpoint in endpoints.items():
                assert endpoint.is_alive and endpoint.store.url == url and endpoint.name == str(member.own)
                registered = {at: max(sizes) for at, sizes in endpoint.regions.items()}
                assert registered == member.regions, f"{registered} at {url}, and not {member.regions}"
            # Unused ones are at most kept by the endpoints that they reached.
            kept = {id(endpoint) for _, endpoint in member.engine._reached.values()}
            kept.add(id(member.engine._endpoints._memory))
            for endpoint in member.process.endpoints:
                assert endpoint in endpoints.values() or id(endpoint) in kept, "an endpoint is left over"


def test_one_input(data: bytes) -> None:
    """An order of events."""
    Events(data).run()
