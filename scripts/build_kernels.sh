#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compiles kernel sources to one binary, for the simulator or for an NPU. Works in a source tree and in an installation.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: build_kernels.sh [--emulate | --arch ARCH] [-g] [--werror] [-I DIR] [-D NAME[=VALUE]] FILE.cpp… -o OUT

Compiles kernels that were written in Ascend C against the headers of this library (mf_kernel.h and its like) to one
binary, which mfx_kernel_load, mf_smem.kernels.load and `mf kernel run` take.

  --emulate     for the simulator: the kernels with the emulation of Ascend C as a shared object for this host (default)
  --arch ARCH   for NPUs, by the compiler of CANN: dav-2201 (Atlas A2 and A3), dav-3510 (Ascend 950)
  -o OUT        the binary
  -g            with what a debugger needs
  --werror      warnings of the compiler are errors
  -I DIR, -D …  as compilers have them
  -h, --help    this text

Environment: CXX (c++), the compiler of the host, g++ 9 or clang 12 and newer; ASCEND_HOME_PATH, the folder of CANN;
XDG_CACHE_HOME (~/.cache), in whose folder memfabric/kernels the emulation is kept once it is compiled. The folder may be
deleted whenever no build runs.
TEXT
}

die() { echo "build_kernels: $*" >&2; exit 1; }

arch='' output='' sources=() flags=() debug=no
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --emulate) arch='' ;;
        --arch) arch=${2:?--arch takes an architecture}; shift ;;
        -o) output=${2:?-o takes a file}; shift ;;
        -g) debug=yes flags+=(-g) ;;
        --werror) flags+=(-Werror) ;;
        -I | -D) flags+=("$1" "${2:?$1 takes an argument}"); shift ;;
        -I* | -D*) flags+=("$1") ;;
        -*) usage >&2; exit 2 ;;
        *) sources+=("$1") ;;
    esac
    shift
done
[ ${#sources[@]} -gt 0 ] && [ -n "$output" ] || { usage >&2; exit 2; }
for source in "${sources[@]}"; do [ -f "$source" ] || die "there is no file $source"; done

# Beside this script in a source tree, or in the prefix where it was installed.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
for home in "$here/../include/mf_kernels" "$here/../device-kernels"; do
    [ -d "$home/emulation/src" ] && [ -d "$home/include" ] && break
done
[ -d "$home/emulation/src" ] || die "the headers for kernels are neither in $here/../include/mf_kernels nor in $here/../device-kernels"
home=$(cd "$home" && pwd)
simulator=$home/simulator
[ -d "$simulator" ] || simulator=$home/../sys/sim/include

work=$(mktemp -d) drafts=''
trap 'rm -rf "$work" ${drafts:+"$drafts"}' EXIT

# Compiles sources into a folder, two at once: compile FOLDER FLAG… -- SOURCE…
compile() {
    local folder=$1 own=() jobs=() number=0 status=0
    shift
    while [ "$1" != -- ]; do own+=("$1"); shift; done
    shift
    for source in "$@"; do
        number=$((number + 1))
        "$cxx" "${common[@]}" "${includes[@]}" "${own[@]}" -c "$source" -o "$folder/$number-$(basename "$source").o" &
        jobs+=($!)
        [ ${#jobs[@]} -lt 2 ] || { wait "${jobs[0]}" || status=1; jobs=("${jobs[@]:1}"); }
    done
    for job in "${jobs[@]}"; do wait "$job" || status=1; done
    return "$status"
}

# Sets `emulation`, the folder of the compiled emulation: kept under a name made of all its inputs. It is
# compiled in a private folder, which is renamed when it is whole; of two concurrent results the second is
# dropped.
find_emulation() {
    local cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}} key
    emulation=$work/emulation
    mkdir "$emulation"
    if [ -z "$cache" ] || ! mkdir -p "$cache/memfabric/kernels" 2>/dev/null || [ ! -w "$cache/memfabric/kernels" ]; then
        compile "$emulation" -- "$home"/emulation/src/*.cpp
        return
    fi
    cache=$cache/memfabric/kernels
    key=$({
        "$cxx" --version
        printf '%s\n' "$cxx" "${common[@]}"
        for folder in "$home/emulation" "$home/include" "$simulator"; do
            (cd "$folder" && find -L . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
        done
    } | sha256sum | cut -c1-32)
    local kept=$cache/script-$key draft
    if [ ! -e "$kept/whole" ]; then
        draft=$(mktemp -d "$cache/script-$key.XXXXXX")
        drafts=$draft
        compile "$draft" -- "$home"/emulation/src/*.cpp || return 1
        touch "$draft/whole"
        # Without -T it would be moved into a folder that stands there by now.
        mv -T "$draft" "$kept" 2>/dev/null || [ -e "$kept/whole" ] || { rm -rf "$kept"; mv -T "$draft" "$kept"; }
    fi
    emulation=$kept
}

emulate() {
    local cxx=${CXX:-c++} emulation
    command -v "$cxx" >/dev/null || die "there is no C++ compiler $cxx; Debian: apt-get install g++, or set CXX"
    local common=(-std=c++17 -O2 -fPIC -fvisibility=hidden -pthread -Wall -Wextra)
    local includes=(-I "$home/include" -I "$home/include/shmem" -I "$home/emulation/include" -I "$simulator")
    mkdir "$work/kernels"
    compile "$work/kernels" "${flags[@]}" -- "${sources[@]}" || die "it does not compile"
    find_emulation || die "the emulation does not compile"
    # Emulation and C++ library inside must not be shared with another binary's.
    echo '{ global: mfk_*; local: *; };' >"$work/shown"
    local link=(-shared -pthread -Wl,-z,defs -Wl,--version-script="$work/shown")
    [ "$debug" = yes ] || link+=(-Wl,-s)
    # Some systems have no archive of the C++ library.
    "$cxx" "${link[@]}" -static-libstdc++ -static-libgcc "$work"/kernels/*.o "$emulation"/*.o -o "$output" 2>/dev/null ||
        "$cxx" "${link[@]}" "$work"/kernels/*.o "$emulation"/*.o -o "$output" || die "it does not link"
}

for_npu() {
    local older compiler='' folder place
    case $arch in
        dav-2201) older=dav-c220 ;;
        dav-3510) older=dav-c310 ;;
        *) die "there is no architecture $arch; there are dav-2201 (Atlas A2 and A3) and dav-3510 (Ascend 950)" ;;
    esac
    for folder in "${ASCEND_HOME_PATH:-}" "${ASCEND_TOOLKIT_HOME:-}" /usr/local/Ascend/cann /usr/local/Ascend/ascend-toolkit/latest; do
        for place in bin compiler/ccec_compiler/bin tools/ccec_compiler/bin; do
            for name in bisheng ccec; do
                [ -n "$compiler" ] || [ -z "$folder" ] || [ ! -x "$folder/$place/$name" ] || compiler=$folder/$place/$name
            done
        done
    done
    [ -n "$compiler" ] || compiler=$(command -v bisheng || command -v ccec) ||
        die "no compiler of CANN (bisheng); set ASCEND_HOME_PATH to the toolkit's folder"
    local newer=(-x asc -O3 -std=c++17 "--npu-arch=$arch")
    local old=(-xcce -O3 -std=c++17 --cce-aicore-only --cce-auto-sync "--cce-aicore-arch=$older-vec"
        -mllvm -cce-aicore-stack-size=0x8000 -mllvm -cce-aicore-function-stack-size=0x8000
        -mllvm -cce-aicore-record-overflow=true -mllvm -cce-aicore-addr-transform
        -mllvm -cce-aicore-dcci-insert-for-scalar=false)
    printf '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void probe(GM_ADDR) {}\n' >"$work/probe.cpp"
    local style=("${newer[@]}")
    if ! "$compiler" "${newer[@]}" -c "$work/probe.cpp" -o "$work/probe.o" 2>"$work/newer"; then
        style=("${old[@]}")
        "$compiler" "${old[@]}" -c "$work/probe.cpp" -o "$work/probe.o" 2>"$work/older" ||
            die "$compiler takes neither newer nor older flags: $(cat "$work/newer" "$work/older")"
    fi
    # One object of all sources, because a program loads one binary.
    for source in "${sources[@]}"; do printf '#include "%s"\n' "$(readlink -f "$source")"; done >"$work/all.cpp"
    "$compiler" "${style[@]}" "${flags[@]}" -I "$home/include" -I "$home/include/shmem" -c "$work/all.cpp" -o "$output" || die "it does not compile"
}

if [ -n "$arch" ]; then for_npu; else emulate; fi
