# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Exceptions of the package."""

from __future__ import annotations

from typing import Any

from mf_smem import _mf_smem

from ._numbers import status, status_t


class HMCError(RuntimeError):
    """A call of HMC failed."""


class HMCStatusError(HMCError):
    """A call ended with another status than SUCCESS.

    ``status`` is that status; ``reason`` is the library's account of what happened, empty where it gave none.
    """

    def __init__(self, msg: str | int, status: int | str, reason: str = "") -> None:
        """The status and the message in either order."""
        if isinstance(msg, int):
            msg, status = status, msg
        super().__init__(f"{msg} (status={int(status)})")
        self.status = status_t(int(status))
        self.reason = reason
        self._msg = msg
        # Python 3.11 shows it below the traceback.
        if reason and hasattr(self, "add_note"):
            self.add_note(reason)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._msg, int(self.status), self.reason)


def check(msg: str, code: int) -> None:
    """Raises ``msg (status=code)``, with the library's text for this thread, unless the code is success."""
    if code != 0:
        raise HMCStatusError(f"{msg} failed", status(code), _mf_smem.get_last_err_msg())
