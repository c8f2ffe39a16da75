# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Message servers of our library and of the released one, by one program (acc_beside_released.c), in turns:

    cargo build --release -p mf-capi
    python3 benches/acc_beside_released.py --released FOLDER [--ours target/release/libmf_smem.so] [--rounds 9] [--calls 3000]

FOLDER has the libraries of memfabric_hybrid==1.3.0 (in a virtual environment of its own, installed without its dependencies:
lib/python3.*/site-packages/memfabric_hybrid/lib). Microseconds, medians of the rounds, and how many times as long the released one
takes: above 1 is ahead.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def measured(program: str, library: Path, calls: int) -> dict[str, float]:
    """The figures of a run."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library.parent)}
    command = [program, str(library), str(calls)]
    output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=300).stdout
    lines = (line.split() for line in output.splitlines())
    return {words[0]: float(words[1]) for words in lines if len(words) == 2}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--released", type=Path, required=True)
    parser.add_argument("--ours", type=Path, default=HERE.parent / "target" / "release" / "libmf_smem.so")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--calls", type=int, default=3000)
    arguments = parser.parse_args()
    libraries = {"ours": arguments.ours.resolve(), "released": arguments.released.resolve() / "libmf_smem.so"}
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in libraries}
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/acc"
        include = HERE.parent / "core" / "capi" / "include"
        source = HERE / "acc_beside_released.c"
        subprocess.run(["cc", "-std=gnu11", "-O2", f"-I{include}", str(source), "-o", program, "-ldl", "-lpthread"], check=True)
        for _ in range(arguments.rounds):
            for name, library in libraries.items():
                rows[name].append(measured(program, library, arguments.calls))
    print(f"{'':10}{'ours us':>10}{'released us':>13}{'times as long':>15}")
    for figure in rows["ours"][0]:
        ours, released = (statistics.median(row[figure] for row in rows[name]) for name in libraries)
        print(f"{figure:10}{ours:10.2f}{released:13.2f}{released / ours:15.2f}")


if __name__ == "__main__":
    main()
