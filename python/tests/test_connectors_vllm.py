# SPDX-License-Identifier: Apache-2.0 OR MIT
"""vLLM's connector on vLLM's own classes (tried: 0.33.0).

Real: KVConnectorBase_V1 and SupportsHMA, the specs and KVCacheConfig, the hashes of block_hashes' extra keys,
KVEventBatch, statistics and Prometheus, and the coordinator of hits of MooncakeStoreConnector, which hits are
compared to. Stand-ins: the configuration, the scheduler's output and the modules that `engines` leaves out.
"""

from __future__ import annotations

import pickle
import random
from types import SimpleNamespace
from typing import Any

import pytest

from engines import needed
from test_connectors import options, wait_until

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")

_BASE = "vllm.distributed.kv_transfer.kv_connector.v1.base"
_SPECS = "vllm.v1.kv_cache_interface"


def _config(
    cache: dict[str, Any], events: bool = False, workers: int = 1, rank: int = 0, **model: Any
) -> Any:
    import torch

    return SimpleNamespace(
        kv_transfer_config=SimpleNamespace(kv_connector_extra_config=cache, is_kv_producer=True),
        cache_config=SimpleNamespace(block_size=4, cache_dtype="auto"),
        model_config=SimpleNamespace(**{"model": "org/model", "dtype": torch.float32, **model}),
        parallel_config=SimpleNamespace(tensor_parallel_size=workers, pipeline_parallel_size=1, rank=rank),
        kv_events_config=SimpleNamespace(enable_kv_cache_events=events),
        speculative_config=None,
    )


def _groups(blocks: int, *groups: tuple[list[str], Any]) -> Any:
    (specs,) = needed("vllm", _SPECS)
    return specs.KVCacheConfig(blocks, [], [specs.KVCacheGroupSpec(names, spec) for names, spec in groups])


def _full(tokens: int = 4) -> Any:
    import torch

    (specs,) = needed("vllm", _SPECS)
    return specs.FullAttentionSpec(block_size=tokens, num_kv_heads=1, head_size=3, dtype=torch.float32)


def _five(mode: str = "align") -> Any:
    """The groups of `engine_model`, as vLLM describes them."""
    import torch

    (specs,) = needed("vllm", _SPECS)

    def window(tokens: int, reach: int) -> Any:
        return specs.SlidingWindowSpec(
            block_size=tokens, num_kv_heads=1, head_size=1, dtype=torch.int32, sliding_window=reach + 1)

    def state(tokens: int) -> Any:
        return specs.MambaSpec(
            block_size=tokens, shapes=((1,),), dtypes=(torch.int32,), mamba_cache_mode=mode
        )

    return _groups(256, (["full"], _full()), (["near"], window(4, 7)), (["far"], window(8, 17)),
                   (["state"], state(8)), (["slow"], state(16)))


def _asked(name: str, tokens: list[int] | None = None, **fields: Any) -> Any:
    tokens = list(range(10)) if tokens is None else tokens
    return SimpleNamespace(
        **{
            "request_id": name,
            "prompt_token_ids": tokens,
            "prompt_embeds": None,
            "cache_salt": None,
            "lora_request": None,
            "mm_features": [],
            "block_hashes": [bytes([number]) * 32 for number in range(len(tokens) // 4)],
            **fields,
        }
    )


def _step(
    name: str, tables: list[list[int]], computed: int, scheduled: int, is_new: bool = True, states: Any = ()
) -> Any:
    new = SimpleNamespace(req_id=name, block_ids=tuple(tables), num_computed_tokens=computed)
    cached = SimpleNamespace(
        req_ids=[] if is_new else [name], new_block_ids=[] if is_new else [tuple(tables)],
        num_computed_tokens=[] if is_new else [computed], resumed_req_ids=set(),
    )
    return SimpleNamespace(
        scheduled_new_reqs=[new] if is_new else [],
        scheduled_cached_reqs=cached,
        num_scheduled_tokens={name: scheduled},
        kv_connector_block_state=SimpleNamespace(boundary_state_offloads={name: list(states)}),
    )


def _blocks(tables: list[list[int]]) -> Any:
    return SimpleNamespace(get_block_ids=lambda: tuple(tables))


def _run(worker: Any, meta: Any) -> None:
    """A step of the model runner, until its moves have ended."""
    worker.bind_connector_metadata(meta)
    worker.start_load_kv(None)
    worker.wait_for_save()
    worker.clear_connector_metadata()
    worker._works().drain()


class _Pair:
    """A scheduler's connector and the workers'."""

    def __init__(self, number: int, layout: Any, layers: list[dict[str, Any]], events: bool = False) -> None:
        from mf_connectors.vllm import MfConnector

        (base,) = needed("vllm", _BASE)
        cache, count = options(number), len(layers)
        self.scheduler = MfConnector(_config(cache, events, count), base.KVConnectorRole.SCHEDULER, layout)
        self.workers = []
        for rank, tensors in enumerate(layers):
            worker = MfConnector(_config(cache, events, count, rank), base.KVConnectorRole.WORKER, layout)
            worker.register_kv_caches(tensors)
            self.workers.append(worker)

    def run(self, output: Any) -> Any:
        # Workers are other processes.
        meta = pickle.loads(pickle.dumps(self.scheduler.build_connector_meta(output)))
        for worker in self.workers:
            _run(worker, meta)
            report = pickle.loads(pickle.dumps(worker.build_connector_worker_meta()))
            self.scheduler.update_connector_output(SimpleNamespace(kv_connector_worker_meta=report))
        return meta

    def load(self, request: Any, tables: list[list[int]], tokens: int) -> Any:
        """A step that only loads."""
        self.scheduler.update_state_after_alloc(request, _blocks(tables), tokens)
        nothing = _step("nobody", [[] for _ in tables], 0, 0, is_new=False)
        nothing.scheduled_cached_reqs.req_ids = []
        return self.run(nothing)

    def close(self) -> None:
        for one in (self.scheduler, *self.workers):
            one.shutdown()
            one.shutdown()


def test_blocks_are_found_in_the_shapes_of_layers() -> None:
    needed("vllm", _BASE)
    import torch

    from mf_connectors._vllm_layers import blocks_in_front

    shapes = [(2, 100, 16, 8), (100, 2, 16, 8), (100, 16, 576), (200, 8, 5), (2, 200, 8, 5)]
    fronts = [(100, 2, 16, 8), (100, 2, 16, 8), (100, 16, 576), (100, 2, 8, 5), (100, 2, 2, 8, 5)]
    assert [tuple(blocks_in_front(torch.zeros(shape), 100).shape) for shape in shapes] == fronts
    with pytest.raises(ValueError, match="blocks"):
        blocks_in_front(torch.zeros(16, 8, 100), 100)


def test_blocks_are_saved_and_loaded_while_the_request_waits() -> None:
    (base,) = needed("vllm", _BASE)
    import torch

    from mf_connectors.vllm import MfConnector

    assert base.supports_hma(MfConnector)
    # Both layouts: keys and values in front of the blocks, and behind.
    layers = {"layers.0": torch.rand(2, 8, 4, 3), "layers.1": torch.rand(8, 2, 4, 3).to(torch.bfloat16)}
    pair = _Pair(57, _groups(8, (list(layers), _full())), [layers])
    worker = pair.workers[0]
    # The first request computes its prompt: two whole blocks, and a rest.
    first = _asked("first")
    assert pair.scheduler.get_num_new_matched_tokens(first, 0) == (0, False)
    pair.run(_step("first", [[5, 6, 7]], 0, 10))
    assert pair.scheduler.request_finished_all_groups(first, ([5, 6, 7],)) == (False, None)
    # The second finds them, behind a block that it has itself; none behind half a block.
    second = _asked("second")
    assert pair.scheduler.get_num_new_matched_tokens(second, 0) == (8, True)
    assert pair.scheduler.get_num_new_matched_tokens(second, 5) == (0, False)
    assert pair.scheduler.get_num_new_matched_tokens(second, 4) == (4, True)
    pair.load(second, [[1, 2]], 4)
    assert worker.get_transfer_results(set()).finished_recving == {"second"}
    assert (layers["layers.0"][:, 2] == layers["layers.0"][:, 6]).all() and (
        layers["layers.1"][2] == layers["layers.1"][6]
    ).all()
    assert not (layers["layers.0"][:, 1] == layers["layers.0"][:, 5]).all()
    # The third finds a block that is gone when it is loaded: with one group, its number says so.
    third = _asked("third")
    assert pair.scheduler.get_num_new_matched_tokens(third, 0) == (8, True)
    lost = pair.scheduler._schedules()._planner.get("third").hashes[1]
    assert worker._cache.remove(worker._own_key(0, lost))
    pair.load(third, [[3, 4]], 8)
    results = worker.get_transfer_results(set())
    assert (results.finished_recving, results.failed_recving) == ({"third"}, set())
    assert worker.get_block_ids_with_load_errors() == {4} and worker.get_block_ids_with_load_errors() == set()
    assert (layers["layers.1"][3] == layers["layers.1"][5]).all()
    # The engine computes from the lost block on, and saves it again.
    pair.run(_step("third", [[3, 4, 0]], 4, 6))
    assert pair.scheduler.get_num_new_matched_tokens(_asked("fourth"), 0) == (8, True)
    pair.close()


def test_two_workers_must_both_have_a_block() -> None:
    import_torch = pytest.importorskip("torch", reason="apt-get install python3-torch")
    needed("vllm", _BASE)
    layers = [{"layer": import_torch.rand(8, 2, 4, 3)} for _ in range(2)]
    pair = _Pair(57, _groups(8, (["layer"], _full())), layers)
    pair.scheduler.get_num_new_matched_tokens(_asked("first"), 0)
    pair.run(_step("first", [[5, 6, 7]], 0, 10))
    assert pair.scheduler.get_num_new_matched_tokens(_asked("second"), 0) == (8, True)
    planned = pair.scheduler._schedules()._planner.get("second")
    assert pair.workers[1]._cache.remove(pair.workers[1]._own_key(0, planned.hashes[1]))
    assert pair.scheduler.get_num_new_matched_tokens(_asked("third"), 0) == (4, True)
    pair.close()


class _Connected:
    """The real connector under the model of an engine."""

    pair: _Pair

    def __init__(self) -> None:
        self._requests: dict[str, Any] = {}

    def ask(self, request_id: str, prompt: Any, computed: int) -> int:
        self._requests[request_id] = _asked(request_id, list(prompt))
        found, waits = self.pair.scheduler.get_num_new_matched_tokens(self._requests[request_id], computed)
        assert waits == (found > 0)
        return found

    def load(self, request_id: str, tables: list[list[int]], tokens: int) -> None:
        self.pair.load(self._requests[request_id], tables, tokens)
        results = self.pair.workers[0].get_transfer_results(set())
        assert (results.finished_recving, results.failed_recving) == ({request_id}, set())

    def step(self, request_id: str, added: Any, computed: int, count: int, is_new: bool, states: Any) -> None:
        self.pair.run(_step(request_id, added, computed, count, is_new, states))

    def end(self, request_id: str) -> None:
        self.pair.scheduler.request_finished_all_groups(self._requests.pop(request_id), ())


def test_hybrid_models_are_restored_bit_by_bit() -> None:
    """Five groups, a real cache that loses blocks; the model checks every number that a restored prefix
    needs."""
    needed("vllm", _BASE)
    import torch

    from engine_model import STEP, Engine

    connected = _Connected()
    engine = Engine(connected, seed=3)
    # The model and the layers share the memory; a state's layer has several tensors.
    memory = [torch.from_numpy(part.view("int32")) for part in engine.memory]
    layers = {
        "full": memory[0],
        "near": memory[1],
        "far": memory[2],
        "state": [memory[3]],
        "slow": (memory[4],),
    }
    connected.pair = pair = _Pair(57, _five(), [layers])
    worker = pair.workers[0]
    chance = random.Random(3)
    bases = [[chance.randrange(50_000) for _ in range(140)] for _ in range(5)]
    hits = 0
    for _ in range(300):
        prompt = bases[chance.randrange(5)][: chance.randint(1, 140)]
        local = chance.choice([0, 0, chance.randrange(len(prompt)) // STEP * STEP])
        hits += engine.run(prompt, local) > local
        for key in (
            chance.sample(sorted(worker._cache.keys()), chance.randint(0, 3)) if chance.random() < 0.5 else ()
        ):
            worker._cache.remove(key)
    assert hits > 50
    # A lost state fails its request, since a number of a block may be of any group.
    prompt = [1_000_000 + number for number in range(40)]
    engine.random = random.Random(1)
    while not pair.scheduler.get_num_new_matched_tokens(_asked("probe", prompt), 0)[1]:
        engine.run(prompt)
        pair.scheduler.request_finished(_asked("probe"), [])
    request = _asked("last", prompt)
    tokens, _ = pair.scheduler.get_num_new_matched_tokens(request, 0)
    for key in worker._cache.keys():
        worker._cache.remove(key)
    pair.load(request, [[block + 1 for block in range(20)] for _ in range(5)], tokens)
    results = worker.get_transfer_results(set())
    assert (
        results.finished_recving == results.failed_recving == {"last"}
        and worker.get_block_ids_with_load_errors() == set()
    )
    pair.close()


def test_hits_are_those_of_vllms_own_coordinator() -> None:
    """2,000 random sets of blocks of five groups; also with a drafting layer, for which the last block is
    computed again."""
    (coordinators,) = needed(
        "vllm", "vllm.distributed.kv_transfer.kv_connector.v1.mooncake.store.coordinator"
    )
    needed("vllm", _BASE)
    from mf_connectors._groups import longest_hit
    from mf_connectors._vllm_model import groups_of

    class Exists:
        def __init__(self, known: set[tuple[int, bytes]]) -> None:
            self.known = known

        def leading(self, blocks: Any) -> int:
            return next((place for place, block in enumerate(blocks) if block not in self.known), len(blocks))

        def exists(self, blocks: Any) -> list[bool]:
            return [block in self.known for block in blocks]

    chance, found = random.Random(7), 0
    for drafts in (False, True):
        layout = _five()
        layout.kv_cache_groups[0].is_eagle_group = drafts
        groups = groups_of(_config({}), layout)
        theirs = coordinators.MooncakeStoreCoordinator(layout.kv_cache_groups, 16, 4, drafts)
        hashes = [bytes([number]) * 32 for number in range(40)]
        for _ in range(1_000):
            share = chance.choice([0.5, 0.9, 0.97, 1.0])
            known = {(index, one) for index in range(5) for one in hashes if chance.random() < share}
            most = chance.randint(1, 160)
            _, expected = theirs.find_longest_cache_hit(
                hashes, most, coordinators.ExternalCachedBlockPool(4, known)
            )
            ours = longest_hit(groups, 4, hashes, 0, most, Exists(known))
            assert ours == expected, (drafts, share, most, sorted((group, one[0]) for group, one in known))
            found += ours > 0
    assert found > 500


def test_blocks_differ_by_what_vllm_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two prompts have a block in common exactly where vLLM's own extra keys are equal."""
    (utils,) = needed("vllm", "vllm.v1.core.kv_cache_utils")
    import torch

    # Of a module that is a stand-in.
    monkeypatch.setattr(utils, "tensor_data", lambda tensor: tensor.numpy().tobytes())

    from mf_connectors._blocks import Prompt

    def place(first: int, count: int) -> Any:
        return SimpleNamespace(offset=first, length=count)

    def media(*all_of: tuple[str, int, int]) -> list[Any]:
        return [
            SimpleNamespace(identifier=name, mm_position=place(first, count)) for name, first, count in all_of
        ]

    rows = torch.rand(40, 4)
    requests = [
        _asked("plain", list(range(40))), _asked("salted", list(range(40)), cache_salt="user"),
        *(_asked(name, list(range(40)), mm_features=media((name, 9, 13))) for name in ("cat", "dog")),
        _asked("two", list(range(40)), mm_features=media(("cat", 9, 13), ("dog", 30, 2))),
        _asked("adapted", list(range(40)), lora_request=SimpleNamespace(lora_name="a", lora_path="p")),
        _asked("embedded", list(range(40)), prompt_embeds=rows),
        _asked("embedded too", list(range(40)), prompt_embeds=torch.cat([rows[:20], rows[:20]])),
    ]

    def vllms(request: Any) -> list[Any]:
        request._prompt_embeds_per_block_hashes = {}
        chain, keys, next_medium = [], (), 0
        for first in range(0, 40, 4):
            extra, next_medium = utils.generate_block_hash_extra_keys(request, first, first + 4, next_medium)
            keys = (*keys, extra)
            chain.append(keys)
        return chain

    for one in requests:
        for other in requests:
            ours = [a == b for a, b in zip(Prompt.of(one).hashes(4), Prompt.of(other).hashes(4))]
            assert ours == [a == b for a, b in zip(vllms(one), vllms(other))], (
                one.request_id,
                other.request_id,
            )


def test_keys_tell_versions_and_layouts_of_a_model_apart() -> None:
    (specs,) = needed("vllm", _SPECS)
    import torch

    from mf_connectors._vllm_model import key_prefix

    def prefix(layout: Any = None, **model: Any) -> str:
        return key_prefix(_config({}, **model), layout or _groups(8, (["a"], _full())))

    def rope(config: Any) -> Any:
        return config

    prefixes = [
        prefix(), prefix(revision="v2"), prefix(quantization="fp8"), prefix(hf_overrides={"rope_theta": 1.0}),
        prefix(hf_overrides={"rope_theta": 2.0}), prefix(hf_overrides=rope), prefix(dtype=torch.bfloat16),
        prefix(_groups(8, (["a"], _full(8)))), prefix(_five()), prefix(model="org/other"),
    ]
    assert len(set(prefixes)) == len(prefixes) and all("0x" not in one for one in prefixes)
    assert prefix(hf_overrides={"a": 1, "b": 2}) == prefix(hf_overrides={"b": 2, "a": 1})
    assert prefix(hf_overrides=rope) == prefix(hf_overrides=rope) and prefix(revision=None) == prefix()
    other = _groups(8, (["a"], _full()))
    other.kv_cache_layout = "HND"
    assert prefix(other) != prefix()
    # Differences between the scheduler and the stages of a pipeline do not count.
    uniform = specs.UniformTypeKVCacheSpecs(block_size=4, kv_cache_specs={"b": _full()})
    assert prefix(_groups(8, (["b"], uniform))) == prefix()


def test_layers_that_cannot_be_restored_are_refused() -> None:
    (specs,) = needed("vllm", _SPECS)
    import torch

    from mf_connectors._vllm_model import groups_of

    with pytest.raises(ValueError, match="--mamba-cache-mode align"):
        groups_of(_config({}), _five("none"))
    cross = specs.CrossAttentionSpec(block_size=4, num_kv_heads=1, head_size=1, dtype=torch.float32)
    with pytest.raises(ValueError, match="CrossAttentionSpec"):
        groups_of(_config({}), _groups(8, (["a"], _full()), (["b"], cross)))
    config = _config({})
    config.parallel_config.decode_context_parallel_size = 2
    with pytest.raises(ValueError, match="decode_context_parallel_size must be 1, and is 2"):
        groups_of(config, _groups(8, (["a"], _full())))


def test_stored_and_lost_blocks_are_events() -> None:
    (events,) = needed("vllm", "vllm.distributed.kv_events")
    import msgspec
    import torch

    from mf_connectors.vllm import MfWorkerMetadata

    layers = [{"layer": torch.rand(8, 2, 4, 3)} for _ in range(2)]
    pair = _Pair(57, _groups(8, (["layer"], _full())), layers, events=True)
    scheduler = pair.scheduler
    scheduler._schedules()._events._watch.close()
    request = _asked(
        "first",
        mm_features=[SimpleNamespace(identifier="cat", mm_position=SimpleNamespace(offset=5, length=2))],
        cache_salt="user",
    )
    scheduler.get_num_new_matched_tokens(request, 0)
    meta = scheduler.build_connector_meta(_step("first", [[5, 6, 7]], 0, 10))
    # A block counts when both workers have saved it, in one report or in two.
    first, second = {(0, b"a"): 1}, {(0, b"a"): 1, (0, b"b"): 1}
    both = MfWorkerMetadata(first).aggregate(MfWorkerMetadata(second))
    assert both.saved == {(0, b"a"): 2, (0, b"b"): 1}
    for worker, expected in zip(pair.workers, (0, 2)):
        _run(worker, meta)
        report = worker.build_connector_worker_meta()
        scheduler.update_connector_output(SimpleNamespace(kv_connector_worker_meta=report))
        found = scheduler.take_events()
        assert len(found) == expected
    stored = found
    number = [int.from_bytes(bytes([place]) * 8, "big") for place in range(2)]
    assert [(one.block_hashes, one.parent_block_hash) for one in stored] == [
        ([number[0]], None),
        ([number[1]], number[0]),
    ]
    assert [one.token_ids for one in stored] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert [one.extra_keys for one in stored] == [[("user",)], [(("cat", 1),)]]
    assert {
        (one.medium, one.locality, one.ownership, one.group_idx, one.kv_cache_spec_kind) for one in stored
    } == {("EXTERNAL", "REMOTE", "memfabric", 0, "full_attention")}
    # They are vLLM's own: its publisher encodes them, as maps with a type.
    batch = msgspec.msgpack.decode(msgspec.msgpack.encode(events.KVEventBatch(ts=1.0, events=stored)))
    assert [one["type"] for one in batch[1]] == ["BlockStored"] * 2
    planned = scheduler._schedules()._planner.get("first")
    pair.workers[0]._cache.remove(pair.workers[0]._own_key(0, planned.hashes[1]))
    lost = scheduler._schedules()._events._ledger.gone()
    scheduler._schedules()._events._gone(lost)
    (removed,) = scheduler.take_events()
    assert isinstance(removed, events.BlockRemoved) and removed.block_hashes == [number[1]]
    # New weights: nothing of this model may be found again.
    pair.workers[0]._cache.put("another model", b"x")
    assert scheduler.reset_cache() is True and list(scheduler._cache.keys()) == [b"another model"]
    assert [type(one) for one in scheduler.take_events()] == [events.AllBlocksCleared]
    assert scheduler.get_num_new_matched_tokens(_asked("second"), 0) == (0, False)
    pair.close()


def test_figures_reach_the_log_and_prometheus() -> None:
    needed("vllm", "vllm.distributed.kv_transfer.kv_connector.v1.metrics")
    import prometheus_client
    import torch

    from mf_connectors.vllm import MfConnector

    pair = _Pair(57, _groups(8, (["layer"], _full())), [{"layer": torch.rand(8, 2, 4, 3)}])
    assert pair.scheduler.get_kv_connector_stats() is None
    pair.scheduler.get_num_new_matched_tokens(_asked("first"), 0)
    pair.run(_step("first", [[5, 6, 7]], 0, 10))
    second = _asked("second")
    pair.scheduler.get_num_new_matched_tokens(second, 0)
    pair.load(second, [[1, 2]], 8)
    sent = [pair.scheduler.get_kv_connector_stats(), pair.workers[0].get_kv_connector_stats()]
    stats = [MfConnector.build_kv_connector_stats(one.to_dict()) for one in sent]
    total = MfConnector.build_kv_connector_stats().aggregate(stats[0]).aggregate(stats[1])
    figures = {name: value for name, value in total.data.items() if "seconds" not in name}
    assert figures == {
        "asked_tokens": 18, "found_tokens": 8, "loaded_blocks": 2, "loaded_bytes": 192, "failed_loads": 0,
        "saved_blocks": 2, "saved_bytes": 192, "failed_saves": 0,
    }
    assert total.reduce()["memfabric loaded_blocks"] == 2 and not total.is_empty()
    assert pair.workers[0].get_kv_connector_stats() is None
    kinds = {
        kind: kind
        for kind in (prometheus_client.Gauge, prometheus_client.Counter, prometheus_client.Histogram)
    }
    metrics = MfConnector.build_prom_metrics(_config({}), kinds, ["model_name", "engine"], {0: ["m", "0"]})
    metrics.observe(total.to_dict(), 0)
    metrics.observe(total.to_dict(), 0)
    read = prometheus_client.REGISTRY.get_sample_value
    assert read("vllm:memfabric_loaded_bytes_total", {"model_name": "m", "engine": "0"}) == 384
    pair.close()


def test_a_cache_that_is_full_loses_saves_and_nothing_else() -> None:
    needed("vllm", _BASE)
    import torch

    layers = {"layer": torch.rand(8, 1 << 20)}
    pair = _Pair(57, _groups(8, (["layer"], _full())), [layers])
    cache = pair.workers[0]._cache
    for number in range(7):
        try:
            cache.put(f"{number}", bytes(1 << 20), pin=True)
        except RuntimeError:
            break
    pair.scheduler.get_num_new_matched_tokens(_asked("first"), 0)
    pair.run(_step("first", [[5, 6, 7]], 0, 10))
    stats = pair.workers[0].get_kv_connector_stats()
    assert stats.data["failed_saves"] == 2 and pair.workers[0].build_connector_worker_meta() is None
    assert pair.scheduler.get_num_new_matched_tokens(_asked("second"), 0) == (0, False)
    wait_until(lambda: not cache.closed)
    pair.close()
