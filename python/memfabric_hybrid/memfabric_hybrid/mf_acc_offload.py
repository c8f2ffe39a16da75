# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operations of `offload` on tensors.

Each copies pieces of memory whose addresses are in tensors. With an NPU it is put on the current stream of the device and
returns before it is done: tensors and counts are read when the stream gets there, and again in each replay of a captured
graph, so they must stay alive. With ``torch.device("cpu")``, and without an NPU, it runs in the call. Types and shapes of
tensors are not checked. Functions return 0, or -1, and `memfabric_hybrid.get_last_err_msg` has the reason.
"""

from __future__ import annotations

import ctypes
import importlib
import math
from collections.abc import Iterable
from typing import Any

from mf_smem import _mf_smem

from ._numbers import unsigned
from ._offload_arguments import address, stream_of
from ._offload_pool import malloc, plain

#: Words in front of the components: of metadata with a layout, and before there was one.
_HEADER_WORDS, _OLD_HEADER_WORDS, _COMPONENT_WORDS = 8, 6, 9


def empty(sizes: Iterable[int], dtype: Any = None, pin_memory: bool = False) -> Any:
    """A CPU tensor in a block of the pool, with any content. The block is not given back with the tensor.

    dtype
        Of torch (None: ``torch.bfloat16``); a type of NumPy makes an array of it.
    pin_memory
        Ignored: the pool is pinned.

    Raises ``Exception("malloc failed")`` without a pool, without room, and for 0 elements.
    """
    del pin_memory
    shape = tuple(sizes)
    if dtype is not None and type(dtype).__module__.partition(".")[0] != "torch":
        return _numpy_array(shape, dtype)
    torch = importlib.import_module("torch")
    chosen = torch.bfloat16 if dtype is None else dtype
    memory = _block(math.prod(shape) * torch.empty(0, dtype=chosen).element_size())
    return torch.frombuffer(memory, dtype=chosen).reshape(shape)


def _numpy_array(shape: tuple[int, ...], dtype: Any) -> Any:
    import numpy

    kind = numpy.dtype(dtype)
    if kind.hasobject:
        raise TypeError("dtype must not hold objects of Python")
    return numpy.frombuffer(memoryview(_block(math.prod(shape) * kind.itemsize)), kind).reshape(shape)


def _block(nbytes: int) -> ctypes.Array[ctypes.c_char]:
    place = malloc(nbytes) if nbytes > 0 else 0
    if place == 0:
        raise Exception("malloc failed")
    return (ctypes.c_char * nbytes).from_address(place)


def sparse_copy(srcPtrs: Any, dstPtrs: Any, lenPtrs: Any, sizePtr: Any, deviceId: Any) -> int:
    """Copies ``lenPtrs[i]`` bytes (32 bits) from the address ``srcPtrs[i]`` to ``dstPtrs[i]`` (64 bits) for i below
    ``sizePtr[0]`` (32 bits). Pieces of 0 bytes are skipped; the order of pieces is undefined."""
    lists = address("srcPtrs", srcPtrs), address("dstPtrs", dstPtrs), address("lenPtrs", lenPtrs)
    return plain(_mf_smem.offload_sparse_copy(*lists, address("sizePtr", sizePtr), *stream_of(deviceId)))


def group_pack_copy(
    srcPtrs: Any, dstPtrs: Any, lenPtrs: Any, numLocalExpertPtr: Any, groupList: Any, packedGroupList: Any, deviceId: Any
) -> int:
    """Copies the pieces i below ``numLocalExpertPtr[0]`` that have a ``groupList[i]`` other than 0: the j-th of them from
    ``srcPtrs[i]`` to ``dstPtrs[j]``, ``lenPtrs[i]`` bytes, and ``packedGroupList[j]`` becomes ``groupList[i]``."""
    lists = address("srcPtrs", srcPtrs), address("dstPtrs", dstPtrs), address("lenPtrs", lenPtrs)
    count = address("numLocalExpertPtr", numLocalExpertPtr)
    groups = address("groupList", groupList), address("packedGroupList", packedGroupList)
    return plain(_mf_smem.offload_group_pack_copy(*lists, count, *groups, *stream_of(deviceId)))


def kv_exchange_copy(metaPtr: Any, deviceId: Any) -> int:
    """Copies pages of key-value caches between device and host, as ``metaPtr`` has them: 64-bit words, a header of 8 (6 in
    metadata of older callers, which its length gives away), then 9 for each of at most 4 components."""
    return plain(_mf_smem.offload_kv_exchange_copy(address("metaPtr", metaPtr), _header_words(metaPtr), *stream_of(deviceId)))


def entry_gather(dst: Any, ids: Any, count: Any, deviceId: Any) -> int:
    """Copies entry ``ids[i]`` of the registered table to row i of `dst`, for i below ``count[0]``. `dst` is a tensor or an
    address; of each id (64 bits) the low 32 bits count."""
    place = unsigned("dst", dst, 64) if isinstance(dst, int) else address("dst", dst)
    return plain(_mf_smem.offload_entry_gather(place, address("ids", ids), address("count", count), *stream_of(deviceId)))


def _header_words(meta: Any) -> int:
    """Length of the header, by the number of words, where the tensor has one."""
    if hasattr(meta, "numel"):
        words = int(meta.numel())
    elif hasattr(meta, "__array_interface__"):
        words = math.prod(meta.shape)
    else:
        return _HEADER_WORDS
    return _OLD_HEADER_WORDS if words % _COMPONENT_WORDS == _OLD_HEADER_WORDS else _HEADER_WORDS


def _addresses(**numbers: Any) -> tuple[int, ...]:
    return tuple(unsigned(name, number, 64) for name, number in numbers.items())


def sparse_copy_impl(srcPtrs: int, dstPtrs: int, lenPtrs: int, sizePtr: int, deviceId: int) -> int:
    """`sparse_copy` by addresses, on the default stream of this thread's device."""
    src, dst, lengths, size = _addresses(srcPtrs=srcPtrs, dstPtrs=dstPtrs, lenPtrs=lenPtrs, sizePtr=sizePtr)
    return plain(_mf_smem.offload_sparse_copy(src, dst, lengths, size, unsigned("deviceId", deviceId, 16), None))


def group_pack_copy_impl(
    srcPtrs: int, dstPtrs: int, lenPtrs: int, numLocalExpertPtr: int, groupList: int, packedGroupList: int, deviceId: int
) -> int:
    """`group_pack_copy` by addresses, on the default stream of this thread's device."""
    src, dst, lengths = _addresses(srcPtrs=srcPtrs, dstPtrs=dstPtrs, lenPtrs=lenPtrs)
    count, groups, packed = _addresses(
        numLocalExpertPtr=numLocalExpertPtr, groupList=groupList, packedGroupList=packedGroupList
    )
    device = unsigned("deviceId", deviceId, 16)
    return plain(_mf_smem.offload_group_pack_copy(src, dst, lengths, count, groups, packed, device, None))


def kv_exchange_copy_impl(metaPtr: int, deviceId: int) -> int:
    """`kv_exchange_copy` by address, with a header of 8 words, on the default stream of this thread's device."""
    meta, device = unsigned("metaPtr", metaPtr, 64), unsigned("deviceId", deviceId, 16)
    return plain(_mf_smem.offload_kv_exchange_copy(meta, _HEADER_WORDS, device, None))


def entry_gather_impl(dstPtr: int, idsPtr: int, countPtr: int, deviceId: int) -> int:
    """`entry_gather` by addresses, on the default stream of this thread's device."""
    dst, ids, count = _addresses(dstPtr=dstPtr, idsPtr=idsPtr, countPtr=countPtr)
    return plain(_mf_smem.offload_entry_gather(dst, ids, count, unsigned("deviceId", deviceId, 16), None))
