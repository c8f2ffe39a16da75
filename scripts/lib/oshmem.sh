# SPDX-License-Identifier: Apache-2.0 OR MIT
# Libraries and tools beside libmf_smem.so, and detection of installations of OpenSHMEM. Sourced by scripts/install and tests/c/run.sh, from anywhere.

# plain_compiler: the C compiler that CC names, or cc where CC is another OpenSHMEM wrapper, which would link
# its own library.
plain_compiler() {
    local word
    for word in ${CC:-}; do
        case $(basename -- "$(readlink -f -- "$(command -v -- "$word")")") in osh*) echo cc; return ;; esac
    done
    echo "${CC:-cc}"
}

# build_oshmem ROOT LIBDIR: makes LIBDIR/liboshmem.so, the plain names, beside LIBDIR/libmf_smem.so, and libsma.so, its other name.
build_oshmem() {
    local compiler made names status=0
    compiler=$(plain_compiler)
    names=$(mktemp -d) && made=$(mktemp "$2/.liboshmem.XXXXXX") || return 1
    oshmem_names "$1/core/capi/include/openshmem" >"$names/names.inc"
    # The file of the compiler must be new: programs may use the old one.
    $compiler -shared -nostartfiles -I"$names" "$1/core/oshmem/entries.S" -o "$made" -Wl,-s -Wl,-soname,liboshmem.so -L"$2" -lmf_smem \
        -Wl,-rpath,'$ORIGIN' -Wl,-z,noexecstack || status=1
    rm -rf "$names"
    if [ $status -ne 0 ]; then
        rm -f "$made"
        return 1
    fi
    chmod 755 "$made" && mv -f "$made" "$2/liboshmem.so" && ln -sfn liboshmem.so "$2/libsma.so"
}

# oshmem_names FOLDER: one line "ENTRY name symbol" for each function that the headers there declare. The names of shmemx.h have
# twins that no header declares.
oshmem_names() (
    declared='s/^[^(]*[ *]\([a-z_0-9]*\)(.*) MF_SHMEM_SYMBOL("\([a-z_0-9]*\)").*;$/'
    {
        sed -n "${declared}ENTRY \\1 \\2/p" "$1/shmem.h" "$1/pshmem.h" "$1/shmemx.h"
        sed -n "${declared}ENTRY p\\1 p\\2/p" "$1/shmemx.h"
    } | LC_ALL=C sort -u
)

# link_cann LIBDIR: the names by which programs of CANN SHMEM find LIBDIR/libmf_smem.so: the library, its helpers, and the
# plugins that launchers open by name.
link_cann() {
    local name
    for name in libshmem.so libshmem_utils.so aclshmem_bootstrap_config_store.so aclshmem_bootstrap_mpi.so aclshmem_bootstrap_uid.so; do
        ln -sfn libmf_smem.so "$1/$name" || return 1
    done
}

# build_shmem_support ROOT LIBDIR: makes LIBDIR/libshmem_test_support.so, what tests of CANN SHMEM know of the library's inside, beside
# LIBDIR/libmf_smem.so.
build_shmem_support() {
    local compiler made
    compiler=$(plain_compiler)
    made=$(mktemp "$2/.libshmem_test_support.XXXXXX") || return 1
    if ! $compiler -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -fPIC -fvisibility=hidden -shared -I"$1/core/capi/include" \
        "$1/core/shmem-support/state.c" -o "$made" -Wl,-s -Wl,-soname,libshmem_test_support.so -L"$2" -lmf_smem -lpthread -Wl,-rpath,'$ORIGIN'; then
        rm -f "$made"
        return 1
    fi
    chmod 755 "$made" && mv -f "$made" "$2/libshmem_test_support.so"
}

# build_acc_offload ROOT LIBDIR: makes LIBDIR/libmf_acc_offload.so, the functions of acc_offload.h, beside LIBDIR/libmf_smem.so.
build_acc_offload() {
    local compiler made
    compiler=$(plain_compiler)
    made=$(mktemp "$2/.libmf_acc_offload.XXXXXX") || return 1
    if ! $compiler -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -fPIC -fvisibility=hidden -nostdlib -shared -I"$1/core/capi/include" \
        "$1/core/acc-offload/acc_offload.c" -o "$made" -Wl,-soname,libmf_acc_offload.so -L"$2" -lmf_smem -Wl,-rpath,'$ORIGIN'; then
        rm -f "$made"
        return 1
    fi
    chmod 755 "$made" && mv -f "$made" "$2/libmf_acc_offload.so"
}

# install_osh_tools ROOT BINDIR: the wrappers of compilers, and the launcher beside BINDIR/mf.
install_osh_tools() {
    install -m 755 "$1/scripts/oshcc" "$2/oshcc" || return 1
    local name
    for name in oshc++ oshCC oshcxx; do ln -sfn oshcc "$2/$name"; done
    ln -sfn mf "$2/oshrun"
}
