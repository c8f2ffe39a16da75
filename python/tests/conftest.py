# SPDX-License-Identifier: Apache-2.0 OR MIT
from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import ranks

for _name in set(os.environ) - set(ranks.plain_environment()):
    del os.environ[_name]

import mf_smem  # noqa: E402 - after the environment is plain

MIB = 1 << 20


@pytest.fixture(scope="module")
def pool() -> Iterator[mf_smem.Pool]:
    """A pool of this process alone, with host and device memory."""
    with mf_smem.open_pool(host_bytes=4 * MIB, device_bytes=2 * MIB, max_host_bytes=8 * MIB) as opened:
        yield opened
