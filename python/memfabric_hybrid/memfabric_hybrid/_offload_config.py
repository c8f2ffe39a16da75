# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Configuration of the pool of `offload`."""

from __future__ import annotations

from mf_smem._config import _Fields
from mf_smem._enums import _Number

from ._numbers import Unsigned

#: Longest URL in bytes.
_URL_BYTES = 63


class Scene(_Number):
    """Accessibility of the pool."""

    LOCAL = 0
    SHARED = 1


class OffloadConfig(_Fields):
    """Configuration of the pool. Sizes are bytes and are rounded up to 1 GiB.

    device_id
        Number of the NPU; without one it only selects the port of the store.
    reserve_size
        Address space of one slot; the same in all ranks.
    alloc_size
        Memory of this rank: as much as `reserve_size` for `Scene.LOCAL`, at most that or 0 for `Scene.SHARED`.
    world_size, rank_id
        Of `Scene.SHARED`: number of ranks, and the own one, which is also the slot. Rank 0 serves the store.
    scene
        `Scene.LOCAL`: memory of this process. `Scene.SHARED`: one address space of all ranks on this machine.
    store_url
        Of `Scene.SHARED`: ``tcp://ip:port``, at most 63 bytes. Empty: MF_CONFIG_STORE_URL, else port 8500 + `device_id` //
        ranks per machine on the loopback interface.
    flags
        `OFFLOAD_FLAG_GIANT_PAGE`, which changes nothing: pools take huge pages where the machine has them.
    local_world_size
        Ranks on each machine; 0: all.
    """

    device_id = Unsigned(32)
    reserve_size = Unsigned(64)
    alloc_size = Unsigned(64)
    world_size = Unsigned(32)
    rank_id = Unsigned(32)
    flags = Unsigned(32)
    local_world_size = Unsigned(32)

    def __init__(self) -> None:
        self._scene = Scene.LOCAL
        self._store_url = ""

    @property
    def scene(self) -> Scene:
        """Accessibility of the pool."""
        return self._scene

    @scene.setter
    def scene(self, value: Scene) -> None:
        if not isinstance(value, Scene):
            raise TypeError(f"scene must be a Scene, not {type(value).__name__}")
        self._scene = value

    @property
    def store_url(self) -> str:
        """The store of the job."""
        return self._store_url

    @store_url.setter
    def store_url(self, value: str | bytes) -> None:
        if not isinstance(value, (str, bytes)):
            raise TypeError(f"store_url must be a str, not {type(value).__name__}")
        text = value.decode() if isinstance(value, bytes) else value
        if len(text.encode()) > _URL_BYTES:
            raise ValueError(f"store_url must have at most {_URL_BYTES} bytes, not {len(text.encode())}")
        self._store_url = text
