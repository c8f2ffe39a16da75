# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A secondary tier of vLLM's offloading connector: chunks that leave its host memory go to a cache of
mf_smem, which many engines share, and come back from there.

vLLM loads it with

    --kv-transfer-config '{"kv_connector": "OffloadingConnector", "kv_role": "kv_both",
        "kv_connector_extra_config": {"spec_name": "TieringOffloadingSpec", "cpu_bytes_to_use": 34359738368,
            "secondary_tiers": [{"type": "MfTier", "module_path": "mf_connectors.vllm_tier",
                "store_url": "tcp://10.0.0.1:5570", "contribution": "32GiB"}]}}'

A value is one chunk of one group of layers, of all workers of the engine: only engines with the same parallel
layout share them. Lookups, stores and loads run on threads, many chunks a call; the scheduler's thread never
waits for the cache.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import mf_smem
import numpy
from vllm.v1.kv_offload.base import (
    Locality,
    LookupResult,
    Medium,
    OffloadingEvent,
    OffloadKey,
    ReqContext,
    RequestOffloadingContext,
    ScheduleEndContext,
)
from vllm.v1.kv_offload.tiering.async_lookup import AsyncLookupManager
from vllm.v1.kv_offload.tiering.base import JobResult, SecondaryTierManager, TransferJob

from ._ledger import Ledger
from ._shared import Options, close_cache, close_removals, open_cache, open_removals, prefetch, prefix
from ._watch import Watch

_LOG = logging.getLogger(__name__)

#: Threads that move chunks.
_THREADS = 2
#: How long chunks that were found are kept from eviction.
_LEASE_S = 30.0
#: Events that are remembered until the engine takes them.
_EVENTS = 1 << 16


class MfTier(SecondaryTierManager):
    """Chunks of one engine's offloading connector. Calls are of the scheduler's thread."""

    medium = Medium.STORAGE

    def __init__(
        self,
        offloading_spec: Any,
        primary_kv_view: memoryview,
        tier_type: str,
        backpressure_detector: Any = None,
        locality: str | None = None,
        model_version: str = "",
        **options: Any,
    ) -> None:
        """Opens the cache, with its options. `model_version` separates versions of a model of one name
        (revision, quantisation, overrides), which vLLM does not pass to a tier."""
        super().__init__(offloading_spec, primary_kv_view, tier_type, backpressure_detector)
        self.locality = Locality(locality) if locality else Locality.REMOTE
        # Routers that count local tiers leave out events with an owner that they do not know.
        self._ownership = None if self.locality is Locality.LOCAL else tier_type
        # A view of two dimensions cannot be indexed by one number, but an array of it can.
        self._rows = numpy.asarray(primary_kv_view).view(numpy.uint8)
        self._options = Options.of(options)
        self._cache = open_cache(self._options)
        self._is_open = True
        self._prefix = _key_prefix(offloading_spec.config, model_version)
        self._threads = ThreadPoolExecutor(_THREADS, "mf-tier")
        self._lookups = _Lookups(tier_type, self._cache, self._name)
        self._lock = threading.Lock()
        #: With the chunks that a load did not find.
        self._finished: list[tuple[JobResult, set[OffloadKey]]] = []
        self._running: set[Future[None]] = set()
        self._events: list[OffloadingEvent] = []
        self._lost_events = 0
        self._ledger: Ledger[OffloadKey] = Ledger(self._cache)
        self._watch: Watch[OffloadKey] | None = None
        if offloading_spec.config.enable_kv_cache_events:
            self._watch = Watch(self._ledger, open_removals(self._options), self._gone)

    def lookup(self, key: OffloadKey, req_context: ReqContext) -> LookupResult:
        """Returns HIT or MISS; RETRY until a thread has asked the cache, which begins at the end of the step."""
        found = self._lookups.lookup(key, req_context)
        if found is None:
            return LookupResult.RETRY
        return LookupResult.HIT if found else LookupResult.MISS

    def submit_store(self, job_metadata: TransferJob) -> None:
        """Starts to put chunks that the cache does not have yet."""
        self._submit(job_metadata, self._store)

    def submit_load(self, job_metadata: TransferJob) -> None:
        """Starts to get chunks into their rows."""
        self._submit(job_metadata, self._load)

    def get_finished_jobs(self) -> Iterable[JobResult]:
        """Returns the jobs that ended since the last call, each once."""
        with self._lock:
            finished, self._finished = self._finished, []
        for _, missed in finished:
            # Otherwise the engine would try to load them again and again.
            self._lookups.mark_miss(missed)
        return [result for result, _ in finished]

    def has_pending_work(self) -> bool:
        """Returns True while a job runs or its result was not taken."""
        with self._lock:
            return bool(self._running or self._finished)

    def take_events(self) -> Iterable[OffloadingEvent]:
        """Returns the chunks stored and lost since the last call."""
        with self._lock:
            events, self._events = self._events, []
        return events

    def on_new_request(self, req_context: ReqContext) -> RequestOffloadingContext:
        """Returns an empty context: each chunk is offloaded by itself, as it arrives."""
        return RequestOffloadingContext()

    def on_request_finished(self, req_context: ReqContext) -> None:
        """Forgets the lookups of a request."""
        self._lookups.cleanup(req_context.req_id)

    def on_schedule_end(self, context: ScheduleEndContext) -> None:
        """Lets a thread ask for the chunks of this step's lookups."""
        self._lookups.flush()

    def drain_jobs(self) -> None:
        """Waits until all jobs have ended."""
        while True:
            with self._lock:
                running = list(self._running)
            if not running:
                return
            for job in running:
                job.exception()

    def shutdown(self) -> None:
        """Waits for all jobs, ends the threads and leaves the cache. Idempotent."""
        if self._is_open:
            self._is_open = False
            self._threads.shutdown(wait=True)
            self._lookups.shutdown()
            if self._watch is not None:
                self._watch.close()
                close_removals(self._options)
            # The engine releases the view that the rows are of.
            self._rows = numpy.empty((0, 0), numpy.uint8)
            close_cache(self._options)

    def config_info(self) -> Mapping[str, str | int]:
        """Returns the labels of the engine's metric of configurations."""
        return {"store_url": self._options.store_url, "replicas": self._options.replicas}

    @classmethod
    def config_info_keys(cls, tier_config: dict[str, Any]) -> tuple[str, ...]:
        """Returns the names of those labels."""
        return ("store_url", "replicas")

    def _submit(self, job: TransferJob, work: Callable[[TransferJob], tuple[list[OffloadKey], int]]) -> None:
        future = self._threads.submit(self._run, job, work)
        with self._lock:
            self._running.add(future)
        future.add_done_callback(self._ended)

    def _ended(self, future: Future[None]) -> None:
        with self._lock:
            self._running.discard(future)

    def _run(self, job: TransferJob, work: Callable[[TransferJob], tuple[list[OffloadKey], int]]) -> None:
        begun, done, moved = time.monotonic(), list[OffloadKey](), 0
        try:
            done, moved = work(job)
        except Exception as error:  # noqa: BLE001 - whatever it is, the engine waits for an answer
            _LOG.warning("memfabric: job %d of %d chunks failed: %s", job.job_id, len(job.keys), error)
        failed = set(job.keys) - set(done)
        result = JobResult(
            job.job_id, success=not failed, successful_keys=done if failed and job.is_promotion else None,
            transfer_time=time.monotonic() - begun, transfer_bytes=moved,
        )
        with self._lock:
            self._finished.append((result, failed if job.is_promotion else set()))

    def _store(self, job: TransferJob) -> tuple[list[OffloadKey], int]:
        keys, rows = list(job.keys), [self._rows[chunk] for chunk in job.chunk_ids]
        names = [self._name(key) for key in keys]
        there = self._cache.exists_many(names, skip_errors=True)
        new = [place for place, is_there in enumerate(there) if not is_there]
        stored = self._cache.put_many(
            [names[place] for place in new], [rows[place] for place in new], replace=False, skip_errors=True
        )
        # Another engine may have put it meanwhile.
        left = [place for place, done in zip(new, stored) if not done]
        found = self._cache.exists_many([names[place] for place in left], skip_errors=True) if left else []
        failed = {place for place, is_there in zip(left, found) if not is_there}
        if self._watch is not None:
            self._watch.announce(functools.partial(self._announce, names, keys, failed))
        kept = [key for place, key in enumerate(keys) if place not in failed]
        return kept, (len(new) - len(left)) * self._rows.shape[1]

    def _load(self, job: TransferJob) -> tuple[list[OffloadKey], int]:
        keys, rows = list(job.keys), [self._rows[chunk] for chunk in job.chunk_ids]
        lengths = self._cache.get_many_into([self._name(key) for key in keys], rows, skip_errors=True)
        loaded = [key for key, row, length in zip(keys, rows, lengths) if length == len(row)]
        return loaded, len(loaded) * self._rows.shape[1]

    def _name(self, key: OffloadKey) -> bytes:
        name: bytes = self._prefix + key
        return name

    def _announce(self, names: list[bytes], keys: list[OffloadKey], failed: set[int]) -> None:
        new = [
            key for place, (name, key) in enumerate(zip(names, keys))
            if place not in failed and self._ledger.add(name, key) is None
        ]
        if new:
            self._add_event(new, removed=False)

    def _gone(self, keys: list[OffloadKey]) -> None:
        self._add_event(keys, removed=True)

    def _add_event(self, keys: list[OffloadKey], removed: bool) -> None:
        event = OffloadingEvent(keys, self.medium, removed, locality=self.locality, ownership=self._ownership)
        with self._lock:
            if len(self._events) < _EVENTS:
                self._events.append(event)
                return
            self._lost_events += 1
            lost = self._lost_events
        if lost.bit_count() == 1:
            _LOG.warning("memfabric: %d events of the tier were lost: the engine takes too few", lost)


class _Lookups(AsyncLookupManager):
    """Lookups of a step, asked by a thread."""

    def __init__(self, tier_type: str, cache: mf_smem.Cache, name: Callable[[OffloadKey], bytes]) -> None:
        self._cache, self._name = cache, name
        super().__init__(tier_type)

    def batch_lookup(self, keys: list[OffloadKey], req_context: ReqContext) -> Iterable[bool]:
        """Returns True for each existing chunk, and leases it for a while, until its load."""
        names = [self._name(key) for key in keys]
        # Several at once, where a lease waits for each.
        prefetch(self._cache, names)
        return [self._cache.lease(name, _LEASE_S) is not None for name in names]


def _key_prefix(config: Any, version: str) -> bytes:
    """Returns the prefix of the keys of an engine: everything that determines the form of a chunk's bytes."""
    parallel = config.parallel
    described = {
        "dtype": str(config.model.dtype),
        "hash_tokens": config.cache.tokens_per_hash,
        "chunk_blocks": config.cache.blocks_per_chunk,
        "block_bytes": config.worker_kv_bytes_per_block,
        "groups": [[group.tokens_per_block, list(group.layer_names)] for group in config.groups],
        "parallel": [
            parallel.world_size,
            parallel.tp_size,
            parallel.pp_size,
            parallel.pcp_size,
            parallel.dcp_size,
        ],
        "layout": [config.kv_cache_layout, config.replicated_layout, config.canonical_layout],
        "version": version,
    }
    digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:32]
    return prefix("vllm-tier", config.model.name, digest).encode()
