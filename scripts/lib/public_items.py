#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Lists the public items of the crate memfabric, one line each, in core/memfabric/public-items.txt: public_items.py [--check].

With --check nothing is written: the items that were added, removed or changed are printed, and the exit status is 1 if there are
any. A removed or changed line breaks programs, and needs a new minor version below 1.0, a new major version from then on. Only texts
are read.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from references import ROOT, RUST_MODULES, rust_exported, rust_files, rust_items, rust_public

LIST = ROOT / "core/memfabric/public-items.txt"
# Items of other crates that memfabric exports: module of memfabric, name there, defining file.
FOREIGN = [
    ("", "Gva", "core/base/src/units.rs"),
    ("", "MemKind", "core/base/src/units.rs"),
    ("", "Rank", "core/base/src/units.rs"),
    ("", "Kind", "core/base/src/error.rs"),
    ("trans", "MESSAGE_BYTES_MAX", "core/smem/src/trans/inbox.rs"),
    ("trans", "NOTIFICATIONS_MAX", "core/smem/src/trans/inbox.rs"),
    ("hmc", "CHANNELS_MAX", "core/hmc/src/communicator.rs"),
    ("hmc", "Ranges", "core/hmc/src/communicator.rs"),
]


def members(file: Path, name: str) -> list[str]:
    """Variants of an enum and public fields of a struct, with what is derived and marked."""
    text = file.read_text()
    found = re.search(rf"((?:^ *#\[[^\n]*\]\n)*)^( *)pub (?:enum|struct) {name}\b[^;{{(]*(\{{.*?^\2\}}|\([^;]*\);)", text, re.MULTILINE | re.DOTALL)
    if not found:
        return []
    lines = [f"derive {trait.strip()}" for trait in ",".join(re.findall(r"derive\(([^)]*)\)", found.group(1))).split(",") if trait.strip()]
    lines += ["non_exhaustive"] if "non_exhaustive" in found.group(1) else []
    body = re.sub(r"^ *///.*$", "", found.group(3), flags=re.MULTILINE)
    if found.group(0).lstrip("# \n").startswith("pub enum") or re.search(rf"pub enum {name}\b", found.group(0)):
        lines += re.findall(r"^ {4}([A-Z]\w*)", body, re.MULTILINE)
    lines += [f"pub {field}" for field in re.findall(r"^ {4,8}pub (\w+: [^\n]*?),?$", body, re.MULTILINE)]
    lines += [f"pub 0: {kind}" for kind in re.findall(r"^\(pub (?!\()([^)]*)\)", body)]
    return lines


def traits(module: str) -> list[str]:
    """Implementations of traits for the public types of a module."""
    exported, found = rust_exported(rust_files(module)[0]), []
    for file in rust_files(module):
        for trait, name in re.findall(r"^impl(?:<[^{]*?>)? ([\w:]+) for (\w+)", file.read_text(), re.MULTILINE):
            if name in exported:
                found.append(f"{name}: {trait.split('::')[-1]}")
    return found


def items() -> list[str]:
    lines = []
    for module in ["", *RUST_MODULES]:
        path = f"memfabric::{module}::" if module else "memfabric::"
        for owner, _, name, declaration, _ in rust_public(module):
            declaration = re.sub(r"^(pub struct [^(]*)\((?!pub).*", r"\1", declaration)
            lines.append(f"{path}{f'{owner}::' if owner else ''}{name} — {declaration}")
        for file in rust_files(module):
            for name in sorted(rust_exported(rust_files(module)[0])):
                lines += [f"{path}{name} — {member}" for member in members(file, name)]
        lines += [f"{path}{line.replace(': ', ' — impl ')}" for line in traits(module)]
    for module, name, file in FOREIGN:
        path = f"memfabric::{module}::" if module else "memfabric::"
        shown = "ErrorKind" if name == "Kind" else name
        for owner, _, item, declaration, _ in rust_items(ROOT / file):
            if (owner or item) == name:
                lines.append(f"{path}{f'{shown}::{item}' if owner else shown} — {declaration}")
        lines += [f"{path}{shown} — {member}" for member in members(ROOT / file, name)]
    kinds = re.findall(r"^ {4}(\w+) = -\d+, ", (ROOT / "core/base/src/error.rs").read_text(), re.MULTILINE)
    lines += [f"memfabric::ErrorKind — {kind}" for kind in kinds]
    features = re.search(r"^\[features\]$(.*?)^\[", (ROOT / "core/memfabric/Cargo.toml").read_text(), re.MULTILINE | re.DOTALL)
    lines += [f"feature {name}" for name in re.findall(r"^(\w[\w-]*) = ", features.group(1), re.MULTILINE)] if features else []
    return sorted(set(lines))


def main() -> int:
    if len(sys.argv) > 1 and sys.argv[1] != "--check":
        print("Usage: scripts/lib/public_items.py [--check]")
        return 0 if sys.argv[1] in ("-h", "--help") else 2
    found = items()
    if len(sys.argv) == 1:
        LIST.write_text("\n".join(found) + "\n")
        return 0
    known = LIST.read_text().splitlines() if LIST.is_file() else []
    changes = [f"added: {line}" for line in found if line not in known]
    changes += [f"removed or changed: {line}" for line in known if line not in found]
    if changes:
        print("\n".join(changes), file=sys.stderr)
        print("the public items of memfabric differ from core/memfabric/public-items.txt; scripts/lib/public_items.py writes it", file=sys.stderr)
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
