# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`TransferEngine` under the name of its first releases, July to November 2025; the same as in `mf_smem`."""

from mf_smem import (
    TransDataOpType,
    TransferEngine,
    TransferOpcode,
    create_config_store,
    set_conf_store_tls,
    set_log_level,
)

__all__ = [
    "TransDataOpType",
    "TransferEngine",
    "TransferOpcode",
    "create_config_store",
    "set_conf_store_tls",
    "set_log_level",
]
