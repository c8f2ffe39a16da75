# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Link options of distributed libraries and programs: similar functions and data lie side by side, so that the wheel compresses
5 % better. Rust's own lld can do that, for every processor that it links for."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

ORDER = "-Wl,--bp-compression-sort=both"


def options() -> list[str]:
    """Options of the compiler that links; none, and a line that says why, where it does not know them."""
    folder = _linkers()
    if folder is not None:
        # The wrapper in there is called as the compiler wants it, and finds lld beside itself.
        found = [f"-B{folder}", "-fuse-ld=lld", ORDER]
        if _links(found):
            return found
    print("no lld of Rust that orders for compression (lld 21, which Rust 1.91 brings): the wheel is some 5 % larger")
    return []


def config(found: list[str], folder: Path) -> list[str]:
    """The same as options of cargo, by a file in ``folder``."""
    if not found:
        return []
    flags = json.dumps([f"-Clink-arg={option}" for option in found])
    path = folder / "link.toml"
    path.write_text(f"[target.'cfg(target_os = \"linux\")']\nrustflags = {flags}\n")
    return ["--config", os.fspath(path)]


def _linkers() -> Path | None:
    rustc = os.environ.get("RUSTC", "rustc")
    try:
        said = subprocess.run([rustc, "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout
        root = subprocess.run([rustc, "--print", "sysroot"], check=True, stdout=subprocess.PIPE, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    host = next((line.removeprefix("host: ") for line in said.splitlines() if line.startswith("host: ")), "")
    folder = Path(root.strip(), "lib", "rustlib", host, "bin", "gcc-ld")
    return folder if (folder / "ld.lld").exists() else None


def _links(found: list[str]) -> bool:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "one.c"), Path(folder, "libone.so")
        source.write_text("int one(void) { return 1; }\n")
        command = [*compiler, "-shared", "-fPIC", "-nostdlib", *found, os.fspath(source), "-o", os.fspath(output)]
        try:
            return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        except OSError:
            return False
