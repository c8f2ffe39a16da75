# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The pool of `offload`: making and ending it, blocks, and the table of entries."""

from __future__ import annotations

from mf_smem import _mf_smem

from ._numbers import unsigned
from ._offload_config import OffloadConfig

#: For `OffloadConfig.flags`: huge pages, which pools take anyway where the machine has them.
OFFLOAD_FLAG_GIANT_PAGE = 1


def initialize(config: OffloadConfig) -> int:
    """Makes the pool of this process. 0, also where it has one, which stays unchanged; -1: a failure.

    With `Scene.SHARED` **collective**: blocks until all ranks have come, at most MF_OFFLOAD_TIMEOUT (120 s).
    """
    if not isinstance(config, OffloadConfig):
        raise TypeError(f"config must be an OffloadConfig, not {type(config).__name__}")
    code = _mf_smem.offload_initialize(
        config.device_id, config.reserve_size, config.alloc_size, config.world_size, config.rank_id, int(config.scene),
        config.store_url.encode(), config.flags, config.local_world_size,
    )
    return plain(code)


def uninitialize() -> None:
    """Ends the pool, when streams are past its operations: all its addresses and tensors are invalid then."""
    _mf_smem.offload_uninitialize()


def malloc(size: int, flags: int = 0) -> int:
    """The address of a new block of this rank's memory, a multiple of 16; 0: a failure. `flags` are ignored."""
    return _mf_smem.offload_malloc(unsigned("size", size, 64), unsigned("flags", flags, 64))


def free(ptr: int, flags: int = 0) -> None:
    """Gives a block of `malloc` back. Other addresses change nothing; the last error names them."""
    _mf_smem.offload_free(unsigned("ptr", ptr, 64), unsigned("flags", flags, 64))


def get_dva(ptr: int) -> int:
    """The address by which kernels reach `ptr`, in this rank's memory: the same. 0: it is elsewhere."""
    return _mf_smem.offload_get_dva(unsigned("ptr", ptr, 64))


def register_entry_table(entryBytes: int, rowsPerSlot: int) -> int:
    """Registers the table of a pool of `Scene.SHARED`, once: entries of `entryBytes` bytes, 1 to 65536, and `rowsPerSlot` of
    them from the beginning of each slot, which this rank's memory must hold. All ranks register the same. 0, or -1."""
    return plain(
        _mf_smem.offload_register_entry_table(unsigned("entryBytes", entryBytes, 32), unsigned("rowsPerSlot", rowsPerSlot, 32))
    )


def plain(code: int) -> int:
    """A code of the library as one of this interface: 0 or -1."""
    return 0 if code == 0 else -1
