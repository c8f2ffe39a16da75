# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory that an engine takes back while others write to it: from then on not one byte of theirs.

``MF_TEST_ROUNDS`` (2000) is how often memory is taken back in each test; 10000 take some seconds.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator

import pytest

import mf_smem
import ranks
from mf_smem import TransferEngine

ROUNDS = int(os.environ.get("MF_TEST_ROUNDS", "2000"))
SIZE = 1 << 16
#: Bytes of the owner, and bytes written by others.
OWN, FOREIGN = b"\x5a", b"\xa5"

HAMMER = """
import ctypes, random, sys, threading
import mf_smem

name, address, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
engine = mf_smem.TransferEngine()
assert engine.initialize("", "127.0.0.1", "Prefill", 0) == 0, mf_smem.get_last_err_msg()
source = ctypes.create_string_buffer(b"\\xa5" * size, size)
at, ends, counts = ctypes.addressof(source), threading.Event(), [0, 0, 0]
begun = threading.Barrier(3)

def hammer(seed):
    dice = random.Random(seed)
    is_first, is_over = True, False
    while not is_over:
        # The last write begins behind the end.
        is_over = ends.is_set()
        piece = min(size, 1 << dice.randrange(17))
        offset = dice.randrange(size - piece + 1)
        if dice.randrange(4) == 0:
            half = piece // 2 or 1
            code = engine.batch_transfer_sync_write(
                name, [at, at + piece - half], [address + offset, address + offset + piece - half], [half, half]
            )
        else:
            code = engine.transfer_sync_write(name, at, address + offset, piece)
        counts[0 if code == 0 else 1 if code in (-2000, -2007) else 2] += 1
        if code not in (0, -2000, -2007):
            print(code, mf_smem.get_last_err_msg(), file=sys.stderr)
        if is_first:
            begun.wait(60)
            is_first = False

threads = [threading.Thread(target=hammer, args=(seed,)) for seed in range(2)]
for thread in threads:
    thread.start()
# Each has written once.
begun.wait(60)
print("begins", flush=True)
input()
ends.set()
for thread in threads:
    thread.join()
print(*counts, flush=True)
"""


class Fresh:
    """Memory that the kernel has just given, and gets back; most often at the address of the one before."""

    def __init__(self) -> None:
        self._pages = mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        first = ctypes.c_char.from_buffer(self._pages)
        self.address = ctypes.addressof(first)
        del first

    def fill(self) -> None:
        self._pages[:] = OWN * SIZE

    def check(self, when: str) -> None:
        found = self._pages[:]
        assert found == OWN * SIZE, f"{found.count(FOREIGN)} bytes of others {when}"

    def close(self) -> None:
        self._pages.close()


@pytest.fixture
def owner() -> Iterator[TransferEngine]:
    made = TransferEngine()
    assert made.initialize("", "127.0.0.1", "Decode", 0) == 0, mf_smem.get_last_err_msg()
    yield made
    made.destroy()


class Hammers:
    """Processes that write to an address of an engine, whether it is registered or not."""

    def __init__(self, owner: TransferEngine, address: int, network: bool) -> None:
        environment = ranks.plain_environment(**({"MF_SHM": "false"} if network else {}))
        command = [sys.executable, "-c", textwrap.dedent(HAMMER), f"127.0.0.1:{owner.get_rpc_port()}", str(address), str(SIZE)]
        self._processes = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)
        ]
        for process in self._processes:
            assert process.stdout and process.stdout.readline() == "begins\n"

    def __enter__(self) -> Hammers:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
            process.communicate()

    def counts(self) -> list[list[int]]:
        """Ends them: of each how many writes were done, refused, and neither."""
        counts = []
        for process in self._processes:
            output, _ = process.communicate("\n")
            counts.append([int(count) for count in output.split()])
        return counts


@pytest.mark.parametrize("network", [False, True], ids=["host", "network"])
def test_unregistered_and_reused_memory_gets_no_remote_bytes(owner: TransferEngine, network: bool) -> None:
    memory = Fresh()
    assert owner.register_memory(memory.address, SIZE) == 0
    with Hammers(owner, memory.address, network) as hammers:
        for _ in range(ROUNDS):
            assert owner.unregister_memory(memory.address) == 0, mf_smem.get_last_err_msg()
            memory.fill()
            memory.check("behind the withdrawal")
            os.sched_yield()
            memory.check("some time after the withdrawal")
            assert owner.register_memory(memory.address, SIZE) == 0, mf_smem.get_last_err_msg()
            os.sched_yield()
        assert owner.unregister_memory(memory.address) == 0
        counts = hammers.counts()
    # Each of the two threads of a process has a last write, which is refused.
    assert all(done > 0 and refused >= 2 and other == 0 for done, refused, other in counts), counts
    memory.close()


@pytest.mark.parametrize("network", [False, True], ids=["host", "network"])
def test_reallocated_memory_gets_no_late_bytes(owner: TransferEngine, network: bool) -> None:
    probe = Fresh()
    address = probe.address
    probe.close()
    with Hammers(owner, address, network) as hammers:
        again = 0
        for number in range(ROUNDS):
            if number % 2 == 0:
                # Memory of the engine, which may come to lie there, too.
                own = owner.trans_malloc(SIZE)
                assert own != 0, mf_smem.get_last_err_msg()
                os.sched_yield()
                assert owner.trans_free(own) == 0, mf_smem.get_last_err_msg()
            memory = Fresh()
            again += memory.address == address
            memory.fill()
            memory.check("before the registration")
            assert owner.register_memory(memory.address, SIZE) == 0, mf_smem.get_last_err_msg()
            os.sched_yield()
            assert owner.unregister_memory(memory.address) == 0, mf_smem.get_last_err_msg()
            memory.fill()
            os.sched_yield()
            memory.check("behind the withdrawal")
            memory.close()
        counts = hammers.counts()
    assert all(refused >= 2 and other == 0 for _, refused, other in counts), counts
    assert again > 0, "no memory came to lie where the others write"
