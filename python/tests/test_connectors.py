# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_connectors``: on the engines' own interfaces where they are installed (tried: SGLang 0.5.23, vLLM 0.33.0, LMCache
0.5.6), else skipped; and the decisions of vLLM's connector, without vLLM."""

from __future__ import annotations

import os
import select
from types import SimpleNamespace
from typing import Any

import pytest

import ranks

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")


def needed(module: str, package: str) -> Any:
    """A module of an engine, which may be there without all that it needs."""
    return pytest.importorskip(module, reason=f"pip install {package}", exc_type=ImportError)


def _options(number: int) -> dict[str, Any]:
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    return {"store_url": url, "world_size": 1, "rank": 0, "contribution": "8MiB", "id": number}


def test_options_are_checked() -> None:
    from mf_connectors._shared import Options

    options = Options.of({"store_url": "tcp://127.0.0.1:5570", "contribution": "32GiB"})
    assert (options.contribution, options.replicas, options.world_size) == ("32GiB", 1, 64)
    scheduler = options.contributing("2MiB")
    assert (scheduler.contribution, scheduler.max_contribution) == ("2MiB", "32GiB")
    with pytest.raises(ValueError, match="no such option: contributions"):
        Options.of({"store_url": "tcp://127.0.0.1:5570", "contributions": 1})
    with pytest.raises(ValueError, match="store_url is needed"):
        Options.of({})


def test_parts_of_an_engine_share_a_cache() -> None:
    from mf_connectors._shared import Options, close_cache, open_cache

    options = Options.of(_options(60))
    cache = open_cache(options)
    assert open_cache(options) is cache
    close_cache(options)
    assert not cache.closed
    close_cache(options)
    assert cache.closed


def test_keys_of_different_models_never_collide() -> None:
    from mf_connectors._shared import prefix

    assert prefix("a/b", "c") != prefix("a", "b/c") and prefix("a%2fb") != prefix("a/b")


def test_hashes_of_blocks_follow_the_tokens() -> None:
    from mf_connectors._blocks import block_hashes, seeds_of

    tokens = list(range(100))
    hashes = block_hashes(tokens, 16, 6)
    assert len(hashes) == len(set(hashes)) == 6 and hashes == block_hashes(tokens[:96], 16, 6)
    assert block_hashes([*tokens[:40], 7, *tokens[41:]], 16, 6)[:2] == hashes[:2]
    assert not set(block_hashes([7, *tokens[1:]], 16, 6)) & set(hashes)
    salted = SimpleNamespace(cache_salt="user", lora_request=None, mm_features=[])
    assert not set(block_hashes(tokens, 16, 6, *seeds_of(salted))) & set(hashes)


def test_a_prompt_is_loaded_and_saved_block_by_block() -> None:
    from mf_connectors._blocks import Planner, Step

    planner, names = Planner(16), [bytes([number]) for number in range(6)]
    planner.begin("r", names)
    # One block is here, two more are in the cache.
    assert planner.ask("r", 16) == names[1:] and planner.ask("r", 20) == []
    planner.ask("r", 16)
    planner.load("r", 32)
    planner.add("r", [10, 11, 12, 13], replace=True)
    step = Step()
    planner.step("r", 16 * 3 + 10, step)
    assert step.loads == [(11, names[1]), (12, names[2])] and step.saves == []
    planner.add("r", [14, 15, 16])
    for computed, saves in ((75, [(13, names[3])]), (79, []), (101, [(14, names[4]), (15, names[5])]), (102, [])):
        step = Step()
        planner.step("r", computed, step)
        assert (step.loads, step.saves) == ([], saves)
    planner.end("r")
    planner.step("r", 200, step)
    assert not planner.has("r")


def test_blocks_are_found_in_the_shapes_of_layers() -> None:
    from mf_connectors._blocks import block_dimension

    assert block_dimension((2, 100, 16, 8, 64), 100) == 1 and block_dimension((100, 2, 16, 8, 64), 100) == 0
    assert block_dimension((100, 16, 576), 100) == 0
    with pytest.raises(ValueError, match="blocks"):
        block_dimension((16, 8, 100), 100)


def test_sglang_stores_pages() -> None:
    torch, storage = needed("torch", "torch"), needed("sglang.srt.mem_cache.hicache_storage", "sglang")
    from mf_connectors.sglang import MfHiCache

    class Pool:
        """Stands for the engine's host pool, which needs its kernels: pages of 4 tokens, 8 numbers each."""

        layout, dtype, page_size = "page_first", torch.float32, 4

        def __init__(self) -> None:
            self.data = torch.arange(320, dtype=torch.float32).reshape(40, 8)

        def get_data_page(self, index: int, flat: bool = True) -> Any:
            return self.data[index : index + 4].clone().flatten()

        def get_dummy_flat_data_page(self) -> Any:
            return torch.zeros(32)

        def set_from_flat_data_page(self, index: int, page: Any) -> None:
            self.data[index : index + 4] = page.reshape(4, 8)

    config = SimpleNamespace(
        extra_config={"cache": _options(59)}, tp_rank=0, tp_size=1, pp_rank=0, pp_size=1, attn_cp_rank=0, attn_cp_size=1,
        is_mla_model=False, model_name="org/model",
    )
    backend = MfHiCache(config, {})
    assert isinstance(backend, storage.HiCacheStorage)
    pool = Pool()
    backend.register_mem_pool_host(pool)
    indices, expected = torch.arange(12), pool.data[:12].clone()
    assert backend.batch_set_v1(["a", "b", "c"], indices) == [True] * 3
    assert backend.batch_set_v1(["a", "b", "c"], indices) == [True] * 3
    assert backend.batch_exists(["a", "b", "none", "c"]) == 2 and backend.exists("c") and not backend.exists("none")
    pool.data.zero_()
    assert backend.batch_get_v1(["a", "none", "b"], torch.arange(20, 32)) == [True, False, True]
    assert (pool.data[20:24] == expected[:4]).all() and (pool.data[28:32] == expected[4:8]).all() and (pool.data[24:28] == 0).all()
    assert backend.batch_get_v1(["c"], torch.arange(36, 40)) == [True]
    assert backend.set("one", torch.ones(32)) and (backend.get("one", torch.zeros(32)) == 1).all()
    assert backend.get("none", torch.zeros(32)) is None and backend.batch_set(["x", "y"], [torch.ones(3), torch.ones(3)])
    backend.close()
    backend.close()


def test_lmcache_stores_objects() -> None:
    needed("torch", "torch")
    base = needed("lmcache.v1.distributed.l2_adapters.base", "lmcache")
    native = needed("lmcache.lmcache_native", "lmcache")
    import ctypes

    from mf_connectors.lmcache import MfL2Adapter

    class Thing:
        """Stands for an object in the engine's own memory."""

        def __init__(self, data: bytes) -> None:
            self.room = ctypes.create_string_buffer(data, len(data))
            self.data_ptr = ctypes.addressof(self.room)

        def get_size(self) -> int:
            return len(self.room)

    adapter = MfL2Adapter(_options(58))
    assert isinstance(adapter, base.L2AdapterInterface)
    keys = [SimpleNamespace(model_name="m", kv_rank=0, object_group_id=0, cache_salt="", chunk_hash=bytes([n])) for n in range(4)]
    things = [Thing(os.urandom(1000)) for _ in range(3)]

    def wait(descriptor: int) -> None:
        assert select.select([descriptor], [], [], ranks.DEADLINE_S)[0]
        os.eventfd_read(descriptor)

    task = adapter.submit_store_task(keys[:3], things)
    wait(adapter.get_store_event_fd())
    assert adapter.pop_completed_store_tasks()[task].bytes_transferred() == 3000
    task = adapter.submit_lookup_and_lock_task(keys, {})
    wait(adapter.get_lookup_and_lock_event_fd())
    found = adapter.query_lookup_and_lock_result(task)
    assert isinstance(found, native.Bitmap) and [found.test(n) for n in range(4)] == [True, True, True, False]
    assert adapter.query_lookup_and_lock_result(task) is None
    rooms = [Thing(bytes(1000)) for _ in range(4)]
    task = adapter.submit_load_task(keys, rooms)
    wait(adapter.get_load_event_fd())
    loaded = adapter.query_load_result(task)
    assert [loaded.test(n) for n in range(4)] == [True, True, True, False]
    assert [room.room.raw for room in rooms[:3]] == [thing.room.raw for thing in things]
    adapter.delete(keys[:1])
    assert adapter.report_status()["is_healthy"]
    adapter.close()
    adapter.close()


def test_vllm_loads_and_saves_blocks() -> None:
    torch, base = needed("torch", "torch"), needed("vllm.distributed.kv_transfer.kv_connector.v1.base", "vllm")
    from mf_connectors.vllm import MfConnector

    def config() -> Any:
        return SimpleNamespace(
            kv_transfer_config=SimpleNamespace(kv_connector_extra_config=options, is_kv_producer=True),
            cache_config=SimpleNamespace(block_size=4, cache_dtype="auto"),
            model_config=SimpleNamespace(model="org/model", dtype=torch.float32),
            parallel_config=SimpleNamespace(tensor_parallel_size=1, pipeline_parallel_size=1, rank=0),
        )

    def asked(name: str) -> Any:
        return SimpleNamespace(request_id=name, prompt_token_ids=list(range(10)), cache_salt=None, lora_request=None, mm_features=[])

    def step(name: str, blocks: list[int], computed: int, scheduled: int) -> Any:
        new = SimpleNamespace(req_id=name, block_ids=(blocks,), num_computed_tokens=computed)
        cached = SimpleNamespace(req_ids=[], new_block_ids=[], num_computed_tokens=[], resumed_req_ids=set())
        return SimpleNamespace(scheduled_new_reqs=[new], scheduled_cached_reqs=cached, num_scheduled_tokens={name: scheduled})

    options = _options(57)
    blocks = SimpleNamespace(num_blocks=8)
    scheduler = MfConnector(config(), base.KVConnectorRole.SCHEDULER, blocks)
    worker = MfConnector(config(), base.KVConnectorRole.WORKER, blocks)
    # Both layouts: keys and values in front of the blocks, and behind.
    layers = {"layers.0": torch.rand(2, 8, 4, 3), "layers.1": torch.rand(8, 2, 4, 3)}
    worker.register_kv_caches(layers)

    def run(meta: Any) -> None:
        worker.bind_connector_metadata(meta)
        worker.start_load_kv(None)
        worker.wait_for_save()
        worker.clear_connector_metadata()

    # The first request computes its prompt: two whole blocks, and a rest.
    first = asked("first")
    assert scheduler.get_num_new_matched_tokens(first, 0) == (0, False)
    scheduler.update_state_after_alloc(first, None, 0)
    run(scheduler.build_connector_meta(step("first", [5, 6, 7], 0, 10)))
    scheduler.request_finished(first, [5, 6, 7])
    # The second finds them, behind a block that it has itself.
    second = asked("second")
    assert scheduler.get_num_new_matched_tokens(second, 0) == (8, False)
    assert scheduler.get_num_new_matched_tokens(second, 4) == (4, False)
    scheduler.update_state_after_alloc(second, None, 4)
    run(scheduler.build_connector_meta(step("second", [1, 2, 3], 8, 2)))
    assert (layers["layers.0"][:, 2] == layers["layers.0"][:, 6]).all() and (layers["layers.1"][2] == layers["layers.1"][6]).all()
    assert not (layers["layers.0"][:, 1] == layers["layers.0"][:, 5]).all() and worker.get_block_ids_with_load_errors() == set()
    # The third finds a block that is gone when it is loaded.
    third = asked("third")
    assert scheduler.get_num_new_matched_tokens(third, 0) == (8, False)
    scheduler.update_state_after_alloc(third, None, 8)
    meta = scheduler.build_connector_meta(step("third", [0, 4, 3], 8, 2))
    for name in (key for _, hashed in meta.step.loads[1:] for key in [worker._own_key(hashed)]):
        assert worker._cache.remove(name)
    run(meta)
    assert worker.get_block_ids_with_load_errors() == {4} and (layers["layers.1"][0] == layers["layers.1"][5]).all()
    scheduler.shutdown()
    worker.shutdown()
    worker.shutdown()
