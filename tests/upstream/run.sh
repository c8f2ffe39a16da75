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
    local notes=$work/notes soc=$1
    shift
    rm -rf "$notes" && mkdir -p "$notes"
    echo "-- $* on $soc"
    NOTES=$notes LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
        timeout 180 "$mf" sim --devices 2 --soc "$soc" -- "$mf" run -n 2 -- "$venv/bin/python" "$here/$1" "${@:2}"
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
version=$("$venv/bin/python" -c 'import importlib.metadata as m; print(m.version("memfabric_hybrid"))')
echo "memfabric_hybrid $version: 8 programs, all right"
