# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a program in several processes, as a launcher would, with a deadline."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Longest run of one group of processes, in seconds; far above what any of them needs.
DEADLINE_S = 120.0

_LAUNCHER_VARIABLES = (
    "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "MF_CONFIG_STORE_URL",
    "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_ID",
    "JOB_COMPLETION_INDEX",
)


@dataclass
class Finished:
    """End of a process."""

    rank: int
    returncode: int
    stdout: str
    stderr: str


def free_port() -> int:
    """A port that the kernel says is free."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def plain_environment(**more: str) -> dict[str, str]:
    """The environment without variables of a launcher around the tests."""
    environment = {name: value for name, value in os.environ.items() if name not in _LAUNCHER_VARIABLES}
    environment.update(more)
    return environment


def run_ranks(
    command: Sequence[str], count: int, environment: Mapping[str, str] | None = None, deadline_s: float = DEADLINE_S,
    rank_variable: str | None = None,
) -> list[Finished]:
    """Runs `command` as ranks 0 to `count` - 1 of one job. Kills remaining processes at the deadline. `rank_variable` is an
    additional variable for the rank."""
    port = str(free_port())
    processes = []
    for rank in range(count):
        variables = plain_environment(
            RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(count), LOCAL_WORLD_SIZE=str(count),
            MASTER_ADDR="127.0.0.1", MASTER_PORT=port,
            # The port that is free: nothing else is there.
            MF_STORE_PORT_OFFSET="0",
        )
        variables.update(environment or {})
        if rank_variable is not None:
            variables[rank_variable] = str(rank)
        processes.append(
            subprocess.Popen(
                command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
            )
        )
    end = time.monotonic() + deadline_s
    finished = []
    try:
        for rank, process in enumerate(processes):
            stdout, stderr = process.communicate(timeout=max(end - time.monotonic(), 0.1))
            finished.append(Finished(rank, process.returncode, stdout, stderr))
    finally:
        for process in processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    return finished


def run_code(
    source: str, count: int, environment: Mapping[str, str] | None = None, deadline_s: float = DEADLINE_S,
    rank_variable: str | None = None,
) -> list[Finished]:
    """`run_ranks` of a piece of Python; fails when a rank does."""
    finished = run_ranks([sys.executable, "-c", textwrap.dedent(source)], count, environment, deadline_s, rank_variable)
    for process in finished:
        assert process.returncode == 0, f"rank {process.rank} ended with {process.returncode}:\n{process.stderr}"
    return finished


def dedented(source: str) -> str:
    """An indented program in a test; texts inside that begin at the margin stay unchanged."""
    lines = source.strip("\n").splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] if line[:margin].isspace() else line for line in lines)


def run_alone(source: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a piece of Python in one process without a launcher."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)],
        env=plain_environment(**(environment or {})),
        capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )
