#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One of three processes, each with a buffer in other memory: every one puts a line into the buffers of both others.

A tag behind each line says how long it is. exchange.cpp is the same in C++; exchange.sh runs both.

Run: python3 exchange.py RANK MEMORY PORT, with the memory of its buffer (cpu, cuda, hip, musa, cndrv) and the first of
nine ports.
"""

import os
import sys
import tempfile
import time
from typing import Callable

import hmc

RANKS, SLOT, HERE, CONN = 3, 64, "127.0.0.1", hmc.ConnType.UCX
MEMORY = {
    "cpu": hmc.MemoryType.CPU,
    "cuda": hmc.MemoryType.NVIDIA_GPU,
    "hip": hmc.MemoryType.AMD_GPU,
    "musa": hmc.MemoryType.MOORE_GPU,
    "cndrv": hmc.MemoryType.CAMBRICON_MLU,
}


def wait_for(call: Callable[[], None]) -> None:
    """Repeats a call until it succeeds: the other processes may not be ready."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return call()
        except hmc.HMCError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def exchange(me: int, memory: str, first: int, folder: str) -> None:
    session = hmc.create_session(buffer_size=RANKS * SLOT, mem_type=MEMORY[memory], local_ip=HERE)
    # Three ports for each rank: for data of both types, and for the control channel.
    data = [first + 3 * rank for rank in range(RANKS)]
    session.init_server(bind_ip=HERE, ucx_port=data[me], rdma_port=data[me] + 1, ctrl_tcp_port=data[me] + 2, self_id=me,
                        ctrl_uds_dir=folder)
    # The higher rank connects; a connection is used from both ends.
    for peer in range(me):
        wait_for(lambda: session.connect(peer_id=peer, self_id=me, peer_ip=HERE, data_port=data[peer],
                                         ctrl_tcp_port=data[peer] + 2, conn=CONN))
    others = [rank for rank in range(RANKS) if rank != me]
    line = f"rank {me}, Python, {memory}".encode()
    for peer in others:
        wait_for(lambda: session.buffer_put_then_put(HERE, data[peer], line, local_off=me * SLOT, remote_off=me * SLOT,
                                                     conn=CONN) and None)
        wait_for(lambda: session.ctrl_send(peer, len(line)))
    for peer in others:
        text = bytes(session.buf.buffer_get_cpu(nbytes=session.ctrl_recv(peer), offset=peer * SLOT))
        print(f'{line.decode()}: got "{text.decode()}"', flush=True)
    # No process ends before both others have read.
    for peer in others:
        session.ctrl_send(peer, 0)
    for peer in others:
        session.ctrl_recv(peer)


if __name__ == "__main__":
    # A process in C++ listens by TCP alone.
    os.environ["CTRL_TRANSPORT"] = "tcp"
    with tempfile.TemporaryDirectory() as folder:
        exchange(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), folder)
