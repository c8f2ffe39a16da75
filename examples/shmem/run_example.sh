# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# Read by the run.sh of each example: builds its kernels and its program, makes data where it has a generator, runs it as several
# processes, and checks the results where it has a verifier.

example_usage() {
    local name=$1 options='' size
    shift
    for size in "$@"; do options+=" [-${size%=*} N (${size#*=})]"; done
    cat <<TEXT
Usage: run.sh [-pes N[,N…]] [-ipport ADDRESS:PORT] [-type TYPE] [-blocks N] [-perf]$options

Builds the kernels and the program of $name and runs it as N (2) processes of this host, one number after the other, each launching on
so many blocks (4), on the simulator unless MF_DEVICE says otherwise. TYPE is int32, float32, float16 or bfloat16, as far as the example has elements of it.
The program's own arguments: npes pe ip:port gnpus first_pe first_npu type perf blocks folder SIZE…

Environment: MEMFABRIC_HYBRID_HOME_PATH, where the library is installed (default: this installation, or target/release of this
tree); OUT, a folder for what is built and for data (./out); CXX (c++); PYTHON (python3, with numpy where there is data); HEAP_MIB
(32), the size of each process's heap; LATE_PE, a process that comes late.
TEXT
}

# Finds headers, libraries and mf: include, lib, mf.
example_home() {
    local home=${MEMFABRIC_HYBRID_HOME_PATH:-} here missing=() needed=() file
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    if [ -z "$home" ] && [ -f "$here/../../core/capi/include/shmem.h" ]; then
        include=$here/../../core/capi/include lib=${CARGO_TARGET_DIR:-$here/../../target}/release mf=$lib/mf
        needed=("$lib/libascend_sim.so")
    else
        # PREFIX/share/memfabric-rs/examples/shmem
        [ -n "$home" ] || home=$(cd "$here/../../../.." && pwd)
        include=$home/include lib=$home/lib mf=$home/bin/mf
    fi
    for file in "$lib/libmf_smem.so" "$mf" "${needed[@]}"; do [ -e "$file" ] || missing+=("${file##*/}"); done
    [ ${#missing[@]} = 0 ] || {
        echo "${0##*/}: $lib lacks ${missing[*]}; build them: cargo build --release -p mf-capi -p mf-cli -p ascend-sim" >&2
        return 1
    }
    lib=$(cd "$lib" && pwd)
}

# example_build NAME SOURCE KERNELS OUT: OUT/NAME and OUT/kernels.so.
example_build() {
    mkdir -p "$4" && "$mf" kernel build "$3" -o "$4/kernels.so" || return 1
    "${CXX:-c++}" -std=c++11 -O2 -Wall -Wextra -Werror "$2" -o "$4/$1" -I"$include" -I"$(dirname "${BASH_SOURCE[0]}")" -L"$lib" \
        -Wl,-rpath,"$lib" -lmf_smem
}

# example_run PES ADDRESS OUT COMMAND…: as so many processes; of the command's words @ is the PE and % where they meet.
example_run() {
    local pes=$1 address=${2#tcp://} out=$3 pids=() pe status=0 words
    shift 3
    # Below the ports that the kernel gives to sockets without one.
    [ -n "$address" ] || address=127.0.0.1:$((10000 + $$ % 20000))
    [ ! -e "$out/kernels.so" ] || export KERNELS=$out/kernels.so
    export MF_DEVICE=${MF_DEVICE:-sim} ASCEND_SIM_SESSION=${ASCEND_SIM_SESSION:-example-$$}
    for ((pe = 0; pe < pes; pe++)); do
        words=("${@/#@/$pe}")
        "${words[@]/#%/tcp://$address}" &
        pids+=($!)
    done
    for pe in "${pids[@]}"; do wait "$pe" || status=1; done
    return "$status"
}

# run_example NAME HERE OPTION…: `sizes` of the caller are NAME=NUMBER, the options and defaults of the example's own numbers.
run_example() {
    local name=$1 here=$2 pes=2 address='' type=${type:-int32} perf=0 blocks=4 numbers=() size i
    local include lib mf python=${PYTHON:-python3}
    shift 2
    for size in "${sizes[@]}"; do numbers+=("${size#*=}"); done
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) example_usage "$name" "${sizes[@]}"; return 0 ;;
            -pes | --pes) pes=${2:?} && shift ;;
            -ipport | --ipport) address=${2:?} && shift ;;
            -type | --type) type=${2:?} && shift ;;
            -blocks | --blocks) blocks=${2:?} && shift ;;
            -perf | --perf) perf=1 ;;
            *)
                for ((i = 0; i < ${#sizes[@]}; i++)); do
                    case $1 in -"${sizes[i]%=*}" | --"${sizes[i]%=*}") numbers[i]=${2:?} && shift && break ;; esac
                done
                [ "$i" -lt ${#sizes[@]} ] || { echo "run.sh: unknown option $1" >&2; example_usage "$name" "${sizes[@]}" >&2; return 2; }
                ;;
        esac
        shift
    done
    local out=${OUT:-$here/out}
    example_home && example_build "$name" "$here/main.cpp" "$here/kernel.cpp" "$out" || return 1
    for pes in ${pes//,/ }; do
        if [ -d "$here/utils" ]; then
            "$python" "$here/utils/gen_data.py" "$type" "$pes" "${numbers[@]}" "$out" || return 1
        fi
        example_run "$pes" "$address" "$out" \
            "$out/$name" "$pes" @ % "$pes" 0 0 "$type" "$perf" "$blocks" "$out" "${numbers[@]}" || return 1
        [ ! -d "$here/utils" ] || "$python" "$here/utils/verify_result.py" "$type" "$pes" "${numbers[@]}" "$out" || return 1
    done
}
