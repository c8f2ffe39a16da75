# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All-to-all of the ranks of one host by `hmc.alltoall`, beside torch.distributed's `all_to_all_single` over gloo, in turns in one run.

Usage: python3 benches/hmc_alltoall_vs_gloo.py [--packages FOLDER] [--python /usr/bin/python3] [--worlds 2,4,8] [--part 1048576] [--turns 15]

Needs a Python with torch (Debian: python3-torch) and a folder with the packages mf_smem and hmc (default: where this Python has
them; the wheel works in any CPython from 3.10 on). Every rank moves `--part` bytes to every other. Prints a table: times are
milliseconds of the slowest rank, medians over all turns; ratios are ours to gloo's: below 1 is ahead. The first row of a world
meets by this library's store, the second by torch's barrier, as where torch.distributed is initialised before the group is made.
"""

import argparse
import importlib.util
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time

IP = "127.0.0.1"


def free_ports(count):
    probes = [socket.create_server((IP, 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def joined(part, world, folder, name):
    import hmc

    session = hmc.create_session(buffer_size=2 * world * part)
    rank = int(os.environ["RANK"])
    for attempt in range(10):
        ucx, rdma, ctrl = free_ports(3)
        try:
            session.init_server(bind_ip=IP, ucx_port=ucx, rdma_port=rdma, ctrl_tcp_port=ctrl, self_id=rank, ctrl_uds_dir=folder)
            break
        except hmc.HMCStatusError:
            # Another process has taken one of them meanwhile.
            if attempt == 9:
                raise
            session = hmc.create_session(buffer_size=2 * world * part)
    return hmc.init_group(
        session=session, my_ip=IP, port_ucx=ucx, port_rdma=rdma, port_ctrl=ctrl, group_id=name, ctrl_uds_dir=folder,
        start_servers=False,
    )  # fmt: skip


def member(part, turns, folder):
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    import hmc

    by_store = joined(part, world, folder, "store")
    # That group meets by the store, as torch is not initialised yet.
    dist.init_process_group("gloo", init_method=f"tcp://{IP}:{os.environ['TORCH_PORT']}", world_size=world, rank=rank)
    by_torch = joined(part, world, folder, "torch")
    send = torch.arange(world * part, dtype=torch.int64).to(torch.uint8) + rank
    kinds = {
        "gloo": lambda recv: dist.all_to_all_single(recv, send),
        "store": lambda recv: hmc.alltoall(by_store, send, recv),
        "torch": lambda recv: hmc.alltoall(by_torch, send, recv),
    }
    wanted, recv = None, torch.zeros_like(send)
    times = {name: [] for name in kinds}
    for turn in range(turns + 2):
        for name, exchange in kinds.items():
            recv.zero_()
            dist.barrier()
            begin = time.perf_counter()
            exchange(recv)
            took = torch.tensor(time.perf_counter() - begin)
            if wanted is None:
                wanted = recv.clone()
            assert torch.equal(recv, wanted), name
            dist.all_reduce(took, dist.ReduceOp.MAX)
            # The first turns connect.
            if turn >= 2:
                times[name].append(float(took) * 1e3)
    if rank == 0:
        print(*(statistics.median(times[name]) for name in kinds), flush=True)
    dist.barrier()
    by_torch.session.close_server()


def measured(python, packages, world, part, turns):
    with tempfile.TemporaryDirectory() as folder:
        # Those two alone: what else is there may be for another Python.
        for package in ("mf_smem", "hmc"):
            os.symlink(os.path.join(packages, package), os.path.join(folder, package))
        store, torch_port = free_ports(2)
        shared = dict(
            os.environ, WORLD_SIZE=str(world), LOCAL_WORLD_SIZE=str(world), MASTER_ADDR=IP, MASTER_PORT=str(store),
            MF_STORE_PORT_OFFSET="0", TORCH_PORT=str(torch_port), PYTHONPATH=folder, OMP_NUM_THREADS="1",
        )  # fmt: skip
        command = [python, os.path.abspath(__file__), "--member", "--part", str(part), "--turns", str(turns), "--packages", folder]
        ranks = [
            subprocess.Popen(command, env=dict(shared, RANK=str(rank), LOCAL_RANK=str(rank)), stdout=subprocess.PIPE, text=True)
            for rank in range(world)
        ]
        outs = [process.communicate()[0] for process in ranks]
        if any(process.returncode for process in ranks):
            sys.exit(f"a rank failed: {[process.returncode for process in ranks]}")
        return [float(text) for text in outs[0].split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--packages")
    parser.add_argument("--worlds", default="2,4,8")
    parser.add_argument("--part", type=int, default=1 << 20)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--member", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.member:
        member(options.part, options.turns, options.packages)
        return
    packages = options.packages
    if packages is None:
        found = importlib.util.find_spec("hmc")
        if found is None or found.origin is None:
            sys.exit("this Python has no hmc: pip install ./python ./python/hmc, or --packages FOLDER")
        packages = os.path.dirname(os.path.dirname(found.origin))
    print(f"{options.part} bytes a pair, ms       gloo    ours   ratio")
    for world in map(int, options.worlds.split(",")):
        gloo, store, by_torch = measured(options.python, packages, world, options.part, options.turns)
        for name, ours in (("store", store), ("torch", by_torch)):
            print(f"{world} ranks, meeting by {name:5}  {gloo:8.2f}{ours:8.2f}{ours / gloo:8.2f}", flush=True)


if __name__ == "__main__":
    main()
