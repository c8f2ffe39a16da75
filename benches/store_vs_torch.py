# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The config store beside PyTorch's TCPStore and gloo, in turns in one run.

Usage: python3 benches/store_vs_torch.py [--quick] [--members 1024]

Needs torch (Debian: python3-torch) and mf_smem in the same Python. Everything runs on the loopback of this machine.
Prints a table; times are medians, ratios are ours to torch's in the same run.
"""

import argparse
import datetime
import multiprocessing
import socket
import statistics
import threading
import time

import mf_smem
import torch.distributed as dist

TIMEOUT = datetime.timedelta(seconds=120)
HOST = "127.0.0.1"


def free_port():
    with socket.socket() as holder:
        holder.bind((HOST, 0))
        return holder.getsockname()[1]


def torch_server(port):
    return dist.TCPStore(HOST, port, None, True, timeout=TIMEOUT, wait_for_workers=False)


def torch_client(port, world, rank):
    return dist.TCPStore(HOST, port, None, False, timeout=TIMEOUT, wait_for_workers=False)


def our_server(port):
    return mf_smem.Store.serve(f"tcp://{HOST}:{port}")


def our_client(port, world, rank):
    if world is None:
        return mf_smem.Store(f"tcp://{HOST}:{port}", timeout=TIMEOUT)
    return mf_smem.Store(f"tcp://{HOST}:{port}", world_size=world, timeout=TIMEOUT)


KINDS = {"torch": (torch_server, torch_client), "ours": (our_server, our_client)}


def serve(kind, port, ready, stop):
    server = KINDS[kind][0](port)
    ready.set()
    stop.wait()
    del server


class Server:
    """A store in a process of its own."""

    def __init__(self, kind):
        self.kind, self.port = kind, free_port()
        context = multiprocessing.get_context("fork")
        ready, self.stop = context.Event(), context.Event()
        self.process = context.Process(target=serve, args=(kind, self.port, ready, self.stop))
        self.process.start()
        ready.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.process.join()


def median_us(call, calls):
    times = []
    for _ in range(calls // 10):
        call()
    for _ in range(calls):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e6


def latency(calls):
    rows = []
    with Server("torch") as torch_store, Server("ours") as our_store:
        clients = {"torch": torch_client(torch_store.port, 1, 0), "ours": our_client(our_store.port, None, 0)}
        for size in (8, 1024, 65536):
            value = "x" * size
            for client in clients.values():
                client.set(f"v{size}", value)
            for what in ("get", "set"):
                for turn in range(3):
                    for kind, client in clients.items():
                        key = f"v{size}"
                        call = (lambda: client.get(key)) if what == "get" else (lambda: client.set(key, value))
                        rows.append((f"{what} {size} B", kind, median_us(call, calls)))
        for turn in range(3):
            for kind, client in clients.items():
                rows.append(("add", kind, median_us(lambda: client.add("n", 1), calls)))
    return rows


def rate_client(kind, port, start, seconds, results):
    client = KINDS[kind][1](port, None, 0)
    client.set("v", "12345678")
    start.wait()
    end, calls = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        client.get("v")
        calls += 1
    results.put(calls / seconds)


def rate(kind, clients, seconds):
    context = multiprocessing.get_context("fork")
    with Server(kind) as server:
        start, results = context.Barrier(clients), context.Queue()
        processes = [
            context.Process(target=rate_client, args=(kind, server.port, start, seconds, results))
            for _ in range(clients)
        ]
        for process in processes:
            process.start()
        total = sum(results.get() for _ in processes)
        for process in processes:
            process.join()
    return total


def barrier_member(kind, port, world, rank, times, results):
    if kind == "torch":
        dist.init_process_group("gloo", init_method=f"tcp://{HOST}:{port}", world_size=world, rank=rank)
        meet = dist.barrier
    else:
        store = our_client(port, world, rank)
        meet = lambda: store.barrier("b", world)  # noqa: E731
    for _ in range(50):
        meet()
    begin = time.perf_counter()
    for _ in range(times):
        meet()
    results.put((time.perf_counter() - begin) / times * 1e6)
    if kind == "torch":
        dist.destroy_process_group()


def barrier(kind, world, times):
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    server = None if kind == "torch" else Server(kind)
    port = server.port if server else free_port()
    processes = [
        context.Process(target=barrier_member, args=(kind, port, world, rank, times, results)) for rank in range(world)
    ]
    for process in processes:
        process.start()
    values = [results.get() for _ in processes]
    for process in processes:
        process.join()
    if server:
        server.__exit__()
    return statistics.median(values)


def crowd_process(kind, port, world, first, count, go, done, end):
    stores = []

    def meet(rank):
        client = KINDS[kind][1](port, world, rank)
        if kind == "torch":
            # The barrier of the store itself, as its workers do it: count, and the last one opens.
            if client.add("came", 1) == world:
                client.set("open", "1")
            client.wait(["open"], TIMEOUT)
        else:
            client.barrier("crowd", world)
        stores.append(client)

    threads = [threading.Thread(target=meet, args=(first + number,)) for number in range(count)]
    go.wait()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.wait()
    end.wait()


def crowd(kind, members, processes):
    threading.stack_size(256 << 10)
    context = multiprocessing.get_context("fork")
    with Server(kind) as server:
        go, done, end = (context.Barrier(processes + 1) for _ in range(3))
        share = members // processes
        workers = [
            context.Process(target=crowd_process, args=(kind, server.port, members, share * number, share, go, done, end))
            for number in range(processes)
        ]
        for worker in workers:
            worker.start()
        go.wait()
        begin = time.perf_counter()
        done.wait()
        seconds = time.perf_counter() - begin
        end.wait()
        for worker in workers:
            worker.join()
    return seconds


def compare(rows, what, torch, ours, better="less"):
    ratio = ours / torch
    print(f"{what:<28}{torch:>12.1f}{ours:>12.1f}{ratio:>10.3f}", flush=True)
    rows.append((what, torch, ours, ratio))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--members", type=int, default=1024, help="members of the crowd")
    parser.add_argument("--processes", type=int, default=4, help="processes that the crowd shares")
    arguments = parser.parse_args()
    calls = 500 if arguments.quick else 3000
    rows = []
    print(f"{'what':<28}{'torch':>12}{'ours':>12}{'ratio':>10}")
    measured = latency(calls)
    for what in dict.fromkeys(row[0] for row in measured):
        pick = lambda kind: statistics.median(r[2] for r in measured if r[:2] == (what, kind))  # noqa: E731
        compare(rows, f"{what}, us", pick("torch"), pick("ours"))
    seconds = 1 if arguments.quick else 3
    compare(rows, "get by 8 clients, 1/s", rate("torch", 8, seconds), rate("ours", 8, seconds))
    for world in (2, 4, 8):
        times = 100 if arguments.quick else 500
        compare(rows, f"barrier of {world}, us", barrier("torch", world, times), barrier("ours", world, times))
    repeats = 1 if arguments.quick else 3
    meets = {kind: [] for kind in KINDS}
    for _ in range(repeats):
        for kind in KINDS:
            meets[kind].append(crowd(kind, arguments.members, arguments.processes))
    pick = {kind: statistics.median(values) * 1e3 for kind, values in meets.items()}
    compare(rows, f"{arguments.members} members meet, ms", pick["torch"], pick["ours"])


if __name__ == "__main__":
    main()
