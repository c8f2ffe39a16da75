# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Environment variables that have a newer name."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping

RENAMED = {
    "ASCEND_MF_LOG_LEVEL": "MF_LOG_LEVEL",
    "SHMEM_LOG_LEVEL": "MF_LOG_LEVEL",
    "ASCEND_MF_STORE_URL": "MF_CONFIG_STORE_URL",
    "MEMFABRIC_HYBRID_CONFIG_STORE_PORT_START": "MF_CONFIG_STORE_PORT_START",
    "MEMFABRIC_HYBRID_CONFIG_STORE_PORT_END": "MF_CONFIG_STORE_PORT_END",
    "MF_SMEM_GROUP_RETRY_TIME": "MF_GROUP_RETRY_TIME",
    "HYBM_RDMA_FORCE_UNREGISTERED": "MF_HYBM_RDMA_FORCE_UNREGISTERED",
    "ACCLINK_CHECK_PERIOD_HOURS": "MF_ACC_CHECK_PERIOD_HOURS",
    "ACCLINK_CERT_CHECK_AHEAD_DAYS": "MF_ACC_CERT_CHECK_AHEAD_DAYS",
}


def warn_about_old_names(environ: Mapping[str, str] = os.environ) -> None:
    """Warns once for each old name that is set."""
    for old, new in RENAMED.items():
        if old in environ:
            warnings.warn(f"the environment variable {old} is deprecated, use {new}", FutureWarning, stacklevel=3)
