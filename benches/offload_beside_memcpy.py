# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`offload.sparse_copy` in host memory beside a loop of memcpy in C over the same pieces: `python benches/offload_beside_memcpy.py`.

Both copy 10,000 pieces of 4 KiB (``--pieces``, ``--bytes``) between random places, in turns; printed are the medians and their
ratio. The loop is compiled by CC (cc).
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from memfabric_hybrid import get_last_err_msg, offload

LOOP = """
#include <stdint.h>
#include <string.h>
void loop(uint64_t *src, uint64_t *dst, uint32_t *length, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) memcpy((void *)dst[i], (void *)src[i], length[i]);
}
"""


class Cpu:
    """The processor, as torch describes it."""

    type, index = "cpu", None


def compiled(folder: Path) -> ctypes.CDLL:
    """The loop."""
    source, library = folder / "loop.c", folder / "loop.so"
    source.write_text(LOOP)
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-O2", "-fPIC", "-shared", os.fspath(source), "-o", os.fspath(library)], check=True)
    return ctypes.CDLL(os.fspath(library))


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pieces", type=int, default=10_000)
    parser.add_argument("--bytes", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=41)
    given = parser.parse_args()
    config = offload.OffloadConfig()
    config.reserve_size = config.alloc_size = 1 << 30
    assert offload.initialize(config) == 0, get_last_err_msg()
    chance = np.random.default_rng(1)
    source, target = (np.ones(2 * given.pieces * given.bytes, np.uint8) for _ in range(2))
    places = [array.ctypes.data + chance.permutation(2 * given.pieces)[: given.pieces] * given.bytes for array in (source, target)]
    lengths, count = np.full(given.pieces, given.bytes, np.uint32), np.array([given.pieces], np.uint32)
    addresses = [ctypes.c_void_p(array.ctypes.data) for array in (*places, lengths)]

    def ours() -> None:
        assert offload.sparse_copy(*places, lengths, count, Cpu) == 0, get_last_err_msg()

    with tempfile.TemporaryDirectory() as folder:
        loop = compiled(Path(folder)).loop

        def plain() -> None:
            loop(*addresses, ctypes.c_uint32(given.pieces))

        pairs = [(seconds(ours), seconds(plain)) for _ in range(given.rounds)][1:]
    medians = [statistics.median(values) for values in zip(*pairs)]
    nbytes = given.pieces * given.bytes
    for name, median in zip(("sparse_copy", "memcpy loop"), medians):
        print(f"{name:12} {median * 1e3:8.3f} ms {nbytes / median / 1e9:8.2f} GB/s")
    print(f"ratio        {medians[1] / medians[0]:8.2f} of the loop's speed")


if __name__ == "__main__":
    main()
