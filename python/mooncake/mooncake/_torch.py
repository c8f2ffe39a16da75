# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Access to torch, which only the methods for tensors need and import."""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

from ._base import NotSupported
from ._tensor_layout import Metadata, Shape, item_bytes

Tensor = Any


def torch() -> Any:
    """Imports torch. Raises `NotSupported` if it is not installed."""
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise NotSupported(f"tensors need torch: {error}") from None


def dtype_name(tensor: Tensor) -> str:
    """Returns the name of the type of elements: ``float32``."""
    return str(tensor.dtype).removeprefix("torch.")


def contiguous(tensor: Any) -> tuple[Metadata, Tensor]:
    """Returns metadata, and the tensor in row-major order in memory of the host, a copy where it is not.

    Raises `ValueError` for another object, or a tensor that cannot be stored.
    """
    module = torch()
    if not isinstance(tensor, module.Tensor):
        raise ValueError(f"a tensor is expected, not {type(tensor).__name__}")
    if tensor.layout != module.strided:
        raise ValueError(f"tensors of the layout {tensor.layout} are not stored")
    shape = tuple(tensor.shape)
    metadata = Metadata(dtype_name(tensor), shape, shape)
    metadata.pack()
    return metadata, tensor.detach().cpu().contiguous()


def empty(dtype: str, shape: Shape) -> Tensor:
    """Returns a tensor in new memory. Raises `NotSupported` if this torch lacks the type."""
    return torch().empty(shape, dtype=_dtype(dtype))


def over(address: int, dtype: str, shape: Shape) -> Tensor:
    """Returns a tensor over memory at an address. The caller keeps the memory."""
    module = torch()
    nbytes = item_bytes(dtype)
    for extent in shape:
        nbytes *= extent
    if nbytes == 0:
        return empty(dtype, shape)
    memory = (ctypes.c_ubyte * nbytes).from_address(address)
    return module.frombuffer(memory, dtype=module.uint8).view(_dtype(dtype)).view(shape)


def _dtype(name: str) -> Any:
    found = getattr(torch(), name, None)
    if found is None:
        raise NotSupported(f"this torch has no type {name}")
    return found
