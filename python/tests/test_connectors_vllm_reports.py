# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Events and figures of vLLM's connector on vLLM's own classes (tried: 0.33.0).

Real: KVConnectorBase_V1, the events and KVEventBatch, KVConnectorStats and KVConnectorPromMetrics,
Prometheus. Stand-ins: the configuration, the scheduler's output and the modules that `engines` leaves out.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engines import needed
from test_connectors import wait_until
from vllm_parts import Pair, asked, config, full, layout, run_step, step

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")


def test_stored_and_lost_blocks_are_events() -> None:
    (events,) = needed("vllm", "vllm.distributed.kv_events")
    import msgspec
    import torch

    from mf_connectors.vllm import MfWorkerMetadata

    layers = [{"layer": torch.rand(8, 2, 4, 3)} for _ in range(2)]
    pair = Pair(57, layout(8, (["layer"], full())), layers, events=True)
    scheduler = pair.scheduler

    def taken(count: int) -> list[Any]:
        found: list[Any] = []
        wait_until(lambda: found.extend(scheduler.take_events()) or len(found) >= count)
        assert len(found) == count
        return found

    request = asked(
        "first",
        mm_features=[SimpleNamespace(identifier="cat", mm_position=SimpleNamespace(offset=5, length=2))],
        cache_salt="user",
    )
    scheduler.get_num_new_matched_tokens(request, 0)
    meta = scheduler.build_connector_meta(step("first", [[5, 6, 7]], 0, 10))
    # A block counts when both workers have saved it, in one report or in two.
    first, second = {(0, b"a"): 1}, {(0, b"a"): 1, (0, b"b"): 1}
    both = MfWorkerMetadata(first).aggregate(MfWorkerMetadata(second))
    assert both.saved == {(0, b"a"): 2, (0, b"b"): 1}
    for worker, expected in zip(pair.workers, (0, 2)):
        run_step(worker, meta)
        report = worker.build_connector_worker_meta()
        scheduler.update_connector_output(SimpleNamespace(kv_connector_worker_meta=report))
        found = taken(expected)
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
    (removed,) = taken(1)
    assert isinstance(removed, events.BlockRemoved) and removed.block_hashes == [number[1]]
    # New weights: nothing of this model may be found again.
    pair.workers[0]._cache.put("another model", b"x")
    assert scheduler.reset_cache() is True and list(scheduler._cache.keys()) == [b"another model"]
    assert [type(one) for one in taken(1)] == [events.AllBlocksCleared]
    assert scheduler.get_num_new_matched_tokens(asked("second"), 0) == (0, False)
    pair.close()


def test_figures_reach_the_log_and_prometheus() -> None:
    needed("vllm", "vllm.distributed.kv_transfer.kv_connector.v1.metrics")
    import prometheus_client
    import torch

    from mf_connectors.vllm import MfConnector

    pair = Pair(57, layout(8, (["layer"], full())), [{"layer": torch.rand(8, 2, 4, 3)}])
    assert pair.scheduler.get_kv_connector_stats() is None
    pair.scheduler.get_num_new_matched_tokens(asked("first"), 0)
    pair.run(step("first", [[5, 6, 7]], 0, 10))
    second = asked("second")
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
    metrics = MfConnector.build_prom_metrics(config({}), kinds, ["model_name", "engine"], {0: ["m", "0"]})
    metrics.observe(total.to_dict(), 0)
    metrics.observe(total.to_dict(), 0)
    read = prometheus_client.REGISTRY.get_sample_value
    assert read("vllm:memfabric_loaded_bytes_total", {"model_name": "m", "engine": "0"}) == 384
    pair.close()
