# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hits and keys of vLLM's connector, beside vLLM's own (tried: 0.33.0).

Real: the specs and KVCacheConfig, the extra keys of vLLM's hashes of blocks, and the coordinator of hits of
MooncakeStoreConnector. Stand-ins: the configuration, requests and the modules that `engines` leaves out.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from engines import needed
from vllm_parts import BASE, SPECS, asked, config, five, full, layout

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")


def test_hits_are_those_of_vllms_own_coordinator() -> None:
    """2,000 random sets of blocks of five groups; also with a drafting layer, for which the last block is
    computed again."""
    (coordinators,) = needed(
        "vllm", "vllm.distributed.kv_transfer.kv_connector.v1.mooncake.store.coordinator"
    )
    needed("vllm", BASE)
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
        layout = five()
        layout.kv_cache_groups[0].is_eagle_group = drafts
        groups = groups_of(config({}), layout)
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
        asked("plain", list(range(40))), asked("salted", list(range(40)), cache_salt="user"),
        *(asked(name, list(range(40)), mm_features=media((name, 9, 13))) for name in ("cat", "dog")),
        asked("two", list(range(40)), mm_features=media(("cat", 9, 13), ("dog", 30, 2))),
        asked("adapted", list(range(40)), lora_request=SimpleNamespace(lora_name="a", lora_path="p")),
        asked("embedded", list(range(40)), prompt_embeds=rows),
        asked("embedded too", list(range(40)), prompt_embeds=torch.cat([rows[:20], rows[:20]])),
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
    (specs,) = needed("vllm", SPECS)
    import torch

    from mf_connectors._vllm_model import key_prefix

    def prefix(groups: Any = None, **model: Any) -> str:
        return key_prefix(config({}, **model), groups or layout(8, (["a"], full())))

    def rope(config: Any) -> Any:
        return config

    prefixes = [
        prefix(), prefix(revision="v2"), prefix(quantization="fp8"), prefix(hf_overrides={"rope_theta": 1.0}),
        prefix(hf_overrides={"rope_theta": 2.0}), prefix(hf_overrides=rope), prefix(dtype=torch.bfloat16),
        prefix(layout(8, (["a"], full(8)))), prefix(five()), prefix(model="org/other"),
    ]
    assert len(set(prefixes)) == len(prefixes) and all("0x" not in one for one in prefixes)
    assert prefix(hf_overrides={"a": 1, "b": 2}) == prefix(hf_overrides={"b": 2, "a": 1})
    assert prefix(hf_overrides=rope) == prefix(hf_overrides=rope) and prefix(revision=None) == prefix()
    other = layout(8, (["a"], full()))
    other.kv_cache_layout = "HND"
    assert prefix(other) != prefix()
    # Differences between the scheduler and the stages of a pipeline do not count.
    uniform = specs.UniformTypeKVCacheSpecs(block_size=4, kv_cache_specs={"b": full()})
    assert prefix(layout(8, (["b"], uniform))) == prefix()


def test_layers_that_cannot_be_restored_are_refused() -> None:
    (specs,) = needed("vllm", SPECS)
    import torch

    from mf_connectors._vllm_model import groups_of

    with pytest.raises(ValueError, match="--mamba-cache-mode align"):
        groups_of(config({}), five("none"))
    cross = specs.CrossAttentionSpec(block_size=4, num_kv_heads=1, head_size=1, dtype=torch.float32)
    with pytest.raises(ValueError, match="CrossAttentionSpec"):
        groups_of(config({}), layout(8, (["a"], full()), (["b"], cross)))
    parallel = config({})
    parallel.parallel_config.decode_context_parallel_size = 2
    with pytest.raises(ValueError, match="decode_context_parallel_size must be 1, and is 2"):
        groups_of(parallel, layout(8, (["a"], full())))
