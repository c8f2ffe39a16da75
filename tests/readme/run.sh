#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs every block of README.md unchanged, in the order of the page and in one shell, as a reader would.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: tests/readme/run.sh WORK
       tests/readme/run.sh --guides WORK PREFIX [PAGE…]

Runs each block of README.md from the root of the tree: `sh` as commands, `python` as a program of two ranks. What stands in
backquotes in the text and is a command must stand in a block, and links must lead to a file. A block that is not run has
a line before it that says why ("*Not run in tests: …*"); these are counted. The commands make the folders .venv and out,
which may not exist before, and are removed afterwards. WORK is a folder for the rest.

Then runs the blocks of docs/*.md, as tests/readme/guides.py says, each in a shell of its own; with --guides these only, or those of
these pages, with what is installed below PREFIX and the packages of the python3 in $PATH.
TEXT
}
case "${1:-}" in -h | --help) usage; exit 0 ;; esac
guides=no
if [ "${1:-}" = --guides ]; then guides=yes; shift; fi
{ [ $guides = no ] && [ $# = 1 ]; } || { [ $guides = yes ] && [ $# -ge 2 ]; } || { usage >&2; exit 2; }
mkdir -p "$1"
work=$(cd "$1" && pwd)

# run_guides PREFIX PAGE…: in a network of its own, where that can be made.
run_guides() {
    local alone=(unshare --net env GUIDES_NETWORK=own) prefix=$1
    shift
    "${alone[@]}" true 2>/dev/null || alone=(env GUIDES_NETWORK=)
    rm -rf "$work/guides" && mkdir "$work/guides"
    python3 tests/readme/guides.py "$@" "$work/guides" >"$work/guides.sh" || return
    python3 tests/readme/deploy.py "$prefix/bin/mf" || return
    INSTALLED=$prefix PATH=$prefix/bin:$PATH timeout 900 "${alone[@]}" bash -e -o pipefail "$work/guides.sh" </dev/null
}

# No job, no environment of Python and no installation around this script reaches the commands.
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT MF_CONFIG_STORE_URL MF_JOB_SECRET VIRTUAL_ENV PYTHONPATH
if [ $guides = yes ]; then
    prefix=$(cd "$2" && pwd)
    shift 2
    pages=("$@")
    cd "$(dirname "${BASH_SOURCE[0]}")/../.."
    [ $# -gt 0 ] || pages=(docs/*.md)
    run_guides "$prefix" "${pages[@]}"
    exit
fi
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

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
timeout 1800 bash -e -o pipefail "$work/session.sh" </dev/null
PATH=$PWD/.venv/bin:$PATH run_guides "$PWD/out" docs/*.md
