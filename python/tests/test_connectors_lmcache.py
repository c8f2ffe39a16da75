# SPDX-License-Identifier: Apache-2.0 OR MIT
"""LMCache's adapter on LMCache's own classes (tried: 0.5.6).

Real: L2AdapterInterface with its accounts and events, L2StoreResult, ObjectKey. Stand-ins: Bitmap, which is
native code for torch 2, the objects in the engine's memory, and the modules that `engines` leaves out.
"""

from __future__ import annotations

import ctypes
import os
import select
from typing import Any

import pytest

import ranks
from engines import needed
from test_connectors import options, wait_until

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")

_BASE, _KEYS = "lmcache.v1.distributed.l2_adapters.base", "lmcache.v1.distributed.api"


class Bitmap:
    """Stands for LMCache's own."""

    def __init__(self, count: int) -> None:
        self.bits = [False] * count

    def set(self, place: int) -> None:
        self.bits[place] = True


class Thing:
    """Stands for an object in the engine's own memory."""

    def __init__(self, data: bytes) -> None:
        self.room = ctypes.create_string_buffer(data, len(data))
        self.data_ptr = ctypes.addressof(self.room)

    def get_size(self) -> int:
        return len(self.room)


class Listener:
    """Receives what LMCache reports to its coordinator and policies of eviction."""

    def __init__(self) -> None:
        self.received: list[tuple[str, list[bytes]]] = []

    def on_l2_keys_stored(self, keys: Any, sizes: Any) -> None:
        self.received.append(("stored", [key.chunk_hash for key in keys]))

    def on_l2_keys_accessed(self, keys: Any) -> None:
        self.received.append(("accessed", [key.chunk_hash for key in keys]))

    def on_l2_keys_deleted(self, keys: Any) -> None:
        self.received.append(("deleted", [key.chunk_hash for key in keys]))


class Held:
    """An adapter and its tasks, each waited for."""

    def __init__(self, number: int = 52) -> None:
        self.base, self.keys = needed("lmcache", _BASE, _KEYS)
        import mf_connectors.lmcache as connector

        connector.Bitmap = Bitmap
        self.adapter = connector.MfL2Adapter(options(number))
        self.listener = Listener()
        self.adapter.register_listener(self.listener)

    def key(self, number: int, **fields: Any) -> Any:
        return self.keys.ObjectKey(
            **{"chunk_hash": bytes([number]), "model_name": "m", "kv_rank": 0, **fields}
        )

    def store(self, keys: list[Any], things: list[Thing]) -> Any:
        task = self.adapter.submit_store_task(keys, things)
        _wait(self.adapter.get_store_event_fd())
        return self.adapter.pop_completed_store_tasks()[task]

    def look_up(self, keys: list[Any]) -> list[bool]:
        task = self.adapter.submit_lookup_and_lock_task(keys, {})
        _wait(self.adapter.get_lookup_and_lock_event_fd())
        found = self.adapter.query_lookup_and_lock_result(task)
        assert self.adapter.query_lookup_and_lock_result(task) is None
        return list(found.bits)

    def load(self, keys: list[Any], things: list[Thing]) -> list[bool]:
        task = self.adapter.submit_load_task(keys, things)
        _wait(self.adapter.get_load_event_fd())
        return list(self.adapter.query_load_result(task).bits)

    def used(self) -> int:
        return int(self.adapter.get_usage().total_bytes_used)


def _wait(descriptor: int) -> None:
    assert select.select([descriptor], [], [], ranks.DEADLINE_S)[0]
    os.eventfd_read(descriptor)


def test_objects_are_stored_found_and_loaded() -> None:
    held = Held()
    adapter = held.adapter
    assert isinstance(adapter, held.base.L2AdapterInterface)
    keys = [held.key(number) for number in range(4)]
    things = [Thing(os.urandom(1000)) for _ in range(3)]
    done = held.store(keys[:3], things)
    assert done.is_successful() and done.bytes_transferred() == 3000
    assert held.look_up(keys) == [True, True, True, False]
    rooms = [Thing(bytes(1000)) for _ in range(4)]
    assert held.load(keys, rooms) == [True, True, True, False]
    assert [room.room.raw for room in rooms[:3]] == [thing.room.raw for thing in things]
    adapter.delete(keys[:1])
    adapter.delete(keys[:1])
    assert (
        held.listener.received[-1] == ("deleted", [b"\0"])
        and held.used() == 2000
        and adapter.report_status()["is_healthy"]
    )
    # A key is more than its hash.
    others = [
        held.key(1, cache_salt="u"),
        held.key(1, object_group_id=1),
        held.key(1, kv_rank=1),
        held.key(1, model_name="n"),
    ]
    assert held.look_up(others) == [False] * 4
    adapter.close()
    adapter.close()


def test_an_object_is_counted_once() -> None:
    held = Held()
    keys = [held.key(1), held.key(2, cache_salt="user")]
    assert held.store(keys, [Thing(bytes(1000)), Thing(bytes(500))]).bytes_transferred() == 1500
    # Again: nothing moves, and nothing is said.
    assert held.store(keys, [Thing(bytes(1000)), Thing(bytes(500))]).bytes_transferred() == 0
    assert [kind for kind, _ in held.listener.received] == ["stored"]
    assert (held.used(), dict(held.adapter.get_usage().bytes_by_cache_salt)) == (
        1500,
        {"": 1000, "user": 500},
    )
    # Of another length: it replaces the old one, in the accounts, too.
    assert held.store(keys[:1], [Thing(b"x" * 300)]).bytes_transferred() == 300
    kinds = [kind for kind, _ in held.listener.received]
    assert held.used() == 800 and kinds == ["stored", "deleted", "stored"]
    room = Thing(bytes(300))
    assert held.load(keys[:1], [room]) == [True] and room.room.raw == b"x" * 300
    held.adapter.close()


def test_evicted_objects_leave_the_accounts() -> None:
    held = Held()
    keys, size = [held.key(number) for number in range(100)], 1 << 18
    for key in keys:
        assert held.store([key], [Thing(bytes(size))]).is_successful()
    there = [held.adapter._cache.exists(_name(key)) for key in keys]
    assert held.adapter._cache.stats().evictions > 0
    wait_until(lambda: held.used() == sum(there) * size)
    gone = [name for kind, names in held.listener.received if kind == "deleted" for name in names]
    assert sorted(gone) == [key.chunk_hash for key, is_there in zip(keys, there) if not is_there]
    held.adapter.close()


def test_removed_objects_leave_the_accounts() -> None:
    held = Held()
    held.store([held.key(1)], [Thing(bytes(10))])
    held.adapter._cache.remove(_name(held.key(1)))
    wait_until(lambda: held.used() == 0)
    held.adapter.close()


def test_locks_are_given_back() -> None:
    held = Held()
    key = held.key(1)
    held.store([key], [Thing(bytes(10))])
    assert held.look_up([key, held.key(2)]) == [True, False] and held.look_up([key]) == [True]
    assert held.adapter._locks.held() == {_name(key): 2}
    held.adapter.submit_unlock([key])
    assert held.adapter._locks.held() == {_name(key): 1}
    held.adapter.submit_unlock([key, held.key(2)])
    assert held.adapter._locks.held() == {}
    held.adapter.close()


def test_a_task_that_fails_ends() -> None:
    held = Held()
    cache = held.adapter._cache
    for size in (1 << 20, 1 << 16, 1 << 12, 64):
        for number in range(10_000):
            try:
                cache.put(f"{size} {number}", bytes(size), pin=True)
            except RuntimeError:
                break
    done = held.store([held.key(1)], [Thing(bytes(1 << 16))])
    assert not done.is_successful() and held.listener.received == [] and held.used() == 0
    cache.close()
    assert not held.store([held.key(1)], [Thing(bytes(10))]).is_successful()
    assert held.look_up([held.key(1)]) == [False] and held.load([held.key(1)], [Thing(bytes(10))]) == [False]
    held.adapter.close()


def _name(key: Any) -> bytes:
    from mf_connectors.lmcache import _name as name

    return name(key)
