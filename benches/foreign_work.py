# SPDX-License-Identifier: Apache-2.0 OR MIT
"""PEs that wait for each other while foreign processes compute on the same cores, beside Open MPI, in turns in one run.

Usage: python3 benches/foreign_work.py [--built target/release] [--pes 2,4,8] [--work 0,2,4,8] [--starts 5] [--loops 4]
                                       [--rounds 2000] [--openshmem]

Needs a release build (cargo build --release -p mf-capi -p mf-cli -p mf-perf), a C compiler, mpicc and mpirun (Debian: openmpi-bin,
libopenmpi-dev). Each program is started --starts times with --pes PEs beside --work processes that compute, makes
--loops loops of --rounds barriers, reductions of 64 B, and words there and back, and the table has the median and the
worst loop's mean time of a round, in microseconds. --openshmem: beside Open MPI's OpenSHMEM, too.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "foreign_work.c")
INCLUDE = os.path.join(HERE, "..", "core", "capi", "include", "openshmem")
CALLS = ("barrier", "reduction", "ping-pong")
AS_MPIRUN = ["--allow-run-as-root", "--oversubscribe", "-quiet"]


class Library:
    """A library, with the program compiled for it."""

    def __init__(self, name, compiler, launcher, folder):
        self.name, self.launcher = name, launcher
        self.program = os.path.join(folder, name.replace(" ", "_"))
        subprocess.run([*compiler, "-O2", "-w", SOURCE, "-o", self.program], check=True)

    def times(self, pes, loops, rounds):
        """Lists of microseconds by call, of one start."""
        command = [*self.launcher, "-n", str(pes), self.program, str(loops), str(rounds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        found = {call: [] for call in CALLS}
        for line in done.stdout.splitlines():
            call, _, time = line.partition(" ")
            if call in found:
                found[call].append(float(time))
        if any(len(times) != loops for times in found.values()):
            raise SystemExit(f"{self.name} with {pes} PEs failed:\n{done.stdout}{done.stderr}")
        return found


def libraries(arguments, folder):
    """Ours first."""
    built = os.path.abspath(arguments.built)
    launcher = os.path.join(folder, "oshrun")
    os.symlink(os.path.join(built, "mf"), launcher)
    link = ["-L" + built, "-Wl,-rpath," + built, "-Wl,--no-as-needed", "-lmf_smem"]
    yield Library("ours", ["cc", "-I" + INCLUDE, *link], [launcher], folder)
    yield Library("MPI", ["mpicc", "-DMPI"], ["mpirun", *AS_MPIRUN], folder)
    if arguments.openshmem:
        compiler = shutil.which("oshcc")
        launcher = os.path.join(os.path.dirname(compiler), "oshrun")
        # Open MPI 4.1 with UCX 1.13 faults in shmem_finalize.
        yield Library("OpenSHMEM", [compiler, "-DWITHOUT_FINALIZE"], [launcher, *AS_MPIRUN], folder)


def numbers(text):
    return [int(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", default="target/release", help="folder of mf and libmf_smem.so, built for release")
    parser.add_argument("--pes", default="2,4,8", type=numbers, help="numbers of PEs")
    parser.add_argument("--work", default="0,2,4,8", type=numbers, help="numbers of processes that compute")
    parser.add_argument("--starts", default=5, type=int, help="starts of each program in a row of the table")
    parser.add_argument("--loops", default=4, type=int, help="loops of a start")
    parser.add_argument("--rounds", default=2000, type=int, help="rounds of a loop")
    parser.add_argument("--openshmem", action="store_true", help="beside Open MPI's OpenSHMEM, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compared = list(libraries(arguments, folder))
        work = os.path.join(folder, "work")
        subprocess.run(["cc", "-O2", "-DWORK", SOURCE, "-o", work], check=True)
        print(f"{'work':>4}{'PEs':>4} {'call':<10}" + "".join(f"{of.name + ' median, worst':>26}" for of in compared))
        for workers in arguments.work:
            running = [subprocess.Popen([work]) for _ in range(workers)]
            try:
                for pes in arguments.pes:
                    row(compared, workers, pes, arguments)
            finally:
                for process in running:
                    process.kill()
                    process.wait()


def row(compared, workers, pes, arguments):
    """Measures and prints the lines of so many PEs beside so many workers."""
    times = {of.name: {call: [] for call in CALLS} for of in compared}
    for _ in range(arguments.starts):
        for of in compared:
            for call, found in of.times(pes, arguments.loops, arguments.rounds).items():
                times[of.name][call] += found
    for call in CALLS:
        line = f"{workers:>4}{pes:>4} {call:<10}"
        for of in compared:
            found = times[of.name][call]
            line += f"{statistics.median(found):>14.2f}{max(found):>12.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
