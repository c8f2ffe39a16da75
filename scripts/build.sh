#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds what users of CANN SHMEM build by a script of this name: a package that installs itself, and what options ask for.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: scripts/build.sh [-python_extension] [-uttests] [-enable_rdma] [-DSHMEM_RDMA=ON]

Builds the release library and its tools, and from them target/shmem/SHMEM_VERSION_linux-ARCH.run, a package that checks
and installs itself (--check, --install, --install-path=FOLDER, --help). The same files lie in target/shmem/install.

  -python_extension   also the Python package, as a wheel in target/shmem, which pip installs
  -uttests            also what tests/unittest/shmem_unittest runs: the tests of symmetric heaps
  -enable_rdma        accepted: RDMA is found when a program runs, and needs nothing here (docs/operations.md, "Several hosts");
                      the same for -DSHMEM_RDMA=ON
  -h, -help           this text

Each option may also begin with --. Environment: CARGO_TARGET_DIR (target), PYTHON (python3).
TEXT
}

cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=no tests=no
for argument; do
    case ${argument/#--/-} in
        -python_extension) python=yes ;;
        -uttests) tests=yes ;;
        -enable_rdma | -DSHMEM_RDMA=*) ;;
        -h | -help) usage; exit 0 ;;
        *) echo "build.sh: unknown option: $argument" >&2; usage >&2; exit 2 ;;
    esac
done
# shellcheck source=scripts/lib/tools.sh
. scripts/lib/tools.sh
# shellcheck source=scripts/lib/package.sh
. scripts/lib/package.sh
need_tools scripts/build.sh cargo cc tar sha256sum

output=${CARGO_TARGET_DIR:-$PWD/target}/shmem
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
rm -rf "$output/install"
mkdir -p "$output"
scripts/install "$output/install" >"$output/install.log" || { cat "$output/install.log" >&2; exit 1; }
package=$output/SHMEM_${version}_linux-$(uname -m).run
make_package "$PWD" "$output/install" "$version" "$package"
echo "package: $package"
if [ $python = yes ]; then
    need_tools scripts/build.sh "${PYTHON:-python3}"
    # One of an older tag would be taken for it.
    rm -f "$output"/mf_smem-*.whl
    "${PYTHON:-python3}" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$output" ./python
    printf 'wheel: %s\n' "$output"/*.whl
fi
if [ $tests = yes ]; then
    cargo test --release --locked --no-run --package mf-shmem --package mf-tests --test heap --lib
    echo "tests: tests/unittest/shmem_unittest"
fi
