# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Placement settings of values: `ReplicateConfig` and its enumerations."""

from __future__ import annotations

import enum
import operator
from collections.abc import Sequence
from typing import Any

#: Maximum number of replicas in the cache.
MOST_REPLICAS = 4
#: Default duration of a soft pin, in milliseconds.
SOFT_PIN_MS = 30 * 60 * 1000


class ObjectDataType(enum.IntEnum):
    """Type of a value. The store ignores it."""

    UNKNOWN = 0
    KVCACHE = 1
    TENSOR = 2
    WEIGHT = 3
    SAMPLE = 4
    ACTIVATION = 5
    GRADIENT = 6
    OPTIMIZER_STATE = 7
    METADATA = 8
    GENERAL = 9


class SoftPinAction(enum.IntEnum):
    """Action on the soft pin when a value is put again."""

    PRESERVE = 0
    ENABLE = 1
    DISABLE = 2


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"True or False is expected, not {value!r}")
    return value


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a number is expected, not {value!r}")
    if value < 0:
        raise TypeError(f"a number from 0 on is expected, not {value}")
    return value


def _number_or_none(value: object) -> int | None:
    return None if value is None else _number(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is expected, not {value!r}")
    return value


def _texts(value: Any) -> list[str]:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"a list of texts is expected, not {value!r}")
    return [_text(one) for one in value]


#: Validator and default of each attribute.
_ATTRIBUTES: dict[str, tuple[Any, Any]] = {
    "replica_num": (_number, 1),
    "nof_replica_num": (_number, 0),
    "dfs_replica_num": (_number, 0),
    "soft_pin_action": (SoftPinAction, SoftPinAction.PRESERVE),
    "soft_pin_ttl_ms": (_number_or_none, None),
    "with_soft_pin": (_boolean, False),
    "with_hard_pin": (_boolean, False),
    "preferred_segments": (_texts, ()),
    "preferred_segment": (_text, ""),
    "preferred_nof_segments": (_texts, ()),
    "prefer_alloc_in_same_node": (_boolean, False),
    "data_type": (ObjectDataType, ObjectDataType.UNKNOWN),
}


class ReplicateConfig:
    """Placement settings of a value. Attributes raise `TypeError` for values of another type.

    - `replica_num`: 1 to 4 copies on different members, limited by the number of members.
    - `preferred_segment`, `preferred_segments`: names (`MooncakeDistributedStore.get_hostname`) of the preferred members.
      Members without room are skipped.
    - `prefer_alloc_in_same_node`: prefers this member.
    - `with_hard_pin`: prevents eviction until the value is removed.
    - `soft_pin_action` ENABLE: prevents eviction for `soft_pin_ttl_ms` (default: 30 minutes).

    The store ignores all other attributes.
    """

    replica_num: int
    nof_replica_num: int
    dfs_replica_num: int
    soft_pin_action: SoftPinAction
    soft_pin_ttl_ms: int | None
    with_soft_pin: bool
    with_hard_pin: bool
    preferred_segments: list[str]
    preferred_segment: str
    preferred_nof_segments: list[str]
    prefer_alloc_in_same_node: bool
    data_type: ObjectDataType

    __slots__ = tuple(f"_{name}" for name in _ATTRIBUTES)

    def __init__(self, **values: object) -> None:
        for name, (check, first) in _ATTRIBUTES.items():
            setattr(self, name, values.pop(name, list(first) if check is _texts else first))
        if values:
            raise TypeError(f"ReplicateConfig has no {', '.join(values)}")

    def __repr__(self) -> str:
        changed = {name: getattr(self, name) for name, (_, first) in _ATTRIBUTES.items()}
        return f"ReplicateConfig({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    @property
    def soft_pin_ms(self) -> int:
        """Duration of the soft pin, in milliseconds; 0 for no soft pin."""
        if not (self.with_soft_pin or self.soft_pin_action is SoftPinAction.ENABLE):
            return 0
        return SOFT_PIN_MS if self.soft_pin_ttl_ms is None else self.soft_pin_ttl_ms

    def segments(self, own: str) -> Sequence[str]:
        """Returns names of the preferred members, in order of preference."""
        if not (self.preferred_segments or self.preferred_segment or self.prefer_alloc_in_same_node):
            return ()
        named = [*self.preferred_segments, *([self.preferred_segment] if self.preferred_segment else [])]
        return named or ([own] if self.prefer_alloc_in_same_node else [])


def _checked(name: str, check: Any) -> property:
    slot = f"_{name}"
    return property(
        operator.attrgetter(slot),
        lambda config, value: setattr(config, slot, check(value)),
        doc=f"See `ReplicateConfig`: {name}.",
    )


for _name, (_check, _) in _ATTRIBUTES.items():
    setattr(ReplicateConfig, _name, _checked(_name, _check))
