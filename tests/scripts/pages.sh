# SPDX-License-Identifier: Apache-2.0 OR MIT
# Output of tests/readme/blocks.py for a page, and its refusals. Sourced by run.sh.

# page LINE…: result of a page of these lines; its status is in the file status.
page() {
    local status=0
    printf '%s\n' "$@" >"$folder/page.md"
    mkdir -p "$folder/blocks"
    python3 tests/readme/blocks.py "$folder/page.md" "$folder/blocks" 2>&1 || status=$?
    echo "$status" >"$folder/status"
}

printed=$(page '# A page' '```sh' 'echo one' '```' '*Not run in tests: it needs an NPU.*' '' '```sh' 'echo two' '```')
expect "a page is made a script" 0 "$(cat "$folder/status")"
expect "a block is in it as it stands, and one with a reason is not" "1 0" "$(grep -cx 'echo one' <<<"$printed") $(grep -cx 'echo two' <<<"$printed")"
expect "blocks are counted, and reasons printed" "-- $folder/page.md:2|one|skip the block at $folder/page.md:7: it needs an NPU.|1 blocks run, 1 not run" \
    "$(bash -e <<<"$printed" | paste -sd'|')"
printed=$(page '```sh' 'true' '```' '```sh' 'echo before' 'false' 'echo after' '```')
expect "a command that fails ends it, with its block" "before|FAILED the block at $folder/page.md:4: exit status 1" \
    "$(bash -e <<<"$printed" 2>&1 | grep -v '^--' | paste -sd'|')"
page '```fortran' 'end' '```' >/dev/null
expect "a language that nothing runs is refused" 1 "$(cat "$folder/status")"
printed=$(page 'Call `mf info --json`.' '```sh' 'mf info' '```')
expect "a command in the text that no block has is refused: $printed" "1 1" "$(cat "$folder/status") $(grep -c 'is in no block' <<<"$printed")"
page '[there](nowhere.md)' >/dev/null
expect "a link that leads nowhere is refused" 1 "$(cat "$folder/status")"
page '```sh' 'true' >/dev/null
expect "a block without an end is refused" 1 "$(cat "$folder/status")"
page '```text' '$ mf info' '```' >/dev/null
expect "a command that is shown as a picture is refused" 1 "$(cat "$folder/status")"

# Output of tests/readme/guides.py for a guide.
guide() {
    local status=0
    printf '%s\n' "$@" >"$folder/guide.md"
    PYTHONDONTWRITEBYTECODE=1 python3 tests/readme/guides.py "$folder/guide.md" "$folder/blocks" 2>&1 || status=$?
    echo "$status" >"$folder/status"
}
refused() {
    printed=$(guide "${@:2}")
    expect "a guide is refused: $1: $printed" "1 1" "$(cat "$folder/status") $(grep -c "$1" <<<"$printed")"
}
refused "it names no language" '```' 'x' '```'
refused "nothing runs a block in" '```fortran' 'end' '```'
refused "is not in CHANGELOG.md" '<!-- part of: CHANGELOG.md -->' '```text' '# Changelog' 'is in no file' '```'
refused "there is no tests/nothing.sh" '<!-- run by: tests/nothing.sh -->' '```sh' 'true' '```'
refused "it makes a link" '<!-- before: ln -s /bin/sh here -->' '```sh' 'true' '```'
refused "there is no note skip" '<!-- skip: it -->' '```sh' 'true' '```'
printed=$(guide '<!-- part of: CHANGELOG.md -->' '```text' '# Change…' '## 0.1.0 (2026-11-26)' '```' '<!-- not run: it needs an NPU -->' '```sh' 'x' '```')
expect "blocks of others, and blocks not run, are counted" "0 1 1" \
    "$(cat "$folder/status") $(grep -c '^by_another$' <<<"$printed") $(grep -c "^not_run .* 'it needs an NPU'$" <<<"$printed")"
# The site: nothing in it leads nowhere. The files for administrators, as far as they can be tried without a program.
expect "the pages are a book" "" "$(python3 scripts/lib/book.py check 2>&1)"
expect "the book has the pages of the root, too" 0 "$(python3 scripts/lib/book.py stage "$folder/book" && grep -q '(read-me.md)' "$folder/book/docs/SUMMARY.md" && echo 0)"
# A picture with too long a text, or without names, is refused with its line.
drawn() { printf '%s\n' 'title "T"' 'alt "A"' "$@" | PYTHONPATH=scripts/lib PYTHONDONTWRITEBYTECODE=1 python3 -c \
    'import sys, pictures; print(pictures.drawn(sys.stdin.read()).count("<rect"))' 2>&1 | tail -n 1; }
expect "the pictures are of their texts" "" "$(scripts/pictures --check 2>&1)"
expect "a picture is drawn: its page, and two boxes" 3 "$(drawn 'row' '    box a "one"' '    box b "two"' 'arrow a -> b "label"')"
expect "a sequence is drawn: its page, two actors, a bar" 4 \
    "$(drawn 'kind sequence' 'actor a "one"' 'actor b "two"' 'wait a' 'step a -> b "x"' 'wake a')"
expect "an arrow to nothing is refused" 1 "$(drawn 'row' '    box a "one"' 'arrow a -> c' | grep -c 'line 5: expected: arrow NAME')"
expect "a word that does not fit is refused" 1 "$(drawn 'row' "    box a \"$(printf 'x%.0s' {1..200})\"" | grep -c 'is wider than its place')"
expect "a wait without an end is refused" 1 "$(drawn 'kind sequence' 'actor a "one"' 'wait a' | grep -c 'waits without an end')"
expect "files for Slurm, Kubernetes and systemd hold" 0 "$(python3 tests/readme/deploy.py >"$folder/deploy" && echo 0 || cat "$folder/deploy")"
grep '^skip' "$folder/deploy" || true
expect "README.md is such a page" "" "$(python3 tests/readme/blocks.py README.md "$folder/blocks" 2>&1 >/dev/null)"
