# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The core: classes with methods that return a status, by the names of C++, and the members of the
enumerations.

`hmc.Session` and `hmc.IOBuffer` stand on it and raise instead.
"""

from __future__ import annotations

from ._buffer import ConnBuffer
from ._communicator import Communicator, CtrlLink
from ._memory import Buffer, Memory, memory_supported
from ._numbers import ConnType, CtrlTransport, MemoryType, status_t

SUCCESS = status_t.SUCCESS
ERROR = status_t.ERROR
UNSUPPORT = status_t.UNSUPPORT
INVALID_CONFIG = status_t.INVALID_CONFIG
TIMEOUT = status_t.TIMEOUT
NOT_FOUND = status_t.NOT_FOUND

DEFAULT = MemoryType.DEFAULT
CPU = MemoryType.CPU
NVIDIA_GPU = MemoryType.NVIDIA_GPU
AMD_GPU = MemoryType.AMD_GPU
CAMBRICON_MLU = MemoryType.CAMBRICON_MLU
MOORE_GPU = MemoryType.MOORE_GPU
HUAWEI_ASCEND_NPU = MemoryType.HUAWEI_ASCEND_NPU

RDMA = ConnType.RDMA
UCX = ConnType.UCX

TCP = CtrlTransport.TCP
UDS = CtrlTransport.UDS

__all__ = [
    "AMD_GPU", "Buffer", "CAMBRICON_MLU", "CPU", "Communicator", "ConnBuffer", "ConnType", "CtrlLink", "CtrlTransport",
    "DEFAULT", "ERROR", "HUAWEI_ASCEND_NPU", "INVALID_CONFIG", "MOORE_GPU", "Memory", "MemoryType", "NOT_FOUND", "NVIDIA_GPU",
    "RDMA", "SUCCESS", "TCP", "TIMEOUT", "UCX", "UDS", "UNSUPPORT", "memory_supported", "status_t",
]  # fmt: skip
