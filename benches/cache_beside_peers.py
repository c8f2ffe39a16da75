# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts and gets of `mf_smem.Cache` beside memcpy, Mooncake's store over tcp and memcache_hybrid over shared memory: three processes of
one host each, in turns.

    python3 benches/cache_beside_peers.py [--sizes 4096,65536,1048576] [--rounds N] [--best] [--ours PYTHON] [--mooncake PYTHON] [--memcache PYTHON]

Each PYTHON is an interpreter with that library: mf_smem; mooncake-transfer-engine-non-cuda; memcache_hybrid, on this project's
memfabric_hybrid and libmf_smem.so (LD_LIBRARY_PATH), as the published memfabric_hybrid starts only with an Ascend driver. A
library that is not named, or does not start, is left out by name. Process 0 puts new keys, process 1 gets them into a private
buffer, queries their existence, and process 0 removes them. Microseconds an operation, medians of the rounds (with --best the
fastest round of each: the cost without other load, also on a busy machine), and the speed relative to a memcpy of as many bytes
into and out of shared memory as large as a contribution, which one process writes and another reads, round as the blocks of a
cache (ratio; 1: as fast as memcpy). While one library is measured the processes of the other stand still. The memory has been
full once, and is mapped in all processes, like in a long-running cache; a cache uses huge pages if it gets them, the memcpy
ordinary ones.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import mmap
import os
import signal
import socket
import statistics
import subprocess
import tempfile
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

POOL_BYTES = 256 << 20
MEMBERS = 3
SETTLE_S = 3
#: Measurements, and their processes.
METHODS = ((0, "copy in"), (1, "copy out"), (0, "put"), (1, "get"), (1, "exists"), (0, "remove"))


class Ours:
    """A cache of mf_smem."""

    def __init__(self, rank: int, url: str) -> None:
        import mf_smem

        self.cache = mf_smem.Cache(POOL_BYTES, store_url=url, world_size=MEMBERS, rank=rank)

    def buffer(self, size: int) -> Any:
        return bytearray(os.urandom(size))

    def put(self, key: str, buffer: Any) -> None:
        self.cache.put(key, buffer)

    def get(self, key: str, buffer: Any) -> int:
        return self.cache.get_into(key, buffer) or 0

    def exists(self, key: str) -> bool:
        return self.cache.exists(key)

    def remove(self, key: str) -> None:
        self.cache.remove(key)


class Mooncake:
    """Mooncake's store, with registered buffers and no copy on this side; `url` is the port of its master."""

    def __init__(self, rank: int, url: str) -> None:
        from mooncake.store import MooncakeDistributedStore

        self.store = MooncakeDistributedStore()
        code = self.store.setup("127.0.0.1", "P2PHANDSHAKE", POOL_BYTES, POOL_BYTES, "tcp", "", f"127.0.0.1:{url}")
        if code != 0:
            raise RuntimeError(f"setup gave {code}")

    def buffer(self, size: int) -> Any:
        buffer = ctypes.create_string_buffer(os.urandom(size), size)
        if self.store.register_buffer(ctypes.addressof(buffer), size) != 0:
            raise RuntimeError("the buffer is not registered")
        return buffer

    def put(self, key: str, buffer: Any) -> None:
        if self.store.put_from(key, ctypes.addressof(buffer), len(buffer)) != 0:
            raise RuntimeError(f"{key} is not put")

    def get(self, key: str, buffer: Any) -> int:
        return int(self.store.get_into(key, ctypes.addressof(buffer), len(buffer)))

    def exists(self, key: str) -> bool:
        return bool(self.store.is_exist(key) == 1)

    def remove(self, key: str) -> None:
        # A lease that a lookup began holds it for a while.
        self.store.remove(key)


class Memcache:
    """The product memcache_hybrid by its protocol host_shm, with registered buffers; `url` are the ports of its meta service and store."""

    def __init__(self, rank: int, url: str) -> None:
        import memcache_hybrid

        meta, store = url.split(",")
        config = memcache_hybrid.LocalConfig()
        config.meta_service_url, config.config_store_url = f"tcp://127.0.0.1:{meta}", f"tcp://127.0.0.1:{store}"
        config.protocol, config.world_size, config.log_level = "host_shm", 8, "error"
        config.dram_size = config.max_dram_size = f"{POOL_BYTES >> 20}MB"
        config.hbm_size = config.max_hbm_size = "0"
        config.tls_enable = config.config_store_tls_enable = config.hcom_tls_enable = False
        self.store = memcache_hybrid.DistributedObjectStore()
        self.put_by, self.get_by = int(memcache_hybrid.H2G), int(memcache_hybrid.G2H)
        for code in (self.store.setup(config), self.store.init(0)):
            if code != 0:
                raise RuntimeError(f"it does not begin: {code}")

    def buffer(self, size: int) -> Any:
        buffer = ctypes.create_string_buffer(os.urandom(size), size)
        if self.store.register_buffer(ctypes.addressof(buffer), size) != 0:
            raise RuntimeError("the buffer is not registered")
        return buffer

    def put(self, key: str, buffer: Any) -> None:
        if self.store.put_from(key, ctypes.addressof(buffer), len(buffer), self.put_by) != 0:
            raise RuntimeError(f"{key} is not put")

    def get(self, key: str, buffer: Any) -> int:
        code = self.store.get_into(key, ctypes.addressof(buffer), len(buffer), self.get_by)
        return len(buffer) if code == 0 else int(code)

    def exists(self, key: str) -> bool:
        return bool(self.store.is_exist(key) == 1)

    def remove(self, key: str) -> None:
        self.store.remove(key)


def meta_service(meta: str, store: str, metrics: str) -> None:
    """The meta service of memcache_hybrid, until it is killed."""
    import memcache_hybrid

    config = memcache_hybrid.MetaConfig()
    config.meta_service_url, config.config_store_url = f"tcp://127.0.0.1:{meta}", f"tcp://127.0.0.1:{store}"
    config.metrics_url, config.log_level = f"http://127.0.0.1:{metrics}", "error"
    config.ha_enable = config.tls_enable = config.config_store_tls_enable = False
    memcache_hybrid.MetaService.setup(config)
    memcache_hybrid.MetaService.main()


LIBRARIES: dict[str, Callable[[int, str], Any]] = {"ours": Ours, "mooncake": Mooncake, "memcache": Memcache}


def member(name: str, rank: int, url: str, shared: str) -> None:
    """Answers lines on standard input: [method, prefix of keys, size, count], with microseconds for each call."""
    answers = os.fdopen(os.dup(1), "w")
    # Output of a library is not an answer.
    os.dup2(2, 1)
    library, buffers = LIBRARIES[name](rank, url), {}
    with open(shared, "r+b") as file:
        mirror = mmap.mmap(file.fileno(), POOL_BYTES)
    memory, place = ctypes.addressof(ctypes.c_char.from_buffer(mirror)), 0
    # Touched by each, so that no copy meets a page fault.
    sum(mirror[::4096])
    print(json.dumps("begun"), file=answers, flush=True)
    for line in sys.stdin:
        method, prefix, size, count = json.loads(line)
        if size not in buffers:
            buffers[size] = library.buffer(size)
        buffer = buffers[size]
        keys = [f"{prefix}/{number}" for number in range(count)]
        if method in ("copy in", "copy out"):
            # As a cache does: each value in another place of memory as large as a contribution.
            own = ctypes.addressof(ctypes.c_char.from_buffer(buffer))
            begun = time.perf_counter()
            first = place if place + count * size <= POOL_BYTES else 0
            place = first + count * size
            if method == "copy in":
                for number in range(count):
                    ctypes.memmove(memory + first + number * size, own, size)
            else:
                for number in range(count):
                    ctypes.memmove(own, memory + first + number * size, size)
        elif method in ("put", "get"):
            call = getattr(library, method)
            begun = time.perf_counter()
            results = [call(key, buffer) for key in keys]
            if method == "get" and set(results) != {size}:
                raise SystemExit(f"{name}: a get of {size} bytes gave {set(results)}")
        else:
            call = getattr(library, method)
            begun = time.perf_counter()
            results = [call(key) for key in keys]
            if method == "exists" and not all(results):
                raise SystemExit(f"{name}: a key is missing")
        print(json.dumps((time.perf_counter() - begun) / count * 1e6), file=answers, flush=True)


class Group:
    """The processes of one library, which stand still unless they are asked."""

    def __init__(self, name: str, python: str) -> None:
        self.name, port = name, free_port()
        self.helpers = []
        if name == "mooncake":
            master = str(Path(python).with_name("mooncake_master"))
            self.helpers.append(subprocess.Popen([master, f"--rpc_port={port}", f"--metrics_port={free_port()}"],
                                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            wait_for(port)
        url = f"tcp://127.0.0.1:{port}" if name == "ours" else str(port)
        if name == "memcache":
            ports = [str(port), str(free_port()), str(free_port())]
            self.helpers.append(subprocess.Popen([python, __file__, "--meta", *ports],
                                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            wait_for(port)
            url = ",".join(ports[:2])
        self.shared = tempfile.NamedTemporaryFile(dir="/dev/shm")
        self.shared.write(b"\1" * POOL_BYTES)
        self.shared.flush()
        self.members = [
            subprocess.Popen([python, __file__, "--member", name, str(rank), url, self.shared.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=None if os.environ.get("VERBOSE") else subprocess.DEVNULL, text=True)
            for rank in range(MEMBERS)
        ]
        for rank in range(MEMBERS):
            self.answer(rank)

    def answer(self, rank: int) -> Any:
        stdout = self.members[rank].stdout
        line = stdout.readline() if stdout is not None else ""
        if not line:
            raise RuntimeError(f"process {rank} of {self.name} has ended")
        return json.loads(line)

    def ask(self, rank: int, *question: Any) -> float:
        stdin = self.members[rank].stdin
        assert stdin is not None
        stdin.write(json.dumps(question) + "\n")
        stdin.flush()
        return float(self.answer(rank))

    def send(self, number: signal.Signals) -> None:
        for process in [*self.helpers, *self.members]:
            process.send_signal(number)

    def end(self) -> None:
        self.send(signal.SIGCONT)
        for process in [*self.members, *self.helpers]:
            process.kill()
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="4096,65536,1048576")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--best", action="store_true")
    parser.add_argument("--ours", metavar="PYTHON", default=sys.executable)
    parser.add_argument("--mooncake", metavar="PYTHON")
    parser.add_argument("--memcache", metavar="PYTHON")
    parser.add_argument("--member", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--meta", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.meta:
        meta_service(*options.meta)
        return
    if options.member:
        member(options.member[0], int(options.member[1]), *options.member[2:])
        return
    groups: dict[str, Group] = {}
    for name, python in (("ours", options.ours), ("mooncake", options.mooncake), ("memcache", options.memcache)):
        try:
            if not python:
                raise RuntimeError("it is not named")
            groups[name] = Group(name, python)
            for method in ("put", "remove"):
                groups[name].ask(0, method, "warm", 1 << 20, MEMBERS * (POOL_BYTES >> 20) * 3 // 4)
            # Background work of a cache: its pages are mapped in all processes.
            time.sleep(SETTLE_S)
            groups[name].send(signal.SIGSTOP)
        except (OSError, RuntimeError) as error:
            print(f"left out: {name}: {error}")
    typical: Callable[[list[float]], float] = min if options.best else statistics.median
    print(f"{'size':>9} {'library':>9} {'copy in':>9} {'put µs':>9} {'ratio':>6} {'copy out':>9} {'get µs':>9} {'ratio':>6} {'exists µs':>10}")
    try:
        for size in map(int, options.sizes.split(",")):
            count = max(20, min(500, (64 << 20) // size // 4))
            found: dict[tuple[str, str], list[float]] = {}
            for number in range(options.rounds):
                for name, group in groups.items():
                    group.send(signal.SIGCONT)
                    for rank, method in METHODS:
                        taken = group.ask(rank, method, f"{size}/{number}", size, count)
                        # The first round touches the memory.
                        if number > 0:
                            found.setdefault((name, method), []).append(taken)
                    group.send(signal.SIGSTOP)
            for name in groups:
                into, out, put, get, exists, _ = (typical(found[name, method]) for _, method in METHODS)
                print(f"{size:>9} {name:>9} {into:>9.2f} {put:>9.2f} {into / put:>6.2f} {out:>9.2f} {get:>9.2f} {out / get:>6.2f} {exists:>10.2f}")
    finally:
        for group in groups.values():
            group.end()


if __name__ == "__main__":
    main()
