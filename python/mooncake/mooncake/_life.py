# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Set-up and close of a store."""

from __future__ import annotations

import logging
import os
import weakref
from collections.abc import Mapping
from typing import Any

import mf_smem

from . import _admin, _dummy
from ._codes import FAILED, INVALID, OK, of_error
from ._failure import failed
from ._http import Server
from ._names import split
from ._place import Place, place
from ._tensor_files import TensorFiles
from ._space import Space

_HEALTHY, _NOT_SET_UP, _UNREACHABLE = 0, 1, 2
#: The arguments of `setup`, in their order.
_ORDER = (
    "local_hostname", "metadata_server", "global_segment_size", "local_buffer_size", "protocol", "rdma_devices",
    "master_server_addr", "engine", "enable_ssd_offload", "ssd_offload_path", "tenant_id", "enable_client_http_server",
    "client_http_port",
)

_log = logging.getLogger("mooncake.store")


class Life(TensorFiles):
    """Methods for set-up, health and close of a store."""

    def __init__(self) -> None:
        super().__init__()
        self._pool: _dummy.MemoryPool | None = None
        self._http: Server | None = None

    def setup(self, *args: Any, **named: Any) -> int:
        """setup(local_hostname, metadata_server, global_segment_size, local_buffer_size, protocol, rdma_devices,
        master_server_addr, engine=None, enable_ssd_offload=False, ssd_offload_path='', tenant_id='default',
        enable_client_http_server=False, client_http_port=9300), or setup(config: dict) with the same names.

        Joins the cache of the job at `master_server_addr`, and contributes `global_segment_size` bytes, 0 or more, for values of
        all members. Starts the store in this process if the address belongs to this host and no store answers. Blocks until
        the store answers, at most ``MC_STORE_CLIENT_SETUP_RETRIES`` seconds (20). With `enable_client_http_server`, serves
        /health and /metrics at `client_http_port`; logs a warning if the port is in use. Ignores unknown names.

        Returns 0, also for a repeated call; -600 for a missing or wrong argument; -1 if the store does not answer. Raises
        `TypeError` if `engine` is not a ``mooncake.engine.TransferEngine``.
        """
        given = _named(args, named)
        engine = given.get("engine")
        if engine is not None and not _is_engine(engine):
            raise TypeError(f"engine is a mooncake.engine.TransferEngine or None, not {type(engine).__name__}")
        try:
            where = place(given)
        except ValueError as error:
            return failed(f"setup: {error}", INVALID)
        return self._set_up(where)

    def init_all(self, protocol: str, device_name: str, mount_segment_size: int = 16 << 20) -> int:
        """Calls `setup` with the master of MOONCAKE_MASTER. This is the signature of the first releases."""
        return self.setup(
            os.environ.get("MOONCAKE_LOCAL_HOSTNAME", "localhost"),
            os.environ.get("MOONCAKE_TE_META_DATA_SERVER", "P2PHANDSHAKE"),
            mount_segment_size,
            16 << 20,
            protocol,
            device_name,
            os.environ.get("MOONCAKE_MASTER", "127.0.0.1:50051"),
        )

    def setup_dummy(self, mem_pool_size: int, local_buffer_size: int, server_address: str) -> int:
        """Joins as `setup`, but contributes no memory. Returns 0, or a code as `setup`.

        Asks the ``mooncake_client`` on this host at `server_address`, ``host:port``, for the store. `mem_pool_size`: bytes for
        `alloc_from_mem_pool`. `local_buffer_size` is ignored.
        """
        del local_buffer_size
        try:
            where = _dummy.place_of(server_address)
            self._pool = _dummy.MemoryPool(mem_pool_size)
        except (OSError, ValueError) as error:
            return failed(f"setup_dummy: {error}")
        return self._set_up(where)

    def alloc_from_mem_pool(self, size: int) -> int:
        """Allocates `size` bytes from the pool of `setup_dummy`. Returns the address, or 0 if the pool has less room."""
        return 0 if self._pool is None else self._pool.take(size)

    def close(self) -> int:
        """Leaves the cache. Values with their only copy on this member are lost. Returns 0, also before `setup`."""
        with self._changing:
            space, self._space = self._space, None
            http, self._http = self._http, None
        if http is not None:
            http.close()
        if space is not None:
            self._drop_sessions()
            space.close()
        return OK

    def health_check(self) -> int:
        """Returns 0 if healthy, 1 before set-up or after close, 2 if the store does not answer."""
        space = self._space
        if space is None:
            return _NOT_SET_UP
        return _HEALTHY if space.is_reachable() else _UNREACHABLE

    def get_hostname(self) -> str:
        """Returns the name of this member, ``host:port``, for `ReplicateConfig.preferred_segment`. Empty before `setup`."""
        space = self._space
        return "" if space is None else space.name

    def __del__(self) -> None:
        if getattr(self, "_space", None) is not None:
            self.close()

    def _set_up(self, where: Place) -> int:
        with self._changing:
            if self._space is not None:
                return OK
            try:
                self._space = Space(where)
            except mf_smem.Error as error:
                of_error(error)
                return FAILED
            except ValueError as error:
                return failed(f"setup: {error}", INVALID)
            self._http = self._serve(where) if where.http_port else None
            return OK

    def _serve(self, where: Place) -> Server | None:
        # A weak reference: the server does not keep the store open.
        admin = _admin.Admin(where.name, weakref.ref(self))
        try:
            return _admin.serve(admin, split(where.name)[0], where.http_port)
        except (OSError, OverflowError) as error:
            _log.warning("client_http_port %d is not served: %s", where.http_port, error)
            return None


def _named(args: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments by name. Raises `TypeError` for too many arguments, or a duplicate."""
    if len(args) == 1 and isinstance(args[0], Mapping) and not named:
        return dict(args[0])
    if not args and set(named) == {"config"} and isinstance(named["config"], Mapping):
        return dict(named["config"])
    if len(args) > len(_ORDER):
        raise TypeError(f"setup takes {len(_ORDER)} arguments, and {len(args)} are given")
    given = dict(zip(_ORDER, args))
    twice = given.keys() & named.keys()
    if twice:
        raise TypeError(f"setup has {', '.join(sorted(twice))} twice")
    return {**given, **named}


def _is_engine(engine: object) -> bool:
    from .engine import TransferEngine

    return isinstance(engine, (TransferEngine, mf_smem.TransferEngine))
