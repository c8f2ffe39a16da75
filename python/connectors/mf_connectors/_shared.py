# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The one cache of a process for a set of options, which parts of an engine in one process share."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import mf_smem

from ._removals import Removals

_LOG = logging.getLogger(__name__)

#: Processes that may take part, where the options do not say.
_WORLD_SIZE = 64
#: How long values that were found may take to come into memory.
_PREFETCH_S = 30.0


@dataclasses.dataclass(frozen=True)
class Options:
    """Cache options from an engine's configuration; the arguments of `mf_smem.Cache`."""

    #: Where the processes meet; the same in all of them.
    store_url: str
    #: Most processes that take part at once, the same in all of them: each worker and each scheduler is one.
    world_size: int = _WORLD_SIZE
    rank: int | None = None
    contribution: int | str = "1GiB"
    max_contribution: int | str | None = None
    replicas: int = 1
    index_entries: int | None = None
    id: int = 63
    device_id: int | None = None
    start_store: bool | None = None
    timeout: float | None = None
    nic: str = ""
    #: Tier on disk of this process: folders, size, values that it takes. None: as the settings say.
    disk: str | list[str] | None = None
    disk_bytes: int | str | None = None
    disk_admission: str | None = None
    #: Seconds for which SIGTERM saves values to that disk.
    save_on_sigterm: float | None = None

    @classmethod
    def of(cls, named: Mapping[str, Any]) -> Options:
        """Returns the options from a configuration, and rejects unknown names."""
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(named) - known)
        if unknown:
            raise ValueError(
                f"mf_connectors: no such option: {', '.join(unknown)}; there are {', '.join(sorted(known))}"
            )
        if not named.get("store_url"):
            raise ValueError(
                "mf_connectors: store_url is needed, for example tcp://10.0.0.1:5570, the same in all "
                "processes (mf store serve runs a store there)"
            )
        return cls(**named)

    def contributing(self, contribution: int | str) -> Options:
        """Returns the same options with another contribution of this process, which has no tier on disk."""
        return dataclasses.replace(
            self, contribution=contribution, disk=None, disk_bytes=None, disk_admission=None
        )


@dataclasses.dataclass
class _Opened:
    cache: mf_smem.Cache
    users: int
    removals: Removals | None = None
    watchers: int = 0


_LOCK = threading.Lock()
_OPEN: dict[int, _Opened] = {}


def open_cache(options: Options) -> mf_smem.Cache:
    """Returns the process-wide cache with that id. The first call opens it, the last `close_cache` closes it."""
    with _LOCK:
        opened = _OPEN.get(options.id)
        if opened is None:
            opened = _OPEN[options.id] = _Opened(mf_smem.Cache(**dataclasses.asdict(options)), 0)
        opened.users += 1
        return opened.cache


def close_cache(options: Options) -> None:
    """Gives back what `open_cache` gave."""
    with _LOCK:
        opened = _OPEN.get(options.id)
        if opened is None:
            return
        opened.users -= 1
        if opened.users == 0:
            del _OPEN[options.id]
            opened.cache.close()


def open_removals(options: Options) -> Removals:
    """Returns the removals of the cache that `open_cache` returned. The last `close_removals` ends them."""
    with _LOCK:
        opened = _OPEN[options.id]
        if opened.removals is None:
            opened.removals = Removals(opened.cache, options.store_url, options.id)
        opened.watchers += 1
        return opened.removals


def close_removals(options: Options) -> None:
    """Gives back what `open_removals` gave, before `close_cache`."""
    with _LOCK:
        opened = _OPEN[options.id]
        opened.watchers -= 1
        if opened.watchers == 0 and opened.removals is not None:
            removals, opened.removals = opened.removals, None
            removals.close()


def prefetch(cache: mf_smem.Cache, names: Sequence[str | bytes]) -> None:
    """Starts to bring values that were found into memory, before the engine loads them."""
    try:
        if names:
            cache.prefetch(names, deadline=_PREFETCH_S)
    except mf_smem.Error as error:
        # Loads bring them, later.
        _LOG.debug("memfabric: values are not prefetched: %s", error)


def prefix(*parts: object) -> str:
    """Returns the key prefix of one model, shape and shard. Parts may hold any character."""
    return "/".join(str(part).replace("%", "%25").replace("/", "%2f") for part in parts) + "/"
