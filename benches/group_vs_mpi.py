# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Barriers and allgathers of the ranks of one host beside Open MPI's over shared memory, in turns in one run.

Usage: python3 benches/group_vs_mpi.py [--quick] [--mf target/release/mf] [--ranks 2,4,8] [--fresh]

Needs a release build of `mf` (cargo build --release -p mf-capi -p mf-cli -p mf-perf), mpicc and mpirun (Debian: openmpi-bin, libopenmpi-dev). Prints
a table; times are medians over all turns, ratios are ours to MPI's: below 1 is ahead. With --fresh every rank changes one
byte of each cache line before every allgather, as a program would; without, the bytes stay the same.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

SOURCE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, fresh;

static double barriers(int calls) {
    double begin = MPI_Wtime();
    for (int call = 0; call < calls; call++) MPI_Barrier(MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / calls;
}

static double gathers(int calls, char *own, char *all, int bytes) {
    double begin = MPI_Wtime();
    for (int call = 0; call < calls; call++) {
        if (fresh) for (int at = 0; at < bytes; at += 64) own[at] = (char)call;
        MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) / calls;
}

int main(int count, char **arguments) {
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int turns = atoi(arguments[1]);
    fresh = atoi(arguments[2]);
    for (int at = 3; at <= count; at++) {
        int bytes = at < count ? atoi(arguments[at]) : 0;
        int calls = (1 << 16) / (ranks * ranks) / (1 + (bytes >> 13));
        if (calls < 32) calls = 32;
        char *own = calloc(bytes + 1, 1), *all = calloc((size_t)bytes * ranks + 1, 1);
        memset(own, rank, bytes);
        for (int turn = 0; turn < turns; turn++) {
            if (bytes) gathers(calls / 16 + 1, own, all, bytes); else barriers(calls / 16 + 1);
            double seconds = bytes ? gathers(calls, own, all, bytes) : barriers(calls);
            if (!rank) printf("%d %.9g\n", bytes, seconds);
        }
        free(own);
        free(all);
    }
    MPI_Finalize();
}
"""

SIZES = (64, 65536)


def build(folder):
    source, program = os.path.join(folder, "meet.c"), os.path.join(folder, "meet")
    with open(source, "w") as file:
        file.write(SOURCE)
    subprocess.run(["mpicc", "-O2", "-o", program, source], check=True)
    return program


def mpi(program, ranks, turns, fresh):
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader", "-n", str(ranks)]
    command += [program, str(turns), str(int(fresh)), *map(str, SIZES)]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    times = {}
    for line in out.splitlines():
        bytes_, seconds = line.split()
        times.setdefault(int(bytes_), []).append(float(seconds))
    return {size: statistics.median(values) for size, values in times.items()}


def ours(mf, ranks, fresh):
    command = [mf, "perf", "group", "--quick", "--json", "-", "--ranks", str(ranks)]
    command += ["--sizes", ",".join(map(str, SIZES)), *(["--fresh"] if fresh else [])]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {row["bytes"]: row["seconds"] for row in json.loads(out)["rows"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    parser.add_argument("--mf", default="target/release/mf", help="the program mf, built for release")
    parser.add_argument("--ranks", default="2,4,8", help="numbers of ranks")
    parser.add_argument("--fresh", action="store_true", help="change the bytes before every allgather")
    arguments = parser.parse_args()
    runs = 3 if arguments.quick else 9
    behind = 0
    print(f"{'call':<12}{'ranks':>6}{'bytes':>8}{'MPI us':>12}{'ours us':>12}{'ratio':>8}{'best':>8}{'worst':>8}")
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        for ranks in map(int, arguments.ranks.split(",")):
            theirs, own = [], []
            for _ in range(runs):
                theirs.append(mpi(program, ranks, 3, arguments.fresh))
                own.append(ours(arguments.mf, ranks, arguments.fresh))
            for size in (0, *SIZES):
                pairs = [(a[size], b[size]) for a, b in zip(theirs, own)]
                ratios = sorted(b / a for a, b in pairs)
                mpi_us, our_us = (statistics.median(values) * 1e6 for values in zip(*pairs))
                ratio = statistics.median(ratios)
                behind += ratio >= 1
                what = "allgather" if size else "barrier"
                line = f"{what:<12}{ranks:>6}{size or '':>8}{mpi_us:>12.2f}{our_us:>12.2f}{ratio:>8.2f}"
                print(f"{line}{ratios[0]:>8.2f}{ratios[-1]:>8.2f}", flush=True)
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
