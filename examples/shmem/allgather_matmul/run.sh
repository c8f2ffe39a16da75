#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds and runs this example; see --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=examples/shmem/run_example.sh
. "$here/../run_example.sh"
# shellcheck disable=SC2034
type=float16 sizes=(m=150 k=200 n=141)
run_example allgather_matmul "$here" "$@"
