# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_connectors`` without an engine: options, keys, prompts, groups of layers, plans,
locks."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

import ranks

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")


def options(number: int) -> dict[str, Any]:
    """Options of a cache for this process alone."""
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    return {"store_url": url, "world_size": 1, "rank": 0, "contribution": "8MiB", "id": number}


def wait_until(is_so: Any) -> None:
    end = time.monotonic() + ranks.DEADLINE_S
    while not is_so():
        assert time.monotonic() < end, "what the test waits for did not happen"
        threading.Event().wait(0.001)


def test_options_are_checked() -> None:
    from mf_connectors._shared import Options

    chosen = Options.of({"store_url": "tcp://127.0.0.1:5570", "contribution": "32GiB"})
    assert (chosen.contribution, chosen.replicas, chosen.world_size) == ("32GiB", 1, 64)
    scheduler = chosen.contributing("2MiB")
    assert (scheduler.contribution, scheduler.max_contribution) == ("2MiB", None)
    tiered = Options.of({"store_url": "tcp://127.0.0.1:5570", "disk": ["/a", "/b"], "disk_bytes": "1TiB"})
    assert (tiered.disk, tiered.disk_bytes, tiered.disk_admission) == (["/a", "/b"], "1TiB", None)
    # A scheduler keeps no values.
    assert (tiered.contributing("2MiB").disk, tiered.contributing("2MiB").disk_bytes) == (None, None)
    with pytest.raises(ValueError, match="no such option: contributions"):
        Options.of({"store_url": "tcp://127.0.0.1:5570", "contributions": 1})
    with pytest.raises(ValueError, match="store_url is needed"):
        Options.of({})


def test_parts_of_an_engine_share_a_cache() -> None:
    from mf_connectors._shared import Options, close_cache, open_cache

    chosen = Options.of(options(60))
    cache = open_cache(chosen)
    assert open_cache(chosen) is cache
    close_cache(chosen)
    assert not cache.closed
    close_cache(chosen)
    assert cache.closed


def test_found_values_on_disk_are_prefetched(tmp_path: Any) -> None:
    from mf_connectors._shared import Options, close_cache, open_cache, prefetch

    chosen = Options.of({**options(60), "disk": [str(tmp_path)], "disk_bytes": "64MiB", "disk_admission": "all"})
    cache = open_cache(chosen)
    names = [f"page {number}" for number in range(400)]

    def are_on_disk() -> bool:
        cache.put_many(names, [bytes(1 << 15)] * len(names), replace=False)
        disk = cache.stats().disk
        return disk is not None and disk.demotions > 0 and disk.values > 0

    wait_until(are_on_disk)
    before = cache.stats().disk
    prefetch(cache, names)
    wait_until(lambda: cache.stats().disk.promotions > before.promotions)
    prefetch(cache, [])
    close_cache(chosen)
    # A closed cache fails loads, and not lookups.
    prefetch(cache, names)


def test_keys_of_different_models_never_collide() -> None:
    from mf_connectors._shared import prefix

    assert prefix("a/b", "c") != prefix("a", "b/c") and prefix("a%2fb") != prefix("a/b")


def _request(tokens: list[int] | None, **fields: Any) -> Any:
    return SimpleNamespace(
        **{
            "prompt_token_ids": tokens,
            "prompt_embeds": None,
            "cache_salt": None,
            "lora_request": None,
            "mm_features": [],
            **fields,
        }
    )


def _media(*places: tuple[str | None, int, int]) -> list[Any]:
    return [
        SimpleNamespace(identifier=identifier, mm_position=SimpleNamespace(offset=first, length=count))
        for identifier, first, count in places
    ]


def _hashes(tokens: list[int] | None, **fields: Any) -> list[bytes]:
    from mf_connectors._blocks import Prompt

    return Prompt.of(_request(tokens, **fields)).hashes(16)


def test_hashes_of_blocks_follow_the_tokens() -> None:
    tokens = list(range(100))
    hashes = _hashes(tokens)
    assert len(hashes) == len(set(hashes)) == 6 and hashes == _hashes(tokens[:96])
    assert _hashes([*tokens[:40], 7, *tokens[41:]])[:2] == hashes[:2]
    assert not set(_hashes([7, *tokens[1:]])) & set(hashes)
    assert not set(_hashes(tokens, cache_salt="user")) & set(hashes)
    adapters = [
        SimpleNamespace(lora_name=name, lora_path=path) for name, path in (("a", "x"), ("b", "x"), ("a", "y"))
    ]
    assert len({block for one in adapters for block in _hashes(tokens, lora_request=one)}) == 18


def test_media_change_hashes_from_their_positions_on() -> None:
    tokens = list(range(100))
    plain = _hashes(tokens)
    one, other = (_hashes(tokens, mm_features=_media((name, 40, 30))) for name in ("cat", "dog"))
    # The text before them is common; blocks from 32 on are not.
    assert (
        one[:2] == other[:2] == plain[:2]
        and not set(one[2:]) & set(other[2:])
        and not set(one[2:]) & set(plain)
    )
    moved = _hashes(tokens, mm_features=_media(("cat", 41, 30)))
    assert moved[:2] == plain[:2] and moved[2] != one[2]
    # A medium without an identifier may be any: nothing from there on is found again.
    assert _hashes(tokens, mm_features=_media((None, 40, 30))) == plain[:2]


_OTHER_PROCESS = """
from types import SimpleNamespace as Named
from mf_connectors._blocks import Prompt
from mf_connectors._vllm_model import _text

place = Named(offset=20, length=9)
request = Named(
    prompt_token_ids=list(range(64)), cache_salt="user", lora_request=Named(lora_name="a", lora_path="p"),
    mm_features=[Named(identifier="cat", mm_position=place)],
)
print([one.hex() for one in Prompt.of(request).hashes(16)], _text({"x", "y", "z"}), _text(print))
"""


def test_keys_are_the_same_in_every_process() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", _OTHER_PROCESS], env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
            capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1 and len(printed.pop()) > 256


def test_embeddings_decide_the_hashes_of_prompts_without_tokens() -> None:
    torch = pytest.importorskip("torch", reason="apt-get install python3-torch")
    rows = torch.arange(100 * 4, dtype=torch.bfloat16).reshape(100, 4)
    changed = rows.clone()
    changed[50, 0] += 2
    first, second = _hashes(None, prompt_embeds=rows), _hashes(None, prompt_embeds=changed)
    assert len(first) == 6 and first[:3] == second[:3] and not set(first[3:]) & set(second[3:])
    assert first != _hashes([0] * 100)


def test_groups_need_what_the_next_token_sees() -> None:
    from mf_connectors._groups import Group, Kind

    assert Group(0, 4).needed(16) == range(4)
    window = Group(0, 4, Kind.WINDOW, reach=7)
    assert window.needed(16) == range(2, 4) and window.needed(4) == range(1)
    assert Group(0, 8, Kind.STATE).needed(32) == range(3, 4)
    chunk = Group(0, 4, Kind.CHUNK, reach=16)
    assert chunk.needed(24) == range(4, 6) and chunk.needed(32) == range(8, 8)
    # Hits end at multiples of 16: the window's first blocks behind such an end are never needed.
    assert [window.is_reachable(block, 16) for block in range(8)] == [False, False, True, True] * 2
    drafting = Group(0, 4, Kind.WINDOW, reach=7, peeks=True)
    assert (
        drafting.proof(16) == range(2, 5)
        and drafting.is_reachable(4, 16)
        and not drafting.is_reachable(0, 16)
    )


def test_hits_are_those_of_a_brute_force_model_and_blocks_are_right() -> None:
    """10,000 prefixes of prompts that share beginnings, five groups, blocks that the cache loses: see
    `engine_model`."""
    pytest.importorskip("numpy")
    from engine_model import STEP, Engine, PlannedConnector

    seed = 20260
    chance = random.Random(seed)
    connector = PlannedConnector()
    engine = connector.engine = Engine(connector, seed=seed)
    bases = [[chance.randrange(50_000) for _ in range(160)] for _ in range(8)]
    hits = 0
    for _ in range(10_000):
        base = chance.choice(bases)
        prompt = base[: chance.randint(1, len(base))]
        if chance.random() < 0.3:
            prompt = prompt + [chance.randrange(50_000) for _ in range(chance.randint(1, 40))]
        local = chance.choice([0, 0, chance.randrange(len(prompt)) // STEP * STEP])
        hits += engine.run(prompt, local) > local
        for block in chance.sample(list(connector.store), min(len(connector.store), chance.randint(0, 6))):
            del connector.store[block]
    assert hits > 2_000, (hits, seed)


def test_a_prompt_is_found_whole_when_nothing_is_lost() -> None:
    pytest.importorskip("numpy")
    from engine_model import STEP, Engine, PlannedConnector

    connector = PlannedConnector()
    engine = connector.engine = Engine(connector)
    # Each step ends where states are handed over.
    engine.random.choice = lambda chunks: chunks[0]  # type: ignore[method-assign]
    prompt = list(range(100))
    assert [
        engine.run(prompt),
        engine.run(prompt),
        engine.run([*prompt[:64], 7]),
        engine.run(prompt[:64]),
    ] == [0, 96, 64, 48]
    # Of the windows only what ends of hits need was kept: of 7 and 17 tokens at each multiple of 16.
    kept = {index: sum(group == index for group, _ in connector.store) for index in range(5)}
    assert kept == {0: 25, 1: 12, 2: 12, 3: 6, 4: 6} and STEP == 16


def test_a_failed_load_is_saved_again() -> None:
    from mf_connectors._blocks import Prompt
    from mf_connectors._groups import Group, Kind
    from mf_connectors._planner import Planner, Step

    class Everything:
        def leading(self, blocks: Any) -> int:
            return len(blocks)

        def exists(self, blocks: Any) -> list[bool]:
            return [True] * len(blocks)

    planner = Planner([Group(0, 4)], 4)
    planner.begin("r", Prompt(list(range(10))))
    assert planner.ask("r", 0, Everything()) == 8
    assert [move.block for move in planner.load("r", [[5, 6, 7]], 8)] == [5, 6]
    step = Step()
    planner.take_loads(step)
    planner.add("r", [[5, 6, 7]], replace=True)
    # The engine begins at 0 again, as the second block could not be loaded.
    planner.save("r", 0, 10, step)
    assert [move.block for move in step.saves] == [5, 6] and [move.place for move in step.saves] == [0, 1]
    # A state is kept where hits may end, and nowhere else.
    states = Planner([Group(0, 16), Group(1, 8, Kind.STATE, handed_over=True)], 8)
    states.begin("s", Prompt(list(range(40))))
    kept = Step()
    for block, tokens in ((3, 8), (4, 16), (5, 24), (6, 32), (0, 32), (7, 48)):
        states.save_state("s", 1, block, tokens, kept)
    assert [(move.block, move.place) for move in kept.saves] == [(4, 1), (6, 3)]
    planner.end("r")
    planner.save("r", 0, 10, step)
    assert len(step.saves) == 2 and planner.load("r", [[1]], 4) == []


def test_blocks_that_a_load_needs_are_named_once() -> None:
    from mf_connectors._blocks import Prompt
    from mf_connectors._groups import Group, Kind
    from mf_connectors._planner import Planner

    class All:
        def leading(self, blocks: list[tuple[int, bytes]]) -> int:
            return len(blocks)

        def exists(self, blocks: list[tuple[int, bytes]]) -> list[bool]:
            return [True] * len(blocks)

    planner = Planner([Group(0, 4), Group(1, 4, Kind.WINDOW, reach=8)], 4)
    planner.begin("one", Prompt(list(range(21))))
    assert planner.ask("one", 4, All()) == 16
    needed = planner.needed("one", 16)
    # The window sees the last two blocks; the first block is computed already.
    assert [group for group, _ in needed] == [0] * 4 + [1] * 2 and needed[2][1] == needed[4][1]
    assert planner.needed("one", 16) == [] and len(planner.needed("one", 8)) == 4
    moves = planner.load("one", [[1, 2, 3, 4, 5, 6]] * 2, 16)
    assert [(move.group, move.hash) for move in moves] == needed


def test_locked_values_stay_until_the_last_unlock() -> None:
    import mf_smem
    from mf_connectors._locks import Locks

    with mf_smem.Cache(**options(61)) as cache:
        locks = Locks(cache, lease_s=0.6)
        cache.put("kept", bytes(1 << 18))
        assert locks.lock([b"kept", b"none"]) == [True, False] and locks.lock([b"kept"]) == [True]
        locks.unlock([b"kept", b"never locked"])
        assert locks.held() == {b"kept": 1}
        # Longer than a lease: it was renewed.
        end = time.monotonic() + 1.5
        number = 0
        while time.monotonic() < end:
            cache.put(f"{number % 100}", bytes(1 << 18))
            number += 1
            assert cache.exists("kept")
        locks.unlock([b"kept"])
        assert locks.held() == {}

        def evicted() -> bool:
            nonlocal number
            cache.put(f"{number % 100}", bytes(1 << 18))
            number += 1
            return not cache.exists("kept")

        wait_until(evicted)
        locks.close()
        locks.close()
