# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Python's calls of CANN SHMEM beside the same calls from C, in turns in one process, which is the only PE:

    python3 benches/shmem_python.py                   # a heap in host memory; streams of the library
    mf sim -- python3 benches/shmem_python.py         # simulated: a heap in device memory; streams of ACL

Prints nanoseconds a call, medians of the turns, and what Python adds: with its loop, with and without the checks of addresses.
On a stream once the enqueueing alone, and once until all is done. Needs the packages mf_smem and cann-shmem, and a C compiler.
"""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

import mf_smem
import shmem

HERE = Path(__file__).parent
SIZES = (8, 64, 1024, 4096, 16384, 65536)
TURNS = int(os.environ.get("TURNS", "31"))
#: Number of calls that a stream takes without waiting.
ON_STREAM = 256


def compiled(folder: str) -> ctypes.CDLL:
    library = Path(mf_smem.get_lib_path()) / "libmf_smem.so"
    made = Path(folder) / "loops.so"
    subprocess.run(
        [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-I", mf_smem.get_include_path(), str(HERE / "shmem_python.c"),
         "-o", str(made), str(library), f"-Wl,-rpath,{library.parent}"],
        check=True,
    )
    loops = ctypes.CDLL(str(made))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, arguments in {
        "put": [pointer, pointer, size], "get": [pointer, pointer, size], "word": [pointer],
        "put_on_stream": [pointer, pointer, size, pointer],
    }.items():
        function = getattr(loops, name)
        function.argtypes, function.restype = [ctypes.c_int, *arguments], ctypes.c_double
    return loops


def from_python(calls: int, function: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter_ns()
    for _ in repeat(None, calls):
        function(*arguments)
    return time.perf_counter_ns() - start


def row(name: str, calls: int, c: Callable[[int], float], python: Callable[[int], float], wait: Callable[[], Any] = int) -> None:
    """Medians of all three by turns."""

    def unchecked(calls: int) -> float:
        shmem.check_addresses(False)
        try:
            return python(calls)
        finally:
            shmem.check_addresses(True)

    candidates: list[Callable[[int], float]] = [c, python, unchecked]
    found: list[list[float]] = [[], [], []]
    for turn in range(TURNS):
        for place in range(3):
            number = (turn + place) % 3
            candidates[number](max(calls // 16, 1))
            wait()
            found[number].append(candidates[number](calls) / calls)
            wait()
    of_c, checked, plain = (statistics.median(each) for each in found)
    over = statistics.median(mine / theirs for mine, theirs in zip(found[1], found[0], strict=True)) - 1
    print(f"{name:24} {of_c:10.0f} {checked:10.0f} {plain:10.0f} {checked - of_c:10.0f} {100 * over:8.1f}")


def stream_of_acl() -> tuple[int, Callable[[], Any]] | None:
    """A stream of the current device, and how it is waited for; none: there is no CANN."""
    try:
        acl = ctypes.CDLL("libascendcl.so", mode=ctypes.RTLD_GLOBAL)
    except OSError:
        return None
    stream = ctypes.c_void_p()
    for code in (acl.aclInit(None), acl.aclrtSetDevice(0), acl.aclrtCreateStream(ctypes.byref(stream))):
        assert code == 0
    return stream.value or 0, lambda: acl.aclrtSynchronizeStream(stream)


def main() -> None:
    device = stream_of_acl()
    assert shmem.set_conf_store_tls(False, "") == 0
    assert shmem.aclshmem_init(shmem.InitAttr(0, 1, f"tcp://127.0.0.1:{10000 + os.getpid() % 20000}", 16 << 20)) == 0
    here, there = shmem.aclshmem_malloc(1 << 20), shmem.aclshmem_malloc(1 << 20)
    with tempfile.TemporaryDirectory() as folder:
        loops = compiled(folder)
        print(f"{'call':24} {'C ns':>10} {'Python ns':>10} {'unchecked':>10} {'added ns':>10} {'added %':>8}")
        row("p, 8 B", 20_000, lambda n: loops.word(n, there), lambda n: from_python(n, shmem.aclshmem_int64_p, there, 7, 0))
        for name in ("put", "get"):
            function = getattr(shmem, f"aclshmem_{name}mem")
            for size in SIZES:
                c, calls = getattr(loops, name), max(min(20_000, (64 << 20) // size), 256)
                row(f"{name}mem, {size} B", calls, lambda n: c(n, there, here, size), lambda n: from_python(n, function, there, here, size, 0))
        stream, wait = device or (0, lambda: shmem.aclshmemx_stream_synchronize(0))
        put = shmem.aclshmemx_putmem_on_stream

        def done(enqueue: Callable[[int], float]) -> Callable[[int], float]:
            """With the wait for enqueued work."""

            def both(calls: int) -> float:
                start = time.perf_counter_ns()
                enqueue(calls)
                wait()
                return time.perf_counter_ns() - start

            return both

        for size in (8, SIZES[-1], 1 << 20):
            c = lambda n: loops.put_on_stream(n, there, here, size, stream)  # noqa: E731
            python = lambda n: from_python(n, put, there, here, size, 0, stream)  # noqa: E731
            row(f"enqueue a put, {size} B", ON_STREAM, c, python, wait)
            row(f"put on stream, {size} B", ON_STREAM, done(c), done(python))
    assert shmem.aclshmem_finalize() == 0


if __name__ == "__main__":
    main()
