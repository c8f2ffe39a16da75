# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
# To be read by a shell (bash, zsh) after scripts/build.sh: the variables of the tree that it has installed.
MF_BUILT=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")/.." && echo "${CARGO_TARGET_DIR:-$PWD/target}")/shmem/install/set_env.sh
if [ -e "$MF_BUILT" ]; then
    # shellcheck source=/dev/null
    . "$MF_BUILT"
else
    echo "set_env.sh: $MF_BUILT does not exist; run scripts/build.sh first" >&2
fi
unset MF_BUILT
