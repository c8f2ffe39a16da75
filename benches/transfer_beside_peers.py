# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfers between two processes from Python, beside Mooncake's engine (tcp) and NIXL (its default, UCX), in turns:

    python3 benches/transfer_beside_peers.py [--sizes 8,4096,…] [--rounds N] [--ours PYTHON] [--mooncake PYTHON] [--nixl PYTHON]

    mf sim --devices 2 -- python3 benches/transfer_beside_peers.py --released PYTHON        # simulated: memory of two devices

Each PYTHON is an interpreter with that library: mf_smem; mooncake-transfer-engine-non-cuda; nixl and nixl-cu12 (both also without
their dependencies other than numpy); memfabric_hybrid==1.3.0. One that is not named, or does not begin, is left out by name. The
memory is ordinary memory of the processes, on one host; "ours, mapped" is memory of trans_malloc; beside the released engine, which
has no other, it is device memory. Microseconds a transfer, medians of the rounds. While one library is measured the processes of
the others stand still: some poll without a pause, and would take the cores that the measured one needs.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import mmap
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZES = (8, 4096, 65536, 1 << 20, 128 << 20)
#: A transfer function of the local address, the remote address, the length. True when it is done and went
#well.
Transfer = Callable[[int, int, int], bool]


KEPT: list[mmap.mmap] = []


def memory(size: int) -> int:
    """The address of memory of this process that stays until its end, every page there."""
    area = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    KEPT.append(area)
    address = ctypes.addressof(ctypes.c_char.from_buffer(area))
    ctypes.memset(address, 1, size)
    return address


def blocking(engine: Any, name: str) -> tuple[Transfer, Transfer]:
    """Write and read of an engine with methods that return codes."""
    write, read = engine.transfer_sync_write, engine.transfer_sync_read
    return (lambda *what: write(name, *what) == 0, lambda *what: read(name, *what) == 0)


class Ours:
    """`mapped`: memory of the engine, which the other process maps."""

    def __init__(self, size: int, mapped: bool = False) -> None:
        import mf_smem

        mf_smem.set_conf_store_tls(False, "")
        self.engine = mf_smem.TransferEngine()
        assert self.engine.initialize("", "127.0.0.1", "Prefill", 0) == 0, mf_smem.get_last_err_msg()
        self.address = self.engine.trans_malloc(size) if mapped else memory(size)
        assert mapped or self.engine.register_memory(self.address, size) == 0
        ctypes.memset(self.address, 1, size)
        self.name: Any = f"127.0.0.1:{self.engine.get_rpc_port()}"

    def meet(self, name: str) -> tuple[Transfer, Transfer]:
        return blocking(self.engine, name)


class OnDevices:
    """The engine of a package of MemFabric's names over the memory of a device; both processes name one store."""

    def __init__(self, size: int, package: str) -> None:
        sys.path.insert(0, str(Path(__file__).parents[1] / "tests/upstream"))
        import acl

        mf = importlib.import_module(package)
        place = int(os.environ["PLACE"])
        acl.use_device(place)
        mf.set_conf_store_tls(False, "")
        self.engine = mf.TransferEngine()
        role, sdma = ("Prefill", "Decode")[place], mf.TransferEngine.TransDataOpType.SDMA
        assert self.engine.initialize(os.environ["STORE"], "127.0.0.1", role, place, sdma) == 0
        self.address = acl.malloc(size)
        assert self.engine.register_memory(self.address, size) == 0
        self.name: Any = f"127.0.0.1:{self.engine.get_rpc_port()}"

    def meet(self, name: str) -> tuple[Transfer, Transfer]:
        return blocking(self.engine, name)


class Mooncake:
    def __init__(self, size: int) -> None:
        from mooncake.engine import TransferEngine

        self.engine = TransferEngine()
        assert self.engine.initialize("127.0.0.1", "P2PHANDSHAKE", "tcp", "") == 0
        self.address = memory(size)
        assert self.engine.register_memory(self.address, size) == 0
        self.name: Any = f"127.0.0.1:{self.engine.get_rpc_port()}"

    def meet(self, name: str) -> tuple[Transfer, Transfer]:
        return blocking(self.engine, name)


class Nixl:
    def __init__(self, size: int) -> None:
        from nixl_cu12._api import nixl_agent, nixl_agent_config  # noqa: PLC0415

        self.agent = nixl_agent(f"agent-{id(self)}-{time.time_ns()}", nixl_agent_config(backends=["UCX"]))
        self.address = memory(size)
        self.agent.register_memory([(self.address, size, 0, "")], "DRAM")
        self.name: Any = self.agent.get_agent_metadata().hex()

    def meet(self, name: str) -> tuple[Transfer, Transfer]:
        peer = self.agent.add_remote_agent(bytes.fromhex(name))
        agent = self.agent
        # A request is made once for each size, as its users do, and posted again and again.
        requests: dict[tuple[str, int], Any] = {}

        def transfer(how: str, here: int, there: int, size: int) -> bool:
            request = requests.get((how, size))
            if request is None:
                local = agent.get_xfer_descs([(here, size, 0)], "DRAM")
                remote = agent.get_xfer_descs([(there, size, 0)], "DRAM")
                request = requests[how, size] = agent.initialize_xfer(how, local, remote, peer)
            state = agent.transfer(request)
            while state != "DONE":
                if state == "ERR":
                    return False
                state = agent.check_xfer_state(request)
            return True

        return (lambda *what: transfer("WRITE", *what), lambda *what: transfer("READ", *what))


LIBRARIES: dict[str, Callable[[int], Any]] = {
    "ours": Ours, "ours, mapped": lambda size: Ours(size, mapped=True), "mooncake": Mooncake, "nixl": Nixl,
    "ours, device": lambda size: OnDevices(size, "mf_smem"), "released": lambda size: OnDevices(size, "memfabric_hybrid"),
}


def serve(library: str, size: int) -> None:
    """A process that obeys lines: `meet` the other, then times transfers; without one it only offers its memory."""
    end = LIBRARIES[library](size)
    print(json.dumps([end.name, end.address]), flush=True)
    functions: tuple[Transfer, ...] = ()
    there = 0
    for line in sys.stdin:
        words = json.loads(line)
        if words[0] == "meet":
            functions, there = end.meet(words[1]), words[2]
            print("true", flush=True)
            continue
        direction, length, count = words
        transfer = functions[direction == "read"]
        good = transfer(end.address, there, length)
        start = time.perf_counter()
        for _ in range(count):
            good &= transfer(end.address, there, length)
        print(json.dumps([good, (time.perf_counter() - start) / count * 1e6]), flush=True)


class Process:
    def __init__(self, python: str, library: str, size: int, place: int) -> None:
        command = [python, __file__, "--serve", library, "--bytes", str(size)]
        # The released package finds its own libraries in its folder only by this.
        where = "import importlib.util as i, os; s = i.find_spec('memfabric_hybrid'); print(s and os.path.dirname(s.origin) or '')"
        package = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip()
        store = f"tcp://127.0.0.1:{20000 + (os.getpid() + 7 * len(library)) % 10000}"
        environment = os.environ | {"PLACE": str(place), "STORE": store, "MF_HYBM_ENABLE_4K_PAGE": "1", "MF_HYBM_RDMA_SWAP_SPACE_SIZE": "64"}
        if library == "released":
            environment["LD_LIBRARY_PATH"] = f"{package}/lib:{os.environ.get('LD_LIBRARY_PATH', '')}"
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )

    def answer(self) -> Any:
        """The next line that is an answer: libraries print lines of their own."""
        for line in self.process.stdout:
            try:
                return json.loads(line)
            except ValueError:
                continue
        raise RuntimeError("the process ended")

    def ask(self, *words: Any) -> Any:
        print(json.dumps(words), file=self.process.stdin, flush=True)
        return self.answer()

    def stand_still(self, still: bool) -> None:
        self.process.send_signal(signal.SIGSTOP if still else signal.SIGCONT)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="bytes, by commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--ours", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--mooncake", metavar="PYTHON")
    parser.add_argument("--nixl", metavar="PYTHON")
    parser.add_argument("--released", metavar="PYTHON", help="on the simulator: memory of devices")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--bytes", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.bytes)
        return
    sizes = [int(size) for size in options.sizes.split(",")]
    pythons = {"ours": options.ours, "ours, mapped": options.ours, "mooncake": options.mooncake, "nixl": options.nixl}
    if options.released:
        pythons = {"ours, device": options.ours, "released": options.released}
    processes: list[Process] = []
    callers: dict[str, tuple[Process, Process]] = {}
    try:
        for library, python in pythons.items():
            if python is None:
                print(f"left out: {library}: no interpreter is named for it")
                continue
            try:
                # Both before either answers: one may wait for the other.
                caller, owner = (Process(python, library, max(sizes), place) for place in (0, 1))
                processes += [caller, owner]
                caller.answer()
                caller.ask("meet", *owner.answer())
                callers[library] = caller, owner
            except (OSError, RuntimeError) as problem:
                print(f"left out: {library}: {problem}")
        for process in processes:
            process.stand_still(True)
        print(f"{'':18}" + "".join(f"{library:>16}" for library in callers) + "   µs a transfer")
        for size in sizes:
            for direction in ("write", "read"):
                found: dict[str, list[float]] = {library: [] for library in callers}
                for _ in range(options.rounds):
                    for library, pair in callers.items():
                        count = max(1, min(2000, 20_000_000 // (size + 20_000)))
                        for process in pair:
                            process.stand_still(False)
                        good, microseconds = pair[0].ask(direction, size, count)
                        for process in pair:
                            process.stand_still(True)
                        if not good:
                            raise SystemExit(f"{library}: a {direction} of {size} bytes failed")
                        found[library].append(microseconds)
                print(f"{direction:6}{size:10} B" + "".join(f"{statistics.median(all_of):16.2f}" for all_of in found.values()))
    finally:
        for process in processes:
            process.end()


if __name__ == "__main__":
    main()
