# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The source distribution: the whole workspace, as every crate of it is needed to build the wheel or named by its manifest.

At its root are the texts that the format asks for: PKG-INFO, and a pyproject.toml that calls the same backend.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = """\
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The project is described by python/pyproject.toml, which the backend works in.
[build-system]
requires = {requires}
build-backend = "mf_build"
backend-path = ["python/build_backend"]
"""
# At the root of a source distribution, and made anew for one that is made from it.
MADE = {"PKG-INFO", "pyproject.toml"}
# What builds and tests leave behind, where there is no git that knows.
LEFT_BEHIND = {".git", "target", "__pycache__", ".venv", "dist", "out", ".pytest_cache", ".mypy_cache"}
OUTPUTS = ("python/mf_smem/lib/", "python/mf_smem/include/")


def write(workspace: Path, name: str, output: Path, information: bytes, requires: list[str]) -> None:
    """Writes ``output``, whose one folder is ``name``."""
    made = {
        "PKG-INFO": information,
        "pyproject.toml": PYPROJECT.format(requires=str(requires).replace("'", '"')).encode(),
    }
    # A link becomes the file: installers refuse links that lead elsewhere.
    with tarfile.open(output, "w:gz", format=tarfile.PAX_FORMAT, dereference=True) as archive:
        for file, content in made.items():
            entry = tarfile.TarInfo(f"{name}/{file}")
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
        for file in sorted(set(_files(workspace)) - MADE):
            entry = archive.gettarinfo(workspace / file, f"{name}/{file}")
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            with open(workspace / file, "rb") as content_of:
                archive.addfile(entry, content_of)


def _files(workspace: Path) -> Iterator[str]:
    """The files of the project, by their paths from the root: what git would commit, or all but what builds leave behind."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (workspace / ".git").exists():
        listed = subprocess.run(command, cwd=workspace, check=True, stdout=subprocess.PIPE, text=True).stdout
        yield from (file for file in listed.split("\0") if file and (workspace / file).is_file())
        return
    for folder, folders, files in os.walk(workspace):
        folders[:] = [one for one in folders if one not in LEFT_BEHIND and not one.endswith(".egg-info")]
        for file in files:
            path = Path(folder, file).relative_to(workspace).as_posix()
            if not path.endswith((".so", ".pyc")) and not path.startswith(OUTPUTS):
                yield path
