#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A client puts pieces of an array into the buffer of a server, which sums each up and puts the sum back.

Run: python3 examples/hmc_session.py
"""

import array
import multiprocessing
import socket
from multiprocessing.connection import Connection

import hmc

IP = "127.0.0.1"
PIECES, NUMBERS = 8, 10_000
SUMS = 1 << 20


def free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    probes = [socket.create_server((IP, 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def server(to_client: Connection) -> None:
    """Rank 0. Every piece is there when its tag is."""
    session = hmc.create_session(buffer_size=2 << 20)
    ucx, rdma, ctrl = free_ports(3)
    session.init_server(bind_ip=IP, ucx_port=ucx, rdma_port=rdma, ctrl_tcp_port=ctrl, self_id=0)
    to_client.send((rdma, ctrl))
    # There is a link to rank 1 once it has connected.
    to_client.recv()
    numbers = array.array("d", bytes(8 * NUMBERS))
    for _ in range(PIECES):
        piece = session.ctrl_recv(1)
        session.buf.get_into(numbers, nbytes=8 * NUMBERS)
        # The client is no server itself, so it is port 0 of its address.
        total = array.array("d", [sum(numbers)])
        session.buffer_put_then_put(IP, 0, total, local_off=SUMS, remote_off=SUMS + 8 * piece)
        session.ctrl_send(1, piece)
    session.close_server()


def main() -> None:
    spawn = multiprocessing.get_context("spawn")
    to_server, to_client = spawn.Pipe()
    child = spawn.Process(target=server, args=(to_client,))
    child.start()
    rdma, ctrl = to_server.recv()
    session = hmc.create_session(buffer_size=2 << 20, local_ip=IP)
    session.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=rdma, ctrl_tcp_port=ctrl)
    to_server.send("connected")
    for piece in range(PIECES):
        session.buffer_put_then_put(IP, rdma, array.array("d", [piece + 0.5]) * NUMBERS)
        session.ctrl_send(0, piece)
        session.ctrl_recv(0)
    sums = array.array("d", bytes(8 * PIECES))
    session.buf.get_into(sums, nbytes=8 * PIECES, offset=SUMS)
    print(f"client: {PIECES} sums, the last is {sums[-1]}")
    assert list(sums) == [(piece + 0.5) * NUMBERS for piece in range(PIECES)]
    child.join()
    raise SystemExit(child.exitcode)


if __name__ == "__main__":
    main()
