# SPDX-License-Identifier: Apache-2.0 OR MIT
# Counts what may not grow without a commit that says so: unsafe code, atomics, words, noun clauses, wide comments, sleeps in tests. Sourced
# by scripts/check, from the root of the tree. A budget is a file of lines "NUMBER WHERE"; comments begin with #.

# sources GLOB…: the files of the tree that git would commit, without the bindings that a generator wrote.
sources() { git ls-files --cached --others --exclude-standard -- "$@" | grep -v '^sys/src/raw/' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done; }

# crates: for lines "FILE:NUMBER" the sums by crate (core/base, sys/sim, python, tests) or other top folder; lines of 0 are left out.
crates() {
    awk -F: '$2 > 0 { split($1, part, "/"); crate = part[1]
            if (crate == "core" || $1 ~ /^sys\/(sim|gpu|gpusim)\//) crate = crate "/" part[2]
            sum[crate] += $2 }
        END { for (crate in sum) print sum[crate], crate }' | LC_ALL=C sort -k2
}

# Unsafe blocks, functions, traits and implementations of product code.
count_unsafe() {
    sources '*.rs' | grep -vE '(^|/)(tests|examples|fuzz|benches)/|/tests\.rs$' |
        { xargs grep -cE '^[^/"]*\bunsafe (\{|fn|impl|trait|extern)' /dev/null || true; } | crates
}

# Files that use atomics of the standard library themselves instead of what mf_base::sync offers.
count_atomics() {
    sources '*.rs' | grep -vE '(^|/)(tests|examples|fuzz|benches)/|/tests\.rs$|^core/base/src/sync/' |
        { xargs grep -lE '\bAtomic(Bool|Ptr|[IU](8|16|32|64|size))\b' /dev/null || true; } | sed 's/$/:1/' | crates
}

# Words of a private dialect, outside of pages made from other files, each with the field's word for it. PATTERN=WORD, matched as whole words, in any case.
dialect='patience=timeout, deadline
stranger|strangers=unknown peer, unauthenticated connection
letter|letters=message
ajar=open
told=notified, reported, sent
tells|tell=notifies, reports
heard|hear|hears=received, notified
somebody|anybody=the process, peer or member that is meant
looks|looked=reads, polls, checks
ways|way=route
so-and-so|so-and-so-many=N
whoever=the caller, a peer that'

count_words() {
    local pattern word n
    while IFS='=' read -r pattern _; do
        n=$(sources '*.rs' '*.md' '*.h' '*.hpp' '*.c' '*.cpp' '*.py' '*.pyi' 'scripts/*' |
            grep -vE '^(CHANGELOG|GLOSSARY)\.md$|^docs/reference-|^scripts/lib/(budgets\.sh|prose\.py|subjects\.py)$|^scripts/budgets/' |
            { xargs grep -hoiwE "$pattern" /dev/null || true; } | wc -l)
        word=${pattern%%|*}
        [ "$n" -eq 0 ] || echo "$n $word"
    done <<<"$dialect"
}

# Noun clauses in comments and pages, and comments that begin with a question word: scripts/lib/prose.py has the rules. Without Python the
# budget itself counts.
count_prose() {
    if command -v python3 >/dev/null; then
        python3 scripts/lib/prose.py
    else
        echo "skip prose: it is read by python3, which is not here" >&2
        grep -v '^#' scripts/budgets/prose || true
    fi
}

# Lines of comments over 110 columns; tables, links and generated text cannot be broken.
count_wide() {
    sources '*.rs' '*.h' '*.hpp' '*.c' '*.cpp' '*.py' '*.pyi' |
        xargs awk 'FNR == 1 { if (name) print name ":" n; name = FILENAME; n = 0 }
            length($0) > 110 && /^ *(\/\/|\*|\/\*|# )/ && !/https?:/ && !/^ *\/\/[\/!]? *\|/ { n++ }
            END { print name ":" n }' | crates
}

# Sleeps in tests: in files of tests, and behind `mod tests {` in files of product code.
count_sleeps() {
    sources '*.rs' '*.c' '*.h' '*.py' '*.sh' |
        xargs awk 'FNR == 1 { if (name) print name ":" n; name = FILENAME; n = 0; test = name ~ /(^|\/)tests\/|\/tests\.rs$/ }
            /^mod tests \{/ { test = 1 }
            test && /(thread::sleep|libc::sleep|usleep|nanosleep|time\.sleep)\(/ { n++ }
            END { print name ":" n }' | crates
}

# Each budget, and what to do when it is exceeded.
budgets='unsafe=confine it; each block needs an invariant, and a commit that raises the budget says why
atomics=use mf_base::sync; a commit that raises the budget says why
words=use the word beside it in scripts/lib/budgets.sh
prose=write subject, verb, object (CONTRIBUTING.md); scripts/lib/prose.py FOLDER lists the hits
wide=wrap comments at 110 columns
sleeps=wait for the condition, with a deadline; a sleep that is time itself says so beside it'

# compare_budgets: fails when something grew; says when something shrank, so that the budget follows.
compare_budgets() {
    local name remedy counted status=0
    counted=$(mktemp)
    while IFS='=' read -r name remedy; do
        "count_$name" >"$counted"
        awk -v name="$name" -v remedy="$remedy" '
            FNR == NR { if ($1 !~ /^#/) allowed[$2] = $1; next }
            { seen[$2] = 1
              if ($1 > allowed[$2] + 0) { printf "%s: %s has %d, its budget is %d: %s\n", name, $2, $1, allowed[$2], remedy; grown = 1 }
              else if ($1 < allowed[$2]) shrunk = 1 }
            END { for (where in allowed) if (!(where in seen)) shrunk = 1
                  if (shrunk) printf "%s: there is less than scripts/budgets/%s allows; scripts/check --budgets writes it down\n", name, name
                  exit grown }' "scripts/budgets/$name" "$counted" >&2 || status=1
    done <<<"$budgets"
    rm -f "$counted"
    return $status
}

# write_budgets: writes the present counts; the comment at the head of each file stays.
write_budgets() {
    local name counted
    counted=$(mktemp)
    while IFS='=' read -r name _; do
        { grep '^#' "scripts/budgets/$name" || true; "count_$name"; } >"$counted"
        cat "$counted" >"scripts/budgets/$name"
    done <<<"$budgets"
    rm -f "$counted"
}
