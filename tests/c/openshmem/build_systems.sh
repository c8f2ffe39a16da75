# SPDX-License-Identifier: Apache-2.0 OR MIT
# make, configure and CMake with oshcc and oshc++ as compilers. Sourced by run.sh.

# The wrapper compiles once under every compiler name.
wrapped_compiler() {
    local bin=$work/osh/bin more=$work/osh/more as
    rm -rf "$more" && mkdir "$more" && ln -s "$bin/oshcc" "$more/mycc" && cp "$bin/oshcc" "$more/oshcc" &&
        printf '#!/bin/sh\nexec %s/oshcc "$@"\n' "$bin" >"$more/script" && chmod +x "$more/script" || return 1
    printf '#include <shmem.h>\nint main(void) { return shmem_n_pes() + 1; }\n' >"$more/a.c"
    for as in oshcc "oshcc -O2" "$bin/oshcc" "$bin/../bin/oshcc -std=c11" "$more/mycc -g" oshc++ "env A=1 oshcc" "$more/oshcc" "$more/script -O1"; do
        (export PATH=$bin:$PATH CC=$as && timeout "$deadline" oshcc "$more/a.c" -o "$more/a" && "$more/a") || { echo "CC=$as"; return 1; }
        (export PATH=$bin:$PATH CC=$as OSHCC_CC=$as && timeout "$deadline" oshcc -c "$more/a.c" -o "$more/a.o") || { echo "OSHCC_CC=$as"; return 1; }
    done
    as=$(PATH=$bin:$PATH CC="oshcc -O2" CXX="$more/mycc" sh -c 'oshcc -show -c a.c; oshc++ -show -c a.c') || return 1
    [ "$as" = "cc -I$work/osh/include/openshmem -c a.c"$'\n'"c++ -I$work/osh/include/openshmem -c a.c" ] || { echo "$as"; return 1; }
    # cc itself is a link to the wrapper.
    ln -s "$bin/oshcc" "$more/cc" && as=$(PATH=$more:$PATH CC=cc "$bin/oshcc" -show -c a.c) || return 1
    [ "${as%% *}" = gcc ] || [ "${as%% *}" = clang ] || { echo "$as"; return 1; }
}

# built_by COMMAND…: builds a source in each language in a new folder, and runs the results as two PEs.
built_by() {
    local at=$work/osh/built name
    rm -rf "$at" && mkdir "$at" || return 1
    for name in in_c.c in_cpp.cpp; do
        printf '#include <shmem.h>\nint main(void) { shmem_init(); int all = shmem_n_pes(); shmem_finalize(); return all - 2; }\n' >"$at/$name"
    done
    (cd "$at" && export PATH=$work/osh/bin:$PATH && timeout "$deadline" "$@") || { echo "failed: $*"; return 1; }
    for name in in_c in_cpp; do oshrun 2 "$at/$name" || { echo "$name, built by: $*"; return 1; }; done
}

# Like a configure script: tries each compiler in turn, exports the names, and runs make.
by_configure() {
    cat >configure.ac <<'TEXT'
AC_INIT([built], [1])
AC_CONFIG_SRCDIR([in_c.c])
AC_PROG_CC
AC_PROG_CXX
AC_CHECK_FUNC([shmem_init], [], [AC_MSG_ERROR([no shmem_init])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
TEXT
    printf 'CC = @CC@\nCXX = @CXX@\nexport CC CXX\nall: in_c in_cpp\nin_c: in_c.c\n\t$(CC) @CFLAGS@ -o $@ in_c.c\nin_cpp: in_cpp.cpp\n\t$(CXX) @CXXFLAGS@ -o $@ in_cpp.cpp\n' >Makefile.in
    autoconf && export "$@" && ./configure && make
}

# CMake exports CC and CXX itself while it asks the compilers.
by_cmake() {
    printf 'cmake_minimum_required(VERSION 3.13)\nproject(built C CXX)\nadd_executable(in_c in_c.c)\nadd_executable(in_cpp in_cpp.cpp)\n' >CMakeLists.txt
    env "$@" cmake -S . -B . && cmake --build .
}

build_systems() {
    local name=openshmem.built_by
    if ! command -v make >/dev/null; then
        skip $name "no make; it comes with: apt-get install make"
        return
    fi
    attempt $name.make built_by make CC=oshcc "CXX=oshc++ -O1" in_c in_cpp
    attempt $name.make-exported built_by env "CC=oshcc -O1" CXX=oshc++ make in_c in_cpp
    export -f by_configure by_cmake
    if command -v autoconf >/dev/null; then
        attempt $name.configure built_by bash -c 'by_configure CC=oshcc CXX=oshc++'
    else
        skip $name.configure "no autoconf; it comes with: apt-get install autoconf"
    fi
    if command -v cmake >/dev/null; then
        attempt $name.cmake built_by bash -c 'by_cmake CC=oshcc CXX=oshc++'
    else
        skip $name.cmake "no cmake; it comes with: apt-get install cmake"
    fi
}
