# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a process learns from its launcher."""

from __future__ import annotations

import mf_smem
import pytest
from mf_smem._job import Job, local_rank

import ranks

MASTER = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29999"}


def test_a_launcher_tells_everything() -> None:
    job = Job.from_environment({"RANK": "2", "WORLD_SIZE": "4", **MASTER})
    assert job == Job("tcp://127.0.0.1:29999", 4, 2)


def test_no_rank_means_automatic() -> None:
    assert Job.from_environment({"WORLD_SIZE": "4", **MASTER}).rank is None


def test_no_launcher_is_a_world_of_one() -> None:
    job = Job.from_environment({})
    assert job.world_size == 1 and job.store_url.startswith("tcp://127.0.0.1:")


def test_names_become_addresses() -> None:
    assert Job.from_environment({"WORLD_SIZE": "2", **MASTER, "MASTER_ADDR": "localhost"}).store_url == "tcp://127.0.0.1:29999"
    assert Job.from_environment({"WORLD_SIZE": "2", **MASTER, "MASTER_ADDR": "::1"}).store_url == "tcp://[::1]:29999"


@pytest.mark.parametrize(
    "environment",
    [
        {"WORLD_SIZE": "2"}, {"WORLD_SIZE": "two", **MASTER}, {"WORLD_SIZE": "-1", **MASTER}, {"RANK": "1"},
        {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "x"},
        {"WORLD_SIZE": "2", "MASTER_ADDR": "no such host.invalid", "MASTER_PORT": "29999"},
    ],
    ids=str,
)
def test_contradictions_are_refused(environment: dict[str, str]) -> None:
    with pytest.raises(mf_smem.InvalidParamError):
        Job.from_environment(environment)


def test_device_number() -> None:
    assert local_rank({"LOCAL_RANK": "3"}) == 3 and local_rank({}) == 0


def test_the_store_url_of_the_settings_wins() -> None:
    done = ranks.run_alone(
        """
        from mf_smem._job import Job
        print(Job.from_environment({"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29999"}).store_url)
        """,
        {"MF_CONFIG_STORE_URL": "tcp://127.0.0.1:30001"},
    )
    assert done.stdout.strip() == "tcp://127.0.0.1:30001", done.stderr


def test_torchrun_without_torch_says_what_to_do() -> None:
    done = ranks.run_alone(
        """
        import sys
        sys.modules["torch"] = None
        import mf_smem
        try:
            mf_smem.open_pool(host_bytes=2 << 20)
        except mf_smem.InvalidParamError as error:
            print(error)
        """,
        {"TORCHELASTIC_USE_AGENT_STORE": "True", "RANK": "0", "WORLD_SIZE": "1", **MASTER},
    )
    assert "MF_CONFIG_STORE_URL" in done.stdout, done.stderr


@pytest.mark.parametrize("old", ["ASCEND_MF_LOG_LEVEL", "SHMEM_LOG_LEVEL"])
def test_old_names_warn_at_import(old: str) -> None:
    done = ranks.run_alone("import memfabric_hybrid", {old: "3"})
    assert done.returncode == 0 and f"{old} is deprecated, use MF_LOG_LEVEL" in done.stderr
