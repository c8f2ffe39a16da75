# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mooncake's Python names over this library and over its released wheel, on one host: values of the store, transfers of the engine.

    python3 benches/mooncake_beside_released.py --ours PYTHON --released PYTHON [--rounds N] [--only store|engine]

PYTHON is the program of a virtual environment: one with `mf_smem` and `mf_mooncake`, one with mooncake-transfer-engine-non-cuda.
Both run this file, with the protocol tcp and 127.0.0.1 as the host: a master, a process with memory for values, and a process
that puts and gets them; for the engine two processes. The libraries take turns, and only one has processes at a time. All memory
has been used before, as in a cache that has been full. The table has microseconds a call: medians of the calls, then of the rounds.
Python's own part of a call counts.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import mmap
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

KIB, MIB = 1 << 10, 1 << 20
VALUES = ((4 * KIB, 400), (64 * KIB, 400), (MIB, 100))
TRANSFERS = ((4 * KIB, 400), (64 * KIB, 400), (MIB, 100), (16 * MIB, 10), (64 * MIB, 5))
#: Bytes for values, and values of 1 MiB that touch most of them.
SEGMENT, WARM = 1024 * MIB, 700
Figures = dict[str, float]


def memory(size: int) -> tuple[mmap.mmap, int]:
    """Returns memory of this process with all its pages, and its address."""
    area = mmap.mmap(-1, size)
    address = ctypes.addressof(ctypes.c_char.from_buffer(area))
    ctypes.memset(address, 1, size)
    return area, address


def timed(call: Callable[[int], bool], count: int) -> float:
    """Returns microseconds a call, the median. Ends the program if one fails."""
    took, right = [], 0
    for number in range(count):
        begun = time.perf_counter()
        right += call(number)
        took.append(time.perf_counter() - begun)
    if right < count:
        raise SystemExit(f"{count - right} of {count} calls failed")
    return statistics.median(took) * 1e6


# ---- programs of the measured environments ----


def store_of(master: str, segment: int) -> Any:
    """Joins the store."""
    from mooncake.store import MooncakeDistributedStore

    store = MooncakeDistributedStore()
    code = store.setup("127.0.0.1", "P2PHANDSHAKE", segment, 256 * MIB, "tcp", "", master)
    if code != 0:
        raise SystemExit(f"setup: {code}")
    return store


def hold(master: str) -> None:
    """Holds the memory for values."""
    store = store_of(master, SEGMENT)
    print("ready", flush=True)
    sys.stdin.read()
    store.close()


def values(master: str) -> None:
    """Measures the calls of the store."""
    store = store_of(master, 0)
    area, at = memory(MIB)
    if store.register_buffer(at, MIB) != 0:
        raise SystemExit("the buffer is not registered")
    found: Figures = {}
    for _ in range(2):
        # Touches the memory for values.
        timed(lambda n: store.put_from(f"warm{n}", at, MIB) == 0, WARM)
        store.remove_all(True)
    for size, count in VALUES:
        value, label = area[:size], named(size)
        for turn in range(2):
            # The first turn connects.
            found[f"put {label}"] = timed(lambda n: store.put(f"v{turn}.{n}", value) == 0, count)
            found[f"get {label}"] = timed(lambda n: len(store.get(f"v{turn}.{n}")) == size, count)
            found[f"put_from {label}"] = timed(lambda n: store.put_from(f"a{turn}.{n}", at, size) == 0, count)
            found[f"get_into {label}"] = timed(lambda n: store.get_into(f"a{turn}.{n}", at, size) == size, count)
            store.remove_all(True)
    print(json.dumps(found), flush=True)
    store.close()


def engine_of() -> Any:
    """Starts an engine."""
    from mooncake.engine import TransferEngine

    engine = TransferEngine()
    code = engine.initialize("127.0.0.1", "P2PHANDSHAKE", "tcp", "")
    if code != 0:
        raise SystemExit(f"initialize: {code}")
    return engine


def offer() -> None:
    """Gives other engines access to memory."""
    engine = engine_of()
    size = TRANSFERS[-1][0]
    area, at = memory(size)
    if engine.register_memory(at, size) != 0:
        raise SystemExit("the memory is not registered")
    print(json.dumps([f"127.0.0.1:{engine.get_rpc_port()}", at]), flush=True)
    sys.stdin.read()
    del area


def transfers(session: str, peer: str) -> None:
    """Measures the transfers of the engine."""
    engine, size = engine_of(), TRANSFERS[-1][0]
    area, at = memory(size)
    if engine.register_memory(at, size) != 0:
        raise SystemExit("the memory is not registered")
    found: Figures = {}
    for length, count in TRANSFERS:
        for name, call in (("write", engine.transfer_sync_write), ("read", engine.transfer_sync_read)):
            for _ in range(2):
                found[f"{name} {named(length)}"] = timed(lambda _: call(session, at, int(peer), length) == 0, count)
    print(json.dumps(found), flush=True)
    del area


# ---- rounds ----


def named(size: int) -> str:
    """Returns a size with its unit."""
    return f"{size // MIB} MiB" if size >= MIB else f"{size // KIB} KiB"


def started(stack: ExitStack, command: list[str]) -> subprocess.Popen[str]:
    """Starts a process, which ends with the stack."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


def line(process: subprocess.Popen[str], wanted: str) -> str:
    """Returns the first line of the output with `wanted`. Ends the program if the process ends before."""
    assert process.stdout is not None
    for text in process.stdout:
        if wanted in text:
            return text
    raise SystemExit(f"{' '.join(map(str, process.args))} has ended: {process.wait()}")  # type: ignore[arg-type]


def free_port() -> int:
    """Returns a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    """Returns True if a process listens at a port of this host."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def round_of(python: str, only: str) -> Figures:
    """Measures one library once."""
    found: Figures = {}
    here = [python, __file__]
    if only != "engine":
        with ExitStack() as stack:
            port = free_port()
            flags = ["--rpc_address=127.0.0.1", f"--rpc_port={port}", f"--metrics_port={free_port()}"]
            started(stack, [python, "-c", "from mooncake.cli import main; main()", *flags])
            deadline = time.monotonic() + 30
            while not listens(port):
                if time.monotonic() > deadline:
                    raise SystemExit(f"the master of {python} does not listen")
            line(started(stack, [*here, "--hold", f"127.0.0.1:{port}"]), "ready")
            found |= json.loads(line(started(stack, [*here, "--values", f"127.0.0.1:{port}"]), "{"))
    if only != "store":
        with ExitStack() as stack:
            session, at = json.loads(line(started(stack, [*here, "--offer"]), "["))
            found |= json.loads(line(started(stack, [*here, "--transfers", session, str(at)]), "{"))
    return found


def main() -> None:
    """Runs the rounds, or a program of one of them."""
    programs: dict[str, Callable[..., None]] = {"--hold": hold, "--values": values, "--offer": offer, "--transfers": transfers}
    if len(sys.argv) > 1 and sys.argv[1] in programs:
        programs[sys.argv[1]](*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, metavar="PYTHON")
    parser.add_argument("--released", required=True, metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("store", "engine"), default="")
    given = parser.parse_args()
    pairs = []
    for number in range(given.rounds):
        pair: list[Figures] = [{}, {}]
        for place in (0, 1) if number % 2 == 0 else (1, 0):
            pair[place] = round_of((given.ours, given.released)[place], given.only)
        pairs.append(pair)
    print(f"{'':20}{'ours us':>10}{'released us':>14}{'times as fast':>16}")
    for what in pairs[0][0]:
        own, other = (statistics.median(pair[place][what] for pair in pairs) for place in (0, 1))
        print(f"{what:20}{own:10.1f}{other:14.1f}{other / own:16.1f}")


if __name__ == "__main__":
    main()
