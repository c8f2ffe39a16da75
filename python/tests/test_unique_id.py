# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Worlds with a unique id instead of a URL."""

from __future__ import annotations

from pathlib import Path

import pytest

import mf_smem
import ranks
from mf_smem import bm, shm


def config(rank: int) -> bm.BmConfig:
    """A given rank."""
    made = bm.BmConfig()
    made.rank_id = rank
    return made


def test_unique_ids_are_fixed_size_and_distinct() -> None:
    first, second = mf_smem.create_unique_id("127.0.0.1"), mf_smem.create_unique_id("127.0.0.1")
    assert len(first) == len(second) == mf_smem.UNIQUE_ID_BYTES == 57
    assert first != second
    with pytest.raises(mf_smem.InvalidParamError, match="numeric"):
        mf_smem.create_unique_id("localhost")


def test_damaged_ids_are_refused() -> None:
    damaged = bytearray(mf_smem.create_unique_id("127.0.0.1"))
    damaged[20] ^= 1
    assert bm.initialize_unique_id(bytes(damaged), 1, 0, config(0)) == -2000
    assert "damaged" in mf_smem.get_last_err_msg()
    assert shm.initialize_unique_id(b"", 1, 0, 0, shm.ShmConfig()) == -2000


def test_mpi_initialisation_without_mpi_is_refused() -> None:
    finished = ranks.run_alone(
        """
        import mf_smem
        from mf_smem import bm, shm

        assert bm.initialize_mpi(0, bm.BmConfig()) == -2003
        assert "MPI_Init" in mf_smem.get_last_err_msg()
        assert shm.initialize_mpi(0, shm.ShmConfig()) == -2003
        """
    )
    assert finished.returncode == 0, finished.stderr


def test_two_ranks_meet_by_an_id(tmp_path: Path) -> None:
    finished = ranks.run_code(
        """
        import os, time
        import mf_smem
        from mf_smem import bm, shm

        rank = int(os.environ["RANK"])
        path = os.environ["MF_TEST_ID"]
        if rank == 0:
            id = mf_smem.create_unique_id("127.0.0.1")
            with open(path + ".part", "wb") as file:
                file.write(id)
            os.rename(path + ".part", path)
        else:
            deadline = time.monotonic() + 60
            while not os.path.exists(path) and time.monotonic() < deadline:
                time.sleep(0.01)
            with open(path, "rb") as file:
                id = file.read()
        config = bm.BmConfig()
        config.rank_id = rank
        assert bm.initialize_unique_id(id, 2, 0, config) == 0, mf_smem.get_last_err_msg()
        assert shm.initialize_unique_id(id, 2, rank, 0, shm.ShmConfig()) == 0, mf_smem.get_last_err_msg()
        assert bm.bm_rank_id() == rank
        share = shm.create(0, 2, rank, 2 << 20)
        share.barrier()
        share.destroy()
        bm.uninitialize()
        shm.uninitialize()
        print("met")
        """,
        2,
        {"MF_TEST_ID": str(tmp_path / "id")},
    )
    assert [rank.stdout.strip() for rank in finished] == ["met", "met"]
