# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Import hook for extension modules of other packages that look for enums of this one in pybind11."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.machinery import ModuleSpec
from types import ModuleType

#: The extension module of memcache_hybrid, and the first version that needs no enums.
_EXTENSION, _FIRST_WITHOUT = "_pymmc", (1, 3)
_HELPER = "mf_pybind_enums"


class _Finder:
    """Finds nothing; makes the enums known before the import goes on."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        del path, target
        if name == _EXTENSION:
            _prepare()
        return None


def _prepare() -> None:
    try:
        version = metadata.version("memcache_hybrid")
    except metadata.PackageNotFoundError:
        return
    if _numbers(version) >= _FIRST_WITHOUT:
        return
    try:
        importlib.import_module(_HELPER)
    except ImportError as error:
        raise ImportError(
            f"memcache_hybrid {version} needs enums of memfabric_hybrid in pybind11, which the package {_HELPER} registers "
            f"({error}): install that (pip install ./python/pybind_enums), or memcache_hybrid 1.3.0, which needs none"
        ) from error


def _numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version; none if they are no numbers."""
    parts = version.split(".")[:2]
    return tuple(int(part) for part in parts) if all(part.isdecimal() for part in parts) else ()


def install() -> None:
    """Adds the hook, once."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
