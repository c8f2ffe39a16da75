#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Three processes exchange lines: one in C++ with a buffer on a GPU of NVIDIA, one in Python on a GPU of AMD, one in C++ in host memory.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: exchange.sh [MEMORY MEMORY MEMORY]

Compiles exchange.cpp, starts three processes with buffers in these memories (cuda hip cpu; also musa, cndrv), the second in Python,
and shows what each of them got. Without such GPUs, on simulated ones: mf sim --devices 0 --gpus 1:cuda,1:hip DIR -- ./exchange.sh

Environment: MEMFABRIC_HYBRID_HOME_PATH, where the library is installed (default: this installation, or target/release of this
tree); OUT, a folder for the program; PORT, the first of nine ports (any that are free); CXX (c++), PYTHON (python3, with the
package hmc).
TEXT
}

case ${1:-} in -h | --help) usage; exit 0 ;; esac
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
memory=("$@")
[ $# -eq 3 ] || memory=(cuda hip cpu)
# shellcheck source=examples/shmem/run_example.sh
. "$here/../shmem/run_example.sh"
example_home
python=${PYTHON:-python3} out=${OUT:-}
[ -n "$out" ] || { out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT; }
mkdir -p "$out"
"${CXX:-c++}" -std=c++14 -O1 "$here/exchange.cpp" -I"$include/hmc" -L"$lib" -Wl,-rpath,"$lib" -lmf_smem -lpthread -o "$out/exchange"
free='import socket
while True:
    first = socket.create_server(("127.0.0.1", 0)).getsockname()[1]
    try:
        held = [socket.create_server(("127.0.0.1", first + more)) for more in range(9)]
        break
    except (OSError, OverflowError):
        pass
print(first)'
port=${PORT:-$("$python" -c "$free")}
started=()
for rank in 0 1 2; do
    program=("$out/exchange")
    [ $rank != 1 ] || program=("$python" "$here/exchange.py")
    "${program[@]}" $rank "${memory[$rank]}" "$port" &
    started+=($!)
done
# One that fails ends the others, which would wait for it.
for process in "${started[@]}"; do
    wait -n || { kill "${started[@]}" 2>/dev/null || true; exit 1; }
done
