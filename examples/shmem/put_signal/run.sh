#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds and runs this example: run.sh [-pes N[,N…]] [-ipport ADDRESS:PORT]. Where there is no CANN (ASCEND_HOME_PATH) it runs on a
# simulated installation in OUT (./out); the rest is as of the other examples.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=examples/shmem/run_example.sh
. "$here/../run_example.sh"
pes=2 address='' out=${OUT:-$here/out}
while [ $# -gt 0 ]; do
    case $1 in
        -pes | --pes) pes=${2:?} ;;
        -ipport | --ipport) address=${2:?} ;;
        *) echo "usage: run.sh [-pes N[,N…]] [-ipport ADDRESS:PORT]" >&2; exit 2 ;;
    esac
    shift 2
done
example_home
mkdir -p "$out"
if [ -z "${ASCEND_HOME_PATH:-}" ]; then
    "$mf" sim --devices 4 "$out/cann" >/dev/null
    # shellcheck disable=SC1091
    set +u && . "$out/cann/set_env.sh" && set -u
fi
"$mf" kernel build "$here/kernel.cpp" -o "$out/libput_signal.so"
"${CXX:-c++}" -std=c++11 -O2 -Wall -Wextra -Werror "$here/main.cpp" -o "$out/put_signal" -I"$include" -I"$here/.." \
    -I"$ASCEND_HOME_PATH/include" -L"$out" -L"$lib" -L"$ASCEND_HOME_PATH/lib64" -Wl,-rpath,"$out" -Wl,-rpath,"$lib" \
    -lput_signal -lmf_smem -lascendcl
for pes in ${pes//,/ }; do example_run "$pes" "$address" "$out" "$out/put_signal" "$pes" @ %; done
