# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A memory pool that many processes share.

Every process contributes memory; the contributions form one address space that has the same addresses in every process;
every member copies to and from it. Interfaces:

``mf_smem.open_pool``
    in the style of Python: context managers, exceptions, any object with bytes.
``mf_smem.Cache``
    values by key in such a pool, with eviction and replicas: a prefix cache of inference engines, for example.
``mf_smem.open_share``
    share memory: as many bytes of each rank, which kernels on NPUs reach directly; `mf_smem.kernels` runs kernels.
``mf_smem.Store``
    the config store by itself: keys, watches, locks, leases and meetings of the members of a job.
``mf_smem.bm``, ``mf_smem.shm``
    upstream's names, integers for addresses.
``mf_smem.TransferEngine``
    registered memory of processes that know each other's names, as inference engines call it.
``mf_smem.sim``
    programs as coroutines over a simulated job: faults and orders by a seed, and the shortest run that fails.
``libmf_smem.so``
    from C and C++ code in the same process, on the same pools: `get_lib_path`, `get_include_path`, ``BigMemory.handle``.

Run several ranks of a program with ``mf run -n 4 -- python program.py`` or with torchrun.
"""

from . import _loader  # isort: skip - opens the library, which the others need
from . import bm, shm, store
from ._enums import AtomicOp, DataType, ReduceOp, SignalOp
from ._errors import (
    BufferTooSmallError,
    CancelledError,
    DuplicatedError,
    Error,
    ErrorKind,
    InUseError,
    InvalidParamError,
    NoResourcesError,
    NotConnectedError,
    NotExistError,
    NotInitError,
    NotStartedError,
    OutOfMemoryError,
    PartialError,
    RepeatError,
    Retry,
    TimedOutError,
)
from ._job import UNIQUE_ID_BYTES, cluster_status, create_unique_id, metrics_text, stats
from ._loader import get_include_path, get_lib_path
from ._logging import use_logging
from ._mf_smem import (
    create_config_store,
    destroy_config_store,
    get_and_clear_last_err_msg,
    get_last_err_msg,
    initialize,
    set_conf_store_tls,
    set_conf_store_tls_key,
    set_extern_alarm,
    set_extern_logger,
    set_log_level,
    uninitialize,
    version,
)
from ._queued import PoolTransfer
from ._started import PreparedTransfer, Transfer
from ._store import Change, ChangeKind, Entry, Lease, Lock, Member, MemberChange, Store, StoreServer, Watch
from ._tls import TlsOption, register_decrypt_handler, set_ssl_option
from ._torch import torch_store
from .cache import (
    Cache,
    CacheDiskStats,
    CacheEvent,
    CacheLease,
    CacheMember,
    CachePrefetch,
    CachePrefetchCounts,
    CacheStats,
    CacheWriter,
)
from .last_tier import LastTier, LastTierStats
from .pool import Pool, open_pool
from .share import ShareGroup, SharedMemory, open_share
from .transfer import TransDataOpType, TransferEngine, TransferOpcode

from . import kernels, sim  # isort: skip - they use names from above

#: Version of the package: the upstream version that it replaces, and the library's.
__version__ = f"1.0.0+mf{version()}"

__all__ = [
    "AtomicOp",
    "BufferTooSmallError",
    "Cache",
    "CacheDiskStats",
    "CacheEvent",
    "CacheLease",
    "CacheMember",
    "CachePrefetch",
    "CachePrefetchCounts",
    "CacheStats",
    "CacheWriter",
    "CancelledError",
    "Change",
    "ChangeKind",
    "DataType",
    "DuplicatedError",
    "Entry",
    "Error",
    "ErrorKind",
    "InUseError",
    "InvalidParamError",
    "LastTier",
    "LastTierStats",
    "Lease",
    "Lock",
    "Member",
    "MemberChange",
    "NoResourcesError",
    "NotConnectedError",
    "NotExistError",
    "NotInitError",
    "NotStartedError",
    "OutOfMemoryError",
    "PartialError",
    "Pool",
    "PoolTransfer",
    "PreparedTransfer",
    "ReduceOp",
    "RepeatError",
    "Retry",
    "ShareGroup",
    "SharedMemory",
    "SignalOp",
    "Store",
    "StoreServer",
    "TimedOutError",
    "TlsOption",
    "TransDataOpType",
    "Transfer",
    "TransferEngine",
    "TransferOpcode",
    "UNIQUE_ID_BYTES",
    "Watch",
    "bm",
    "cluster_status",
    "create_config_store",
    "create_unique_id",
    "destroy_config_store",
    "get_and_clear_last_err_msg",
    "get_include_path",
    "get_last_err_msg",
    "get_lib_path",
    "initialize",
    "kernels",
    "metrics_text",
    "open_pool",
    "open_share",
    "register_decrypt_handler",
    "set_conf_store_tls",
    "set_conf_store_tls_key",
    "set_extern_alarm",
    "set_extern_logger",
    "set_log_level",
    "set_ssl_option",
    "shm",
    "sim",
    "stats",
    "store",
    "torch_store",
    "uninitialize",
    "use_logging",
    "version",
]
