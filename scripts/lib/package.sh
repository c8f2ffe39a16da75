# SPDX-License-Identifier: Apache-2.0 OR MIT
# Makes a package that installs itself. Sourced.

# make_package ROOT FOLDER VERSION OUTPUT: the files of FOLDER in one program, OUTPUT.
make_package() {
    local root=$1 folder=$2 version=$3 output=$4 head=$1/scripts/lib/package_head.sh
    # The same files give the same package.
    tar -cz --sort=name --owner=0 --group=0 --numeric-owner -C "$folder" -f "$output.files" . || return 1
    sed -e "s/@NAME@/$(basename "$output")/" -e "s/@VERSION@/$version/" -e "s/@LINES@/$(grep -c '' "$head")/" \
        -e "s/@SUM@/$(sha256sum "$output.files" | cut -d ' ' -f 1)/" "$head" >"$output.new" || return 1
    cat "$output.files" >>"$output.new" && chmod 755 "$output.new" && mv "$output.new" "$output" && rm "$output.files"
}
