# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A KV connector of vLLM: blocks of prompts in a cache of mf_smem, for every engine that shares it.

vLLM loads it with

    --kv-transfer-config '{"kv_connector": "MfConnector", "kv_connector_module_path": "mf_connectors.vllm",
        "kv_role": "kv_both", "kv_load_failure_policy": "recompute",
        "kv_connector_extra_config": {"store_url": "tcp://10.0.0.1:5570", "contribution": "32GiB"}}'

A value is one block of the KV cache of one worker, all its layers; its key the hash of the tokens up to the block's end, behind
the model and the worker's place. The scheduler asks for the longest prefix that all workers have; loads are done
before the forward pass, saves after it. Models with one kind of layer only (``--disable-hybrid-kv-cache-manager``).
"""

from __future__ import annotations

import dataclasses
import logging
from typing import Any

import torch
from vllm.distributed.kv_transfer.kv_connector.v1.base import (
    KVConnectorBase_V1,
    KVConnectorMetadata,
    KVConnectorRole,
)

from ._blocks import Planner, Step, block_dimension, block_hashes, seeds_of
from ._shared import Options, close_cache, open_cache, prefix

_LOG = logging.getLogger(__name__)

#: A scheduler keeps no values.
_SCHEDULER_BYTES = "2MiB"
#: Blocks that are moved through one buffer at a time.
_BATCH = 32
#: How long blocks that are to be loaded are kept from eviction.
_LEASE_S = 30.0


@dataclasses.dataclass
class MfMetadata(KVConnectorMetadata):
    """Work of the workers in a step, as decided by the scheduler."""

    step: Step = dataclasses.field(default_factory=Step)


class MfConnector(KVConnectorBase_V1):
    """One for the scheduler, and one for each worker."""

    def __init__(self, vllm_config: Any, role: Any, kv_cache_config: Any = None) -> None:
        super().__init__(vllm_config, role, kv_cache_config)
        options = Options.of(vllm_config.kv_transfer_config.kv_connector_extra_config)
        self._is_scheduler = role == KVConnectorRole.SCHEDULER
        self._options = options.contributing(_SCHEDULER_BYTES) if self._is_scheduler else options
        self._cache = open_cache(self._options)
        self._is_open = True
        self._block_size: int = vllm_config.cache_config.block_size
        self._planner = Planner(self._block_size)
        parallel = vllm_config.parallel_config
        self._workers: int = parallel.tensor_parallel_size * parallel.pipeline_parallel_size
        self._worker: int = parallel.rank % self._workers
        self._model = ("vllm", vllm_config.model_config.model, vllm_config.cache_config.cache_dtype,
                       vllm_config.model_config.dtype, self._block_size)
        self._layers: list[torch.Tensor] = []
        self._lengths: list[int] = []
        self._failed: set[int] = set()

    def _key(self, worker: int, hashed: bytes) -> str:
        return prefix(*self._model, f"{worker}.{self._workers}") + hashed.hex()

    @property
    def requires_kv_delivery(self) -> bool:
        """False: a block that is not saved is computed again."""
        return False

    # The scheduler's side.

    def get_num_new_matched_tokens(self, request: Any, num_computed_tokens: int) -> tuple[int, bool]:
        """Number of tokens after the computed ones that all workers find in the cache."""
        if not self._planner.has(request.request_id):
            tokens = request.prompt_token_ids or []
            # The last token is always computed: its output is wanted.
            count = max(len(tokens) - 1, 0) // self._block_size
            self._planner.begin(request.request_id, block_hashes(tokens, self._block_size, count, *seeds_of(request)))
        hashes = self._planner.ask(request.request_id, num_computed_tokens)
        keys = [self._key(worker, hashed) for hashed in hashes for worker in range(self._workers)]
        try:
            found = self._cache.count_prefix(keys) // self._workers
            for key in keys[: found * self._workers]:
                self._cache.lease(key, _LEASE_S)
        except RuntimeError as error:
            _LOG.warning("memfabric: blocks are computed, because the cache cannot be asked: %s", error)
            found = 0
        return found * self._block_size, False

    def update_state_after_alloc(self, request: Any, blocks: Any, num_external_tokens: int) -> None:
        """Records the loads of the request's next step."""
        self._planner.load(request.request_id, num_external_tokens)

    def build_connector_meta(self, scheduler_output: Any) -> MfMetadata:
        """Builds the workers' work of this step."""
        scheduled, step = scheduler_output.num_scheduled_tokens, Step()
        for new in scheduler_output.scheduled_new_reqs:
            self._planner.add(new.req_id, new.block_ids[0], replace=True)
            self._planner.step(new.req_id, new.num_computed_tokens + scheduled[new.req_id], step)
        cached = scheduler_output.scheduled_cached_reqs
        for request_id, blocks, computed in zip(cached.req_ids, cached.new_block_ids, cached.num_computed_tokens):
            if blocks is not None:
                self._planner.add(request_id, blocks[0], replace=request_id in cached.resumed_req_ids)
            self._planner.step(request_id, computed + scheduled[request_id], step)
        return MfMetadata(step)

    def request_finished(self, request: Any, block_ids: Any) -> tuple[bool, dict[str, Any] | None]:
        """Forgets a request; its blocks may be freed at once."""
        self._planner.end(request.request_id)
        return False, None

    # A worker's side.

    def register_kv_caches(self, kv_caches: dict[str, torch.Tensor]) -> None:
        """The layers' tensors, each shown with its blocks in front."""
        count = self._kv_cache_config.num_blocks
        layers = [kv_caches[name] for name in sorted(kv_caches)]
        self._layers = [layer.movedim(block_dimension(layer.shape, count), 0) for layer in layers]
        self._lengths = [layer[0].numel() * layer.element_size() for layer in self._layers]

    def start_load_kv(self, forward_context: Any, **kwargs: Any) -> None:
        """Loads the blocks of this step. A block that is gone is reported by `get_block_ids_with_load_errors`."""
        loads = self._step().loads
        for first in range(0, len(loads), _BATCH):
            part = loads[first : first + _BATCH]
            buffers = [self._buffer() for _ in part]
            lengths = self._cache.get_many_into([self._own_key(hashed) for _, hashed in part], buffers, skip_errors=True)
            for (block, _), buffer, length in zip(part, buffers, lengths):
                if length != buffer.numel():
                    self._failed.add(block)
                    continue
                for layer, piece in zip(self._layers, buffer.split(self._lengths)):
                    layer[block].copy_(piece.view(layer.dtype).view(layer.shape[1:]))

    def wait_for_layer_load(self, layer_name: str) -> None:
        """Nothing: loads are done before the forward pass."""

    def save_kv_layer(self, layer_name: str, kv_layer: torch.Tensor, attn_metadata: Any, **kwargs: Any) -> None:
        """Nothing: blocks are saved with all their layers."""

    def wait_for_save(self) -> None:
        """Saves the blocks of this step that are not in the cache."""
        saves = self._step().saves
        for first in range(0, len(saves), _BATCH):
            part = saves[first : first + _BATCH]
            keys = [self._own_key(hashed) for _, hashed in part]
            there = self._cache.exists_many(keys, skip_errors=True)
            new = [(key, block) for key, (block, _), is_there in zip(keys, part, there) if not is_there]
            values = [self._gathered(block) for _, block in new]
            # Values that do not fit are recomputed later: a cache may lose values.
            self._cache.put_many([key for key, _ in new], values, replace=False, skip_errors=True)

    def get_block_ids_with_load_errors(self) -> set[int]:
        """Blocks that were gone since the last call."""
        failed, self._failed = self._failed, set()
        return failed

    def shutdown(self) -> None:
        """Leaves the cache. Idempotent."""
        if self._is_open:
            self._is_open = False
            close_cache(self._options)

    def _step(self) -> Step:
        metadata = self._get_connector_metadata()
        return metadata.step if isinstance(metadata, MfMetadata) else Step()

    def _own_key(self, hashed: bytes) -> str:
        return self._key(self._worker, hashed)

    def _buffer(self) -> torch.Tensor:
        return torch.empty(sum(self._lengths), dtype=torch.uint8)

    def _gathered(self, block: int) -> torch.Tensor:
        return torch.cat([layer[block].contiguous().cpu().view(-1).view(torch.uint8) for layer in self._layers])
