# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Opens the library that the package ships, and says where it and its headers are."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from . import _mf_smem

_PACKAGE = Path(__file__).resolve().parent


def _library() -> Path:
    # A build to try, or the copy that a C++ program with an embedded Python has loaded already.
    override = os.environ.get("MF_SMEM_LIBRARY")
    if override:
        return Path(override).absolute()
    return _PACKAGE / "lib" / "libmf_smem.so"


LIBRARY = _library()
_mf_smem.load(os.fspath(LIBRARY))
def get_lib_path() -> str:
    """Folder of the ``libmf_smem.so`` that this process uses; link operators with ``-L`` it and ``-lmf_smem``."""
    return os.fspath(LIBRARY.parent)


def get_include_path() -> str:
    """Folder of the C headers, for ``-I``: ``#include <smem/host/smem_bm.h>``."""
    return os.fspath(_PACKAGE / "include")


def load_beside(name: str) -> ctypes.CDLL | None:
    """Loads a library beside this one, so that programs that open it by name find it. None if it is not there."""
    try:
        return ctypes.CDLL(os.fspath(LIBRARY.with_name(name)))
    except OSError:
        # A library by itself, which MF_SMEM_LIBRARY named.
        return None


# Programs linked to an installed library need it by this name; in the package the file refers to the
# loaded library.
load_beside("libmf_smem.so.0")
