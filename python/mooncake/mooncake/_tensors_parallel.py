# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts and gets of tensors with several kinds of parallelism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ._base import coded
from ._config import ReplicateConfig
from ._parallelism import target_of
from ._tensor_read import Reader, Room
from ._tensor_write import Given, Part, parallel_parts
from ._tensors import Tensors, even, room, text
from ._values import Key

_PLAIN = ReplicateConfig()
_Numbers = Sequence[int]
_Objects = Sequence[Any]


class ParallelTensors(Tensors):
    """Methods with a `TensorParallelism` at the put, and a `ReadTarget` at the get.

    A put with the axis ``tp`` alone takes the shard of its rank. With more axes it takes the whole tensor, and puts the shard of its
    rank. `_from` takes the whole tensor, and puts the shards of all ranks. `writer_partition`, an object with `rank`, `size` and
    `split_dim`, puts one part of a whole tensor; it excludes a parallelism. A get may ask for another number of shards, another
    dimension or the whole, which it assembles from the stored shards.
    """

    @coded()
    def put_tensor_with_parallelism(
        self, key: Key, tensor: Any, parallelism: Any = None, config: ReplicateConfig = _PLAIN, writer_partition: Any = None
    ) -> int:
        """Puts a tensor or its shard. An existing value stays, which also returns 0."""
        return self._put_all([key], lambda _: Given.of(tensor), [parallelism], [writer_partition], config, False)[0]

    @coded()
    def upsert_tensor_with_parallelism(
        self, key: Key, tensor: Any, parallelism: Any = None, config: ReplicateConfig = _PLAIN, writer_partition: Any = None
    ) -> int:
        """Puts as `put_tensor_with_parallelism`, and replaces existing values."""
        return self._put_all([key], lambda _: Given.of(tensor), [parallelism], [writer_partition], config, True)[0]

    @coded(many=True)
    def batch_put_tensor_with_parallelism(
        self,
        keys: Sequence[Key],
        tensors_list: _Objects,
        parallelisms: Any = None,
        config: ReplicateConfig = _PLAIN,
        writer_partitions: Any = None,
    ) -> list[int]:
        """Puts many tensors as `put_tensor_with_parallelism`. `parallelisms` and `writer_partitions` are lists, or None."""
        even(keys, tensors_list)
        return self._put_all(keys, lambda number: Given.of(tensors_list[number]), parallelisms, writer_partitions, config, False)

    @coded(many=True)
    def batch_upsert_tensor_with_parallelism(
        self,
        keys: Sequence[Key],
        tensors_list: _Objects,
        parallelisms: Any = None,
        config: ReplicateConfig = _PLAIN,
        writer_partitions: Any = None,
    ) -> list[int]:
        """Puts many tensors as `upsert_tensor_with_parallelism`."""
        even(keys, tensors_list)
        return self._put_all(keys, lambda number: Given.of(tensors_list[number]), parallelisms, writer_partitions, config, True)

    @coded()
    def put_tensor_with_parallelism_from(
        self,
        key: Key,
        buffer_ptr: int,
        size: int,
        parallelism: Any = None,
        config: ReplicateConfig = _PLAIN,
        writer_partition: Any = None,
    ) -> int:
        """Puts the serialised tensor at an address, with ``tp`` the shards of all ranks."""
        return self._put_from([key], [buffer_ptr], [size], [parallelism], [writer_partition], config, False)[0]

    @coded()
    def upsert_tensor_with_parallelism_from(
        self,
        key: Key,
        buffer_ptr: int,
        size: int,
        parallelism: Any = None,
        config: ReplicateConfig = _PLAIN,
        writer_partition: Any = None,
    ) -> int:
        """Puts as `put_tensor_with_parallelism_from`, and replaces existing values."""
        return self._put_from([key], [buffer_ptr], [size], [parallelism], [writer_partition], config, True)[0]

    @coded(many=True)
    def batch_put_tensor_with_parallelism_from(
        self,
        keys: Sequence[Key],
        buffer_ptrs: _Numbers,
        sizes: _Numbers,
        parallelisms: Any = None,
        config: ReplicateConfig = _PLAIN,
        writer_partitions: Any = None,
    ) -> list[int]:
        """Puts many tensors as `put_tensor_with_parallelism_from`."""
        return self._put_from(keys, buffer_ptrs, sizes, parallelisms, writer_partitions, config, False)

    @coded(many=True)
    def batch_upsert_tensor_with_parallelism_from(
        self,
        keys: Sequence[Key],
        buffer_ptrs: _Numbers,
        sizes: _Numbers,
        parallelisms: Any = None,
        config: ReplicateConfig = _PLAIN,
        writer_partitions: Any = None,
    ) -> list[int]:
        """Puts many tensors as `upsert_tensor_with_parallelism_from`."""
        return self._put_from(keys, buffer_ptrs, sizes, parallelisms, writer_partitions, config, True)

    @coded(None)
    def get_tensor_with_parallelism(self, key: Key, target: Any = None) -> Any:
        """Returns the part of a tensor that a `ReadTarget` describes, or the stored value for the target None."""
        return self._get(key, target, Room())

    @coded(None, many=True)
    def batch_get_tensor_with_parallelism(self, keys: Sequence[Key], targets: Any = None) -> list[Any]:
        """Returns parts of many tensors. `targets` is a list of the same length, or None."""
        return [self.get_tensor_with_parallelism(*one) for one in zip(keys, _listed(keys, targets))]

    @coded(None)
    def get_tensor_with_parallelism_into(self, key: Key, buffer_ptr: int, size: int, target: Any = None) -> Any:
        """Copies the serialised part to `size` bytes at an address. Returns the tensor there."""
        return self._get(key, target, room(buffer_ptr, size))

    @coded(None, many=True)
    def batch_get_tensor_with_parallelism_into(
        self, keys: Sequence[Key], buffer_ptrs: _Numbers, sizes: _Numbers, targets: Any = None
    ) -> list[Any]:
        """Copies parts of many tensors as `get_tensor_with_parallelism_into`."""
        even(keys, buffer_ptrs, sizes)
        given = zip(keys, buffer_ptrs, sizes, _listed(keys, targets))
        return [self.get_tensor_with_parallelism_into(*one) for one in given]

    # ---- inside ----

    def _get(self, key: Key, target: Any, where: Room) -> Any:
        return Reader(self._opened()).target(text(key), *target_of(target), where)

    def _put_from(
        self,
        keys: Sequence[Key],
        addresses: _Numbers,
        sizes: _Numbers,
        parallelisms: Any,
        partitions: Any,
        config: ReplicateConfig,
        replace: bool,
    ) -> list[int]:
        even(keys, addresses, sizes)

        def given(number: int) -> Given:
            return Given.at(addresses[number], sizes[number])

        return self._put_all(keys, given, parallelisms, partitions, config, replace, is_whole=True)

    def _put_all(
        self,
        keys: Sequence[Key],
        given: Callable[[int], Given],
        parallelisms: Any,
        partitions: Any,
        config: ReplicateConfig,
        replace: bool,
        is_whole: bool = False,
    ) -> list[int]:
        if parallelisms is not None and partitions is not None and len(keys) != 1:
            raise ValueError("writer_partitions cannot be combined with parallelisms")
        axes, writers = _listed(keys, parallelisms), _listed(keys, partitions)

        def parts(number: int) -> list[Part]:
            return parallel_parts(text(keys[number]), given(number), axes[number], writers[number], is_whole)

        return self._put_parts(keys, parts, config, replace)


def _listed(keys: Sequence[Key], given: Any) -> Sequence[Any]:
    """Returns a list with an entry for each key, or of None. Raises `ValueError` for another object."""
    if given is None:
        return [None] * len(keys)
    if not isinstance(given, (list, tuple)) or len(given) != len(keys):
        raise ValueError(f"a list with an entry for each of {len(keys)} keys is expected, or None, not {given!r}")
    return given
