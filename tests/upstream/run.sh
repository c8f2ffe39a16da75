#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs programs of the package memfabric_hybrid on the simulator: run.sh FOLDER_OF_MF PYTHON_VENV WORK_FOLDER. The package is
# the one in that environment, ours or another, else the released one is installed there, unmodified.
# Skips, with the reason, only where the released one cannot be had.
set -euo pipefail
mf=$1/mf venv=$2 work=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=memfabric_hybrid==1.3.0

skip() { echo "skip the released package on the simulator: $*"; exit 0; }

if ! "$venv/bin/python" -c 'import memfabric_hybrid' 2>/dev/null; then
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv" || skip "no virtual environment can be made"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: "$package" ||
        skip "$package cannot be installed here"
fi
libraries=$("$venv/bin/python" -c 'import importlib.util as i, os; print(os.path.join(os.path.dirname(i.find_spec("memfabric_hybrid").origin), "lib"))')

# Its ordinary pages and a small staging area: machines like this have no huge pages.
export MF_HYBM_ENABLE_4K_PAGE=1 MF_HYBM_RDMA_SWAP_SPACE_SIZE=64

# run SOC PROGRAM ARGUMENT…
run() {
    machine=(--devices 2 --soc "$1")
    on_machine "${@:2}"
}

# on_machine PROGRAM ARGUMENT…, with the machine as arguments of mf sim
on_machine() {
    local notes=$work/notes
    rm -rf "$notes" && mkdir -p "$notes"
    echo "-- $* on ${machine[*]}"
    NOTES=$notes LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        timeout 180 "$mf" sim "${machine[@]}" -- "$mf" run -n 2 -- "$venv/bin/python" "$here/$1" "${@:2}"
}

# Two ranks over the unified bus, on a machine in a folder that has the package's list of kernels for AI CPUs and, in place
# of the binary for devices, ours for the host.
programs=8
bus() {
    local list kernels=$work/cann/opp/vendors/cust/op_impl/aicpu/hybm/config
    list=$(find "$(dirname "$libraries")" -name libcann_hybm_kernel.json -print -quit)
    [ -n "$list" ] || { echo "skip the unified bus: the package has no list of kernels"; return; }
    command -v cc >/dev/null || { echo "skip the unified bus: no C compiler"; return; }
    machine=(--devices 2 --soc "$1" "$work/cann")
    "$mf" sim "${machine[@]}" >/dev/null
    mkdir -p "$kernels"
    cp "$list" "$kernels"
    cc -std=c11 -O1 -Wall -Wextra -Werror -fPIC -shared -I "$here/../../sys/sim/include" -I "$work/cann/include" \
        "$here/ai_cpu_kernel.c" -o "$kernels/libcann_hybm_kernel.so" -L "$work/cann/lib64" -lhcomm
    MF_HYBM_URMA_SWAP_SPACE_SIZE=64 on_machine bm.py DEVICE_URMA
    programs=9
}

mkdir -p "$work"
a3=Ascend910_9382
run $a3 bm.py HOST_SHM
run $a3 bm.py HOST_TCP
for soc in $a3 Ascend950PR_9599; do
    run $soc bm.py SDMA
    run $soc shm.py
    run $soc transfer.py
done
bus Ascend950PR_9599
version=$("$venv/bin/python" -c 'import importlib.metadata as m; print(m.version("memfabric_hybrid"))')
echo "memfabric_hybrid $version: $programs programs, all right"
