# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An adapter of LMCache's second level (the server that several engines of a host share), loaded by its
plug-in rule:

    lmcache server … --l2-adapter '{"type": "plugin",
        "module_path": "mf_connectors.lmcache", "class_name": "MfL2Adapter",
        "adapter_params": {"store_url": "tcp://10.0.0.1:5570", "contribution": "32GiB"}}'

An object is one value. Tasks run on threads of the adapter, and event descriptors say that they have ended,
as the interface asks. LMCache is notified of every object that is stored here or lost, so that its accounts
agree with the cache.
"""

from __future__ import annotations

import ctypes
import dataclasses
import itertools
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lmcache.lmcache_native import Bitmap
from lmcache.v1.distributed.internal_api import L2StoreResult
from lmcache.v1.distributed.l2_adapters.base import L2AdapterInterface

from ._ledger import Ledger
from ._locks import Locks
from ._shared import Options, close_cache, close_removals, open_cache, open_removals, prefetch, prefix
from ._watch import Watch

_LOG = logging.getLogger(__name__)

#: Threads that move objects.
_THREADS = 4


class _Done:
    """Results of one kind of task, and the descriptor that says that there are some."""

    def __init__(self) -> None:
        self.descriptor = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._lock = threading.Lock()
        self._results: dict[int, Any] = {}

    def add(self, task: int, result: Any) -> None:
        with self._lock:
            self._results[task] = result
        os.eventfd_write(self.descriptor, 1)

    def take(self, task: int) -> Any:
        with self._lock:
            return self._results.pop(task, None)

    def take_all(self) -> dict[int, Any]:
        with self._lock:
            results, self._results = self._results, {}
        return results


class MfL2Adapter(L2AdapterInterface):
    """Objects of LMCache in a cache of mf_smem."""

    def __init__(self, adapter_params: dict[str, Any], l1_memory_desc: Any = None) -> None:
        super().__init__()
        self._options = Options.of(adapter_params)
        self._cache = open_cache(self._options)
        self._threads = ThreadPoolExecutor(_THREADS, "mf-lmcache")
        self._numbers = itertools.count(1)
        self._stores, self._lookups, self._loads = _Done(), _Done(), _Done()
        self._locks = Locks(self._cache)
        #: Objects that LMCache was notified of, each with its length.
        self._ledger: Ledger[tuple[Any, int]] = Ledger(self._cache)
        self._watch = Watch(self._ledger, open_removals(self._options), self._tell_gone)
        self._is_open = True

    def get_store_event_fd(self) -> int:
        return self._stores.descriptor

    def get_lookup_and_lock_event_fd(self) -> int:
        return self._lookups.descriptor

    def get_load_event_fd(self) -> int:
        return self._loads.descriptor

    def submit_store_task(self, keys: list[Any], objects: list[Any]) -> int:
        return self._submit(self._stores, lambda: self._store(keys, objects), L2StoreResult(False, 0))

    def pop_completed_store_tasks(self) -> dict[int, Any]:
        return self._stores.take_all()

    def submit_lookup_and_lock_task(self, keys: list[Any], group_layout_descs: Any = None) -> int:
        return self._submit(self._lookups, lambda: self._look_up(keys), Bitmap(len(keys)))

    def query_lookup_and_lock_result(self, task_id: int) -> Any:
        return self._lookups.take(task_id)

    def submit_unlock(self, keys: list[Any]) -> None:
        """Lets objects be evicted again, once each of their locks was given back: a few seconds later, when
        the lease ends."""
        self._locks.unlock([_name(key) for key in keys])

    def submit_load_task(self, keys: list[Any], objects: list[Any]) -> int:
        return self._submit(self._loads, lambda: self._load(keys, objects), Bitmap(len(keys)))

    def query_load_result(self, task_id: int) -> Any:
        return self._loads.take(task_id)

    def delete(self, keys: list[Any]) -> None:
        """Removes objects."""
        gone = []
        for key in keys:
            known = self._ledger.discard(_name(key))
            if self._cache.remove(_name(key)) or known is not None:
                gone.append(known or (key, 0))
        self._tell_gone(gone)

    def report_status(self) -> dict[str, Any]:
        stats = self._cache.stats()
        return {"is_healthy": not self._cache.closed, **dataclasses.asdict(stats)}

    def close(self) -> None:
        """Ends the tasks, closes the descriptors and leaves the cache. Idempotent."""
        if self._is_open:
            self._is_open = False
            self._threads.shutdown(wait=True)
            self._watch.close()
            close_removals(self._options)
            self._locks.close()
            for done in (self._stores, self._lookups, self._loads):
                os.close(done.descriptor)
            close_cache(self._options)

    def _submit(self, done: _Done, work: Callable[[], Any], failed: Any) -> int:
        task = next(self._numbers)

        def run() -> None:
            result = failed
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - whatever it is, LMCache waits for an answer
                _LOG.warning("memfabric: a task of LMCache failed: %s", error)
            finally:
                done.add(task, result)

        self._threads.submit(run)
        return task

    def _store(self, keys: list[Any], objects: list[Any]) -> Any:
        names, views = [_name(key) for key in keys], [_view(thing) for thing in objects]
        stored = self._cache.put_many(names, views, replace=False, skip_errors=True)
        there = [
            done or self._cache.size_of(name) == len(view) for done, name, view in zip(stored, names, views)
        ]
        # Of another length: a value of an earlier layout, which no load would take.
        other = [place for place, is_there in enumerate(there) if not is_there]
        again = self._cache.put_many(
            [names[place] for place in other], [views[place] for place in other], skip_errors=True
        )
        for place, done in zip(other, again):
            stored[place] = there[place] = done
        self._tell_stored([
            (name, key, len(view)) for name, key, view, is_there in zip(names, keys, views, there) if is_there
        ])
        moved = sum(len(view) for view, done in zip(views, stored) if done)
        return L2StoreResult(all(there), moved)

    def _look_up(self, keys: list[Any]) -> Any:
        found, names = Bitmap(len(keys)), [_name(key) for key in keys]
        # Several at once, where a lock waits for each.
        prefetch(self._cache, names)
        for item, is_there in enumerate(self._locks.lock(names)):
            if is_there:
                found.set(item)
        return found

    def _load(self, keys: list[Any], objects: list[Any]) -> Any:
        names, views = [_name(key) for key in keys], [_view(thing) for thing in objects]
        lengths = self._cache.get_many_into(names, views, skip_errors=True)
        loaded = Bitmap(len(keys))
        for item, (length, view) in enumerate(zip(lengths, views)):
            if length == len(view):
                loaded.set(item)
        self._notify_keys_accessed([key for key, length in zip(keys, lengths) if length is not None])
        return loaded

    def _tell_stored(self, stored: list[tuple[bytes, Any, int]]) -> None:
        """Notifies LMCache of objects, each once; an object of another length than before has replaced one."""
        new, before = [], []
        for name, key, length in stored:
            known = self._ledger.add(name, (key, length))
            if known is None or known[1] != length:
                new.append((key, length))
                before += [known] if known is not None else []
        self._tell_gone(before)
        if new:
            self._notify_keys_stored([key for key, _ in new], [length for _, length in new])

    def _tell_gone(self, gone: list[tuple[Any, int]]) -> None:
        if gone:
            self._notify_keys_deleted([key for key, _ in gone], [length for _, length in gone])


def _name(key: Any) -> bytes:
    """Returns an object's key: all parts of LMCache's key."""
    shard = prefix("lmcache", key.model_name, key.kv_rank, key.object_group_id, key.cache_salt)
    name: bytes = shard.encode() + key.chunk_hash
    return name


def _view(thing: Any) -> memoryview:
    """Returns the bytes of an object of LMCache, which keeps them until its task has ended."""
    return memoryview((ctypes.c_ubyte * thing.get_size()).from_address(thing.data_ptr)).cast("B")
