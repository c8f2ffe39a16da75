#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compares memfabric_hybrid.offload with the released one's on the simulator: offload.sh FOLDER_OF_MF VENV_OF_OURS
# VENV_OF_RELEASED WORK_FOLDER. The released package gets a stand-in for its kernels, which it would compile with CANN. Skips, with
# the reason, only where it cannot be had.
set -euo pipefail
mf=$1/mf ours=$2 released=$3 work=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() { echo "skip offload beside the released package: $*"; exit 0; }

package=$("$released/bin/python" -c 'import importlib.util as i, os; print(os.path.dirname(i.find_spec("memfabric_hybrid").origin))' 2>/dev/null) ||
    skip "memfabric_hybrid is not in $released"
[ -e "$package/mf_acc_offload.py" ] && [ -e "$package/lib/libmf_hybm_accoffload.so" ] || skip "the package in $released has no offload of its own"
command -v "${CC:-cc}" >/dev/null || skip "no C compiler, which makes the stand-in for its kernels"

rm -rf "$work" && mkdir -p "$work/package"
cp -r "$package" "$work/package/memfabric_hybrid"
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -O1 -fPIC -shared "$here/offload/kernels.c" -o "$work/package/memfabric_hybrid/lib/libmf_hybm_accoffload.so"

# results NAME PYTHON ARGUMENT…: of one process, then of each of two ranks.
results() {
    local name=$1 python=$2 rank
    shift 2
    timeout 120 "$mf" sim --devices 2 --hbm 1G -- "$python" "$here/offload/driver.py" "$@" >"$work/$name.log"
    timeout 120 "$mf" sim --devices 2 --hbm 1G -- "$mf" run -n 2 -- sh -c 'exec "$0" "$@" >"'"$work/$name"'.$RANK.log"' "$python" \
        "$here/offload/driver.py" "$@"
    for rank in '' .0 .1; do grep '^result ' "$work/$name$rank.log" >"$work/$name$rank"; done
}

export MF_HYBM_ENABLE_4K_PAGE=1
results released "$released/bin/python" "$work/package"
results ours "$ours/bin/python"
for rank in '' .0 .1; do diff -u --label released --label ours "$work/released$rank" "$work/ours$rank"; done
echo "offload beside the released package: $(cat "$work"/ours "$work"/ours.? | wc -l) results, all equal"
