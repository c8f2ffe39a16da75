# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# Read by the run.sh of each example: builds its kernels and its program, and runs it as several processes.

example_usage() {
    cat <<TEXT
Usage: run.sh [-pes N] [-ipport ADDRESS:PORT] [-type int32|float32] [-perf]

Builds the kernels and the program of $1 and runs it as N (2) processes of this host, on the simulator unless MF_DEVICE says
otherwise. The program's own arguments: npes pe ip:port gnpus first_pe first_npu type perf.

Environment: MEMFABRIC_HYBRID_HOME_PATH, where the library is installed (default: this installation, or target/release of this
tree); OUT, a folder for what is built (./out); CXX (c++).
TEXT
}

run_example() {
    local name=$1 here=$2 pes=2 address='' type=int32 perf=0 home=${MEMFABRIC_HYBRID_HOME_PATH:-} include lib mf
    shift 2
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) example_usage "$name"; return 0 ;;
            -pes | --pes) pes=${2:?} && shift ;;
            -ipport | --ipport) address=${2:?} && shift ;;
            -type | --type) type=${2:?} && shift ;;
            -perf | --perf) perf=1 ;;
            *) echo "run.sh: unknown option $1" >&2; example_usage "$name" >&2; return 2 ;;
        esac
        shift
    done
    if [ -z "$home" ] && [ -f "$here/../../../core/capi/include/shmem.h" ]; then
        include=$here/../../../core/capi/include lib=$here/../../../target/release mf=$lib/mf
    else
        # PREFIX/share/memfabric-rs/examples/shmem/NAME
        [ -n "$home" ] || home=$(cd "$here/../../../../.." && pwd)
        include=$home/include lib=$home/lib mf=$home/bin/mf
    fi
    lib=$(cd "$lib" 2>/dev/null && pwd) && [ -e "$lib/libmf_smem.so" ] && [ -x "$mf" ] || {
        echo "run.sh: there is no libmf_smem.so or no mf; build them: cargo build --release -p mf-capi -p mf-cli -p ascend-sim" >&2
        return 1
    }
    local out=${OUT:-$here/out} pids=() pe status=0
    mkdir -p "$out"
    "$mf" kernel build "$here/kernel.cpp" -o "$out/kernels.so" || return 1
    "${CXX:-c++}" -std=c++11 -O2 -Wall -Wextra -Werror "$here/main.cpp" -o "$out/$name" -I"$include" -I"$here/.." -L"$lib" \
        -Wl,-rpath,"$lib" -lmf_smem || return 1
    # Below the ports that the kernel gives to sockets without one.
    [ -n "$address" ] || address=127.0.0.1:$((10000 + $$ % 20000))
    export KERNELS=$out/kernels.so MF_DEVICE=${MF_DEVICE:-sim} ASCEND_SIM_SESSION=${ASCEND_SIM_SESSION:-$name-$$}
    for ((pe = 0; pe < pes; pe++)); do
        "$out/$name" "$pes" "$pe" "tcp://$address" "$pes" 0 0 "$type" "$perf" &
        pids+=($!)
    done
    for pe in "${pids[@]}"; do wait "$pe" || status=1; done
    return "$status"
}
