# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cost of a disk tier for values in memory: `mf run -n 1 -- python benches/cache_disk_idle.py FOLDER`.

Puts and gets the same values in three caches of one process, one of them with a tier in FOLDER, in turns; all fit into
memory. FOLDER must be new, and is removed. Printed are the medians of one call in microseconds, and the median ratio of
neighbouring rounds: with a tier to without, and of the two without (control).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import time
from pathlib import Path

import mf_smem

KEYS = 64


def call_us(cache: mf_smem.Cache, value: bytes, out: bytearray | None) -> float:
    """Mean time of a get into `out`, or of a put."""
    begin = time.perf_counter()
    for number in range(KEYS):
        if out is None:
            cache.put(f"key {number}", value)
        elif cache.get_into(f"key {number}", out) != len(value):
            raise SystemExit("a value is not there")
    return (time.perf_counter() - begin) / KEYS * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--sizes", default="65536,1048576", help="bytes of values, up to 4 MiB")
    parser.add_argument("--rounds", type=int, default=101)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True)
    try:
        with (
            mf_smem.Cache("512MiB", id=1) as plain,
            mf_smem.Cache("512MiB", id=2) as control,
            mf_smem.Cache("512MiB", id=3, disk=os.fspath(arguments.folder), disk_bytes="1GiB") as tiered,
        ):
            caches = [plain, control, tiered]
            # All have used their memory before, so that no round takes its page faults.
            for cache in caches:
                for _ in range(10):
                    call_us(cache, bytes(1 << 20), None)
            print(f"{'bytes':>10} {'call':>4} {'without':>9} {'with':>9} {'ratio':>6} {'control':>8}")
            for size in map(int, arguments.sizes.split(",")):
                value = os.urandom(size)
                for call, out in (("put", None), ("get", bytearray(size))):
                    rounds = []
                    for number in range(arguments.rounds):
                        first = number % len(caches)
                        order = caches[first:] + caches[:first]
                        times = {id(cache): call_us(cache, value, out) for cache in order}
                        rounds.append([times[id(cache)] for cache in caches])
                    without, _, having = (statistics.median(column) for column in zip(*rounds, strict=True))
                    ratio = statistics.median(one[2] / one[0] for one in rounds)
                    same = statistics.median(one[1] / one[0] for one in rounds)
                    print(f"{size:10} {call:>4} {without:9.2f} {having:9.2f} {ratio:6.3f} {same:8.3f}")
    finally:
        shutil.rmtree(arguments.folder)


if __name__ == "__main__":
    main()
