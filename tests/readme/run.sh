#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs every block of README.md as it stands there, in the order of the page and in one shell, as a reader would.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: tests/readme/run.sh WORK

Runs each block of README.md from the root of the tree: `sh` as commands, `python` as a program of two ranks. What stands in
backquotes in the text and is a command must stand in a block, and links must lead to a file. A block that is not run has
a line before it that says why ("*Not run in tests: …*"); these are counted. The commands make the folders .venv and out,
which may not exist before, and are removed afterwards. WORK is a folder for the rest.
TEXT
}
case "${1:-}" in -h | --help) usage; exit 0 ;; esac
[ $# = 1 ] || { usage >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$1"
work=$(cd "$1" && pwd)

for name in .venv out; do
    # With that mark it is of a run that was killed.
    if [ -e "$name" ] && ! [ -e "$name/made-by-tests" ]; then
        echo "skip the commands of README.md: they make the folder $name, which is here already (would help: move it away)"
        exit 0
    fi
done
rm -rf .venv out "$work/blocks"
mkdir "$work/blocks"
python3 tests/readme/blocks.py README.md "$work/blocks" >"$work/session.sh"
trap 'rm -rf .venv out' EXIT
mkdir .venv out
touch .venv/made-by-tests out/made-by-tests
# No job, no environment of Python and no installation around this script reaches the commands.
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT MF_CONFIG_STORE_URL MF_JOB_SECRET VIRTUAL_ENV PYTHONPATH
timeout 1800 bash -e -o pipefail "$work/session.sh" </dev/null
