# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SGLang's storage backend on SGLang's own classes (tried: 0.5.23).

Real: HiCacheStorage and its data types, the factory that loads the class from its module, HiCacheFile, which
answers are compared to, StorageMetrics. Stand-ins: the host pools, which need kernels, and the modules that
`engines` leaves out.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from engines import needed
from test_connectors import options, wait_until

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")

_STORAGE = "sglang.srt.mem_cache.hicache_storage"


class Pool:
    """A host pool: pages of `page_size` entries of some numbers each; it hands out copies of its pages or, in
    one piece, parts."""

    layout = "page_first"

    def __init__(
        self, page_size: int = 4, numbers: int = 8, entries: int = 64, in_place: bool = False
    ) -> None:
        import torch

        self.dtype, self.page_size = torch.float32, page_size
        self.kv_buffer: Any = torch.arange(entries * numbers, dtype=torch.float32).reshape(entries, numbers)
        self._in_place = in_place

    def get_data_page(self, index: int, flat: bool = True) -> Any:
        page = self.kv_buffer[index : index + self.page_size]
        return page.flatten() if self._in_place else page.clone().flatten()

    def get_dummy_flat_data_page(self) -> Any:
        return self.kv_buffer[: self.page_size].clone().flatten() * 0

    def set_from_flat_data_page(self, index: int, page: Any) -> None:
        assert not self._in_place
        self.kv_buffer[index : index + self.page_size] = page.reshape(self.page_size, -1)


class Logical:
    """The pool of a model with pages in side pools alone."""

    layout, page_size, kv_buffer, dtype = "page_first", 4, None, None


def _config(
    number: int, is_mla: bool = False, rank: int = 0, size: int = 1, cache: Any = None, **extra: Any
) -> Any:
    (storage,) = needed("sglang", _STORAGE)
    described = {
        "backend_name": "memfabric",
        "module_path": "mf_connectors.sglang",
        "class_name": "MfHiCache",
        "interface_v1": 1,
        "cache": cache or options(number),
        **extra,
    }
    return storage.HiCacheStorageConfig(
        rank, size, 0, 1, 0, 1, is_mla, True, True, "org/model", extra_config=described)


def _backend(number: int = 59, pool: Any = None, **more: Any) -> Any:
    from sglang.srt.mem_cache.storage.backend_factory import StorageBackendFactory

    pool = pool or Pool()
    backend = StorageBackendFactory.create_backend("dynamic", _config(number, **more), pool)
    backend.register_mem_pool_host(pool)
    return backend


def _transfer(
    name: str, keys: list[str], pool: Any = None, first: int = 0, policy: str = "all_pages", **more: Any
) -> Any:
    import torch

    (storage,) = needed("sglang", _STORAGE)
    indices = None if pool is None else torch.arange(first, first + len(keys) * pool.page_size)
    return storage.PoolTransfer(
        storage.PoolName(name),
        host_indices=indices,
        keys=keys,
        hit_policy=storage.PoolHitPolicy(policy),
        **more,
    )


@pytest.mark.parametrize("in_place", [False, True])
def test_pages_are_stored_and_read(in_place: bool) -> None:
    (storage,) = needed("sglang", _STORAGE)
    import torch

    pool = Pool(in_place=in_place)
    backend = _backend(pool=pool)
    assert isinstance(backend, storage.HiCacheStorage)
    indices, expected = torch.arange(12), pool.kv_buffer[:12].clone()
    assert backend.batch_set_v1(["a", "b", "c"], indices) == [True] * 3
    assert backend.batch_set_v1(["a", "b", "c"], indices) == [True] * 3
    assert (
        backend.batch_exists(["a", "b", "none", "c"]) == 2
        and backend.exists("c")
        and not backend.exists("none")
    )
    pool.kv_buffer.zero_()
    assert backend.batch_get_v1(["a", "none", "b"], torch.arange(20, 32)) == [True, False, True]
    assert (pool.kv_buffer[20:24] == expected[:4]).all() and (pool.kv_buffer[28:32] == expected[4:8]).all()
    assert (pool.kv_buffer[24:28] == 0).all() and backend.batch_get_v1(["c"], torch.arange(36, 40)) == [True]
    # Indices that do not fit the keys.
    assert backend.batch_get_v1(["a", "b"], torch.arange(4)) == [False] * 2
    assert backend.set("one", torch.ones(32)) and (backend.get("one", torch.zeros(32)) == 1).all()
    assert backend.get("none", torch.zeros(32)) is None and backend.batch_set(
        ["x", "y"], [torch.ones(3), torch.ones(3)]
    )
    backend.close()
    backend.close()


def test_states_of_hybrid_models_are_stored_and_read() -> None:
    needed("sglang", _STORAGE)
    import torch

    pool, states, windows = Pool(), Pool(page_size=1, numbers=5), Pool(numbers=3)
    backend = _backend(pool=pool)
    for name, one in (("kv", pool), ("mamba", states), ("swa", windows)):
        backend.register_mem_host_pool_v2(one, name)
    backend.on_host_pools_registered()
    assert list(backend.registered_pools) == ["kv", "mamba", "swa"]
    kept = [one.kv_buffer.clone() for one in (pool, states, windows)]
    done = backend.batch_set_v2(
        [_transfer("mamba", ["c"], states, 7), _transfer("swa", ["b", "c"], windows, 8)]
    )
    assert done == {"mamba": [True], "swa": [True, True]}
    # v1 finds the same pages of keys and values.
    assert backend.batch_set_v2([_transfer("kv", ["a"], pool)]) == {"kv": [True]}
    assert (
        backend.batch_set_v1(["b", "c"], torch.arange(4, 12)) == [True] * 2
        and backend.batch_exists(["a", "b", "c"]) == 3
    )
    for one in (pool, states, windows):
        one.kv_buffer.zero_()
    read = backend.batch_get_v2(
        [
            _transfer("kv", ["b"], pool, 20),
            _transfer("mamba", ["c", "b"], states, 0),
            _transfer("swa", ["c"], windows, 0),
        ]
    )
    assert read == {"kv": [True], "mamba": [True, False], "swa": [True]}
    assert (pool.kv_buffer[20:24] == kept[0][4:8]).all() and (states.kv_buffer[0] == kept[1][7]).all()
    assert (windows.kv_buffer[:4] == kept[2][12:16]).all() and states.kv_buffer[1].sum() == 0
    with pytest.raises(KeyError):
        backend.batch_get_v2([_transfer("draft", ["a"], pool)])
    assert backend.batch_get_v2([_transfer("swa", ["c"])]) == {"swa": [False]}
    backend.close()


def test_a_model_without_pages_of_keys_and_values_has_all_of_them() -> None:
    needed("sglang", _STORAGE)
    import torch

    backend, states = _backend(pool=Logical()), Pool(page_size=1)
    backend.register_mem_host_pool_v2(states, "deepseek_v4_c4")
    assert (
        backend.batch_set_v1(["a", "b"], torch.arange(8)) == [True] * 2 and list(backend._cache.keys()) == []
    )
    assert (
        backend.batch_get_v1(["a", "b"], torch.arange(8)) == [True] * 2
        and backend.batch_exists(["a", "b"]) == 2
    )
    assert backend.batch_set_v2([_transfer("deepseek_v4_c4", ["a"], states)]) == {"deepseek_v4_c4": [True]}
    found = backend.batch_exists_v2(["a", "b"], [_transfer("deepseek_v4_c4", [])])
    assert (found.kv_hit_pages, found.extra_pool_hit_pages, found.restorable_prefix_pages) == (
        1, {"kv": 2, "deepseek_v4_c4": 1}, [1])
    backend.close()


def test_pages_without_bytes_are_not_stored() -> None:
    needed("sglang", _STORAGE)
    backend, empty = _backend(), Pool(page_size=1, numbers=0)
    backend.register_mem_host_pool_v2(empty, "mamba")
    assert (
        backend.batch_set_v2([_transfer("mamba", ["a"], empty)]) == {"mamba": [True]}
        and list(backend._cache.keys()) == []
    )
    assert backend.batch_get_v2([_transfer("mamba", ["a"], empty)]) == {"mamba": [True]}
    backend.batch_set_v2([_transfer("kv", ["a"], Pool())])
    assert (
        backend.batch_exists_v2(["a", "b"], [_transfer("mamba", ["a"], policy="trailing_pages")]).kv_hit_pages
        == 1
    )
    backend.close()


def test_groups_of_blocks_report_and_limit_nothing() -> None:
    needed("sglang", _STORAGE)
    pool, blocks = Pool(), Pool(page_size=1)
    backend = _backend(pool=pool)
    backend.register_mem_host_pool_v2(blocks, "deepseek_v4_c128")
    keys = [f"{number}" for number in range(8)]
    backend.batch_set_v2(
        [_transfer("kv", keys, pool), _transfer("deepseek_v4_c128", ["x0", "x1", "x2"], blocks)]
    )
    groups = _transfer(
        "deepseek_v4_c128", ["x0", "x1", "x2", "x3"], policy="block_groups", block_pages=4, group_pages=2
    )
    found = backend.batch_exists_v2(keys, [groups])
    assert (found.kv_hit_pages, found.extra_pool_hit_pages) == (8, {"kv": 8, "deepseek_v4_c128": 4})
    assert found.restorable_prefix_pages == list(range(1, 9))
    backend.close()


def test_restorable_prefixes_are_those_of_sglangs_own_backend(tmp_path: Path) -> None:
    """500 random sets of pages of three pools, asked of both: each length must be there, as ranks intersect
    theirs."""
    (storage,) = needed("sglang", _STORAGE)
    chance, lengths = random.Random(11), 0
    pools = {"kv": Pool(), "swa": Pool(numbers=3), "mamba": Pool(page_size=1)}
    ours = _backend(pool=pools["kv"])
    config = _config(59)
    config.extra_config["file_storage_path"] = str(tmp_path)
    theirs = storage.HiCacheFile(config)
    for name, pool in pools.items():
        ours.register_mem_host_pool_v2(pool, name)
        theirs.register_mem_host_pool_v2(pool, name)
    for turn in range(500):
        keys = [f"{turn}-{number}" for number in range(chance.randint(1, 12))]
        share = chance.choice([0.5, 0.8, 0.95, 1.0])
        for name, pool in pools.items():
            kept = [key for key in keys if chance.random() < (share if name != "kv" else 0.97)]
            for backend in (ours, theirs):
                assert all(backend.batch_set_v2([_transfer(name, kept, pool)])[name])
        asked = [
            _transfer(
                "swa", [""] * chance.randint(0, 4), policy=chance.choice(["all_pages", "trailing_pages"])
            ),
            _transfer("mamba", [""], policy="trailing_pages"),
        ][: chance.randint(0, 2)]
        found, expected = (backend.batch_exists_v2(keys, asked) for backend in (ours, theirs))
        assert (
            found.kv_hit_pages == expected.kv_hit_pages
            and found.restorable_prefix_pages == expected.restorable_prefix_pages
        )
        named = {str(name): count for name, count in expected.extra_pool_hit_pages.items()}
        assert found.extra_pool_hit_pages == named, (turn, keys, asked)
        lengths += len(found.restorable_prefix_pages)
        ours.clear()
        ours._cache.clear()
        theirs.clear()
    assert lengths > 500
    ours.close()


def test_ranks_share_what_they_hold_alike() -> None:
    needed("sglang", _STORAGE)
    cache = options(59)
    pool, states = Pool(), Pool(page_size=1)
    ranks_of = [_backend(pool=pool, is_mla=True, rank=rank, size=2, cache=cache) for rank in range(2)]
    for backend in ranks_of:
        backend.register_mem_host_pool_v2(states, "mamba")
        backend.register_mem_host_pool_v2(states, "indexer")
    ranks_of[0].batch_set_v2(
        [_transfer(name, ["a"], pool if name == "kv" else states) for name in ("kv", "mamba", "indexer")]
    )
    found = ranks_of[1].batch_exists_v2(["a"], [_transfer("indexer", ["a"])])
    assert found.kv_hit_pages == 1
    # States are split between ranks although the latent pages are not.
    assert (
        ranks_of[1].batch_exists_v2(["a"], [_transfer("mamba", ["a"], policy="trailing_pages")]).kv_hit_pages
        == 0
    )
    for backend in ranks_of:
        backend.close()


def test_figures_are_those_of_each_call() -> None:
    (metrics,) = needed("sglang", "sglang.srt.observability.metrics_collector")
    needed("sglang", _STORAGE)
    import torch

    backend = _backend()
    backend.batch_set_v1(["a", "b"], torch.arange(8))
    backend.batch_set_v1(["a", "b"], torch.arange(8))
    backend.batch_get_v1(["a", "none"], torch.arange(8))
    stats = backend.get_stats()
    assert isinstance(stats, metrics.StorageMetrics) and (stats.backup_pgs, stats.prefetch_pgs) == (
        [2, 0],
        [1],
    )
    assert (
        stats.backup_bandwidth[0] > 0 and stats.backup_bandwidth[1] == 0 and stats.prefetch_bandwidth[0] > 0
    )
    assert backend.get_stats() == metrics.StorageMetrics()
    backend.close()


def test_stored_and_lost_pages_are_events() -> None:
    needed("sglang", _STORAGE)
    zmq = pytest.importorskip("zmq", reason="pip install pyzmq")
    msgspec = pytest.importorskip("msgspec", reason="pip install msgspec")
    import torch

    (storage,) = needed("sglang", _STORAGE)
    with pytest.raises(ValueError, match="events need an endpoint"):
        _backend(events={"topic": "kv@pool:a@m"})
    with pytest.raises(ValueError, match="no option port"):
        _backend(events={"endpoint": "tcp://127.0.0.1:*", "port": 1})
    backend = _backend(58, events={"endpoint": "tcp://127.0.0.1:*", "medium": "CPU_PINNED"})
    subscriber = zmq.Context.instance().socket(zmq.SUB)
    subscriber.connect(backend._events.publisher.endpoint)
    subscriber.subscribe("kv@pool:memfabric@")
    keys = [f"{number:016x}" + "0" * 48 for number in (1, 0x8000000000000001, 3)]

    def received() -> list[Any]:
        found: list[Any] = []
        wait_until(
            lambda: subscriber.poll(10)
            and found.extend(msgspec.msgpack.decode(subscriber.recv_multipart()[2])[1]) is None
        )
        return found

    def publish_until_received() -> None:
        # A subscription takes effect some time after the call.
        wait_until(lambda: (backend._events.publisher.publish(), subscriber.poll(10))[1])
        while subscriber.poll(100):
            subscriber.recv_multipart()

    publish_until_received()
    before = storage.HiCacheStorageExtraInfo(prefix_keys=["0" * 63 + "9"])
    backend.batch_set_v1(keys[:2], torch.arange(8), before)
    (both,) = received()
    assert (both["block_hashes"], both["parent_block_hash"]) == ([1, -(1 << 63) + 1], 0)
    assert (both["block_size"], both["medium"], both["token_ids"]) == (4, "CPU_PINNED", [])
    # Once is enough.
    backend.batch_set_v1(keys[1:], torch.arange(8))
    (third,) = received()
    assert (third["block_hashes"], third["parent_block_hash"]) == ([3], -(1 << 63) + 1)
    backend._cache.remove(backend._keys(keys)[0])
    (lost,) = received()
    assert (lost["type"], lost["block_hashes"], lost["medium"]) == ("BlockRemoved", [1], "CPU_PINNED")
    subscriber.close(linger=0)
    backend.close()
