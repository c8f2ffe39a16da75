# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Buffers, errors and log of `shmem.core`."""

from __future__ import annotations

import logging
from dataclasses import dataclass

LOGGER = logging.getLogger("shmem")


class AclshmemError(Exception):
    """A call failed."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)
        self.msg = msg


class AclshmemInvalid(AclshmemError):
    """An invalid argument."""


@dataclass(frozen=True)
class Buffer:
    """Memory of this PE or of another one, as it is mapped here: its address and its length in bytes."""

    addr: int
    length: int

    def __post_init__(self) -> None:
        if self.addr < 0:
            raise ValueError(f"the address {self.addr} is negative")
        if self.length <= 0:
            raise ValueError(f"a buffer has at least one byte, not {self.length}")


def setup_aclshmem_logger(log_level: str = "ERROR", log_file_path: str | None = None) -> logging.Logger:
    """Sets destination and level of the package's own log lines."""
    level = logging.getLevelName(log_level.upper())
    if not isinstance(level, int):
        raise AclshmemInvalid(f"there is no log level {log_level}; there are DEBUG, INFO, WARNING, ERROR, CRITICAL")
    handler = logging.FileHandler(log_file_path) if log_file_path else logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for old in list(LOGGER.handlers):
        LOGGER.removeHandler(old)
        old.close()
    LOGGER.addHandler(handler)
    LOGGER.setLevel(level)
    return LOGGER
