# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tensors in files of safetensors, tensors in the memory of CUDA, and the functions for serialised tensors."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from . import _torch
from ._base import NotSupported, coded
from ._codes import FILE_NOT_FOUND, INVALID, OK
from ._failure import failed
from ._tensor_layout import METADATA_BYTES, unpack
from ._tensor_read import Reader
from ._tensors import even, text
from ._tensors_parallel import ParallelTensors
from ._values import Key


class TensorFiles(ParallelTensors):
    """Methods for files and for memory of CUDA."""

    @coded()
    def save_tensor_to_safetensor(self, key: Key, file_name: Any = None) -> int:
        """Saves a tensor under its key to a file, by default the file `key`. Needs safetensors.

        Returns 0, -1100 for an absent tensor, -600 if the file cannot be written.
        """
        name = text(key)
        tensor = self.get_tensor(key)
        if tensor is None:
            return failed(f"there is no tensor of {key!r}", FILE_NOT_FOUND)
        files = _safetensors()
        try:
            files.save_file({name: tensor}, name if file_name is None else file_name)
        except Exception as error:  # noqa: BLE001 - the package raises errors of its own type
            return failed(f"{name} is not saved: {error}", INVALID)
        return OK

    @coded(None)
    def load_tensor_from_safetensor(self, key: Any = None, file_name: Any = None) -> Any:
        """Puts the only tensor of a file, or the one named `key`, under `key`, by default the file's name. Returns the tensor.

        Returns None if the file cannot be read, or the put fails. Needs safetensors.
        """
        self._opened()
        if file_name is None:
            raise ValueError("file_name is missing")
        files = _safetensors()
        try:
            found = files.load_file(file_name)
        except Exception as error:  # noqa: BLE001 - the package raises errors of its own type
            raise ValueError(f"{file_name} is not loaded: {error}") from None
        name = text(str(file_name) if key is None else key)
        if name not in found and len(found) != 1:
            raise ValueError(f"{file_name} has {len(found)} tensors, and none is named {name}")
        tensor = found[name] if name in found else next(iter(found.values()))
        return tensor if self.put_tensor(name, tensor) == OK else None

    @coded()
    def get_tensor_into_cuda(self, key: Key, tensor: Any) -> int:
        """Copies the elements of a stored tensor to a contiguous tensor of CUDA of the same type and shape.

        Returns 0, -704 for an absent value, -600 for a tensor of another kind, and where there is no CUDA.
        """
        return self.batch_get_tensor_into_cuda([key], [tensor])[0]

    @coded(many=True)
    def batch_get_tensor_into_cuda(self, keys: Sequence[Key], tensors_list: Sequence[Any]) -> list[int]:
        """Copies many tensors as `get_tensor_into_cuda`."""
        even(keys, tensors_list)
        self._opened()
        return [self._into_cuda(*one) for one in zip(keys, tensors_list)]

    @coded()
    def _into_cuda(self, key: Key, tensor: Any) -> int:
        if not _torch.torch().cuda.is_available():
            raise ValueError("there is no CUDA here")
        if not getattr(tensor, "is_cuda", False) or not tensor.is_contiguous():
            raise ValueError("a contiguous tensor of CUDA is expected")
        metadata = Reader(self._opened()).metadata(text(key))
        if metadata is None:
            return self.get_size(key)
        if (metadata.dtype, metadata.shape) != (_torch.dtype_name(tensor), tuple(tensor.shape)):
            raise ValueError(f"the stored tensor is {metadata.dtype} of {metadata.shape}")
        if not metadata.nbytes:
            return OK
        code = self._read_at([key], [[tensor.data_ptr()]], [[metadata.nbytes]], [[METADATA_BYTES]])[0]
        return min(code, OK)


def serialize(tensor: Any) -> tuple[bytes, int, int, Any]:
    """Returns metadata, address and bytes of the elements, and the tensor that keeps them. Raises `ValueError` for no tensor."""
    metadata, kept = _torch.contiguous(tensor)
    return metadata.pack(), kept.data_ptr(), metadata.nbytes, kept


def deserialize(packed: bytes) -> Any:
    """Returns the tensor of metadata and elements. Raises `ValueError` for other bytes."""
    metadata = unpack(packed, len(packed))
    made = _torch.empty(metadata.dtype, metadata.shape)
    if metadata.nbytes:
        elements = _torch.torch().frombuffer(bytearray(packed), dtype=made.dtype, offset=METADATA_BYTES)
        made.copy_(elements.view(metadata.shape))
    return made


def metadata_size() -> int:
    """Returns the bytes of the metadata."""
    return METADATA_BYTES


def _safetensors() -> Any:
    try:
        return importlib.import_module("safetensors.torch")
    except ImportError as error:
        raise NotSupported(f"files of tensors need safetensors: {error}") from None
