# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The configurations of big memory and of share memory, with their fields checked when they are set."""

from __future__ import annotations

import difflib
import operator
from typing import Any, SupportsIndex, overload

_UINT32_MAX = 0xFFFFFFFF
_NIC_BYTES = 63

#: The rank id that stands for "none given".
NO_RANK_ID = 65535


class Whole:
    """A field that holds an unsigned 32-bit number."""

    def __init__(self, default: int, *, minus_one: int | None = None) -> None:
        self._default = default
        self._minus_one = minus_one
        self._name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Whole: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> int: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Whole | int:
        if instance is None:
            return self
        number: int = vars(instance).get(self._name, self._default)
        return number

    def __set__(self, instance: object, value: SupportsIndex) -> None:
        number = operator.index(value)
        if number == -1 and self._minus_one is not None:
            number = self._minus_one
        if not 0 <= number <= _UINT32_MAX:
            raise ValueError(f"{self._name} must be from 0 to {_UINT32_MAX}, not {number}")
        vars(instance)[self._name] = number


class Flag:
    """A field that holds a truth value."""

    def __init__(self, default: bool) -> None:
        self._default = default
        self._name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Flag: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> bool: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Flag | bool:
        if instance is None:
            return self
        value: bool = vars(instance).get(self._name, self._default)
        return value

    def __set__(self, instance: object, value: bool) -> None:
        if not isinstance(value, int) or value not in (0, 1):
            raise TypeError(f"{self._name} must be True or False, not {value!r}")
        vars(instance)[self._name] = bool(value)


class _Fields:
    """A configuration: assignment to an unknown field is refused, because it would be lost."""

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):
            known = [field for field in dir(type(self)) if not field.startswith("_")]
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"its fields are {', '.join(known)}"
            raise AttributeError(f"{type(self).__name__} has no field {name!r}; {hint}")
        super().__setattr__(name, value)


class BmConfig(_Fields):
    """Configuration of a process in big memory.

    init_timeout, create_timeout, operation_timeout
        Longest waits in seconds, 1 to 4294967295: connecting and ranking, creating a pool, joins and barriers.
    start_store
        The process with rank 0 (or, with automatic ranks, one of those on the store's address) runs the config store.
    start_store_only
        Run the config store and nothing else.
    dynamic_world_size
        Automatic ranks are handed out at once, as they come. Ranks may join and leave at any time anyway.
    unified_address_space
        Must be True.
    auto_ranking
        Ranks are handed out by the store: when all ranks of the world have come, at most `init_timeout` later, in the order of
        addresses and devices (``memfabric_hybrid``: when they all come at once, else the next free number).
    rank_id
        One's own rank when they are not. -1 and 65535 mean none.
    flags
        Further bits of the C interface.
    """

    init_timeout = Whole(120)
    create_timeout = Whole(120)
    operation_timeout = Whole(120)
    start_store = Flag(True)
    start_store_only = Flag(False)
    dynamic_world_size = Flag(False)
    unified_address_space = Flag(True)
    auto_ranking = Flag(False)
    rank_id = Whole(NO_RANK_ID, minus_one=NO_RANK_ID)

    # True if automatic ranks wait for the whole world.
    _ordered_ranks = True

    flags = Whole(0)

    def __init__(self) -> None:
        self._nic = ""

    @property
    def nic(self) -> str:
        """Address set by `set_nic`."""
        return self._nic

    def set_nic(self, nic: str) -> None:
        """Sets the address that transports between hosts listen on, for example ``tcp://10.0.0.0/24:9100``; the port of a
        rank is this one plus the rank."""
        if not isinstance(nic, str):
            raise TypeError(f"nic must be a string, not {type(nic).__name__}")
        if len(nic.encode()) > _NIC_BYTES or "\0" in nic:
            raise ValueError(f"nic must have at most {_NIC_BYTES} bytes and no NUL")
        self._nic = nic

    @property
    def hcom_url(self) -> str:
        """As `nic`; assigning is `set_nic`."""
        return self._nic

    @hcom_url.setter
    def hcom_url(self, url: str) -> None:
        self.set_nic(url)

    def __repr__(self) -> str:
        return f"BmConfig({_fields(self)}, nic={self._nic!r})"


class ShmConfig(_Fields):
    """Configuration of a process in share memory.

    init_timeout, create_timeout, operation_timeout
        Longest waits in seconds, 1 to 4294967295: connecting, creating an object, barriers and gathers.
    start_store
        The process with rank 0 runs the config store.
    flags
        Further bits of the C interface.
    """

    init_timeout = Whole(120)
    create_timeout = Whole(120)
    operation_timeout = Whole(120)
    start_store = Flag(True)
    flags = Whole(0)

    def __repr__(self) -> str:
        return f"ShmConfig({_fields(self)})"


def _fields(config: object) -> str:
    names = [name for cls in reversed(type(config).__mro__) for name, field in vars(cls).items()
             if isinstance(field, (Whole, Flag))]
    return ", ".join(f"{name}={getattr(config, name)}" for name in dict.fromkeys(names))
