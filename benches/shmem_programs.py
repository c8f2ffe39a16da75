# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Four small programs of OpenSHMEM (random updates, two sorts, a stencil) on this library and on others, in turns in one run.

Usage: python3 benches/shmem_programs.py [--quick] [--built target/release] [--pes 2,4,8] [--oshcc OSHCC]...

Needs a release build (cargo build --release -p mf-capi -p mf-cli -p mf-perf) and a C compiler. Other libraries are found by the oshcc in
PATH and by --oshcc, each with its oshrun beside it; without any, ours is measured alone. Prints a table; times are medians of
the runs, ratios the medians of ours to theirs in time, run by run: below 1 is ahead. The programs check their own results.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "shmem_programs.c")
INCLUDE = os.path.join(HERE, "..", "core", "capi", "include", "openshmem")
SIZES = {"gups": 1_000_000, "sort": 2_000_000, "rank": 2_000_000, "stencil": 1920}


def says(command, text):
    """True if a program prints that text."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return text in done.stdout + done.stderr


class Library:
    """A library of OpenSHMEM with the program, compiled for it."""

    def __init__(self, name, compiler, launcher, folder):
        self.name, self.launcher = name, launcher
        self.program = os.path.join(folder, "".join(c if c.isalnum() else "_" for c in name))
        subprocess.run([*compiler, "-O2", "-w", SOURCE, "-o", self.program, "-lm"], check=True)

    def seconds(self, what, size, pes):
        """The seconds that a run says it took."""
        command = [*self.launcher, "-n", str(pes), self.program, what, str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        for line in done.stdout.splitlines():
            if line.startswith(what + " "):
                return float(line.split()[1])
        raise SystemExit(f"{self.name}: {what} with {pes} PEs failed:\n{done.stdout}{done.stderr}")


def ours(built, folder):
    """This library, as it was built."""
    launcher = os.path.join(folder, "oshrun")
    os.symlink(os.path.join(built, "mf"), launcher)
    link = ["-L" + built, "-Wl,-rpath," + built, "-Wl,--no-as-needed", "-lmf_smem"]
    return Library("ours", ["cc", "-I" + INCLUDE, *link], [launcher], folder)


def others(compilers, folder):
    """The other libraries."""
    for compiler in compilers:
        launcher = os.path.join(os.path.dirname(compiler), "oshrun")
        if says([compiler, "--showme"], "-lmf_smem"):
            continue
        if says([launcher, "--version"], "Open"):
            # Open MPI 4.1 with UCX 1.13 faults in shmem_finalize.
            options = ["--allow-run-as-root", "--oversubscribe", "-quiet"]
            yield Library("Open MPI", [compiler, "-DWITHOUT_FINALIZE"], [launcher, *options], folder)
        else:
            yield Library("SOS" if says([compiler, "-show"], "-lsma") else compiler, [compiler], [launcher], folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    parser.add_argument("--built", default="target/release", help="folder of mf and libmf_smem.so, built for release")
    parser.add_argument("--pes", default="2,4,8", help="numbers of PEs")
    parser.add_argument("--oshcc", action="append", default=[], help="compiler of another library")
    arguments = parser.parse_args()
    compilers = arguments.oshcc + [found for found in [shutil.which("oshcc")] if found]
    runs = 3 if arguments.quick else 9
    with tempfile.TemporaryDirectory() as folder:
        own = ours(os.path.abspath(arguments.built), folder)
        beside = list(others(compilers, folder))
        if not any(library.name == "SOS" for library in beside):
            print("SOS is not measured: an oshcc of it is not in PATH", file=sys.stderr)
        titles = "".join(f"{library.name + ' ms':>14}{'ratio':>8}" for library in beside)
        print(f"{'program':<10}{'PEs':>4}{'ours ms':>12}{titles}")
        for pes in map(int, arguments.pes.split(",")):
            for what, size in SIZES.items():
                times = {library.name: [] for library in [own, *beside]}
                for _ in range(runs):
                    for library in [own, *beside]:
                        times[library.name].append(library.seconds(what, size, pes))
                line = f"{what:<10}{pes:>4}{statistics.median(times['ours']) * 1e3:>12.2f}"
                for library in beside:
                    theirs = times[library.name]
                    ratio = statistics.median(a / b for a, b in zip(times["ours"], theirs))
                    line += f"{statistics.median(theirs) * 1e3:>14.2f}{ratio:>8.2f}"
                print(line, flush=True)


if __name__ == "__main__":
    main()
