# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Enums of `memfabric_hybrid` for extension modules that look for them in pybind11.

memcache_hybrid 1.1 and 1.2 convert arguments and defaults with enum types that the released memfabric_hybrid registers in the
internals of pybind11, number 11. Importing this module registers the enums of this library's `memfabric_hybrid` under the same
names. `memfabric_hybrid` imports it when such a program is imported.
"""

from __future__ import annotations

from enum import Enum

from memfabric_hybrid import TransDataOpType, TransferOpcode, bm, offload, shm

from . import _native

__all__ = ["TYPES", "registered"]

#: Names of C++, and the enums.
TYPES: dict[str, type[Enum]] = {
    "smem_bm_copy_type": bm.BmCopyType,
    "smem_bm_mem_type": bm.BmMemType,
    "smem_bm_data_op_type": bm.BmDataOpType,
    "smem_bm_group_event_t": bm.BmGroupEvent,
    "smem_shm_data_op_type": shm.ShmDataOpType,
    "offload_scene_t": offload.Scene,
    "TransferAdapterPy::TransferOpcode": TransferOpcode,
    "TransferAdapterPy::TransDataOpType": TransDataOpType,
}


def registered(name: str) -> type[Enum] | None:
    """The enum that pybind11 has under a name of C++; None if it has none, or a type that another module registered."""
    return _native.found(name)


for _name, _kind in TYPES.items():
    _native.add(_name, _kind)
