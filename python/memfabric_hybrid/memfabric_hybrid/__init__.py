# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem`` under upstream's name and in its style: functions and methods return codes, 0 for success.

The work is done by ``mf_smem``; pools, handles and addresses of both packages are the same. The text of the last failure
is `get_last_err_msg`.
"""

from mf_smem import (
    TransDataOpType,
    TransferEngine,
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

from mf_smem._loader import load_alias

from . import bm, offload, shm
from ._renamed import warn_about_old_names

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

load_alias()
warn_about_old_names()
