# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The engine of transfers as the release 1.3 has it."""

from __future__ import annotations

import warnings

import mf_smem


class TransferEngine(mf_smem.TransferEngine):
    """``mf_smem.TransferEngine``, which has no port before `initialize`."""

    def get_rpc_port(self) -> int:
        """The port of this engine's session, 1 to 65535; 0, with a warning, before `initialize`. **Local.**"""
        if self._session is None:
            warnings.warn("TransferEngine.get_rpc_port: 0 before initialize, which chooses the port", RuntimeWarning, stacklevel=2)
            return 0
        return super().get_rpc_port()
