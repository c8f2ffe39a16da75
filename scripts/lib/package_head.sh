#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# A package that installs itself: this text, and behind its last line the files.
set -eu
name='@NAME@' version='@VERSION@' lines=@LINES@ sum='@SUM@'

usage() {
    cat <<TEXT
Usage: $name [--check] [--install [--install-path=FOLDER]] [--extract=FOLDER] [--list]

memfabric-rs $version: libraries, headers, programs and examples.

  --check                 compares the package with its checksum, and installs nothing
  --install               checks it, and installs
  --install-path=FOLDER   where to; without it /usr/local/memfabric-rs, or ~/memfabric-rs where that cannot be written
  --extract=FOLDER        checks it, and unpacks the files as they are
  --list                  names the files
  --version, --help       these

Installing over an older installation is safe while programs use it. To remove it, remove the folder.
TEXT
}

die() { echo "$name: $*" >&2; exit 1; }
payload() { tail -n "+$((lines + 1))" "$package"; }
check() {
    [ "$(payload | sha256sum | cut -d ' ' -f 1)" = "$sum" ] || die "the package is damaged: its checksum differs; copy it again"
}
unpack() {
    mkdir -p "$1" 2>/dev/null && [ -w "$1" ] || die "the folder $1 cannot be written; choose another with --install-path=FOLDER"
    # tar replaces files, so that what programs use is not written to.
    payload | tar -xz --no-same-owner -C "$1" || die "not all files could be written to $1"
}

package=$0 do_check=no do_install=no where= folder= list=no
[ $# -gt 0 ] || { usage; exit 0; }
for argument; do
    case $argument in
        --check) do_check=yes ;;
        --install) do_install=yes ;;
        --install-path=?*) where=${argument#*=} ;;
        --extract=?*) folder=${argument#*=} ;;
        --list) list=yes ;;
        --quiet) ;;
        --version) echo "$version"; exit 0 ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
check
[ $do_check = no ] || echo "$name: the checksum is right"
[ $list = no ] || payload | tar -tz
[ -z "$folder" ] || unpack "$folder"
[ $do_install = yes ] || exit 0
if [ -z "$where" ]; then
    where=/usr/local/memfabric-rs
    mkdir -p "$where" 2>/dev/null && [ -w "$where" ] || where=$HOME/memfabric-rs
fi
unpack "$where"
echo "$name: installed in $where; for the variables that build files use: . $where/set_env.sh"
exit 0
