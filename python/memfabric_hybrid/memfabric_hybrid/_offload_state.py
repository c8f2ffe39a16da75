# SPDX-License-Identifier: Apache-2.0 OR MIT
"""State of `offload`: the configuration, the arena, the NPU, and the pool of `Scene.SHARED`."""

from __future__ import annotations

from typing import Any

from mf_smem import _mf_smem
from mf_smem import bm as _bm
from mf_smem import kernels as _kernels
from mf_smem._codes import NOT_EXIST
from mf_smem._config import Whole as _Whole
from mf_smem._config import _Fields
from mf_smem._enums import _Number
from mf_smem._errors import Error as _Error

from ._offload_lists import Refused, whole
from ._offload_memory import HUGE, Arena, OwnMemory, SharedMemory, rounded
from .bm import BmConfig as _BmConfig

#: The number of the pool of `Scene.SHARED`, the last of a job.
_POOL_ID = 63
#: Most bytes of an arena.
MOST = 1 << 40


class Scene(_Number):
    """Accessibility of the arena."""

    LOCAL = 0
    SHARED = 1


class _Bytes:
    """A field that holds a number of bytes."""

    def __init__(self, default: int) -> None:
        self._default = default
        self._name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        return self if instance is None else vars(instance).get(self._name, self._default)

    def __set__(self, instance: object, value: Any) -> None:
        try:
            vars(instance)[self._name] = whole(self._name, value, 0, MOST)
        except Refused as error:
            raise ValueError(str(error)) from None


class OffloadConfig(_Fields):
    """Creation of the arena.

    device_id
        Number of the NPU, where the process has any.
    alloc_size, reserve_size
        Bytes of the arena at first, and at most; each is rounded up to 2 MiB, and 0 is as much as the other one. At most 1 TiB.
    scene
        `Scene.LOCAL`: memory of this process. `Scene.SHARED`: its part of a pool, big memory number 63 of the job at `store_url`;
        ranks use addresses of all ranks, which are the same in each.
    world_size, rank_id, store_url
        Of that job; for `Scene.LOCAL` without a meaning. Big memory that the process has initialised before is used as it is.
    """

    device_id = _Whole(0)
    reserve_size = _Bytes(0)
    alloc_size = _Bytes(0)
    world_size = _Whole(1)
    rank_id = _Whole(0)

    def __init__(self) -> None:
        self._scene = Scene.LOCAL
        self._store_url = ""

    @property
    def scene(self) -> Scene:
        """Accessibility of the arena."""
        return self._scene

    @scene.setter
    def scene(self, value: int) -> None:
        self._scene = Scene(value)

    @property
    def store_url(self) -> str:
        """The store of the job, ``tcp://ip:port``."""
        return self._store_url

    @store_url.setter
    def store_url(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"store_url must be a str, not {type(value).__name__}")
        self._store_url = value


class State:
    """State made by `initialize`."""

    def __init__(self, config: OffloadConfig) -> None:
        self.device_id: int = config.device_id
        self.is_shared = config.scene == Scene.SHARED
        self.tables: list[tuple[int, int]] = []
        #: Arrays of `empty` that are alive.
        self.arrays = 0
        self._kernels: _kernels.Binary | None = None
        self.pool: _bm.BigMemory | None = None
        self._started_bm = False
        self.has_device = self._open_device()
        try:
            self.arena = Arena(self._shared(config) if self.is_shared else self._own(config))
        except BaseException:
            self._close_device()
            raise

    def _open_device(self) -> bool:
        try:
            _mf_smem.device_open(self.device_id)
        except _Error as error:
            if error.code == NOT_EXIST and "this process has no accelerator" in str(error):
                return False
            raise
        return True

    def _close_device(self) -> None:
        if self.has_device:
            _mf_smem.device_close()

    def _own(self, config: OffloadConfig) -> OwnMemory:
        first, most = _sizes(config)
        return OwnMemory(first, most, self.has_device)

    def _shared(self, config: OffloadConfig) -> SharedMemory:
        first, most = _sizes(config)
        given = _BmConfig()
        given.auto_ranking, given.rank_id, given.start_store = False, config.rank_id, config.rank_id == 0
        was_initialised = _bm_is_initialised()
        code = _bm.initialize(config.store_url, config.world_size, config.device_id, given)
        if code != 0:
            raise Coded(code)
        self._started_bm = not was_initialised
        try:
            pool = _bm.create2(_POOL_ID, first, most)
            pool.join()
        except BaseException:
            self._end_bm()
            raise
        self.pool = pool

        def extend(nbytes: int) -> bool:
            try:
                pool.extend_local_mem(_bm.BmMemType.HOST, nbytes)
            except _Error:
                return False
            return True

        def close() -> None:
            pool.destroy()
            self._end_bm()

        start = pool.peer_rank_ptr(_bm.bm_rank_id(), _bm.BmMemType.HOST)
        return SharedMemory(first, start, extend, close)

    def _end_bm(self) -> None:
        if self._started_bm:
            _bm.uninitialize()

    def kernels(self) -> _kernels.Binary:
        """This package's kernels; loaded when they are first needed."""
        if self._kernels is None:
            self._kernels = _kernels.load()
        return self._kernels

    def close(self) -> None:
        """Undoes all."""
        if self._kernels is not None:
            self._kernels.close()
        self.arena.memory.close()
        self._close_device()


#: Rank of memory outside of any member.
NO_RANK = 0xFFFFFFFF


class Coded(Exception):
    """A failure with its text already recorded."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def _bm_is_initialised() -> bool:
    return _bm.bm_rank_id() != NO_RANK


def _sizes(config: OffloadConfig) -> tuple[int, int]:
    most = max(config.reserve_size, config.alloc_size)
    if most == 0:
        raise Refused("neither reserve_size nor alloc_size is set")
    first = config.alloc_size or most
    return rounded(first, HUGE), rounded(most, HUGE)
