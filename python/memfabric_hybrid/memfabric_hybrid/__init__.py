# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem`` under upstream's name and in its style: functions and methods return codes, 0 for success.

The work is done by ``mf_smem``; pools, handles and addresses of both packages are the same. The text of the last failure
is `get_last_err_msg`.
"""

from mf_smem import (
    TransDataOpType,
    TransferOpcode,
    create_config_store,
    get_and_clear_last_err_msg,
    get_include_path,
    get_last_err_msg,
    get_lib_path,
    initialize,
    set_conf_store_tls,
    set_conf_store_tls_key,
    set_extern_logger,
    set_log_level,
    uninitialize,
)

from mf_smem._loader import load_beside as _load_beside

from . import _extension_names, _older_programs, bm, offload, shm
from ._renamed import warn_about_old_names
from ._transfer import TransferEngine
from .mf_acc_offload import (  # noqa: F401: attributes of the package, too
    empty as empty,
    entry_gather as entry_gather,
    group_pack_copy as group_pack_copy,
    kv_exchange_copy as kv_exchange_copy,
    sparse_copy as sparse_copy,
)

__all__ = [
    "TransDataOpType",
    "TransferEngine",
    "TransferOpcode",
    "bm",
    "create_config_store",
    "get_and_clear_last_err_msg",
    "get_include_path",
    "get_last_err_msg",
    "get_lib_path",
    "initialize",
    "offload",
    "set_conf_store_tls",
    "set_conf_store_tls_key",
    "set_extern_logger",
    "set_log_level",
    "shm",
    "uninitialize",
]

# Programs that open these by name find them.
_lib_handles = [handle for name in ("libmf_hybm_core.so", "libmf_acc_offload.so") if (handle := _load_beside(name))]
_extension_names.install()
_older_programs.install()
warn_about_old_names()
