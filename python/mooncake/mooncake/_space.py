# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Adapter of the cache: methods return codes of the store."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import Any, Union

import mf_smem
from mf_smem import Cache, _mf_smem, _ports

from ._codes import FAILED, LEASED, NOT_FOUND, OK, of_code
from ._config import MOST_REPLICAS, ReplicateConfig
from ._failure import failed
from ._keys import Keys
from ._place import Place

#: Default read lease, in milliseconds. A leased value is not removed.
LEASE_MS = 10_000
#: Time limit of a put session, in milliseconds.
PUT_LIMIT_MS = 30_000
#: Keys of the master's read lease and limit of sessions in the config store.
LEASE_KEY, PUT_LIMIT_KEY = "mooncake/kv_lease_ttl_ms", "mooncake/put_start_discard_ms"
#: Identifier of the members' pool.
POOL_ID = 63
_SETUP_S = 20

Pieces = Sequence[Sequence[int]]


class Space:
    """Member of the cache of a job, for the keys of one tenant. Thread-safe."""

    def __init__(self, place: Place) -> None:
        """Joins. Raises `mf_smem.Error` if the store does not answer in time, `ValueError` for a bad tenant."""
        self.place, self.keys = place, Keys(place.tenant)
        self._begin_store(place)
        lease_ms, put_limit_ms = _limits(place.store_url)
        #: Time limit of a put session, in seconds.
        self.put_limit_s = put_limit_ms / 1000
        self.cache = Cache(
            place.segment,
            id=POOL_ID,
            store_url=place.store_url,
            name=place.name,
            read_lease=lease_ms / 1000,
            start_store=False,
            timeout=_setup_seconds(),
            nic=place.nic,
        )
        self._native = self.cache._session
        self._is_closed = False

    @staticmethod
    def _begin_store(place: Place) -> None:
        """Waits for the config store. Starts it if it belongs on this host and does not answer."""
        deadline = time.monotonic() + _setup_seconds()
        while not _ports.answers(place.store_url):
            if place.is_here and _mf_smem.create_config_store(place.store_url) == 0:
                return
            if time.monotonic() >= deadline:
                raise mf_smem.NotConnectedError(
                    mf_smem.ErrorKind.NOT_CONNECTED,
                    f"nothing answers at {place.store_url}: start mooncake_master there, or mf store serve {place.store_url}",
                )
            time.sleep(0.2)

    def close(self) -> None:
        """Leaves the cache. Idempotent."""
        self._is_closed = True
        self.cache.close()

    def _code(self, outcome: int) -> int:
        """Returns the code of a failed value. The outcome of a call that `close` overtakes depends on the moment."""
        return FAILED if self._is_closed else of_code(outcome)

    @property
    def name(self) -> str:
        """Name of this member."""
        return self.place.name

    def is_reachable(self) -> bool:
        """Returns True if the config store answers."""
        return _ports.answers(self.place.store_url)

    def find(self, name: str) -> int | None:
        """Returns the rank of the member with this name, else of the nearest member on the named host, else None."""
        return _mf_smem.cache_find_member(self._native, name)

    # ---- put ----

    def put(self, key: bytes, parts: Sequence[Any], config: ReplicateConfig, replace: bool) -> int:
        """Puts the concatenated bytes of `parts`. Returns a code. Raises `mf_smem.Error`."""
        replicas, pin, prefer = self._how(config)
        if len(parts) == 1:
            stored = self.cache.put(key, parts[0], replicas=replicas, replace=replace, pin=pin, prefer=prefer)
        else:
            stored = self.cache.put_pieces(key, parts, replicas=replicas, replace=replace, pin=pin, prefer=prefer)
        if stored:
            self._soften(key, config)
        return OK

    def put_at(
        self, keys: Sequence[bytes], addresses: Pieces, sizes: Pieces, config: ReplicateConfig, replace: bool
    ) -> list[int]:
        """Puts values from addresses. Returns a code for each. Raises `mf_smem.Error` if all fail."""
        replicas, pin, prefer = self._how(config)
        outcomes = _mf_smem.cache_put_at(self._native, keys, addresses, sizes, replicas, replace, pin, prefer)
        if config.soft_pin_ms:
            for key, outcome in zip(keys, outcomes):
                if outcome == 0:
                    self._soften(key, config)
        return [OK if outcome in (0, 1) else self._code(outcome or FAILED) for outcome in outcomes]

    def begin(self, key: bytes, size: int, config: ReplicateConfig) -> mf_smem.CacheWriter:
        """Begins a value of `size` bytes, and returns its writer."""
        replicas, pin, prefer = self._how(config)
        return self.cache.begin(key, size, replicas=replicas, replace=False, pin=pin, prefer=prefer)

    def _how(self, config: ReplicateConfig) -> tuple[int, bool, Union[int, None]]:
        if config.replica_num < 1:
            raise ValueError("replica_num is 1 or more")
        for name in config.segments(self.name):
            rank = self.find(name)
            if rank is not None:
                return min(config.replica_num, MOST_REPLICAS), config.with_hard_pin, rank
        return min(config.replica_num, MOST_REPLICAS), config.with_hard_pin, None

    def _soften(self, key: bytes, config: ReplicateConfig) -> None:
        if config.soft_pin_ms:
            self.cache.lease(key, min(config.soft_pin_ms / 1000, 86_400))

    # ---- get ----

    def get(self, key: bytes) -> bytes | None:
        """Returns the value, or None for an absent value. Raises `mf_smem.Error`."""
        return self.cache.get(key)

    def get_many(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """Returns many values. A failed read also returns None."""
        return self.cache.get_many(keys, skip_errors=True)

    def get_at(
        self, keys: Sequence[bytes], addresses: Pieces, sizes: Pieces, offsets: Pieces | None = None
    ) -> list[int]:
        """Copies values, or their parts at `offsets`, to addresses. Returns lengths of the values, or codes."""
        outcomes = _mf_smem.cache_get_at(self._native, keys, addresses, sizes, offsets, 0)
        return [NOT_FOUND if outcome is None else outcome if outcome >= 0 else self._code(outcome) for outcome in outcomes]

    def size_of(self, key: bytes) -> int | None:
        """Returns the length of the value in bytes, or None for an absent value."""
        return self.cache.size_of(key)

    def exists(self, keys: Sequence[bytes]) -> list[bool]:
        """Returns True for each key with a value."""
        return self.cache.exists_many(keys)

    def places(self, key: bytes) -> list[tuple[str, int]]:
        """Returns the member's name and the length for each replica of the value."""
        names = {rank: name for rank, name, _, _ in self.members()}
        found = _mf_smem.cache_locate(self._native, key)
        return [] if found is None else [(names.get(rank, ""), found[1]) for rank in found[0]]

    def members(self) -> list[tuple[int, str, int, bool]]:
        """Returns for each member: rank, name, contributed bytes, and True for a member on this host."""
        return _mf_smem.cache_members(self._native)

    # ---- remove ----

    def remove(self, key: bytes, force: bool) -> int:
        """Removes a value. Returns 0, -704 for an absent value, -706 for a leased value."""
        try:
            return OK if self.cache.remove(key, unless_leased=not force) else NOT_FOUND
        except mf_smem.InUseError as error:
            return failed(str(error), LEASED)

    def all_keys(self) -> Iterator[bytes]:
        """Returns the keys of all tenants."""
        return self.cache.keys()


def _setup_seconds() -> float:
    tries = os.environ.get("MC_STORE_CLIENT_SETUP_RETRIES", "")
    return float(max(1, int(tries))) if tries.isascii() and tries.isdigit() else float(_SETUP_S)


def _limits(url: str) -> tuple[int, int]:
    """Returns the master's read lease and limit of put sessions, in milliseconds, or the defaults."""
    limits = []
    with mf_smem.Store(url, timeout=_setup_seconds()) as store:
        for key, default in ((LEASE_KEY, LEASE_MS), (PUT_LIMIT_KEY, PUT_LIMIT_MS)):
            entry = store.entry(key)
            said = b"" if entry is None else entry.value
            limits.append(int(said) if said.isdigit() else default)
    return limits[0], limits[1]
