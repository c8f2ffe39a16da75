# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Metadata of the crates, and the files of publishable ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Build outputs.
OUTPUTS = (".so", ".rlib", ".o", ".pyc")


def cargo(*words: str) -> str:
    command = [os.environ.get("CARGO", "cargo"), *words]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr}")
    return done.stdout


def faults(package: dict[str, object]) -> list[str]:
    """Missing metadata or excess files of a package."""
    found = [name for name in ("description", "license", "rust_version") if not package[name]]
    if package["license"] not in (None, "Apache-2.0 OR MIT"):
        found.append(f"another license: {package['license']}")
    if package["repository"] or package["homepage"]:
        found.append("a site, and the project has none")
    # null: any registry; an empty list: none.
    if package["publish"] == []:
        return found
    found += [name for name in ("readme", "keywords", "categories") if not package[name]]
    files = cargo("package", "--list", "--allow-dirty", "--locked", "--package", str(package["name"])).split("\n")
    found += [f"the file {name}" for name in ("LICENSE-APACHE", "LICENSE-MIT", "README.md") if name not in files]
    found += [f"{name} too much" for name in files if name.endswith(OUTPUTS) or name.startswith("target/")]
    return found


def main() -> int:
    packages = json.loads(cargo("metadata", "--no-deps", "--locked", "--format-version", "1"))["packages"]
    wrong = 0
    for package in packages:
        for fault in faults(package):
            wrong += 1
            print(f"FAILED crate {package['name']}: {fault}")
    published = [package["name"] for package in packages if package["publish"] != []]
    print(f"crates: {len(packages)}, of which may be published: {', '.join(published)}; {wrong} faults")
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("target", ".git", "out")]
        for copy in (Path(folder, name) for name in names if name.startswith("LICENSE-")):
            if copy.read_bytes() != (ROOT / copy.name).read_bytes():
                wrong += 1
                print(f"FAILED {copy.relative_to(ROOT)} differs from {copy.name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
