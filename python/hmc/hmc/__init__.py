# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HMC: one-sided transfers between buffers in the memory of processors and accelerators, and tags between ranks.

A process makes a session, which has a buffer; servers listen, clients connect; either side puts to and gets from the other's
buffer, and sends a tag when data is there::

    sess = hmc.create_session(buffer_size=1 << 20, local_ip="127.0.0.1")
    sess.connect(peer_id=0, self_id=1, peer_ip="127.0.0.1", data_port=2026, ctrl_tcp_port=2027)
    sess.buf.put(b"hello")
    sess.put_remote("127.0.0.1", 2026, 0, 0, 5)
    sess.ctrl_send(0, 1)

`hmc.hmc` (also `hmc._core`) has the classes of C++ with their statuses, `hmc.collective` groups of processes and all-to-all.
"""

import sys as _sys

from . import hmc as hmc  # isort: skip - by its own name: the core
from ._errors import HMCError, HMCStatusError
from ._io import DeviceHint as DeviceHint, IOBuffer
from ._session import Session, create_session
from ._tensors import memory_type_from_torch_tensor
from .hmc import (
    Buffer,
    Communicator,
    ConnBuffer,
    ConnType,
    CtrlLink as CtrlLink,
    CtrlTransport,
    Memory,
    MemoryType,
    memory_supported,
    status_t,
)

from . import collective as collective  # isort: skip - uses the rest
from .collective import Group, alltoall, init_group

_core = hmc
_sys.modules[f"{__name__}._core"] = hmc

__all__ = [
    "Buffer",
    "Communicator",
    "ConnBuffer",
    "ConnType",
    "CtrlTransport",
    "Group",
    "HMCError",
    "HMCStatusError",
    "IOBuffer",
    "Memory",
    "MemoryType",
    "Session",
    "alltoall",
    "create_session",
    "init_group",
    "memory_supported",
    "memory_type_from_torch_tensor",
    "status_t",
]
