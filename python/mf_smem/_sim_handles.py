# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Handles of a simulated rank: pool, store, cache, clock, messages, tasks. Their methods are coroutines."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import Any, Literal, Protocol

from . import _mf_smem
from ._errors import invalid
from ._store import Entry, Value, value_bytes
from ._types import Source

_ATOMICS = ("add", "and", "or", "xor", "swap", "compare_swap", "fetch")
_COMPARISONS = ("==", "!=", ">", ">=", "<", "<=")
_WORD = 1 << 64
# Inside of `Store`, `list` is the method.
_List = list


class Call:
    """An operation of a rank as an awaitable: the driver receives it and sends the value back."""

    __slots__ = ("arguments", "limit", "name", "rank")

    def __init__(self, rank: int, name: str, arguments: tuple[Any, ...], limit: int | None) -> None:
        self.rank, self.name, self.arguments, self.limit = rank, name, arguments, limit

    def __await__(self) -> Generator[Call, Any, Any]:
        return (yield self)


class Driver(Protocol):
    """The run, as far as handles need it."""

    engine: _mf_smem.SimEngine
    ranks: int
    shared: dict[str, Any]

    def spawn(self, rank: int, body: Coroutine[Any, Any, Any]) -> int: ...

    def result(self, task: int) -> Any: ...


def nanoseconds(name: str, seconds: float) -> int:
    if not 0 <= seconds <= 1e9:
        raise invalid(f"{name} must be from 0 to 1e9 seconds, not {seconds}")
    return round(seconds * 1e9)


def _whole(name: str, value: int, bound: int = _WORD) -> int:
    if not 0 <= value < bound:
        raise invalid(f"{name} must be from 0 to {bound - 1}, not {value}")
    return value


class Rank:
    """A rank of a simulated job: the argument of the program."""

    def __init__(self, driver: Driver, number: int) -> None:
        self._driver = driver
        #: Number of this rank, from 0.
        self.number = number

    def _call(self, name: str, *arguments: Any, timeout: float | None = None) -> Call:
        limit = None if timeout is None else nanoseconds("timeout", timeout)
        return Call(self.number, name, arguments, limit)

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return self._driver.ranks

    @property
    def shared(self) -> dict[str, Any]:
        """Dictionary that all ranks of this run share, outside of the simulated job: for checks of properties that no single
        rank sees. Each run begins with an empty one."""
        return self._driver.shared

    @property
    def store(self) -> Store:
        """The config store."""
        return Store(self)

    @property
    def cache(self) -> Cache:
        """The cache."""
        return Cache(self)

    def now(self) -> float:
        """Seconds since the begin of the run, by the clock of this rank."""
        return self._driver.engine.time_of(self.number) / 1e9

    def choose(self, bound: int) -> int:
        """Draws a number below `bound`, 0 for a bound of 0. It is part of the schedule, as every choice is; shrinking makes it 0
        where it can."""
        return self._driver.engine.draw(self.number, _whole("bound", bound, 1 << 32))

    def note(self, text: str) -> None:
        """Writes a line into the trace."""
        self._driver.engine.note(self.number, text)

    def spawn(self, body: Coroutine[Any, Any, Any]) -> Task:
        """Runs a coroutine beside the caller, as a thread of the rank would. It ends at the latest when the program of
        the rank returns."""
        return Task(self, self._driver.spawn(self.number, body))

    async def sleep(self, seconds: float) -> None:
        """Waits for a time of the simulated clock."""
        await self._call("sleep", nanoseconds("seconds", seconds))

    async def pause(self) -> None:
        """Lets others run for the duration of one operation."""
        await self._call("pause")

    async def open_pool(self, nbytes: int) -> Pool:
        """Contributes `nbytes` (1 to 1 GiB) of zeros to the pool and joins it."""
        await self._call("open_pool", _whole("nbytes", nbytes))
        return Pool(self)

    async def barrier(self, name: str = "barrier", *, members: int = 0, timeout: float = 120.0) -> None:
        """Waits until `members` ranks (0: all) are at the barrier of this name. Raises `TimedOutError` for all inside, with the
        missing ranks. **Collective.**"""
        await self._call("meet", name, members, None, timeout=timeout)

    async def notify(self, rank: int, message: Value) -> None:
        """Sends a message; returns when it is in the inbox of `rank`. Messages have no order."""
        await self._call("notify", _whole("rank", rank, 1 << 32), value_bytes(message))

    async def receive(self, timeout: float = 120.0) -> tuple[int, bytes]:
        """Waits for a message; returns its sender and its bytes."""
        message: tuple[int, bytes] = await self._call("receive", timeout=timeout)
        return message

    def __repr__(self) -> str:
        return f"<mf_smem.sim.Rank {self.number} of {self.ranks}>"


class Task:
    """A coroutine of a rank beside its program. Made by `Rank.spawn`."""

    def __init__(self, rank: Rank, task: int) -> None:
        self._rank, self._task = rank, task

    async def join(self) -> Any:
        """Waits until the coroutine has returned, and returns its value."""
        await self._rank._call("join", self._task)
        return self._rank._driver.result(self._task)


class Pool:
    """The pool as one rank sees it. Made by `Rank.open_pool`. Words have 8 bytes without a sign."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank

    def address(self, rank: int | None = None) -> int:
        """Address of the segment of `rank`, one's own by default; the same number in all ranks."""
        return _mf_smem.sim_address(self._rank.number if rank is None else _whole("rank", rank, 1 << 16))

    async def put(self, source: Source, address: int, *, wait: bool = True) -> None:
        """Copies the bytes of `source` to `address`. Every rank sees them when it is done.

        With ``wait=False`` the put is only started: writes become visible in any order, in one or two pieces, until `fence` orders
        or `quiet` completes them. Raises `InvalidParamError`, `NotStartedError`, `NotConnectedError`, which names the rank, and
        `TimedOutError`. A put that failed has no effect later."""
        await self._rank._call("put", _bytes(source), _whole("address", address), None, wait)

    async def put_signal(
        self,
        source: Source | None,
        address: int,
        signal: int,
        value: int = 1,
        *,
        op: Literal["set", "add"] = "set",
        wait: bool = True,
    ) -> None:
        """Copies `source` (None: nothing) to `address`, then changes the word at the address `signal`, of the same rank: a rank
        that observes the signal also observes the data."""
        if op not in ("set", "add"):
            raise invalid(f"op must be one of 'set', 'add', not {op!r}")
        behind = (_whole("signal", signal), _whole("value", value), op == "add")
        source = b"" if source is None else source
        await self._rank._call("put", _bytes(source), _whole("address", address), behind, wait)

    async def read(self, address: int, nbytes: int) -> bytes:
        """`nbytes` bytes at `address`. A concurrent write may be seen in part."""
        read: bytes = await self._rank._call("read", _whole("address", address), _whole("nbytes", nbytes))
        return read

    async def atomic(self, address: int, op: str, value: int = 0, *, compare: int = 0) -> int:
        """Changes the word at `address` and returns its old value. `op`: ``"add"``, ``"and"``, ``"or"``, ``"xor"``, ``"swap"``,
        ``"compare_swap"`` (becomes `value` where it equals `compare`), ``"fetch"``. Not ordered with started puts but by `fence`."""
        if op not in _ATOMICS:
            raise invalid(f"op must be one of {', '.join(map(repr, _ATOMICS))}, not {op!r}")
        numbers = _whole("value", value), _whole("compare", compare)
        old: int = await self._rank._call("atomic", _whole("address", address), op, *numbers)
        return old

    async def wait_signal(self, address: int, value: int, *, compare: str = ">=", timeout: float = 120.0) -> int:
        """Waits until the word at `address` compares so with `value`, and returns it. Raises `TimedOutError`, with the word."""
        if compare not in _COMPARISONS:
            raise invalid(f"compare must be one of {', '.join(_COMPARISONS)}, not {compare!r}")
        call = self._rank._call("wait_word", _whole("address", address), compare, _whole("value", value), timeout=timeout)
        word: int = await call
        return word

    async def fence(self) -> None:
        """Orders the writes of this rank: at each target, those before are visible before those after. Does not wait."""
        await self._rank._call("fence")

    async def quiet(self) -> None:
        """Waits until all started puts of this rank are visible; raises the first error of one."""
        await self._rank._call("quiet")

    async def wait(self) -> None:
        """The same as `quiet`, by the name that it has for a pool."""
        await self.quiet()

    async def leave(self) -> None:
        """Leaves the pool; the memory is given back."""
        await self._rank._call("close_pool")


class Store:
    """The config store as one rank sees it. It never dies; the store ends the session of a rank that it cannot reach."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank

    async def set(self, key: str, value: Value, *, lease: Lease | None = None, session: bool = False) -> int:
        """Sets `key`; returns the revision. With a `lease` it goes when that ends, with `session` when this rank's session ends."""
        revision: int = await self._rank._call("set", key, value_bytes(value), session, None if lease is None else lease.id)
        return revision

    async def get(self, key: str, timeout: float = 300.0) -> bytes:
        """The value of `key`, which is waited for."""
        return Entry(*await self._rank._call("wait", key, timeout=timeout)).value

    async def entry(self, key: str) -> Entry | None:
        """The key with revision and owner, or None at once."""
        entry = await self._rank._call("entry", key)
        return None if entry is None else Entry(*entry)

    async def add(self, key: str, amount: int) -> int:
        """Adds to the number under `key`, 0 when missing, and returns the sum. Atomic."""
        total: int = await self._rank._call("add", key, amount)
        return total

    async def append(self, key: str, value: Value) -> int:
        """Appends to the value of `key`; returns its new length. Atomic."""
        length: int = await self._rank._call("append", key, value_bytes(value))
        return length

    async def compare_and_swap(
        self, key: str, expected: Value | None, value: Value, *, lease: Lease | None = None, session: bool = False
    ) -> tuple[bool, Entry | None]:
        """Sets `key` if it holds `expected` (None: if it is absent). Returns whether it did, and the entry after the call."""
        old, number = None if expected is None else value_bytes(expected), None if lease is None else lease.id
        swapped, entry = await self._rank._call("compare_and_swap", key, old, value_bytes(value), session, number)
        return swapped, None if entry is None else Entry(*entry)

    async def delete_key(self, key: str) -> bool:
        """Deletes `key`; False if it did not exist."""
        existed: bool = await self._rank._call("delete", key)
        return existed

    async def list(self, prefix: str = "") -> _List[Entry]:
        """The entries with `prefix`, ordered by key."""
        return [Entry(*entry) for entry in await self._rank._call("list", prefix)]

    async def lease(self, ttl: float) -> Lease:
        """A lease that ends `ttl` seconds after its last renewal, by the clock of the store. Nothing renews it by itself."""
        return Lease(self._rank, await self._rank._call("grant_lease", nanoseconds("ttl", ttl)))

    def lock(self, name: str, timeout: float = 300.0) -> Lock:
        """A lock of the whole job: ``async with store.lock("x") as fencing: ...``. Nothing is taken before that."""
        return Lock(self._rank, name, timeout)

    async def barrier(self, name: str = "barrier", members: int = 0, timeout: float = 300.0) -> None:
        """Waits until `members` ranks (0: all) are here. **Collective.**"""
        await self._rank.barrier(name, members=members, timeout=timeout)

    async def allgather(
        self, value: Value, name: str = "allgather", members: int = 0, timeout: float = 300.0
    ) -> _List[bytes]:
        """The values that all members gave, ordered by rank. **Collective.**"""
        parts: list[bytes] = await self._rank._call("meet", name, members, value_bytes(value), timeout=timeout)
        return parts

    async def members(self) -> _List[int]:
        """The ranks that the store believes alive."""
        ranks: list[int] = await self._rank._call("members")
        return ranks


class Lease:
    """A lease of the store. Made by `Store.lease`."""

    def __init__(self, rank: Rank, id: int) -> None:
        self._rank = rank
        #: Number of the lease.
        self.id = id

    async def renew(self) -> None:
        """Begins its time anew. Raises `NotExistError` if it has ended."""
        await self._rank._call("renew_lease", self.id)

    async def revoke(self) -> bool:
        """Ends it; its keys are removed. False if it had ended."""
        existed: bool = await self._rank._call("revoke_lease", self.id)
        return existed


class Lock:
    """A lock of the whole job, in order of arrival; it ends with the session. Made by `Store.lock`."""

    def __init__(self, rank: Rank, name: str, timeout: float) -> None:
        self._rank, self._name, self._timeout = rank, name, timeout

    async def acquire(self) -> int:
        """Waits for the lock; returns its fencing number, higher than every earlier holder's."""
        number: int = await self._rank._call("lock", self._name, True, timeout=self._timeout)
        return number

    async def try_acquire(self) -> int | None:
        """Takes the lock if it is free; None at once if another rank holds it."""
        number: int | None = await self._rank._call("lock", self._name, False)
        return number

    async def release(self) -> None:
        """Gives the lock back."""
        await self._rank._call("unlock", self._name)

    async def __aenter__(self) -> int:
        return await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        await self.release()


class Cache:
    """The cache as one rank sees it. A value is in the memory of the rank that put it, and goes with it."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank

    async def put(self, key: Value, value: Value) -> None:
        """Sets the value of `key`."""
        await self._rank._call("cache_put", value_bytes(key), value_bytes(value))

    async def get(self, key: Value) -> bytes | None:
        """A copy of the value, or None."""
        value: bytes | None = await self._rank._call("cache_get", value_bytes(key))
        return value

    async def remove(self, key: Value, *, unless_leased: bool = False) -> bool:
        """Removes the value; returns whether there was one. The bytes of a leased value stay until its lease ends; with
        `unless_leased` it raises `InUseError` instead."""
        existed: bool = await self._rank._call("cache_remove", value_bytes(key), unless_leased)
        return existed

    async def lease(self, key: Value, seconds: float) -> CacheLease | None:
        """Keeps the value where it is for so many seconds. None where there is no value."""
        leased = await self._rank._call("cache_lease", value_bytes(key), nanoseconds("seconds", seconds))
        return None if leased is None else CacheLease(self._rank, *leased)


class CacheLease:
    """A value that stays where it is for a while. Made by `Cache.lease`."""

    def __init__(self, rank: Rank, block: int, nbytes: int, until: int) -> None:
        self._rank, self._block, self._until = rank, block, until
        #: Length of the value in bytes.
        self.nbytes = nbytes

    @property
    def is_valid(self) -> bool:
        """True while the lease is running, by the clock of this rank."""
        return self._rank._driver.engine.time_of(self._rank.number) < self._until

    @property
    def seconds_left(self) -> float:
        """Remaining time of the lease; 0 when it is over."""
        return max(0, self._until - self._rank._driver.engine.time_of(self._rank.number)) / 1e9

    async def read(self) -> bytes:
        """The bytes in place. After the end of the lease the memory may hold another value: then they are 0xDD."""
        read: bytes = await self._rank._call("read_leased", self._block)
        return read


def _bytes(source: Any) -> bytes:
    return source if isinstance(source, bytes) else memoryview(source).tobytes()
