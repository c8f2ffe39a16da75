#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Jobs started by mpirun: the place in the job by MPI itself (feature mpi), and by the variables that mpirun sets.
set -euo pipefail
case "${1:-}" in
-h | --help)
    echo "Usage: tests/mpi/run.sh [RANKS]"
    echo "Runs the MPI test and examples as jobs of RANKS (default 4) ranks on this host."
    echo "Without mpirun, mpicc or libclang it says so and ends well."
    exit 0
    ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
ranks=${1:-4}
# shellcheck source=../../scripts/lib/tools.sh
. scripts/lib/tools.sh

skip() {
    echo "skip jobs under mpirun: $1 (would help: $2)"
    exit 0
}

# MPI loaded by the program itself: under each installed MPI. Needs no header and no libclang.
profile=${MF_TEST_PROFILE:-dev}
loaded_program=$(cargo test --profile "$profile" --locked --no-run --package mf-bootstrap --test loaded_mpi --message-format json |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
# loaded NAME MPIRUN LIBRARY [OPTION…]: a job with a program that has loaded that library.
loaded() {
    local name=$1 launcher=$2 library=$3 printed
    shift 3
    if ! command -v "$launcher" >/dev/null || ! ldconfig -p | grep "$library" >/dev/null; then
        echo "skip $name, loaded by the program: there is no $launcher with $library"
        return 0
    fi
    echo "-- $name, loaded by the program"
    printed=$(timeout 300 "$launcher" -n "$ranks" "$@" "$loaded_program" "$library" 2>&1) || { echo "$printed" >&2; return 1; }
    echo "$printed"
    [ "$(grep -c '^rank .*: ok' <<<"$printed")" = "$ranks" ]
}
open_mpi=(--oversubscribe)
[ "$(id -u)" != 0 ] || open_mpi+=(--allow-run-as-root)
loaded "Open MPI" mpirun.openmpi libmpi.so.40 "${open_mpi[@]}"
loaded MPICH mpirun.mpich libmpich.so.12

# A C program that calls MPI and this library, under each MPI that is there.
cargo build --profile "$profile" --locked --package mf-capi
library_folder=$PWD/${CARGO_TARGET_DIR:-target}/${profile/%dev/debug}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# installed COMPILER LAUNCHER: true when both are there, with the header.
installed() { command -v "$2" >/dev/null && compiles_mpi "$1"; }
# compiled NAME COMPILER MPIRUN [OPTION…]
compiled() {
    local name=$1 compiler=$2 launcher=$3 said program
    shift 3
    if ! installed "$compiler" "$launcher"; then
        echo "skip a C program of $name: there is no $launcher with $compiler and mpi.h"
        return 0
    fi
    for program in members symmetric; do
        echo "-- $name, a C program: $program"
        "$compiler" -std=c11 -Wall -Wextra -Werror -Icore/capi/include "tests/mpi/$program.c" -o "$work/program" \
            -L"$library_folder" -Wl,-rpath,"$library_folder" -lmf_smem
        said=$(timeout 300 "$launcher" -n "$ranks" "$@" "$work/program" 2>&1) || { echo "$said" >&2; return 1; }
        echo "$said"
        [ "$(grep -c '^rank .*: ok' <<<"$said")" = "$ranks" ] || return 1
    done
}
compiled "Open MPI" mpicc.openmpi mpirun.openmpi "${open_mpi[@]}"
compiled MPICH mpicc.mpich mpirun.mpich

# Of one MPI its own launcher and compiler: where several are installed the plain names may belong to different ones.
if installed mpicc.openmpi mpirun.openmpi; then
    launch=(mpirun.openmpi -n "$ranks" "${open_mpi[@]}")
    export MPICC=mpicc.openmpi
    # One host; copies between processes by ptrace are often forbidden in containers, and then complained of.
    export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
elif installed mpicc.mpich mpirun.mpich; then
    launch=(mpirun.mpich -n "$ranks")
    export MPICC=mpicc.mpich
else
    skip "there is no mpirun.openmpi with mpicc.openmpi and mpi.h" "apt-get install openmpi-bin libopenmpi-dev"
fi
find_libclang >/dev/null ||
    skip "there is no libclang, which reads MPI's header" "apt-get install libclang-dev"

profile=${MF_TEST_PROFILE:-dev}
cargo build --profile "$profile" --locked --package mf-examples --features mf-examples/mpi --bin mpi_job --bin 06_bootstrap
test_program=$(cargo test --profile "$profile" --locked --no-run --package mf-bootstrap --features mf-bootstrap/mpi --test mpi --message-format json |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
programs=${CARGO_TARGET_DIR:-target}/${profile/%dev/debug}

# The job around this script, if any, is not the tests' job.
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT MF_CONFIG_STORE_URL MF_JOB_SECRET

# run TITLE PROGRAM [ARGUMENT…]: all ranks must end well, and each must have printed something.
run() {
    echo "-- $1"
    shift
    local printed
    printed=$(timeout 300 "${launch[@]}" "$@" 2>&1) || { echo "$printed" >&2; return 1; }
    echo "$printed"
    [ "$(grep -c '^rank ' <<<"$printed")" -ge "$ranks" ]
}
run "MPI initialised by the library" "$test_program"
run "MPI initialised by the application" "$test_program" theirs
run "a pool over MPI" "$programs/mpi_job"
run "the variables of ${launch[0]}" "$programs/06_bootstrap"
