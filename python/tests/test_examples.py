# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every Python example, with the environment that a launcher sets."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import mf_smem
import pytest

import ranks

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NUMBERED = sorted(path.name for path in EXAMPLES.glob("[0-9]*.py"))
#: Examples that start their processes themselves.
ALONE = {"12_transfer.py"}
TORCH_PYTHON = "/usr/bin/python3"


def test_examples_are_complete_and_short() -> None:
    assert [name[:2] for name in NUMBERED] == [f"{number:02}" for number in range(1, 13)]
    for name in [*NUMBERED, "prefix_cache.py", "torchrun_pool.py", "torchrun_share.py", "hmc_session.py", "hmc_alltoall.py", "simulation.py"]:
        assert len((EXAMPLES / name).read_text().splitlines()) <= 120, name


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("name", [name for name in NUMBERED if name not in ALONE])
def test_example(name: str, count: int) -> None:
    # An example with kernels documents its command.
    has_kernels = "MF_DEVICE=sim" in (EXAMPLES / name).read_text()
    if has_kernels and shutil.which("c++") is None:
        pytest.skip("kernels are built by c++: apt-get install g++")
    environment = {"MF_DEVICE": "sim"} if has_kernels else {}
    for process in ranks.run_ranks([sys.executable, str(EXAMPLES / name)], count, environment):
        assert process.returncode == 0 and process.stdout.startswith(f"rank {process.rank}: "), process.stderr


def test_transfer_without_a_launcher() -> None:
    command = [sys.executable, str(EXAMPLES / "12_transfer.py")]
    done = subprocess.run(command, env=ranks.plain_environment(), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stdout.count("begins with") == 4, done


def test_prefix_cache_without_a_launcher() -> None:
    command = [sys.executable, str(EXAMPLES / "prefix_cache.py")]
    done = subprocess.run(command, env=ranks.plain_environment(), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "rank 1: 21 blocks from the cache, 0 computed" in done.stdout, done


def test_simulation() -> None:
    command = [sys.executable, str(EXAMPLES / "simulation.py")]
    done = subprocess.run(command, env=ranks.plain_environment(), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "was read before it was complete" in done.stdout, done
    assert done.stdout.endswith("with a fence: 200 runs passed\n"), done


def test_hmc_session_without_a_launcher() -> None:
    command = [sys.executable, str(EXAMPLES / "hmc_session.py")]
    done = subprocess.run(command, env=ranks.plain_environment(), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and done.stdout == "client: 8 sums, the last is 75000.0\n", done


def test_hmc_alltoall() -> None:
    for process in ranks.run_ranks([sys.executable, str(EXAMPLES / "hmc_alltoall.py")], 3):
        assert process.returncode == 0, process.stderr
        assert process.stdout == f"rank {process.rank}: direct alltoall OK\nrank {process.rank}: ring alltoall OK\n"


def test_hmc_perf(tmp_path: Path) -> None:
    """No round finds stale bytes."""
    ports = [f"--{name}={ranks.free_port()}" for name in ("ucx-port", "rdma-port", "ctrl-port", "ctrl-tcp-port")]
    common = [*ports, f"--ctrl-uds-dir={tmp_path}", "--buffer-size=1000000", "--sizes=1,64,4k,100000", "--iters=20", "--verify"]
    command = [sys.executable, str(EXAMPLES / "hmc" / "perf.py"), *common]
    server = subprocess.Popen([*command, "--role=server"], env=ranks.plain_environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None and server.stdout.readline().startswith("server: serves after ")
        client = subprocess.run(
            [*command, "--role=client"], env=ranks.plain_environment(), capture_output=True, text=True, timeout=120, check=False
        )
        assert client.returncode == 0 and server.wait(60) == 0, client
    finally:
        server.kill()
        server.wait()
    rows = [line.split() for line in client.stdout.splitlines() if len(line.split()) == 8 and line.split()[1].isdigit()]
    sizes = ["1", "64", "4096", "100000"]
    assert [(row[0], row[1], row[-1]) for row in rows] == [(conn, size, "0") for conn in ("rdma", "ucx") for size in sizes], client


@pytest.mark.parametrize("count", [2, 4])
def test_several_hosts_without_shared_memory(count: int) -> None:
    example = str(EXAMPLES / "07_several_hosts.py")
    for process in ranks.run_ranks([sys.executable, example], count, {"MF_SHM": "false"}):
        assert process.returncode == 0, process.stderr


def test_reshard_example_accepts_a_safetensors_file(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    header = (
        b'{"__metadata__":{"a":"b"},"bias":{"dtype":"F16","shape":[3],"data_offsets":[0,6]},'
        b'"odd":{"dtype":"F16","shape":[5,3],"data_offsets":[6,36]}}'
    )
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(range(36)))
    finished = ranks.run_ranks([sys.executable, str(EXAMPLES / "03_reshard.py"), str(path)], 4)
    assert [process.returncode for process in finished] == [0] * 4, finished[0].stderr
    assert path.exists()


def test_torchrun(tmp_path: Path) -> None:
    """By Debian's torch, with a Python that sees only the package itself of this environment."""
    has_torch = subprocess.run([TORCH_PYTHON, "-c", "import torch.distributed.run"], capture_output=True, check=False)
    if has_torch.returncode != 0:
        pytest.skip(f"{TORCH_PYTHON} has no torch: apt-get install python3-torch")
    assert mf_smem.__file__ is not None
    (tmp_path / "mf_smem").symlink_to(Path(mf_smem.__file__).parent)
    done = subprocess.run(
        # The streams are named because torch 1.13 with Python 3.11 trips over its own defaults.
        [TORCH_PYTHON, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", "--redirects", "1",
         "--tee", "1", "--log_dir", str(tmp_path / "log"), str(EXAMPLES / "torchrun_pool.py")],
        env=ranks.plain_environment(PYTHONPATH=str(tmp_path), OMP_NUM_THREADS="1"),
        capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("is right") == 2, done.stdout


def test_torchrun_commands_fit_old_and_new_torch() -> None:
    """Torch 1.13 has no --nproc-per-node, and with Python 3.11 needs the streams named; all later ones take both."""
    root, lines = EXAMPLES.parent, []
    for pattern in ("docs/*.md", "examples/**/*.py", "src/python/*.py", "python/tests/torchrun_*.py"):
        for file in root.glob(pattern):
            lines += [line for line in file.read_text().splitlines() if "torchrun --" in line]
    assert len(lines) >= 10
    wrong = [line for line in lines if not re.search(r"torchrun --nproc_per_node=\d --redirects 1 --tee 1 \S", line)]
    assert not wrong, wrong


def test_torch_example_without_torch_reports_it(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('no torch')\n")
    done = ranks.run_ranks(
        [sys.executable, str(EXAMPLES / "torchrun_pool.py")], 1, {"PYTHONPATH": str(tmp_path)}
    )
    assert done[0].returncode == 77 and "apt-get install python3-torch" in done[0].stderr
