# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfers between processes that know each other's names: `TransferEngine`, as inference engines call it.

Memory is registered by address, host memory or an accelerator's, and is reachable at once; it is out of reach when
`unregister_memory` has returned. Methods return codes, 0 for success; the text of the last failure is
``mf_smem.get_last_err_msg()``. All of them let other threads run meanwhile, and Ctrl-C ends those that wait.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence

from . import _mf_smem
from ._enums import _Number
from ._errors import Error
from ._job import is_set
from ._meeting import RPC_PORTS, Plan, Role, Route, Session, named_stores, plan, routes, session, session_ports

__all__ = ["TransDataOpType", "TransferEngine", "TransferOpcode"]

_FAILED, _INVALID, _NOT_EXIST, _NOT_INIT, _NOT_CONNECTED = -1, -2000, -2007, -2008, -2014
_ROLES = {Role.PREFILL: 1, Role.DECODE: 2}
_HOST_MEMORY_ONLY = 0xFFFFFFFF
#: Most pieces of a batch.
_PIECES = 1 << 20
#: How long a destination that is somewhere else may take to accept a connection, in seconds.
_CONNECT_S = 5.0
#: How long a store may take to accept an endpoint: where an engine begins, and where it visits a destination, in seconds.
_BEGIN_S, _VISIT_S = 120, 5


class TransDataOpType(_Number):
    """What a caller wishes to move data by; what reaches the other process best is used."""

    SDMA = 1
    HOST_RDMA = 2
    HOST_TCP = 4
    DEVICE_RDMA = 8
    HOST_URMA = 16
    HOST_SHM = 32
    DEVICE_URMA = 64
    DEVICE_UBOE = 128


class TransferOpcode(_Number):
    """The direction of a transfer."""

    Read = 0
    Write = 1

    READ = 0
    WRITE = 1


class TransferEngine:
    """An endpoint that reads and writes registered memory of others, and lets them do the same.

    Several engines may live in a process, over the same memory. One that is dropped is destroyed.
    """

    TransDataOpType = TransDataOpType
    TransferOpcode = TransferOpcode

    def __init__(self) -> None:
        #: Of begin and end, which may take seconds.
        self._changing = threading.RLock()
        #: Of everything below, for moments; a transfer to one destination delays none to another.
        self._lock = threading.RLock()
        self._session: Session | None = None
        self._plan = Plan(None, must_serve=False)
        #: Holds the port that `get_rpc_port` promised, until the store is there.
        self._promised: socket.socket | None = None
        self._regions: dict[int, int] = {}
        self._serves = False
        self._made_store = False
        self._arguments: tuple[int, int, int, str] = (0, 0, 0, "")
        #: By the URL of the store at which they have a name.
        self._endpoints: dict[str, _mf_smem.TransferEndpoint] = {}
        #: By the same: held by the thread that makes one.
        self._making: dict[str, threading.Lock] = {}
        #: Has the memory of `trans_malloc`.
        self._memory: _mf_smem.TransferEndpoint | None = None
        #: By the destination: the endpoint that reached it last.
        self._reached: dict[str, tuple[str, _mf_smem.TransferEndpoint]] = {}

    # ---- begin and end ----

    def initialize(
        self,
        store_url: str | None,
        session_id: str,
        role: str,
        device_id: int,
        data_op_type: int = TransDataOpType.SDMA,
        store_server_role: str = "Decode",
        nic: str | None = "",
    ) -> int:
        """Becomes the engine `session_id`: ``ip:port``, or ``ip`` or ``ip:0`` for a port of ours (`get_rpc_port`).

        `role` is ``"Prefill"`` or ``"Decode"``. Where `store_url` names a store that answers, or was made by this process, engines
        meet there; and each is met at the address of its session. `device_id` is the accelerator whose memory is
        transferred, too. Local; Blocks until the stores have been asked. May be tried again after a failure. A code.
        """
        try:
            own, kind = session(session_id), Role(role)
            ports = session_ports(os.environ)
        except ValueError as error:
            return _failed(f"transfer: {error}")
        with self._changing:
            if self._session is not None:
                is_same = own.at(self._session.port) == self._session and own.port in (0, self._session.port)
                return 0 if is_same else _failed(f"transfer: it is initialised as {self._session}")
            if own.port == 0:
                port = self._promised_port() or _free_port(own.host, ports)
                if port == 0:
                    return _failed(f"transfer: no port of {ports.start} to {ports.stop - 1} is free at {own.host}")
                own = own.at(port)
            _plain_where_nothing_else_is_set()
            answering = next((url for url in named_stores(store_url, own) if _answers(url)), None)
            self._plan = plan(kind, store_server_role, answering)
            device = device_id if device_id >= 0 else _HOST_MEMORY_ONLY
            self._arguments = (_ROLES[kind], device, int(data_op_type), nic or "")
            self._session = own
            code = self._meet()
            if code != 0:
                self._end()
            return code

    def _meet(self) -> int:
        """Takes the own name at the store of all, and opens the own store."""
        own = self._own()
        if self._plan.shared is not None and self._endpoint(self._plan.shared, _BEGIN_S) is None:
            return _code()
        self._release_promise()
        self._made_store = _mf_smem.create_config_store(own.url) == 0
        self._serves = self._made_store and self._endpoint(own.url, _BEGIN_S) is not None
        if not self._serves:
            code = _code()
            self._close_store(own)
            if self._plan.must_serve:
                return code
        return 0

    def get_rpc_port(self) -> int:
        """The port of this engine: before `initialize` a free one, which is kept for it; after it that of the session."""
        with self._lock:
            if self._session is not None:
                return self._session.port
            if self._promised is None:
                self._promised = _bound(RPC_PORTS)
            return self._promised_port()

    def destroy(self) -> None:
        """Gives name and memory back; others get -2014. Waits for copies in flight. Idempotent."""
        with self._changing:
            self._end()
            self._release_promise()
            with self._lock:
                self._regions.clear()

    unInitialize = destroy

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.destroy()

    def _end(self) -> None:
        with self._lock:
            endpoints, self._endpoints = list(self._endpoints.values()), {}
            if self._memory is not None and self._memory not in endpoints:
                endpoints.append(self._memory)
            self._reached, self._memory = {}, None
            own, self._session, self._serves = self._session, None, False
        for endpoint in endpoints:
            endpoint.destroy()
        self._close_store(own)

    def _close_store(self, own: Session | None) -> None:
        if self._made_store and own is not None:
            _mf_smem.destroy_config_store(own.url)
        self._made_store = False

    def _own(self) -> Session:
        assert self._session is not None
        return self._session

    def _promised_port(self) -> int:
        return 0 if self._promised is None else int(self._promised.getsockname()[1])

    def _release_promise(self) -> None:
        if self._promised is not None:
            self._promised.close()
            self._promised = None

    # ---- memory ----

    def register_memory(self, buffer_addr: int, capacity: int) -> int:
        """Lets others access `capacity` bytes at an address, from the return on. Again: 0, and nothing changes. A code."""
        return self.batch_register_memory([buffer_addr], [capacity])

    def batch_register_memory(self, buffer_addrs: Sequence[int], capacities: Sequence[int]) -> int:
        """As `register_memory` for several ranges, all or none; a transfer may go over those that adjoin. A code."""
        if len(buffer_addrs) != len(capacities):
            return _failed(f"transfer: {len(buffer_addrs)} addresses and {len(capacities)} capacities")
        if not buffer_addrs or any(value <= 0 for value in (*buffer_addrs, *capacities)):
            return _failed("transfer: a registration has an address and a capacity above 0", _INVALID)
        with self._lock:
            done: list[_mf_smem.TransferEndpoint] = []
            for endpoint in self._endpoints.values():
                code = endpoint.register(buffer_addrs, capacities)
                if code != 0:
                    for former in done:
                        for address in buffer_addrs:
                            former.deregister(address)
                    return code
                done.append(endpoint)
            for address, capacity in zip(buffer_addrs, capacities):
                self._regions[address] = max(capacity, self._regions.get(address, 0))
        return 0

    def unregister_memory(self, buffer_addr: int) -> int:
        """Takes a registration back: when it returns, nothing of it is read or written by others any more. -1 before
        `initialize`, else 0, or the code of a wait that was not over."""
        with self._lock:
            if self._session is None:
                return _failed("transfer: it is not initialised")
            self._regions.pop(buffer_addr, None)
            codes = [endpoint.deregister(buffer_addr) for endpoint in self._endpoints.values()]
        # What was not registered is not registered.
        return next((code for code in codes if code not in (0, _NOT_EXIST)), 0)

    def trans_malloc(self, size: int) -> int:
        """Memory of zeroes that is registered, and that other processes of the host map. Its address; 0: a failure."""
        with self._lock:
            owner = self._memory or next(iter(self._endpoints.values()), None)
            address = 0 if owner is None else owner.malloc(size)
            if owner is None or address == 0:
                return 0
            self._memory = owner
            for endpoint in self._endpoints.values():
                if endpoint is not owner:
                    endpoint.register([address], [size])
            self._regions[address] = size
            return address

    def trans_free(self, address: int) -> int:
        """Takes back and frees memory of `trans_malloc`. A code."""
        with self._lock:
            if self._memory is None:
                return _failed("transfer: there is no memory of trans_malloc", _NOT_EXIST)
            self._regions.pop(address, None)
            for endpoint in self._endpoints.values():
                if endpoint is not self._memory:
                    endpoint.deregister(address)
            return self._memory.free(address)

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
        """As `transfer_sync_write` when a stream of the accelerator's runtime gets there: what is put on it behind comes when the
        data is visible there. A code."""
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
        """Writes 16-bit numbers (`input_type` 0 bfloat16, 1 float16) as bytes: number * scale + offset, rounded to the nearest, halves
        to even, saturated to -128…127. Scales and offsets are addresses of floats, one for each unit of `unit_num` numbers;
        an empty list, or 0: none. `lengths` are bytes of the source. A code."""
        del flags
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
        if not len(buffers) == len(peer_buffers) == len(lengths):
            return _failed(f"transfer: lists of {len(buffers)}, {len(peer_buffers)} and {len(lengths)} pieces")
        if not 0 < len(buffers) <= _PIECES:
            return _failed(f"transfer: {len(buffers)} pieces, and 1 to {_PIECES} are allowed", _INVALID)
        if stream is not None and stream == 0:
            return _failed("transfer: the stream is null", _INVALID)
        return self._transfer(
            dest_session, lambda on, to: on.copy_batch(to, buffers, peer_buffers, lengths, is_write, stream)
        )

    def _transfer(self, dest_session: str, copy: Callable[[_mf_smem.TransferEndpoint, str], int]) -> int:
        """Makes a transfer on the endpoint that reached the destination last, else on the first that does."""
        failed = None
        known = self._reached.get(dest_session)
        if known is not None:
            name, failed = known
            code = copy(failed, name)
            if code != _NOT_CONNECTED:
                return code
            # It may have come back as another process, at another store.
            self._reached.pop(dest_session, None)
        try:
            destination = session(dest_session)
        except ValueError as error:
            return _failed(f"transfer: {error}", _INVALID)
        own = self._session
        if own is None:
            return _failed("transfer: it is not initialised", _NOT_INIT)
        name, code = str(destination), _NOT_CONNECTED
        for endpoint in self._towards(destination, own, failed):
            code = copy(endpoint, name)
            if code != _NOT_CONNECTED:
                self._reached[dest_session] = (name, endpoint)
                return code
        return code

    def _towards(
        self, destination: Session, own: Session, failed: _mf_smem.TransferEndpoint | None
    ) -> Iterator[_mf_smem.TransferEndpoint]:
        """The endpoints that may reach a destination, each when the one before has not; without one that has failed."""
        for route in routes(self._plan, self._serves, destination, own):
            stores = {Route.SHARED: self._plan.shared or "", Route.OWN: own.url, Route.VISIT: destination.url}
            known = self._endpoints.get(stores[route])
            if known is not None and known is not failed:
                yield known
            if route is Route.VISIT:
                fresh = self._visit(destination, known)
                if fresh is not None:
                    yield fresh

    def _visit(
        self, destination: Session, failed: _mf_smem.TransferEndpoint | None
    ) -> _mf_smem.TransferEndpoint | None:
        """An endpoint at the store of a destination, in place of one that has not reached it: the store may be another
        by now."""
        with self._lock:
            if failed is not None and self._endpoints.get(destination.url) is failed:
                # It ends when the last thread that uses it is through.
                del self._endpoints[destination.url]
        if not _answers(destination.url):
            _failed(f"transfer: no engine answers at {destination}", _NOT_CONNECTED)
            return None
        return self._endpoint(destination.url, _VISIT_S)

    def _endpoint(self, url: str, timeout_s: int) -> _mf_smem.TransferEndpoint | None:
        """The endpoint at a store, with all memory that is registered."""
        with self._lock:
            making = self._making.setdefault(url, threading.Lock())
        # One thread makes it, and those that go to the same destination wait.
        with making:
            with self._lock:
                known, own = self._endpoints.get(url), self._session
                role, device, data_op_type, nic = self._arguments
            if known is not None or own is None:
                return known
            try:
                endpoint = _mf_smem.TransferEndpoint(url, str(own), role, device, data_op_type, nic, timeout_s)
            except Error:
                return None
            gone = weakref.WeakMethod(self._peer_is_gone)
            endpoint.set_peer_down(lambda name: (call := gone()) and call(name))
            with self._lock:
                regions = self._regions
                is_there = self._session == own and (
                    not regions or endpoint.register(list(regions), list(regions.values())) == 0
                )
                if is_there:
                    self._endpoints[url] = endpoint
                    return endpoint
            # Destroyed meanwhile, or what is registered cannot be.
            endpoint.destroy()
            return None

    def _peer_is_gone(self, name: str) -> None:
        for destination, (known, _) in list(self._reached.items()):
            if known == name:
                self._reached.pop(destination, None)


def _code() -> int:
    """The code of the last failure of this thread."""
    return _mf_smem.last_error_code() or _FAILED


def _failed(text: str, code: int = _FAILED) -> int:
    """Leaves a text for `get_last_err_msg`; gives the code."""
    return _mf_smem.leave_error(code, text)


def _plain_where_nothing_else_is_set() -> None:
    """Callers of this interface expect plaintext unless they say otherwise. A secret, certificates and MF_STORE_TLS say
    otherwise."""
    said = ("MF_JOB_SECRET", "MF_JOB_SECRET_FILE", "MF_STORE_TLS", "MF_STORE_TLS_INFO", "MF_REQUIRE_TLS")
    if not any(is_set(name) for name in said) and not _mf_smem.tls_is_chosen():
        _mf_smem.set_conf_store_tls(False, "")


def _answers(url: str) -> bool:
    """Whether something accepts connections there; a store whose URL is none of TCP is taken at its word."""
    if not url.startswith("tcp://"):
        return True
    host, _, port = url.removeprefix("tcp://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S):
            return True
    except OSError:
        return False


def _bound(ports: range, host: str = "") -> socket.socket | None:
    """A socket at a free port of these."""
    start = int.from_bytes(os.urandom(4), "little") % len(ports)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for step in range(len(ports)):
        made = socket.socket(family, socket.SOCK_STREAM)
        try:
            made.bind((host, ports[(start + step) % len(ports)]))
        except OSError:
            made.close()
            continue
        return made
    return None


def _free_port(host: str, ports: range) -> int:
    held = _bound(ports, host)
    if held is None:
        return 0
    with held:
        return int(held.getsockname()[1])
