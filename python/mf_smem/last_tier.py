# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A shared folder or an object store below a cache."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import logging
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError, Future, TimeoutError as FutureTimeout
from types import TracebackType
from typing import Any, TypeVar

from ._behind import Behind
from ._errors import Error, ErrorKind, Retry, TimedOutError, invalid
from ._place import first_line, job_secret, operator
from ._sealed import Sealing
from ._sizes import Size, length
from ._types import Destination, Source
from ._unique import Unique
from ._workers import Workers
from .cache import Cache, Key

__all__ = ["LastTier", "LastTierStats"]

_LOG = logging.getLogger(__name__)
#: Keys of one round of `LastTier.count_prefix`.
_ROUND = 64
#: Seconds after which a store that failed is tried again.
_OFF_S = 10.0

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class LastTierStats:
    """Figures of a last tier, of this object."""

    #: Gets that the store answered with a value, and without one.
    hits: int
    misses: int
    #: Values that were written, and that were not: full queue, gone from the cache before their turn, fault, too large.
    writes: int
    drops: int
    #: Objects that were damaged, or of another secret.
    damaged: int
    #: Calls of the store that failed or did not answer in time.
    faults: int
    #: Values that wait to be written.
    queued: int
    #: True if a fault has switched the store off; it is tried again after 10 s.
    is_off: bool


class LastTier(Unique):
    """A cache with a shared folder or an object store below it: puts are written there behind, gets that find nothing in the cache
    read it.

    All processes of all jobs that name the same place share it, and its values outlive them. A key stands for one value for ever:
    it is a hash of the content, as keys of KV caches are. An object has the key and a digest of its bytes (BLAKE2b, keyed
    by the job's secret where there is one); damaged ones are misses, and written again. Values are not encrypted. Nothing is ever
    removed for room: the store's own rules of expiry do that.

    A store that fails, or does not answer within `timeout` seconds, is switched off for 10 s, with a warning; the cache goes on.
    Methods may be called from any thread.
    """

    def __init__(
        self,
        cache: Cache,
        target: Any,
        *,
        max_value: Size = "1GiB",
        queue: int = 4096,
        readers: int = 8,
        writers: int = 4,
        timeout: float = 5.0,
        secret: str | bytes | None = None,
        **options: str,
    ) -> None:
        """cache
            The cache above. It stays the caller's: close this object first.
        target
            A folder (a path), the name of a service of the package ``opendal`` with its settings as `options`
            (``"s3", bucket="kv", region="…"``), a URL that it knows (``"s3://kv?region=…"``), or an ``opendal.Operator``.
        max_value
            The longest value that is written or read.
        queue
            Values that wait to be written, at most; later ones are dropped.
        readers, writers
            Threads that read and that write, 1 to 64 each.
        timeout
            Seconds for which a call waits for the store.
        secret
            Secret of the digests, the same in all processes; default: that of the job (``MF_JOB_SECRET``,
            ``MF_JOB_SECRET_FILE``), else none.

        Raises ``ModuleNotFoundError`` without the package ``opendal``, `InvalidParamError` for settings that it refuses.
        """
        for name, number in (("readers", readers), ("writers", writers)):
            if not 1 <= number <= 64:
                raise invalid(f"{name} must be 1 to 64, and is {number}")
        if queue < 1:
            raise invalid(f"queue must be at least 1, and is {queue}")
        if not timeout > 0:
            raise invalid(f"timeout must be more than 0 seconds, and is {timeout}")
        self.cache = cache
        self._objects = operator(target, options)
        self._max_value, self._timeout = length("max_value", max_value), timeout
        self._sealing = Sealing(job_secret() if secret is None else _bytes(secret))
        self._lock = threading.Lock()
        self._off_until = 0.0
        self._counts = dict.fromkeys(("hits", "misses", "writes", "drops", "damaged", "faults"), 0)
        self._damaged: set[bytes] = set()
        self._reads: dict[bytes, Future[bytes | None]] = {}
        self._closed = False
        self._readers = Workers(readers, "mf-last-tier")
        self._behind = Behind(queue, writers, self._write)

    def put(self, key: Key, value: Source, **options: Any) -> bool:
        """As `Cache.put`, with its options; the value is written to the store later, if it is still in the cache then."""
        stored = self.cache.put(key, value, **options)
        if stored:
            self._queue(key)
        return stored

    def put_many(self, keys: Sequence[Key], values: Sequence[Source], **options: Any) -> list[bool]:
        """As `Cache.put_many`; see `put`."""
        stored = self.cache.put_many(keys, values, **options)
        for key, kept in zip(keys, stored):
            if kept:
                self._queue(key)
        return stored

    def get(self, key: Key) -> bytes | None:
        """The value, or None. One that the store has comes back to the cache, where there is room."""
        found = self.cache.get(key)
        return self._fetch([key])[0] if found is None else found

    def get_into(self, key: Key, out: Destination) -> int | None:
        """As `Cache.get_into`, with the store behind the cache."""
        return self.get_many_into([key], [out])[0]

    def get_many(self, keys: Sequence[Key]) -> list[bytes | None]:
        """`get` for many keys; the store is read by all readers at once. Errors of single keys count as misses."""
        found = self.cache.get_many(keys, skip_errors=True)
        missing = [number for number, value in enumerate(found) if value is None]
        for number, value in zip(missing, self._fetch([keys[number] for number in missing])):
            found[number] = value
        return found

    def get_many_into(self, keys: Sequence[Key], outs: Sequence[Destination]) -> list[int | None]:
        """`get_into` for many keys; the store is read by all readers at once. Raises `InvalidParamError` where an `out` is too
        small."""
        found = self.cache.get_many_into(keys, outs)
        missing = [number for number, nbytes in enumerate(found) if nbytes is None]
        for number, value in zip(missing, self._fetch([keys[number] for number in missing])):
            if value is not None:
                copied = self.cache.get_into(keys[number], outs[number])
                found[number] = _copied(value, outs[number]) if copied is None else copied
        return found

    def exists(self, key: Key) -> bool:
        """True if the cache or the store has a value; a question to the store reads no value."""
        return self.exists_many([key])[0]

    def exists_many(self, keys: Sequence[Key]) -> list[bool]:
        """`exists` for many keys."""
        found = self.cache.exists_many(keys)
        missing = [number for number, there in enumerate(found) if not there]
        questions = [self._ask(self._sealing.path(_bytes(keys[number]))) for number in missing]
        for number, there in zip(missing, self._answers(questions)):
            found[number] = bool(there)
        return found

    def count_prefix(self, keys: Sequence[Key]) -> int:
        """Number of leading keys with a value."""
        count = self.cache.count_prefix(keys)
        while count < len(keys):
            found = self.exists_many(keys[count : count + _ROUND])
            leading = found.index(False) if False in found else len(found)
            count += leading
            if leading < len(found):
                break
        return count

    def remove(self, key: Key) -> bool:
        """Removes the value from the store, then from the cache; returns whether the cache had one. A process that puts or gets the
        key at the same time may bring it back. Raises an `Error` if the store fails: the cache keeps the value then, and the store
        may."""
        path = self._sealing.path(_bytes(key))
        if not self._behind.take_back(_bytes(key), self._timeout):
            raise _unanswered("a write of the value does not end", self._timeout)
        deletion = self._readers.submit(lambda: self._objects.delete(path))
        try:
            deletion.result(self._timeout)
        except (FutureTimeout, CancelledError) as error:
            deletion.cancel()
            late = _unanswered("the store does not answer", self._timeout)
            self._switch_off(late)
            raise late from error
        except Exception as error:
            self._switch_off(error)
            raise Error(ErrorKind.FAILED, f"the last tier cannot remove the value: {first_line(error)}") from error
        return self.cache.remove(key)

    def flush(self, timeout: float | None = None) -> bool:
        """Waits until all queued values are written or dropped; False if that takes longer than `timeout` seconds."""
        return self._behind.flush(self._timeout if timeout is None else timeout)

    def stats(self) -> LastTierStats:
        """Figures of this object. **Local.**"""
        with self._lock:
            return LastTierStats(**self._counts, queued=self._behind.queued, is_off=self._is_off())

    def close(self) -> None:
        """Writes queued values, for at most `timeout` seconds, and ends the threads. The cache stays open. Idempotent."""
        if not self._closed:
            self._closed = True
            self._count("drops", self._behind.close(self._timeout))
            self._readers.close()

    def __enter__(self) -> LastTier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __contains__(self, key: object) -> bool:
        return self.exists(key)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<mf_smem.LastTier at {self._objects}, {'closed' if self._closed else 'off' if self._is_off() else 'on'}>"

    def _queue(self, key: Key) -> None:
        if not self._behind.push(_bytes(key)):
            self._count("drops")

    def _write(self, key: bytes) -> None:
        """Writes one value, on a thread of the queue."""
        while not self._closed and self._is_off():
            time.sleep(0.05)
        try:
            value = None if self._is_off() else self.cache.get(key)
            if value is None or len(value) > self._max_value:
                return self._count("drops")
            path = self._sealing.path(key)
            if key in self._damaged or not self._objects.exists(path):
                self._objects.write(path, self._sealing.seal(key, value))
                self._damaged.discard(key)
                self._count("writes")
        except Error:
            # A closed cache.
            self._count("drops")
        except Exception as error:  # noqa: BLE001 - of any service
            self._count("drops")
            self._switch_off(error)

    def _fetch(self, keys: Sequence[Key]) -> list[bytes | None]:
        values = self._answers([self._read(_bytes(key)) for key in keys])
        self._count("hits", sum(value is not None for value in values))
        self._count("misses", sum(value is None for value in values))
        return values

    def _read(self, key: bytes) -> Future[bytes | None] | None:
        """Starts a read of an object, or joins the running one of this key. None while the store is off."""
        with self._lock:
            if self._closed or self._is_off():
                return None
            future = self._reads.get(key)
            if future is None or future.cancelled():
                future = self._reads[key] = self._readers.submit(functools.partial(self._load, key))
                future.add_done_callback(lambda _: self._reads.pop(key, None))
            return future

    def _load(self, key: bytes) -> bytes | None:
        path, most = self._sealing.path(key), self._max_value + self._sealing.overhead(key)
        try:
            # Nothing longer is read.
            data = b"" if self._objects.stat(path).content_length > most else bytes(self._objects.read(path))
        except Exception as error:
            if type(error).__name__ == "NotFound":
                return None
            raise
        value = self._sealing.unseal(key, data)
        if value is None:
            self._damaged.add(key)
            self._count("damaged")
            return None
        # A full or closed cache: the caller has the value all the same.
        with contextlib.suppress(Error):
            self.cache.put(key, value, replace=False)
        return value

    def _ask(self, path: str) -> Future[bool | None] | None:
        with self._lock:
            if self._closed or self._is_off():
                return None
        return self._readers.submit(functools.partial(self._is_there, path))

    def _is_there(self, path: str) -> bool | None:
        return bool(self._objects.exists(path))

    def _answers(self, futures: Iterable[Future[T | None] | None]) -> list[T | None]:
        """Results, None for calls that failed. All of them have one deadline."""
        end = time.monotonic() + self._timeout
        return [None if future is None else self._answer(future, end) for future in futures]

    def _answer(self, future: Future[T | None], end: float) -> T | None:
        try:
            return future.result(max(0.0, end - time.monotonic()))
        except CancelledError:
            pass
        except FutureTimeout:
            future.cancel()
            self._switch_off(_unanswered("the store does not answer", self._timeout))
        except Exception as error:  # noqa: BLE001 - of any service
            self._switch_off(error)
        return None

    def _is_off(self) -> bool:
        return time.monotonic() < self._off_until

    def _switch_off(self, error: Exception) -> None:
        with self._lock:
            self._counts["faults"] += 1
            if self._is_off():
                return
            self._off_until = time.monotonic() + _OFF_S
        _LOG.warning(
            "the last tier at %s is off for %.0f s: %s; check its address, its credentials and its room", self._objects, _OFF_S,
            first_line(error),
        )

    def _count(self, name: str, number: int = 1) -> None:
        with self._lock:
            self._counts[name] += number


def _copied(value: bytes, out: Destination) -> int | None:
    """Copies a value that found no room in the cache; None where `out` is no host memory."""
    try:
        view = memoryview(out).cast("B")  # type: ignore[arg-type]
    except TypeError:
        return None
    if len(view) < len(value):
        raise invalid(f"the buffer has {len(view)} bytes, and the value {len(value)}")
    view[: len(value)] = value
    return len(value)


def _bytes(key: str | bytes) -> bytes:
    return key.encode() if isinstance(key, str) else bytes(key)


def _unanswered(what: str, seconds: float) -> TimedOutError:
    return TimedOutError(ErrorKind.TIMEOUT, f"{what} within {seconds:g} s", Retry.LATER)
