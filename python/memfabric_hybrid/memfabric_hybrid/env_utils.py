# SPDX-License-Identifier: Apache-2.0 OR MIT
"""CANN, the NPU and torch of this machine, for build scripts."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import subprocess

#: SoC names begin so, by the product line.
_PRODUCTS = {"Ascend910B": "A2", "Ascend910_93": "A3", "Ascend950": "A5"}


def get_ascend_home() -> str | None:
    """Folder of the CANN toolkit, as its ``set_env.sh`` names it; None without one."""
    return os.environ.get("ASCEND_HOME_PATH") or os.environ.get("ASCEND_TOOLKIT_HOME") or None


def get_package_dir(name: str) -> str | None:
    """Folder of an installed package, which is not imported; None if it is not installed."""
    found = importlib.util.find_spec(name)
    return os.path.dirname(found.origin) if found and found.origin else None


def get_soc_name() -> str | None:
    """Name of the SoC by ``libascendcl.so``, as ``Ascend910_9382``; None without CANN or an NPU."""
    try:
        library = ctypes.CDLL("libascendcl.so")
    except OSError:
        return None
    library.aclrtGetSocName.restype = ctypes.c_char_p
    name: bytes | None = library.aclrtGetSocName()
    return name.decode() if name else None


def get_soc_key() -> str | None:
    """Product line of the SoC: ``A2``, ``A3`` or ``A5``; None for others and without an NPU."""
    name = get_soc_name() or ""
    return next((key for prefix, key in _PRODUCTS.items() if name.startswith(prefix)), None)


def get_torch_abi_flag(python_bin: str) -> str | None:
    """``"1"`` if the torch of this interpreter was built with the C++11 ABI, else ``"0"``; None if it has no torch."""
    source = "import torch; print(int(torch.compiled_with_cxx11_abi()))"
    done = subprocess.run([python_bin, "-c", source], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
