#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# kernel.sh FOLDER: prints "ROOT VERSION" of a kernel with rdma_rxe: an installed one, else Debian's package, unpacked in FOLDER.
set -euo pipefail
folder=$1
of() {
    local found image
    for found in "$1"/lib/modules/*/kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko*; do
        [ -e "$found" ] || continue
        found=${found#"$1"/lib/modules/}
        image=$1/boot/vmlinuz-${found%%/*}
        [ -r "$image" ] || continue
        echo "${1:-/} ${found%%/*}"
        return
    done
    return 1
}
! of "" || exit 0
! of "$folder/root" || exit 0
command -v apt-get dpkg-deb >/dev/null || { echo "no installed kernel has rdma_rxe, and there is no apt-get to fetch one" >&2; exit 1; }
mkdir -p "$folder"
package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p')
[ -n "$package" ] || { echo "apt-get knows no package linux-image-amd64" >&2; exit 1; }
(cd "$folder" && apt-get -qq download "$package") >&2
rm -rf "$folder/root"
dpkg-deb -x "$folder/${package}"_*.deb "$folder/root"
rm "$folder/${package}"_*.deb
of "$folder/root"
