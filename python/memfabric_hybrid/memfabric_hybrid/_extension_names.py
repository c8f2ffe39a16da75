# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names under which programs import the release's extension modules, once this package is loaded."""

from __future__ import annotations

import sys
from types import ModuleType

import mf_smem
from mf_smem import TransDataOpType, TransferOpcode

from . import bm, mf_acc_offload, offload, shm
from ._transfer import TransferEngine

_GENERAL = (
    "get_and_clear_last_err_msg", "get_last_err_msg", "initialize", "set_conf_store_tls", "set_conf_store_tls_key",
    "set_extern_logger", "set_log_level", "uninitialize",
)
_TRANSFER = ("TransDataOpType", "TransferOpcode", "create_config_store", "set_conf_store_tls", "set_log_level")


def install() -> None:
    """Makes them importable. A module of this name that is loaded already stays."""
    general = {name: getattr(mf_smem, name) for name in _GENERAL}
    transfer = {name: getattr(mf_smem, name) for name in _TRANSFER}
    members = {**TransDataOpType.__members__, **TransferOpcode.__members__}
    _add("_pymf_hybrid", {**general, "bm": bm, "shm": shm})
    _add("_pymf_transfer", {**members, **transfer, "TransferEngine": TransferEngine})
    _add("_pymf_acc_offload", {"offload": offload})
    sys.modules.setdefault("_pymf_acc_offload.offload", offload)
    sys.modules.setdefault("mf_acc_offload", mf_acc_offload)


def _add(name: str, members: dict[str, object]) -> None:
    module = ModuleType(name, f"Functions of memfabric_hybrid under the name {name}.")
    vars(module).update(members)
    sys.modules.setdefault(name, module)
