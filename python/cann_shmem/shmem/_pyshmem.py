# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names of the original package's native module: the same functions and classes as `shmem`."""

from __future__ import annotations

from typing import Any

import shmem as _shmem
from shmem import *  # noqa: F403


def __getattr__(name: str) -> Any:
    return getattr(_shmem, name)
