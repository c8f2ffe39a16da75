# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The layers of a worker of vLLM: blocks of a group's layers as rows of bytes, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch


class Layers:
    """Tensors of a worker's layers, by group. A row of a group has one block of each of its layers, in the
    order of their names."""

    def __init__(self, kv_caches: Mapping[str, Any], kv_cache_config: Any) -> None:
        self._parts: list[list[torch.Tensor]] = []
        self._lengths: list[list[int]] = []
        for group in kv_cache_config.kv_cache_groups:
            names = [name for name in sorted(group.layer_names) if name in kv_caches]
            parts = [
                blocks_in_front(tensor, kv_cache_config.num_blocks)
                for name in names for tensor in _tensors(kv_caches[name])
            ]
            self._parts.append(parts)
            self._lengths.append([part[0].numel() * part.element_size() for part in parts])

    def row_bytes(self, group: int) -> int:
        """Returns the length of a row of a group."""
        return sum(self._lengths[group])

    def rows(self, group: int, count: int) -> torch.Tensor:
        """Allocates room for so many rows, in host memory."""
        return torch.empty((count, self.row_bytes(group)), dtype=torch.uint8)

    def gather(self, group: int, blocks: Sequence[int]) -> torch.Tensor:
        """Copies blocks to host memory, a row each, with one copy for each layer."""
        rows, first = self.rows(group, len(blocks)), 0
        for part, length in zip(self._parts[group], self._lengths[group]):
            taken = part[torch.tensor(blocks, device=part.device)].contiguous().cpu()
            rows[:, first : first + length] = taken.view(len(blocks), -1).view(torch.uint8)
            first += length
        return rows

    def scatter(self, group: int, blocks: Sequence[int], rows: torch.Tensor) -> None:
        """Copies rows into blocks; returns when they are there."""
        first, devices = 0, set()
        for part, length in zip(self._parts[group], self._lengths[group]):
            # A copy: its start is aligned for any type.
            piece = rows[:, first : first + length].clone(memory_format=torch.contiguous_format)
            values = piece.view(part.dtype).view(len(blocks), *part.shape[1:]).to(part.device)
            part[torch.tensor(blocks, device=part.device)] = values
            devices.add(part.device)
            first += length
        for device in devices:
            _wait_for(device)


def blocks_in_front(tensor: torch.Tensor, count: int) -> torch.Tensor:
    """Returns a layer's tensor with its blocks in the first dimension: they are counted there or, behind
    keys and values, in the second. A block may be several of the kernels' blocks."""
    shape = (*tensor.shape, 0)[:2]
    behind = shape[0] == 2 and (shape[1] == count or (shape[0] != count and _whole(shape[1], count)))
    if not behind and not _whole(shape[0], count):
        raise ValueError(
            f"mf_connectors: a layer of shape {tuple(tensor.shape)} does not have {count} blocks"
        )
    tensor = tensor.movedim(1, 0) if behind else tensor
    each = tensor.shape[0] // count
    return tensor if each == 1 else tensor.unflatten(0, (count, each))


def _whole(length: int, count: int) -> bool:
    return length >= count and length % count == 0


def _tensors(layer: Any) -> list[torch.Tensor]:
    return list(layer) if isinstance(layer, (list, tuple)) else [layer]


def _wait_for(device: torch.device) -> None:
    module = None if device.type == "cpu" else getattr(torch, device.type, None)
    if module is not None:
        module.current_stream(device).synchronize()
