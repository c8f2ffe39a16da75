# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pools of `memfabric_hybrid.offload` of the scene SHARED: ranks in processes of their own."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

import ranks

pytest.importorskip("numpy")

SHARED = """
import ctypes, os, sys
import numpy as np
sys.path.insert(0, {tests!r})
import mf_smem
import offload_models as models
from memfabric_hybrid import get_last_err_msg, get_and_clear_last_err_msg, offload
me, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
GIB = 1 << 30
config = offload.OffloadConfig()
config.scene, config.world_size, config.rank_id = offload.SHARED, world, me
config.reserve_size, config.alloc_size = 2 * GIB, GIB
config.store_url = "tcp://127.0.0.1:" + os.environ["MASTER_PORT"]
"""


def shared(source: str, count: int, **environment: str) -> list[ranks.Finished]:
    head = SHARED.format(tests=os.fspath(Path(__file__).parent))
    return ranks.run_code(head + ranks.dedented(source), count, environment)


def test_ranks_share_one_address_space() -> None:
    shared(
        """
        # The last rank gives nothing.
        givers = world - 1
        if me == givers:
            config.alloc_size = 0
        assert offload.initialize(config) == 0, get_last_err_msg()
        with mf_smem.Store(os.environ["MEETING"], None, world, me == 0, rank=me) as store:
            own = offload.malloc(1 << 20)
            if me == 0:
                store.set("base", str(own).encode())
            base = int(store.get("base"))
            rows = 500
            slots = [np.random.default_rng(rank).integers(0, 256, rows * 100, dtype=np.uint8) for rank in range(givers)]
            if me == givers:
                assert own == 0 and "no free part" in get_and_clear_last_err_msg()
                assert offload.register_entry_table(100, 7) == -1, "the rows do not fit"
                assert offload.get_dva(base) == 0
            else:
                assert own == base + me * 2 * GIB
                assert offload.get_dva(own + GIB - 1) == own + GIB - 1 and offload.get_dva(own + GIB) == 0
                assert offload.get_dva(base + (1 - me) * 2 * GIB) == 0, "memory of another rank"
                ctypes.memmove(own, slots[me].ctypes.data, rows * 100)
                for table in ((0, 7), (65537, 7), (100, 0), (65536, (GIB >> 16) + 1)):
                    assert offload.register_entry_table(*table) == -1
            store.barrier("filled", timeout=60)
            # All read the memory of all.
            for rank, content in enumerate(slots):
                there = np.frombuffer(ctypes.string_at(base + rank * 2 * GIB, rows * 100), np.uint8)
                assert np.array_equal(there, content)
            if me < givers:
                assert offload.register_entry_table(100, rows) == 0, get_last_err_msg()
                assert offload.register_entry_table(100, rows) == -1 and "registered" in get_and_clear_last_err_msg()
                chance = np.random.default_rng(100 + me)
                for number in range(1000):
                    target = models.here(100 * 40, chance)
                    case = models.gather_case(chance, slots, target, 100, rows)
                    place = models.Tensor(target.data) if chance.integers(2) else target.address
                    assert offload.entry_gather(place, *case.arrays, models.CPU) == 0, get_last_err_msg()
                    assert np.array_equal(models.seen(target), case.expected), number
                wrong = np.array([rows * world * 1000], np.uint64)
                assert offload.entry_gather(target.data, wrong, np.array([1], np.uint32), models.CPU) == -1
            store.barrier("read", timeout=60)
        offload.uninitialize()
        offload.uninitialize()
        """,
        3,
        MEETING=f"tcp://127.0.0.1:{ranks.free_port()}",
    )


def test_ranks_with_different_slots_fail_together() -> None:
    shared(
        """
        config.reserve_size = (2 + me) * GIB
        assert offload.initialize(config) == -1
        assert "different values of reserve_size" in get_and_clear_last_err_msg()
        """,
        2,
    )


def test_missing_ranks_end_the_wait() -> None:
    for rank, part in ((0, "rank"), (1, "store")):
        done = ranks.run_alone(
            SHARED.format(tests=os.fspath(Path(__file__).parent)) + ranks.dedented(
                f"""
                assert offload.initialize(config) == -1
                assert {part!r} in get_last_err_msg(), get_last_err_msg()
                """
            ),
            {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_PORT": str(ranks.free_port()), "MF_OFFLOAD_TIMEOUT": "2s"},
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["MF_CONFIG_STORE_URL", "ASCEND_MF_STORE_URL"])
def test_the_store_can_come_from_the_environment(name: str) -> None:
    done = shared(
        """
        config.store_url = ""
        assert offload.initialize(config) == 0, get_last_err_msg()
        print(offload.malloc(8) - me * 2 * GIB)
        """,
        2,
        **{name: f"tcp://127.0.0.1:{ranks.free_port()}"},
    )
    assert len({process.stdout for process in done}) == 1


@pytest.mark.parametrize(("numbers", "parts"), [
    ([0, 0], ["rank|port|store|job", "rank|port|store|job"]),
    ([0, 1, 1], ["rank", "rank|taken|store|job", "rank|taken|store|job"]),
])
def test_two_ranks_of_one_number_fail(numbers: list[int], parts: list[str]) -> None:
    shared(
        f"""
        import re
        config.rank_id = {numbers!r}[me]
        assert offload.initialize(config) == -1
        said = get_and_clear_last_err_msg()
        assert re.search({parts!r}[me], said), said
        # Nothing is left behind.
        config.scene, config.alloc_size = offload.LOCAL, 2 * GIB
        assert offload.initialize(config) == 0, get_last_err_msg()
        """,
        len(numbers),
        MF_OFFLOAD_TIMEOUT="4s",
    )


def test_a_pool_can_be_made_again_in_another_scene() -> None:
    done = shared(
        """
        for turn in range(2):
            assert offload.initialize(config) == 0, get_last_err_msg()
            print(offload.malloc(8) - me * 2 * GIB)
            with mf_smem.Store(os.environ["MEETING"] if turn == 0 else os.environ["AGAIN"], None, world, me == 0, rank=me) as store:
                store.barrier("used", timeout=60)
            offload.uninitialize()
            one = offload.OffloadConfig()
            one.reserve_size = one.alloc_size = GIB
            assert offload.initialize(one) == 0, get_last_err_msg()
            assert offload.register_entry_table(8, 8) == -1
            offload.uninitialize()
            config.store_url = os.environ["SECOND"]
        """,
        2,
        MEETING=f"tcp://127.0.0.1:{ranks.free_port()}", AGAIN=f"tcp://127.0.0.1:{ranks.free_port()}",
        SECOND=f"tcp://127.0.0.1:{ranks.free_port()}",
    )
    # The base is the same in all ranks, and in the second pool.
    assert len({line for process in done for line in process.stdout.split()}) == 1


def test_memory_that_a_rank_does_not_give_faults() -> None:
    done = ranks.run_alone(
        SHARED.format(tests=os.fspath(Path(__file__).parent)) + ranks.dedented(
            """
            assert offload.initialize(config) == 0, get_last_err_msg()
            base = offload.malloc(16)
            assert ctypes.string_at(base + GIB - 16, 16) == bytes(16)
            # A call of the processor reports it.
            word = lambda number, kind: np.array([number], kind)
            wrong = word(base + GIB - 4, np.uint64), word(base, np.uint64), word(8, np.uint32), word(1, np.uint32)
            assert offload.sparse_copy(*wrong, models.CPU) == -1 and "source of a piece" in get_and_clear_last_err_msg()
            print("reached", flush=True)
            ctypes.string_at(base + GIB, 1)
            """
        ),
        {"RANK": "0", "WORLD_SIZE": "1", "MASTER_PORT": str(ranks.free_port())},
    )
    assert done.stdout == "reached\n" and done.returncode == -signal.SIGSEGV, done


def test_big_memory_lives_beside_a_shared_pool() -> None:
    shared(
        """
        import memfabric_hybrid
        from memfabric_hybrid import bm
        assert offload.initialize(config) == 0, get_last_err_msg()
        block = offload.malloc(4096)
        with mf_smem.Store(os.environ["MEETING"], None, world, me == 0, rank=me) as store:
            if me < 2:
                about = bm.BmConfig()
                about.auto_ranking, about.rank_id = False, me
                assert memfabric_hybrid.initialize() == 0
                assert bm.initialize(os.environ["BIG_MEMORY"], 2, 0, about) == 0, get_last_err_msg()
                memory = bm.create(0, 2 << 20)
                memory.join()
                ctypes.memset(block, me + 1, 4096)
                # From the pool of offload to the other rank's part of big memory.
                store.barrier("joined", members=2, timeout=60)
                there = memory.peer_rank_ptr(1 - me, bm.BmMemType.HOST)
                assert memory.copy_data(block, there, 4096, bm.BmCopyType.H2G) == 0, get_last_err_msg()
                store.barrier("copied", members=2, timeout=60)
                assert ctypes.string_at(memory.peer_rank_ptr(me, bm.BmMemType.HOST), 4096) == bytes([2 - me]) * 4096
                store.barrier("read", members=2, timeout=60)
                memory.destroy()
                bm.uninitialize()
            store.barrier("end", timeout=60)
        assert offload.get_dva(block) == block
        offload.uninitialize()
        """,
        3,
        MEETING=f"tcp://127.0.0.1:{ranks.free_port()}", BIG_MEMORY=f"tcp://127.0.0.1:{ranks.free_port()}",
    )
