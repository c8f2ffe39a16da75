#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Cheap tests of a release: scripts, Debian packages of a small tree, SBOM, Grafana board, manifests, notes of changes.
set -euo pipefail
case "${1:-}" in
-h | --help) echo "Usage: tests/release/run.sh [FOLDER]"; echo "With a FOLDER of scripts/release: also its checksums and its bill of materials."; exit 0 ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python3 -B -m unittest discover -s tests/release
if [ -n "${1:-}" ] && [ -e "$1/SHA256SUMS" ]; then
    (cd "$1" && sha256sum --check --quiet SHA256SUMS)
    for file in "$1"/*.cdx.json; do [ ! -e "$file" ] || scripts/lib/sbom.py check "$file"; done
    echo "$(grep -c '' "$1/SHA256SUMS") files in $1 have their sums"
fi
