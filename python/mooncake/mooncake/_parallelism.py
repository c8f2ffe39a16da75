# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`TensorParallelism` and `ReadTarget`: the caller's description of a tensor's shards."""

from __future__ import annotations

from typing import Any

from ._tensor_layout import Axis
from ._tensor_shards import check

AS_STORED, SHARD, FULL = "as_stored", "shard", "full"


class ParallelAxis:
    """An axis of parallelism. Attributes raise `TypeError` for values of another type.

    - `kind`: ``dp``, ``tp``, ``ep`` or ``pp``, in any case.
    - `rank`, `size`: this rank, and the number of ranks.
    - `split_dim`: dimension of the tensor that ``tp`` splits, None for other kinds.
    - `expert_id`: required by ``ep``. `stage_id`: required by ``pp``.
    """

    _KINDS = {"kind": str, "rank": int, "size": int, "split_dim": int, "expert_id": int, "stage_id": int}
    _OPTIONAL = ("split_dim", "expert_id", "stage_id")

    kind: str
    rank: int
    size: int
    split_dim: int | None
    expert_id: int | None
    stage_id: int | None

    def __init__(self) -> None:
        self.kind, self.rank, self.size = "", 0, 1
        self.split_dim = self.expert_id = self.stage_id = None

    def __setattr__(self, name: str, value: object) -> None:
        wanted = self._KINDS.get(name)
        if wanted is None:
            raise AttributeError(f"an axis has no {name}")
        is_none = value is None and name in self._OPTIONAL
        if not is_none and (not isinstance(value, wanted) or isinstance(value, bool)):
            raise TypeError(f"{name} is of type {wanted.__name__}, not {value!r}")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"ParallelAxis({', '.join(f'{name}={getattr(self, name)!r}' for name in self._KINDS)})"


class TensorParallelism:
    """Axes of parallelism, each kind at most once."""

    def __init__(self) -> None:
        self._axes: list[ParallelAxis] = []

    @property
    def axes(self) -> list[ParallelAxis]:
        """List of axes. Raises `TypeError` for members of other types."""
        return self._axes

    @axes.setter
    def axes(self, axes: list[ParallelAxis]) -> None:
        axes = list(axes)
        if not all(isinstance(axis, ParallelAxis) for axis in axes):
            raise TypeError("axes is a list of ParallelAxis")
        self._axes = axes

    def __repr__(self) -> str:
        return f"TensorParallelism(axes={self._axes!r})"


class ReadTarget:
    """Wanted part of a tensor.

    - `mode`: ``as_stored`` for the stored value, ``shard`` for the part of `parallelism`, ``full`` for the whole tensor.
      Raises `RuntimeError` for other modes.
    - `parallelism`: a `TensorParallelism` or None.
    """

    def __init__(self) -> None:
        self._mode, self._parallelism = AS_STORED, None

    @property
    def mode(self) -> str:
        """``as_stored``, ``shard`` or ``full``."""
        return self._mode

    @mode.setter
    def mode(self, mode: str) -> None:
        if not isinstance(mode, str):
            raise TypeError(f"mode is a text, not {mode!r}")
        if mode.lower() not in (AS_STORED, SHARD, FULL):
            raise RuntimeError(f"{mode!r} is no mode: as_stored, shard or full is expected")
        self._mode = mode.lower()

    @property
    def parallelism(self) -> TensorParallelism | None:
        """Parallelism of the part, or None."""
        return self._parallelism

    @parallelism.setter
    def parallelism(self, parallelism: TensorParallelism | None) -> None:
        if parallelism is not None and not isinstance(parallelism, TensorParallelism):
            raise TypeError(f"parallelism is a TensorParallelism or None, not {parallelism!r}")
        self._parallelism = parallelism  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ReadTarget(mode={self._mode!r}, parallelism={self._parallelism!r})"


def axes_of(parallelism: Any) -> tuple[Axis, ...]:
    """Returns the axes of an object with `axes`. Raises `ValueError` for another object, or axes that describe no shard."""
    try:
        given = [
            Axis(
                axis.kind.lower(), int(axis.rank), int(axis.size), axis.split_dim,
                getattr(axis, "expert_id", None), getattr(axis, "stage_id", None),
            )
            for axis in parallelism.axes
        ]
    except (AttributeError, TypeError) as error:
        raise ValueError(f"a TensorParallelism is expected, not {parallelism!r}: {error}") from None
    return check(tuple(given))


def writer_axis(partition: Any) -> Axis:
    """Returns the axis of an object with `rank`, `size` and `split_dim`. Raises `ValueError` for another object."""
    try:
        axis = Axis("tp", int(partition.rank), int(partition.size), int(partition.split_dim))
    except (AttributeError, TypeError):
        raise ValueError(f"a writer_partition has rank, size and split_dim: {partition!r}") from None
    return check((axis,))[0]


def target_of(target: Any) -> tuple[str, tuple[Axis, ...] | None]:
    """Returns mode and axes of a target, None for the stored value. Raises `ValueError` for another object."""
    if target is None:
        return AS_STORED, None
    try:
        mode, parallelism = target.mode, target.parallelism
    except AttributeError:
        raise ValueError(f"a ReadTarget is expected, not {target!r}") from None
    if mode == SHARD and parallelism is None:
        raise ValueError("the mode shard needs a parallelism")
    return mode, None if parallelism is None else axes_of(parallelism)
