# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meetings of the ranks of a measurement over a store, which rank 0 serves."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

from mf_smem import Store

_FAILURE = "failure"
#: Longest time between two checks for failures of other ranks.
_CHECK_S = 0.5
#: Parameters that ranks have each for themselves.
_OWN = frozenset({"direction"})


class BenchmarkSync:
    """The meetings of one rank. Any thread.

    params
        ``sync_host`` and ``sync_port`` of the store, ``sync_timeout`` of each wait in seconds, ``world_size``.
    rank_id
        The own rank, below ``world_size``.

    Blocks until the store answers, at most for ``sync_timeout``; a subclass of `mf_smem.Error` if it does not.
    """

    def __init__(self, params: Mapping[str, Any], rank_id: int) -> None:
        self.rank_id = rank_id
        self.world_size = int(params["world_size"])
        self.timeout = float(params["sync_timeout"])
        self.store = Store(
            str(params["sync_host"]), int(params["sync_port"]), self.world_size, rank_id == 0, self.timeout, rank=rank_id
        )

    def barrier(self, stage: str, ranks: Iterable[int] | None = None) -> None:
        """Waits until these ranks (None: all) have come to the stage. ``RuntimeError`` with the message of a rank that failed;
        ``TimeoutError`` names the missing ranks."""
        self.store.set(_arrival(stage, self.rank_id), b"")
        self._wait({rank: _arrival(stage, rank) for rank in (range(self.world_size) if ranks is None else ranks)}, stage)

    def check_config(self, params: Mapping[str, Any]) -> None:
        """Compares the parameters of all ranks, except for their directions, and waits for them. ``ValueError`` names a rank and
        a parameter that differs from rank 0's, in all ranks."""
        mine = {name: str(value) for name, value in params.items() if name not in _OWN}
        self.store.set(_config(self.rank_id), json.dumps(mine))
        self._wait({rank: _config(rank) for rank in range(self.world_size)}, "configuration")
        first, *others = (json.loads(self.store.get(_config(rank))) for rank in range(self.world_size))
        for rank, other in enumerate(others, 1):
            name = next((name for name in sorted(first.keys() | other.keys()) if first.get(name) != other.get(name)), None)
            if name is not None:
                raise ValueError(f"ranks 0 and {rank} have different values of {name}: {first.get(name)} and {other.get(name)}")

    def fail(self, message: str) -> None:
        """Ends the waits of all ranks with this message; the first one stays."""
        self.store.compare_set(_FAILURE, b"", f"rank {self.rank_id}: {message}")

    def _wait(self, keys: Mapping[int, str], stage: str) -> None:
        end = time.monotonic() + self.timeout
        while True:
            try:
                self.store.wait(list(keys.values()), min(_CHECK_S, max(end - time.monotonic(), 0.001)))
                return
            except TimeoutError:
                if self.store.check([_FAILURE]):
                    raise RuntimeError(self.store.get(_FAILURE).decode()) from None
                if time.monotonic() >= end:
                    missing = [rank for rank, key in keys.items() if not self.store.check([key])]
                    raise TimeoutError(f"benchmark: ranks {missing} did not come to {stage} within {self.timeout} s") from None

    def close(self) -> None:
        """Leaves the store; in rank 0 it ends, so rank 0 closes last."""
        self.store.close()

    def __enter__(self) -> BenchmarkSync:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _arrival(stage: str, rank: int) -> str:
    return f"stage/{stage}/{rank}"


def _config(rank: int) -> str:
    return f"config/{rank}"
