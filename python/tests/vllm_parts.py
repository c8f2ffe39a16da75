# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A configuration, a scheduler's output and the connectors of an engine of vLLM, without the engine."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

from engines import needed
from test_connectors import options

BASE = "vllm.distributed.kv_transfer.kv_connector.v1.base"
SPECS = "vllm.v1.kv_cache_interface"


def config(
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


def layout(blocks: int, *groups: tuple[list[str], Any]) -> Any:
    (specs,) = needed("vllm", SPECS)
    return specs.KVCacheConfig(blocks, [], [specs.KVCacheGroupSpec(names, spec) for names, spec in groups])


def full(tokens: int = 4) -> Any:
    import torch

    (specs,) = needed("vllm", SPECS)
    return specs.FullAttentionSpec(block_size=tokens, num_kv_heads=1, head_size=3, dtype=torch.float32)


def five(mode: str = "align") -> Any:
    """The groups of `engine_model`, as vLLM describes them."""
    import torch

    (specs,) = needed("vllm", SPECS)

    def window(tokens: int, reach: int) -> Any:
        return specs.SlidingWindowSpec(
            block_size=tokens, num_kv_heads=1, head_size=1, dtype=torch.int32, sliding_window=reach + 1)

    def state(tokens: int) -> Any:
        return specs.MambaSpec(
            block_size=tokens, shapes=((1,),), dtypes=(torch.int32,), mamba_cache_mode=mode
        )

    return layout(256, (["full"], full()), (["near"], window(4, 7)), (["far"], window(8, 17)),
                   (["state"], state(8)), (["slow"], state(16)))


def asked(name: str, tokens: list[int] | None = None, **fields: Any) -> Any:
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


def step(
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


def blocks(tables: list[list[int]]) -> Any:
    return SimpleNamespace(get_block_ids=lambda: tuple(tables))


def run_step(worker: Any, meta: Any) -> None:
    """A step of the model runner, until its moves have ended."""
    worker.bind_connector_metadata(meta)
    worker.start_load_kv(None)
    worker.wait_for_save()
    worker.clear_connector_metadata()
    worker._works().drain()


class Pair:
    """A scheduler's connector and the workers'."""

    def __init__(
        self, number: int, layout: Any, layers: list[dict[str, Any]], events: bool = False, **cache_options: Any
    ) -> None:
        (base,) = needed("vllm", BASE)
        from mf_connectors.vllm import MfConnector

        cache, count = {**options(number), **cache_options}, len(layers)
        self.scheduler = MfConnector(config(cache, events, count), base.KVConnectorRole.SCHEDULER, layout)
        self.workers = []
        for rank, tensors in enumerate(layers):
            worker = MfConnector(config(cache, events, count, rank), base.KVConnectorRole.WORKER, layout)
            worker.register_kv_caches(tensors)
            self.workers.append(worker)

    def run(self, output: Any) -> Any:
        # Workers are other processes.
        meta = pickle.loads(pickle.dumps(self.scheduler.build_connector_meta(output)))
        for worker in self.workers:
            run_step(worker, meta)
            report = pickle.loads(pickle.dumps(worker.build_connector_worker_meta()))
            self.scheduler.update_connector_output(SimpleNamespace(kv_connector_worker_meta=report))
        return meta

    def load(self, request: Any, tables: list[list[int]], tokens: int) -> Any:
        """A step that only loads."""
        self.scheduler.update_state_after_alloc(request, blocks(tables), tokens)
        nothing = step("nobody", [[] for _ in tables], 0, 0, is_new=False)
        nothing.scheduled_cached_reqs.req_ids = []
        return self.run(nothing)

    def close(self) -> None:
        for one in (self.scheduler, *self.workers):
            one.shutdown()
            one.shutdown()
