#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compiles kernel sources to one binary, for the simulator or for an NPU. Works in a source tree and in an installation.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: build_kernels.sh [--emulate | --arch ARCH] [-g] [-I DIR] [-D NAME[=VALUE]] FILE.cpp… -o OUT

Compiles kernels that were written in Ascend C against the headers of this library (mf_kernel.h and its like) to one
binary, which mfx_kernel_load, mf_smem.kernels.load and `mf kernel run` take.

  --emulate     for the simulator: the kernels with the emulation of Ascend C as a shared object for this host (default)
  --arch ARCH   for NPUs, by the compiler of CANN: dav-2201 (Atlas A2 and A3), dav-3510 (Ascend 950)
  -o OUT        the binary
  -g            with what a debugger needs
  -I DIR, -D …  as compilers have them
  -h, --help    this text

Environment: CXX (c++), the compiler of the host, g++ 9 or clang 12 and newer; ASCEND_HOME_PATH, the folder of CANN.
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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

emulate() {
    local cxx=${CXX:-c++} jobs=() job status=0
    command -v "$cxx" >/dev/null || die "there is no C++ compiler $cxx; Debian: apt-get install g++, or set CXX"
    local common=(-std=c++17 -O2 -fPIC -fvisibility=hidden -pthread -Wall -Wextra -Werror
        -I "$home/include" -I "$home/emulation/include" -I "$simulator")
    local number=0
    for source in "${sources[@]}"; do
        number=$((number + 1))
        "$cxx" "${common[@]}" "${flags[@]}" -c "$source" -o "$work/kernel-$number.o" & jobs+=($!)
        [ $((${#jobs[@]} % 2)) = 1 ] || wait "${jobs[@]: -2:1}" || true
    done
    for source in "$home"/emulation/src/*.cpp; do
        "$cxx" "${common[@]}" -c "$source" -o "$work/emulation-$(basename "$source" .cpp).o" & jobs+=($!)
        [ $((${#jobs[@]} % 2)) = 1 ] || wait "${jobs[@]: -2:1}" || true
    done
    for job in "${jobs[@]}"; do wait "$job" || status=1; done
    [ "$status" = 0 ] || die "it does not compile"
    # Neither the emulation nor the C++ library inside may meet those of another binary.
    echo '{ global: mfk_*; local: *; };' >"$work/shown"
    local link=(-shared -pthread -Wl,-z,defs -Wl,--version-script="$work/shown")
    [ "$debug" = yes ] || link+=(-Wl,-s)
    # Some systems have no archive of the C++ library.
    "$cxx" "${link[@]}" -static-libstdc++ -static-libgcc "$work"/*.o -o "$output" 2>/dev/null ||
        "$cxx" "${link[@]}" "$work"/*.o -o "$output" || die "it does not link"
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
        die "there is no compiler of CANN (bisheng); set ASCEND_HOME_PATH to the toolkit's folder"
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
    "$compiler" "${style[@]}" "${flags[@]}" -I "$home/include" -c "$work/all.cpp" -o "$output" || die "it does not compile"
}

if [ -n "$arch" ]; then for_npu; else emulate; fi
