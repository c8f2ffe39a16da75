# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Base of a store: the open space, and a decorator that converts errors to codes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import mf_smem

from ._codes import FAILED, INVALID, NOT_SUPPORTED, of_error
from ._failure import failed
from ._space import Space

F = TypeVar("F", bound=Callable[..., Any])


class Base:
    """Base class of a store, before or after set-up. Thread-safe."""

    def __init__(self) -> None:
        #: Serialises set-up, close, and changes of sessions and buffers.
        self._changing = threading.RLock()
        self._space: Space | None = None

    def _opened(self) -> Space:
        """Returns the open space. Raises `NotSetUp` before set-up and after close."""
        space = self._space
        if space is None:
            raise NotSetUp
        return space


class NotSetUp(Exception):
    """Error of a store before set-up or after close."""


class NotSupported(Exception):
    """Error of a call that this package does not support here."""


def coded(without: Any = FAILED, many: bool = False) -> Callable[[F], F]:
    """Converts errors of a method to codes. A store without set-up returns `without`.

    With `many`, the method returns a list with one code for each key. The keys are the first argument.
    """

    def decorate(method: F) -> F:
        @functools.wraps(method)
        def call(store: Base, *args: Any, **named: Any) -> Any:
            try:
                return method(store, *args, **named)
            except NotSetUp:
                failed("the store is not set up")
                code = without
            except mf_smem.Error as error:
                code = of_error(error)
                # The error of a call that `close` overtakes depends on the moment.
                code = code if store._space is not None else FAILED
            except (ValueError, OverflowError) as error:
                code = failed(str(error), INVALID)
            except NotSupported as error:
                code = failed(str(error), NOT_SUPPORTED)
            if not isinstance(without, int):
                code = without
            if not many:
                return code
            return [code] * len(args[0] if args else next(iter(named.values())))

        return call  # type: ignore[return-value]

    return decorate
