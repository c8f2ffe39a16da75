#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# A batch job of Slurm: sbatch slurm.sh PROGRAM…, for example: sbatch slurm.sh python3 program.py
#SBATCH --job-name=pool
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --time=01:00:00
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: sbatch slurm.sh PROGRAM…" >&2; exit 2; }

# One secret for all ranks; srun hands the environment on. Ranks and the store's place come from the step.
MF_JOB_SECRET=$(head -c 32 /dev/urandom | base64)
export MF_JOB_SECRET

# # A problem of a host is printed before the ranks start, and ends the job.
srun --ntasks-per-node=1 --ntasks="$SLURM_JOB_NUM_NODES" mf doctor --quiet
srun "$@"
