# SPDX-License-Identifier: Apache-2.0 OR MIT
# Parts of a release; each replaces its files of an older version. Sourced by scripts/release, which sets $work, $out,
# $version, $profile, $build and $epoch, the time in the files.

all_parts=(tree debian wheels aarch64 sdists sbom deploy)
# Packages of Python without compiled code.
pure_packages=(python/memfabric_hybrid python/mf_adapter python/cann_shmem python/openshmem python/hmc python/connectors python/mooncake)

# run_part PART: makes it in the background, and prints each 20 s how far its log is.
run_part() {
    local log=$work/$1.log status=0
    part_begun=$SECONDS
    printf '== %s (log: %s)\n' "$1" "$log"
    : >"$log"
    # Groups of their own, which are ended as a whole.
    set -m
    (set -e; "part_$1") >"$log" 2>&1 &
    part_process=$!
    { while sleep 20; do printf '   %d s: %s\n' $((SECONDS - part_begun)) "$(tail -n 1 "$log" | cut -c 1-100)"; done; } &
    beat_process=$!
    set +m
    wait "$part_process" || status=$?
    part_process=
    stop_part
    if [ $status -ne 0 ]; then tail -n 15 "$log" >&2; return 1; fi
    grep -E '^(skip |[0-9]+ bytes: )' "$log" | sed 's/^/   /' || true
    printf '   done in %d s\n' $((SECONDS - part_begun))
}

# stop_part: ends what run_part has started and still runs.
part_process='' beat_process=''
stop_part() {
    local process
    for process in $part_process $beat_process; do
        kill -- "-$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    part_process='' beat_process=''
}

# pack NAME FOLDER ENTRY: OUT/NAME from ENTRY in FOLDER; the same files give the same bytes.
pack() {
    local compress=--gzip
    [[ $1 == *.gz ]] || compress=--xz
    XZ_OPT=-T1 tar -c "$compress" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" \
        --mode=u+rw,go+r,go-w -C "$2" -f "$out/.$1" "$3"
    mv "$out/.$1" "$out/$1"
    report "$out/$1"
}

report() {
    local file
    for file; do printf '%d bytes: %s\n' "$(stat -c %s "$file")" "$file"; done
}

# installed_tree: builds and installs the tree below $work; sets tree to it.
installed_tree() {
    local name
    name=memfabric-rs-$version-linux-$(uname -m)
    tree=$work/tree/$name
    rm -rf "$work/tree"
    mkdir -p "$work/tree"
    if [ "$build" = yes ]; then scripts/install --no-emulation "$tree"; else scripts/install --no-build --no-emulation "$tree"; fi
    scripts/lib/notices.py "$tree/share/doc/memfabric-rs/third-party-notices.txt"
    [ -e "$tree/share/man/man1/mf.1" ] || { echo "the tree has no man pages: mf does not run here"; return 1; }
}

part_tree() {
    installed_tree
    rm -f "$out"/memfabric-rs-*-linux-"$(uname -m)".tar.xz
    pack "$(basename "$tree").tar.xz" "$work/tree" "$(basename "$tree")"
}

part_debian() {
    command -v dpkg-deb >/dev/null || { echo "there is no dpkg-deb (Debian: apt-get install dpkg)"; return 1; }
    # Installing again compiles nothing.
    installed_tree
    rm -f "$out"/*.deb
    SOURCE_DATE_EPOCH=$epoch scripts/lib/debian.py "$tree" "$out"
}

# python_tools: makes the virtual environment of scripts/wheel; sets tools to its interpreter.
python_tools() {
    tools=${CARGO_TARGET_DIR:-$PWD/target}/wheels/tools/bin/python
    [ -x "$tools" ] || "${PYTHON:-python3}" -m venv "$(dirname "$(dirname "$tools")")"
    "$tools" -m pip install --quiet --disable-pip-version-check build
}

# built_package KIND FOLDER: builds a wheel or an sdist of a package of Python.
built_package() {
    SOURCE_DATE_EPOCH=$epoch "$tools" -m build --outdir "$work/python" "--$1" "$2" >"$work/build.log" 2>&1 || { cat "$work/build.log"; return 1; }
}

# move_out PATTERN…: files of $work/python that match go to the folder of the release.
move_out() {
    local pattern file
    for pattern; do
        for file in "$work"/python/$pattern; do
            mv -f "$file" "$out/"
            report "$out/$(basename "$file")"
        done
    done
}

part_wheels() {
    local package
    rm -rf "$work/python" && mkdir "$work/python"
    rm -f "$out"/*-none-any.whl "$out"/mf_smem-*_"$(uname -m)".*
    scripts/wheel --profile "$profile" "$work/python"
    python_tools
    for package in "${pure_packages[@]}"; do
        echo "wheel of $package"
        built_package wheel "$package"
    done
    echo "wheel of python/nixl, for this processor"
    rm -f "$out"/mf_nixl-*.whl
    built_package wheel python/nixl
    move_out '*.whl' '*.debug.tar.xz'
}

part_aarch64() {
    local missing=()
    lacks aarch64-linux-gnu-gcc >/dev/null && missing+=("aarch64-linux-gnu-gcc ($(brings aarch64-linux-gnu-gcc))")
    [ -d "$(rustc --print sysroot)/lib/rustlib/aarch64-unknown-linux-gnu/lib" ] || missing+=("Rust's target (rustup target add aarch64-unknown-linux-gnu)")
    if [ ${#missing[@]} -gt 0 ]; then
        printf 'missing: %s\n' "${missing[@]}"
        return 1
    fi
    rm -rf "$work/python" && mkdir "$work/python"
    rm -f "$out"/mf_smem-*_aarch64.*
    scripts/wheel --profile "$profile" --target aarch64-unknown-linux-gnu "$work/python"
    move_out '*.whl' '*.debug.tar.xz'
}

part_sdists() {
    local package
    rm -rf "$work/python" && mkdir "$work/python"
    find "$out" -maxdepth 1 -name '*.tar.gz' ! -name 'memfabric-rs-*' -delete
    python_tools
    for package in python "${pure_packages[@]}" python/nixl python/pybind_enums; do
        echo "sources of $package"
        built_package sdist "$package"
    done
    move_out '*.tar.gz'
}

part_sbom() {
    local file=$out/memfabric-rs-$version.cdx.json
    rm -f "$out"/memfabric-rs-*.cdx.json "$out"/memfabric-rs-*-notices.txt
    SOURCE_DATE_EPOCH=$epoch scripts/lib/sbom.py write "$file"
    scripts/lib/sbom.py check "$file"
    scripts/lib/notices.py "$out/memfabric-rs-$version-notices.txt"
    report "$file" "$out/memfabric-rs-$version-notices.txt"
}

part_deploy() {
    rm -rf "$work/deploy" && mkdir -p "$work/deploy"
    cp -r docs/deploy "$work/deploy/memfabric-rs-$version-deploy"
    rm -f "$out"/memfabric-rs-*-deploy.tar.gz
    pack "memfabric-rs-$version-deploy.tar.gz" "$work/deploy" "memfabric-rs-$version-deploy"
}

# write_sums FOLDER: SHA256SUMS of its files.
write_sums() (
    cd "$1"
    find . -maxdepth 1 -type f ! -name SHA256SUMS ! -name '.*' -printf '%P\n' | LC_ALL=C sort | xargs -r sha256sum >.SHA256SUMS
    mv .SHA256SUMS SHA256SUMS
    printf '== %d files in %s, with their sums in SHA256SUMS\n' "$(grep -c '' SHA256SUMS)" "$1"
)
