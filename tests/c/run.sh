#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compiles and runs the C tests and the C examples against the headers of this tree and a built library.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: tests/c/run.sh LIBDIR [NAME | -NAME…]

Compiles every program of tests/c and examples as C11 and C++11 against core/capi/include and LIBDIR/libmf_smem.so,
and runs it, together with the tests of all functions and layouts that cargo generates from the tables of core/abi and
core/shmem-table. With NAMEs, only tests whose name contains one of them (headers, symbols, installed, layout, example.01_pool, …);
with -NAMEs, none that contains one of those.

Prints one line a test (ok, FAIL, skip) and a summary; the exit status is 0 when nothing failed.
Environment: CC (cc), CXX (c++), MF_TEST_DEADLINE_S (60, seconds for each test), MF_TEST_RUNNER (a command that runs the
programs, for those of another processor: qemu-aarch64 -L /usr/aarch64-linux-gnu), MF_TEST_LANGUAGES ("c c++"),
MF_TEST_LINK (what else programs are linked with: the runtime of a sanitizer), MF_TEST_WITHOUT (names of programs that
cannot run there, which are skipped).
TEXT
}

case "${1:-}" in -h | --help) usage; exit 0 ;; esac
[ $# -ge 1 ] || { usage >&2; exit 2; }
libdir=$(cd "$1" && pwd) || exit 2
shift
names=() left_out=()
for name; do case $name in -*) left_out+=("${name#-}") ;; *) names+=("$name") ;; esac; done
if [ ! -e "$libdir/libmf_smem.so" ]; then
    echo "no libmf_smem.so in $libdir; build it: cargo build -p mf-capi" >&2
    exit 2
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
include=$root/core/capi/include
cc=${CC:-cc}
cxx=${CXX:-c++}
deadline=${MF_TEST_DEADLINE_S:-60}
read -ra runner <<<"${MF_TEST_RUNNER:-}"
work=$(mktemp -d)
trap 'remove_hosts; rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# The environment of a job around this script must not reach the tests.
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT
unset MF_CONFIG_STORE_URL MF_JOB_SECRET MF_JOB_SECRET_FILE MF_TEST_URL

# Makes certificates for the tests of TLS.
if [ -x "$libdir/mf" ]; then export MF_TEST_PROGRAM=$libdir/mf; fi

# shellcheck source=scripts/lib/oshmem.sh
. "$root/scripts/lib/oshmem.sh"
# shellcheck source=tests/c/openshmem/launch.sh
. "$here/openshmem/launch.sh"
# shellcheck source=tests/c/openshmem/tools.sh
. "$here/openshmem/tools.sh"
# shellcheck source=tests/c/openshmem/build_systems.sh
. "$here/openshmem/build_systems.sh"
# shellcheck source=tests/c/openshmem/headers.sh
. "$here/openshmem/headers.sh"

strict=(-Wall -Wextra -Wpedantic -Werror)
read -ra link <<<"${MF_TEST_LINK:-}"
link+=(-L"$libdir" -Wl,-rpath,"$libdir" -lmf_smem -lpthread)

# The C tests of all functions and layouts, and the lists of symbols. Built for this machine, without the options for the library
# that is tested.
generated=$work/generated
generate() {
    command -v cargo >/dev/null || { echo "there is no cargo, which generates the tests of all functions" && return 1; }
    local run=(env -u RUSTFLAGS -u CARGO_BUILD_TARGET cargo run --quiet --locked --manifest-path "$root/Cargo.toml")
    "${run[@]}" --package mf-abi --example abi_c_tests -- "$generated" &&
        "${run[@]}" --package mf-shmem-table --example shmem_c_tests -- "$generated"
}

selected() {
    local name
    for name in "${left_out[@]}"; do
        case "$1" in *"$name"*) return 1 ;; esac
    done
    [ ${#names[@]} -gt 0 ] || return 0
    for name in "${names[@]}"; do
        case "$1" in *"$name"*) return 0 ;; esac
    done
    return 1
}

# fail NAME REASON: counts a failure and shows the log.
fail() {
    failed=$((failed + 1))
    echo "FAIL $1: $2"
    sed 's/^/    /' "$work/log"
}

# attempt NAME COMMAND…: runs a command as the test NAME; its output is shown when it fails.
attempt() {
    local name=$1 status=0
    shift
    "$@" >"$work/log" 2>&1 </dev/null || status=$?
    case $status in
        0) passed=$((passed + 1)) && echo "ok $name" ;;
        124) fail "$name" "not done within $deadline s" ;;
        12[89] | 1[3-9]?) fail "$name" "ended by signal $((status - 128))" ;;
        *) fail "$name" "exit status $status" ;;
    esac
}

skip() {
    skipped=$((skipped + 1))
    echo "skip $1: $2"
}

# emulated NAME: true when a program is run by an emulator of its processor without a needed feature; prints
# so.
emulated() {
    [ ${#runner[@]} -gt 0 ] || return 1
    case $1 in
        bad_input_shm | pool_words | shm_two_ranks | trans_engines) skip "$1" "the emulator ${runner[0]} has no mremap of shared memory" ;;
        config_store | copy_repeated | forked_child | tracer | acc_messages | cann_shmem.forked | cann_shmem.deaths)
            skip "$1" "the emulator ${runner[0]} does not fork processes with several threads" ;;
        store_tls | acc_tls | cann_shmem.tls) skip "$1" "it starts the program mf, which is of another processor" ;;
        core_files) skip "$1" "the emulator ${runner[0]} shows no flags of mappings" ;;
        closed_streams) skip "$1" "the emulator ${runner[0]} opens descriptors of its own" ;;
        *) return 1 ;;
    esac
}

# compile LANGUAGE SOURCE OUTPUT OPTION…: the compiler's output goes to the log.
compile() {
    local language=$1 source=$2 output=$3 compiler
    shift 3
    case $language in
        c) compiler=("$cc" -x c -std=c11) ;;
        c++) compiler=("$cxx" -x c++ -std=c++11) ;;
    esac
    "${compiler[@]}" "${strict[@]}" -O1 "$@" -I"$include" "$source" -o "$output" "${link[@]}" >"$work/log" 2>&1
}

# link_library FOLDER: the library there, by the name for compilers and by its soname.
link_library() {
    local name
    for name in libmf_smem.so libmf_smem.so.0; do ln -sfn "$libdir/libmf_smem.so" "$1/$name"; done
}

# Each header alone and twice, in both languages and all eras.
headers() {
    local language=$1 header era source=$work/header.src
    for header in "$include"/smem/*/*.h "$include"/hybm/*.h; do
        printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" >"$source"
        for era in -DTHIS_ERA -DMF_SMEM_ABI=2025 -DMF_SMEM_ABI=next; do
            [ "$era" != -DMF_SMEM_ABI=next ] || [[ "$header" != */compat2025/* ]] || continue
            case $language in
                c) "$cc" -x c -std=c11 "${strict[@]}" -Wstrict-prototypes "$era" -fsyntax-only "$source" ;;
                c++) "$cxx" -x c++ -std=c++11 "${strict[@]}" "$era" -fsyntax-only "$source" ;;
            esac || return 1
        done
    done
    # CANN SHMEM's.
    while IFS= read -r header; do
        printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" >"$source"
        case $language in
            c) for era in c11 c17 c2x; do "$cc" -x c -std=$era "${strict[@]}" -Wstrict-prototypes -fsyntax-only "$source" || return 1; done ;;
            c++) for era in c++11 c++14 c++17 c++20; do "$cxx" -x c++ -std=$era "${strict[@]}" -fsyntax-only "$source" || return 1; done ;;
        esac
    done < <(find "$include"/*.h "$include"/host "$include"/host_device -name '*.h')
    # OpenSHMEM's in all dialects: programs of its time are compiled with all warnings.
    for header in "$include"/openshmem/*.h "$include"/openshmem/mpp/*.h; do
        printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" >"$source"
        case $language in
            c) for era in c99 c11 c17 c2x; do "$cc" -x c -std=$era "${strict[@]}" -fsyntax-only "$source" || return 1; done ;;
            c++) for era in c++11 c++14 c++17 c++20; do "$cxx" -x c++ -std=$era "${strict[@]}" -fsyntax-only "$source" || return 1; done ;;
        esac
    done
}

# The library exports exactly the functions that are listed.
symbols() {
    nm -D --defined-only "$libdir/libmf_smem.so" | awk '{ print $3 }' | LC_ALL=C sort -u >"$work/symbols"
    LC_ALL=C sort "$generated"/symbols.txt "$generated"/*/symbols.txt | diff -u --label listed - --label exported "$work/symbols"
}

# ranks COUNT COMMAND…: starts the command once per rank, as a launcher would. Each is to end with the status `expected`, or 0.
ranks() (
    count=$1 pids=() status=0
    shift
    port=$("${runner[@]}" "$work/free_port")
    export WORLD_SIZE=$count MASTER_ADDR=127.0.0.1 MASTER_PORT=$port
    for ((rank = 0; rank < count; rank++)); do
        RANK=$rank timeout "$deadline" "${runner[@]}" "$@" &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        ended=0
        wait "$pid" || ended=$?
        [ "$ended" -eq "${expected:-0}" ] || { status=1 && [ "$ended" -eq 0 ] || status=$ended; }
    done
    exit "$status"
)

programs() {
    local language=$1 source name options
    for source in "$here"/*.c "$generated"/*.c; do
        name=$(basename "$source" .c)
        [ "$name" != free_port ] && selected "$name.$language" || continue
        ! emulated "$name" || continue
        case " ${MF_TEST_WITHOUT:-} " in *" $name "*) skip "$name.$language" "it is left out by MF_TEST_WITHOUT"; continue ;; esac
        options=(-D_GNU_SOURCE -I"$here")
        if [ "$name" = store_tls ]; then
            [ -x "$libdir/mf" ] || { skip "$name.$language" "no program mf in $libdir; build it: cargo build -p mf-capi -p mf-cli"; continue; }
            command -v openssl >/dev/null || { skip "$name.$language" "no openssl; it comes with: apt-get install openssl"; continue; }
        fi
        case $name in
            *_2025) options+=(-DMF_SMEM_ABI=2025) ;;
            *_next) options+=(-DMF_SMEM_ABI=next) ;;
            # Under an emulator or a sanitizer a call takes a hundred times as long.
            copy_latency) [ -z "${MF_TEST_RUNNER:-}${MF_TEST_LINK:-}" ] || options+=(-DCALLS=20000) ;;
        esac
        if ! compile "$language" "$source" "$work/$name" "${options[@]}"; then
            fail "$name.$language" "it does not compile"
            continue
        fi
        attempt "$name.$language" timeout "$deadline" "${runner[@]}" "$work/$name"
        if [ "$name" = copy_latency ]; then sed -n 's/^8 B/    &/p' "$work/log"; fi
        if [ "$name" = trans_next ] && [ ${#runner[@]} -eq 0 ] && [ -x "$libdir/mf" ]; then
            attempt "$name.on-stream.$language" simulated timeout "$deadline" "$work/$name"
        fi
    done
}

examples() {
    local language=$1 source name count
    for source in "$root"/examples/*.c; do
        name=example.$(basename "$source" .c)
        selected "$name.$language" || continue
        if ! compile "$language" "$source" "$work/example"; then
            fail "$name.$language" "it does not compile"
            continue
        fi
        for count in 1 2 4; do attempt "$name.$language.$count-ranks" ranks "$count" "$work/example"; done
    done
}

# The objects of C++, by each compiler that is here and in each language that they are for.
objects() {
    local compiler era name count others=clang++
    [ -z "${MF_TEST_RUNNER:-}${MF_TEST_LINK:-}" ] || others=""
    for compiler in "$cxx" $others; do
        if ! command -v "$compiler" >/dev/null; then
            skip "objects.$compiler" "there is no $compiler; it comes with: apt-get install clang"
            continue
        fi
        for era in 14 17 20; do
            for name in tests/c/objects examples/15_objects; do
                if ! "$compiler" -std=c++$era "${strict[@]}" -O1 -D_GNU_SOURCE -I"$include" "$root/$name.cpp" -o "$work/$(basename $name)" \
                    "${link[@]}" >"$work/log" 2>&1; then
                    fail "objects.$(basename "$compiler").c++$era" "$name.cpp does not compile"
                    continue 2
                fi
            done
            attempt "objects.$(basename "$compiler").c++$era" timeout "$deadline" "${runner[@]}" "$work/objects"
        done
        for count in 1 2 4; do attempt "example.15_objects.$(basename "$compiler").$count-ranks" ranks "$count" "$work/15_objects"; done
    done
}

# Callbacks that throw.
throwing() {
    if ! "$cxx" -std=c++11 "${strict[@]}" -O1 -D_GNU_SOURCE -I"$include" "$here/throwing.cpp" -o "$work/throwing" \
        "${link[@]}" -pthread >"$work/log" 2>&1; then
        fail throwing "throwing.cpp does not compile"
        return
    fi
    attempt throwing timeout "$deadline" "${runner[@]}" "$work/throwing"
}

# The headers of HMC by each compiler that is here, in each language that they are for, with the warnings that projects demand.
hmc_headers() {
    local compiler=$1 era warnings=(-Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
    local source=$here/hmc/interface.cpp header
    for header in "$include"/hmc/*.h "$include"/src/*/*.h; do printf '#include "%s"\n#include "%s"\n' "$header" "$header"; done >"$work/each.cpp"
    for era in 14 17 20; do
        "$compiler" -std=c++$era "${strict[@]}" "${warnings[@]}" -fsyntax-only -I"$include/hmc" "$source" || return 1
        "$compiler" -std=c++$era "${strict[@]}" "${warnings[@]}" -fsyntax-only "$work/each.cpp" || return 1
    done
}

# Every function of C that the headers of HMC call is exported.
hmc_symbols() {
    nm -D --defined-only "$libdir/libmf_smem.so" | awk '{ print $3 }' | grep '^mfx_hmc_' | LC_ALL=C sort -u >"$work/exported"
    cat "$include"/hmc/*.h "$include"/src/*/*.h | grep -o 'mfx_hmc_[a-z_]*' | LC_ALL=C sort -u | grep -vE '_t$' >"$work/called"
    LC_ALL=C comm -13 "$work/exported" "$work/called" >"$work/missing"
    [ ! -s "$work/missing" ] || { echo "the headers call what the library lacks:"; cat "$work/missing"; return 1; }
}

# The shortest program of the documentation.
put() (
    port=$("${runner[@]}" "$work/hmc_alone" port) status=0
    timeout "$deadline" "${runner[@]}" "$work/put" server "$port" >"$work/put.server" 2>&1 &
    timeout "$deadline" "${runner[@]}" "$work/put" "$port" || status=1
    wait $! || status=1
    cat "$work/put.server"
    grep -qx 'server: got "bytes first, then the message"' "$work/put.server" && [ $status = 0 ]
)

# Command prefixes of the hosts; empty: this host.
on_server=() on_client=()

# uhm MODE ENVIRONMENT…: the server and the client of examples/hmc in a separate folder; their output, and the
# table.
uhm() (
    folder=$work/uhm.$1 mode=$1 server=0 client=0
    shift
    rm -rf "$folder" && mkdir "$folder" && cd "$folder" || exit 1
    UHM_PORT=$("${runner[@]}" "$work/hmc_alone" port)
    export "$@" UHM_PORT UHM_BUFFER_BYTES=65536 UHM_MAX_BYTES=131072 CTRL_UDS_DIR=$folder PIPELINE_CHUNK=4096 PIPELINE_INFLIGHT=3
    timeout "$deadline" "${on_server[@]}" "${runner[@]}" "$work/uhm_server" --mode "$mode" >server 2>&1 &
    timeout "$deadline" "${on_client[@]}" "${runner[@]}" "$work/uhm_client" --colour --mode "$mode" >client 2>log || client=$?
    wait $! || server=$?
    cat server client log performanceTest_client.csv
    [ "$server.$client" = 0.0 ] || { echo "they ended with $server and $client"; exit 1; }
    case $mode in ucx | pipeline) sizes=12 ;; *) sizes=13 ;; esac
    case $mode in serial | g2h2g | pipeline) label=End-to-end ;; *) label='Network only' ;; esac
    number='([0-9.]+(e[-+][0-9]+)?)' size=32
    [ "$(wc -l <client)" = $sizes ] && [ "$(wc -l <performanceTest_client.csv)" = $((sizes + 1)) ] || { echo "not $sizes sizes"; exit 1; }
    [ "$(head -n 1 performanceTest_client.csv)" = 'Mode,Data Size (MB),Time(us),Bandwidth(Gbps)' ] || exit 1
    while read -r line; do
        [[ $line =~ ^\[Mode:\ $mode\]\ \[$label\]\ Data\ Size:\ $size\ B,\ Time:\ [0-9]+\ us,\ $number\ MiB/s,\ $number\ Gbps$ ]] || { echo "not as it should be: $line"; exit 1; }
        size=$((size * 2))
    done <client
    if [ "$mode" = rdma_cpu ]; then ! grep Integrity server; else [ "$(grep -cE '^\[Size [0-9]+ B\] Data Integrity: PASS$' server)" = $sizes ]; fi &&
        [ "$(grep -c '^-*$' server)" = $sizes ]
)

# Output of both programs for an unknown mode, and of the client without a server.
uhm_refuses() {
    local program
    for program in uhm_server uhm_client; do
        if "${runner[@]}" "$work/$program" --mode fast 2>"$work/said"; then return 1; elif [ $? != 1 ]; then return 1; fi
        [ "$(cat "$work/said")" = 'Invalid mode: fast' ] || { cat "$work/said"; return 1; }
    done
}

# shellcheck source=tests/c/hmc/hosts.sh
. "$here/hmc/hosts.sh"

# HMC in C++: the headers, programs of both generations in two processes, objects before and after main, uhm_server and uhm_client.
hmc() {
    local compiler name mode others=clang++ program sources
    [ -z "${MF_TEST_RUNNER:-}${MF_TEST_LINK:-}" ] || others=""
    for compiler in "$cxx" $others; do
        if ! command -v "$compiler" >/dev/null; then
            skip "hmc.headers.$compiler" "there is no $compiler; it comes with: apt-get install clang"
        elif selected hmc.headers; then
            attempt "hmc.headers.$(basename "$compiler")" hmc_headers "$compiler"
        fi
    done
    if selected hmc.symbols && command -v nm >/dev/null; then attempt hmc.symbols hmc_symbols; fi
    for program in alone session addressed statics uhm_server uhm_client put; do
        case $program in
            alone | put | uhm_*) selected "hmc.$program" || selected hmc.uhm || selected hmc.put || selected hmc.hosts || selected hmc.gpus || continue ;;
            *) selected "hmc.$program" || selected hmc.hosts || selected hmc.gpus || continue ;;
        esac
        case $program in
            statics) sources=("$here"/hmc/statics{,_other}.cpp) ;;
            uhm_* | put) sources=("$root/examples/hmc/$program.cpp") ;;
            *) sources=("$here/hmc/$program.cpp") ;;
        esac
        name=$program
        [ "$program" != alone ] || name=hmc_alone
        if ! "$cxx" -std=c++14 "${strict[@]}" -D_GNU_SOURCE -I"$include/hmc" -I"$include" "${sources[@]}" -o "$work/$name" "${link[@]}" >"$work/log" 2>&1; then
            fail "hmc.$program" "it does not compile"
            return
        fi
        case $program in uhm_* | put) continue ;; esac
        selected "hmc.$program" || continue
        attempt "hmc.$program" timeout "$deadline" "${runner[@]}" "$work/$name"
    done
    if selected hmc.put; then attempt hmc.put put; fi
    if selected hmc.uhm; then
        for mode in uhm serial g2h2g rdma_cpu ucx pipeline; do attempt "hmc.uhm.$mode" uhm "$mode"; done
        # The control channel by TCP, and several channels.
        attempt hmc.uhm.tcp uhm serial SERVER_IP=127.0.0.2 NUM_CHANNELS=4 SELF_RANK=x
        attempt hmc.uhm.refuses uhm_refuses
    fi
    if selected hmc.hosts; then hmc_hosts; fi
    if ! selected hmc.gpus; then
        :
    elif [ ${#runner[@]} -gt 0 ] || [ -n "${MF_TEST_LINK:-}" ]; then
        skip hmc.gpus "the simulator of GPUs is of this processor, and without a sanitizer"
    elif [ ! -x "$libdir/mf" ] || [ ! -e "$libdir/libgpu_sim.so" ]; then
        skip hmc.gpus "no program mf or no libgpu_sim.so in $libdir; build them: cargo build -p mf-capi -p mf-cli -p ascend-sim -p gpu-sim"
    else
        hmc_gpus
    fi
}

# On a machine with simulated GPUs of four vendors.
on_gpus() (
    # shellcheck disable=SC1091
    set +u && . "$work/gpus/set_env.sh" && set -u
    "$@"
)

# The same; objects leaked by the command are a failure.
gives_back() (
    rm -f "$work/leaks"
    GPUSIM_LEAKS=$work/leaks on_gpus "$@" || exit
    [ ! -s "$work/leaks" ] || { echo "not given back:"; cat "$work/leaks"; exit 1; }
)

# If drivers share no memory between processes the same succeeds, and each process logs it once per vendor.
not_shared() {
    local vendor
    GPUSIM_IPC=0 gives_back timeout "$deadline" "$work/gpu_pairs.test" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    for vendor in cuda hip musa cndrv; do
        [ "$(grep -c "memory of $vendor is not shared, copies go through host memory" "$work/said")" = 2 ] ||
            { echo "$vendor: not once in each of two processes"; cat "$work/said"; return 1; }
    done
}

# A static buffer on a GPU is freed behind main, when drivers may have ended, without a word.
static_buffer() {
    gives_back timeout "$deadline" "$work/statics" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    [ "$(cat "$work/said")" = 'worked after main' ] || { cat "$work/said"; return 1; }
}

# HMC in C++ on simulated GPUs.
hmc_gpus() {
    local name mode vendor
    for name in gpus gpu_pairs; do
        if ! "$cxx" -std=c++14 "${strict[@]}" -D_GNU_SOURCE -I"$include/hmc" -I"$include" "$here/hmc/$name.cpp" -o "$work/$name.test" "${link[@]}" -ldl >"$work/log" 2>&1; then
            fail "hmc.gpus.$name" "it does not compile"
            return
        fi
    done
    "$libdir/mf" sim --devices 0 --gpus 2:cuda,1:hip,1:musa,1:cndrv "$work/gpus" >"$work/log" 2>&1 || { fail hmc.gpus "no simulated GPUs"; return; }
    attempt hmc.gpus.one_process on_gpus timeout "$deadline" "$work/gpus.test"
    attempt hmc.gpus.pairs gives_back timeout "$deadline" "$work/gpu_pairs.test"
    attempt hmc.gpus.not_shared not_shared
    attempt hmc.gpus.static_buffer static_buffer
    # Both generations, with buffers of NVIDIA and of Cambricon.
    attempt hmc.gpus.session gives_back env MF_TEST_MEMORY=2 timeout "$deadline" "$work/session"
    attempt hmc.gpus.addressed gives_back env MF_TEST_MEMORY=4 timeout "$deadline" "$work/addressed"
    # The default is the first vendor of which there are GPUs.
    for mode in uhm serial g2h2g rdma_cpu ucx pipeline; do attempt "hmc.gpus.uhm.$mode" gives_back uhm "$mode"; done
    for vendor in hip musa cndrv; do attempt "hmc.gpus.uhm.$vendor" gives_back uhm uhm GPUSIM_GPUS=1:$vendor; done
}

# Including the headers of both worlds in one file is refused, in either order and with the reason.
both_worlds() {
    local first
    for first in "shmem.h openshmem/shmem.h" "openshmem/shmem.h aclshmem.h" "shmem_api.h openshmem/shmemx.h"; do
        printf '#include <%s>\n' $first >"$work/both.c"
        if "$cc" -x c -std=c11 -I"$include" -fsyntax-only "$work/both.c" >"$work/said" 2>&1; then echo "$first: it compiles"; return 1; fi
        grep -q 'OpenSHMEM and shmem.h of CANN SHMEM' "$work/said" || { cat "$work/said"; return 1; }
    done
}

# seven COUNT COMMAND…: every rank ends with status 7.
seven() (expected=7 && ranks "$@")

over_network() (export MF_SHM=false && ranks "$@")

# On a simulated machine with two devices, of its own where several run at once.
simulated() (
    export MF_TEST_DEVICE=sim
    machine=$work/${machine:-simulated}
    "$libdir/mf" sim --devices 2 "$machine" && set +u && . "$machine/set_env.sh" && "$@"
)

# The same of the 950, with memory of the driver.
simulated_950() (export ASCEND_SIM_SOC=Ascend950PR_9599 && simulated "$@")

# Plain names resolve to the first library on the link line.
clash() {
    local first
    # shellcheck disable=SC2016
    printf '%s\n' '#include <dlfcn.h>' '#include <stdio.h>' 'void *shmem_malloc(unsigned long bytes);' 'int shmem_finalize(void);' \
        'int main(int count, char **names) {' '    void *own = dlopen(names[count - 1], RTLD_NOW);' \
        '    if (own == NULL) puts(dlerror());' \
        '    return own != NULL && (void *)&shmem_malloc == dlsym(own, "shmem_malloc") && (void *)&shmem_finalize == dlsym(own, "shmem_finalize") ? 0 : 1;' '}' >"$work/clash.c"
    ln -sfn "$libdir/libmf_smem.so" "$work/osh/lib/libshmem.so"
    for first in oshmem shmem; do
        local second=shmem library=liboshmem.so
        [ $first = oshmem ] || { second=oshmem library=libmf_smem.so; }
        "$cc" -fPIC "$work/clash.c" -o "$work/clash" -L"$work/osh/lib" -l$first -l$second -Wl,-rpath,"$work/osh/lib" -ldl &&
            "$work/clash" "$work/osh/lib/$library" || { echo "with -l$first first"; return 1; }
    done
}

# cann_places PROGRAM: two PEs on a separate host that know their numbers, and perhaps the address, but no
# port: CANN SHMEM's default applies.
cann_places() {
    local how rank pids pid status=0
    for how in RANK=# OMPI_COMM_WORLD_RANK=# PMI_RANK=# SHMEM_RANK=# '# 2' 'MASTER_ADDR=127.0.0.1 RANK=#' 'SHMEM_MASTER_ADDR=localhost RANK=#' \
        'SHMEM_UID_SESSION_ID=127.0.0.1:5571 RANK=#' 'MASTER_ADDR=127.0.0.1 MASTER_PORT=5572 RANK=#'; do
        echo "by $how"
        pids=()
        for rank in 0 1; do
            (
                local words=() word size
                for word in ${how//#/$rank}; do
                    size=${word%%_RANK=*}
                    case $word in
                        RANK=*) export "$word" WORLD_SIZE=2 ;;
                        OMPI*_RANK=* | PMI_RANK=*) export "$word" "${size}_SIZE=2" ;;
                        SHMEM_RANK=*) export "$word" SHMEM_NRANKS=2 ;;
                        *=*) export "$word" ;;
                        *) words+=("$word") ;;
                    esac
                done
                MF_TEST_PES=2 exec timeout "$deadline" ip netns exec "${hosts}a" "$1" "${words[@]}"
            ) &
            pids+=($!)
        done
        for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
    done
    return "$status"
}

# cann_kernels NAME: the program, which launches kernels, on a simulated machine; their schedule is any there.
cann_kernels() {
    local name=$1 binary=$work/cann.kernels count sources=(rma sync atomics words meetings engines threads)
    if [ ${#runner[@]} -gt 0 ]; then
        skip "$name" "it starts the program mf, which is of another processor"
        return
    elif [ ! -x "$libdir/mf" ] || [ ! -e "$libdir/libascend_sim.so" ]; then
        skip "$name" "no program mf or no simulator in $libdir; build them: cargo build -p mf-capi -p mf-cli -p ascend-sim"
        return
    fi
    case $name in *kernel_faults*) sources=(faults) ;; *kernel_heaps*) sources=(heaps) ;; *kernel_queues*) sources=(queues) ;; esac
    if ! (cd "$here/cann_shmem/kernels" && "$libdir/mf" kernel build --werror -D USE_SIMT "${sources[@]/%/.cpp}" -o "$binary") >"$work/log" 2>&1; then
        fail "$name" "its kernels do not compile"
        return
    fi
    for count in 1 2 3; do attempt "$name.$count-pes" simulated ranks "$count" "$work/cann" "$binary"; done
    case $name in
        *kernel_faults*) attempt "$name.other-generation" of_generation v1.0 simulated ranks 2 "$work/cann" "$binary" ;;
        *kernel_heaps*)
            for count in v1.0 v1.5; do attempt "$name.$count" of_generation "$count" simulated ranks 2 "$work/cann" "$binary"; done
            attempt "$name.random-3" shuffled 3 simulated ranks 3 "$work/cann" "$binary"
            ;;
        *kernel_queues*) attempt "$name.random-2" shuffled 2 simulated ranks 2 "$work/cann" "$binary" ;;
        *)
            for count in 2 4; do attempt "$name.random-$count" shuffled "$count" simulated ranks "$count" "$work/cann" "$binary"; done
            attempt "$name.left-out" without_each "$work/cann" "$binary"
            ;;
    esac
}

# without_one PLACE NAME MACHINE COMMAND…: true when a run without that synchronisation fails.
without_one() {
    local place=$1 name=$2 machine=$3 status=0
    shift 3
    ASCEND_SIM_LEAVE_OUT=$place simulated ranks 2 "$@" >/dev/null 2>&1 || status=1
    rm -rf "${work:?}/$machine"
    [ $status -ne 0 ] || echo "nothing misses $name at $place"
    [ $status -ne 0 ]
}

# without_each COMMAND…: each synchronisation that a run on two PEs meets is left out in turn, and must be missed.
without_each() (
    rm -f "$work/sites"
    ASCEND_SIM_SITES=$work/sites simulated ranks 2 "$@" >/dev/null || { echo "it fails as it is"; exit 1; }
    met=0 running=0 not_missed=0 deadline=20
    while read -r place name; do
        # Several at a time: most of it is waiting for what will not come.
        if [ $running -eq 4 ]; then
            wait -n || not_missed=$((not_missed + 1))
            running=$((running - 1))
        fi
        met=$((met + 1)) running=$((running + 1))
        without_one "$place" "$name" "without-$met" "$@" &
    done < <(LC_ALL=C sort -u "$work/sites")
    while [ $running -gt 0 ]; do
        wait -n || not_missed=$((not_missed + 1))
        running=$((running - 1))
    done
    echo "$((met - not_missed)) of $met were missed"
    [ "$met" -gt 10 ] && [ $not_missed -eq 0 ]
)

# of_generation NAME COMMAND…: the record of the heap is laid out as headers of that generation have it.
of_generation() (export MF_SHMEM_GENERATION=$1 && shift && "$@")
# shuffled SEED COMMAND…: pipes and blocks get on in an order of that seed.
# Sources as they are written for CANN's compiler: compiled as they are, and run on a simulated machine in three schedules.
kernel_samples() {
    local source name samples how product
    for source in "$here"/kernel_samples/*.cpp; do
        name=kernel_samples.$(basename "$source" .cpp) product=()
        # Registers, threads and some functions are the 950's alone.
        case $name in *registers | *.register* | *.threads* | *.library_950) product=(-D __NPU_ARCH__=3510) ;; esac
        [ "$name" != kernel_samples.driver ] && selected "$name" || continue
        if [ ${#runner[@]} -gt 0 ]; then
            skip "$name" "it starts the program mf, which is of another processor"
            continue
        elif [ ! -x "$libdir/mf" ] || [ ! -e "$libdir/libascend_sim.so" ]; then
            skip "$name" "no program mf or no simulator in $libdir; build them: cargo build -p mf-capi -p mf-cli -p ascend-sim"
            continue
        fi
        if ! "$cxx" -std=c++17 "${strict[@]}" "$here/kernel_samples/driver.cpp" -o "$work/driver" -ldl >"$work/log" 2>&1 ||
            ! "$libdir/mf" kernel build --werror "${product[@]}" "$source" -o "$work/samples.so" >"$work/log" 2>&1; then
            fail "$name" "it does not compile"
            continue
        fi
        mapfile -t samples < <(nm -D --defined-only "$work/samples.so" | awk '$3 ~ /^sample_/ { print $3 }')
        attempt "$name" simulated timeout "$deadline" "$work/driver" "$work/samples.so" "${samples[@]}"
        for how in 1 2; do
            attempt "$name.random-$how" shuffled "$how" simulated timeout "$deadline" "$work/driver" "$work/samples.so" "${samples[@]}"
        done
        [ "$name" != kernel_samples.matmul ] || attempt "$name.log" faults_on_stdout
    done
    name=kernel_samples.places
    if [ ${#runner[@]} -eq 0 ] && [ -x "$libdir/mf" ] && [ -e "$libdir/libascend_sim.so" ] && selected "$name"; then
        attempt "$name" kernel_places
    fi
    for source in "$here"/kernel_samples/single/*; do
        name=kernel_samples.single.$(basename "${source%.*}")
        if selected "$name" && [ ${#runner[@]} -eq 0 ] && [ -x "$libdir/mf" ] && [ -e "$libdir/libascend_sim.so" ]; then
            attempt "$name" kernel_single "$source"
        fi
    done
    name=kernel_samples.asc
    if ! selected "$name" || [ ${#runner[@]} -gt 0 ] || [ ! -x "$libdir/mf" ] || [ ! -e "$libdir/libascend_sim.so" ]; then
        :
    elif ! command -v cmake >/dev/null; then
        skip "$name" "there is no cmake; it comes with: apt-get install cmake"
    else
        attempt "$name" kernel_project
    fi
}

# The log of CANN on standard output has the faults' texts, if it is asked for.
faults_on_stdout() (
    run() { simulated timeout "$deadline" "$work/driver" "$work/samples.so" sample_wrong; }
    export ASCEND_SLOG_PRINT_TO_STDOUT=1
    run | grep -q '^error: kernel .*, block 0 of 1: K4: matmul.cpp:[0-9]*: ' || { echo "the fault is not printed"; exit 1; }
    unset ASCEND_SLOG_PRINT_TO_STDOUT
    [ -z "$(run | grep '^error: ')" ] || { echo "the fault is printed without the variable"; exit 1; }
)

# A project of CMake with the language ASC, as it is written for CANN's compiler: the simulated installation has one by that name.
kernel_project() (
    "$libdir/mf" sim --devices 2 "$work/asc" >/dev/null && set +u && . "$work/asc/set_env.sh" && set -u
    cmake -S "$here/kernel_samples/asc" -B "$work/project" -DCMAKE_BUILD_TYPE=Release && cmake --build "$work/project" || exit 1
    timeout "$deadline" "$work/project/demo" && cd "$work/project" && timeout "$deadline" ./demo || exit 1
    # Without CMake, at once.
    cd "$here/kernel_samples/asc" && bisheng --npu-arch=dav-2201 -fPIC -shared more.asc -o "$work/project/libmore.so" &&
        bisheng -DFACTOR=3 -O2 --cce-aicore-arch=dav-c220 program.asc other.cpp -x asc part.cpp -L"$work/project" -lmore \
            -Wl,-rpath,"$work/project" -o "$work/project/again" && timeout "$deadline" "$work/project/again"
)

# kernel_single SOURCE: a program with its kernels in one file, and with host code that plans for the chip or calls CANN SHMEM;
# and such host code alone, by the host's compiler.
kernel_single() (
    name=$(basename "${1%.*}") pes=1
    "$libdir/mf" sim --devices 2 "$work/single" >/dev/null && set +u && . "$work/single/set_env.sh" && set -u
    # By the order of -I the host's shmem.h is the first.
    flags=(--npu-arch=dav-2201 -std=c++17 -I"$include" -DTILING_KEY_VAR=1)
    libraries=(-ltiling_api -lregister -lplatform -lgraph_base -lunified_dlog -lc_sec)
    if [ "${1##*.}" = cpp ]; then
        # Lines of structures end with or without a semicolon.
        "$cxx" -std=c++17 -Wall -Wextra -Werror -I"$work/single/include" "$1" -o "$work/single/$name" -L"$work/single/lib64" \
            "${libraries[@]}" && timeout "$deadline" "$work/single/$name"
        exit
    fi
    if [ "$name" = ring ]; then pes="1 2 3" libraries=(-L"$libdir" -lmf_smem -Wl,-rpath,"$libdir"); fi
    bisheng "${flags[@]}" "$1" -o "$work/single/$name" "${libraries[@]}" || exit 1
    for count in $pes; do (ranks "$count" timeout "$deadline" "$work/single/$name") || exit 1; done
)

# A library of kernels that the program is linked to by a relative path, that the loader finds by one, and that is gone at the launch.
kernel_places() (
    places=$here/kernel_samples/places
    mkdir -p "$work/places" && cd "$work/places" || exit 1
    "$libdir/mf" kernel build --werror "$places/library.cpp" -o libplaces.so || exit 1
    "$cxx" -std=c++17 "${strict[@]}" "$places/program.cpp" ./libplaces.so -o linked -ldl &&
        "$cxx" -std=c++17 "${strict[@]}" "$places/program.cpp" -L. -lplaces -o searched -ldl || exit 1
    simulated timeout "$deadline" ./linked && LD_LIBRARY_PATH=. simulated timeout "$deadline" ./searched || exit 1
    simulated timeout "$deadline" ./linked libplaces.so
)

shuffled() (export ASCEND_SIM_SCHEDULE="random($1)" && shift && "$@")

# cann_shmem LANGUAGE: programs of CANN SHMEM at 1, 2 and 4 PEs; single-process programs at 1.
cann_shmem() {
    local language=$1 source name count counts how is_spread
    for source in "$here"/cann_shmem/*.c "$generated"/cann_shmem/*.c; do
        name=cann_shmem.$(basename "$source" .c)
        selected "$name.$language" || continue
        # A matter of the library alone.
        case $name.$language in cann_shmem.deaths.c++ | cann_shmem.kernel*.c++) continue ;; esac
        ! emulated "$name" || continue
        if ! compile "$language" "$source" "$work/cann" -D_GNU_SOURCE -I"$here" -I"$here/cann_shmem"; then
            fail "$name.$language" "it does not compile"
            continue
        fi
        case $name in cann_shmem.kernel*) cann_kernels "$name.$language"; continue ;; esac
        how=ranks counts="1 2 4"
        case $name in
            cann_shmem.global_exit) how=seven ;;
            cann_shmem.codes | cann_shmem.logging) counts=1 ;;
        esac
        for count in $counts; do attempt "$name.$language.$count-pes" $how "$count" "$work/cann"; done
        if [ "$name.$language" = cann_shmem.places.c ] && [ "$has_hosts" = yes ]; then
            attempt "$name.own-port" cann_places "$work/cann"
        fi
        [ "$counts" != 1 ] && [ "$language" = c ] || continue
        # These meet at addresses of one host, too, or share its devices.
        case $name in *.places | *.device | *.streams* | *.buffers) is_spread=no ;; *) is_spread=$has_hosts ;; esac
        if [ "$is_spread" = yes ]; then
            case $how in seven) how=seven_on_two_hosts ;; *) how=on_two_hosts ;; esac
            attempt "$name.two-hosts.3-pes" $how 3 "$work/cann"
        elif [ $how = ranks ]; then
            # Each PE as if it had a host of its own: nothing is mapped.
            attempt "$name.network.3-pes" over_network 3 "$work/cann"
        fi
        case $name in cann_shmem.device | cann_shmem.streams* | cann_shmem.buffers) ;; *) continue ;; esac
        if [ ${#runner[@]} -gt 0 ]; then
            skip "$name.simulated" "it starts the program mf, which is of another processor"
        elif [ -x "$libdir/mf" ] && [ -e "$libdir/libascend_sim.so" ]; then
            for how in ranks over_network; do attempt "$name.simulated.$how" simulated $how 3 "$work/cann"; done
            [ "$name" != cann_shmem.buffers ] || attempt "$name.simulated.950" simulated_950 ranks 3 "$work/cann"
        else
            skip "$name.simulated" "no program mf or no simulator in $libdir; build them: cargo build -p mf-capi -p mf-cli -p ascend-sim"
        fi
    done
}

# Programs that know the library's inside, for the record of each generation: with the test-support library;
# they hold its data themselves if they are linked at a fixed address.
cann_support() {
    local name record generation options=() how
    if [ -n "${MF_TEST_RUNNER:-}${MF_TEST_LINK:-}" ]; then
        skip cann_shmem.support "it links a library that is made for this processor, without a sanitizer"
        return
    fi
    mkdir -p "$work/support" && link_library "$work/support"
    if ! build_shmem_support "$root" "$work/support" >"$work/log" 2>&1; then
        fail cann_shmem.support "the test-support library does not compile"
        return
    fi
    for record in 16 15 10; do
        name=cann_shmem.support.record-$record
        case $record in
            16) generation=head options=(-O1 -pie -fPIE) ;;
            15) generation=v1.5 options=(-O0 -no-pie -fno-pie) ;;
            10) generation=v1.0 options=(-O2 -no-pie -fno-pie) ;;
        esac
        if ! "$cxx" -std=c++11 "${strict[@]}" "${options[@]}" -D_GNU_SOURCE -DMF_SHMEM_STATE=$record -I"$include" -I"$here" -I"$here/cann_shmem" \
            -I"$root/core/shmem-support/include" "$here/cann_shmem/support.cpp" -o "$work/cann" -L"$work/support" -lmf_smem -lshmem_test_support \
            -Wl,-rpath,"$work/support" -ldl >"$work/log" 2>&1; then
            fail "$name" "it does not compile"
            continue
        fi
        for how in "ranks 1" "ranks 3" "over_network 2" "simulated ranks 3"; do
            if [ "${how%% *}" = simulated ] && ! { [ -x "$libdir/mf" ] && [ -e "$libdir/libascend_sim.so" ]; }; then
                skip "$name.simulated" "no program mf or no simulator in $libdir; build them: cargo build -p mf-capi -p mf-cli -p ascend-sim"
                continue
            fi
            # shellcheck disable=SC2086
            attempt "$name.${how// /-}" of_generation $generation $how "$work/cann"
        done
    done
}

# of_generation NAME COMMAND…: where the library keeps the record of that one.
of_generation() (export MF_SHMEM_GENERATION=$1 && shift && "$@")

# The tree that oshcc expects, from this build.
openshmem_prefix() {
    local name
    mkdir -p "$work/osh/lib" "$work/osh/bin" || return 1
    link_library "$work/osh/lib"
    ln -sfn "$include" "$work/osh/include"
    ln -sfn "$libdir/mf" "$work/osh/bin/mf"
    build_oshmem "$root" "$work/osh/lib" && install_osh_tools "$root" "$work/osh/bin" || return 1
    # The library of the plain names has the listed ones, each a jump to its symbol.
    nm -D --defined-only "$work/osh/lib/liboshmem.so" | awk '{ print $3 }' | LC_ALL=C sort >"$work/plain"
    LC_ALL=C sort "$generated/openshmem/plain_names.txt" | diff -u --label listed - --label exported "$work/plain"
}

# oshrun COUNT COMMAND…: as N PEs, without the variables of a launcher around us.
oshrun() { timeout "$deadline" "$work/osh/bin/oshrun" -n "$@"; }

# Ends with status 7 on all PEs in any state.
ends_with_seven() {
    local status=0
    oshrun "$@" >"$work/said" || status=$?
    echo "status $status" && cat "$work/said"
    [ "$status" -eq 7 ] && [ "$(grep -c '^PE . is here$' "$work/said")" -eq "$1" ]
}

# says TEXT STATUS NAME=VALUE… -- COUNT ARGUMENT…: the program, with these variables, prints TEXT (first or not) and ends with STATUS.
says() {
    local text=$1 wanted=$2 status=0 variables=()
    shift 2
    while [ "$1" != -- ]; do variables+=(-x "$1") && shift; done
    shift
    local count=$1
    shift
    printf 'one\ntwo\n' | timeout "$deadline" "$work/osh/bin/oshrun" "${variables[@]}" -np "$count" "$work/osh/environment" "$@" >"$work/said" 2>&1 || status=$?
    if [ "$status" -eq "$wanted" ] && grep -qF -- "$text" "$work/said"; then return 0; fi
    echo "with ${variables[*]} -- $*: status $status, expected $wanted with \"$text\"; it printed:"
    cat "$work/said"
    return 1
}

# Effects of OpenSHMEM's variables.
environment() {
    local value
    says 'MF OpenSHMEM' 0 SHMEM_VERSION=1 -- 2 begin &&
        says 'SHMEM_SYMMETRIC_SIZE' 0 SMA_INFO=yes -- 1 begin &&
        says '19 fit, 21 do not fit' 0 SHMEM_SYMMETRIC_SIZE=20M MF_LOG_LEVEL=5 -- 2 heap &&
        says '19 fit, 21 do not fit' 0 SMA_SYMMETRIC_SIZE=20480kk SHMEM_SYMMETRIC_SIZE=20m MF_LOG_LEVEL=5 -- 1 heap || return 1
    for value in many -5m 1.2.3 5x; do
        says "$value" 1 "SHMEM_SYMMETRIC_SIZE=$value" -- 1 begin &&
            says 'refused, provided -1, initialized -1' 0 "SHMEM_SYMMETRIC_SIZE=$value" -- 2 thread || return 1
    done
    says 'after the error' 0 -- 1 error &&
        says 'shmem_long_p' 1 MF_SHMEM_ON_ERROR=exit -- 1 error &&
        says 'shmem_long_p' 134 MF_SHMEM_ON_ERROR=abort -- 1 error &&
        says 'MF_SHMEM_ON_ERROR' 1 MF_SHMEM_ON_ERROR=perhaps -- 1 error || return 1
    says 'PE 0: one' 0 -- 2 input && grep -qx 'PE 1: no input' "$work/said"
}

# Options added by oshcc, their places, and options left to the compiler.
wrapper() {
    local oshcc=$work/osh/bin/oshcc where=$work/osh
    printf '#include <shmem.h>\nint main(void) { return TEXT[0] == %s ? shmem_n_pes() + 1 : 2; }\n' "'a'" >"$work/one file.c"
    [ "$(OSHCC_CC= CC=gcc "$oshcc" -show -c a.c)" = "gcc -I$where/include/openshmem -c a.c" ] || { echo "-show -c"; return 1; }
    [ "$("$oshcc" --showme:compile)" = "-I$where/include/openshmem" ] || { echo "--showme:compile"; return 1; }
    "$oshcc" --showme:link | grep -q -- "-L$where/lib .*-lmf_smem\$" || { echo "--showme:link"; return 1; }
    [ "$(OSHCC_CC='cc -DA' "$oshcc" -show 'a b.c' | cut -d' ' -f1,2,4,5)" = "cc -DA 'a b.c'" ] || { echo "names with spaces"; return 1; }
    "$oshcc" --version >"$work/said" && "$oshcc" -v >>"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    # Options with spaces and quotes pass; a part is compiled, and linked later.
    "$oshcc" '-DTEXT="a b"' -c "$work/one file.c" -o "$work/one file.o" && "$oshcc" "$work/one file.o" -o "$work/osh/program" &&
        "$work/osh/program" || return 1
    # A program of the folder needs no slash.
    (cd "$work/osh" && timeout "$deadline" bin/oshrun -np 2 program) || return 1
    # Plain names that no part uses are not loaded.
    ! ldd "$work/osh/program" | grep -q liboshmem
}

# The code of a put or get of one element in mapped memory: from the entry to the first return, without a call, a lock prefix, a
# barrier or a system call, in few instructions. Forms with a context are left out: they look up one that is not the default by a
# call.
fast_path() {
    local library=$libdir/libmf_smem.so function entry
    for function in shmem15_long_p shmem15_int_p shmem15_double_p shmem15_short_p pshmem15_long_p \
        shmem15_long_g shmem15_float_g aclshmem_int64_p aclshmem_int16_p shmem_double_p aclshmem_uint32_g; do
        # The entry is one jump; objdump says its target first.
        entry=$(objdump -d --no-show-raw-insn --disassemble="$function" "$library" | awk '$2 == "jmp" { print $3; exit }')
        [ -n "$entry" ] || { echo "$function does not begin with a jump"; return 1; }
        objdump -d --no-show-raw-insn --start-address="0x$entry" --stop-address="$((0x$entry + 512))" "$library" >"$work/code"
        awk -v name="$function" '
            /^ *[0-9a-f]+:/ {
                count++
                if ($2 ~ /^ret/) { found = 1; exit }
                if ($0 !~ /xchg +%ax,%ax/ && $2 ~ /^(call|lock|xchg|syscall|sysenter|int|mfence|sfence|lfence|cpuid|jmp|rep)/ || /%[fg]s:/) { bad = $0; exit }
            }
            END {
                if (bad != "") { print name ": " bad; exit 1 }
                if (!found || count > 40) { print name ": no return within 40 instructions"; exit 1 }
            }' "$work/code" || { cat "$work/code"; return 1; }
    done
}

# The code of smem_bm_copy for a short copy that a thread repeats: no call, lock prefix, barrier or jump by a table, in few
# instructions. All else is reached by a jump to another function.
copy_fast_path() {
    objdump -d --no-show-raw-insn --disassemble=smem_bm_copy "$libdir/libmf_smem.so" >"$work/code"
    awk '
        /^ *[0-9a-f]+:/ && $2 !~ /^(nop|int3|cs|data16)/ && !/xchg +%ax,%ax/ {
            count++
            if ($2 ~ /^(call|lock|xchg|syscall|sysenter|int|mfence|sfence|lfence|cpuid|rep)/ || /jmp +\*/) bad = bad $0 "\n"
            if ($2 ~ /^ret/) found = 1
        }
        END {
            if (bad != "") { print "smem_bm_copy:\n" bad; exit 1 }
            if (!found || count > 200) { print "smem_bm_copy: " count " instructions, at most 200 with a return"; exit 1 }
        }' "$work/code" || { cat "$work/code"; return 1; }
}

# Attempts a test that reads the code of the library, where that can be read and is optimised.
attempt_code() {
    if ! selected "$1"; then
        :
    elif [ "$(uname -m)" != x86_64 ] || [ "$(basename "$libdir")" != release ] || ! command -v objdump >/dev/null; then
        skip "$1" "it reads x86-64 code of a release build with objdump (binutils)"
    elif [ "${CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS:-false}" = true ]; then
        skip "$1" "this release build has the compiler's checks in it, which are calls: one without them is tested"
    else
        attempt "$@"
    fi
}

# mf perf shmem has a row for what there is, with two PEs and three, mapped and not.
measured() {
    local perf=("$libdir/mf" perf shmem --quick --only-own --repeat 1 --sizes "8,4KiB") call
    # There may be more PEs than cores, beside other tests.
    local deadline=$((3 * deadline))
    timeout "$deadline" "${perf[@]}" --init 3 --pes 2,3 --json "$work/perf.json" --svg "$work/perf.svg" >"$work/said" 2>&1 || return 1
    for call in init p g put get put+quiet quiet fence iput iget barrier_all sync_all malloc+free; do
        grep -q "^$call  *[23]  .*[0-9]" "$work/said" || { echo "no row: $call"; return 1; }
    done
    grep -q '"operation": "put"' "$work/perf.json" && grep -q '<svg' "$work/perf.svg" || { echo "no document"; return 1; }
    ! grep -q NaN "$work/perf.json" "$work/perf.svg" || { echo "no number"; return 1; }
    timeout "$deadline" "${perf[@]}" --network >"$work/said" 2>&1 || return 1
    grep -q '^put_nbi, many  *2  .*[0-9]' "$work/said" || { echo "no row over the network"; return 1; }
    [ -e "$libdir/libascend_sim.so" ] || return 0
    timeout "$deadline" "$libdir/mf" sim -- "${perf[@]}" --on-stream >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    grep -q '^put on stream  *1  .*[0-9]' "$work/said" && grep -q '^get on stream  *1  *4 KiB .*[0-9]' "$work/said" || { cat "$work/said"; return 1; }
}

# static_data: variables of programs that are built differently, of two programs in one job, and of one that is not linked.
static_data() {
    local oshcc=$work/osh/bin/oshcc where=$work/osh/statics how source=$here/openshmem/statics.c programs=$here/openshmem/programs
    local -a builds=(
        '-O0 -no-pie' '-O2 -pie -fPIE -s' '-O1 -fcommon -Wl,-z,norelro -Wl,--build-id=none' '-O2 -no-pie -Wl,-z,now -s' '-O1 -pie -fPIE -Wl,-z,now'
    )
    mkdir -p "$where" || return 1
    for how in "${builds[@]}"; do
        echo "built with $how"
        # shellcheck disable=SC2086
        "$oshcc" -D_GNU_SOURCE -I"$include" $how "$source" -o "$where/one" -ldl -lpthread && oshrun 2 "$where/one" || return 1
    done
    echo "two programs, on one host and on two"
    "$oshcc" -I"$include" "$programs/two.c" -o "$where/two.0" && "$oshcc" -I"$include" -DSECOND "$programs/two.c" -o "$where/two.1" || return 1
    for how in true false; do
        oshrun 3 -x MF_SHM=$how sh -c 'exec "$0.$((RANK == 1))"' "$where/two" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
        [ "$(grep -c 'PEs run different programs.*: 1$' "$work/said")" -eq 1 ] || { echo "it is not said once"; cat "$work/said"; return 1; }
    done
    echo "a program that loads the library later"
    "$cc" "$programs/loads_later.c" -o "$where/later" -ldl && timeout "$deadline" "$where/later" "$libdir/libmf_smem.so" &&
        MF_SHMEM_STATICS=on LD_PRELOAD=$libdir/libmf_smem.so timeout "$deadline" "$where/later" "$libdir/libmf_smem.so" on || return 1
    echo "closed streams, mapped and not"
    "$oshcc" -D_GNU_SOURCE -I"$include" "$programs/closed_streams.c" -o "$where/closed" || return 1
    for how in true false; do
        oshrun 2 -x MF_SHM=$how sh -c 'exec "$0" <&- >&- 2>&-' "$where/closed" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    done
    echo "no memory file: a warning, and the heap works"
    "$oshcc" -I"$include" -DLARGE "$programs/two.c" -o "$where/large" || return 1
    (ulimit -f 800000 && oshrun 2 -x MF_SHMEM_SYMMETRIC_SIZE=1m "$where/large" >"$work/said" 2>&1) || { cat "$work/said"; return 1; }
    [ "$(grep -c 'static data of this PE is not symmetric' "$work/said")" -eq 2 ] || { cat "$work/said"; return 1; }
}

# A block that was given back is written to: PE 1 says so, once.
quarantine() {
    "$work/osh/bin/oshcc" -I"$include" "$here/openshmem/programs/quarantine.c" -o "$work/osh/program" || return 1
    oshrun 2 -x MF_SHMEM_SYMMETRIC_SIZE=2m -x MF_SHMEM_QUARANTINE=4KiB -x MF_SHMEM_POISON=true "$work/osh/program" >"$work/said" 2>&1 &&
        [ "$(grep -c 'pe 1: something has written to a block .* 200 bytes behind its start' "$work/said")" -eq 1 ] || { cat "$work/said"; return 1; }
}

# openshmem LANGUAGE: programs of OpenSHMEM at 1, 2 and 4 PEs, examples at 8, too, and on two hosts; those in C++ at 2.
openshmem() {
    local language=$1 source name program count counts how compiler
    case $language in
        c) compiler=("$work/osh/bin/oshcc" -x c -std=c11) ;;
        c++) compiler=("$work/osh/bin/oshc++" -x c++ -std=c++11) ;;
    esac
    program=$work/osh/program
    for source in "$here"/openshmem/*.c "$generated"/openshmem/*.c "$root"/examples/openshmem/*.c; do
        name=openshmem.$(basename "$source" .c)
        selected "$name.$language" || continue
        # A matter of the library alone.
        [ "$name.$language" != openshmem.deaths.c++ ] || continue
        if ! OSHCC_CC=$cc OSHCC_CXX=$cxx "${compiler[@]}" "${strict[@]}" -O1 -D_GNU_SOURCE -I"$include" -I"$here/openshmem" "$source" -o "$program" >"$work/log" 2>&1; then
            fail "$name.$language" "it does not compile"
            continue
        fi
        how=oshrun counts="1 2 4"
        case $source in */examples/*) counts="1 2 3 4 8" ;; esac
        [ "$language" = c ] || counts=2
        case $name in
            openshmem.environment)
                mv "$program" "$work/osh/environment"
                attempt "$name.$language" environment
                continue
                ;;
            openshmem.launched)
                attempt "$name.$language" launches "$program"
                [ "$language" = c ] || continue
                if command -v mpirun.openmpi mpirun.mpich >/dev/null; then
                    attempt "$name.mpirun" mpirun_launches "$program"
                else
                    skip "$name.mpirun" "there is no mpirun.openmpi or mpirun.mpich; they come with: apt-get install openmpi-bin mpich"
                fi
                continue
                ;;
            openshmem.global_exit) how=ends_with_seven ;;
        esac
        for count in $counts; do attempt "$name.$language.$count-pes" $how "$count" "$program"; done
        [ "$language" = c ] || continue
        counts=3
        case $source in */examples/* | */statics.c) counts="2 5" ;; esac
        if [ "$has_hosts" = yes ]; then
            how=on_two_hosts
            [ "$name" != openshmem.global_exit ] || how=seven_on_two_hosts
            for count in $counts; do attempt "$name.two-hosts.$count-pes" $how "$count" "$program"; done
        else
            # Each PE as if it had a host of its own: nothing is mapped.
            attempt "$name.network.3-pes" $how 3 -x MF_SHM=false "$program"
        fi
    done
}

# An installed tree as build files of upstream's programs look for it, and moved after it was installed.
installed() {
    local built=$work/built name target
    target=$(uname -m)-linux
    mkdir -p "$built/release"
    for name in libmf_smem.so libascend_sim.so libgpu_sim.so mf mf-perf; do ln -sfn "$libdir/$name" "$built/release/$name"; done
    CARGO_TARGET_DIR=$built "$root/scripts/install" --no-build --debug "$work/first" || return 1
    for name in bin/mf lib/libmf_smem.so.0 lib/libgpu_sim.so; do
        readelf --string-dump=.gnu_debuglink "$work/first/$name" | grep "$(basename "$name").debug" &&
            nm "$work/first/$(dirname "$name")/.debug/$(basename "$name").debug" | grep ' [tT] ' >"$work/symbols" ||
            { echo "no symbols of $name apart"; return 1; }
        [ -z "$(nm "$work/first/$name" 2>/dev/null)" ] || { echo "$name has symbols"; return 1; }
    done
    CARGO_TARGET_DIR=$built "$root/scripts/install" --no-build "$work/first" || return 1
    ! [ -e "$work/first/lib/.debug/libmf_smem.so.0.debug" ] || { echo "old debug tables are left"; return 1; }
    rm -rf "$work/moved" && mv "$work/first" "$work/moved" || return 1
    # shellcheck disable=SC1091
    (set -u && unset LD_LIBRARY_PATH && . "$work/moved/set_env.sh" && [ "$MEMFABRIC_HYBRID_HOME_PATH" = "$work/moved" ] &&
        cd "$work" && "$cc" -x c -std=c11 "$here/layout_2025.c" -DMF_SMEM_ABI=2025 -I"$MEMFABRIC_HYBRID_HOME_PATH/$target/include" \
            -L"$MEMFABRIC_HYBRID_HOME_PATH/$target/lib64" -lmf_smem -o "$work/upstream" && "$work/upstream") || return 1
    grep -q '^Version=[0-9]' "$work/moved/version.info" || return 1
    for name in smem/host/smem.h acc_offload.h hybm/hybm_def.h smem/device/smem_shm_aicore_base_api.h \
        smem/device/lowlevel/smem_shm_aicore_base_api.h mf_kernels/include/mf_kernel.h openshmem/mpp/shmem.h \
        shmem.h shmem_api.h aclshmem.h host/init/shmem_host_init.h; do
        [ -f "$work/moved/$target/include/$name" ] || { echo "$name is not installed"; return 1; }
    done
    if command -v pkg-config >/dev/null; then
        name=$(PKG_CONFIG_PATH=$work/moved/lib/pkgconfig pkg-config --cflags --libs oshmem) || return 1
        # shellcheck disable=SC2086
        "$cc" "$work/moved/share/memfabric-rs/examples/openshmem/01_ring.c" $name -o "$work/ring" || return 1
        (unset LD_LIBRARY_PATH && timeout "$deadline" "$work/ring") || return 1
    fi
    # CANN SHMEM by its own names.
    for name in libshmem.so libshmem_utils.so aclshmem_bootstrap_config_store.so aclshmem_bootstrap_mpi.so aclshmem_bootstrap_uid.so; do
        [ -e "$work/moved/shmem/lib/$name" ] || { echo "$name is not installed"; return 1; }
    done
    "$cc" -x c -std=c11 -D_GNU_SOURCE -I"$work/moved/shmem/include" -I"$here/cann_shmem" "$generated/cann_shmem/functions_head.c" -o "$work/upstream" \
        -L"$work/moved/shmem/lib" -lshmem -Wl,-rpath,"$work/moved/lib" && timeout "$deadline" "$work/upstream" || return 1
    (unset LD_LIBRARY_PATH && "$work/moved/bin/oshcc" "$work/moved/share/memfabric-rs/examples/openshmem/01_ring.c" -o "$work/ring" &&
        timeout "$deadline" "$work/moved/bin/oshrun" -np 2 "$work/ring") || return 1
    "$work/moved/bin/mfcli" version | grep -q '^interface 1\.3$' || { echo "mfcli is not installed"; return 1; }
    (unset LD_LIBRARY_PATH && "$work/moved/bin/mf" sim --devices 0 --gpus 1:musa "$work/gpus" -- "$work/moved/bin/mf" info) |
        grep -q 'musa.*simulated' || { echo "the simulator of GPUs is not installed"; return 1; }
}

if ! generate >"$work/log" 2>&1; then
    fail generated "the tests of all functions cannot be generated"
elif ! command -v "$cc" >/dev/null; then
    skip "all C tests" "no C compiler \"$cc\"; it comes with: apt-get install gcc libc6-dev"
elif ! compile c "$here/free_port.c" "$work/free_port" -D_GNU_SOURCE; then
    fail free_port "it does not compile"
else
    languages=(c)
    if [ "${MF_TEST_LANGUAGES:-}" = c ]; then
        :
    elif command -v "$cxx" >/dev/null; then
        languages+=(c++)
    else
        skip "all tests as C++" "no C++ compiler \"$cxx\"; it comes with: apt-get install g++"
    fi
    if ! selected symbols; then
        :
    elif command -v nm >/dev/null; then
        attempt symbols symbols
    else
        skip symbols "no nm; it comes with: apt-get install binutils"
    fi
    if ! selected installed || [ ${#runner[@]} -gt 0 ]; then
        :
    elif [ -x "$libdir/mf" ] && [ -x "$libdir/mf-perf" ] && [ -e "$libdir/libascend_sim.so" ] && [ -e "$libdir/libgpu_sim.so" ]; then
        attempt installed installed
    else
        skip installed "no mf, no mf-perf or no simulators in $libdir; build them: cargo build -p mf-capi -p mf-cli -p mf-perf -p ascend-sim -p gpu-sim"
    fi
    [ ${#runner[@]} -gt 0 ] || attempt_code copies.fast-path copy_fast_path
    has_openshmem=no has_hosts=no
    if [ ${#runner[@]} -gt 0 ] || [ -n "${MF_TEST_LINK:-}" ]; then
        skip openshmem "oshrun starts programs of this processor without a sanitizer"
    elif [ ! -x "$libdir/mf" ]; then
        skip openshmem "no program mf in $libdir; build it: cargo build -p mf-capi -p mf-cli"
    else
        attempt openshmem.prefix openshmem_prefix
        if selected clash; then attempt clash clash; fi
        if selected openshmem.wrapper; then attempt openshmem.wrapper wrapper; fi
        if selected openshmem.wrapped_compiler; then attempt openshmem.wrapped_compiler wrapped_compiler; fi
        if [ ${#languages[@]} -gt 1 ] && selected openshmem.built_by; then build_systems; fi
        if selected openshmem.tools; then attempt openshmem.tools tools; fi
        if ! selected openshmem.perf; then
            :
        elif [ -x "$libdir/mf-perf" ]; then
            attempt openshmem.perf measured
        else
            skip openshmem.perf "no program mf-perf in $libdir; build it: cargo build -p mf-perf"
        fi
        attempt_code openshmem.fast-path fast_path
        has_openshmem=yes
        if make_hosts >"$work/no-hosts" 2>&1; then
            has_hosts=yes
        else
            skip "two hosts" "network namespaces cannot be made: $(tail -n 1 "$work/no-hosts"); programs run as if each PE had a host of its own"
        fi
        if selected openshmem.static_data; then attempt openshmem.static_data static_data; fi
        if selected openshmem.quarantine; then attempt openshmem.quarantine quarantine; fi
    fi
    if selected both_worlds; then attempt both_worlds both_worlds; fi
    if [ ${#languages[@]} -gt 1 ] && selected openshmem.headers; then headers_of_openshmem; fi
    if [ ${#languages[@]} -gt 1 ] && selected objects; then objects; fi
    if [ ${#languages[@]} -gt 1 ] && selected throwing; then throwing; fi
    if [ ${#languages[@]} -gt 1 ]; then case " ${names[*]:-hmc}" in *" hmc"*) hmc ;; esac; fi
    kernel_samples
    if [ ${#languages[@]} -gt 1 ] && selected cann_shmem.support; then cann_support; fi
    for language in "${languages[@]}"; do
        cann_shmem "$language"
        if [ $has_openshmem = yes ]; then openshmem "$language"; fi
        if selected "headers.$language"; then attempt "headers.$language" headers "$language"; fi
        programs "$language"
        examples "$language"
    done
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
