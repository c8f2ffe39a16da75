# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects that are not copied."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex


class Unique:
    """Base of objects that own memory, a connection or a membership.

    A shallow copy would release the original's resources when it is collected, so `copy.copy`, `copy.deepcopy` and `pickle`
    raise ``TypeError``.
    """

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError(
            f"{type(self).__qualname__} cannot be copied or pickled: it owns memory, a connection or a membership of this process; "
            "share the object, or make another one"
        )
