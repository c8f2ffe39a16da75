# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The calls of each engine on `mooncake`, with the arguments that it passes and the results that it tests."""

from __future__ import annotations

import ctypes
import inspect
import os
import time
import urllib.request
from collections.abc import Iterator

import pytest
import ranks
from mooncake.engine import TransferEngine
from mooncake.store import (
    MooncakeDistributedStore,
    MooncakeHostMemAllocator,
    ObjectDataType,
    ReplicateConfig,
    bind_to_numa_node,
)

import mf_smem
from mf_smem import _mf_smem

MASTER = f"127.0.0.1:{ranks.free_port()}"
MIB = 1 << 20
PAGE = 16 * 1024


@pytest.fixture(scope="module")
def segment() -> Iterator[MooncakeDistributedStore]:
    """The member that holds the values of the job."""
    made = MooncakeDistributedStore()
    assert made.setup("127.0.0.1", "P2PHANDSHAKE", 64 * MIB, 16 * MIB, "tcp", "", MASTER) == 0, mf_smem.get_last_err_msg()
    yield made
    assert made.close() == 0
    # It was started here, and serves until the process ends.
    _mf_smem.destroy_config_store(f"tcp://{MASTER}")


@pytest.fixture(autouse=True)
def empty(segment: MooncakeDistributedStore) -> None:
    assert segment.remove_all(force=True) >= 0


def memory(content: bytes) -> tuple[ctypes.Array[ctypes.c_char], int]:
    buffer = ctypes.create_string_buffer(content, len(content))
    return buffer, ctypes.addressof(buffer)


def engine(protocol: str = "tcp", device: str = "") -> tuple[TransferEngine, str]:
    made = TransferEngine()
    assert made.initialize("127.0.0.1", "P2PHANDSHAKE", protocol, device) == 0, mf_smem.get_last_err_msg()
    return made, f"127.0.0.1:{made.get_rpc_port()}"


# ---- vLLM ----


def test_vllm_store_connector() -> None:
    store = MooncakeDistributedStore()
    assert store.setup("127.0.0.1", "P2PHANDSHAKE", 0, 1 << 30, "rdma", "mlx5_0", MASTER, tenant_id="default") == 0
    blocks, base = memory(os.urandom(8 * PAGE))
    back, to = memory(bytes(8 * PAGE))
    assert [store.register_buffer(base, 8 * PAGE), store.register_buffer(to, 8 * PAGE)] == [0, 0]
    keys = [f"model@tp_rank:0@{block:032x}" for block in range(2)]
    assert store.batch_is_exist(keys) == [0, 0]
    config = ReplicateConfig()
    config.preferred_segment = store.get_hostname()
    assert not hasattr(config, "group_ids")
    # A block consists of a piece for each layer.
    addresses = [[base + (4 * block + layer) * PAGE for layer in range(4)] for block in range(2)]
    sizes = [[PAGE] * 4] * 2
    assert [code for code in store.batch_put_from_multi_buffers(keys, addresses, sizes, config) if code < 0] == []
    assert store.batch_is_exist([*keys, "other"]) == [1, 1, 0]
    into = [[to + (4 * block + layer) * PAGE for layer in range(4)] for block in range(2)]
    assert store.batch_get_into_multi_buffers([*keys, "other"], [*into, into[0]], [*sizes, sizes[0]]) == [4 * PAGE, 4 * PAGE, -704]
    assert back.raw == blocks.raw
    replicas = store.batch_get_replica_desc(keys)
    assert all(replicas[key][0].is_memory_replica() for key in keys)
    assert store.remove_all(force=True) == 2 and store.close() == 0


def test_vllm_store_connector_pauses_without_room() -> None:
    store = MooncakeDistributedStore()
    assert store.setup("127.0.0.1", "P2PHANDSHAKE", 0, 1 << 30, "rdma", "", MASTER) == 0
    _, base = memory(bytes(MIB))
    config = ReplicateConfig()
    config.with_hard_pin = True
    keys = [f"block{number}" for number in range(100)]
    codes = store.batch_put_from_multi_buffers(keys, [[base]] * 100, [[MIB]] * 100, config)
    assert -200 in codes and set(codes) == {0, -200}
    assert store.close() == 0


def test_vllm_embedding_connector(segment: MooncakeDistributedStore) -> None:
    embedding, base = memory(os.urandom(3 * PAGE))
    back, to = memory(bytes(3 * PAGE))
    config = ReplicateConfig()
    config.data_type = ObjectDataType.ACTIVATION
    assert [segment.register_buffer(base, 3 * PAGE), segment.register_buffer(to, 3 * PAGE)] == [0, 0]
    assert segment.batch_put_from_multi_buffers(["mm"], [[base, base + PAGE]], [[PAGE, 2 * PAGE]], config) == [0]
    assert segment.batch_is_exist(["mm"]) == [1] and segment.batch_get_into(["mm"], [to], [3 * PAGE]) == [3 * PAGE]
    assert back.raw == embedding.raw
    assert [segment.unregister_buffer(base), segment.unregister_buffer(to)] == [0, 0]


@pytest.mark.parametrize(("protocol", "device"), [("rdma", ""), ("tcp", "eth0")])
def test_vllm_prefill_and_decode(protocol: str, device: str) -> None:
    (prefill, _), (decode, session) = engine(protocol, device), engine(protocol, device)
    source, base = memory(os.urandom(4 * PAGE))
    target, to = memory(bytes(4 * PAGE))
    assert prefill.batch_register_memory([base, base + 2 * PAGE], [2 * PAGE, 2 * PAGE]) == 0
    assert decode.batch_register_memory([to, to + 2 * PAGE], [2 * PAGE, 2 * PAGE]) == 0
    begins = [block * PAGE for block in (3, 1, 0, 2)]
    assert prefill.batch_transfer_sync_write(session, [base + at for at in begins], [to + at for at in begins], [PAGE] * 4) == 0
    assert target.raw == source.raw
    assert decode.batch_unregister_memory([to]) == 0 and decode.unregister_memory(to + 2 * PAGE) == 0
    assert prefill.batch_transfer_sync_write(session, [base], [to], [PAGE]) == -1


# ---- SGLang ----


def test_sglang_hierarchical_cache(segment: MooncakeDistributedStore) -> None:
    made, _ = engine()
    allocator, store = MooncakeHostMemAllocator(), MooncakeDistributedStore()
    more = {"enable_ssd_offload": False, "ssd_offload_path": "", "tenant_id": "default"}
    assert store.setup("127.0.0.1", "P2PHANDSHAKE", 0, 16 * MIB, "rdma", "", MASTER, made.get_engine(), **more) == 0
    pool = allocator.alloc(8 * PAGE)
    assert pool not in (None, 0) and store.register_buffer(pool, 8 * PAGE) == 0
    warm = b"\x00" * 4096
    assert [store.put("sglang_mooncake_store_warmup_key", warm), store.is_exist("sglang_mooncake_store_warmup_key")] == [0, 1]
    assert store.get("sglang_mooncake_store_warmup_key") == warm
    ctypes.memset(pool, 7, 4 * PAGE)
    keys, at = [f"page{number}_0_k" for number in range(4)], [pool + number * PAGE for number in range(4)]
    assert store.batch_put_from(keys, at, [PAGE] * 4) == [0] * 4 and store.batch_put_from(keys, at, [PAGE] * 4, ReplicateConfig()) == [0] * 4
    got = store.batch_get_into([*keys, "none"], [*[one + 4 * PAGE for one in at], pool], [PAGE] * 5)
    assert [result > 0 for result in got] == [True] * 4 + [False] and ctypes.string_at(pool + 4 * PAGE, 4 * PAGE) == b"\7" * 4 * PAGE
    assert store.batch_put_from_multi_buffers(["two"], [[pool, pool + PAGE]], [[PAGE, PAGE]]) == [0]
    assert store.batch_get_into_multi_buffers(["two"], [[pool, pool + PAGE]], [[PAGE, PAGE]]) == [2 * PAGE]
    assert store.remove_all() >= 0 and store.close() == 0 and allocator.free(pool) == 0


def test_sglang_polls_the_segments_of_the_master(segment: MooncakeDistributedStore) -> None:
    port, store = ranks.free_port(), MooncakeDistributedStore()
    assert store.setup("127.0.0.1", "P2PHANDSHAKE", 0, 0, "tcp", "", MASTER, enable_client_http_server=True, client_http_port=port) == 0
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/get_all_segments", timeout=10) as answer:
        assert segment.get_hostname() in answer.read().decode().split()
    assert store.close() == 0


def test_sglang_direct_linker(segment: MooncakeDistributedStore) -> None:
    layers, base = memory(os.urandom(6 * PAGE))
    back, to = memory(bytes(6 * PAGE))
    keys, size = ["page0", "page1"], 3 * PAGE
    assert segment.batch_put_session_start(keys, [size, size], ReplicateConfig()) == [0, 0]
    for layer in range(3):
        at = [[base + (3 * page + layer) * PAGE] for page in range(2)]
        assert segment.batch_put_from_multi_buffer_ranges(keys, at, [[PAGE]] * 2, [[layer * PAGE]] * 2) == [PAGE] * 2
        assert segment.batch_is_exist(keys) == [0, 0]
    assert segment.batch_put_session_end(keys) == [0, 0] and segment.batch_is_exist(keys) == [1, 1]
    assert segment.batch_get_session_start([*keys, "none"]) == [0, 0, -704]
    for layer in range(3):
        into = [[to + (3 * page + layer) * PAGE] for page in range(2)]
        assert segment.batch_get_into_multi_buffer_ranges(keys, into, [[PAGE]] * 2, [[layer * PAGE]] * 2) == [PAGE] * 2
    assert segment.batch_get_session_end(keys) == 0 and back.raw == layers.raw


def test_sglang_disaggregation() -> None:
    (one, _), (other, session) = engine(), engine()
    source, base = memory(os.urandom(2 * PAGE))
    target, to = memory(bytes(2 * PAGE))
    assert one.register_memory(base, 2 * PAGE) == 0 and other.batch_register_memory([to, to + PAGE], [PAGE, PAGE]) == 0
    assert one.send_probe(session) == 0
    assert one.transfer_sync_write(session, base, to, PAGE) >= 0
    assert one.batch_transfer_sync_write(session, [base + PAGE], [to + PAGE], [PAGE]) >= 0
    assert target.raw == source.raw and one.get_engine() is not None
    assert [other.batch_unregister_memory([to, to + PAGE]), one.unregister_memory(base)] == [0, 0]
    assert one.batch_transfer_sync_write(session, [base], [to], [PAGE]) < 0
    assert one.send_probe("127.0.0.1:1") != 0


# ---- LMCache ----


def test_lmcache_connector_and_lookup_client(segment: MooncakeDistributedStore) -> None:
    config = {
        "local_hostname": "127.0.0.1", "metadata_server": "P2PHANDSHAKE", "global_segment_size": "0", "local_buffer_size": "16 MB",
        "protocol": "tcp", "rdma_devices": "", "master_server_addr": MASTER, "transfer_timeout": "1", "storage_root_dir": "",
    }  # fmt: skip
    store, lookup = MooncakeDistributedStore(), MooncakeDistributedStore()
    assert store.setup(config) == 0 and lookup.setup("127.0.0.1", "P2PHANDSHAKE", 0, 16 * MIB, "tcp", "", MASTER) == 0
    bind_to_numa_node(0)
    assert store.get_hostname()
    chunk, base = memory(os.urandom(2 * PAGE))
    back, to = memory(bytes(2 * PAGE))
    assert [store.register_buffer(base, 2 * PAGE), store.register_buffer(to, 2 * PAGE)] == [0, 0]
    meta, kv = b"m" * 28, memoryview(chunk).cast("B")
    assert store.put_parts("vllm@model@1@0@parts", meta, kv) == 0
    (got,) = store.batch_get_buffer(["vllm@model@1@0@parts"])
    assert got is not None and bytes(memoryview(got)) == meta + chunk.raw
    assert [store.put_from("one", base, PAGE), *store.batch_put_from(["two"], [base], [2 * PAGE], ReplicateConfig())] == [0, 0]
    assert [store.is_exist("one"), store.is_exist("none")] == [1, 0] and lookup.batch_is_exist(["one", "two", "none"]) == [1, 1, 0]
    assert store.batch_get_into(["one", "two"], [to, to], [PAGE, 2 * PAGE]) == [PAGE, 2 * PAGE] and back.raw == chunk.raw
    assert [store.unregister_buffer(base), store.unregister_buffer(to), store.close(), lookup.close()] == [0] * 4


def test_lmcache_transfer_channel() -> None:
    (one, _), (other, session) = engine(), engine()
    source, base = memory(os.urandom(2 * PAGE))
    target, to = memory(bytes(2 * PAGE))
    assert [other.register_memory(base, 2 * PAGE), one.register_memory(to, 2 * PAGE)] == [0, 0]
    number = one.batch_transfer_async_read(session, [to, to + PAGE], [base, base + PAGE], [PAGE, PAGE])
    deadline = time.monotonic() + 60
    while (status := one.transfer_check_status(number)) == 0:
        assert time.monotonic() < deadline
    assert number != 0 and status == 1 and target.raw == source.raw
    assert [one.unregister_memory(to), other.unregister_memory(base)] == [0, 0]


# ---- vllm-ascend ----


def test_vllm_ascend_backend(segment: MooncakeDistributedStore) -> None:
    made, _ = engine()
    setup = MooncakeDistributedStore.setup
    assert "enable_ssd_offload" in inspect.signature(setup).parameters or "enable_ssd_offload" in (setup.__doc__ or "")
    store = MooncakeDistributedStore()
    named = {
        "local_hostname": "127.0.0.1", "metadata_server": "P2PHANDSHAKE", "global_segment_size": 0, "local_buffer_size": 0,
        "protocol": "ascend", "rdma_devices": "", "master_server_addr": MASTER, "engine": made.get_engine(),
        "enable_ssd_offload": True, "ssd_offload_path": "/tmp",
    }  # fmt: skip
    assert store.setup(**named) == 0, mf_smem.get_last_err_msg()
    blocks, base = memory(os.urandom(4 * PAGE))
    config = ReplicateConfig()
    config.preferred_segment, config.prefer_alloc_in_same_node = segment.get_hostname(), True
    assert store.batch_put_from_multi_buffers(["a", "b"], [[base, base + PAGE], [base + 2 * PAGE]], [[PAGE, PAGE], [2 * PAGE]], config) == [0, 0]
    assert store.batch_is_exist(["a", "b", "c"]) == [1, 1, 0]
    back, to = memory(bytes(4 * PAGE))
    into = [[to, to + PAGE], [to + 2 * PAGE]]
    assert store.batch_get_into_multi_buffers(["a", "b"], into, [[PAGE, PAGE], [2 * PAGE]], True) == [2 * PAGE, 2 * PAGE]
    assert back.raw == blocks.raw and store.close() == 0


def test_vllm_ascend_prefill_and_decode() -> None:
    (one, _), (other, session) = engine("ascend", "0"), engine("ascend", "0")
    source, base = memory(os.urandom(2 * PAGE))
    target, to = memory(bytes(2 * PAGE))
    assert [one.register_memory(base, 2 * PAGE), other.register_memory(to, 2 * PAGE)] == [0, 0]
    assert one.batch_transfer_sync_write(session, [base], [to], [2 * PAGE]) == 0 and target.raw == source.raw
    ctypes.memset(base, 0, 2 * PAGE)
    assert one.batch_transfer_sync_read(session, [base, base + PAGE], [to, to + PAGE], [PAGE, PAGE]) == 0
    assert source.raw == target.raw and one.get_engine() is not None


# ---- TransferQueue ----


def test_transfer_queue_client(segment: MooncakeDistributedStore) -> None:
    store = MooncakeDistributedStore()
    assert store.setup("127.0.0.1", "P2PHANDSHAKE", 0, 16 * MIB, "tcp", "", MASTER) == 0
    batch, base = memory(os.urandom(2 * PAGE))
    assert store.register_buffer(base, 2 * PAGE) == 0
    config = ReplicateConfig()
    config.with_hard_pin = True
    keys, at, sizes = ["0@input_ids", "1@input_ids"], [base, base + PAGE], [PAGE, PAGE]
    for _ in range(2):
        assert store.batch_upsert_from(keys, at, sizes, config=config) == [0, 0]
    back, to = memory(bytes(2 * PAGE))
    assert store.batch_get_into(keys, [to, to + PAGE], sizes) == sizes and back.raw == batch.raw
    # Values that were read just before are removed.
    assert store.batch_remove(keys, force=True) == [0, 0] and store.batch_is_exist(keys) == [0, 0]
    assert store.unregister_buffer(base) == 0 and store.close() == 0
