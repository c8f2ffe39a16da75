# SPDX-License-Identifier: Apache-2.0 OR MIT
# Tools between a program of OpenSHMEM and the library: profilers, and programs that know plain names only.
# Sourced by run.sh.

# counts LINE COMMAND…: as two PEs, each of which prints the LINE of the profiler behind its number.
counts() {
    local line=$1
    shift
    oshrun 2 -x "LD_PRELOAD=$work/osh/profiler.so" "$@" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
    [ "$(grep -cx "PE [01]: $line" "$work/said")" -eq 2 ] || { cat "$work/said"; return 1; }
}

# A profiler that is loaded before the library counts the calls of the functions that it has replaced: in
# programs of oshcc, in programs linked to plain names, and in programs that resolve them at run time.
tools() {
    local lib=$work/osh/lib name
    "$work/osh/bin/oshcc" -shared -fPIC -x c "$here/openshmem/profiler/profiler.c" -o "$work/osh/profiler.so" &&
        "$work/osh/bin/oshcc" -x c -std=c11 "$root/examples/openshmem/01_ring.c" -o "$work/osh/program" &&
        counts '1 shmem_int_p, 2 shmem_barrier_all' "$work/osh/program" || return 1
    # Without the wrapper and without the header, as build files of other products have it; both names of the library.
    for name in oshmem sma; do
        "$cc" -x c -std=c11 -D_GNU_SOURCE -I"$include" "$here/openshmem/plain_names.c" -o "$work/osh/program" -L"$lib" -l$name -lmf_smem \
            -Wl,-rpath,"$lib" && oshrun 2 "$work/osh/program" && counts '0 shmem_int_p, 1 shmem_barrier_all' "$work/osh/program" || return 1
    done
    # Checks of configure scripts: a program of one function, by each of the names of the library.
    for name in shmem_init shmem_getmem_nbi pshmem_putmem start_pes; do
        printf 'char %s(void);\nint main(void) { return (int)(%s == 0); }\n' $name $name >"$work/probe.c"
        "$cc" -w "$work/probe.c" -o "$work/probe" -L"$lib" -loshmem -Wl,-rpath,"$lib" && "$work/probe" || { echo "no $name"; return 1; }
    done
}
