# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Types of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, Union

from ._enums import BmMemType
from ._errors import invalid

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


class HasArrayInterface(Protocol):
    """An object with ``__array_interface__`` version 3."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


class HasDlpack(Protocol):
    """A tensor that speaks DLPack, for example torch's."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, Any]: ...


#: Source of a copy.
Source = Union["ReadableBuffer", HasArrayInterface, HasDlpack]
#: Target of a copy.
Destination = Union["WriteableBuffer", HasArrayInterface, HasDlpack]

#: A kind of memory: a window of the pool.
Kind = Union[Literal["host", "device"], BmMemType]

_KINDS: dict[object, BmMemType] = {
    "host": BmMemType.HOST,
    "device": BmMemType.DEVICE,
    BmMemType.HOST: BmMemType.HOST,
    BmMemType.DEVICE: BmMemType.DEVICE,
}


def kind_number(kind: Kind) -> BmMemType:
    """The number of a kind."""
    try:
        return _KINDS[kind]
    except (KeyError, TypeError):
        raise invalid(f"kind must be 'host' or 'device', not {kind!r}") from None
