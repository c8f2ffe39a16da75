# SPDX-License-Identifier: Apache-2.0 OR MIT
# Steps with a log each, skips with a reason, and a summary. Sourced by scripts/test, which sets $work.

passed_steps=()
failed_steps=()
skip_list=$work/skipped
: >"$skip_list"

# skip WHAT REASON REMEDY: notes that something did not run.
skip() {
    echo "skip $1: $2 (would help: $3)"
    echo "$1: $2 (would help: $3)" >>"$skip_list"
}

# run_step NAME: runs step_NAME; its output goes to the terminal and to a log.
run_step() {
    printf '\n=== %s\n' "$1"
    local started=$SECONDS
    # A subshell with errexit off: steps return their own status; pipefail passes it through tee.
    if (set +e; "step_$1") 2>&1 | tee "$work/$1.log"; then
        passed_steps+=("$1 ($((SECONDS - started)) s)")
    else
        failed_steps+=("$1")
    fi
    # Skips that the test runners print themselves: "skip NAME: reason" lines and pytest's SKIPPED.
    grep -hE '^(skip |SKIPPED )' "$work/$1.log" | grep -vFf "$skip_list" | sed 's/^skip //' >>"$skip_list.$1" || true
}

# what_failed LOG: the tests in it that failed, with what each said; the log's end when it names none.
what_failed() {
    local found
    found=$(awk -v most=20 -f scripts/lib/failures.awk "$1")
    if [ -n "$found" ]; then echo "$found"; else tail -n 10 "$1"; fi
}

# summary: what ran, what did not; the exit status of the script.
summary() {
    printf '\n=== summary\n'
    printf 'ran:    %s\n' "${passed_steps[@]}"
    cat "$skip_list" "$skip_list".* 2>/dev/null | sort -u | sed 's/^/skipped: /'
    rm -f "$skip_list".*
    if [ ${#failed_steps[@]} -gt 0 ]; then
        # Last, as only the end of a long output is kept in many places.
        local step
        for step in "${failed_steps[@]}"; do
            echo "FAILED: $step (log: $work/$step.log)"
            what_failed "$work/$step.log"
        done
        return 1
    fi
    echo "all steps passed"
}
