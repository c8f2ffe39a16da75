# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The store as a ``torch.distributed.Store``, with any torch installed for this Python or the system's."""

from __future__ import annotations

import textwrap
from pathlib import Path

import mf_smem
import pytest

import ranks
from with_torch import python_with


@pytest.fixture
def python(tmp_path: Path) -> tuple[str, dict[str, str]]:
    """A Python with torch, and an environment in which it finds mf_smem and nothing else of this one."""
    return python_with(tmp_path, mf_smem), {"PYTHONPATH": str(tmp_path)}


def run(python: tuple[str, dict[str, str]], source: str, count: int) -> None:
    program, environment = python
    for process in ranks.run_ranks([program, "-c", textwrap.dedent(source)], count, environment):
        assert process.returncode == 0, f"rank {process.rank}:\n{process.stdout}\n{process.stderr}"


def test_torch_store_works_directly_and_in_a_prefix_store(python: tuple[str, dict[str, str]]) -> None:
    run(
        python,
        """
        import os
        from datetime import timedelta
        import torch.distributed as dist
        from mf_smem import Store, torch_store
        store = Store("tcp://127.0.0.1:" + os.environ["MASTER_PORT"], world_size=1, is_master=True, timeout=30)
        ours = torch_store(store)
        assert isinstance(ours, dist.Store) and torch_store(store) is ours and ours.store is store
        ours.set("k", "v")
        assert ours.get("k") == b"v" and ours.num_keys() == 1 and ours.delete_key("k")
        inner = dist.PrefixStore("inner", dist.PrefixStore("outer", ours))
        inner.set("k", "v")
        assert store.list()[0].key in ("outer/inner/k", "inner/outer/k"), store.list()
        assert inner.get("k") == b"v" and inner.add("n", 2) == 2 and inner.add("n", 3) == 5
        inner.wait(["k", "n"])
        inner.wait(["k", "n"], timedelta(seconds=1))
        assert ours.compare_set("c", "", "x") == b"x" and ours.compare_set("c", "x", "y") == b"y"
        try:
            inner.wait(["absent"], timedelta(milliseconds=20))
        except RuntimeError as error:
            assert "absent" in str(error), error
        else:
            raise SystemExit("it waited for nothing")
        store.close()
        """,
        1,
    )


def test_gloo_runs_over_torch_store(python: tuple[str, dict[str, str]]) -> None:
    run(
        python,
        """
        import os
        import torch
        import torch.distributed as dist
        from mf_smem import Store, torch_store
        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        url = "tcp://127.0.0.1:" + os.environ["MASTER_PORT"]
        with Store(url, world_size=world, rank=rank, is_master=rank == 0, timeout=60) as store:
            dist.init_process_group("gloo", store=torch_store(store), rank=rank, world_size=world)
            tensor = torch.full((1000,), float(rank + 1))
            dist.all_reduce(tensor)
            assert tensor[0] == world * (world + 1) / 2, tensor
            objects = [None] * world
            dist.all_gather_object(objects, {"rank": rank})
            assert objects == [{"rank": n} for n in range(world)]
            group = dist.new_group([0, 1])
            dist.barrier(group)
            dist.destroy_process_group()
            store.barrier("end")
        """,
        2,
    )


def test_missing_torch_is_reported() -> None:
    done = ranks.run_alone(
        f"""
        import sys
        sys.modules["torch.distributed"] = sys.modules["torch"] = None
        import mf_smem
        with mf_smem.Store("tcp://127.0.0.1:{ranks.free_port()}", world_size=1, is_master=True, timeout=30) as store:
            try:
                mf_smem.torch_store(store)
            except mf_smem.InvalidParamError as error:
                print(error)
        """
    )
    assert "torch is not importable" in done.stdout, done.stderr
