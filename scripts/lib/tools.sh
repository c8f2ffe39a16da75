# SPDX-License-Identifier: Apache-2.0 OR MIT
# Finds tools by exactly what will be used of them, and names the packages that bring them. Sourced, from the root of the tree.

# Packages of tools, and the steps that need them: NAME|DEBIAN AND UBUNTU|FEDORA|WHAT.
package_table='cc|gcc libc6-dev|gcc glibc-devel|
c++|g++|gcc-c++|what is in C++, and kernels on the simulator
python3|python3 python3-venv|python3|
ensurepip|python3-venv|python3-libs|everything in Python
git|git|git|
awk|gawk|gawk|
tar|tar|tar|
sha256sum|coreutils|coreutils|
etcd|etcd-server|etcd|the store on etcd
ip|iproute2|iproute|jobs on two hosts: network namespaces
openssl|openssl|openssl|openssl against the store
mpirun|openmpi-bin|openmpi|ranks started by mpirun
mpicc|libopenmpi-dev|openmpi-devel|ranks started by mpirun
libclang|libclang-dev|clang-devel|ranks started by mpirun
torch|python3-torch|python3-torch|torch CPU tensors in a pool, ranks started by torchrun
pkg-config|pkg-config|pkgconf-pkg-config|programs that are compiled by pkg-config
cmake|cmake make|cmake make|programs that are built by CMake
aarch64-linux-gnu-gcc|gcc-aarch64-linux-gnu libc6-dev-arm64-cross|gcc-aarch64-linux-gnu|aarch64
qemu-aarch64|qemu-user|qemu-user|aarch64
qemu-system-x86_64|qemu-system-x86 busybox-static kmod rdma-core ibverbs-providers libucx0|qemu-system-x86 busybox kmod rdma-core ucx-ib|verbs of Soft-RoCE
busybox|busybox-static|busybox|verbs of Soft-RoCE
kmod|kmod|kmod|verbs of Soft-RoCE
srun|slurmctld slurmd slurm-client munge|slurm slurm-slurmctld slurm-slurmd munge|jobs under Slurm'

# packages_of NAME: reads the row of NAME into debian, fedora and without; false if it does not exist.
packages_of() {
    local name
    while IFS='|' read -r name debian fedora without; do [ "$name" != "$1" ] || return 0; done <<<"$package_table"
    return 1
}

# brings NAME: which packages bring it, as half a sentence.
brings() {
    local debian fedora without
    case $1 in
        cargo) echo "Rust $(wanted_rust) or newer comes with: https://rustup.rs, or apt install rustup (Debian, Ubuntu), dnf install rustup (Fedora)" ;;
        *)
            if packages_of "$1"; then
                echo "it comes with: apt install $debian (Debian, Ubuntu), dnf install $fedora (Fedora)"
            else
                echo "install it"
            fi
            ;;
    esac
}

# wanted_rust: the oldest Rust that compiles this tree.
wanted_rust() {
    [[ $(<Cargo.toml) =~ rust-version\ =\ \"([0-9.]+)\" ]] && echo "${BASH_REMATCH[1]}"
}

# older VERSION THAN: true when VERSION (the first two numbers in that text) is lower.
older() {
    [[ $1 =~ ([0-9]+)\.([0-9]+) ]] || return 0
    local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
    ((major < ${2%%.*} || (major == ${2%%.*} && minor < ${2#*.})))
}

# lacks NAME: prints the defect of a tool; false without one.
lacks() {
    local version
    case $1 in
        ensurepip)
            ! python3 -c 'import ensurepip, venv' 2>/dev/null || return 1
            echo "python3 cannot make a virtual environment (there is no ensurepip)"
            return 0
            ;;
        libclang) ! find_libclang >/dev/null || return 1; echo "there is no libclang"; return 0 ;;
        torch)
            ! /usr/bin/python3 -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("torch") is None)' 2>/dev/null || return 1
            echo "there is no torch for /usr/bin/python3"
            return 0
            ;;
    esac
    command -v "$1" >/dev/null || { echo "there is no $1"; return 0; }
    case $1 in
        cargo)
            version=$(cargo --version 2>&1) || { echo "cargo does not run: ${version%%$'\n'*}"; return 0; }
            if older "$version" "$(wanted_rust)"; then echo "this is $version"; else return 1; fi
            ;;
        python3)
            version=$(python3 --version 2>&1) || { echo "python3 does not run: ${version%%$'\n'*}"; return 0; }
            if older "$version" 3.10; then echo "this is $version, and 3.10 or newer is needed"; else return 1; fi
            ;;
        cc | aarch64-linux-gnu-gcc)
            # Without the C library's files it compiles nothing that runs; a compiler that does not know the file prints its bare name.
            if [ "$("$1" -print-file-name=crt1.o 2>/dev/null)" = crt1.o ]; then echo "$1 has no C library to link with"; else return 1; fi
            ;;
        mpicc)
            # Debian's openmpi-bin has the compiler without the headers.
            if compiles_mpi "$1"; then return 1; else echo "$1 does not find mpi.h"; fi
            ;;
        *) return 1 ;;
    esac
}

# compiles_mpi COMPILER: true when it finds MPI's header.
compiles_mpi() { echo '#include <mpi.h>' | "$1" -E -x c - >/dev/null 2>&1; }

# need_tools SCRIPT NAME…: ends the script, with one line for each, when something is missing that it cannot do without.
need_tools() {
    local script=$1 name problem missing=0
    shift
    for name; do
        problem=$(lacks "$name") || continue
        printf '%s: %s; %s\n' "$script" "$problem" "$(brings "$name")" >&2
        missing=1
    done
    [ $missing = 0 ] || exit 1
}

# find_libclang [FOLDER…]: prints the libclang that bindgen will open, with its own headers (stddef.h) beside
# it; false if not found. Debian's libclang-cpp*.so* is another library. The folders default to bindgen's own.
find_libclang() {
    local folders=("$@") folder file
    if [ ${#folders[@]} -eq 0 ]; then
        if [ -n "${LIBCLANG_PATH:-}" ]; then
            [ ! -f "$LIBCLANG_PATH" ] || { echo "$LIBCLANG_PATH"; return 0; }
            folders=("$LIBCLANG_PATH")
        else
            folders=(/usr/lib/llvm-*/lib /usr/lib/llvm*/lib /usr/lib*/*-linux-gnu /usr/lib64 /usr/lib /usr/local/lib*)
        fi
    fi
    for folder in "${folders[@]}"; do
        for file in "$folder"/libclang.so "$folder"/libclang.so.[0-9]* "$folder"/libclang-[0-9]*.so \
            "$folder"/libclang-[0-9]*.so.[0-9]*; do
            [ -e "$file" ] || continue
            # The compiler's headers lie beside the real file; the library alone cannot read C.
            if compgen -G "$(dirname "$(readlink -f "$file")")/clang/*/include/stddef.h" >/dev/null ||
                compgen -G "/usr/lib/llvm-*/lib/clang/*/include/stddef.h" >/dev/null ||
                compgen -G "/usr/lib/clang/*/include/stddef.h" >/dev/null; then
                echo "$file"
                return 0
            fi
        done
    done
    return 1
}
