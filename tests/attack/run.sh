#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Attacks stores, links, data ports and members of its own on this machine, and prints a table of what came of it.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: tests/attack/run.sh [NAME…]

Builds and runs the attacks that the tests contain (all, or those whose test names hold a NAME): what an unauthenticated peer, another
user of the host, a guest and a member may send to do harm. Everything runs on this machine, on loopback, bounded in number
and time. Prints one row an attack: what was sent, what came of it, and the limit that docs/security.md promises.

Attacks by another user need root, to become that user; the crowds of connections need a few thousand descriptors
(ulimit -n). What cannot run says why. Exit status 0: every limit held.

Environment: MF_TEST_PROFILE (dev), cargo's profile.
TEXT
}
case "${1:-}" in -h | --help) usage; exit 0 ;; esac

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=../../scripts/lib/tools.sh
. scripts/lib/tools.sh
need_tools tests/attack/run.sh cargo cc

log=${CARGO_TARGET_DIR:-target}/attack.log
mkdir -p "$(dirname "$log")"
attacks=(cargo test --profile "${MF_TEST_PROFILE:-dev}" --workspace --exclude mf-python --locked --test 'attack_*')
"${attacks[@]}" --no-run
echo "attacking; everything that is printed goes to $log"
status=0
# One after the other: each measures the resources of the attacked process.
"${attacks[@]}" --no-fail-fast -- --nocapture --test-threads=1 "$@" >"$log" 2>&1 || status=$?

# Rows are lines of four fields; the widest text of each column decides its width.
awk -F ' [|] ' '
    function row(a, b, c, d) { rows++; field[rows, 1] = a; field[rows, 2] = b; field[rows, 3] = c; field[rows, 4] = d }
    BEGIN { row("attack", "what was sent", "result", "limit") }
    NF == 4 && $1 != "attack" { row($1, $2, $3, $4) }
    END {
        for (i = 1; i <= rows; i++) for (j = 1; j <= 4; j++) if (length(field[i, j]) > wide[j]) wide[j] = length(field[i, j])
        for (i = 1; i <= rows; i++) {
            printf "%-*s | %-*s | %-*s | %s\n", wide[1], field[i, 1], wide[2], field[i, 2], wide[3], field[i, 3], field[i, 4]
            if (i == 1) { line = sprintf("%*s", wide[1] + wide[2] + wide[3] + wide[4] + 9, ""); gsub(/ /, "-", line); print line }
        }
    }' "$log"
grep -h '^skip ' "$log" || true
if [ "$status" != 0 ]; then
    echo "an attack succeeded, or could not be carried out:" >&2
    grep -hE '^test .* FAILED|panicked at|^error' "$log" >&2 || tail -n 40 "$log" >&2
fi
exit "$status"
