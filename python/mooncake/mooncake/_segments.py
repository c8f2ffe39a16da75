# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Segments, memory that a store adds or removes after set-up. This package contributes memory at `setup` alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._base import NotSupported, coded
from ._replicas import Replicas


class Segments(Replicas):
    """Methods for segments. They return -1012, -1 before set-up."""

    def mount_segment(
        self, path: str, size: int, offset: int = 0, protocol: str = "tcp", location: str = ""
    ) -> dict[str, Any]:
        """Returns -1012 as `ret`, and no segments."""
        del path, size, offset, protocol, location
        return {"ret": self._refuse(), "segment_ids": []}

    def allocate_and_mount_segment(self, size: int, protocol: str = "tcp", location: str = "") -> dict[str, Any]:
        """Returns -1012 as `ret`, and no segments."""
        del size, protocol, location
        return {"ret": self._refuse(), "segment_ids": [], "allocated_size": 0}

    def unmount_segment(self, segment_ids: Sequence[str], grace_period_seconds: int = 0) -> int:
        """Returns -1012."""
        del segment_ids, grace_period_seconds
        return self._refuse()

    def unmount_and_free_segment(self, segment_ids: Sequence[str], grace_period_seconds: int = 0) -> int:
        """Returns -1012."""
        del segment_ids, grace_period_seconds
        return self._refuse()

    def unmount_local_disk_segment(self, grace_period_seconds: int = 0) -> int:
        """Returns -1012."""
        del grace_period_seconds
        return self._refuse()

    def get_offload_rpc_read_count(self) -> int:
        """Returns 0, the number of reads from the disks of other members."""
        return 0

    @coded()
    def _refuse(self) -> int:
        self._opened()
        raise NotSupported("a store contributes global_segment_size bytes at its set-up, and adds no segments later")
