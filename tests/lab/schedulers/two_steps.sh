#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# two_steps.sh PROGRAM: two jobs of it at once on the same nodes, whose stores may not meet.
set -euo pipefail
srun -N2 -n2 "$1" &
srun -N2 -n2 "$1"
wait $!
