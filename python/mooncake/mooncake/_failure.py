# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Error reports of this package in interfaces with result codes."""

from __future__ import annotations

from mf_smem import _codes


def failed(text: str, code: int = -1) -> int:
    """Stores a text for ``mf_smem.get_last_err_msg``, and returns the code."""
    return _codes.failed(f"mooncake: {text}", code)
