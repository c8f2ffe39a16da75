# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The config store as an object: keys, watches, locks, leases and meetings of the members of a job."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import numbers
import queue
import re
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any

from . import _mf_smem
from ._errors import Error, ErrorKind, NotConnectedError, NotExistError, TimedOutError, error_from_code, invalid
from ._job import _url, setting
from ._tls import TlsOption
from ._unique import Unique

__all__ = ["Change", "ChangeKind", "Entry", "Lease", "Lock", "Member", "MemberChange", "Store", "StoreServer", "Watch"]

_ANY, _PREFER, _EXACTLY, _GUEST = 0, 1, 2, 3
_PERMANENT, _SESSION, _LEASE = 0, 1, 2
_START, _DYNAMIC = 1, 2
_LONGEST_MS = 0xFFFF_FFFF

#: A time: seconds, or a timedelta.
Seconds = float | timedelta
#: A value; texts are encoded as UTF-8.
Value = bytes | bytearray | memoryview | str
# Inside the class, `list` is the method.
_List = list


class ChangeKind(enum.IntEnum):
    """Kind of a change of a key or a member."""

    PUT = 0
    DELETED = 1
    #: The member that the key lived with left; a member left.
    LEFT = 2
    #: The member that the key lived with was lost; a member was lost.
    LOST = 3
    #: The lease of the key ended.
    EXPIRED = 4
    #: A member came.
    JOINED = 5
    #: The store is gone for good.
    STORE_LOST = 6


@dataclasses.dataclass(frozen=True)
class Entry:
    """A key with its value."""

    key: str
    value: bytes
    #: The store's counter of changes when the value was set.
    revision: int
    #: Rank of the member that the key lives with, or None.
    owner: int | None


@dataclasses.dataclass(frozen=True)
class Change:
    """Event of a watch. `value` is empty unless `kind` is PUT."""

    kind: ChangeKind
    key: str
    value: bytes
    revision: int
    owner: int | None


@dataclasses.dataclass(frozen=True)
class Member:
    """A member of the job as the others see it."""

    rank: int
    host: str
    pid: int
    device: int
    #: Number of its membership, never used again in the job.
    session: int


@dataclasses.dataclass(frozen=True)
class MemberChange:
    """A member joined (JOINED), left (LEFT) or was lost (LOST)."""

    kind: ChangeKind
    member: Member
    #: Grows with every change of the membership.
    epoch: int


class Store(Unique):
    """A membership in a config store, or a guest of it.

    The methods that torch's ``Store`` has mean the same here; `mf_smem.torch_store` makes a ``torch.distributed.Store``
    of it. Keys are text, values bytes; texts given as values are encoded as UTF-8. Times are seconds or `timedelta`.
    All methods may be called from any thread and let other Python threads run while they wait.

    A store that dies comes back in another process of the job, and members resume there: calls wait for that within
    their timeout. Every failure is a subclass of `mf_smem.Error`, which is a ``RuntimeError``.
    """

    def __init__(
        self,
        host_name: str,
        port: int | None = None,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: Seconds = timedelta(seconds=300),
        *,
        rank: int | None = None,
        device_id: int = 0,
        secret: str | bytes | None = None,
        tls: bool | str | TlsOption | None = None,
        connect_timeout: Seconds | None = None,
    ) -> None:
        """Connects, as `host_name` says: a URL (``tcp://host:port``, ``tcp://host:port,host:port``, ``etcd://host:port/prefix``,
        ``reg://ip:port``) without `port`, or a host and a `port`.

        With a `world_size` this process becomes a member: with the `rank`, or with one that the store picks. Without,
        it is a guest, which may do everything but meet, lock, and own keys. `is_master` starts the store in this
        process. `timeout` bounds the connecting, unless `connect_timeout` does, and is the default of all waits.

        `secret` is the job's secret, instead of MF_JOB_SECRET. `tls` False chooses plaintext; a text or a `TlsOption`
        names certificates (see `set_conf_store_tls`); True insists on encryption, None is as the settings say.
        """
        url = host_name if port is None else _url(host_name, port)
        if port is not None and not 1 <= port <= 65535:
            raise invalid(f"store: the port must be from 1 to 65535, not {port}")
        if "://" not in url:
            shown = re.sub(".*@", "***@", url)
            raise invalid(f"store: {shown!r} is a host without a port; pass port=, or a URL such as tcp://{shown}:29500")
        if world_size is None and rank is not None:
            raise invalid("store: a rank needs a world_size; without both this process is a guest")
        self._url = url
        self._timeout_ms = _milliseconds(timeout)
        connect_ms = self._timeout_ms if connect_timeout is None else _milliseconds(connect_timeout)
        # A guest is no member, so it has no store in its name: the store is made by hand, for a world of any
        # size.
        self._server = StoreServer(url) if is_master and world_size is None else None
        text, plaintext = _tls_options(tls, secret)
        self._torch: Any = None
        self._watches: weakref.WeakSet[Watch] = weakref.WeakSet()
        self._watches_lock = threading.Lock()
        try:
            self._session = _mf_smem.StoreSession(
                url,
                world_size or 0,
                _GUEST if world_size is None else _ANY if rank is None else _EXACTLY,
                rank or 0,
                device_id,
                _START if is_master and world_size is not None else 0,
                max(connect_ms, 1),
                max(self._timeout_ms, 1),
                secret.encode() if isinstance(secret, str) else secret,
                text,
                plaintext,
            )
        except BaseException:
            if self._server is not None:
                self._server.close()
            raise

    @staticmethod
    def serve(url: str) -> StoreServer:
        """Starts a store at `url` in this process, which is no member of it: ``with Store.serve(url): ...``."""
        return StoreServer(url)

    # ---- identity and address ----

    @property
    def url(self) -> str:
        """The URL that this store was opened with."""
        return self._url

    @property
    def rank(self) -> int | None:
        """One's own rank; None for a guest."""
        return self._session.member()[0]

    @property
    def world_size(self) -> int:
        """Number of ranks of the job; 0 for the guest of a store that does not know it yet."""
        return self._session.member()[1]

    @property
    def session(self) -> int:
        """Number of this membership, never used again in the job."""
        return self._session.member()[2]

    @property
    def term(self) -> int:
        """Grows whenever another process takes over the store."""
        return self._session.member()[3]

    @property
    def is_connected(self) -> bool:
        """True if the connection is up at this moment."""
        return not self.closed and self._session.member()[4]

    @property
    def is_leader(self) -> bool:
        """True if the store runs in this process."""
        return self._session.member()[5]

    @property
    def leader(self) -> str:
        """Address of the store, for people."""
        return self._session.leader()[1]

    def members(self) -> _List[Member]:
        """The members now, ordered by rank."""
        return [Member(*peer) for peer in self._session.members()[1]]

    @property
    def epoch(self) -> int:
        """Number of the membership view; grows with every change."""
        return self._session.members()[0]

    # ---- what torch's Store has ----

    @property
    def timeout(self) -> timedelta:
        """Default of all waits."""
        return timedelta(milliseconds=self._timeout_ms)

    def set_timeout(self, timeout: Seconds) -> None:
        """Sets the default of all waits."""
        self._timeout_ms = _milliseconds(timeout)

    def set(self, key: str, value: Value, *, lease: Lease | None = None, session: bool = False) -> int:
        """Sets `key`; returns the revision of the change. With a `lease` it goes when that ends, with `session` when this
        process leaves or dies."""
        kind = _LEASE if lease is not None else _SESSION if session else _PERMANENT
        return self._session.set(key, value_bytes(value), kind, 0 if lease is None else lease.id)

    def get(self, key: str, timeout: Seconds | None = None) -> bytes:
        """The value of `key`, which is waited for."""
        return self._session.get(key, self._ms(timeout))[1]

    def add(self, key: str, amount: int) -> int:
        """Adds `amount` to the number under `key`, 0 when missing, and returns the sum. Atomic."""
        return self._session.add(key, amount)

    def compare_set(self, key: str, expected_value: Value, desired_value: Value) -> bytes:
        """Sets `key` to `desired_value` if it holds `expected_value`, or if that is empty and the key does not
        exist. Returns the resulting value of the key; `expected_value` if the key does not exist. Atomic."""
        expected, desired = value_bytes(expected_value), value_bytes(desired_value)
        swapped, current = False, None
        if not expected:
            swapped, current = self._session.compare_and_swap(key, None, desired)
        if expected or (current is not None and not swapped and not current[1]):
            swapped, current = self._session.compare_and_swap(key, expected, desired)
        return desired if swapped else expected if current is None else current[1]

    def wait(self, keys: Sequence[str], timeout: Seconds | None = None) -> None:
        """Waits until all `keys` exist."""
        self._session.wait(_keys(keys), self._ms(timeout))

    def check(self, keys: Sequence[str]) -> bool:
        """True if all `keys` exist now."""
        return all(self.entry(key) is not None for key in _keys(keys))

    def num_keys(self) -> int:
        """Number of keys in the store, without the library's own."""
        return len(self._session.list("", None, 0))

    def delete_key(self, key: str) -> bool:
        """Deletes `key`; False if it did not exist."""
        return self._session.delete(key)

    def append(self, key: str, value: Value) -> int:
        """Appends to the value of `key`, which is made when missing; returns its new length. Atomic."""
        return self._session.append(key, value_bytes(value))

    def multi_get(self, keys: Sequence[str]) -> _List[bytes]:
        """The values of `keys`, which are waited for."""
        return [self.get(key) for key in _keys(keys)]

    def multi_set(self, keys: Sequence[str], values: Sequence[Value]) -> None:
        """Sets each of `keys` to the value at its place."""
        if len(keys) != len(values):
            raise invalid(f"store: {len(keys)} keys and {len(values)} values")
        for key, value in zip(_keys(keys), values):
            self.set(key, value)

    def has_extended_api(self) -> bool:
        """True: `append`, `multi_get` and `multi_set` are supported."""
        return True

    # ---- more about keys ----

    def entry(self, key: str) -> Entry | None:
        """The key with revision and owner, or None at once if it does not exist."""
        try:
            return Entry(*self._session.get(key, 0))
        except NotExistError:
            return None

    def compare_and_swap(
        self, key: str, expected: Value | None, value: Value, *, lease: Lease | None = None, session: bool = False
    ) -> tuple[bool, Entry | None]:
        """Sets `key` to `value` if it holds `expected` (None: if it is absent). Returns whether it did, and the entry after
        the call. Atomic."""
        kind = _LEASE if lease is not None else _SESSION if session else _PERMANENT
        old = None if expected is None else value_bytes(expected)
        number = 0 if lease is None else lease.id
        swapped, current = self._session.compare_and_swap(key, old, value_bytes(value), kind, number)
        return swapped, None if current is None else Entry(*current)

    def list(self, prefix: str = "", *, after: str | None = None, limit: int = 0) -> _List[Entry]:
        """The entries with `prefix` whose key sorts after `after`, ordered by key; at most `limit`, 0 for all."""
        return [Entry(*entry) for entry in self._session.list(prefix, after, limit)]

    def watch(
        self, prefix: str, callback: Callable[[Change], object] | None = None, *, exact: bool = False
    ) -> Watch:
        """Reports every later change of keys that start with `prefix`, or of that key alone (`exact`).

        With a `callback`, it is called on a thread of the library; every method of this store but `Watch.close` and
        `close` fails there at once. Without, the watch is an iterator: ``for change in store.watch("a/"): ...``.
        """
        return self._watched(Watch(self._session, prefix, callback, exact))

    def watch_members(self, callback: Callable[[MemberChange], object]) -> Watch:
        """Has `callback` called, on a thread of the library, for every later change of the membership."""
        return self._watched(Watch(self._session, None, callback, False))

    def _watched(self, watch: Watch) -> Watch:
        with self._watches_lock:
            self._watches.add(watch)
        # `close` may have run since the watch was set up, without seeing it.
        if self.closed:
            watch._end()
        return watch

    # ---- locks, leases, meetings ----

    def lock(self, name: str, timeout: Seconds | None = None) -> Lock:
        """A lock of the whole job: ``with store.lock("x") as fencing: ...``. Nothing is taken before that."""
        return Lock(self._session, name, self._ms(timeout))

    def lease(self, ttl: Seconds, *, keep_alive: bool = True) -> Lease:
        """A lease that ends `ttl` (0.1 s to 1 day) after its last renewal: ``with store.lease(10) as lease: ...``. With
        `keep_alive` a thread renews it for as long as this process lives and the lease is not revoked."""
        return Lease(self._session, _milliseconds(ttl), keep_alive)

    def barrier(self, name: str = "barrier", members: int | None = None, timeout: Seconds | None = None) -> None:
        """Waits until `members` of them (None: the world) are here. **Collective.** The name may be used again."""
        self._session.barrier(name, members or 0, self._ms(timeout))

    def allgather(
        self, value: Value, name: str = "allgather", members: int | None = None, timeout: Seconds | None = None
    ) -> _List[bytes]:
        """The values (at most 64 KiB each) that all members gave, ordered by rank. **Collective.**"""
        parts = self._session.allgather(name, members or 0, value_bytes(value), self._ms(timeout))
        return [part for _, part in parts]

    # ---- end ----

    @property
    def closed(self) -> bool:
        """True after `close`."""
        return self._session.closed

    def close(self) -> None:
        """Leaves the store; keys that live with this member are deleted. Watches end: threads that wait in one return. A store that
        runs here goes on until the last member has left it. May be repeated."""
        self._torch = None
        _ALIVE.discard(self)
        self._session.close()
        with self._watches_lock:
            watches = list(self._watches)
        for watch in watches:
            watch._end()
        if self._server is not None:
            self._server.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return f"<mf_smem.Store {self._url} closed>"
        rank = self.rank
        who = "guest" if rank is None else f"rank {rank} of {self.world_size}"
        return f"<mf_smem.Store {self._url} {who}>"

    def _ms(self, timeout: Seconds | None) -> int:
        return self._timeout_ms if timeout is None else _milliseconds(timeout)


class StoreServer(Unique):
    """A store that this process runs, made by `Store.serve`. Ends with `close`, as a context manager, or when collected."""

    def __init__(self, url: str) -> None:
        #: Where it is.
        self.url = url
        self._running = False
        code = _mf_smem.create_config_store(url)
        if code != 0:
            raise error_from_code(code, _mf_smem.get_last_err_msg())
        self._running = True

    def close(self) -> None:
        """Ends the store, even with clients connected to it. May be repeated."""
        if self._running:
            self._running = False
            _mf_smem.destroy_config_store(self.url)

    def __enter__(self) -> StoreServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


#: Stores that something outside of Python's sight uses.
_ALIVE: set[Store] = set()


class Watch(Unique):
    """A watch that was set up. Ends with `close`, as a context manager, or with its store.

    A thread that waits in a watch that ends gets the changes that came before, then `NotExistError` from `get`, and the end of the
    iteration.
    """

    def __init__(
        self,
        session: _mf_smem.StoreSession,
        prefix: str | None,
        callback: Callable[[Any], object] | None,
        exact: bool,
    ) -> None:
        self._session = session
        self._changes: queue.SimpleQueue[Change | None] = queue.SimpleQueue()
        self._lost = False
        self._closed = False
        if prefix is None:
            assert callback is not None
            notify = callback

            def on_member(kind: int, rank: int, host: str, pid: int, device: int, number: int, epoch: int) -> None:
                notify(MemberChange(ChangeKind(kind), Member(rank, host, pid, device, number), epoch))

            self._number = session.watch_members(on_member)
            return
        take = self._changes.put if callback is None else callback

        def on_change(kind: int, key: str | None, value: bytes | None, revision: int, owner: int | None) -> None:
            if key is None:
                self._lost = True
                self._changes.put(None)
            else:
                take(Change(ChangeKind(kind), key, value or b"", revision, owner))

        self._number = session.watch(prefix, exact, on_change)

    def get(self, timeout: Seconds | None = None) -> Change:
        """The next change; waits for ever, or for `timeout`."""
        change = self._take(timeout)
        if change is None:
            raise NotExistError(ErrorKind.NOT_EXIST, "store watch: it is closed")
        return change

    def _take(self, timeout: Seconds | None) -> Change | None:
        seconds = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
        try:
            change = self._changes.get(timeout=seconds)
        except queue.Empty:
            raise TimedOutError(ErrorKind.TIMEOUT, f"store watch: nothing changed within {seconds} s") from None
        if change is None:
            # For the next reader, too.
            self._changes.put(None)
            if self._lost:
                raise NotConnectedError(ErrorKind.NOT_CONNECTED, "store watch: the store is gone for good")
        return change

    def __iter__(self) -> Iterator[Change]:
        return self

    def __next__(self) -> Change:
        change = self._take(None)
        if change is None:
            raise StopIteration
        return change

    def close(self) -> None:
        """Ends the watch: its callback does not run and will not run again. May be repeated."""
        if self._closed:
            return
        self._end()
        # It may have ended with the store.
        with contextlib.suppress(Error):
            self._session.unwatch(self._number)

    def _end(self) -> None:
        """Lets threads that wait return; the store is closed, or learns next that the watch ends."""
        self._closed = True
        self._changes.put(None)

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Lock(Unique):
    """A lock of the whole job, first come, first served; made by `Store.lock`. It goes with the membership."""

    def __init__(self, session: _mf_smem.StoreSession, name: str, timeout_ms: int) -> None:
        self._session, self._name, self._timeout_ms = session, name, timeout_ms

    def acquire(self, timeout: Seconds | None = None) -> int:
        """Takes the lock, waiting up to `timeout` (0: not at all). Returns a number higher than every earlier
        holder's, for fencing."""
        ms = self._timeout_ms if timeout is None else _milliseconds(timeout)
        return self._session.lock(self._name, ms)

    def release(self) -> None:
        """Gives the lock back."""
        self._session.unlock(self._name)

    def __enter__(self) -> int:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class Lease(Unique):
    """A lease, made by `Store.lease`: keys set with it are deleted when it ends."""

    def __init__(self, session: _mf_smem.StoreSession, ttl_ms: int, keep_alive: bool) -> None:
        self._session = session
        #: Number of the lease, for members that renew it.
        self.id = session.lease_grant(ttl_ms)
        self._over = threading.Event()
        if keep_alive:
            threading.Thread(target=self._keep, args=(ttl_ms / 3000,), name="mf-lease", daemon=True).start()

    def _keep(self, pause_s: float) -> None:
        while not self._over.wait(pause_s):
            try:
                self.renew()
            except NotConnectedError:
                continue
            except Error:
                # It has ended, or the store is closed: there is nothing left to keep.
                return

    def renew(self) -> None:
        """Makes it last for its time to live again."""
        self._session.lease_renew(self.id)

    def revoke(self) -> None:
        """Ends it, and with it its keys. May be repeated."""
        self._over.set()
        with contextlib.suppress(NotExistError):
            self._session.lease_revoke(self.id)

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.revoke()


def _milliseconds(time: Seconds) -> int:
    seconds = time.total_seconds() if isinstance(time, timedelta) else float(time)
    if not seconds >= 0:
        raise invalid(f"store: a time must not be negative, and is {time}")
    # A non-zero time must not round to "do not wait".
    return min(max(round(seconds * 1000), int(seconds > 0)), _LONGEST_MS)


def value_bytes(value: Value | Iterable[int]) -> bytes:
    """A value as bytes. A number is refused: ``bytes`` would make so many zeros of it."""
    if isinstance(value, numbers.Number):
        raise TypeError(f"store: a value is bytes or text, not the {type(value).__name__} {value!r}; pass str({value!r})")
    return value.encode() if isinstance(value, str) else bytes(value)


def _keys(keys: Sequence[str]) -> list[str]:
    if isinstance(keys, (str, bytes)):
        raise TypeError("store: keys must be a list of keys, not one")
    return list(keys)


def _tls_options(tls: bool | str | TlsOption | None, secret: str | bytes | None) -> tuple[str | None, bool]:
    """The text for certificates, and whether plaintext was chosen."""
    if isinstance(tls, TlsOption):
        return (tls.tls_info(), False) if tls.enable_tls else (None, True)
    if isinstance(tls, str):
        return tls, False
    if tls is True and not secret and not any(map(setting, ("MF_JOB_SECRET", "MF_JOB_SECRET_FILE", "MF_STORE_TLS_INFO"))):
        raise invalid("store: tls=True needs a secret (secret=, MF_JOB_SECRET) or certificates (tls=tls_info)")
    return None, tls is False
