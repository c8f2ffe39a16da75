# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Folder of plug-ins: links to NIXL's own, and to ours.

NIXL reads one folder, NIXL_PLUGIN_DIR in place of its own. The plug-ins of a wheel find their libraries by the place of
their file: in the folder above, and in a folder beside that. So the links repeat these folders::

    FOLDER/libs/plugins/libplugin_UCX.so, libplugin_MEMFABRIC.so, …
    FOLDER/libs/libnixl.so, …
    FOLDER/nixl_cu12.libs/
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ._wheel import Wheel, installed, plugin_path

#: The type of our backend.
NAME = "MEMFABRIC"


def plugin_dir(names: Iterable[str] = (NAME,), wheel: Wheel | None = None, base: str | None = None) -> str:
    """Makes the folder for an installed wheel, if it is not there, and returns its path for ``NIXL_PLUGIN_DIR``.

    `names`: the types under which our plug-in is offered; one that NIXL has is replaced in this folder. The folder consists of
    links and lies below `base` (default: ``$XDG_CACHE_HOME/mf_nixl``, ``~/.cache/mf_nixl``). Several processes may call this at
    once. `NixlError` if NIXL is not installed or its version has no plug-in.
    """
    wheel = wheel or installed()
    links = dict(_links(wheel, tuple(names), plugin_path(wheel)))
    digest = hashlib.sha256(repr(sorted(links.items())).encode()).hexdigest()[:12]
    above = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mf_nixl"
    folder = above.absolute() / f"{wheel.name}-{wheel.version}-{digest}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make(folder, links)
    return os.fspath(folder / "libs" / "plugins")


def _links(wheel: Wheel, names: tuple[str, ...], own: str) -> Iterable[tuple[str, str]]:
    """Places in the folder, with their targets."""
    for file in wheel.libraries.iterdir():
        if file.name != "plugins":
            yield f"libs/{file.name}", os.fspath(file)
    for file in (wheel.libraries / "plugins").iterdir():
        yield f"libs/plugins/{file.name}", os.fspath(file)
    others = wheel.site / f"{wheel.name}.libs"
    if others.is_dir():
        yield others.name, os.fspath(others)
    for name in names:
        yield f"libs/plugins/libplugin_{name}.so", own


def _make(folder: Path, links: dict[str, str]) -> None:
    """Makes the folder at once, complete: another process may be making it, too."""
    made = Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
    try:
        for place, target in links.items():
            link = made / place
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(target)
        with contextlib.suppress(OSError):
            made.rename(folder)
        if not folder.is_dir():
            raise OSError(f"cannot make {folder}")
    finally:
        shutil.rmtree(made, ignore_errors=True)
