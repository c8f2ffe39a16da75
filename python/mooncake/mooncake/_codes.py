# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Result codes of the store's methods."""

from __future__ import annotations

import mf_smem
from mf_smem import ErrorKind

from ._failure import failed

OK = 0
FAILED = -1
NO_ROOM = -200
INVALID = -600
NOT_FOUND = -704
LEASED = -706
NO_SEGMENT = -101
TRANSFER_FAILED = -800
TIMED_OUT = -901
NOT_SUPPORTED = -1012
FILE_NOT_FOUND = -1100
NO_TASK = -1400

_OF_KINDS = {
    ErrorKind.NO_RESOURCES: NO_ROOM,
    ErrorKind.INVALID_PARAM: INVALID,
    ErrorKind.TIMEOUT: TIMED_OUT,
    ErrorKind.NOT_CONNECTED: TRANSFER_FAILED,
    ErrorKind.IN_USE: LEASED,
}


def of_code(code: int) -> int:
    """Returns the store's code for a code of the library."""
    return _OF_KINDS.get(code, FAILED)  # type: ignore[call-overload,no-any-return]


def of_error(error: mf_smem.Error) -> int:
    """Returns the code of an error, and stores its text for ``mf_smem.get_last_err_msg``."""
    return failed(str(error), of_code(int(error.code)))
