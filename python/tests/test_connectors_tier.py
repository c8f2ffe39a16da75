# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The secondary tier of vLLM's offloading connector (tried: vLLM 0.33.0).

Real: SecondaryTierManager and its data types, the factory that loads the class from its module, the manager
of lookups, the manager above the tiers, the configuration of the offloading connector. Stand-ins: the
specification that holds the configuration, and the region of host memory that workers share.
"""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

import pytest

from engines import needed
from test_connectors import options, wait_until

numpy = pytest.importorskip("numpy")
pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")

_BASE, _TIERS = "vllm.v1.kv_offload.base", "vllm.v1.kv_offload.tiering.base"
_ROW = 4096


def _spec(events: bool = False, **changed: Any) -> Any:
    (configs,) = needed("vllm", "vllm.v1.kv_offload.config")
    parallel = configs.OffloadingParallelConfig(0, 1, 1, 1, 1, 1, 0, 1, None, True)
    fields = {
        "groups": (
            configs.OffloadingGroupConfig(16, ("a",), 0),
            configs.OffloadingGroupConfig(16, ("b",), 1),
        ),
        "worker_kv_bytes_per_block": _ROW,
        "enable_kv_cache_events": events,
        "extra_config": {},
        "engine_id": "e",
        "model": configs.OffloadingModelConfig("org/model", "bfloat16"),
        "cache": configs.OffloadingCacheConfig(16, 1),
        "parallel": parallel,
        **changed,
    }
    return SimpleNamespace(config=configs.OffloadingConfig(**fields))


class _Tier:
    """A tier, and the rows of the engine's host memory."""

    def __init__(self, number: int = 56, events: bool = False, spec: Any = None, **more: Any) -> None:
        (factory,) = needed("vllm", "vllm.v1.kv_offload.tiering.factory")
        # Its warning comes from a part that torch 1 cannot import.
        factory.logger.warning_once = factory.logger.warning
        self.base, self.tiers = needed("vllm", _BASE, _TIERS)
        self.rows = numpy.random.default_rng(1).integers(0, 256, (16, _ROW), dtype=numpy.uint8)
        described = {"type": "MfTier", "module_path": "mf_connectors.vllm_tier", **options(number), **more}
        view = memoryview(self.rows)
        self.tier = factory.SecondaryTierFactory.create_secondary_tier(described, view, spec or _spec(events))
        self.request = self.base.ReqContext("r")
        self.number = 0

    def key(self, number: int, group: int = 0) -> bytes:
        return bytes(self.base.make_offload_key(bytes([number]) * 32, group))

    def job(self, numbers: list[int], chunks: list[int], is_load: bool) -> Any:
        self.number += 1
        keys = [self.key(number) for number in numbers]
        return self.tiers.TransferJob(self.number, keys, numpy.array(chunks), is_load, self.request)

    def finish(self, job: Any) -> Any:
        """Submits a job; returns its result."""
        (self.tier.submit_load if job.is_promotion else self.tier.submit_store)(job)
        self.tier.drain_jobs()
        (result,) = self.tier.get_finished_jobs()
        assert result.job_id == job.job_id and list(self.tier.get_finished_jobs()) == []
        return result

    def look_up(self, key: bytes) -> Any:
        """Asks until there is an answer, with the end of a step after each question."""
        found: list[Any] = []

        def is_answered() -> bool:
            found[:] = [self.tier.lookup(key, self.request)]
            self.tier.on_schedule_end(self.base.ScheduleEndContext([], []))
            return found[0] is not self.base.LookupResult.RETRY

        wait_until(is_answered)
        return found[0]


def test_chunks_are_stored_found_and_loaded() -> None:
    held = _Tier()
    tier, result = held.tier, held.base.LookupResult
    assert isinstance(tier, held.tiers.SecondaryTierManager) and tier.block_size_bytes == _ROW
    assert tier.on_new_request(held.request).policy is held.base.OffloadPolicy.CHUNK_LEVEL
    assert tier.lookup(held.key(1), held.request) is result.RETRY and not tier.has_pending_work()
    assert held.look_up(held.key(1)) is result.MISS
    tier.on_request_finished(held.request)
    done = held.finish(held.job([1, 2, 3], [4, 5, 6], is_load=False))
    assert (done.success, done.successful_keys, done.transfer_bytes) == (True, None, 3 * _ROW)
    # Stored chunks are not moved again.
    done = held.finish(held.job([2, 3], [5, 6], is_load=False))
    assert (done.success, done.transfer_bytes) == (True, 0) and done.transfer_time >= 0
    assert held.look_up(held.key(2)) is result.HIT and held.look_up(held.key(2, group=1)) is result.MISS
    stored = held.rows[4:7].copy()
    held.rows[:] = 0
    done = held.finish(held.job([3, 1], [0, 9], is_load=True))
    assert (done.success, done.transfer_bytes) == (True, 2 * _ROW)
    assert (
        (held.rows[0] == stored[2]).all() and (held.rows[9] == stored[0]).all() and held.rows[1:9].sum() == 0
    )
    tier.shutdown()
    tier.shutdown()


def test_a_load_says_which_chunks_it_found_and_is_not_tried_again() -> None:
    held = _Tier()
    held.finish(held.job([1, 2], [1, 2], is_load=False))
    assert held.look_up(held.key(2)) is held.base.LookupResult.HIT
    held.tier._cache.remove(held.tier._name(held.key(2)))
    done = held.finish(held.job([1, 2], [3, 4], is_load=True))
    assert (done.success, done.successful_keys, done.transfer_bytes) == (False, [held.key(1)], _ROW)
    # The engine would otherwise promote it at each step.
    assert held.tier.lookup(held.key(2), held.request) is held.base.LookupResult.MISS
    held.tier.shutdown()


def test_stores_that_find_no_room_fail() -> None:
    held = _Tier()
    cache = held.tier._cache
    for size in (1 << 20, 1 << 16, 1 << 12):
        for number in range(10_000):
            try:
                cache.put(f"{size} {number}", bytes(size), pin=True)
            except RuntimeError:
                break
    done = held.finish(held.job([1, 2], [1, 2], is_load=False))
    assert (done.success, done.successful_keys, done.transfer_bytes) == (False, None, 0)
    assert held.look_up(held.key(1)) is held.base.LookupResult.MISS
    held.tier.shutdown()


def test_jobs_of_a_cache_that_is_gone_fail() -> None:
    held = _Tier()
    held.tier._cache.close()
    assert not held.finish(held.job([1], [1], is_load=False)).success
    done = held.finish(held.job([1], [1], is_load=True))
    assert (done.success, done.successful_keys) == (False, []) and held.look_up(
        held.key(1)
    ) is held.base.LookupResult.MISS
    held.tier.shutdown()


def test_stored_and_lost_chunks_are_events() -> None:
    held = _Tier(events=True)
    tier, base = held.tier, held.base

    def taken() -> list[Any]:
        found: list[Any] = []
        wait_until(lambda: found.extend(tier.take_events()) or found)
        return found

    held.finish(held.job([1, 2], [1, 2], is_load=False))
    held.finish(held.job([2], [2], is_load=False))
    (event,) = taken()
    assert event == base.OffloadingEvent(
        [held.key(1), held.key(2)],
        base.Medium.STORAGE,
        False,
        locality=base.Locality.REMOTE,
        ownership="MfTier",
    )
    tier._cache.remove(tier._name(held.key(1)))
    (event,) = taken()
    assert (event.keys, event.removed) == ([held.key(1)], True)
    # All of them are gone: a removal for each that was announced.
    held.finish(held.job([3], [3], is_load=False))
    assert [event.keys for event in taken()] == [[held.key(3)]]
    tier._cache.clear()
    gone: list[bytes] = []
    wait_until(
        lambda: gone.extend(key for event in tier.take_events() for key in event.keys) or len(gone) == 2
    )
    assert sorted(gone) == [held.key(2), held.key(3)]
    tier.shutdown()
    without = _Tier()
    without.finish(without.job([1], [1], is_load=False))
    assert list(without.tier.take_events()) == []
    without.tier.shutdown()


def test_keys_tell_what_determines_the_bytes_of_a_chunk() -> None:
    (configs,) = needed("vllm", "vllm.v1.kv_offload.config")
    needed("vllm", _TIERS)
    from mf_connectors.vllm_tier import _key_prefix

    parallel = configs.OffloadingParallelConfig(0, 2, 2, 1, 1, 1, 0, 1, None, True)
    prefixes = [
        _key_prefix(_spec().config, ""),
        _key_prefix(_spec().config, "v2"),
        _key_prefix(_spec(parallel=parallel).config, ""),
        _key_prefix(_spec(model=configs.OffloadingModelConfig("org/model", "float16")).config, ""),
        _key_prefix(_spec(cache=configs.OffloadingCacheConfig(16, 2)).config, ""),
        _key_prefix(_spec(kv_cache_layout="HND").config, ""),
    ]
    assert len(set(prefixes)) == len(prefixes) and _key_prefix(_spec().config, "") == prefixes[0]


def test_two_engines_share_chunks() -> None:
    first = _Tier(55)
    first.finish(first.job([1], [1], is_load=False))
    stored = first.rows[1].copy()
    # In one process they share the cache; the second has memory and requests of its own.
    second = _Tier(55, store_url=first.tier._options.store_url)
    assert second.look_up(second.key(1)) is second.base.LookupResult.HIT
    second.rows[:] = 0
    assert second.finish(second.job([1], [7], is_load=True)).success and (second.rows[7] == stored).all()
    first.tier.shutdown()
    assert not second.tier._cache.closed
    second.tier.shutdown()
    gc.collect()


def test_the_engines_manager_moves_chunks_through_the_tier() -> None:
    """Chunks leave the engine's host memory, of 4 rows, by other chunks; the manager gets them back from the
    tier."""
    (managers,) = needed("vllm", "vllm.v1.kv_offload.tiering.manager")
    held = _Tier(53, events=True)
    tier, base, result = held.tier, held.base, held.base.LookupResult
    region = SimpleNamespace(create_kv_memoryview=lambda: memoryview(held.rows)[:4], cleanup=lambda: None)
    manager = managers.TieringOffloadingManager(managers.CPUPrimaryTierOffloadingManager(4, region), [tier])

    def step() -> None:
        manager.on_schedule_end(base.ScheduleEndContext([], []))

    def stored(numbers: list[int]) -> dict[int, Any]:
        """The engine's worker fills rows; returns copies of them."""
        keys = [held.key(number) for number in numbers]
        output = manager.prepare_store(keys, held.request)
        assert output is not None and output.keys_to_store == keys
        for number, row in zip(numbers, output.store_spec.block_ids):
            held.rows[row] = number
        manager.complete_store(keys, held.request)
        step()
        tier.drain_jobs()
        step()
        return {number: held.rows[row].copy() for number, row in zip(numbers, output.store_spec.block_ids)}

    manager.on_new_request(held.request)
    written = stored([1, 2, 3, 4])
    stored([5, 6, 7, 8])
    assert all(tier._cache.exists(tier._name(held.key(number))) for number in range(1, 9))

    def is_ready(number: int) -> bool:
        found = manager.lookup(held.key(number), held.request)
        step()
        assert found is not result.MISS
        return found is result.HIT

    for number in (1, 3):
        wait_until(lambda number=number: is_ready(number))
        (row,) = manager.prepare_load([held.key(number)], held.request).block_ids
        assert (held.rows[row] == written[number]).all() and held.rows[row][0] == number
        manager.complete_load([held.key(number)], held.request)
    removed = [event for event in manager.take_events() if event.ownership == "MfTier" and event.removed]
    assert removed == []
    # One that the cache has lost is a miss, and stays one.
    tier._cache.remove(tier._name(held.key(2)))
    wait_until(lambda: manager.lookup(held.key(2), held.request) is result.MISS or step())
    manager.on_request_finished(held.request)
    manager.shutdown()


def test_options_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="no such option: contributions"):
        _Tier(54, contributions="1GiB")
    named = _Tier(54, locality="LOCAL", model_version="v2")
    assert named.tier.locality is named.base.Locality.LOCAL and named.tier.config_info()["replicas"] == 1
    assert set(named.tier.config_info()) == set(type(named.tier).config_info_keys({}))
    named.tier.shutdown()


def test_events_of_a_local_tier_have_no_owner() -> None:
    held = _Tier(54, events=True, locality="LOCAL")
    held.finish(held.job([1], [1], is_load=False))
    found: list[Any] = []
    wait_until(lambda: found.extend(held.tier.take_events()) or found)
    assert [(event.locality, event.ownership) for event in found] == [(held.base.Locality.LOCAL, None)]
    held.tier.shutdown()
