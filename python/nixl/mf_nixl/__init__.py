# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Backend of NIXL over the transfers of mf_smem: finds the plug-in for the installed NIXL, and a folder that holds it beside
NIXL's own.

::

    import os, mf_nixl
    os.environ["NIXL_PLUGIN_DIR"] = mf_nixl.plugin_dir()   # before NIXL makes its first agent
"""

from __future__ import annotations

from ._folder import plugin_dir
from ._versions import VERSIONS
from ._wheel import NixlError, plugin_path

__all__ = ["VERSIONS", "NixlError", "plugin_dir", "plugin_path"]
__version__ = "0.2.0"
