#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs and tries the files of a release, as scripts/release --check does: try.sh FOLDER WORK PART…
set -euo pipefail
[ $# -ge 3 ] || { echo "Usage: tests/release/try.sh FOLDER WORK PART…" >&2; exit 2; }
out=$1 work=$2
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
passed=() skipped=() failed=()
scratch=$(mktemp -d "$work/try.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# there NAME…: tools; false, with a note, if one is missing.
there() {
    local name
    for name; do
        command -v "$name" >/dev/null || { skip "there is no $name (Debian: apt-get install $name)"; return 1; }
    done
}
skip() { echo "skip $part: $1" >&2; }
# one PATTERN: prints the last matching file of the release. False if no file matches.
one() {
    local found
    found=$(compgen -G "$out/$1" | tail -n 1) || { skip "there is no $1 in $out; scripts/release --only $part"; return 1; }
    echo "$found"
}

# base_root NAME PACKAGE…: a file with a root of this Debian and those packages; made once, below WORK.
base_root() {
    local name=$1
    shift
    # shellcheck disable=SC1091
    [ -e "$work/$name.tar" ] || {
        echo "   making $work/$name.tar by mmdebstrap, which takes a minute" >&2
        mmdebstrap --quiet --variant=minbase ${1:+--include="$*"} "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/$name.new.tar" >&2
        mv "$work/$name.new.tar" "$work/$name.tar"
    }
    echo "$work/$name.tar"
}

# inside ROOT COMMAND…: in that root, with a network and mounts of its own, which end with it.
inside() {
    # shellcheck disable=SC2016
    unshare --mount --net --pid --fork -- sh -c '
        ip link set lo up && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm" && exec chroot "$0" "$@"' "$@"
}

try_sums() { (cd "$out" && sha256sum --check --quiet SHA256SUMS); }

try_sbom() {
    local file
    file=$(one "*.cdx.json") || return 77
    scripts/lib/sbom.py check "$file"
}

try_tree() {
    local file
    file=$(one "*-linux-$(uname -m).tar.xz") || return 77
    mkdir "$scratch/tree"
    tar -xJf "$file" -C "$scratch/tree" --strip-components 1
    "$scratch/tree/bin/mf" demo -n 2 -- "$scratch/tree/bin/mf"
    tests/install/run.sh "$scratch/tree"
}

try_debian() {
    local root=$scratch/root base
    one "libmemfabric0_*.deb" >/dev/null || return 77
    there lintian mmdebstrap unshare ip || return 77
    lintian --allow-root --fail-on error "$out"/*.deb
    [ "$(id -u)" = 0 ] || { skip "a root of its own needs the user root"; return 77; }
    base=$(base_root base)
    mkdir "$root"
    tar -xf "$base" -C "$root"
    cp "$out"/*.deb "$root/tmp/"
    echo "-- two commands in a bare root"
    inside "$root" sh -c 'dpkg --install /tmp/libmemfabric0_*.deb /tmp/memfabric-tools_*.deb /tmp/memfabric-sim_*.deb'
    inside "$root" mf demo -n 2 -- /usr/bin/mf
    inside "$root" mf sim --devices 2 -- mf info
    echo "-- programs, library and loader"
    inside "$root" sh -ec '
        dpkg --install /tmp/libmemfabric-dev_*.deb
        ldconfig -p | grep "libmf_smem.so.0 "
        mf --version; mfcli version; test -x /usr/bin/mf-perf
        test -e /usr/lib/*-linux-gnu/memfabric/bin/oshcc'
    echo "-- removal"
    inside "$root" sh -ec '
        dpkg --purge libmemfabric-dev memfabric-sim memfabric-tools libmemfabric0
        ! find / -xdev -path /proc -prune -o \( -name "*memfabric*" -o -name "libmf_smem*" \) -print | grep -v "^/tmp/\|^/var/log/"'
}

# image FILE CONTEXT BASE COMMAND…: builds the Containerfile on a base of the root in the file BASE, and runs the command in it.
image() {
    local file=$1 context=$2 base=$3 name container
    shift 3
    local buildah=(buildah --root "$scratch/images" --runroot "$scratch/images-run" --storage-driver vfs)
    container=$("${buildah[@]}" from scratch)
    "${buildah[@]}" add --quiet "$container" "$base" / >/dev/null
    "${buildah[@]}" config --env PIP_BREAK_SYSTEM_PACKAGES=1 "$container"
    "${buildah[@]}" commit --quiet --rm "$container" localhost/base >/dev/null
    "${buildah[@]}" build --quiet --isolation chroot --pull-never --build-arg BASE=localhost/base --file "$file" --tag localhost/made "$context" >/dev/null
    container=$("${buildah[@]}" from --pull-never localhost/made)
    "${buildah[@]}" run --isolation chroot "$container" -- "$@"
    "${buildah[@]}" rm "$container" >/dev/null
    "${buildah[@]}" rmi --all --force >/dev/null
}

try_deploy() {
    there mmdebstrap buildah || return 77
    [ "$(id -u)" = 0 ] || { skip "images are built by the user root here"; return 77; }
    one "libmemfabric0_*.deb" >/dev/null || return 77
    echo "-- image of tools"
    image docs/deploy/tools.Containerfile "$out" "$(base_root base)" mf demo -n 2 -- /usr/bin/mf
    one "mf_smem-*_$(uname -m).whl" >/dev/null || return 77
    echo "-- image of a program in Python"
    mkdir "$scratch/context"
    cp "$(one "mf_smem-*_$(uname -m).whl")" "$scratch/context/"
    cp examples/01_pool.py "$scratch/context/program.py"
    image docs/deploy/Containerfile "$scratch/context" "$(base_root base-python python3 python3-pip)" mf run -n 2 -- python3 /program.py
}

try_wheels() {
    local wheel venv=$scratch/venv
    wheel=$(one "mf_smem-*_$(uname -m).whl") || return 77
    "${PYTHON:-python3}" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel" "$out"/*-none-any.whl
    "$venv/bin/mf" demo -n 2 -- "$venv/bin/python"
    "$venv/bin/python" -c 'import mf_smem, memfabric_hybrid, mf_adapter, shmem, openshmem, hmc, mf_connectors, mooncake.engine; print(mf_smem.version())'
    "$venv/bin/python" -m pip check --disable-pip-version-check
}

try_aarch64() {
    local file
    file=$(one "mf_smem-*_aarch64.whl") || return 77
    python3 -B - "$file" python/build_backend <<'TEXT'
import sys, zipfile
sys.path.insert(0, sys.argv[2])
import mf_elf
names = {}
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in wheel.namelist():
        data = wheel.read(name)
        if data[:4] == b"\x7fELF":
            names[name] = mf_elf.read(data).machine
assert len(names) >= 5 and set(names.values()) == {"aarch64"}, names
print(f"{len(names)} files for aarch64")
TEXT
}

try_sdists() {
    local files=("$out"/mf_smem-*.tar.gz "$out"/*.tar.gz) file
    [ -e "${files[0]}" ] || { skip "there are no source distributions in $out; scripts/release --only sdists"; return 77; }
    for file in "${files[@]}"; do
        case $file in *-deploy.tar.gz) continue ;; esac
        tar -tzf "$file" | grep -c '/PKG-INFO$' >/dev/null || { echo "$(basename "$file") has no PKG-INFO"; return 1; }
    done
}

for part in sums "$@"; do
    printf '== %s\n' "$part"
    status=0
    # In a subshell without the errexit of an `if`, which functions would lose.
    (set -e; "try_$part") >"$work/try-$part.log" 2>&1 &
    wait $! || status=$?
    grep '^skip ' "$work/try-$part.log" || true
    case $status in
        0) passed+=("$part") ;;
        77) skipped+=("$part") ;;
        *) failed+=("$part"); tail -n 20 "$work/try-$part.log" ;;
    esac
done
printf 'passed: %s\nskipped: %s\nfailed: %s\n' "${passed[*]:-}" "${skipped[*]:-}" "${failed[*]:-}"
[ ${#failed[@]} -eq 0 ]
