# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Restrictions of containers: invisible PIDs, no 127.0.0.1, no /proc, filtered system calls."""

from __future__ import annotations

import errno
import platform
import subprocess
import sys

import pytest

import ranks

#: A command that runs another as pid 1 of a PID namespace, where no other process has a pid; it ends with this command.
CONTAINER = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--")

POOL = """
import os
import mf_smem
with mf_smem.open_pool(host_bytes="4MiB", timeout=60) as pool:
    pool.barrier("joined")
    pool.put(b"hello", pool.address(1 - pool.rank))
    pool.barrier("put")
    assert os.getpid() == 1 and pool.read(pool.address(), 5) == b"hello"
    pool.barrier("done")
"""

CACHE = """
import mf_smem
with mf_smem.Cache("4MiB") as cache, mf_smem.open_pool(host_bytes="2MiB", timeout=60) as pool:
    cache.put(f"key {pool.rank}", b"value %d" % pool.rank)
    pool.barrier("put")
    assert cache.get(f"key {1 - pool.rank}") == b"value %d" % (1 - pool.rank)
    pool.barrier("got")
"""

ENGINE = """
import array, ctypes
import mf_smem
from mf_smem import store
with mf_smem.open_pool(host_bytes="2MiB", timeout=60) as pool:
    engine, other = mf_smem.TransferEngine(), 1 - pool.rank
    assert engine.initialize("", "127.0.0.1", ["Prefill", "Decode"][pool.rank], -1) == 0, mf_smem.get_last_err_msg()
    private, source = array.array("q", bytes(1 << 20)), array.array("q", [pool.rank + 1]) * (1 << 17)
    shared = engine.trans_malloc(1 << 20)
    assert shared != 0, mf_smem.get_last_err_msg()
    assert engine.register_memory(private.buffer_info()[0], 1 << 20) == 0
    mine = f"127.0.0.1:{engine.get_rpc_port()} {private.buffer_info()[0]} {shared}"
    store.set(f"engine {pool.rank}", mine.encode())
    name, *places = store.get(f"engine {other}", timeout_s=60).decode().split()
    for place in map(int, places):
        code = engine.transfer_sync_write(name, source.buffer_info()[0], place, 1 << 20)
        assert code == 0, mf_smem.get_last_err_msg()
    pool.barrier("written")
    assert private[0] == private[-1] == other + 1
    assert ctypes.c_int64.from_address(shared + (1 << 20) - 8).value == other + 1
    for place in map(int, places):
        code = engine.transfer_sync_read(name, source.buffer_info()[0], place, 1 << 20)
        assert code == 0 and source[-1] == pool.rank + 1, mf_smem.get_last_err_msg()
    pool.barrier("read")
    assert engine.unregister_memory(private.buffer_info()[0]) == 0 and engine.trans_free(shared) == 0
    pool.barrier("done")
    engine.destroy()
"""

OPENSHMEM = """
import numpy as np
import openshmem as shmem
me, count = shmem.my_pe(), shmem.n_pes()
cells = shmem.zeros(count, np.int64)
shmem.put(cells[me:me + 1], np.array([me + 1]), 1 - me)
shmem.barrier_all()
assert cells[1 - me] == 2 - me, cells
shmem.barrier_all()
"""

HMC = """
import array
import hmc, mf_smem
from mf_smem import store
with mf_smem.open_pool(host_bytes="2MiB", timeout=60) as pool:
    session = hmc.create_session(buffer_size=2 << 20, local_ip="127.0.0.1")
    if pool.rank == 0:
        ports = PORTS
        session.init_server(bind_ip="127.0.0.1", ucx_port=ports[0], rdma_port=ports[1], ctrl_tcp_port=ports[2], self_id=0)
        store.set("ports", b"%d %d" % (ports[1], ports[2]))
        pool.barrier("connected")
        assert session.ctrl_recv(1) == 7
        numbers = array.array("d", bytes(80))
        session.buf.get_into(numbers, nbytes=80)
        assert list(numbers) == [2.5] * 10
    else:
        data, ctrl = map(int, store.get("ports", timeout_s=60).split())
        session.connect(peer_id=0, self_id=1, peer_ip="127.0.0.1", data_port=data, ctrl_tcp_port=ctrl)
        pool.barrier("connected")
        session.buffer_put_then_put("127.0.0.1", data, array.array("d", [2.5] * 10))
        session.ctrl_send(0, 7)
    pool.barrier("done")
    if pool.rank == 0:
        session.close_server()
"""


def _need(*command: str) -> None:
    """Skips the test where a command that starts processes in namespaces cannot be run."""
    try:
        made = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"{command[0]} cannot be run: {error}")
    if made.returncode != 0:
        pytest.skip(f"{' '.join(command)} fails: {made.stderr.strip()}")


def _succeed(finished: list[ranks.Finished]) -> None:
    for process in finished:
        assert process.returncode == 0, f"rank {process.rank} ended with {process.returncode}:\n{process.stderr}"


@pytest.mark.parametrize(
    "program", [POOL, CACHE, ENGINE, OPENSHMEM, HMC], ids=["pool", "cache", "engine", "openshmem", "hmc"]
)
def test_processes_of_two_pid_namespaces_share_memory(program: str) -> None:
    _need(*CONTAINER)
    program = program.replace("PORTS", str([ranks.free_port() for _ in range(3)]))
    _succeed(ranks.run_ranks([*CONTAINER, sys.executable, "-c", program], 2, deadline_s=60))


#: Two ranks; what each puts arrives.
PAIR = """
import mf_smem
with mf_smem.open_pool(host_bytes="2MiB", timeout=60) as pool:
    pool.barrier("joined")
    pool.put(b"hello", pool.address(1 - pool.rank))
    pool.barrier("put")
    assert pool.read(pool.address(), 5) == b"hello"
    pool.barrier("done")
"""

ALONE = """
import mf_smem
with mf_smem.open_pool(host_bytes="2MiB", timeout=60) as pool:
    pool.put(b"hello", pool.address())
    assert pool.read(pool.address(), 5) == b"hello"
"""

#: A shell in a network namespace with only the IPv6 address on its loopback.
ONLY_IPV6 = ("unshare", "--net", "--", "sh", "-c", 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && exec "$@"', "sh")

#: A shell in a mount namespace without /proc.
NO_PROC = ("unshare", "--mount", "--", "sh", "-c", 'umount -l /proc && exec "$@"', "sh")


def _mf_run(*command: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "mf_smem", "run", "-n", "2", "--", *command)


@pytest.mark.parametrize("place", [ONLY_IPV6, NO_PROC], ids=["only_ipv6", "no_proc"])
def test_jobs_run_in_restricted_containers(place: tuple[str, ...]) -> None:
    _need(*place)
    for command in ((sys.executable, "-c", ALONE), _mf_run(sys.executable, "-c", PAIR)):
        run = subprocess.run(
            [*place, *command], env=ranks.plain_environment(), capture_output=True, text=True, timeout=60, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr


#: Refuses system calls with an error number, then runs what follows.
FILTER = """
import ctypes, struct
def refuse(error, *calls):
    instructions = [(0x20, 0, 0, 0)]
    for call in calls:
        instructions += [(0x15, 0, 1, call), (0x06, 0, 0, 0x50000 | error)]
    instructions.append((0x06, 0, 0, 0x7fff0000))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in instructions))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(instructions), ctypes.addressof(code)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, program) == 0, ctypes.get_errno()
"""

#: prlimit64, getrlimit; memfd_create; process_vm_readv, process_vm_writev.
CALLS = {
    "x86_64": {"limits": (302, 97), "memory files": (319,), "copies": (310, 311)},
    "aarch64": {"limits": (261, 163), "memory files": (279,), "copies": (270, 271)},
}


@pytest.mark.skipif(platform.machine() not in CALLS, reason="numbers of system calls are not known here")
@pytest.mark.parametrize("error", [errno.EPERM, errno.ENOSYS])
@pytest.mark.parametrize("what", ["limits", "copies"])
def test_refused_system_calls_have_a_fallback(what: str, error: int) -> None:
    program = f"{FILTER}\nrefuse({error}, *{CALLS[platform.machine()][what]})\n"
    _succeed(ranks.run_ranks([sys.executable, "-c", program + PAIR], 2, deadline_s=60))
    _succeed(ranks.run_ranks([sys.executable, "-c", program + ENGINE], 2, deadline_s=60))


@pytest.mark.skipif(platform.machine() not in CALLS, reason="numbers of system calls are not known here")
def test_refused_memfd_create_is_named() -> None:
    program = f"{FILTER}\nrefuse({errno.ENOSYS}, *{CALLS[platform.machine()]['memory files']})\n{ALONE}"
    (run,) = ranks.run_ranks([sys.executable, "-c", program], 1, deadline_s=60)
    assert run.returncode == 1 and "the kernel refuses memfd_create" in run.stderr, run.stderr
