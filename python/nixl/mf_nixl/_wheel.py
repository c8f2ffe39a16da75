# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The installed wheel of NIXL, and the build of the plug-in for it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._versions import VERSIONS

#: Distributions that have NIXL's library, in the order in which they are searched.
DISTRIBUTIONS = ("nixl_cu12", "nixl_cu13", "nixl")
_PLUGINS = Path(__file__).resolve().parent / "plugins"


class NixlError(RuntimeError):
    """No NIXL is installed, or one of a version that this package has no plug-in for."""


@dataclass(frozen=True)
class Wheel:
    """An installed wheel of NIXL."""

    name: str
    version: str
    #: site-packages.
    site: Path

    @property
    def libraries(self) -> Path:
        """The folder of libnixl.so."""
        return self.site / f".{self.name}.mesonpy.libs"

    @property
    def minor(self) -> str:
        """Major and minor version, "1.5"."""
        return ".".join(self.version.split(".")[:2])


def installed(name: str | None = None) -> Wheel:
    """The installed wheel, the one called `name` if it is given; `NixlError` if it is missing."""
    for candidate in DISTRIBUTIONS if name is None else (name,):
        try:
            found = importlib.metadata.distribution(candidate)
        except importlib.metadata.PackageNotFoundError:
            continue
        wheel = Wheel(candidate.replace("-", "_"), found.version, Path(str(found.locate_file(""))))
        # The distribution "nixl" has no library of its own, and asks for one of the others.
        if (wheel.libraries / "libnixl.so").exists():
            return wheel
    raise NixlError(f"NIXL is not installed: no {' or '.join(DISTRIBUTIONS if name is None else (name,))}; pip install nixl-cu12")


def plugin_path(wheel: Wheel | None = None) -> str:
    """The plug-in for a wheel (default: the installed one). `NixlError` names a version that has none."""
    wheel = wheel or installed()
    if wheel.minor not in VERSIONS:
        raise NixlError(f"no plug-in for {wheel.name} {wheel.version}: this package supports {', '.join(VERSIONS)}")
    path = _PLUGINS / wheel.minor / "libplugin_MEMFABRIC.so"
    if not path.exists():
        raise NixlError(f"{path} is missing: install mf_nixl again")
    return os.fspath(path)


def bindings(wheel: Wheel) -> Any:
    """The module of NIXL's own binding, which needs no torch."""
    folder = wheel.site / wheel.name
    file = next(folder.glob("_bindings*.so"), None)
    if file is None:
        raise NixlError(f"{folder} has no binding for this Python")
    spec = importlib.util.spec_from_file_location("_bindings", file)
    if spec is None or spec.loader is None:
        raise NixlError(f"{file} is not a module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
