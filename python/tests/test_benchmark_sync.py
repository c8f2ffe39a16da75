# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Meetings of the ranks of a measurement: `memfabric_hybrid.benchmark.benchmark_sync`."""

from __future__ import annotations

import ranks

HEAD = """
import os
from memfabric_hybrid.benchmark.benchmark_sync import BenchmarkSync
me, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
params = {
    "sync_host": "127.0.0.1", "sync_port": int(os.environ["MASTER_PORT"]), "sync_timeout": 60, "world_size": world,
    "local_rank_size": world, "direction": "write" if me % 2 else "read", "copy_size": 4096,
}
"""


def run(source: str, count: int) -> None:
    ranks.run_code(HEAD + ranks.dedented(source), count)


def test_ranks_meet_by_stages_and_in_subsets() -> None:
    run(
        """
        with BenchmarkSync(params, me) as sync:
            # Directions differ between ranks.
            sync.check_config(params)
            sync.store.add("began", 1)
            sync.barrier("began")
            assert sync.store.add("began", 0) == world
            if me < 2:
                sync.barrier("pair", [0, 1])
            sync.barrier("end")
            # The store ends with rank 0.
            if me == 0:
                sync.store.wait([f"bye/{rank}" for rank in range(1, world)], 60)
            else:
                sync.store.set(f"bye/{me}", b"")
        """,
        3,
    )


def test_different_parameters_are_named_in_all_ranks() -> None:
    run(
        """
        with BenchmarkSync(params, me) as sync:
            try:
                sync.check_config({**params, "copy_size": 4096 if me < 2 else 8192})
            except ValueError as error:
                assert "ranks 0 and 2" in str(error) and "copy_size: 4096 and 8192" in str(error), error
            else:
                raise AssertionError("accepted")
            sync.barrier("end")
            if me == 0:
                sync.store.wait([f"bye/{rank}" for rank in range(1, world)], 60)
            else:
                sync.store.set(f"bye/{me}", b"")
        """,
        3,
    )


def test_a_failure_ends_the_waits_of_the_others() -> None:
    run(
        """
        sync = BenchmarkSync(params, me)
        if me == 1:
            sync.fail("no memory")
            sync.fail("a later failure")
        try:
            sync.barrier("never", [2])
        except RuntimeError as error:
            assert str(error) == "rank 1: no memory", error
        else:
            raise AssertionError("rank 2 came")
        sync.store.set(f"bye/{me}", b"")
        if me == 0:
            sync.store.wait(["bye/1"], 60)
        sync.close()
        """,
        2,
    )


def test_missing_ranks_are_named() -> None:
    run(
        """
        params["sync_timeout"] = 2
        sync = BenchmarkSync(params, me)
        try:
            sync.barrier("start", [0, 2])
        except TimeoutError as error:
            assert "ranks [2] did not come to start" in str(error), error
        else:
            raise AssertionError("rank 2 came")
        sync.close()
        """,
        1,
    )
