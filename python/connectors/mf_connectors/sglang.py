# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A storage backend of SGLang's hierarchical cache (HiCache).

SGLang loads it with ``--hicache-storage-backend dynamic`` and the extra configuration

    {"backend_name": "memfabric", "module_path": "mf_connectors.sglang", "class_name": "MfHiCache",
     "interface_v1": 1, "cache": {"store_url": "tcp://10.0.0.1:5570", "contribution": "32GiB"}}

A page is one value. Its key is SGLang's hash of the tokens up to it, after the model and the layout parameters of a page, so
that only processes with equal layouts share pages.
"""

from __future__ import annotations

import logging
from typing import Any

import torch
from sglang.srt.mem_cache.hicache_storage import HiCacheStorage

from ._shared import Options, close_cache, open_cache, prefix

_LOG = logging.getLogger(__name__)


class MfHiCache(HiCacheStorage):
    """Pages of SGLang's KV cache in a cache of mf_smem."""

    def __init__(self, storage_config: Any, kwargs: Any = None) -> None:
        self._options = Options.of((storage_config.extra_config or {}).get("cache", {}))
        self._cache = open_cache(self._options)
        self._is_open = True
        self._shard = _shard(storage_config)
        self._prefix = prefix(*self._shard)
        #: Whether a page of the host pool lies in one piece, so that it is read into its place; None: not known yet.
        self._in_place: bool | None = None

    def register_mem_pool_host(self, mem_pool_host: Any) -> None:
        """Called by SGLang before the first page is stored."""
        super().register_mem_pool_host(mem_pool_host)
        described = (getattr(mem_pool_host, name, None) for name in ("layout", "dtype", "page_size"))
        self._prefix, self._in_place = prefix(*self._shard, *described), None

    def _key(self, key: str) -> str:
        return self._prefix + key

    def _keys(self, keys: list[str]) -> list[str]:
        return [self._prefix + key for key in keys]

    # One page.

    def exists(self, key: str) -> bool:
        return self._cache.exists(self._key(key))

    def get(self, key: str, target_location: Any = None, target_sizes: Any = None) -> torch.Tensor | None:
        got = self.batch_get([key], None if target_location is None else [target_location])
        return got[0]

    def set(self, key: str, value: Any = None, target_location: Any = None, target_sizes: Any = None) -> bool:
        page = target_location if value is None else value
        return self.batch_set([key], [page])

    # Many pages.

    def batch_exists(self, keys: list[str], extra_info: Any = None) -> int:
        return self._cache.count_prefix(self._keys(keys))

    def batch_get(
        self, keys: list[str], target_locations: Any = None, target_sizes: Any = None
    ) -> list[torch.Tensor | None]:
        if target_locations is None:
            return [None if value is None else torch.frombuffer(bytearray(value), dtype=torch.uint8)
                    for value in self._cache.get_many(self._keys(keys), skip_errors=True)]
        filled = self._fill(keys, target_locations)
        return [page if ok else None for page, ok in zip(target_locations, filled)]

    def batch_set(
        self, keys: list[str], values: Any = None, target_locations: Any = None, target_sizes: Any = None
    ) -> bool:
        return all(self._store(keys, target_locations if values is None else values))

    def batch_get_v1(self, keys: list[str], host_indices: torch.Tensor, extra_info: Any = None) -> list[bool]:
        pool, first = self.mem_pool_host, self._firsts(keys, host_indices)
        if self._in_place is None and first:
            self._in_place = _is_part(pool.get_data_page(first[0], flat=True), pool)
        if self._in_place:
            return self._fill(keys, [pool.get_data_page(index, flat=True) for index in first])
        pages = [pool.get_dummy_flat_data_page() for _ in first]
        filled = self._fill(keys, pages)
        for index, page, ok in zip(first, pages, filled):
            if ok:
                pool.set_from_flat_data_page(index, page)
        return filled

    def batch_set_v1(self, keys: list[str], host_indices: torch.Tensor, extra_info: Any = None) -> list[bool]:
        pages = [self.mem_pool_host.get_data_page(index, flat=True) for index in self._firsts(keys, host_indices)]
        return self._store(keys, pages)

    def _firsts(self, keys: list[str], host_indices: torch.Tensor) -> list[int]:
        """The first index of each page."""
        size = self.mem_pool_host.page_size
        indices: list[int] = host_indices[: len(keys) * size : size].tolist()
        return indices

    def _fill(self, keys: list[str], pages: list[torch.Tensor]) -> list[bool]:
        """Reads pages; one that is missing, fails or has another length is False: SGLang computes it."""
        lengths = self._cache.get_many_into(self._keys(keys), [_bytes(page) for page in pages], skip_errors=True)
        return [length == page.numel() * page.element_size() for length, page in zip(lengths, pages)]

    def _store(self, keys: list[str], pages: list[torch.Tensor]) -> list[bool]:
        """Stores pages that are not there yet; True where a page is there afterwards."""
        names = self._keys(keys)
        stored = self._cache.put_many(names, [_bytes(page) for page in pages], replace=False, skip_errors=True)
        left = [name for name, done in zip(names, stored) if not done]
        if left:
            there = dict(zip(left, self._cache.exists_many(left, skip_errors=True)))
            stored = [done or there[name] for name, done in zip(names, stored)]
        return stored

    def clear(self) -> None:
        """Leaves the pages where they are: other processes share them."""
        _LOG.info("memfabric: the cache is shared, and is not cleared for one engine")

    def close(self) -> None:
        """Leaves the cache. Called by SGLang when the backend is detached. Idempotent."""
        if self._is_open:
            self._is_open = False
            close_cache(self._options)


def _shard(config: Any) -> list[object]:
    """Shard of the model in this process. With latent attention all ranks of a tensor-parallel group hold the same."""
    shard: list[object] = ["sglang", config.model_name or "model", f"pp{config.pp_rank}.{config.pp_size}"]
    if not config.is_mla_model:
        shard.append(f"tp{config.tp_rank}.{config.tp_size}")
    for name in ("attn_cp", "dcp"):
        size = getattr(config, f"{name}_size", 1)
        if size > 1:
            shard.append(f"{name}{getattr(config, f'{name}_rank')}.{size}")
    return shard


def _bytes(page: torch.Tensor) -> torch.Tensor:
    """A page as bytes, which every type of torch can be shown as."""
    return page.contiguous().flatten().view(torch.uint8)


def _is_part(page: torch.Tensor, pool: Any) -> bool:
    """True if a page is the memory of the pool itself, in one piece, and not a copy of it."""
    buffer = getattr(pool, "kv_buffer", None)
    if not isinstance(buffer, torch.Tensor) or not page.is_contiguous():
        return False
    start = buffer.data_ptr()
    return start <= page.data_ptr() < start + buffer.numel() * buffer.element_size()
