#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Tests an installed tree from outside: nothing of the sources is used but to compare with.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: tests/install/run.sh PREFIX

Tests what scripts/install has put below PREFIX: names of the library, both licences, and that the C and C++ examples of
the tree compile from the tree alone and run under its mf, by plain options, pkg-config and CMake.

Prints one line a test (ok, FAIL, skip); the exit status is 0 when nothing failed.
Environment: CC (cc), CXX (c++), MF_TEST_DEADLINE_S (60, seconds for each program).
TEXT
}

case "${1:-}" in -h | --help) usage; exit 0 ;; esac
[ $# -eq 1 ] || { usage >&2; exit 2; }
prefix=$(cd "$1" && pwd) || exit 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
cc=${CC:-cc} cxx=${CXX:-c++} deadline=${MF_TEST_DEADLINE_S:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
examples=$prefix/share/memfabric-rs/examples
version=$(sed -n 's/^Version=//p' "$prefix/version.info")
# Only the tree is found, and no job around this script.
unset LD_LIBRARY_PATH CPATH RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT MF_CONFIG_STORE_URL MF_JOB_SECRET

# attempt NAME COMMAND…: a test; its output is shown when it fails.
attempt() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1 </dev/null; then
        echo "ok $name"
    else
        failed=1
        echo "FAIL $name"
        sed 's/^/    /' "$work/log"
    fi
}

skip() { echo "skip $1: $2"; }

# The library has a name with a number, which programs are linked to; all other names are links to it, or need it.
names() {
    local soname name program=$work/names
    soname=$(readelf -d "$prefix/lib/libmf_smem.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    [[ $soname =~ ^libmf_smem\.so\.[0-9]+$ ]] || { echo "the soname is $soname"; return 1; }
    [ -f "$prefix/lib/$soname" ] && [ ! -L "$prefix/lib/$soname" ] || { echo "there is no file $soname"; return 1; }
    for name in libmf_smem.so libmf_hybm_core.so libshmem.so libshmem_utils.so libhmc.so; do
        [ "$(readlink -f "$prefix/lib/$name")" = "$prefix/lib/$soname" ] || { echo "$name is no link to $soname"; return 1; }
        [[ $(readlink "$prefix/lib/$name") != /* ]] || { echo "$name is a link that does not move with the tree"; return 1; }
    done
    # Opened by every name, and linked: one copy.
    "$cc" "$here/names.c" -o "$program" -I"$prefix/include" -L"$prefix/lib" -lmf_smem -ldl -Wl,-rpath,"$prefix/lib" || return 1
    readelf -d "$program" | grep -F "[$soname]" || { echo "a program does not need $soname"; return 1; }
    timeout "$deadline" "$program" "$prefix/lib/$soname" "$prefix/lib/libmf_smem.so" "$prefix/lib/libmf_hybm_core.so" \
        "$prefix/lib/libshmem.so" "$prefix/lib/libhmc.so" "$prefix/lib/liboshmem.so" "$prefix/lib/libmf_acc_offload.so" || return 1
    [ "$(nm -D --defined-only "$prefix/lib/libmf_acc_offload.so" | grep -c ' T offload_')" -eq 10 ] || { echo "libmf_acc_offload.so has other names"; return 1; }
    [ -f "$prefix/lib/libmf_hybm_accoffload.so" ] && [ ! -s "$prefix/lib/libmf_hybm_accoffload.so" ] || { echo "libmf_hybm_accoffload.so is not empty"; return 1; }
}

licences() {
    local name
    for name in LICENSE-APACHE LICENSE-MIT; do cmp "$root/$name" "$prefix/share/doc/memfabric-rs/$name" || return 1; done
    grep -q 'Permission is hereby granted' "$prefix/share/doc/memfabric-rs/LICENSE-MIT"
}

# compiled SOURCE OUTPUT OPTION…: with headers and library of the tree.
compiled() {
    local source=$1 output=$2 compiler=("$cc" -std=c11 -D_GNU_SOURCE)
    shift 2
    case $source in *.cpp) compiler=("$cxx" -std=c++17) ;; esac
    "${compiler[@]}" -Wall -Wextra -Werror "$source" -o "$output" "$@"
}

# Manual pages and completions of mf, as man and shells find them.
manual() {
    grep -q '^\.TH mf' "$prefix/share/man/man1/mf.1" && [ -s "$prefix/share/man/man1/mf-run.1" ] || return 1
    bash -n "$prefix/share/bash-completion/completions/mf" || return 1
    grep -q '^#compdef mf' "$prefix/share/zsh/site-functions/_mf" && grep -q 'complete -c mf' "$prefix/share/fish/vendor_completions.d/mf.fish"
}

# example SOURCE: alone in a separate folder with its neighbours in the tree, under mf run if it has ranks.
example() {
    local source=$1 program=$work/program
    compiled "$source" "$program" -I"$prefix/include" -L"$prefix/lib" -lmf_smem -lpthread -Wl,-rpath,"$prefix/lib" || return 1
    case $(basename "$source") in
        # They start processes of their own.
        1[234]_*) (cd "$work" && timeout "$deadline" "$program") ;;
        # They need kernels, and are run with the simulator elsewhere.
        08_* | 11_*) ;;
        *) (cd "$work" && timeout "$deadline" "$prefix/bin/mf" run -n 2 -- "$program") ;;
    esac
}

by_pkg_config() {
    local options
    options=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs mf_smem) || return 1
    [ "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion mf_smem)" = "$version" ] || { echo "another version"; return 1; }
    # shellcheck disable=SC2086
    compiled "$examples/01_pool.c" "$work/program" $options -Wl,-rpath,"$prefix/lib" &&
        timeout "$deadline" "$prefix/bin/mf" run -n 2 -- "$work/program"
}

# hmc_runs PROGRAM…: a server and a client of HMC, each by its command, through a small buffer.
hmc_runs() (
    cd "$work" && export UHM_PORT=21025 UHM_MAX_BYTES=65536 UHM_BUFFER_BYTES=65536 CTRL_UDS_DIR=$work
    timeout "$deadline" "$1" --mode serial &
    timeout "$deadline" "$2" --mode serial && wait $!
)

hmc() {
    local name options
    options=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs hmc) || return 1
    for name in server client; do
        # shellcheck disable=SC2086
        compiled "$examples/hmc/uhm_$name.cpp" "$work/uhm_$name" $options || return 1
    done
    hmc_runs "$work/uhm_server" "$work/uhm_client"
}

# configured PACKAGE VERSION…: whether CMake finds the package in the tree with these arguments, for a processor if there is one.
configured() {
    local folder=$work/configured processor=${processor:-}
    rm -rf "$folder" && mkdir "$folder"
    printf 'cmake_minimum_required(VERSION 3.13)\nproject(found C)\nfind_package(%s REQUIRED)\n' "$*" >"$folder/CMakeLists.txt"
    cmake -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" ${processor:+-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$processor"}
}

by_cmake() {
    cp "$here/CMakeLists.txt" "$work/" && cmake -S "$work" -B "$work/built" -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$examples" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" && cmake --build "$work/built" || return 1
    local program
    for program in pool objects; do timeout "$deadline" "$prefix/bin/mf" run -n 2 -- "$work/built/$program" || return 1; done
    configured mf_smem "$version" || { echo "version $version is not found"; return 1; }
    configured mf_smem "$version" EXACT || { echo "exactly $version is not found"; return 1; }
    configured shmem || { echo "shmem is not found"; return 1; }
    hmc_runs "$work/built/uhm_server" "$work/built/uhm_client" || return 1
    ! configured mf_smem 999.0 || { echo "version 999.0 is found"; return 1; }
    ! configured mf_smem 0.0.1 EXACT || { echo "version 0.0.1 is found as if it were $version"; return 1; }
    processor=$(uname -m) configured mf_smem || { echo "it is not found for this processor"; return 1; }
    ! processor=riscv64 configured mf_smem || { echo "it is found for another processor"; return 1; }
}

attempt install.licences licences
attempt install.manual manual
if ! command -v "$cc" >/dev/null; then
    skip "install.examples" "no C compiler \"$cc\"; it comes with: apt-get install gcc libc6-dev"
    exit $failed
fi
if command -v readelf >/dev/null; then attempt install.names names; else skip install.names "no readelf; it comes with: apt-get install binutils"; fi
for source in "$examples"/*.c "$examples"/*.cpp; do
    case $source in *.cpp) command -v "$cxx" >/dev/null || { skip "install.$(basename "$source")" "no \"$cxx\"; it comes with: apt-get install g++"; continue; } ;; esac
    attempt "install.$(basename "$source")" example "$source"
done
if command -v pkg-config >/dev/null; then
    attempt install.pkg-config by_pkg_config
    if command -v "$cxx" >/dev/null; then attempt install.hmc hmc; else skip install.hmc "no \"$cxx\"; it comes with: apt-get install g++"; fi
else
    skip install.pkg-config "no pkg-config; it comes with: apt-get install pkg-config"
fi
if ! command -v cmake >/dev/null || ! command -v make >/dev/null; then
    skip install.cmake "no cmake and make; they come with: apt-get install cmake make"
elif ! command -v "$cxx" >/dev/null; then
    skip install.cmake "no C++ compiler \"$cxx\"; it comes with: apt-get install g++"
else
    attempt install.cmake by_cmake
fi
exit $failed
