# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Loads and saves of vLLM's connector on vLLM's own classes (tried: 0.33.0).

Real: KVConnectorBase_V1, SupportsHMA and KVConnectorTransferResults, the specs and KVCacheConfig. Stand-ins:
the configuration, the scheduler's output and the modules that `engines` leaves out.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ranks
from engines import needed
from test_connectors import wait_until
from vllm_parts import BASE, Pair, asked, blocks, five, full, layout, step

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")


def test_blocks_are_found_in_the_shapes_of_layers() -> None:
    needed("vllm", BASE)
    import torch

    from mf_connectors._vllm_layers import blocks_in_front

    shapes = [(2, 100, 16, 8), (100, 2, 16, 8), (100, 16, 576), (200, 8, 5), (2, 200, 8, 5)]
    fronts = [(100, 2, 16, 8), (100, 2, 16, 8), (100, 16, 576), (100, 2, 8, 5), (100, 2, 2, 8, 5)]
    assert [tuple(blocks_in_front(torch.zeros(shape), 100).shape) for shape in shapes] == fronts
    with pytest.raises(ValueError, match="blocks"):
        blocks_in_front(torch.zeros(16, 8, 100), 100)


def test_blocks_are_saved_and_loaded_while_the_request_waits() -> None:
    (base,) = needed("vllm", BASE)
    import torch

    from mf_connectors.vllm import MfConnector

    assert base.supports_hma(MfConnector)
    # Both layouts: keys and values in front of the blocks, and behind.
    layers = {"layers.0": torch.rand(2, 8, 4, 3), "layers.1": torch.rand(8, 2, 4, 3).to(torch.bfloat16)}
    pair = Pair(57, layout(8, (list(layers), full())), [layers])
    worker = pair.workers[0]
    # The first request computes its prompt: two whole blocks, and a rest.
    first = asked("first")
    assert pair.scheduler.get_num_new_matched_tokens(first, 0) == (0, False)
    pair.run(step("first", [[5, 6, 7]], 0, 10))
    assert pair.scheduler.request_finished_all_groups(first, ([5, 6, 7],)) == (False, None)
    # The second finds them, behind a block that it has itself; none behind half a block.
    second = asked("second")
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
    third = asked("third")
    assert pair.scheduler.get_num_new_matched_tokens(third, 0) == (8, True)
    lost = pair.scheduler._schedules()._planner.get("third").hashes[1]
    assert worker._cache.remove(worker._own_key(0, lost))
    pair.load(third, [[3, 4]], 8)
    results = worker.get_transfer_results(set())
    assert (results.finished_recving, results.failed_recving) == ({"third"}, set())
    assert worker.get_block_ids_with_load_errors() == {4} and worker.get_block_ids_with_load_errors() == set()
    assert (layers["layers.1"][3] == layers["layers.1"][5]).all()
    # The engine computes from the lost block on, and saves it again.
    pair.run(step("third", [[3, 4, 0]], 4, 6))
    assert pair.scheduler.get_num_new_matched_tokens(asked("fourth"), 0) == (8, True)
    pair.close()


def test_two_workers_must_both_have_a_block() -> None:
    import_torch = pytest.importorskip("torch", reason="apt-get install python3-torch")
    needed("vllm", BASE)
    layers = [{"layer": import_torch.rand(8, 2, 4, 3)} for _ in range(2)]
    pair = Pair(57, layout(8, (["layer"], full())), layers)
    pair.scheduler.get_num_new_matched_tokens(asked("first"), 0)
    pair.run(step("first", [[5, 6, 7]], 0, 10))
    assert pair.scheduler.get_num_new_matched_tokens(asked("second"), 0) == (8, True)
    planned = pair.scheduler._schedules()._planner.get("second")
    assert pair.workers[1]._cache.remove(pair.workers[1]._own_key(0, planned.hashes[1]))
    assert pair.scheduler.get_num_new_matched_tokens(asked("third"), 0) == (4, True)
    pair.close()


class _Connected:
    """The real connector under the model of an engine."""

    pair: Pair

    def __init__(self) -> None:
        self._requests: dict[str, Any] = {}

    def ask(self, request_id: str, prompt: Any, computed: int) -> int:
        self._requests[request_id] = asked(request_id, list(prompt))
        found, waits = self.pair.scheduler.get_num_new_matched_tokens(self._requests[request_id], computed)
        assert waits == (found > 0)
        return found

    def load(self, request_id: str, tables: list[list[int]], tokens: int) -> None:
        self.pair.load(self._requests[request_id], tables, tokens)
        results = self.pair.workers[0].get_transfer_results(set())
        assert (results.finished_recving, results.failed_recving) == ({request_id}, set())

    def step(self, request_id: str, added: Any, computed: int, count: int, is_new: bool, states: Any) -> None:
        self.pair.run(step(request_id, added, computed, count, is_new, states))

    def end(self, request_id: str) -> None:
        self.pair.scheduler.request_finished_all_groups(self._requests.pop(request_id), ())


def test_hybrid_models_are_restored_bit_by_bit() -> None:
    """Five groups, a real cache that loses blocks; the model checks every number that a restored prefix
    needs."""
    needed("vllm", BASE)
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
    connected.pair = pair = Pair(57, five(), [layers])
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
    while not pair.scheduler.get_num_new_matched_tokens(asked("probe", prompt), 0)[1]:
        engine.run(prompt)
        pair.scheduler.request_finished(asked("probe"), [])
    request = asked("last", prompt)
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


def test_engines_of_two_processes_share_blocks() -> None:
    needed("vllm", BASE)
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    program = f"""
        import os, sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import torch
        from vllm_parts import Pair, asked, full, layout, step

        rank = int(os.environ["RANK"])
        torch.manual_seed(1)
        expected = torch.rand(8, 2, 4, 3)
        layers = {{"layer": expected.clone() if rank == 0 else torch.zeros(8, 2, 4, 3)}}
        pair = Pair(57, layout(8, (["layer"], full())), [layers], store_url={url!r}, world_size=2, rank=rank)
        barrier = pair.scheduler._cache.pool.barrier
        if rank == 0:
            assert pair.scheduler.get_num_new_matched_tokens(asked("first"), 0) == (0, False)
            pair.run(step("first", [[5, 6, 7]], 0, 10))
        barrier("saved")
        if rank == 1:
            second = asked("second")
            assert pair.scheduler.get_num_new_matched_tokens(second, 0) == (8, True)
            pair.load(second, [[1, 2]], 8)
            assert pair.workers[0].get_transfer_results(set()).finished_recving == {{"second"}}
            assert (layers["layer"][1:3] == expected[5:7]).all() and layers["layer"][3:].sum() == 0
        barrier("loaded")
        pair.close()
    """
    ranks.run_code(program, 2)


def test_an_engine_that_slept_saves_and_loads() -> None:
    needed("vllm", BASE)
    import torch

    pair = Pair(57, layout(8, (["layer"], full())), [{"layer": torch.rand(8, 2, 4, 3)}])
    (worker,) = pair.workers
    for _ in range(2):
        worker.unregister_kv_caches()
    pair.scheduler.get_num_new_matched_tokens(asked("asleep"), 0)
    pair.run(step("asleep", [[5, 6, 7]], 0, 10))
    assert worker.get_kv_connector_stats().data["failed_saves"] == 2
    for _ in range(2):
        worker.restore_kv_caches()
    pair.scheduler.get_num_new_matched_tokens(asked("awake"), 0)
    pair.run(step("awake", [[5, 6, 7]], 0, 10))
    assert pair.scheduler.get_num_new_matched_tokens(asked("next"), 0) == (8, True)
    pair.close()


def test_a_cache_that_is_full_loses_saves_and_nothing_else() -> None:
    needed("vllm", BASE)
    import torch

    layers = {"layer": torch.rand(8, 1 << 20)}
    pair = Pair(57, layout(8, (["layer"], full())), [layers])
    cache = pair.workers[0]._cache
    for number in range(7):
        try:
            cache.put(f"{number}", bytes(1 << 20), pin=True)
        except RuntimeError:
            break
    pair.scheduler.get_num_new_matched_tokens(asked("first"), 0)
    pair.run(step("first", [[5, 6, 7]], 0, 10))
    stats = pair.workers[0].get_kv_connector_stats()
    assert stats.data["failed_saves"] == 2 and pair.workers[0].build_connector_worker_meta() is None
    assert pair.scheduler.get_num_new_matched_tokens(asked("second"), 0) == (0, False)
    wait_until(lambda: not cache.closed)
    pair.close()
