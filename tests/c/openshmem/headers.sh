# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compiler output for programs of OpenSHMEM, right and wrong ones. Sourced by run.sh.

# refused COMPILER… -- TEXT LINE…: a program of these lines does not compile, and the compiler says TEXT, and where in the program.
refused() {
    local command=() text
    while [ "$1" != -- ]; do command+=("$1") && shift; done
    text=$2
    shift 2
    printf '%s\n' '#include <shmem.h>' 'struct mine { int number; };' 'void wrong(struct mine *object, double *numbers, short *words, int pe);' \
        'void wrong(struct mine *object, double *numbers, short *words, int pe)' '{' '(void)object, (void)numbers, (void)words, (void)pe;' "$@" '}' >"$work/wrong.c"
    if "${command[@]}" -I"$include/openshmem" -fsyntax-only "$work/wrong.c" >"$work/said" 2>&1; then
        echo "${command[*]}: this compiles: $*"
        return 1
    fi
    grep -q -- "$text" "$work/said" && grep -q 'wrong.c:7:' "$work/said" || { cat "$work/said"; return 1; }
}

# Calls of names without a type, with types that the operation does not have.
wrong_types() {
    local c=("$1" -x c -std=c11) cxx=("$2" -x c++ -std=c++11) in_c='compatible with any' in_cxx='no matching function'
    local line
    for line in 'shmem_put(object, object, 1, pe);' 'shmem_atomic_fetch_and(numbers, 1, pe);' 'shmem_atomic_fetch_add(numbers, 1, pe);' \
        'shmem_atomic_inc(words, pe);' 'shmem_p(object, *object, pe);' 'shmem_get(SHMEM_CTX_DEFAULT, object, object, 1, pe);'; do
        refused "${c[@]}" -- "$in_c" "$line" && refused "${cxx[@]}" -- "$in_cxx" "$line" || return 1
    done
    # One that is asked for an int * gets no long *, with or without a type in its name.
    refused "${c[@]}" -Werror -- 'incompatible' 'shmem_long_put((long *)numbers, numbers, 1, pe);' &&
        refused "${cxx[@]}" -- 'cannot\|no known conversion\|no matching' 'shmem_long_put((long *)numbers, numbers, 1, pe);'
}

# Deprecated names are warned of when this is asked for, and only then.
deprecated() {
    local compiler=$1
    printf '%s\n' '#include <shmem.h>' 'int pes(void);' 'int pes(void)' '{' 'start_pes(0);' 'return _num_pes();' '}' >"$work/old.c"
    "$compiler" -std=c11 "${strict[@]}" -I"$include/openshmem" -fsyntax-only "$work/old.c" || return 1
    "$compiler" -std=c11 -DMF_SHMEM_WARN_DEPRECATED -I"$include/openshmem" -fsyntax-only "$work/old.c" >"$work/said" 2>&1 || return 1
    [ "$(grep -c 'old.c:[56]:.*warning: .*deprecated' "$work/said")" -eq 2 ] || { cat "$work/said"; return 1; }
}

# Programs that use all of it, in each dialect.
dialects() {
    local c=$1 cxx=$2 dialect source
    for source in "$here/openshmem/constants.c" "$root"/examples/openshmem/0[235]*.c; do
        for dialect in c11 c17 c2x; do
            "$c" -x c -std=$dialect "${strict[@]}" -I"$include/openshmem" -I"$include" -fsyntax-only "$source" || return 1
        done
        for dialect in c++11 c++14 c++17 c++20; do
            "$cxx" -x c++ -std=$dialect "${strict[@]}" -I"$include/openshmem" -I"$include" -fsyntax-only "$source" || return 1
        done
    done
    # Programs in C++ include headers of C in a block of their own.
    printf '%s\n' 'extern "C" {' '#include <mpp/shmem.h>' '#include <shmemx.h>' '#include <pshmem.h>' '}' 'void put(double *to, const double *from);' \
        'void put(double *to, const double *from) { shmem_put(to, from, 1, 0); }' >"$work/inside.cpp"
    "$cxx" -x c++ -std=c++11 "${strict[@]}" -I"$include/openshmem" -fsyntax-only "$work/inside.cpp" || return 1
    # Programs of the time before selections, and of the time before declarations between statements.
    "$c" -x c -std=c99 "${strict[@]}" -I"$include/openshmem" -fsyntax-only "$root/examples/openshmem/01_ring.c"
}

# CANN SHMEM's headers, with attributes as programs write them: by lists, and with omitted ones at their
# defaults.
of_cann() {
    local dialect header
    for header in shmem aclshmem shmem_api; do
        printf '#include <%s.h>\n' "$header" >"$work/cann.cpp"
        if [ "$header" != shmem_api ]; then
            printf '%s\n' 'aclshmemx_init_attr_t attributes();' 'aclshmemx_init_attr_t attributes()' '{' 'aclshmemx_init_attr_t attr;' \
                'attr.option_attr = {0, ACLSHMEM_DATA_OP_MTE, 1, 2, 3, -1};' '#if __cplusplus >= 201402L' \
                'aclshmemx_init_attr_t other = {{0}, {1}, "", 1024, {0, ACLSHMEM_DATA_OP_MTE, 1, 2, 3}};' 'attr.option_attr = other.option_attr;' \
                '#endif' 'return attr;' '}' >>"$work/cann.cpp"
        fi
        for dialect in c++11 c++17; do
            "$1" -x c++ -std=$dialect "${strict[@]}" -Wshadow -I"$include" -fsyntax-only "$work/cann.cpp" || return 1
        done
    done
}

# compilers_agree C C++: all of this with a pair of compilers.
compilers_agree() {
    dialects "$1" "$2" && wrong_types "$1" "$2" && deprecated "$1" && of_cann "$2"
}

# With the system's compilers, and LLVM's where they are installed.
headers_of_openshmem() {
    local name clang=
    attempt openshmem.headers compilers_agree "$cc" "$cxx"
    for name in clang clang-{19..14}; do
        [ -n "$clang" ] || ! command -v "$name" >/dev/null || clang=$name
    done
    if [ -n "$clang" ]; then
        attempt openshmem.headers.clang compilers_agree "$clang" "${clang/clang/clang++}"
    else
        skip openshmem.headers.clang "there is no clang; it comes with: apt-get install clang"
    fi
}
