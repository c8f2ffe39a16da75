# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A storage backend of SGLang's hierarchical cache (HiCache).

SGLang loads it with ``--hicache-storage-backend dynamic`` and the extra configuration

    {"backend_name": "memfabric", "module_path": "mf_connectors.sglang", "class_name": "MfHiCache",
     "interface_v1": 1, "cache": {"store_url": "tcp://10.0.0.1:5570", "contribution": "32GiB"}}

A page is one value. Its key is SGLang's hash of the tokens up to it, after the model and the layout
parameters of a page, so that only processes with equal layouts share pages. States of hybrid models (Mamba,
sliding windows) are pages of pools of their own.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Any

import torch
from sglang.srt.mem_cache.hicache_storage import HiCacheStorage, PoolName, PoolTransferResult

from ._shared import Options, close_cache, close_removals, open_cache, open_removals, prefetch, prefix
from ._sglang_events import PageEvents, checked
from ._sglang_pools import Pool, as_bytes, restorable
from ._sglang_stats import Figures
from .kv_events import pool_topic

_LOG = logging.getLogger(__name__)


class MfHiCache(HiCacheStorage):
    """Pages of SGLang's KV cache in a cache of mf_smem."""

    def __init__(self, storage_config: Any, kwargs: Any = None) -> None:
        extra = storage_config.extra_config or {}
        self._options = Options.of(extra.get("cache", {}))
        self._event_options = checked(extra.get("events"))
        self._cache = open_cache(self._options)
        self._is_open = True
        self._config = storage_config
        self._prefix = prefix(*_shard(storage_config))
        self._pools: dict[str, Pool] = {}
        self._prefixes: dict[str, str] = {}
        self._figures = Figures() if getattr(storage_config, "enable_storage_metrics", False) else None
        self._events: PageEvents | None = None

    def register_mem_pool_host(self, mem_pool_host: Any) -> None:
        """Called by SGLang before the first page is stored."""
        super().register_mem_pool_host(mem_pool_host)
        self._prefix = prefix(*_shard(self._config), *_described(mem_pool_host))
        self._add(PoolName.KV.value, mem_pool_host, self._prefix)
        if self._event_options and self._events is None and _is_first(self._config):
            named = {"topic": pool_topic("memfabric", self._config.model_name or "model")}
            self._events = PageEvents(
                self._cache, open_removals(self._options), {**named, **self._event_options},
                self._pools[PoolName.KV.value].page_size,
            )

    def register_mem_host_pool_v2(self, host_pool: Any, host_pool_name: str) -> None:
        """Registers a further pool of a hybrid model. The pool of keys and values is known already."""
        super().register_mem_host_pool_v2(host_pool, host_pool_name)
        name = _text(host_pool_name)
        if name != PoolName.KV.value:
            shard = _shard(self._config, has_ranks=name == PoolName.MAMBA.value)
            self._add(name, host_pool, prefix(*shard, "pool", name, *_described(host_pool)))
        elif name not in self._pools:
            self.register_mem_pool_host(host_pool)

    def _add(self, name: str, pool: Any, keys: str) -> None:
        self._pools[name], self._prefixes[name] = Pool(pool), keys

    def _keys(self, keys: Sequence[str], pool: str | None = None) -> list[str]:
        before = self._prefix if pool is None else self._prefixes[pool]
        return [before + key for key in keys]

    # One page.

    def exists(self, key: str) -> bool:
        return self._cache.exists(self._prefix + key)

    def get(self, key: str, target_location: Any = None, target_sizes: Any = None) -> torch.Tensor | None:
        got = self.batch_get([key], None if target_location is None else [target_location])
        return got[0]

    def set(self, key: str, value: Any = None, target_location: Any = None, target_sizes: Any = None) -> bool:
        page = target_location if value is None else value
        return self.batch_set([key], [page])

    # Many pages.

    def batch_exists(self, keys: list[str], extra_info: Any = None) -> int:
        if self._is_logical():
            return len(keys)
        names = self._keys(keys)
        found = self._cache.count_prefix(names)
        # The loads of these pages follow.
        prefetch(self._cache, names[:found])
        return found

    def batch_get(
        self, keys: list[str], target_locations: Any = None, target_sizes: Any = None
    ) -> list[torch.Tensor | None]:
        if target_locations is None:
            return [None if value is None else torch.frombuffer(bytearray(value), dtype=torch.uint8)
                    for value in self._cache.get_many(self._keys(keys), skip_errors=True)]
        filled = self._fill(self._keys(keys), target_locations)
        return [page if ok else None for page, ok in zip(target_locations, filled)]

    def batch_set(
        self, keys: list[str], values: Any = None, target_locations: Any = None, target_sizes: Any = None
    ) -> bool:
        return all(self._store(self._keys(keys), target_locations if values is None else values))

    def batch_get_v1(self, keys: list[str], host_indices: torch.Tensor, extra_info: Any = None) -> list[bool]:
        if self._is_logical():
            return [True] * len(keys)
        return self._get_pages(PoolName.KV.value, keys, host_indices)

    def batch_set_v1(self, keys: list[str], host_indices: torch.Tensor, extra_info: Any = None) -> list[bool]:
        if self._is_logical():
            return [True] * len(keys)
        there = self._set_pages(PoolName.KV.value, keys, host_indices)
        if self._events is not None:
            self._events.stored(self._keys(keys), keys, there, getattr(extra_info, "prefix_keys", None) or ())
        return there

    # Several pools.

    def batch_exists_v2(
        self, keys: list[str], pool_transfers: Any = None, extra_info: Any = None
    ) -> PoolTransferResult:
        """Returns the prefixes that all pools can restore, each length of them, as ranks intersect theirs."""
        pages = self.batch_exists(keys)
        lengths, found = set(range(1, pages + 1)), {PoolName.KV.value: pages} if pages else {}
        needed: list[tuple[list[str], int]] = []
        for transfer in pool_transfers or ():
            if not lengths:
                break
            name, policy = _text(transfer.name), _text(transfer.hit_policy)
            if self._pools[name].is_empty:
                longest = pages
            elif policy == "block_groups":
                # Another form of pages, which limits nothing.
                names = self._keys(transfer.keys or [], name)
                found_keys = self._cache.count_prefix(names)
                prefetch(self._cache, names[:found_keys])
                longest = found_keys // max(1, transfer.group_pages) * transfer.block_pages
            else:
                names = self._keys(keys[:pages], name)
                there = self._cache.exists_many(names, skip_errors=True)
                possible, longest = restorable(there, policy, len(transfer.keys or ()))
                lengths &= possible
                needed.append((names, len(transfer.keys or ()) if policy == "trailing_pages" else pages))
            if longest:
                found[name] = longest
        longest = max(lengths, default=0)
        for names, last in needed:
            prefetch(self._cache, names[max(0, longest - max(1, last)) : longest])
        return PoolTransferResult(longest, found, sorted(lengths))

    def batch_get_v2(self, transfers: Any, extra_info: Any = None) -> dict[str, list[bool]]:
        """Reads pages of several pools; an unknown pool is a `KeyError`."""
        return {
            _text(transfer.name): self._get_pages(
                _text(transfer.name), transfer.keys or [], transfer.host_indices
            )
            for transfer in transfers
        }

    def batch_set_v2(self, transfers: Any, extra_info: Any = None) -> dict[str, list[bool]]:
        """Stores pages of several pools; an unknown pool is a `KeyError`."""
        return {
            _text(transfer.name): self._set_pages(
                _text(transfer.name), transfer.keys or [], transfer.host_indices
            )
            for transfer in transfers
        }

    def get_stats(self) -> Any:
        """Returns pages and speeds since the last call, where SGLang collects them."""
        return None if self._figures is None else self._figures.take()

    def clear(self) -> None:
        """Leaves the pages where they are: other processes share them."""
        _LOG.info("memfabric: the cache is shared, and is not cleared for one engine")

    def close(self) -> None:
        """Leaves the cache. Called by SGLang when the backend is detached. Idempotent."""
        if self._is_open:
            self._is_open = False
            if self._events is not None:
                self._events.close()
                close_removals(self._options)
            close_cache(self._options)

    def _is_logical(self) -> bool:
        pool = self._pools.get(PoolName.KV.value)
        return pool is not None and pool.is_logical

    def _get_pages(self, name: str, keys: Sequence[str], host_indices: torch.Tensor | None) -> list[bool]:
        pool, begun = self._pools[name], time.perf_counter()
        firsts = pool.firsts(len(keys), host_indices)
        if firsts is None:
            return self._mismatch(name, keys)
        rooms = pool.rooms(firsts)
        filled = self._fill(self._keys(keys, name), rooms)
        pool.fill(firsts, rooms, filled)
        if self._figures is not None:
            self._figures.add_get(sum(filled), _total(rooms, filled), time.perf_counter() - begun)
        return filled

    def _set_pages(self, name: str, keys: Sequence[str], host_indices: torch.Tensor | None) -> list[bool]:
        pool, begun = self._pools[name], time.perf_counter()
        firsts = pool.firsts(len(keys), host_indices)
        if firsts is None:
            return self._mismatch(name, keys)
        names = self._keys(keys, name)
        there = self._cache.exists_many(names, skip_errors=True)
        new = [place for place, is_there in enumerate(there) if not is_there]
        pages = pool.pages([firsts[place] for place in new])
        stored = self._store([names[place] for place in new], pages)
        for place, done in zip(new, stored):
            there[place] = done
        if self._figures is not None:
            self._figures.add_set(sum(stored), _total(pages, stored), time.perf_counter() - begun)
        return there

    def _mismatch(self, name: str, keys: Sequence[str]) -> list[bool]:
        _LOG.error("memfabric: pool %s: the indices do not fit %d pages", name, len(keys))
        return [False] * len(keys)

    def _fill(self, names: list[str], pages: Sequence[torch.Tensor]) -> list[bool]:
        """Reads pages; one that is missing, fails or has another length is False: SGLang computes it. A page
        without bytes has none to read."""
        filled = [page.numel() == 0 for page in pages]
        places = [place for place, is_empty in enumerate(filled) if not is_empty]
        rooms = [as_bytes(pages[place]) for place in places]
        lengths = self._cache.get_many_into([names[place] for place in places], rooms, skip_errors=True)
        for place, room, length in zip(places, rooms, lengths):
            filled[place] = length == room.numel()
        return filled

    def _store(self, names: list[str], pages: Sequence[torch.Tensor]) -> list[bool]:
        """Stores pages that are not there yet; True where a page is there afterwards. A page without bytes is
        nothing to store."""
        there = [page.numel() == 0 for page in pages]
        places = [place for place, is_empty in enumerate(there) if not is_empty]
        stored = self._cache.put_many(
            [names[place] for place in places],
            [as_bytes(pages[place]) for place in places],
            replace=False,
            skip_errors=True,
        )
        left = [place for place, done in zip(places, stored) if not done]
        found = self._cache.exists_many([names[place] for place in left], skip_errors=True) if left else []
        for place in places:
            there[place] = True
        for place, is_there in zip(left, found):
            there[place] = is_there
        return there


def _shard(config: Any, has_ranks: bool = False) -> list[object]:
    """Returns the shard of the model in this process. With latent attention all ranks of a tensor-parallel
    group hold the same, but for the pools that have ranks all the same."""
    shard: list[object] = ["sglang", config.model_name or "model", f"pp{config.pp_rank}.{config.pp_size}"]
    if has_ranks or not config.is_mla_model:
        shard.append(f"tp{config.tp_rank}.{config.tp_size}")
    for name in ("attn_cp", "dcp"):
        size = getattr(config, f"{name}_size", 1)
        if size > 1:
            shard.append(f"{name}{getattr(config, f'{name}_rank')}.{size}")
    return shard


def _is_first(config: Any) -> bool:
    """Returns True in the one process of an engine that publishes: the others have parts of the same pages."""
    return not any(getattr(config, name, 0) for name in ("pp_rank", "tp_rank", "attn_cp_rank", "dcp_rank"))


def _described(pool: Any) -> list[object]:
    return [getattr(pool, name, None) for name in ("layout", "dtype", "page_size")]


def _text(name: Any) -> str:
    """Returns the text of a name that may be an enumeration's."""
    return str(getattr(name, "value", name))


def _total(pages: Sequence[torch.Tensor], chosen: Sequence[bool]) -> int:
    return sum(page.numel() * page.element_size() for page, is_chosen in zip(pages, chosen) if is_chosen)
