# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An adapter of LMCache's second level (the server that several engines of a host share), loaded by its plug-in rule:

    lmcache server … --l2-adapter '{"type": "plugin", "module_path": "mf_connectors.lmcache", "class_name": "MfL2Adapter",
        "adapter_params": {"store_url": "tcp://10.0.0.1:5570", "contribution": "32GiB"}}'

An object is one value. Tasks run on threads of the adapter, and event descriptors say that they have ended, as the interface asks.
"""

from __future__ import annotations

import ctypes
import dataclasses
import itertools
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lmcache.lmcache_native import Bitmap
from lmcache.v1.distributed.internal_api import L2StoreResult
from lmcache.v1.distributed.l2_adapters.base import L2AdapterInterface

from ._shared import Options, close_cache, open_cache, prefix

#: Threads that move objects.
_THREADS = 4
#: How long objects that are to be loaded are kept from eviction.
_LEASE_S = 60.0


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
        """Nothing: a lease ends by itself."""

    def submit_load_task(self, keys: list[Any], objects: list[Any]) -> int:
        return self._submit(self._loads, lambda: self._load(keys, objects), Bitmap(len(keys)))

    def query_load_result(self, task_id: int) -> Any:
        return self._loads.take(task_id)

    def delete(self, keys: list[Any]) -> None:
        """Removes objects."""
        sizes = [self._cache.size_of(_name(key)) for key in keys]
        removed = [(key, size or 0) for key, size in zip(keys, sizes) if self._cache.remove(_name(key))]
        if removed:
            self._notify_keys_deleted([key for key, _ in removed], [size for _, size in removed])

    def report_status(self) -> dict[str, Any]:
        stats = self._cache.stats()
        return {"is_healthy": not self._cache.closed, **dataclasses.asdict(stats)}

    def close(self) -> None:
        """Ends the tasks, closes the descriptors and leaves the cache. Idempotent."""
        if self._is_open:
            self._is_open = False
            self._threads.shutdown(wait=True)
            for done in (self._stores, self._lookups, self._loads):
                os.close(done.descriptor)
            close_cache(self._options)

    def _submit(self, done: _Done, work: Callable[[], Any], failed: Any) -> int:
        task = next(self._numbers)

        def run() -> None:
            result = failed
            try:
                result = work()
            finally:
                done.add(task, result)

        self._threads.submit(run)
        return task

    def _store(self, keys: list[Any], objects: list[Any]) -> Any:
        views = [_view(thing) for thing in objects]
        self._cache.put_many([_name(key) for key in keys], views)
        sizes = [len(view) for view in views]
        self._notify_keys_stored(keys, sizes)
        return L2StoreResult(True, sum(sizes))

    def _look_up(self, keys: list[Any]) -> Any:
        found = Bitmap(len(keys))
        for item, key in enumerate(keys):
            if self._cache.lease(_name(key), _LEASE_S) is not None:
                found.set(item)
        return found

    def _load(self, keys: list[Any], objects: list[Any]) -> Any:
        views = [_view(thing) for thing in objects]
        lengths = self._cache.get_many_into([_name(key) for key in keys], views, skip_errors=True)
        loaded = Bitmap(len(keys))
        for item, (length, view) in enumerate(zip(lengths, views)):
            if length == len(view):
                loaded.set(item)
        self._notify_keys_accessed([key for key, length in zip(keys, lengths) if length is not None])
        return loaded


def _name(key: Any) -> bytes:
    """An object's key: everything that its own has."""
    return prefix("lmcache", key.model_name, key.kv_rank, key.object_group_id, key.cache_salt).encode() + key.chunk_hash


def _view(thing: Any) -> memoryview:
    """The bytes of an object of LMCache, which keeps them until its task has ended."""
    return memoryview((ctypes.c_ubyte * thing.get_size()).from_address(thing.data_ptr)).cast("B")
