#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Tests the searches of the scripts, on separate folders: libclang and not its neighbours, messages about
# missing tools, and no installation without consent.
set -euo pipefail
case "${1:-}" in -h | --help) echo "Usage: tests/scripts/run.sh"; exit 0 ;; esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=../../scripts/lib/tools.sh
. scripts/lib/tools.sh

passed=0 failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect WHAT WANTED GOT
expect() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: expected «%s», got «%s»\n' "$1" "$2" "$3"
    fi
}

# A folder as Debian's packages leave it: NAME FILE…
library_folder() {
    local at=$folder/$1
    mkdir -p "$at/clang/14/include"
    touch "$at/clang/14/include/stddef.h"
    shift
    for file; do touch "$at/$file"; done
    echo "$at"
}

only_cpp=$(library_folder cpp libclang-cpp.so.14 libclang-cpp.so libclangAST.a)
expect "libclang-cpp alone is no libclang" "" "$(find_libclang "$only_cpp" || true)"
real=$(library_folder real libclang-cpp.so.14 libclang.so.1)
expect "libclang.so.1 is one" "$real/libclang.so.1" "$(find_libclang "$only_cpp" "$real" || true)"
numbered=$(library_folder numbered libclang-14.so.13)
expect "libclang-14.so.13 is one" "$numbered/libclang-14.so.13" "$(find_libclang "$numbered" || true)"

# shellcheck source=missing_tools.sh
. tests/scripts/missing_tools.sh
# shellcheck source=pages.sh
. tests/scripts/pages.sh

# Failures are listed at the end of the summary, for any runner.
work=$folder
# shellcheck source=../../scripts/lib/steps.sh
. scripts/lib/steps.sh
cat >"$folder/cargo.log" <<'TEXT'
test pool::joins ... FAILED
test pool::leaves ... ok

failures:

---- pool::joins stdout ----
what it printed before

thread 'pool::joins' (41) panicked at tests/pool/joins.rs:7:5:
assertion `left == right` failed: all are members
  left: 1
 right: 2
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace


failures:
    pool::joins

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s
error: test failed, to rerun pass `-p tests --test pool`
TEXT
expect "a failed test of cargo is shown with its message" \
    "pool::joins|    thread 'pool::joins' (41) panicked at tests/pool/joins.rs:7:5:|    assertion \`left == right\` failed: all are members|      left: 1|     right: 2" \
    "$(what_failed "$folder/cargo.log" | paste -sd'|')"
printf 'ok a\nFAIL pool.c: exit status 1\nok b\n1 failed\n' >"$folder/c.log"
expect "a failed program is shown" "FAIL pool.c: exit status 1" "$(what_failed "$folder/c.log")"
printf 'E   assert 1 == 2\nFAILED tests/test_pool.py::test_joins - assert 1 == 2\n' >"$folder/python.log"
expect "a failed test of pytest is shown" 2 "$(what_failed "$folder/python.log" | grep -c '')"
printf '1\n2\nKilled\n' >"$folder/other.log"
expect "of a log that names no test the end is shown" Killed "$(what_failed "$folder/other.log" | tail -n 1)"

# A package checks itself, refuses to install when it is damaged, and replaces an existing one. shellcheck
# source=../../scripts/lib/package.sh
. scripts/lib/package.sh
mkdir -p "$folder/files/lib"
echo one >"$folder/files/lib/a"
package=$folder/SHMEM_1_linux-any.run
make_package "$PWD" "$folder/files" 1 "$package"
expect "a package says that it is whole" "SHMEM_1_linux-any.run: the checksum is right" "$("$package" --check)"
expect "a package names its version" 1 "$("$package" --version)"
mkdir -p "$folder/there/lib"
echo old >"$folder/there/lib/a"
ln "$folder/there/lib/a" "$folder/used"
"$package" --install --install-path="$folder/there" >/dev/null
expect "a package installs" one "$(cat "$folder/there/lib/a")"
expect "what programs use is not written to" old "$(cat "$folder/used")"
"$package" --extract="$folder/plain"
expect "a package is unpacked" one "$(cat "$folder/plain/lib/a")"
touch "$folder/file"
expect "a folder that cannot be made is named" 1 "$("$package" --install --install-path="$folder/file/x" 2>&1 | grep -c "$folder/file/x")"
cp "$package" "$folder/damaged"
printf x >>"$folder/damaged"
printed=$("$folder/damaged" --install --install-path="$folder/nothing" 2>&1) && status=0 || status=$?
expect "a damaged package fails" 1 "$status"
expect "a damaged package says so" 1 "$(grep -c 'checksum differs' <<<"$printed")"
expect "a damaged package installs nothing" "" "$(ls "$folder/nothing" 2>/dev/null || true)"
expect "an unknown option is refused" 2 "$("$package" --perhaps >/dev/null 2>&1 && echo 0 || echo $?)"
expect "an unknown option of the build is refused" 2 "$(scripts/build.sh -perhaps >/dev/null 2>&1 && echo 0 || echo $?)"

# Commands of texts about CANN SHMEM, from the source tree.
printf 'MF_TEST_READ=yes\n' >"$folder/set_env.sh"
install -D "$folder/set_env.sh" "$folder/target/shmem/install/set_env.sh"
expect "variables of what was built are read" "yes" "$(export CARGO_TARGET_DIR=$folder/target && . install/set_env.sh && echo "$MF_TEST_READ${MF_BUILT:-}")"
expect "variables of nothing are not there" 1 "$(export CARGO_TARGET_DIR=$folder/none && . install/set_env.sh 2>&1 | grep -c 'run scripts/build.sh first')"
printf 'import sys\nprint(sys.argv[1], *(name.rsplit("/", 1)[-1] for name in sys.argv[-3:]))\n' >"$folder/pip.py"
expect "setup.py makes both wheels" "wheel wheels python cann_shmem" "$(PYTHONPATH=$folder python3 src/python/setup.py bdist_wheel -d "$folder/wheels")"
expect "setup.py refuses other commands" 2 "$(python3 src/python/setup.py install >/dev/null 2>&1 && echo 0 || echo $?)"

# Crates describe themselves, and what may be published carries its sources, its licences and nothing that was built.
expect "crates have nothing wrong" "" "$(python3 tests/scripts/crates.py | grep FAILED || true)"

# Versions with an advisory are found, and those before and behind it are not.
advised() {
    printf '[[package]]\nname = "%s"\nversion = "%s"\nsource = "registry"\n' "$1" "$2" >"$folder/lock"
    scripts/lib/advisories.py "$folder/lock" >"$folder/advisories" && echo 0 || echo $?
}
expect "an affected version fails" "1 1" "$(advised rustls 0.23.44) $(grep -c '^RUSTSEC-2026-0285: rustls 0.23.44' "$folder/advisories")"
expect "versions before and behind an advisory do not" "0 0 0" "$(advised rustls 0.23.45) $(advised time 0.3.5) $(advised h2 0.4.16)"
expect "what only informs does not, and is printed" "0 1" "$(advised custom_derive 0.1.7) $(grep -c 'informs only' "$folder/advisories")"

echo "scripts: $passed passed, $failed failed"
[ "$failed" = 0 ]
