# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Facts that a process learns from its launcher."""

from __future__ import annotations

import mf_smem
import pytest
from mf_smem._job import Job, local_rank

import ranks

MASTER = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29999"}
#: Beside the store that torch has there.
STORE_PORT = 29999 + 1013


def test_launcher_variables_define_the_job() -> None:
    job = Job.from_environment({"RANK": "2", "WORLD_SIZE": "4", **MASTER})
    assert job == Job(f"tcp://127.0.0.1:{STORE_PORT}", 4, 2)


def test_no_rank_means_automatic() -> None:
    assert Job.from_environment({"WORLD_SIZE": "4", **MASTER}).rank is None


def test_no_launcher_is_a_world_of_one() -> None:
    job = Job.from_environment({})
    assert job.world_size == 1 and job.store_url.startswith("tcp://127.0.0.1:")


def test_names_become_addresses() -> None:
    for host, address in [("localhost", "127.0.0.1"), ("::1", "[::1]"), ("[::1]", "[::1]")]:
        job = Job.from_environment({"WORLD_SIZE": "2", **MASTER, "MASTER_ADDR": host})
        assert job.store_url == f"tcp://{address}:{STORE_PORT}"


def test_unresolvable_host_name_is_named() -> None:
    with pytest.raises(mf_smem.InvalidParamError, match="no-such-host.invalid"):
        Job.from_environment({"WORLD_SIZE": "2", **MASTER, "MASTER_ADDR": "no-such-host.invalid"})
    done = ranks.run_alone(
        """
        import mf_smem
        try:
            mf_smem.open_pool(host_bytes=2 << 20)
        except mf_smem.InvalidParamError as error:
            print(error)
        """,
        {"MF_CONFIG_STORE_URL": "tcp://no-such-host.invalid:29999", "WORLD_SIZE": "1", "RANK": "0"},
    )
    assert 'the host name "no-such-host.invalid" has no address' in done.stdout, done.stderr


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_ranks_meet_at_a_host_name(host: str) -> None:
    finished = ranks.run_code(
        """
        import mf_smem
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            pool.barrier()
            print(pool.rank, pool.world_size)
            pool.barrier()
        """,
        2, {"MF_CONFIG_STORE_URL": f"tcp://{host}:{ranks.free_port()}"},
    )
    assert [process.stdout.split() for process in finished] == [["0", "2"], ["1", "2"]]


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


OPEN_MPI = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}
SRUN = {
    "SLURM_PROCID": "3", "SLURM_NTASKS": "4", "SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_LOCALID": "1",
    "SLURM_STEP_TASKS_PER_NODE": "4", "SLURM_NODEID": "0",
}


POD = {"JOB_COMPLETION_INDEX": "1", "WORLD_SIZE": "2"}


@pytest.mark.parametrize(
    ("environment", "rank", "world_size", "device"),
    [
        ({**OPEN_MPI, **MASTER}, 1, 2, 1),
        ({"PMI_RANK": "2", "PMI_SIZE": "3", "MPI_LOCALRANKID": "2", "MPI_LOCALNRANKS": "3", **MASTER}, 2, 3, 2),
        ({"PMIX_RANK": "1", "WORLD_SIZE": "2", **MASTER}, 1, 2, 0),
        ({**SRUN, **MASTER}, 3, 4, 1),
        ({**SRUN, "SLURM_STEP_TASKS_PER_NODE": "2(x2)", "SLURM_STEP_NODELIST": "localhost,b"}, 3, 4, 1),
        ({**POD, **MASTER, "MASTER_ADDR": "localhost"}, 1, 2, 0),
    ],
    ids=["mpirun", "PMI", "PMIx", "srun", "srun on two hosts", "Kubernetes"],
)
def test_mpi_slurm_and_pods_give_rank_and_size(environment: dict[str, str], rank: int, world_size: int, device: int) -> None:
    job = Job.from_environment(environment)
    assert (job.rank, job.world_size) == (rank, world_size) and job.store_url.startswith("tcp://127.0.0.1:")
    assert local_rank(environment) == device
    # All ranks come to the same store.
    assert Job.from_environment(environment).store_url == job.store_url


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        (OPEN_MPI, "MF_CONFIG_STORE_URL"), ({"PMI_RANK": "0", "PMI_SIZE": "2"}, "MF_CONFIG_STORE_URL"),
        ({"PMIX_RANK": "0"}, "WORLD_SIZE"), ({"RANK": "0"}, "WORLD_SIZE"), ({"RANK": "0", **MASTER}, "WORLD_SIZE"),
        ({**SRUN, "SLURM_PROCID": "4"}, "SLURM_PROCID"), ({"RANK": "2", "WORLD_SIZE": "2", **MASTER}, "RANK"),
        ({**OPEN_MPI, "RANK": "0", "WORLD_SIZE": "1"}, "RANK says .* OMPI_COMM_WORLD_RANK"),
        ({"OMPI_COMM_WORLD_SIZE": "2"}, "OMPI_COMM_WORLD_RANK is not"), ({"JOB_COMPLETION_INDEX": "0"}, "completions"),
        (POD, "JOB-0.SERVICE"),
    ],
    ids=str,
)
def test_inconsistent_launcher_variables_are_refused(environment: dict[str, str], named: str) -> None:
    with pytest.raises(mf_smem.InvalidParamError, match=named):
        Job.from_environment(environment)


def test_launcher_with_one_rank_gives_a_single_rank_world() -> None:
    job = Job.from_environment({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"})
    assert (job.rank, job.world_size) == (0, 1)
    # The script of a batch job is no rank.
    assert Job.from_environment({"SLURM_JOB_ID": "7", "SLURM_PROCID": "0", "SLURM_NTASKS": "4"}).world_size == 1


# Simulated: the variables of the launchers, without the launchers. The real ones are in test_launchers.py.
_OPEN_MPI = {"RANK": "OMPI_COMM_WORLD_RANK", "LOCAL": "OMPI_COMM_WORLD_LOCAL_RANK"}
_SRUN = {"RANK": "SLURM_PROCID", "LOCAL": "SLURM_LOCALID"}


@pytest.mark.parametrize(
    ("of_rank", "of_all"),
    [
        (_OPEN_MPI, {"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_LOCAL_SIZE": "3", "PMIX_NAMESPACE": "test-{key}"}),
        (_SRUN, {
            "SLURM_NTASKS": "3", "SLURM_JOB_ID": "{key}", "SLURM_STEP_ID": "0", "SLURM_STEP_TASKS_PER_NODE": "3",
            "SLURM_NODEID": "0",
        }),
    ],
    ids=["mpirun", "srun"],
)
def test_local_ranks_pass_the_store_address_on(of_rank: dict[str, str], of_all: dict[str, str]) -> None:
    key = ranks.free_port()
    unset = dict.fromkeys(("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"), "")
    finished = ranks.run_code(
        f"""
        import os
        rank = os.environ["TEST_RANK"]
        for name in {list(of_rank.values())!r}:
            os.environ[name] = rank
        import mf_smem
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            pool.barrier()
            print(pool.rank, pool.world_size)
            pool.barrier()
        """,
        3, {**{name: value.format(key=key) for name, value in of_all.items()}, **unset}, rank_variable="TEST_RANK",
    )
    assert [process.stdout.split() for process in finished] == [["0", "3"], ["1", "3"], ["2", "3"]]


def test_device_number() -> None:
    assert local_rank({"LOCAL_RANK": "3"}) == 3 and local_rank({}) == 0


def test_store_url_setting_overrides_the_launcher() -> None:
    done = ranks.run_alone(
        """
        from mf_smem._job import Job
        print(Job.from_environment({"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29999"}).store_url)
        """,
        {"MF_CONFIG_STORE_URL": "tcp://localhost:30001"},
    )
    assert done.stdout.strip() == "tcp://localhost:30001", done.stderr


def test_torchrun_without_torch_reports_the_remedy() -> None:
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
