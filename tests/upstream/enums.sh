#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Imports releases 1.1 and 1.2 of the cache product memcache_hybrid over this library, without and with the package
# mf_pybind_enums, and runs them: enums.sh PYTHON_VENV WORK_FOLDER. The environment has our packages. Skips, with the
# reason, only where a package cannot be had.
set -euo pipefail
venv=$1 work=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pip=("$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps)

skip() { echo "skip older releases of the cache product: $*"; exit 0; }

command -v "${CXX:-c++}" >/dev/null || skip "no C++ compiler, which builds mf_pybind_enums"
rm -rf "$work" && mkdir -p "$work"
# A copy, so that setuptools leaves nothing in the sources.
cp -r "$here/../../python/pybind_enums" "$work/sources"
"$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" 'pybind11>=3.0,<3.1' ||
    skip "pybind11 3.0 cannot be had, which builds mf_pybind_enums"
"${pip[@]}" --target "$work/enums" "$work/sources"

tried=()
for version in 1.1.6 1.2.0 1.2.1; do
    "${pip[@]}" --only-binary :all: --target "$work/$version" memcache_hybrid==$version || { echo "skip memcache_hybrid $version: not in the registry"; continue; }
    PYTHONPATH=$work/$version timeout 120 "$venv/bin/python" "$here/cache/enums.py" $version refused
    PYTHONPATH=$work/$version:$work/enums timeout 120 "$venv/bin/python" "$here/cache/enums.py" $version works 2>&1 | sed '/ ERROR /d'
    PYTHONPATH=$work/$version:$work/enums timeout 280 "$venv/bin/python" "$here/cache/older.py" "$work/run/$version"
    tried+=("$version")
done
[ ${#tried[@]} -gt 0 ] || skip "no release of it can be installed here"
echo "memcache_hybrid ${tried[*]}: refused without mf_pybind_enums, right with it"
