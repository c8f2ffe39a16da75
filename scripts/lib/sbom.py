#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bill of materials of the distributed files: every crate that is compiled into them, as CycloneDX 1.5.

sbom.py write FILE    writes it, for the Cargo.lock of this tree
sbom.py check FILE    structure, references, licences of deny.toml, and the crates of this Cargo.lock

Crates for build scripts, macros and tests are left out: none of their code is distributed. Environment: SOURCE_DATE_EPOCH, the
time that the file names.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
import licences  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# Crates with a distributed file: the libraries, the programs, the extension of Python.
SHIPPED = ("mf-capi", "mf-cli", "mf-perf", "ascend-sim", "gpu-sim", "mf-python")
Json = dict[str, Any]


@cache
def metadata() -> Json:
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    targets = [f"--filter-platform={name}-unknown-linux-gnu" for name in ("x86_64", "aarch64")]
    found: Json = json.loads(subprocess.check_output([*command, *targets], cwd=ROOT))
    return found


def checksums() -> dict[tuple[str, str], str]:
    """SHA-256 of the packed crates, by name and version."""
    blocks = re.findall(r'name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"', (ROOT / "Cargo.lock").read_text())
    return {(name, version): checksum for name, version, checksum in blocks}


def is_macro(package: Json) -> bool:
    return any("proc-macro" in target["kind"] for target in package["targets"])


def compiled() -> dict[str, list[str]]:
    """Ids of the distributed crates, each with the crates that it uses."""
    packages = {package["id"]: package for package in metadata()["packages"]}
    nodes = {node["id"]: node for node in metadata()["resolve"]["nodes"]}
    left = [key for key, package in packages.items() if package["name"] in SHIPPED and package["source"] is None]
    found: dict[str, list[str]] = {}
    while left:
        if (key := left.pop()) in found:
            continue
        used = [dep["pkg"] for dep in nodes[key]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        found[key] = [other for other in used if not is_macro(packages[other])]
        left += found[key]
    return found


def reference(package: Json) -> str:
    """Package URL of a crate of a registry; name and version of a crate of this tree, which no registry has."""
    name = f"{package['name']}@{package['version']}"
    return f"pkg:cargo/{name}" if package["source"] else name


def component(package: Json, sums: dict[tuple[str, str], str]) -> Json:
    made: Json = {"type": "library", "bom-ref": reference(package), "name": package["name"], "version": package["version"]}
    if package["license"]:
        made["licenses"] = [{"expression": licences.normal(package["license"])}]
    if package["source"]:
        made["purl"] = reference(package)
        made["hashes"] = [{"alg": "SHA-256", "content": sums[package["name"], package["version"]]}]
    if package["repository"]:
        made["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return made


def standard_library() -> Json:
    version = subprocess.check_output(["rustc", "--version"], text=True, cwd=ROOT).split()[1]
    return {"type": "library", "bom-ref": f"rust-std@{version}", "name": "rust-std", "version": version,
            "licenses": [{"expression": "MIT OR Apache-2.0"}]}


def bill() -> Json:
    packages, sums, crates = {package["id"]: package for package in metadata()["packages"]}, checksums(), compiled()
    version = next(package["version"] for package in packages.values() if package["name"] == SHIPPED[0])
    standard = standard_library()
    components = sorted((component(packages[key], sums) for key in crates), key=lambda one: one["bom-ref"])
    uses = {reference(packages[key]): sorted(reference(packages[other]) for other in used) for key, used in crates.items()}
    uses |= {key: sorted([*used, standard["bom-ref"]]) for key, used in uses.items()}
    product = f"memfabric-rs@{version}"
    uses |= {product: sorted(ref for ref in uses if ref.partition("@")[0] in SHIPPED), standard["bom-ref"]: []}
    moment = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), timezone.utc)
    made: Json = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {
            "timestamp": moment.isoformat(),
            "component": {"type": "application", "bom-ref": product, "name": "memfabric-rs", "version": version,
                          "licenses": [{"expression": "Apache-2.0 OR MIT"}]},
        },
        "components": [*components, standard],
        "dependencies": [{"ref": ref, "dependsOn": uses[ref]} for ref in sorted(uses)],
    }
    # The same contents have the same number.
    return {"serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made, sort_keys=True))}", **made}


def check(made: Json) -> list[str]:
    wrong = [] if made.get("bomFormat") == "CycloneDX" and made.get("specVersion") == "1.5" else ["no bill of CycloneDX 1.5"]
    if not re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made.get("serialNumber", "")):
        wrong.append("invalid serialNumber")
    datetime.fromisoformat(made["metadata"]["timestamp"])
    listed = licences.allowed()
    refs = [made["metadata"]["component"]["bom-ref"]]
    for one in made["components"]:
        refs.append(one["bom-ref"])
        if not one.get("name") or not one.get("version"):
            wrong.append(f"{one['bom-ref']}: no name or version")
        expressions = [licence.get("expression", "") for licence in one.get("licenses", [])]
        if not expressions or not all(licences.acceptable(text, listed) for text in expressions):
            wrong.append(f"{one['bom-ref']}: licence {expressions}, which deny.toml does not list")
        if one.get("purl") and not re.fullmatch(r"[0-9a-f]{64}", one["hashes"][0]["content"]):
            wrong.append(f"{one['bom-ref']}: no SHA-256")
    wrong += [f"{ref}: listed twice" for ref in set(refs) if refs.count(ref) > 1]
    edges = {entry["ref"]: entry["dependsOn"] for entry in made["dependencies"]}
    wrong += [f"{ref}: unknown component" for ref in {*edges, *(ref for used in edges.values() for ref in used)} - set(refs)]
    wrong += [f"{ref}: no entry in dependencies" for ref in set(refs) - set(edges)]
    known = checksums()
    for one in made["components"]:
        if one.get("purl") and known.get((one["name"], one["version"])) != one["hashes"][0]["content"]:
            wrong.append(f"{one['bom-ref']}: not in Cargo.lock, or with another checksum")
    return wrong


def main() -> int:
    match sys.argv[1:]:
        case ["write", file]:
            Path(file).write_text(json.dumps(bill(), indent=1) + "\n")
            return 0
        case ["check", file]:
            wrong = check(json.loads(Path(file).read_text()))
            print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
            return 1 if wrong else 0
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main())
