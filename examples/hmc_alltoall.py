#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every rank gives every other a part of its own, by an all-to-all in each of its two forms.

Run: mf run -n 4 -- python3 examples/hmc_alltoall.py, or
torchrun --nproc_per_node=4 --redirects 1 --tee 1 examples/hmc_alltoall.py. The ranks are on one host; on several, pass each one's
own address instead of IP.
"""

import array
import os
import socket
import tempfile

import hmc

IP = "127.0.0.1"
NUMBERS = 50_000


def free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    probes = [socket.create_server((IP, 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def main() -> None:
    world = int(os.environ["WORLD_SIZE"])
    part = 4 * NUMBERS
    # Data to send lies at the start of the buffer, received data after it.
    session = hmc.create_session(buffer_size=2 * world * part)
    ucx, rdma, ctrl = free_ports(3)
    # The ranks of this run alone find these sockets: its store's port is in the name.
    folder = f"{tempfile.gettempdir()}/hmc-{os.environ['MASTER_PORT']}"
    os.makedirs(folder, exist_ok=True)
    group = hmc.init_group(
        session=session, my_ip=IP, port_ucx=ucx, port_rdma=rdma, port_ctrl=ctrl, ctrl_uds_dir=folder
    )
    send = array.array("f")
    for to in range(world):
        send.extend(array.array("f", [100 * group.rank + to]) * NUMBERS)
    for algo in ("direct", "ring"):
        recv = array.array("f", bytes(world * part))
        hmc.alltoall(group, send, recv, algo=algo)
        assert [recv[source * NUMBERS] for source in range(world)] == [100 * source + group.rank for source in range(world)]
        print(f"rank {group.rank}: {algo} alltoall OK", flush=True)
    group.barrier()
    session.close_server()


if __name__ == "__main__":
    main()
