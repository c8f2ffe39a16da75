#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Every synchronisation in the kernels of examples/shmem is needed: with any one of them left out, a run fails
# or computes something wrong. mutation.rs leaves out synchronisations of the kernels' headers, on the
# library's kernel that uses them; here, the ones used by these kernels only.
set -euo pipefail

case ${1:-} in
    -h | --help)
        cat <<'TEXT'
Usage: tests/kernels/left_out.sh OUT [EXAMPLE…]

Builds the examples (all that are launched alike) in the folder OUT, and runs each on 3 PEs: as it is, in several orders; then without one
line after the other that only synchronises. A run that is right without it fails the test.
Environment: PYTHON (python3, with numpy); see examples/shmem/run_example.sh for the rest.
TEXT
        exit 0
        ;;
esac
out=${1:?a folder for what is built}
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=examples/shmem/run_example.sh
. "$root/examples/shmem/run_example.sh"
python=${PYTHON:-python3} pes=3
export ASCEND_SIM_OP_TIMEOUT=3
include='' lib='' mf=''
example_home

# Schedules: fast, in turns and at random, with a late PE.
orders=("fifo -1" "random(7) 0" "random(1) 1")
# Further schedules after a pass.
more_orders=("random(2) -1" "fifo 0" "fifo 1" "random(3) 2")

# Arguments of runs: type, blocks, sizes. More than one round of every buffer would take minutes; lengths that
# are not multiples do not.
declare -A cases=(
    [allgather]='int32 4'
    [kv_shuffle]='int32 4'
    [reduce_scatter]='float16 3 1003'
    [alltoall]='bytes 3 37 57'
    [moe]='bfloat16 3 23 3 12 77'
    [allgather_matmul]='float16 2 150 200 141'
    [matmul_reduce_scatter]='bfloat16 2 300 150 141'
)
# Lines that only synchronise.
synchronises='^ *(aclshmem_(barrier_all|quiet|signal_wait_until)|AscendC::(SetFlag|WaitFlag|PipeBarrier|CrossCore[A-Za-z]*))\b.*;$'
# A kernel and its last line, which protects a later launch only, and these runs make none: nothing is left to wait for, or the
# end of TPipe waits.
only_form=('matmul_reduce_scatter PipeBarrier' 'reduce_scatter aclshmem_barrier_all' 'moe_experts PipeBarrier'
    'moe_combine aclshmem_barrier_all')

# is_only_form LINE TEXT: whether that line of the source is one of them.
is_only_form() {
    local form kernel
    [ "$(sed -n "$(($1 + 1))p" "$source")" = "}" ] || return 1
    kernel=$(sed -n "$(($1 + 2))s/^MF_KERNEL[A-Z_]*(\([0-9], \)\?\([a-z_]*\),.*/\2/p" "$source")
    for form in "${only_form[@]}"; do
        if [ "$kernel" = "${form% *}" ]; then case $2 in *"${form#* }"*) return 0 ;; esac; fi
    done
    return 1
}

# attempt ORDER FOLDER: a run in `data`, with the kernels of a folder; verified, and without a warning of copies that
# nothing waits for.
attempt() {
    local schedule=${1% *} late=${1##* } of=$2 port
    port=$((10000 + (RANDOM * 32768 + RANDOM) % 20000))
    rm -f "$data"/out_*.bin "$data"/received_*.bin
    ASCEND_SIM_SCHEDULE=$schedule LATE_PE=$late MF_LOG_LEVEL=3 \
        example_run $pes "127.0.0.1:$port" "$of" timeout 20 "$data/$name" $pes @ % $pes 0 0 "$type" 0 "$blocks" "$data" "${sizes[@]}" \
        >"$data/log" 2>&1 || return 1
    with_data verify_result.py >>"$data/log" 2>&1 || return 1
    if grep ': K7: ' "$data/log" >"$data/warnings"; then
        cat "$data/warnings" >>"$data/log"
        return 1
    fi
}

# with_data PROGRAM: the generator or the verifier, where the example has them; else its program makes the data, and checks.
with_data() {
    local folder=$root/examples/shmem/$name/utils
    [ ! -d "$folder" ] || "$python" "$folder/$1" "$type" $pes "${sizes[@]}" "$data"
}

# is_missed FOLDER: in one of the orders a run fails.
is_missed() {
    local order
    for order in "${orders[@]}" "${more_orders[@]}"; do
        attempt "$order" "$1" || { echo "    noticed in order $order: $(grep -v 'warn pid\|: right$' "$data/log" | tail -1 | cut -c1-150)"; return 0; }
    done
    return 1
}

# without TEXT FOLDER: counts a line that is left out, and says whether it is missed.
without() {
    met=$((met + 1))
    echo "$name: without $1"
    is_missed "$2" || { echo "NOBODY misses it" && failed=1; }
}

# examine NAME: all of an example; the last line is how many lines were left out.
examine() (
    name=$1 failed=0 met=0
    read -ra words <<<"${cases[$name]}"
    type=${words[0]} blocks=${words[1]} sizes=("${words[@]:2}") data=$out/$name source=$root/examples/shmem/$name/kernel.cpp
    example_build "$name" "$root/examples/shmem/$name/main.cpp" "$source" "$data"
    with_data gen_data.py
    for order in "${orders[@]}"; do
        attempt "$order" "$data" || { cat "$data/log"; echo "$name is wrong as it is, in order $order"; exit 1; }
    done
    while IFS=: read -r line text; do
        if is_only_form "$line" "$text"; then continue; fi
        mkdir -p "$data/without"
        sed "${line}s/.*//" "$source" >"$data/without/kernel.cpp"
        "$mf" kernel build "$data/without/kernel.cpp" -o "$data/without/kernels.so" >"$data/log" 2>&1
        without "line $line, ${text#"${text%%[! ]*}"}" "$data/without"
    done < <(grep -nE "$synchronises" "$source")
    if [ "$name" = moe ]; then
        # Weighted sums.
        rm -f "$data/sites"
        ASCEND_SIM_SITES=$data/sites attempt "${orders[0]}" "$data"
        while read -r place what; do
            ASCEND_SIM_LEAVE_OUT=$place without "$what at $place" "$data"
        done < <(grep '^mf_reduce.h' "$data/sites" | LC_ALL=C sort -u)
    fi
    echo "$met"
    [ $failed -eq 0 ]
)

[ $# -gt 0 ] || set -- "${!cases[@]}"
mkdir -p "$out"
status=0 met=0 running=0
for name in "$@"; do
    # Two at a time: most of it is compiling.
    if [ $running -eq 2 ]; then wait -n || status=1 && running=1; fi
    examine "$name" >"$out/$name.txt" 2>&1 &
    running=$((running + 1))
done
while [ $running -gt 0 ]; do
    wait -n || status=1
    running=$((running - 1))
done
for name in "$@"; do
    cat "$out/$name.txt"
    met=$((met + $(tail -1 "$out/$name.txt" | grep -x '[0-9]*' || echo 0)))
done
echo "$met were left out"
[ $status -eq 0 ] && [ "$met" -ge "$#" ]
