# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures writes between two processes of this host over several backends of one agent, in turns: each round posts one
transfer with each backend, and waits for its end. Prints medians, and their ratio to the last backend's."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import Any, NoReturn

from ._folder import NAME, plugin_dir
from ._wheel import NixlError, Wheel, bindings, installed

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SIZES = "4K,64K,256K,1M,4M,16M,64M"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.add_argument("--sizes", default=_SIZES, type=_sizes, help=f"bytes of a transfer, with K, M or G (default: {_SIZES})")
    parser.add_argument(
        "--backends", default=f"{NAME},UCX", type=lambda text: text.split(","),
        help="types, the last one is the baseline (default: %(default)s)",
    )
    parser.add_argument("--seconds", default=2.0, type=float, help="time for each size (default: %(default)s)")
    parser.add_argument("--pieces", default=1, type=int, help="pieces of that size in one transfer (default: %(default)s)")
    parser.add_argument("--read", action="store_true", help="read instead of write")
    parser.add_argument("--notify", action="store_true", help="send a notification of 16 bytes behind each transfer")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace, wheel: Wheel) -> NoReturn:
    """Runs the command, and ends the process."""
    os.environ.setdefault("NIXL_PLUGIN_DIR", plugin_dir(wheel=wheel))
    backends = chosen.backends
    room = max(chosen.sizes) * (2 * chosen.pieces - 1)
    with _Target(backends, room, wheel) as target:
        rows = list(_Initiator(backends, room, wheel, target).measure(chosen))
    _print(rows, backends, wheel, chosen)
    sys.stdout.flush()
    # With NIXL 1.5.1 and its UCX an interpreter that ends by itself is killed by SIGSEGV.
    os._exit(0)


def _print(rows: list[dict[str, Any]], backends: list[str], wheel: Wheel, chosen: argparse.Namespace) -> None:
    if chosen.json:
        print(json.dumps({"nixl": wheel.version, "backends": backends, "pieces": chosen.pieces, "rows": rows}))
        return
    print(f"{'bytes':>10}  " + "  ".join(f"{name + ' µs':>14}" for name in backends) + f"  {'ratio':>6}  turns")
    for row in rows:
        times = row["us"]
        columns = "  ".join(f"{times[name]:>14.1f}" for name in backends)
        print(f"{row['bytes']:>10}  {columns}  {row['ratio']:>6.2f}  {row['turns']}")


def _sizes(text: str) -> list[int]:
    try:
        found = [int(part[:-1]) * _UNITS[part[-1]] if part[-1:] in _UNITS else int(part) for part in text.upper().split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"invalid sizes {text!r}: as {_SIZES}") from None
    if min(found) < 1:
        raise argparse.ArgumentTypeError(f"invalid sizes {text!r}: 1 byte or more")
    return found


class _Agent:
    """An agent with a buffer, which all of its backends have registered."""

    def __init__(self, name: str, backends: list[str], size: int, wheel: Wheel) -> None:
        import numpy

        self.nixl = bindings(wheel)
        self.agent = self.nixl.nixlAgent(name, self.nixl.nixlAgentConfig(True))
        self.handles = {backend: self.agent.createBackend(backend, {}) for backend in backends}
        self.buffer = numpy.ones(size, dtype=numpy.uint8)
        self.address = int(self.buffer.ctypes.data)
        ranges = self.nixl.nixlRegDList(self.nixl.DRAM_SEG, [(self.address, size, 0, "")])
        self.agent.registerMem(ranges, list(self.handles.values()))

    def pieces(self, address: int, size: int, count: int) -> Any:
        """A list of pieces with a gap behind each, so that they are not merged."""
        return self.nixl.nixlXferDList(self.nixl.DRAM_SEG, [(address + 2 * size * number, size, 0) for number in range(count)])


class _Target:
    """The process that is written to."""

    def __init__(self, backends: list[str], size: int, wheel: Wheel) -> None:
        command = [sys.executable, "-m", "mf_nixl._bench", ",".join(backends), str(size), wheel.name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> tuple[bytes, int]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().split()
        if len(line) != 2:
            raise NixlError("the second process of the measurement has ended; its errors are above")
        return bytes.fromhex(line[0]), int(line[1])

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


class _Initiator(_Agent):
    """The process that posts and measures."""

    def __init__(self, backends: list[str], size: int, wheel: Wheel, target: tuple[bytes, int]) -> None:
        super().__init__("initiator", backends, size, wheel)
        metadata, self._there = target
        self.agent.loadRemoteMD(metadata)

    def measure(self, chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
        operation = self.nixl.NIXL_READ if chosen.read else self.nixl.NIXL_WRITE
        message = "0123456789abcdef" if chosen.notify else ""
        for size in chosen.sizes:
            here, there = self.pieces(self.address, size, chosen.pieces), self.pieces(self._there, size, chosen.pieces)
            requests = {
                name: self.agent.createXferReq(operation, here, there, "target", message, [handle])
                for name, handle in self.handles.items()
            }
            times: dict[str, list[float]] = {name: [] for name in requests}
            for request in requests.values():
                self._once(request, message)
            end = time.monotonic() + chosen.seconds
            order = list(requests.items())
            while time.monotonic() < end or len(times[order[0][0]]) < 10:
                for name, request in order:
                    times[name].append(self._once(request, message))
                # The first transfer of a round finds less in the caches.
                order.reverse()
            for request in requests.values():
                self.agent.releaseXferReq(request)
            medians = {name: median(values) * 1e6 for name, values in times.items()}
            ratio = medians[chosen.backends[0]] / medians[chosen.backends[-1]]
            yield {"bytes": size, "us": medians, "ratio": ratio, "turns": len(next(iter(times.values())))}

    def _once(self, request: int, message: str) -> float:
        """One transfer, in seconds from its post to its end."""
        agent, in_progress = self.agent, self.nixl.NIXL_IN_PROG
        begun = time.perf_counter()
        status = agent.postXferReq(request, message)
        while status == in_progress:
            status = agent.getXferStatus(request)
        return time.perf_counter() - begun


def _serve(backends: str, size: str, wheel: str) -> None:
    """The second process: prints its metadata and the address of its buffer, and takes notifications until it is killed."""
    agent = _Agent("target", backends.split(","), int(size), installed(wheel))
    print(agent.agent.getLocalMD().hex(), agent.address, flush=True)
    # Ends by itself when the first process does.
    while os.getppid() != 1:
        agent.agent.getNotifs({})
        time.sleep(0.001)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
