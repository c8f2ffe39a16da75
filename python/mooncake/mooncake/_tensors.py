# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts and gets of tensors of torch, whole or as shards of tensor parallelism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ._base import coded
from ._codes import INVALID
from ._config import ReplicateConfig
from ._failure import failed
from ._segments import Segments
from ._tensor_read import Reader, Room
from ._tensor_shards import tp_key
from ._tensor_write import Given, Part, metadata_at, put_parts, tp_parts, whole_parts
from ._values import Key

_PLAIN = ReplicateConfig()
_Numbers = Sequence[int]


class Tensors(Segments):
    """Methods for tensors. All need torch, which the first call imports.

    A value consists of 304 bytes of metadata and the elements. Puts return 0 or a code: -600 for an object that is no tensor, or for
    shards of different sizes. Gets return a tensor on the host, or None for an absent value or another failure. `_from` takes a
    serialised tensor, metadata and elements, at an address. `_into` writes one to an address, and returns a tensor over that memory,
    which the caller keeps. `_with_tp` splits a tensor along `split_dim` to `tp_size` equal shards, the values ``KEY_tp_RANK``.
    """

    # ---- whole tensors ----

    @coded()
    def put_tensor(self, key: Key, tensor: Any) -> int:
        """Puts a tensor. An existing value stays, which also returns 0."""
        return self._put_tensors([key], [tensor], _PLAIN, False)[0]

    @coded()
    def upsert_tensor(self, key: Key, tensor: Any) -> int:
        """Puts a tensor, and replaces an existing value."""
        return self._put_tensors([key], [tensor], _PLAIN, True)[0]

    @coded()
    def pub_tensor(self, key: Key, tensor: Any, config: ReplicateConfig = _PLAIN) -> int:
        """Puts a tensor as `put_tensor`, with a configuration."""
        return self._put_tensors([key], [tensor], config, False)[0]

    @coded()
    def upsert_pub_tensor(self, key: Key, tensor: Any, config: ReplicateConfig = _PLAIN) -> int:
        """Puts a tensor as `upsert_tensor`, with a configuration."""
        return self._put_tensors([key], [tensor], config, True)[0]

    @coded(many=True)
    def batch_put_tensor(self, keys: Sequence[Key], tensors_list: Sequence[Any]) -> list[int]:
        """Puts many tensors as `put_tensor`. Returns -600 for all if the lists have different lengths."""
        return self._put_tensors(keys, tensors_list, _PLAIN, False)

    @coded(many=True)
    def batch_upsert_tensor(self, keys: Sequence[Key], tensors_list: Sequence[Any]) -> list[int]:
        """Puts many tensors as `upsert_tensor`."""
        return self._put_tensors(keys, tensors_list, _PLAIN, True)

    @coded(many=True)
    def batch_pub_tensor(self, keys: Sequence[Key], tensors_list: Sequence[Any], config: ReplicateConfig = _PLAIN) -> list[int]:
        """Puts many tensors as `pub_tensor`."""
        return self._put_tensors(keys, tensors_list, config, False)

    @coded(many=True)
    def batch_upsert_pub_tensor(
        self, keys: Sequence[Key], tensors_list: Sequence[Any], config: ReplicateConfig = _PLAIN
    ) -> list[int]:
        """Puts many tensors as `upsert_pub_tensor`."""
        return self._put_tensors(keys, tensors_list, config, True)

    @coded()
    def put_tensor_from(self, key: Key, buffer_ptr: int, size: int) -> int:
        """Puts the serialised tensor of `size` bytes at an address, as it is. Returns -600 for other bytes."""
        return self._put_serialised([key], [buffer_ptr], [size], False)[0]

    @coded()
    def upsert_tensor_from(self, key: Key, buffer_ptr: int, size: int) -> int:
        """Puts as `put_tensor_from`, and replaces an existing value."""
        return self._put_serialised([key], [buffer_ptr], [size], True)[0]

    @coded(many=True)
    def batch_put_tensor_from(self, keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers) -> list[int]:
        """Puts many values as `put_tensor_from`."""
        return self._put_serialised(keys, buffer_ptrs, sizes, False)

    @coded(many=True)
    def batch_upsert_tensor_from(self, keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers) -> list[int]:
        """Puts many values as `upsert_tensor_from`."""
        return self._put_serialised(keys, buffer_ptrs, sizes, True)

    @coded(None)
    def get_tensor(self, key: Key) -> Any:
        """Returns the stored tensor, for a shard its own part."""
        return Reader(self._opened()).stored(text(key), Room())

    @coded(None, many=True)
    def batch_get_tensor(self, keys: Sequence[Key]) -> list[Any]:
        """Returns many tensors as `get_tensor`."""
        return [self.get_tensor(key) for key in keys]

    @coded(None)
    def get_tensor_into(self, key: Key, buffer_ptr: int, size: int) -> Any:
        """Copies a serialised tensor to `size` bytes at an address. Returns the tensor there."""
        return Reader(self._opened()).stored(text(key), room(buffer_ptr, size))

    @coded(None, many=True)
    def batch_get_tensor_into(self, keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers) -> list[Any]:
        """Copies many tensors as `get_tensor_into`."""
        even(keys, buffer_ptrs, sizes)
        return [self.get_tensor_into(*one) for one in zip(keys, buffer_ptrs, sizes)]

    # ---- shards of tensor parallelism ----

    @coded()
    def put_tensor_with_tp(self, key: Key, tensor: Any, tp_rank: int = 0, tp_size: int = 1, split_dim: int = 0) -> int:
        """Puts all shards of a whole tensor, for any `tp_rank`. Puts the whole as `key` if `tp_size` is 1."""
        return self.pub_tensor_with_tp(key, tensor, _PLAIN, tp_rank, tp_size, split_dim)

    @coded()
    def pub_tensor_with_tp(
        self, key: Key, tensor: Any, config: ReplicateConfig = _PLAIN, tp_rank: int = 0, tp_size: int = 1, split_dim: int = 0
    ) -> int:
        """Puts shards as `put_tensor_with_tp`, with a configuration."""
        return self.batch_pub_tensor_with_tp([key], [tensor], config, tp_rank, tp_size, split_dim)[0]

    @coded(many=True)
    def batch_put_tensor_with_tp(
        self, base_keys: Sequence[Key], tensors_list: Sequence[Any], tp_rank: int = 0, tp_size: int = 1, split_dim: int = 0
    ) -> list[int]:
        """Puts shards of many tensors as `put_tensor_with_tp`."""
        return self.batch_pub_tensor_with_tp(base_keys, tensors_list, _PLAIN, tp_rank, tp_size, split_dim)

    @coded(many=True)
    def batch_pub_tensor_with_tp(
        self,
        base_keys: Sequence[Key],
        tensors_list: Sequence[Any],
        config: ReplicateConfig = _PLAIN,
        tp_rank: int = 0,
        tp_size: int = 1,
        split_dim: int = 0,
    ) -> list[int]:
        """Puts shards of many tensors as `pub_tensor_with_tp`."""
        del tp_rank
        even(base_keys, tensors_list)
        return self._put_parts(
            base_keys, lambda number: tp_parts(text(base_keys[number]), Given.of(tensors_list[number]), tp_size, split_dim), config, False
        )

    @coded()
    def put_tensor_with_tp_from(
        self, key: Key, buffer_ptr: int, size: int, tp_rank: int = 0, tp_size: int = 1, split_dim: int = 0
    ) -> int:
        """Puts all shards of the serialised tensor at an address."""
        return self.batch_put_tensor_with_tp_from([key], [buffer_ptr], [size], tp_rank, tp_size, split_dim)[0]

    @coded(many=True)
    def batch_put_tensor_with_tp_from(
        self, base_keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers, tp_rank: int = 0, tp_size: int = 1, split_dim: int = 0
    ) -> list[int]:
        """Puts shards of many tensors as `put_tensor_with_tp_from`."""
        del tp_rank
        even(base_keys, buffer_ptrs, sizes)

        def parts(number: int) -> list[Part]:
            return tp_parts(text(base_keys[number]), Given.at(buffer_ptrs[number], sizes[number]), tp_size, split_dim)

        return self._put_parts(base_keys, parts, _PLAIN, False)

    @coded(None)
    def get_tensor_with_tp(self, key: Key, tp_rank: int = 0, tp_size: int = 1, split_dim: int = 0) -> Any:
        """Returns the stored shard ``KEY_tp_RANK``, or the value `key` if `tp_size` is 1."""
        del split_dim
        return Reader(self._opened()).stored(_of_rank(key, tp_rank, tp_size), Room())

    @coded(None, many=True)
    def batch_get_tensor_with_tp(self, base_keys: Sequence[Key], tp_rank: int = 0, tp_size: int = 1) -> list[Any]:
        """Returns shards of many tensors as `get_tensor_with_tp`."""
        return [self.get_tensor_with_tp(key, tp_rank, tp_size) for key in base_keys]

    @coded(None)
    def get_tensor_with_tp_into(
        self, key: Key, buffer_ptr: int, size: int, tp_rank: int = 0, tp_size: int = 1, split_dim: int = 0
    ) -> Any:
        """Copies the stored shard to `size` bytes at an address. Returns the tensor there."""
        del split_dim
        return Reader(self._opened()).stored(_of_rank(key, tp_rank, tp_size), room(buffer_ptr, size))

    @coded(None, many=True)
    def batch_get_tensor_with_tp_into(
        self, base_keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers, tp_rank: int = 0, tp_size: int = 1
    ) -> list[Any]:
        """Copies shards of many tensors as `get_tensor_with_tp_into`."""
        even(base_keys, buffer_ptrs, sizes)
        return [self.get_tensor_with_tp_into(*one, tp_rank, tp_size) for one in zip(base_keys, buffer_ptrs, sizes)]

    # ---- inside ----

    def _put_tensors(self, keys: Sequence[Key], tensors: Sequence[Any], config: ReplicateConfig, replace: bool) -> list[int]:
        even(keys, tensors)
        return self._put_parts(keys, lambda number: whole_parts(text(keys[number]), Given.of(tensors[number])), config, replace)

    def _put_parts(
        self, keys: Sequence[Key], parts_of: Callable[[int], Sequence[Part]], config: ReplicateConfig, replace: bool
    ) -> list[int]:
        return put_parts(self._opened(), len(keys), parts_of, config, replace)

    def _put_serialised(self, keys: Sequence[Key], addresses: _Numbers, sizes: _Numbers, replace: bool) -> list[int]:
        even(keys, addresses, sizes)
        self._opened()
        put = self.upsert_from if replace else self.put_from
        codes = []
        for key, address, size in zip(keys, addresses, sizes):
            try:
                metadata_at(address, size)
            except ValueError as error:
                codes.append(failed(str(error), INVALID))
            else:
                codes.append(put(key, address, size))
        return codes


def text(key: Key) -> str:
    """Returns the key as a text. Raises `ValueError` for an empty key, or bytes that are no UTF-8."""
    if not key:
        raise ValueError("the key is empty")
    return key.decode() if isinstance(key, bytes) else key


def room(address: int, size: int) -> Room:
    """Returns the room at an address. Raises `ValueError` for no address."""
    if address <= 0:
        raise ValueError("the address of the buffer is 0")
    return Room(address, size)


def even(first: Sequence[Any], *others: Sequence[Any]) -> None:
    """Raises `ValueError` for lists of different lengths."""
    if any(len(one) != len(first) for one in others):
        raise ValueError(f"the lists have different lengths: {len(first)}, {', '.join(str(len(one)) for one in others)}")


def _of_rank(key: Key, rank: int, size: int) -> str:
    return text(key) if size <= 1 else tp_key(text(key), rank)
