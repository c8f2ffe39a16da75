# SPDX-License-Identifier: Apache-2.0 OR MIT
# Machines that lack one tool each: a folder of links is all of PATH. Sourced by run.sh.

# machine NAME TOOL…: a folder with these tools, cargo and apt-get among them as scripts that write down how they are called.
machine() {
    local at=$folder/machines/$1 tool
    shift
    rm -rf "$at" && mkdir -p "$at"
    for tool; do
        case $tool in
            cargo | apt-get)
                printf '#!%s/bash\ncase "$*" in --version) echo "cargo 99.1.0"; exit ;; esac\necho "%s $*" >>%s/called\nexit 9\n' \
                    "$at" "$tool" "$folder" >"$at/$tool"
                chmod +x "$at/$tool"
                ;;
            root) rm -f "$at/id"; printf '#!%s/bash\necho 0\n' "$at" >"$at/id" && chmod +x "$at/id" ;;
            # By its full path, as a wrapper of another name may be what PATH has.
            python3) ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$at/python3" ;;
            *) ln -s "$(command -v "$tool")" "$at/$tool" ;;
        esac
    done
    echo "$at"
}

# says PATH COMMAND…: the command's output on that machine, without a terminal; its status is in the file
# status.
says() {
    local status=0
    PATH=$1 "${@:2}" 2>&1 </dev/null || status=$?
    echo "$status" >"$folder/status"
}

# A tree of its own, in which the scripts may write: the job around these tests has the other.
mkdir -p "$folder/tree/.ci"
cp -r scripts Cargo.toml "$folder/tree"
cp .ci/run "$folder/tree/.ci"
basic=(bash dirname cat root apt-get mkdir sed grep sort tr tee rm tail env)

# missing SCRIPT TOOL DEBIAN FEDORA NEEDED…: without TOOL of those NEEDED the script ends in one line, which names it and what brings it.
missing() {
    local script=$1 tool=$2 debian=$3 fedora=$4 others=() name printed
    shift 4
    for name; do [ "$name" = "$tool" ] || others+=("$name"); done
    rm -f "$folder/called"
    printed=$(says "$(machine "$tool" "${basic[@]}" "${others[@]}")" "$folder/tree/$script")
    expect "$script without $tool fails" 1 "$(cat "$folder/status")"
    expect "$script without $tool says so in one line" 1 "$(grep -c '' <<<"$printed")"
    expect "$script without $tool names it: $printed" 1 "$(grep -c "^$script: .*no $tool.*$debian.*$fedora" <<<"$printed")"
    expect "$script without $tool calls and installs nothing" "" "$(cat "$folder/called" 2>/dev/null)"
}
rust='https://rustup.rs.*apt install rustup (Debian' fedora_rust='dnf install rustup (Fedora'
for script in scripts/run scripts/test scripts/check .ci/run; do
    missing $script cargo "$rust" "$fedora_rust" cargo cc python3 git awk
done
for script in scripts/run scripts/test; do
    missing $script cc 'apt install gcc libc6-dev' 'dnf install gcc glibc-devel' cargo cc python3 awk
done
missing scripts/test python3 'apt install python3 python3-venv' 'dnf install python3' cargo cc python3 awk
missing scripts/test awk 'apt install gawk' 'dnf install gawk' cargo cc python3 awk
missing scripts/check git 'apt install git' 'dnf install git' cargo git awk

# Tools that are present but unusable.
at=$(machine poor "${basic[@]}" awk)
printf '#!%s/bash\necho "cargo 1.63.0"\n' "$at" >"$at/cargo"
printf '#!%s/bash\necho crt1.o\n' "$at" >"$at/cc"
printf '#!%s/bash\necho "Python 3.9.2"\n' "$at" >"$at/python3"
chmod +x "$at/cargo" "$at/cc" "$at/python3"
printed=$(says "$at" "$folder/tree/scripts/test")
expect "one line for each tool that is too old or not whole" "3 3" \
    "$(grep -c '' <<<"$printed") $(grep -cE '(this is cargo 1\.63\.0; Rust 1\.[0-9]+|cc has no C library|this is Python 3\.9\.2, and 3\.10)' <<<"$printed")"
for pair in "1.88 1.89 older" "1.89.0 1.89 not" "1.100.0 1.89 not" "2.0 1.89 not" "3.9 3.10 older"; do
    read -r version than wanted <<<"$pair"
    expect "$version beside $than" "$wanted" "$(older "$version" "$than" && echo older || echo not)"
done

# With all of them scripts/run builds, at once.
rm -f "$folder/called"
says "$(machine whole "${basic[@]}" cargo cc)" "$folder/tree/scripts/run" >/dev/null
expect "scripts/run builds" 1 "$(grep -c '^cargo build --release' "$folder/called")"

# Tools that only some steps need: without a terminal, and without leave, nothing is installed, and each test
# is skipped by name.
without_fuzzer=$(machine nothing_more "${basic[@]}" cargo cc python3 awk)
rm -f "$folder/called"
printed=$(says "$without_fuzzer" "$folder/tree/scripts/test" fuzz)
expect "a step without its tool is no failure" 0 "$(cat "$folder/status")"
expect "what it lacks stands first: $printed" "scripts/test: there is no c++; it comes with: apt install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora)" \
    "$(head -n 1 <<<"$printed")"
expect "it says why nothing is installed" 1 "$(grep -c 'without a terminal.*--install installs by apt-get g++' <<<"$printed")"
expect "the summary has what was skipped" 1 "$(grep -c '^skipped: the fuzzer: there is no c++ (would help: apt install g++' <<<"$printed")"
expect "nothing was installed" "" "$(cat "$folder/called" 2>/dev/null)"

# answered WORD: the same at a terminal, where WORD is typed at the question.
answered() {
    rm -f "$folder/called"
    PATH=$without_fuzzer:$PATH python3 - "$1" "$without_fuzzer" "$folder/tree/scripts/test" fuzz <<'PYTHON'
import os, pty, sys
word, path, *command = sys.argv[1:]
os.environ["PATH"] = path
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
seen, is_answered = b"", False
while True:
    try:
        got = os.read(terminal, 65536)
    except OSError:
        break
    if not got:
        break
    seen += got
    if b"[y/N]" in seen and not is_answered:
        os.write(terminal, word.encode() + b"\n")
        is_answered = True
os.waitpid(child, 0)
sys.stdout.buffer.write(seen.replace(b"\r", b""))
PYTHON
}
printed=$(answered n)
expect "at a terminal it asks" 1 "$(grep -c 'Install by apt-get g++? \[y/N\]' <<<"$printed")"
expect "a refusal is respected" "scripts/test: nothing is installed, and what needs it is skipped|" \
    "$(grep 'nothing is installed' <<<"$printed")|$(cat "$folder/called" 2>/dev/null)"
printed=$(answered "")
expect "no answer is a refusal" "" "$(cat "$folder/called" 2>/dev/null)"
printed=$(answered y)
expect "with leave it installs" 1 "$(grep -c '^apt-get -qq update' "$folder/called")"
expect "a failed installation is named" 1 "$(grep -c '^skipped: the fuzzer: .*apt-get could not install g++' <<<"$printed")"
rm -f "$folder/called"
says "$without_fuzzer" "$folder/tree/scripts/test" --install fuzz >/dev/null
expect "--install does not ask" 1 "$(grep -c '^apt-get -qq update' "$folder/called")"

# Packages of Python are asked for likewise, and a python3 that makes no virtual environment is named with its package.
rm "$without_fuzzer/python3"
printf '#!%s/bash\ncase "$*" in --version) echo Python 3.12.1 ;; *) exit 1 ;; esac\n' "$without_fuzzer" >"$without_fuzzer/python3"
chmod +x "$without_fuzzer/python3"
rm -f "$folder/called"
printed=$(says "$without_fuzzer" "$folder/tree/scripts/test" python)
expect "Python without ensurepip: $printed" 1 "$(grep -c '^scripts/test: .*no ensurepip.*apt install python3-venv (Debian, Ubuntu), dnf install python3-libs (Fedora)' <<<"$printed")"
expect "packages of Python are not fetched unasked" 1 "$(grep -c 'nothing is installed.*from PyPI, into target/test, numpy pytest mypy maturin' <<<"$printed")"
expect "Python's tests are skipped by name" 1 "$(grep -c '^skipped: everything in Python: python3 cannot make a virtual environment' <<<"$printed")"
expect "nor is anything else called" "" "$(cat "$folder/called" 2>/dev/null)"
expect "an unknown option of scripts/test" 2 "$(scripts/test --perhaps >/dev/null 2>&1 && echo 0 || echo $?)"
