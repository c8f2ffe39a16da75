# SPDX-License-Identifier: Apache-2.0 OR MIT
# Requirements of the steps of scripts/test, and the question before any is installed. Sourced by
# scripts/test, which sets $work and $venv, after tools.sh and steps.sh.

# Consent to install missing packages: yes, no, or not decided yet.
may_install=ask

# needed_by STEP: names of the table in tools.sh, and of pypi_packages.
needed_by() {
    case $1 in
        rust) echo etcd ip openssl ;;
        mpi) echo mpirun mpicc libclang ;;
        fuzz) echo c++ ;;
        install) echo c++ pkg-config cmake ;;
        c) echo c++ openssl ;;
        python | examples) echo ensurepip tools_in_venv c++ ;;
        simulator) echo ensurepip tools_in_venv released c++ ;;
        readme) echo ensurepip tools_in_venv c++ ip ;;
        wheel | kv-router) echo ensurepip tools_in_venv ;;
        torchrun) echo torch ensurepip tools_in_venv ;;
        rdma) echo qemu-system-x86_64 busybox kmod ip ;;
        schedulers) echo srun ip ensurepip tools_in_venv c++ ;;
        aarch64) echo aarch64-linux-gnu-gcc qemu-aarch64 ;;
    esac
}

# pypi_packages NAME: the packages of Python behind it, which go into virtual environments below $work.
pypi_packages() {
    case $1 in
        tools_in_venv) echo "numpy pytest mypy maturin" ;;
        released) echo "memfabric_hybrid memcache_hybrid" ;;
        *) return 1 ;;
    esac
}

# lacks_still NAME: as lacks, and for packages of Python.
lacks_still() {
    case $1 in
        tools_in_venv) has_modules "$venv" numpy pytest mypy ;;
        released) has_modules "$work/upstream-venv" memfabric_hybrid && has_modules "$venv" memcache_hybrid ;;
        *) lacks "$1"; return ;;
    esac && return 1
    echo "there is no virtual environment in ${work#"$PWD/"} with $(pypi_packages "$1")"
}

# has_modules FOLDER MODULE…: the virtual environment there has them.
has_modules() {
    "$1/bin/python" -c 'import sys, importlib.util as i; sys.exit(not all(map(i.find_spec, sys.argv[1:])))' "${@:2}" 2>/dev/null
}

can_use_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# decide STEP…: prints the missing tools of these steps, a line each, and asks once for consent to install
# them; --install is that answer.
decide() {
    local step name problem python system="" pypi="" asked answer debian fedora without
    local -A seen=()
    for step; do
        for name in $(needed_by "$step"); do
            [ -z "${seen[$name]:-}" ] || continue
            seen[$name]=yes
            problem=$(lacks_still "$name") || continue
            if python=$(pypi_packages "$name"); then
                echo "scripts/test: $problem; they come from PyPI"
                pypi+=" $python"
            else
                echo "scripts/test: $problem; $(brings "$name")"
                packages_of "$name"
                ! can_use_apt || system+=" $debian"
            fi
        done
    done
    [ "$may_install" = ask ] || return 0
    may_install=no
    asked=${system:+"by apt-get$system"}
    asked+=${pypi:+"${asked:+, and }from PyPI, into ${work#"$PWD/"},$pypi"}
    [ -n "$asked" ] || return 0
    if [ ! -t 0 ]; then
        echo "scripts/test: without a terminal to ask at nothing is installed; scripts/test --install installs $asked"
        return 0
    fi
    read -r -p "Install $asked? [y/N] " answer || answer=no
    case $answer in
        [yY] | [yY][eE][sS]) may_install=yes ;;
        *) echo "scripts/test: nothing is installed, and what needs it is skipped" ;;
    esac
}

# need NAME [WHAT]: true when it is installed or may be fetched now; else skips WHAT, with the reason.
need() {
    local problem remedy debian fedora without=$1
    problem=$(lacks_still "$1") || return 0
    if pypi_packages "$1" >/dev/null; then
        # pip fetches them where they are used.
        [ "$may_install" != yes ] || return 0
        skip "${2:-$without}" "$problem" "scripts/test --install"
        return 1
    fi
    packages_of "$1"
    remedy="apt install $debian (Debian, Ubuntu), dnf install $fedora (Fedora)"
    if [ "$may_install" = yes ] && can_use_apt; then
        echo "installing $debian"
        # shellcheck disable=SC2086
        { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends $debian; } \
            >"$work/apt.log" 2>&1 && ! lacks "$1" >/dev/null && return 0
        problem+=", and apt-get could not install $debian: $work/apt.log"
    fi
    skip "${2:-$without}" "$problem" "$remedy"
    return 1
}

# need_python WHAT: true when a virtual environment with the tests' packages exists, or may be made.
need_python() { need ensurepip "$1" && need tools_in_venv "$1"; }
