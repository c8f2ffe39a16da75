#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# batch.sh SCRIPT OUTPUT COMMAND…: submits a batch script for two ranks a node, waits for it and prints its output.
set -euo pipefail
script=$1 output=$2
shift 2
status=0
sbatch --quiet --wait --nodes=2 --ntasks-per-node=2 --output="$output" "$script" "$@" || status=$?
cat "$output"
exit $status
