# SPDX-License-Identifier: Apache-2.0 OR MIT
# Finds tools by exactly what will be used of them. Sourced.

# need_tools SCRIPT COMMAND…: ends the script, in one line, when a command is missing that it cannot do without.
need_tools() {
    local script=$1 missing=()
    shift
    for tool; do command -v "$tool" >/dev/null || missing+=("$tool"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    local remedy=()
    for tool in "${missing[@]}"; do
        case $tool in
            cargo) remedy+=("Rust from https://rustup.rs") ;;
            cc) remedy+=("a C compiler (Debian: apt-get install gcc libc6-dev)") ;;
            python3) remedy+=("Python 3.10 or newer (Debian: apt-get install python3 python3-venv)") ;;
            *) remedy+=("$tool") ;;
        esac
    done
    printf '%s: there is no %s; install %s\n' "$script" "$(join ' and no ' "${missing[@]}")" \
        "$(join ', ' "${remedy[@]}")" >&2
    exit 1
}

# join SEPARATOR WORD…: the words in one line.
join() {
    local separator=$1 line=$2
    shift 2
    for word; do line+=$separator$word; done
    printf '%s' "$line"
}

# find_libclang [FOLDER…]: prints the libclang that bindgen will open, with its own headers (stddef.h) beside it; false
# when there is none. Debian's libclang-cpp*.so* is another library. The folders default to those that bindgen searches.
find_libclang() {
    local folders=("$@") folder file
    if [ ${#folders[@]} -eq 0 ]; then
        if [ -n "${LIBCLANG_PATH:-}" ]; then
            [ ! -f "$LIBCLANG_PATH" ] || { echo "$LIBCLANG_PATH"; return 0; }
            folders=("$LIBCLANG_PATH")
        else
            folders=(/usr/lib/llvm-*/lib /usr/lib/llvm*/lib /usr/lib*/*-linux-gnu /usr/lib64 /usr/lib /usr/local/lib*)
        fi
    fi
    for folder in "${folders[@]}"; do
        for file in "$folder"/libclang.so "$folder"/libclang.so.[0-9]* "$folder"/libclang-[0-9]*.so \
            "$folder"/libclang-[0-9]*.so.[0-9]*; do
            [ -e "$file" ] || continue
            # The compiler's headers lie beside the real file; the library alone cannot read C.
            if compgen -G "$(dirname "$(readlink -f "$file")")/clang/*/include/stddef.h" >/dev/null ||
                compgen -G "/usr/lib/llvm-*/lib/clang/*/include/stddef.h" >/dev/null ||
                compgen -G "/usr/lib/clang/*/include/stddef.h" >/dev/null; then
                echo "$file"
                return 0
            fi
        done
    done
    return 1
}
