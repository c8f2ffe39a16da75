#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds this example for run.sh; in the source tree the library, mf and the simulator before it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=examples/shmem/run_example.sh
. "$here/../shmem/run_example.sh"
if [ -z "${MEMFABRIC_HYBRID_HOME_PATH:-}" ] && [ -f "$here/../../Cargo.toml" ]; then
    (cd "$here/../.." && cargo build --release --locked -p mf-capi -p mf-cli -p ascend-sim)
fi
example_home
example_build matmul_allreduce "$here/matmul_allreduce.cpp" "$here/kernel.cpp" "${OUT:-$here/out}"
echo "built; next: bash run.sh -ranks 2 -M 1024 -K 2048 -N 8192"
