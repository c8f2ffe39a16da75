# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Argument and result types of ``shmem``: attributes, enums, ids."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

UNIQUE_ID_BYTES = 136
"""Bytes of a unique id."""
_VERSION = (1 << 16) + 24

ACLSHMEM_TEAM_WORLD = 0
"""The team of all PEs."""
ACLSHMEM_TEAM_INVALID = -1
"""No team."""
ACLSHMEM_MAX_TEAMS = 2048
"""Teams are numbered below it."""


class InitMode(IntEnum):
    """Methods by which the PEs find each other."""

    DEFAULT = 1
    MPI = 2
    UNIQUEID = 8


class OpEngineType(IntFlag):
    """Which engines move data."""

    MTE = 1
    SDMA = 2
    ROCE = 4
    UDMA = 8


class InitStatus(IntEnum):
    """Membership status of a process."""

    NOT_INITIALIZED = 0
    SHM_CREATED = 1
    INITIALIZED = 2
    INVALID = 2**31 - 1


class SignalOp(IntEnum):
    """Operations on a signal."""

    SIGNAL_SET = 0
    SIGNAL_ADD = 1


class CmpOp(IntEnum):
    """Comparisons of waits."""

    CMP_EQ = 0
    CMP_NE = 1
    CMP_GT = 2
    CMP_GE = 3
    CMP_LT = 4
    CMP_LE = 5


class MemType(IntEnum):
    """Side of a heap: host or device."""

    HOST_SIDE = 0
    DEVICE_SIDE = 1


@dataclass
class OptionalAttr:
    """Optional attributes of init. Timeouts in seconds."""

    version: int = _VERSION
    data_op_engine_type: int = OpEngineType.MTE
    shm_init_timeout: int = 120
    shm_create_timeout: int = 120
    control_operation_timeout: int = 120
    sockFd: int = -1


@dataclass
class InitAttr:
    """Attributes of init: this PE, the number of PEs, the store's URL (``tcp://host:port``), bytes of each heap."""

    my_rank: int = 0
    n_ranks: int = 0
    ip_port: str = ""
    local_mem_size: int = 0
    option_attr: OptionalAttr = field(default_factory=OptionalAttr)
    instance_id: int = 0
    #: The unique id that `set_attr_uniqueid_args` has set; empty: none.
    unique_id: bytes = field(default=b"", repr=False)

    def packed(self, comm_args: int = 0) -> bytearray:
        """The bytes of aclshmemx_init_attr_t, with the address of a communicator or unique id."""
        text = self.ip_port.encode()
        if len(text) > 63:
            raise ValueError(f"ip_port has {len(text)} bytes, and may have 63")
        option = self.option_attr
        return bytearray(
            struct.pack(
                "<ii64sQiiIIIiQQ",
                self.my_rank,
                self.n_ranks,
                text,
                self.local_mem_size,
                option.version,
                int(option.data_op_engine_type),
                option.shm_init_timeout,
                option.shm_create_timeout,
                option.control_operation_timeout,
                max(option.sockFd, 0),
                comm_args,
                self.instance_id,
            )
        )


@dataclass
class TeamConfig:
    """The configuration of a team."""

    num_contexts: int = 0


@dataclass
class Handle:
    """Handle for `aclshmemx_handle_wait`: a team; the wait also completes pending operations.

    Raises:
        ValueError: there is no such team, after init.
    """

    team_id: int = ACLSHMEM_TEAM_WORLD

    def __post_init__(self) -> None:
        from . import _calls

        if _calls.pe_count() > 0:
            _calls.living_team(self.team_id)


@dataclass(frozen=True)
class InstanceContext:
    """An instance of this process."""

    id: int


@dataclass(frozen=True)
class ProfData:
    """Cycle counts of the kernels of a PE: of each of 64 blocks 1024 numbers of calls, and their cycles."""

    pe_id: int
    ccount: list[list[int]]
    cycles: list[list[int]]


@dataclass
class UniqueId:
    """A unique id, as its parts."""

    version: int = (1 << 16) + UNIQUE_ID_BYTES
    my_pe: int = 0
    n_pes: int = 0
    internal: bytes = bytes(124)

    def packed(self) -> bytes:
        """The 136 bytes."""
        return struct.pack("<iii124s", self.version, self.my_pe, self.n_pes, self.internal)

    @classmethod
    def of(cls, data: bytes) -> UniqueId:
        """The parts of 136 bytes; what follows is ignored."""
        return cls(*struct.unpack("<iii124s", bytes(data[:UNIQUE_ID_BYTES])))

    def to_bytes(self) -> bytes:
        """The 136 bytes."""
        return self.packed()

    @classmethod
    def from_bytes(cls, data: bytes) -> UniqueId:
        """The parts of exactly 136 bytes.

        Raises:
            ValueError: another length.
        """
        if len(data) != UNIQUE_ID_BYTES:
            raise ValueError(f"a unique id has {UNIQUE_ID_BYTES} bytes, and this one {len(data)}")
        return cls.of(data)
