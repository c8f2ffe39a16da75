# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the parts of a store share: the opened space, and calls that return codes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import mf_smem

from ._codes import FAILED, INVALID, of_error
from ._failure import failed
from ._space import Space

F = TypeVar("F", bound=Callable[..., Any])


class Base:
    """A store that may be set up. For any thread."""

    def __init__(self) -> None:
        #: Of set-up and end.
        self._changing = threading.RLock()
        self._space: Space | None = None

    def _opened(self) -> Space:
        """The space; raises `NotSetUp` without one."""
        space = self._space
        if space is None:
            raise NotSetUp
        return space


class NotSetUp(Exception):
    """The store is not set up, or closed."""


def coded(without: Any = FAILED, many: bool = False) -> Callable[[F], F]:
    """Makes failures codes. `without` is the answer of a store that is not set up; with `many`, a list of it for each key, which
    are the first argument."""

    def decorate(method: F) -> F:
        @functools.wraps(method)
        def call(store: Base, *args: Any, **named: Any) -> Any:
            try:
                return method(store, *args, **named)
            except NotSetUp:
                failed("the store is not set up")
                code = without
            except mf_smem.Error as error:
                code = of_error(error) if isinstance(without, int) else without
            except ValueError as error:
                code = failed(str(error), INVALID) if isinstance(without, int) else without
            if not many:
                return code
            return [code] * len(args[0] if args else next(iter(named.values())))

        return call  # type: ignore[return-value]

    return decorate
