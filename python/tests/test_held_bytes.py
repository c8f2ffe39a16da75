# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A path that holds the bytes of a connection, in every family that copies over TCP: a put that timed out is not written over a later one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ranks

#: Rank 0 puts, through the relay; rank 1 only has memory.
PRELUDE = """
import os, socket
import mf_smem
rank, MIB = int(os.environ["RANK"]), 1 << 20

def order(word):
    with socket.socket(socket.AF_UNIX) as relay:
        relay.connect(os.environ["RELAY"])
        relay.sendall(word.encode() + b"\\n")
        return relay.makefile().readline().strip()

def is_kept(put, read, nbytes=3 * MIB, later=64, failure=mf_smem.TimedOutError, wide=0, repeats=False):
    put(b"0" * nbytes)
    while int(order("wide")) < wide:
        put(b"0" * nbytes)
    order("hold")
    try:
        put(b"A" * nbytes)
    except failure:
        assert "until the deadline" in mf_smem.get_last_err_msg(), mf_smem.get_last_err_msg()
    else:
        assert repeats, "a put that is held has not failed"
    put(b"B" * later)
    for released in (False, True):
        found = read(nbytes)
        assert found[:later] == b"B" * later, f"released: {released}: the later put is replaced"
        written = b"A" * 8 in found[later:]
        assert repeats or not written, f"released: {released}: {found.count(b'A')} bytes of the failed put are written"
        if not released:
            assert order("release") == "ok"
"""

POOL = """
with mf_smem.open_pool(host_bytes=16 * MIB) as pool:
    pool.barrier("joined", timeout_s=60)
    if rank == 0:
        there = pool.address(1)
        is_kept(lambda data: pool.put(data, there), lambda nbytes: pool.read(there, nbytes))
    pool.barrier("read", timeout_s=20)
"""

STRIPES = """
with mf_smem.open_pool(host_bytes=16 * MIB) as pool:
    pool.barrier("joined", timeout_s=60)
    if rank == 0:
        there = pool.address(1)
        # Its other connections still pass on their data.
        is_kept(lambda data: pool.put(data, there), lambda nbytes: pool.read(there, nbytes), 16 * MIB, 16 * MIB, wide=3)
    pool.barrier("read", timeout_s=20)
"""

HEAP = """
import numpy, openshmem as shmem
word = shmem.zeros(3 * MIB, dtype="uint8")
def put(data):
    shmem.put(word[:len(data)], numpy.frombuffer(data, "uint8"), 1)
    shmem.quiet()
def read(nbytes):
    found = numpy.empty(nbytes, "uint8")
    shmem.get(found, word, 1)
    return found.tobytes()
if rank == 0:
    is_kept(put, read)
shmem.barrier_all()
"""

ENGINE = """
import ctypes
from mf_smem import TransferEngine
memory = ctypes.create_string_buffer(3 * MIB)
here = ctypes.addressof(memory)
engine, session, shared = TransferEngine(), f"127.0.0.1:{7000 + rank}", "tcp://127.0.0.1:7004" if SHARED else ""
assert not shared or rank == 1 or mf_smem.create_config_store(shared) == 0
assert engine.initialize(shared, session, "Decode" if rank else "Prefill", 0) == 0, mf_smem.get_last_err_msg()
assert engine.register_memory(here, 3 * MIB) == 0
def call(transfer, nbytes):
    code = transfer("127.0.0.1:7001", here, there, nbytes)
    if code != 0:
        raise mf_smem.TimedOutError(code, mf_smem.get_last_err_msg())
def put(data):
    memory[:len(data)] = data
    call(engine.transfer_sync_write, len(data))
def read(nbytes):
    call(engine.transfer_sync_read, nbytes)
    return memory.raw
with mf_smem.Store(os.environ["MF_CONFIG_STORE_URL"], None, 2, rank == 0, rank=rank) as store:
    if rank == 1:
        store.set("there", str(here).encode())
    else:
        there = int(store.get("there"))
        # An engine repeats what failed, by another connection or its second endpoint.
        is_kept(put, read, repeats=True)
    store.barrier("done", timeout=20)
"""

HMC = """
import hmc
folder, IP = os.environ["FOLDER"], "127.0.0.1"
session = hmc.create_session(buffer_size=4 * MIB, local_ip=IP)
def put(data):
    # A peer that did not answer in time is dropped.
    if not session.check_conn(IP, 7001):
        session.connect(peer_id=1, self_id=0, peer_ip=IP, data_port=7001, ctrl_tcp_port=7002, uds_dir=folder)
    session.buffer_put_then_put(IP, 7001, data)
def read(nbytes):
    found = bytearray(nbytes)
    session.get_then_buffer_get_into(IP, 7001, found)
    return bytes(found)
with mf_smem.Store(os.environ["MF_CONFIG_STORE_URL"], None, 2, rank == 0, rank=rank) as store:
    if rank == 1:
        session.init_server(bind_ip=IP, ucx_port=7000, rdma_port=7001, ctrl_tcp_port=7002, self_id=1, ctrl_uds_dir=folder)
    store.barrier("up", timeout=60)
    if rank == 0:
        is_kept(put, read, failure=hmc.HMCStatusError)
    store.barrier("done", timeout=20)
"""

CACHE = """
with mf_smem.Cache("16MiB", replicas=2) as cache:
    cache.pool.barrier("joined", timeout_s=60)
    if rank == 0:
        # The other member has the replicas, and room that is free: nothing of the failed one may come there.
        def read(nbytes):
            return cache.get("key") + cache.pool.read(cache.pool.address(1), 16 * MIB)
        is_kept(lambda data: cache.put("key", data), read, MIB)
    cache.pool.barrier("read", timeout_s=20)
"""


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """The process of a relay, in whose network namespace it is, and where it takes orders."""
    path = str(tmp_path / "relay")
    command = ["unshare", "--net", sys.executable, str(Path(__file__).with_name("relay.py")), path]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        pytest.skip(f"{error}; install util-linux")
    with process:
        try:
            assert process.stdout is not None and process.stderr is not None
            said = process.stdout.readline().strip()
            if said != "ready":
                process.kill()
                pytest.skip(f"no relay in a network namespace: {said or process.stderr.read().strip()}; run as root")
            yield process.pid, path
        finally:
            process.kill()


@pytest.mark.parametrize(
    "source",
    [POOL, STRIPES, HEAP, f"SHARED = False{ENGINE}", f"SHARED = True{ENGINE}", HMC, CACHE],
    ids=["pool", "stripes", "heap", "engine", "engine with two endpoints", "hmc", "cache"],
)
def test_delayed_bytes_of_a_failed_put_do_not_overwrite_a_later_put(relay: tuple[int, str], tmp_path: Path, source: str) -> None:
    pid, path = relay
    environment = {
        "MF_SHM": "false", "MF_TRANSPORTS": "tcp", "MF_NET_TIMEOUT": "1s", "MF_JOB_SECRET": "sixteen bytes and more",
        "MF_CONFIG_STORE_URL": "tcp://127.0.0.1:7003", "RELAY": path, "FOLDER": str(tmp_path),
    }  # fmt: skip
    command = ["nsenter", f"--net=/proc/{pid}/ns/net", sys.executable, "-c", PRELUDE + source]
    for process in ranks.run_ranks(command, 2, environment):
        assert process.returncode == 0, process.stderr
