# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The exceptions of the package: one class a kind of failure, all of them ``RuntimeError``."""

from __future__ import annotations

import enum
from typing import Any


class ErrorKind(enum.IntEnum):
    """Kind of an error. The values are the codes of the C interface."""

    FAILED = -1
    INVALID_PARAM = -2000
    OUT_OF_MEMORY = -2001
    NO_RESOURCES = -2002
    NOT_STARTED = -2003
    TIMEOUT = -2004
    REPEAT_INVOKE = -2005
    DUPLICATED = -2006
    NOT_EXIST = -2007
    NOT_INIT = -2008
    IN_USE = -2009
    PARTIAL_FAILED = -2012
    NOT_CONNECTED = -2014
    BUFFER_TOO_SMALL = -2015
    CANCELLED = -2098


class Retry(enum.IntEnum):
    """Retry class of a failed call."""

    NEVER = 0
    """The same call will fail again."""
    LATER = 1
    """The same call may succeed later."""
    AFTER_RECONNECT = 2
    """The same call may succeed when the peer or the store is back."""
    AT_ONCE = 3
    """The same call may succeed now: its connection was given up because of another call, which says nothing of the
    peer. It may have been done."""


class Error(RuntimeError):
    """A call of the library failed.

    ``code`` is the number that the C function returned, ``kind`` its meaning, ``retry`` says whether trying again
    helps; the text says what happened, to whom, and what to do.
    """

    def __init__(self, code: int, text: str = "", retry: int = Retry.NEVER) -> None:
        super().__init__(text or f"the call failed with code {code}")
        self.code = code
        self.retry = Retry(retry)

    @property
    def kind(self) -> ErrorKind:
        """Kind of the error; ``ErrorKind.FAILED`` for a code that this package does not know."""
        try:
            return ErrorKind(self.code)
        except ValueError:
            return ErrorKind.FAILED

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self), self.retry)


class InvalidParamError(Error, ValueError):
    """An argument is not acceptable; nothing was changed."""


class OutOfMemoryError(Error, MemoryError):
    """Memory could not be allocated."""


class NoResourcesError(Error):
    """A bounded resource other than memory is used up."""


class NotStartedError(Error):
    """The pool is not joined."""


class TimedOutError(Error, TimeoutError):
    """A deadline passed; the text names the missing members."""


class RepeatError(Error):
    """The call may be made once and was made before."""


class DuplicatedError(Error):
    """The id, rank or key is taken."""


class NotExistError(Error, LookupError):
    """The named thing does not exist."""


class NotInitError(Error):
    """The library is not initialised in this process."""


class InUseError(Error):
    """The resource is busy, for example a port."""


class PartialError(Error):
    """A part of the operation failed."""


class NotConnectedError(Error, ConnectionError):
    """The peer or the store cannot be reached: departed, dead or never there."""


class BufferTooSmallError(Error, ValueError):
    """The buffer is too small; the text names the needed size."""


class CancelledError(Error):
    """A transfer was cancelled, or its engine destroyed."""


_CLASSES: dict[int, type[Error]] = {
    ErrorKind.INVALID_PARAM: InvalidParamError,
    ErrorKind.OUT_OF_MEMORY: OutOfMemoryError,
    ErrorKind.NO_RESOURCES: NoResourcesError,
    ErrorKind.NOT_STARTED: NotStartedError,
    ErrorKind.TIMEOUT: TimedOutError,
    ErrorKind.REPEAT_INVOKE: RepeatError,
    ErrorKind.DUPLICATED: DuplicatedError,
    ErrorKind.NOT_EXIST: NotExistError,
    ErrorKind.NOT_INIT: NotInitError,
    ErrorKind.IN_USE: InUseError,
    ErrorKind.PARTIAL_FAILED: PartialError,
    ErrorKind.NOT_CONNECTED: NotConnectedError,
    ErrorKind.BUFFER_TOO_SMALL: BufferTooSmallError,
    ErrorKind.CANCELLED: CancelledError,
}


def error_from_code(code: int, text: str, retry: int = Retry.NEVER) -> Error:
    """The exception for a code; called by the extension too."""
    return _CLASSES.get(code, Error)(code, text, retry)


def invalid(text: str) -> InvalidParamError:
    """An argument that this package itself refuses."""
    return InvalidParamError(ErrorKind.INVALID_PARAM, text)
