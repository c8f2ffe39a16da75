# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Buffers, errors and log of `shmem.core`."""

from __future__ import annotations

import logging
import sys

from .._types import MemType

LOGGER = logging.getLogger("shmem")


class AclshmemError(Exception):
    """A call failed."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg)
        self.msg = msg


class AclshmemInvalid(AclshmemError, ValueError):
    """An invalid argument."""


def whole_number(value: object, name: str) -> int:
    """A whole number; a bool is none.

    Raises:
        AclshmemInvalid: something else.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise AclshmemInvalid(f"{name} is {value!r}, and must be a whole number")
    return value


class Buffer:
    """Memory of this PE or of another one, as it is mapped here: address, length in bytes, and heap."""

    __slots__ = ("_instance_id", "_owned", "_release_called", "addr", "length", "mem_type")

    addr: int
    length: int
    mem_type: MemType
    _owned: bool
    _instance_id: int | None
    _release_called: bool

    def __init__(self, addr: int, length: int, mem_type: int = MemType.DEVICE_SIDE) -> None:
        if whole_number(addr, "addr") < 0:
            raise AclshmemInvalid(f"the address {addr} is negative")
        if addr > sys.maxsize:
            raise AclshmemInvalid(f"the address {addr:#x} is beyond {sys.maxsize:#x}")
        if whole_number(length, "length") <= 0:
            raise AclshmemInvalid(f"a buffer has at least one byte, not {length}")
        self.addr, self.length, self.mem_type = addr, length, MemType(mem_type)
        self._owned, self._instance_id, self._release_called = False, None, False

    @classmethod
    def _allocated(cls, addr: int, length: int, mem_type: MemType, instance_id: int | None) -> Buffer:
        made = cls(addr, length, mem_type)
        made._owned, made._instance_id = True, instance_id
        return made

    @classmethod
    def _of_peer(cls, addr: int, own: Buffer) -> Buffer:
        made = cls(addr, own.length, own.mem_type)
        made._instance_id = own._instance_id
        return made

    def _release(self) -> None:
        self._release_called = True

    @property
    def owned(self) -> bool:
        """True for a block that `free` takes."""
        return self._owned

    @property
    def instance_id(self) -> int | None:
        """The instance of the block; None if it is not known."""
        return self._instance_id

    @property
    def release_called(self) -> bool:
        """True after `free`."""
        return self._release_called

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Buffer):
            return NotImplemented
        return (self.addr, self.length, self.mem_type) == (other.addr, other.length, other.mem_type)

    def __hash__(self) -> int:
        return hash((self.addr, self.length, self.mem_type))

    def __repr__(self) -> str:
        return f"Buffer(addr={self.addr:#x}, length={self.length}, mem_type={self.mem_type.name})"


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
