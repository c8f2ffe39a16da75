# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfers between processes that know each other's names: `TransferEngine`, as inference engines call it.

Memory is registered by address, host memory or an accelerator's, and is reachable at once; it is out of reach when
`unregister_memory` has returned. Methods return codes, 0 for success; the text of the last failure is
``mf_smem.get_last_err_msg()``. All of them let other threads run meanwhile, and Ctrl-C ends those that wait.

`start_write`, `start_read`, `prepare_write`, `prepare_read` and the notifications are an addition of this package; they raise
`mf_smem.Error`.
"""

from __future__ import annotations

import contextlib
import operator
import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence

from . import _mf_smem
from ._codes import DUPLICATED, INVALID, NOT_CONNECTED, NOT_EXIST, NOT_INIT, failed, last_code
from ._endpoints import Endpoints
from ._enums import _Number
from ._errors import NotConnectedError, error_from_code
from ._job import is_set
from ._meeting import (
    RPC_PORTS,
    Plan,
    Role,
    Route,
    Session,
    named_stores,
    plan,
    role_of,
    routes,
    session,
    session_ports,
)
from ._ports import answers, bound, free_port
from ._starting import Starting
from ._unique import Unique

__all__ = ["TransDataOpType", "TransferEngine", "TransferOpcode"]

_ROLES = {Role.PREFILL: 1, Role.DECODE: 2}
_HOST_MEMORY_ONLY = 0xFFFFFFFF
#: Most pieces of a batch.
_PIECES = 1 << 20
#: How long a store may take to accept an endpoint, in seconds: where an engine begins, and where it visits a destination.
_BEGIN_S, _VISIT_S = 120, 5


class TransDataOpType(_Number):
    """Requested engines; the best one for the other process is used."""

    SDMA = 1
    HOST_RDMA = 2
    HOST_TCP = 4
    DEVICE_RDMA = 8
    HOST_URMA = 16
    HOST_SHM = 32
    DEVICE_URMA = 64
    DEVICE_UBOE = 128


class _Default(int):
    """A number that the caller has not written: it equals what callers of the interface know as the default, and asks for
    nothing."""

    __slots__ = ()


_UNASKED = _Default(TransDataOpType.SDMA)


class TransferOpcode(_Number):
    """The direction of a transfer."""

    Read = 0
    Write = 1

    READ = 0
    WRITE = 1


class TransferEngine(Unique, Starting):
    """An endpoint that reads and writes registered memory of others, and lets them do the same.

    Several engines may live in a process, over the same memory. One that is dropped is destroyed. Any thread may call any
    method. Addresses are numbers, lengths and capacities bytes; `flags` change nothing. Transfers block until they are done, or
    until nothing has moved for ``MF_NET_TIMEOUT`` (30 s). Codes returned by the methods:

    ======  ==========================================================================================================
    0       done
    -1      before `initialize` (unregister), an invalid session, role or device, lists of different lengths
    -2000   an address of 0, 0 bytes, memory that is not inside one registered range of the other engine; the text names the piece
    -2006   another engine has this session
    -2007   ``MF_STRICT_ENGINE=1``, and no requested engine of `data_op_type` is available; no such accelerator; no memory of `trans_malloc`
    -2008   before `initialize`, after `destroy`
    -2014   no engine of this session runs, it has ended, or does not answer; some pieces may have been copied
    ======  ==========================================================================================================
    """

    TransDataOpType = TransDataOpType
    TransferOpcode = TransferOpcode

    def __init__(self) -> None:
        super().__init__()
        #: Of begin and end, which may take seconds.
        self._changing = threading.RLock()
        self._session: Session | None = None
        self._plan = Plan(None, must_serve=False)
        #: Holds the port that `get_rpc_port` promised, until the store is there.
        self._promised: socket.socket | None = None
        self._serves = False
        self._made_store = False
        self._endpoints = Endpoints(self._peer_is_gone)
        #: By the destination: the endpoint that reached it last.
        self._reached: dict[str, tuple[str, _mf_smem.TransferEndpoint]] = {}

    # ---- begin and end ----

    def initialize(
        self,
        store_url: str | None,
        session_id: str,
        role: str,
        device_id: int,
        data_op_type: int = _UNASKED,
        store_server_role: str = "Decode",
        nic: str | None = "",
    ) -> int:
        """Becomes the engine `session_id`: ``ip:port``, or ``ip`` or ``ip:0`` for a port of ours (`get_rpc_port`).

        `role` is ``"Prefill"`` or ``"Decode"``. If `store_url` names a store that answers, or was made by this process, engines
        meet there; and each is met at the address of its session. `device_id` is the accelerator whose memory is transferred,
        too; -1: none. `data_op_type` requests engines: if none of them reaches another engine the best available is used, with
        one warning, or with ``MF_STRICT_ENGINE=1`` the call fails; left out, it requests nothing. **Local**; blocks until the
        stores have been asked, at most 120 seconds for each. May be tried again after a failure. A code.
        """
        try:
            own, kind, device = session(session_id), role_of(role), operator.index(device_id)
            ports = session_ports(os.environ)
        except ValueError as error:
            return failed(f"transfer: {error}")
        except TypeError:
            return failed(f"transfer: device_id is {device_id!r}, and a number is expected: that of an accelerator, -1 for none")
        with self._changing:
            if self._session is not None:
                is_same = own.at(self._session.port) == self._session and own.port in (0, self._session.port)
                return 0 if is_same else failed(f"transfer: it is initialised as {self._session}")
            if own.port == 0:
                port = self._promised_port() or free_port(own.host, ports)
                if port == 0:
                    return failed(f"transfer: no port of {ports.start} to {ports.stop - 1} is free at {own.host}")
                own = own.at(port)
            _plain_where_nothing_else_is_set()
            answering = next((url for url in named_stores(store_url, own) if answers(url)), None)
            self._plan = plan(kind, store_server_role, answering)
            device = device if device >= 0 else _HOST_MEMORY_ONLY
            engines = 0 if data_op_type is _UNASKED else int(data_op_type)
            self._endpoints.begin(str(own), _ROLES[kind], device, engines, nic or "")
            self._session = own
            code = self._meet(own)
            if code != 0:
                self._end()
            return code

    def _meet(self, own: Session) -> int:
        """Takes the own name at the store of all, and opens the own store."""
        shared = self._plan.shared
        if shared is not None and self._endpoints.at(shared, _BEGIN_S) is None:
            return last_code()
        self._release_promise()
        # A store of this process that is there already is not ours to end.
        was_there = answers(own.url)
        is_here = _mf_smem.create_config_store(own.url) == 0
        self._made_store = is_here and not was_there
        self._serves = is_here and self._endpoints.at(own.url, _BEGIN_S) is not None
        if not self._serves:
            code = last_code()
            self._close_store(own)
            # No other store would change a refusal.
            if self._plan.must_serve or (is_here and code in (INVALID, NOT_EXIST, DUPLICATED)):
                return code
        return 0

    def get_rpc_port(self) -> int:
        """The port of this engine, 1 to 65535: before `initialize` a free one of 15000 to 25000, which is kept for it;
        afterwards the session's port. 0: no port of the range is free. **Local.**"""
        with self._changing:
            if self._session is not None:
                return self._session.port
            if self._promised is None:
                self._promised = bound(RPC_PORTS)
            return self._promised_port()

    def destroy(self) -> None:
        """Gives name and memory back; others get -2014. Waits for copies in flight. Idempotent."""
        with self._changing:
            self._end()
            self._release_promise()
            self._endpoints.forget_memory()

    unInitialize = destroy

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.destroy()

    def _end(self) -> None:
        own, self._session, self._serves, self._reached = self._session, None, False, {}
        self._events = None
        self._endpoints.end()
        self._close_store(own)

    def _close_store(self, own: Session | None) -> None:
        if self._made_store and own is not None:
            _mf_smem.destroy_config_store(own.url)
        self._made_store = False

    def _promised_port(self) -> int:
        return 0 if self._promised is None else int(self._promised.getsockname()[1])

    def _release_promise(self) -> None:
        if self._promised is not None:
            self._promised.close()
            self._promised = None

    # ---- memory ----

    def register_memory(self, buffer_addr: int, capacity: int) -> int:
        """Lets others access `capacity` bytes, 1 or more, at an address of the host or of an accelerator, from the return on, also
        before `initialize`. The memory stays the program's. Again: 0, and nothing changes. **Local.** A code."""
        return self.batch_register_memory([buffer_addr], [capacity])

    def batch_register_memory(self, buffer_addrs: Sequence[int], capacities: Sequence[int]) -> int:
        """As `register_memory` for several ranges, all or none; a transfer may span adjoining ranges. A code."""
        if len(buffer_addrs) != len(capacities):
            return failed(f"transfer: {len(buffer_addrs)} addresses and {len(capacities)} capacities")
        try:
            addresses, sizes = [operator.index(one) for one in buffer_addrs], [operator.index(one) for one in capacities]
        except TypeError as error:
            return failed(
                f"transfer: {error}; an address is a number: ctypes.addressof(x), ndarray.ctypes.data, Tensor.data_ptr()", INVALID
            )
        if not addresses:
            return failed("transfer: there is nothing to register", INVALID)
        bad = next((piece for piece, pair in enumerate(zip(addresses, sizes)) if min(pair) <= 0), None)
        if bad is not None:
            return failed(
                f"transfer: a registration has an address and a capacity in bytes above 0: piece {bad}, address {addresses[bad]:#x},"
                f" capacity {sizes[bad]}",
                INVALID,
            )
        return self._endpoints.register(addresses, sizes)

    def unregister_memory(self, buffer_addr: int) -> int:
        """Takes a registration back: when it returns, nothing of it is read or written by others any more. -1 before
        `initialize`, else 0, or the code of a wait that was not over."""
        if self._session is None:
            return failed("transfer: it is not initialised")
        return self._endpoints.deregister(buffer_addr)

    def trans_malloc(self, size: int) -> int:
        """`size` bytes of zeroes, 1 or more, that are registered, and that other processes of the host map; aligned to pages. They
        are freed by `trans_free`, or with the engine. The address; 0: before `initialize`, 0 bytes, or no memory is left."""
        if self._session is None:
            failed("transfer: it is not initialised", NOT_INIT)
            return 0
        return self._endpoints.malloc(size)

    def trans_free(self, address: int) -> int:
        """Takes back and frees memory of `trans_malloc`; waits for copies in flight. A code."""
        return self._endpoints.free(address)

    # ---- transfers ----

    def transfer_sync_write(self, dest_session: str, buffer: int, peer_buffer: int, length: int, flags: int = 0) -> int:
        """Copies `length` bytes to an address of another engine; visible there on return. **One-sided.** A code."""
        del flags
        return self._transfer(dest_session, lambda on, to: on.copy(to, buffer, peer_buffer, length, True))

    def transfer_sync_read(self, dest_session: str, buffer: int, peer_buffer: int, length: int, flags: int = 0) -> int:
        """Copies `length` bytes from an address of another engine. **One-sided.** A code."""
        del flags
        return self._transfer(dest_session, lambda on, to: on.copy(to, buffer, peer_buffer, length, False))

    def batch_transfer_sync_write(
        self, dest_session: str, buffers: Sequence[int], peer_buffers: Sequence[int], lengths: Sequence[int], flags: int = 0
    ) -> int:
        """As `transfer_sync_write` for 1 to 1,048,576 pieces, in any order. A code."""
        del flags
        return self._batch(dest_session, buffers, peer_buffers, lengths, True, None)

    def batch_transfer_sync_read(
        self, dest_session: str, buffers: Sequence[int], peer_buffers: Sequence[int], lengths: Sequence[int], flags: int = 0
    ) -> int:
        """As `transfer_sync_read` for 1 to 1,048,576 pieces, in any order. A code."""
        del flags
        return self._batch(dest_session, buffers, peer_buffers, lengths, False, None)

    def transfer_async_write_submit(
        self, dest_session: str, buffer: int, peer_buffer: int, length: int, stream: int, flags: int = 0
    ) -> int:
        """As `transfer_sync_write` when a stream of the accelerator's runtime, its handle as a number, gets there: later work
        on the stream runs when the data is visible there. Memory stays valid until then; later failures are logged. Without an
        accelerator it is done on return. A code."""
        del flags
        return self._batch(dest_session, [buffer], [peer_buffer], [length], True, stream)

    def transfer_async_read_submit(
        self, dest_session: str, buffer: int, peer_buffer: int, length: int, stream: int, flags: int = 0
    ) -> int:
        """As `transfer_async_write_submit`, from the other engine. A code."""
        del flags
        return self._batch(dest_session, [buffer], [peer_buffer], [length], False, stream)

    def batch_transfer_async_write_submit(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        stream: int,
        flags: int = 0,
    ) -> int:
        """As `transfer_async_write_submit` for several pieces. A code."""
        del flags
        return self._batch(dest_session, buffers, peer_buffers, lengths, True, stream)

    def batch_transfer_async_read_submit(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        stream: int,
        flags: int = 0,
    ) -> int:
        """As `transfer_async_read_submit` for several pieces. A code."""
        del flags
        return self._batch(dest_session, buffers, peer_buffers, lengths, False, stream)

    def batch_transfer_write_with_quant(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        scale_buffers: Sequence[int],
        offset_buffers: Sequence[int],
        unit_num: int,
        input_type: int = 0,
        stream: int = 0,
        flags: int = 0,
    ) -> int:
        """Writes 16-bit numbers (`input_type` 0 bfloat16, 1 float16) as bytes: number * scale + offset, rounded to the nearest,
        halves to even, saturated to -128…127; in accelerator memory by a kernel there. Scales and offsets are addresses of
        floats, one for each unit of `unit_num` numbers; an empty list, or 0: none. `lengths` are bytes of the source. A code."""
        del flags
        counts = [len(buffers), len(peer_buffers), len(lengths)]
        wrong = self._uneven(counts) or next(
            (
                failed(f"transfer: {len(given)} {what} for {counts[0]} pieces, and none or one for each are allowed", INVALID)
                for given, what in ((scale_buffers, "scales"), (offset_buffers, "offsets"))
                if len(given) not in (0, counts[0])
            ),
            0,
        )
        if wrong:
            return wrong
        return self._transfer(
            dest_session,
            lambda on, to: on.write_with_quant(
                to, buffers, peer_buffers, lengths, scale_buffers, offset_buffers, unit_num, input_type, stream
            ),
        )

    def _batch(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        is_write: bool,
        stream: int | None,
    ) -> int:
        wrong = self._uneven([len(buffers), len(peer_buffers), len(lengths)])
        if wrong:
            return wrong
        if stream is not None and stream == 0:
            return failed("transfer: the stream is null; transfers without a stream are transfer_sync_* and start_*", INVALID)
        return self._transfer(
            dest_session, lambda on, to: on.copy_batch(to, buffers, peer_buffers, lengths, is_write, stream)
        )

    @staticmethod
    def _uneven(counts: list[int]) -> int:
        """The code for lists of buffers, of peers' buffers and of lengths that make no pieces; 0: they do."""
        if len(set(counts)) > 1:
            return failed("transfer: lists of {} buffers, {} peer buffers and {} lengths; each piece has one of each".format(*counts))
        if not 0 < counts[0] <= _PIECES:
            return failed(f"transfer: {counts[0]} pieces, and 1 to {_PIECES} are allowed", INVALID)
        return 0

    def _transfer(self, dest_session: str, copy: Callable[[_mf_smem.TransferEndpoint, str], int]) -> int:
        """Makes a transfer on the endpoint that reached the destination last, else on the first that does."""
        former = None
        known = self._reached.get(dest_session)
        if known is not None:
            name, former = known
            code = copy(former, name)
            if code != NOT_CONNECTED:
                return code
            # It may have come back as another process, at another store.
            self._reached.pop(dest_session, None)
        try:
            destination = session(dest_session)
        except ValueError as error:
            return failed(f"transfer: {error}", INVALID)
        if destination.port == 0:
            return failed(
                f"transfer: {dest_session!r} names no engine: its session has a port, which its get_rpc_port() returns", INVALID
            )
        own = self._session
        if own is None:
            return failed("transfer: it is not initialised", NOT_INIT)
        name, code = str(destination), NOT_CONNECTED
        for endpoint in self._towards(destination, own, former):
            code = copy(endpoint, name)
            if code != NOT_CONNECTED:
                self._reached[dest_session] = (name, endpoint)
                return code
        return code

    def _found(self, dest_session: str) -> tuple[str, _mf_smem.TransferEndpoint]:
        """The name of a destination, and the endpoint that reaches it."""
        code = self._transfer(dest_session, _mf_smem.transfer_find)
        if code != 0:
            raise error_from_code(code, _mf_smem.get_last_err_msg())
        found = self._reached.get(dest_session)
        if found is None:
            raise NotConnectedError(NOT_CONNECTED, f"transfer: {dest_session} is gone")
        return found

    def _towards(
        self, destination: Session, own: Session, former: _mf_smem.TransferEndpoint | None
    ) -> Iterator[_mf_smem.TransferEndpoint]:
        """The endpoints that may reach a destination, each when the one before has not; without one that has failed."""
        for route in routes(self._plan, self._serves, destination, own):
            stores = {Route.SHARED: self._plan.shared or "", Route.OWN: own.url, Route.VISIT: destination.url}
            known = self._endpoints.known(stores[route])
            if known is not None and known is not former:
                yield known
            if route is Route.VISIT:
                fresh = self._visit(destination, known)
                if fresh is not None:
                    yield fresh

    def _visit(
        self, destination: Session, former: _mf_smem.TransferEndpoint | None
    ) -> _mf_smem.TransferEndpoint | None:
        """An endpoint at the store of a destination, in place of one that has not reached it: the store may be another
        by now. The same, where it is not."""
        if not answers(destination.url):
            self._endpoints.drop(destination.url, former)
            failed(
                f"transfer: no engine answers at {destination}: nothing listens there; the name is the session of an engine that"
                " runs, its address and its get_rpc_port()",
                NOT_CONNECTED,
            )
            return None
        return self._endpoints.at(destination.url, _VISIT_S, former)

    def _peer_is_gone(self, name: str) -> None:
        for destination, (known, _) in list(self._reached.items()):
            if known == name:
                self._reached.pop(destination, None)


def _plain_where_nothing_else_is_set() -> None:
    """Callers of this interface expect plaintext unless they say otherwise. A secret, certificates and MF_STORE_TLS say
    otherwise."""
    said = ("MF_JOB_SECRET", "MF_JOB_SECRET_FILE", "MF_STORE_TLS", "MF_STORE_TLS_INFO", "MF_REQUIRE_TLS")
    if not any(is_set(name) for name in said) and not _mf_smem.tls_is_chosen():
        _mf_smem.set_conf_store_tls(False, "")
