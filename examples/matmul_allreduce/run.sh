#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Matrix product over the symmetric heap of CANN SHMEM: makes matrices, multiplies them as several processes, checks the sum.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: run.sh [-ranks N] [-M ROWS] [-K COLUMNS] [-N COLUMNS] [-ipport ADDRESS:PORT]

Each of N processes (2) has a matrix A of M x K (1024 x 2048) and a matrix B of K x N (2048 x 8192) in fp16; the products are
summed on all of them. Files are in ./out of this folder: rank_<i>_a.bin, rank_<i>_b.bin, golden.bin, output.bin.

This is the host's part: the product is computed by the processor, and the memory of the processes is exchanged by CANN SHMEM's
functions of the host. Kernels that do both on an NPU: examples/11_matmul_allreduce.cpp.

Environment: MEMFABRIC_HYBRID_HOME_PATH, where the library is installed (default: this installation, or target/release of this
tree); OUT, another folder for the files; CXX (c++), PYTHON (python3, with numpy).
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ranks=2 m=1024 k=2048 n=8192 address=
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
    esac
    [ $# -ge 2 ] || { usage >&2; exit 2; }
    case $1 in
        -ranks | --ranks) ranks=$2 ;;
        -M | --M) m=$2 ;;
        -K | --K) k=$2 ;;
        -N | --N) n=$2 ;;
        -ipport | --ipport) address=$2 ;;
        *) echo "run.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    esac
    shift 2
done
for number in "$ranks" "$m" "$k" "$n"; do
    case $number in '' | 0 | *[!0-9]*) echo "run.sh: \"$number\" is not a number from 1" >&2; exit 2 ;; esac
done

home=${MEMFABRIC_HYBRID_HOME_PATH:-}
if [ -n "$home" ]; then
    include=$home/include lib=$home/lib
elif [ -f "$here/../../core/capi/include/shmem.h" ]; then
    include=$here/../../core/capi/include lib=$here/../../target/release
else
    # PREFIX/share/memfabric-rs/examples/matmul_allreduce
    home=$(cd "$here/../../../.." && pwd) && include=$home/include lib=$home/lib
fi
lib=$(cd "$lib" 2>/dev/null && pwd) && [ -e "$lib/libmf_smem.so" ] ||
    { echo "run.sh: there is no libmf_smem.so; build it: cargo build --release -p mf-capi, or set MEMFABRIC_HYBRID_HOME_PATH" >&2; exit 1; }
out=${OUT:-$here/out}
mkdir -p "$out"

"${CXX:-c++}" -std=c++11 -O3 -Wall -Wextra -Werror "$here/matmul_allreduce.cpp" -o "$out/matmul_allreduce" -I"$include" -L"$lib" \
    -Wl,-rpath,"$lib" -lmf_smem
"${PYTHON:-python3}" "$here/utils/gen_data.py" 1 1 "$ranks" "$m" "$n" "$k" 0 0 "$out"
if [ -z "$address" ]; then
    # A port that is free now.
    address=127.0.0.1:$("${PYTHON:-python3}" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
fi
rm -f "$out/output.bin"
processes=() status=0
for ((rank = 0; rank < ranks; rank++)); do
    "$out/matmul_allreduce" "$ranks" "$rank" "tcp://${address#tcp://}" "$m" "$n" "$k" "$out" &
    processes+=($!)
done
for process in "${processes[@]}"; do wait "$process" || status=$?; done
[ $status -eq 0 ] || { echo "run.sh: a process failed with status $status" >&2; exit $status; }
"${PYTHON:-python3}" "$here/utils/verify_result.py" "$out/output.bin" "$out/golden.bin" 1 "$m" "$n" "$k"
