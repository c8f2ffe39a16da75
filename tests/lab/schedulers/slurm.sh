#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Jobs under a real Slurm: a controller and two nodes, each node in a network namespace with a host name, so that ranks of
# different nodes share no memory. Everything runs in a namespace of processes and ends with it.
#   slurm.sh WORK PREFIX PYTHON   PREFIX: an installation; PYTHON: one with mf_smem.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ "${MF_LAB_INSIDE:-}" != yes ]; then
    MF_LAB_INSIDE=yes exec unshare --net --mount --uts --pid --fork --mount-proc --kill-child "$here/slurm.sh" "$@"
fi
unset MF_LAB_INSIDE
work=$1 prefix=$2 python=$3
tree=$(cd "$here/../../.." && pwd)
rm -rf "$work" && mkdir -p "$work"/{spool,state,log}
# shellcheck source=cluster.sh
. "$here/cluster.sh"
start_cluster "$work"
failed=0

# step NAME LINE COUNT COMMAND…: COUNT lines of the command's output match LINE, and it ends well.
step() {
    local name=$1 line=$2 count=$3 said status=0
    shift 3
    said=$(timeout 120 "$@" 2>&1) || status=$?
    if [ $status = 0 ] && [ "$(grep -cE "$line" <<<"$said")" = "$count" ]; then
        echo "slurm: $name: passed"
    else
        echo "slurm: $name: FAILED with status $status"
        printf '%s\n' "$said" | sed 's/^/    /' | tail -n 40
        failed=1
    fi
}

# until_true SECONDS COMMAND…: waits until the command succeeds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}

export MF_JOB_SECRET="a secret of sixteen bytes and more" PATH=$prefix/bin:$PATH
cc -std=c11 -I"$prefix/include" "$tree/examples/01_pool.c" -o "$work/pool" -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lmf_smem
cc -std=c11 -I"$prefix/include/openshmem" "$tree/examples/openshmem/01_ring.c" -o "$work/ring" -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lmf_smem
step "place of a rank" "place in the job +rank [0-3] of 4, from Slurm" 4 srun -N2 -n4 mf info
step "Python on two nodes" '^rank [0-3]: got "hello from rank [0-3] of 4"' 4 srun -N2 -n4 "$python" "$tree/examples/01_pool.py"
MF_JOB_SECRET='' step "Python on one node without a secret" '^rank [0-2]: got' 3 srun -N1 -n3 "$python" "$tree/examples/01_pool.py"
step "C on two nodes" '^rank [0-3]: got "hello from rank [0-3] of 4"' 4 srun -N2 -n4 "$work/pool"
step "OpenSHMEM on two nodes" '^PE [0-3] of 4: [0-3] came from the left' 4 srun -N2 -n4 "$work/ring"
step "OpenSHMEM by PMIx" '^PE [0-3] of 4: [0-3] came from the left' 4 srun --mpi=pmix -N2 -n4 "$work/ring"
step "two steps at once" '^PE [01] of 2: [01] came from the left' 4 "$here/two_steps.sh" "$work/ring"
if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
    PYTHONPATH=$("$python" -c 'import mf_smem, os; print(os.path.dirname(os.path.dirname(mf_smem.__file__)))') \
        step "torch on two nodes" '^rank [01]: sum 3.0' 2 srun -N2 -n2 /usr/bin/python3 "$here/tensors.py"
else
    echo "skip torch under Slurm: there is no torch for /usr/bin/python3 (would help: apt install python3-torch)"
fi
step "batch script of the deployment" '^rank [0-3]: got' 4 "$here/batch.sh" "$tree/docs/deploy/slurm.sh" "$work/batch.out" "$python" "$tree/examples/01_pool.py"

# A step that is cancelled: its ranks end, and the next step has the place.
srun -N2 -n2 "$python" "$here/waiting.py" >"$work/cancelled" 2>&1 &
waiting=$!
if until_true 60 grep -q '^rank 1 waits' "$work/cancelled"; then
    scancel "$(squeue -h -o %A)"
    wait $waiting && echo "slurm: cancelled step: FAILED: srun has ended well" && failed=1
    if until_true 30 sh -c '! pgrep -f "[w]aiting.py"'; then echo "slurm: cancelled step: passed"; else failed=1; echo "slurm: cancelled step: FAILED: ranks are left"; fi
else
    echo "slurm: cancelled step: FAILED: it did not start"; sed 's/^/    /' "$work/cancelled"; failed=1
fi
step "after a cancelled step" '^rank [0-3]: got' 4 srun -N2 -n4 "$python" "$tree/examples/01_pool.py"

# A node that dies, with all of its processes and its network.
MF_STORE_LEASE=2s srun --no-kill -K0 -N2 -n2 "$python" "$here/waiting.py" >"$work/dead" 2>&1 &
waiting=$!
if until_true 60 grep -q '^rank 1 waits' "$work/dead"; then
    end_node n1
    if until_true 60 grep -qE '^rank 0: .*(rank 1|is gone|dead)' "$work/dead"; then
        echo "slurm: node that dies: passed: $(grep -m1 '^rank 0: ' "$work/dead")"
    else
        echo "slurm: node that dies: FAILED"; sed 's/^/    /' "$work/dead"; failed=1
    fi
    until_true 60 sh -c 'sinfo -h -N -n n1 -o %t | grep -q down' || { echo "slurm: the node is not noticed"; failed=1; }
    kill $waiting 2>/dev/null || true
    scancel -u root
else
    echo "slurm: node that dies: FAILED: the job did not start"; sed 's/^/    /' "$work/dead"; failed=1
fi
until_true 60 sh -c '[ -z "$(squeue -h)" ]' || true
step "the other node after that" '^rank [01]: got' 2 srun -N1 -n2 "$python" "$tree/examples/01_pool.py"
exit $failed
