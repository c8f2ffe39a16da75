# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs in Python that the launchers of MPI start, which know nothing of this library."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

import ranks

#: Of each launcher: the program, its package, and options for fewer cores than ranks or for root.
LAUNCHERS = {
    "Open MPI": ("mpirun.openmpi", "openmpi-bin", ["--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])),
    "MPICH": ("mpirun.mpich", "mpich", []),
}

POOL = """
import mf_smem
with mf_smem.open_pool(host_bytes=2 << 20) as pool:
    pool.barrier()
    print(f"<{pool.rank} of {pool.world_size}>", flush=True)
    pool.barrier()
"""


def launch(launcher: str, count: int, source: str, **environment: str) -> tuple[int, str]:
    """Runs a piece of Python as `count` ranks: status and what they printed."""
    program, package, options = LAUNCHERS[launcher]
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program}; would help: apt-get install {package}")
    done = subprocess.run(
        [program, *options, "-n", str(count), sys.executable, "-c", textwrap.dedent(source)],
        env=ranks.plain_environment(**environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=ranks.DEADLINE_S, check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("count", [1, 3])
def test_launched_ranks_form_one_job(launcher: str, count: int) -> None:
    status, printed = launch(launcher, count, POOL)
    assert status == 0, printed
    assert sorted(re.findall("<.*?>", printed)) == [f"<{rank} of {count}>" for rank in range(count)]


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_each_program_of_a_launcher_job_is_a_separate_job(launcher: str) -> None:
    source = f"""
    import subprocess, sys
    for _ in range(2):
        subprocess.run([sys.executable, "-c", {POOL!r}], check=True, close_fds=False)
    """
    if launcher == "MPICH":
        pytest.skip("a process that Hydra has started speaks with it once")
    status, printed = launch(launcher, 2, source)
    assert status == 0, printed
    assert sorted(re.findall("<.*?>", printed)) == ["<0 of 2>", "<0 of 2>", "<1 of 2>", "<1 of 2>"]


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_stale_launcher_variables_are_refused(launcher: str) -> None:
    source = """
    import mf_smem
    try:
        mf_smem.open_pool(host_bytes=2 << 20)
    except mf_smem.InvalidParamError as error:
        print(f"<{error}>", flush=True)
    """
    status, printed = launch(launcher, 2, source, RANK="0", WORLD_SIZE="1", MASTER_ADDR="localhost", MASTER_PORT="29500")
    assert status == 0, printed
    said = re.findall("<.*?>", printed, re.DOTALL)
    variable = {"Open MPI": "OMPI_COMM_WORLD_RANK", "MPICH": "PMI_RANK"}[launcher]
    assert len(said) == 2 and all("RANK says" in text and variable in text for text in said), printed


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_store_at_a_host_name_serves_all_ranks(launcher: str) -> None:
    status, printed = launch(launcher, 2, POOL, MF_CONFIG_STORE_URL=f"tcp://localhost:{ranks.free_port()}")
    assert status == 0, printed
    assert sorted(re.findall("<.*?>", printed)) == ["<0 of 2>", "<1 of 2>"]
