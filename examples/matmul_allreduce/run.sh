#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Matrix product over the symmetric heap of CANN SHMEM: makes matrices, multiplies them as several processes, checks the sum.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: run.sh [-ranks N] [-M ROWS] [-K COLUMNS] [-N COLUMNS] [-type TYPE] [-blocks N] [-ipport ADDRESS:PORT] [-perf]

Each of N processes (2) has a matrix A of M x K (1024 x 2048) and a matrix B of K x N (2048 x 8192) of TYPE, float16 (unless given)
or bfloat16; the products are summed on all of them by a kernel, on so many blocks (4), on the simulator unless MF_DEVICE says
otherwise. Files are in ./out of this folder: rank_<i>_a.bin, rank_<i>_b.bin, golden.bin, output.bin.

Environment: MEMFABRIC_HYBRID_HOME_PATH, where the library is installed (default: this installation, or target/release of this
tree); OUT, another folder for the files; CXX (c++), PYTHON (python3, with numpy).
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=examples/shmem/run_example.sh
. "$here/../shmem/run_example.sh"
ranks=2 m=1024 k=2048 n=8192 blocks=4 address='' type=float16 perf=0
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        -perf | --perf) perf=1; shift; continue ;;
    esac
    [ $# -ge 2 ] || { usage >&2; exit 2; }
    case $1 in
        -ranks | --ranks) ranks=$2 ;;
        -M | --M) m=$2 ;;
        -K | --K) k=$2 ;;
        -N | --N) n=$2 ;;
        -type | --type) type=$2 ;;
        -blocks | --blocks) blocks=$2 ;;
        -ipport | --ipport) address=$2 ;;
        *) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift 2
done
for number in "$ranks" "$m" "$k" "$n" "$blocks"; do
    case $number in '' | 0 | *[!0-9]*) echo "run.sh: \"$number\" is not a number from 1" >&2; exit 2 ;; esac
done
case $type in
    float16) number=1 ;;
    bfloat16) number=27 ;;
    *) echo "run.sh: type $type: there are float16 and bfloat16" >&2; exit 2 ;;
esac

example_home
out=${OUT:-$here/out} python=${PYTHON:-python3}
example_build matmul_allreduce "$here/matmul_allreduce.cpp" "$here/kernel.cpp" "$out"
"$python" "$here/utils/gen_data.py" 1 "$number" "$ranks" "$m" "$n" "$k" 0 0 "$out"
rm -f "$out/output.bin"
example_run "$ranks" "$address" "$out" "$out/matmul_allreduce" "$ranks" @ % "$m" "$n" "$k" "$out" "$type" "$blocks" "$perf"
"$python" "$here/utils/verify_result.py" "$out/output.bin" "$out/golden.bin" "$number" "$m" "$n" "$k"
