# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Numbers of PEs and teams, and the enums."""

from __future__ import annotations

from .. import InitStatus, SignalOp, aclshmemx_init_status, my_pe, pe_count, team_my_pe, team_n_pes
from .._types import CmpOp

ComparisonType = CmpOp


def n_pes() -> int:
    """The number of PEs."""
    return pe_count()


def init_status() -> InitStatus:
    """Membership status of this process."""
    return aclshmemx_init_status()


__all__ = ["ComparisonType", "InitStatus", "SignalOp", "init_status", "my_pe", "n_pes", "team_my_pe", "team_n_pes"]
