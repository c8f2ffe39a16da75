# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A KV connector of vLLM: blocks of prompts in a cache of mf_smem, for every engine that shares it.

vLLM loads it with

    --kv-transfer-config '{"kv_connector": "MfConnector", "kv_connector_module_path": "mf_connectors.vllm",
        "kv_role": "kv_both", "kv_load_failure_policy": "recompute",
        "kv_connector_extra_config": {"store_url": "tcp://10.0.0.1:5570", "contribution": "32GiB"}}'

A value is one block of one group of layers of one worker; its key the hash of the prompt up to the block's
end, behind the model, its version and layout, the worker's place and the group. The scheduler asks for the
longest prefix that all groups of all workers can restore; workers load it while the request waits, and save
blocks behind the forward pass.
"""

from __future__ import annotations

import dataclasses
import logging
from collections import Counter
from typing import Any

import torch
from vllm.distributed.kv_transfer.kv_connector.v1.base import (
    KVConnectorBase_V1,
    KVConnectorMetadata,
    KVConnectorRole,
    KVConnectorTransferResults,
    KVConnectorWorkerMetadata,
    SupportsHMA,
)
from vllm.v1.metrics.cache_hit_source import CacheHitSource

from ._planner import Step
from ._shared import Options, close_cache, close_removals, open_cache, open_removals, prefix
from ._vllm_model import groups_of, hash_tokens, key_prefix
from ._vllm_scheduler import Scheduler
from ._vllm_stats import Figures, MfPromMetrics, MfStats
from ._vllm_worker import Worker

_LOG = logging.getLogger(__name__)

#: A scheduler keeps no values.
_SCHEDULER_BYTES = "2MiB"


@dataclasses.dataclass
class MfMetadata(KVConnectorMetadata):
    """Work of the workers in a step, as decided by the scheduler."""

    step: Step = dataclasses.field(default_factory=Step)


@dataclasses.dataclass
class MfWorkerMetadata(KVConnectorWorkerMetadata):
    """Blocks that workers have saved, by group and hash, with the number of workers."""

    saved: dict[tuple[int, bytes], int]

    def aggregate(self, other: KVConnectorWorkerMetadata) -> MfWorkerMetadata:
        assert isinstance(other, MfWorkerMetadata)
        return MfWorkerMetadata(dict(Counter(self.saved) + Counter(other.saved)))


class MfConnector(KVConnectorBase_V1, SupportsHMA):
    """One for the scheduler, and one for each worker."""

    _cache_hit_source = CacheHitSource.HOST

    def __init__(self, vllm_config: Any, role: Any, kv_cache_config: Any) -> None:
        super().__init__(vllm_config, role, kv_cache_config)
        options = Options.of(vllm_config.kv_transfer_config.kv_connector_extra_config)
        groups, tokens = groups_of(vllm_config, kv_cache_config), hash_tokens(kv_cache_config)
        parallel = vllm_config.parallel_config
        self._workers: int = parallel.tensor_parallel_size * parallel.pipeline_parallel_size
        self._rank: int = parallel.rank % self._workers
        self._prefix = key_prefix(vllm_config, kv_cache_config)
        is_scheduler = role == KVConnectorRole.SCHEDULER
        self._options = options.contributing(_SCHEDULER_BYTES) if is_scheduler else options
        self._cache = open_cache(self._options)
        self._is_open = True
        self._figures = Figures()
        self._scheduler: Scheduler | None = None
        self._worker: Worker | None = None
        events = getattr(vllm_config, "kv_events_config", None)
        # Workers, too: they evict, and the scheduler receives the names from their bulletins.
        has_events = events is not None and events.enable_kv_cache_events
        self._removals = open_removals(self._options) if has_events else None
        if is_scheduler:
            self._scheduler = Scheduler(
                self._cache, groups, tokens, self._workers, self._key, self._figures, self._removals
            )
        else:
            self._worker = Worker(self._cache, self._own_key, self._figures)

    def _key(self, worker: int, group: int, hashed: bytes) -> str:
        return self._prefix + prefix(f"{worker}.{self._workers}", group) + hashed.hex()

    def _own_key(self, group: int, hashed: bytes) -> str:
        return self._key(self._rank, group, hashed)

    @property
    def requires_kv_delivery(self) -> bool:
        """Returns False: a block that is not saved is computed again."""
        return False

    def get_kv_connector_stats(self) -> MfStats | None:
        """Returns the figures since the last call, of this worker or the scheduler."""
        return self._figures.take()

    @classmethod
    def build_kv_connector_stats(cls, data: dict[str, Any] | None = None) -> MfStats:
        """Returns the received figures."""
        return MfStats(data=dict(data)) if data else MfStats()

    @classmethod
    def build_prom_metrics(
        cls,
        vllm_config: Any,
        metric_types: Any,
        labelnames: list[str],
        per_engine_labelvalues: dict[int, list[object]],
    ) -> MfPromMetrics:
        """Returns counters of Prometheus for the figures."""
        return MfPromMetrics(vllm_config, metric_types, labelnames, per_engine_labelvalues)

    # The scheduler's side.

    def get_num_new_matched_tokens(self, request: Any, num_computed_tokens: int) -> tuple[int, bool]:
        """Returns the number of tokens after the computed ones that all workers can restore; they are loaded
        while the request waits."""
        found = self._schedules().ask(request, num_computed_tokens)
        return found, found > 0

    def update_state_after_alloc(self, request: Any, blocks: Any, num_external_tokens: int) -> None:
        """Records the loads of the next step."""
        if num_external_tokens > 0:
            self._schedules().load(request.request_id, blocks.get_block_ids(), num_external_tokens)

    def build_connector_meta(self, scheduler_output: Any) -> MfMetadata:
        """Builds the workers' work of this step."""
        return MfMetadata(self._schedules().step(scheduler_output))

    def update_connector_output(self, connector_output: Any) -> None:
        """Learns which blocks the workers have saved."""
        report = connector_output.kv_connector_worker_meta
        if isinstance(report, MfWorkerMetadata):
            self._schedules().saved(report.saved)

    def request_finished(self, request: Any, block_ids: list[int]) -> tuple[bool, dict[str, Any] | None]:
        """Forgets a request; its blocks may be freed at once."""
        self._schedules().end(request.request_id)
        return False, None

    def request_finished_all_groups(
        self, request: Any, block_ids: tuple[list[int], ...]
    ) -> tuple[bool, dict[str, Any] | None]:
        """Forgets a request as `request_finished`, for models with several groups."""
        return self.request_finished(request, [])

    def take_events(self) -> list[Any]:
        """Returns the blocks that the cache has stored and lost since the last call, as events of vLLM."""
        return self._schedules().take_events()

    def reset_cache(self) -> bool:
        """Removes all blocks of this model, as its weights have changed, including blocks of other
        engines."""
        try:
            self._schedules().clear(self._prefix)
        except RuntimeError as error:
            _LOG.warning("memfabric: blocks of the model are not removed: %s", error)
            return False
        return True

    # A worker's side.

    def register_kv_caches(self, kv_caches: dict[str, torch.Tensor]) -> None:
        """Registers the layers' tensors."""
        self._works().register(kv_caches, self._kv_cache_config)

    def unregister_kv_caches(self) -> None:
        """Unregisters the layers' tensors, and waits for the moves that use them. Idempotent."""
        self._works().forget_layers()

    def restore_kv_caches(self) -> None:
        """Restores the layers' tensors. Idempotent."""
        self._works().restore_layers()

    def start_load_kv(self, forward_context: Any, **kwargs: Any) -> None:
        """Starts the loads of this step."""
        self._works().load(self._step().loads)

    def wait_for_layer_load(self, layer_name: str) -> None:
        """Does nothing: a request runs when its blocks are loaded."""

    def save_kv_layer(
        self, layer_name: str, kv_layer: torch.Tensor, attn_metadata: Any, **kwargs: Any
    ) -> None:
        """Does nothing: blocks are saved with all their layers."""

    def wait_for_save(self) -> None:
        """Copies the blocks of this step that are not in the cache; a thread puts them there."""
        self._works().save(self._step().saves)

    def get_transfer_results(self, finished_req_ids: set[str]) -> KVConnectorTransferResults:
        """Returns the requests with ended loads and, in models with several groups, with failed ones."""
        received, failed = self._works().take_finished()
        return KVConnectorTransferResults(finished_recving=received, failed_recving=failed)

    def get_finished(self, finished_req_ids: set[str]) -> tuple[set[str] | None, set[str] | None]:
        """Returns the requests with ended loads, for callers that do not know `get_transfer_results`."""
        received, _ = self._works().take_finished()
        return None, received or None

    def get_block_ids_with_load_errors(self) -> set[int]:
        """Returns the blocks with failed loads since the last call, in models with one group."""
        return self._works().take_failed_blocks()

    def build_connector_worker_meta(self) -> MfWorkerMetadata | None:
        """Returns the blocks that this worker has saved since the last call."""
        saved = self._works().take_saved()
        return MfWorkerMetadata(saved) if saved else None

    def shutdown(self) -> None:
        """Waits for loads and saves, and leaves the cache. Idempotent."""
        if self._is_open:
            self._is_open = False
            for side in (self._worker, self._scheduler):
                if side is not None:
                    side.close()
            if self._removals is not None:
                close_removals(self._options)
            close_cache(self._options)

    def _step(self) -> Step:
        metadata = self._get_connector_metadata()
        return metadata.step if isinstance(metadata, MfMetadata) else Step()

    def _schedules(self) -> Scheduler:
        assert self._scheduler is not None, "called on a worker's connector"
        return self._scheduler

    def _works(self) -> Worker:
        assert self._worker is not None, "called on the scheduler's connector"
        return self._worker
