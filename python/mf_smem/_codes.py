# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Codes of refusals by the package itself, in interfaces that return codes."""

from __future__ import annotations

from . import _mf_smem

FAILED, INVALID, DUPLICATED, NOT_EXIST, NOT_INIT, NOT_CONNECTED = -1, -2000, -2006, -2007, -2008, -2014


def last_code() -> int:
    """The code of the last failure of this thread."""
    return _mf_smem.last_error_code() or FAILED


def failed(text: str, code: int = FAILED) -> int:
    """Leaves a text for `get_last_err_msg`; gives the code."""
    return _mf_smem.leave_error(code, text)
