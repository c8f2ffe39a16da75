#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compiles kernel sources to one binary, for the simulator or for an NPU: `mf kernel build` by another name. Works in a source
# tree and in an installation.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: build_kernels.sh [--emulate | --arch ARCH] [-g] [--werror] [-I DIR] [-D NAME[=VALUE]] FILE.cpp… -o OUT

Compiles kernels that were written in Ascend C against the headers of this library (mf_kernel.h and its like) to one
binary, which mfx_kernel_load, mf_smem.kernels.load and `mf kernel run` take. It is `mf kernel build`; --emulate stands for
no architecture.

Environment: MF, the program mf (default: beside this script, else of the source tree's last build, else in PATH); and what
`mf kernel build --help` says.
TEXT
}

words=()
for word; do
    case $word in
        -h | --help) usage; exit 0 ;;
        --emulate) ;;
        *) words+=("$word") ;;
    esac
done
[ ${#words[@]} -gt 0 ] || { usage >&2; exit 2; }

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
mf=${MF:-}
for place in "$here/mf" "${CARGO_TARGET_DIR:-$here/../target}"/{release,debug}/mf; do
    [ -n "$mf" ] || [ ! -x "$place" ] || mf=$place
done
[ -n "$mf" ] || mf=$(command -v mf) || { echo "build_kernels: there is no program mf; build it: cargo build -p mf-cli" >&2; exit 1; }
exec "$mf" kernel build "${words[@]}"
