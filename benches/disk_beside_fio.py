# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads of a disk tier beside fio: `python benches/disk_beside_fio.py FOLDER READS`.

READS is the program of `cargo build --release -p mf-disk --example reads`; FOLDER is on the disk to measure, must be
new, and is removed. For each size of a value a tier is filled; then fio reads blocks of that size at random
places of the tier's file `segments`, past the page cache (psync, a thread for each read in flight), and the tier gets
random values by as many threads, in turns. Printed are the medians, and the median ratio of neighbours. With --key a
second tier is encrypted, and its ratio to the first is printed instead of fio's.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
from pathlib import Path

GIB = 1 << 30


class Tier:
    """A filled tier in a process of its own."""

    def __init__(self, program: Path, folder: Path, value_bytes: int, values: int, *options: str) -> None:
        self.folder = folder
        command = [str(program), str(folder), str(value_bytes), str(values), *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.put_rate = self.answer()

    def answer(self) -> float:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"reads ended with code {self.process.wait(timeout=60)}")
        return float(line)

    def rate(self, threads: int, seconds: float) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{threads} {seconds}\n")
        self.process.stdin.flush()
        return self.answer()

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)
        shutil.rmtree(self.folder)


def fio_rate(file: Path, block: int, file_bytes: int, threads: int, seconds: float) -> float:
    """Bytes a second of random reads."""
    options = {
        "name": "reads",
        "filename": str(file),
        "rw": "randread",
        "bs": str(block),
        "size": str(file_bytes),
        "numjobs": str(threads),
        "runtime": str(seconds),
        "ioengine": "psync",
        "direct": "1",
        "output-format": "json",
    }
    command = ["fio", *(f"--{name}={value}" for name, value in options.items())]
    command += ["--thread", "--time_based", "--group_reporting", "--norandommap", "--readonly"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60 + 10 * seconds)
    return float(json.loads(done.stdout)["jobs"][0]["read"]["bw_bytes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("reads", type=Path, metavar="READS")
    parser.add_argument("--sizes", default="65536,262144,1048576,4194304")
    parser.add_argument("--threads", default="1,4,16")
    parser.add_argument("--mib", type=int, default=1024, help="values of a tier")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--key", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True)
    beside = "plain" if given.key else "fio"
    print(f"{'bytes':>8} {'threads':>7} {'tier GiB/s':>10} {beside + ' GiB/s':>11} {'ratio':>6}")
    for size in map(int, given.sizes.split(",")):
        values = (given.mib << 20) // size
        tier = Tier(given.reads, given.folder / "tier", size, values, *(["key"] if given.key else []))
        plain = Tier(given.reads, given.folder / "plain", size, values) if given.key else None
        # The first segments, which are full.
        file_bytes = (given.mib << 20) * 15 // 16 // (64 << 20) * (64 << 20)
        for threads in map(int, given.threads.split(",")):
            pairs = []
            for _ in range(given.rounds):
                ours = tier.rate(threads, given.seconds)
                if plain:
                    pairs.append((ours, plain.rate(threads, given.seconds)))
                else:
                    other = fio_rate(tier.folder / "segments", size, file_bytes, threads, given.seconds)
                    pairs.append((ours, other))
            ours, other = (statistics.median(column) / GIB for column in zip(*pairs, strict=True))
            ratio = statistics.median(one / two for one, two in pairs)
            print(f"{size:>8} {threads:>7} {ours:>10.2f} {other:>11.2f} {ratio:>6.2f}", flush=True)
        if plain:
            print(f"{size:>8}    puts {tier.put_rate / GIB:>10.2f} {plain.put_rate / GIB:>11.2f} {tier.put_rate / plain.put_rate:>6.2f}")
            plain.end()
        tier.end()
    given.folder.rmdir()


if __name__ == "__main__":
    main()
