# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Processes of one host in PID namespaces of their own and one network namespace, as the containers of a pod.

Each is pid 1 of its namespace, and none has a pid in that of another.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

import ranks

#: A command that runs another as pid 1 of a PID namespace; it ends with this command.
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


@pytest.mark.parametrize(
    "program", [POOL, CACHE, ENGINE, OPENSHMEM, HMC], ids=["pool", "cache", "engine", "openshmem", "hmc"]
)
def test_processes_of_two_pid_namespaces_share_memory(program: str) -> None:
    try:
        made = subprocess.run([*CONTAINER, "true"], capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"unshare cannot be run: {error}")
    if made.returncode != 0:
        pytest.skip(f"no PID namespace can be made here: {made.stderr.strip()}")
    program = program.replace("PORTS", str([ranks.free_port() for _ in range(3)]))
    finished = ranks.run_ranks([*CONTAINER, sys.executable, "-c", program], 2, deadline_s=60)
    for process in finished:
        assert process.returncode == 0, f"rank {process.rank} ended with {process.returncode}:\n{process.stderr}"
