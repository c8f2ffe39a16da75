# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Connections between buffers, and the control channel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import SupportsIndex

from mf_smem import _mf_smem
from mf_smem._unique import Unique

from . import _native
from ._buffer import ConnBuffer
from ._by_address import ByAddress, conn_of, of_address, of_memory, or_short, without_ctrl
from ._errors import check
from ._numbers import ConnType, CtrlTransport, is_one, signed, status, status_t, unsigned


@dataclass
class CtrlLink:
    """Address of a peer's control channel: TCP at `ip` and `port`, or the Unix socket `uds_path`."""

    transport: CtrlTransport | int = CtrlTransport.TCP
    ip: str = ""
    port: int = 0
    uds_path: str = ""


class Communicator(Unique):
    """Moves data between its buffer and peers' buffers, one-sided.

    A peer is named by its address, its data port and the type of the connection; one that has no server of that type by port 0.
    Offsets and sizes are bytes; a range outside of either buffer is ERROR, and nothing is moved. All methods return a status, may
    be called from any thread, let other Python threads run while they wait, and end by Ctrl-C.
    """

    def __init__(self, buffer: ConnBuffer, num_chs: SupportsIndex = 1) -> None:
        """`num_chs` channels, 1 to 16, for each RDMA connection. Raises `HMCStatusError`, INVALID_CONFIG for another number."""
        if not isinstance(buffer, ConnBuffer):
            raise TypeError(f"buffer must be a ConnBuffer, not {type(buffer).__name__}")
        code, made = _native.communicator_create(buffer._native, unsigned("num_chs", num_chs))
        check("Communicator", code)
        assert made is not None
        self._native = made
        self._buffer = buffer
        self._short = ByAddress(made)

    # ---- data ----

    def put(
        self, ip: str, port: int, local_off: int, remote_off: int, size: int, connType: ConnType | int = ConnType.RDMA
    ) -> status_t:
        """Copies `size` bytes to the peer's buffer. On SUCCESS they are there, and visible to the peer. Blocks while the peer
        is alive. NOT_FOUND: unknown peer."""
        try:
            return status(self._native.put(ip, port, local_off, remote_off, size, connType))
        except (TypeError, OverflowError):
            refuse(ip, port, local_off, remote_off, size, connType)
            raise

    def get(
        self, ip: str, port: int, local_off: int, remote_off: int, size: int, connType: ConnType | int = ConnType.RDMA
    ) -> status_t:
        """Copies `size` bytes from the peer's buffer, as `put`."""
        try:
            return status(self._native.get(ip, port, local_off, remote_off, size, connType))
        except (TypeError, OverflowError):
            refuse(ip, port, local_off, remote_off, size, connType)
            raise

    def putNB(
        self, ip: str, port: int, local_off: int, remote_off: int, size: int, connType: ConnType | int = ConnType.RDMA
    ) -> tuple[status_t, int]:
        """Starts a put; the status and an id for `wait`, which is 0 where it is done already. Until then the range is not to be
        written."""
        try:
            code, wr_id = self._native.put_nb(ip, port, local_off, remote_off, size, connType)
        except (TypeError, OverflowError):
            refuse(ip, port, local_off, remote_off, size, connType)
            raise
        return status(code), wr_id

    def getNB(
        self, ip: str, port: int, local_off: int, remote_off: int, size: int, connType: ConnType | int = ConnType.RDMA
    ) -> tuple[status_t, int]:
        """Starts a get, as `putNB`."""
        try:
            code, wr_id = self._native.get_nb(ip, port, local_off, remote_off, size, connType)
        except (TypeError, OverflowError):
            refuse(ip, port, local_off, remote_off, size, connType)
            raise
        return status(code), wr_id

    def wait(
        self, wr_id: SupportsIndex | Iterable[SupportsIndex] | None = None, *, wr_ids: Iterable[SupportsIndex] | None = None
    ) -> status_t:
        """Waits for one id, while the peer is alive; or for several, in any order, 1 second for each connection, TIMEOUT behind
        that, and they may be waited for again. 0 is done. NOT_FOUND: no such id, or it was waited for before."""
        wanted = wr_id if wr_ids is None else wr_ids
        if wanted is None or (wr_id is not None and wr_ids is not None):
            raise TypeError("wait takes one id or several, as wr_id or as wr_ids")
        return status(self._wait(wanted))

    def _wait(self, wr_id: SupportsIndex | Iterable[SupportsIndex]) -> int:
        """The code of `wait`."""
        if is_one(wr_id):
            try:
                return self._native.wait(wr_id)
            except (TypeError, OverflowError):
                unsigned("wr_id", wr_id)
                raise
        ids = list(wr_id)
        try:
            return self._native.wait_all(ids)
        except (TypeError, OverflowError):
            for one in ids:
                unsigned("wr_id", one)
            raise

    def putPipeline(
        self, ip: str, port: int, local_off: int, remote_off: int, size: int, chunk_size: int = 0, max_inflight: int = 64,
        connType: ConnType | int = ConnType.RDMA,
    ) -> status_t:  # fmt: skip
        """A put in chunks of `chunk_size` bytes (0: 4 MiB), of which `max_inflight` are moved at once."""
        chunk, inflight = unsigned("chunk_size", chunk_size), unsigned("max_inflight", max_inflight)
        span = _span(ip, port, local_off, remote_off, size)
        return status(self._native.put_pipeline(*span, chunk, inflight, signed("connType", connType)))

    def getPipeline(
        self, ip: str, port: int, local_off: int, remote_off: int, size: int, chunk_size: int = 0, max_inflight: int = 64,
        connType: ConnType | int = ConnType.RDMA,
    ) -> status_t:  # fmt: skip
        """A get, as `putPipeline`."""
        chunk, inflight = unsigned("chunk_size", chunk_size), unsigned("max_inflight", max_inflight)
        span = _span(ip, port, local_off, remote_off, size)
        return status(self._native.get_pipeline(*span, chunk, inflight, signed("connType", connType)))

    def _send_by_address(
        self, ip: str, send_buf: object, buf_size: int, buf_type: SupportsIndex, connType: ConnType | int = ConnType.RDMA
    ) -> status_t:
        found, port = self._short.port_of(_text("ip", ip), conn_of(connType))
        return self.sendDataTo(ip, port, send_buf, buf_size, buf_type, connType) if found == status_t.SUCCESS else found

    @or_short(of_memory, _send_by_address)
    def sendDataTo(
        self, ip: str, port: int, send_buf: object, buf_size: int, buf_type: SupportsIndex,
        connType: ConnType | int = ConnType.RDMA,
    ) -> status_t:  # fmt: skip
        """Sends `buf_size` bytes of any memory at the address `send_buf` (``int`` or PyCapsule), through the two halves of the
        buffers, to a peer that calls `recvDataFrom`. `buf_type` CPU: memory of the processor; any other: of the device. Without `port`:
        over the only connection to the address."""
        address, nbytes = _native.address(send_buf), unsigned("buf_size", buf_size)
        kind, conn = signed("buf_type", buf_type), signed("connType", connType)
        return status(self._native.send_data(_text("ip", ip), unsigned("port", port, 16), address, nbytes, kind, conn))

    def _recv_by_address(
        self, ip: str, recv_buf: object, buf_size: int, buf_type: SupportsIndex, flag: object = None,
        connType: ConnType | int = ConnType.RDMA,
    ) -> status_t:  # fmt: skip
        found, port = self._short.port_of(_text("ip", ip), conn_of(connType))
        return self.recvDataFrom(ip, port, recv_buf, buf_size, buf_type, flag, connType) if found == status_t.SUCCESS else found

    @or_short(of_memory, _recv_by_address)
    def recvDataFrom(
        self, ip: str, port: int, recv_buf: object, buf_size: int, buf_type: SupportsIndex, flag: object = None,
        connType: ConnType | int = ConnType.RDMA,
    ) -> status_t:  # fmt: skip
        """Receives the data of the peer's `sendDataTo`, at most `buf_size` bytes: ERROR for more, and nothing is written past
        them. `flag` is None, 0, or the address of a ``size_t`` for the length. Without `port`: over the only connection to the
        address."""
        address, nbytes, received = _native.address(recv_buf), unsigned("buf_size", buf_size), _native.address(flag)
        kind, conn = signed("buf_type", buf_type), signed("connType", connType)
        own = self._native
        return status(own.recv_data(_text("ip", ip), unsigned("port", port, 16), address, nbytes, kind, conn, received))

    # ---- by address alone, with one offset for both sides ----

    def writeTo(self, ip: str, ptr_bias: int, size: int, connType: ConnType | int = ConnType.RDMA) -> status_t:
        """`put` at `ptr_bias` of both buffers, over the only connection to an address. NOT_FOUND: no connection; ERROR:
        several."""
        found, port = self._short.port_of(_text("ip", ip), conn_of(connType))
        return self.put(ip, port, ptr_bias, ptr_bias, size, connType) if found == status_t.SUCCESS else found

    def readFrom(self, ip: str, ptr_bias: int, size: int, connType: ConnType | int = ConnType.RDMA) -> status_t:
        """`get` at `ptr_bias` of both buffers, as `writeTo`."""
        found, port = self._short.port_of(_text("ip", ip), conn_of(connType))
        return self.get(ip, port, ptr_bias, ptr_bias, size, connType) if found == status_t.SUCCESS else found

    def send(self, ip: str, ptr_bias: int, size: int, connType: ConnType | int = ConnType.RDMA) -> status_t:
        """`writeTo`, then a message for the `recv` of the peer."""
        written = self.writeTo(ip, ptr_bias, size, connType)
        said = self._short.say(ip, written == status_t.SUCCESS)
        return status_t.ERROR if written == status_t.SUCCESS and not said else written

    def recv(self, ip: str, ptr_bias: int, size: int, connType: ConnType | int = ConnType.RDMA) -> status_t:
        """Waits for a `send` of the peer, without limit. ERROR: it did not succeed."""
        found, _ = self._short.port_of(_text("ip", ip), conn_of(connType))
        if found != status_t.SUCCESS:
            return found
        return status_t.SUCCESS if self._short.hear(ip) else status_t.ERROR

    # ---- the control channel ----

    def ctrlSend(self, peer: SupportsIndex, tag: SupportsIndex) -> status_t:
        """Sends a 64-bit number to a rank. Earlier puts are visible when the rank receives it."""
        return status(_native.ctrl_send_tag(unsigned("peer", peer, 32), unsigned("tag", tag)))

    def ctrlRecv(self, peer: SupportsIndex) -> tuple[status_t, int]:
        """Waits, without limit, for the next number from a rank. ERROR: no link to it, or its end, or another message."""
        code, tag = _native.ctrl_recv_tag(unsigned("peer", peer, 32))
        return status(code), tag

    def initCtrlServer(self, bind_ip: str, tcp_port: SupportsIndex, uds_path: str = "") -> status_t:
        """Listens by TCP, unless the port is 0, and at a Unix socket, unless its path is empty. Listening already: SUCCESS."""
        return status(_native.ctrl_start(_text("bind_ip", bind_ip), unsigned("tcp_port", tcp_port, 16), _text("uds_path", uds_path)))

    def closeCtrl(self) -> status_t:
        """Ends the control channel of this process: its listeners and all links."""
        _native.ctrl_stop()
        _native.ctrl_close_all()
        return status_t.SUCCESS

    def connectCtrl(self, peer_id: SupportsIndex, self_id: SupportsIndex, link: CtrlLink) -> status_t:
        """Makes a link to a rank. One attempt. ERROR: no listener, or an invalid address."""
        return _dialled(_connect_ctrl(unsigned("peer_id", peer_id, 32), unsigned("self_id", self_id, 32), link))

    def closeCtrlPeer(self, peer_id: SupportsIndex) -> status_t:
        """Ends the link to a rank."""
        _native.ctrl_close(unsigned("peer_id", peer_id, 32))
        return status_t.SUCCESS

    @staticmethod
    def udsPathFor(dir: str, peer_id: SupportsIndex) -> str:
        """The Unix socket of a rank in a folder."""
        return f"{dir[:-1] if dir.endswith('/') else dir}/hmc_ctrl_rank_{unsigned('peer_id', peer_id, 32)}.sock"

    # ---- connections ----

    def _init_by_address(self, ip: str, port: SupportsIndex, serverType: ConnType | int = ConnType.RDMA) -> status_t:
        return self._short.init_server(_text("ip", ip), unsigned("port", port, 16), conn_of(serverType))

    @or_short(without_ctrl, _init_by_address)
    def initServer(
        self, bind_ip: str, data_port: SupportsIndex, ctrl_tcp_port: SupportsIndex, ctrl_uds_path: str,
        serverType: ConnType | int = ConnType.RDMA,
    ) -> status_t:  # fmt: skip
        """``initServer(ip, port, serverType)`` is the short form, with peers known by their addresses; the control channel is
        at the next port. Else: starts the control channel, as `initCtrlServer`, and listens for connections of one type; the
        same type again: SUCCESS. ERROR: the port is taken; INVALID_CONFIG: no such address."""
        listened = _native.ctrl_is_server()
        code = self.initCtrlServer(bind_ip, ctrl_tcp_port, ctrl_uds_path)
        if code == status_t.SUCCESS:
            port, conn = unsigned("data_port", data_port, 16), signed("serverType", serverType)
            code = status(self._native.listen(bind_ip, port, conn))
            if code != status_t.SUCCESS and not listened:
                _undo(_native.ctrl_stop)
        return code

    def closeServer(self) -> status_t:
        """Ends the control channel of this process, and this communicator's listeners."""
        self.closeCtrl()
        return status(self._native.stop())

    def _connect_by_address(self, ip: str, port: SupportsIndex, connType: ConnType | int = ConnType.RDMA) -> status_t:
        return _dialled(self._short.connect(_text("ip", ip), unsigned("port", port, 16), conn_of(connType)))

    @or_short(of_address, _connect_by_address)
    def connectTo(
        self, peer_id: SupportsIndex, self_id: SupportsIndex, peer_ip: str, data_port: SupportsIndex, ctrl_link: CtrlLink,
        connType: ConnType | int = ConnType.RDMA,
    ) -> status_t:  # fmt: skip
        """``connectTo(ip, port, connType)`` is the short form, with the control channel at the next port and the peer known by
        its address; one connection to an address replaces another. Else: makes a link of the control channel to a rank, unless
        one exists to the same address or from the peer, then a connection, which both sides use. Connected already: SUCCESS,
        and nothing is done. ERROR: no listener, or an invalid address."""
        peer, own = unsigned("peer_id", peer_id, 32), unsigned("self_id", self_id, 32)
        ip, port, conn = _text("peer_ip", peer_ip), unsigned("data_port", data_port, 16), signed("connType", connType)
        if self._native.check(ip, port, conn) == 0:
            return status_t.SUCCESS
        was_linked = has_ctrl(peer, ctrl_link)
        code = 0 if was_linked else _connect_ctrl(peer, own, ctrl_link)
        if code == 0:
            code = self._native.connect(ip, port, conn)
            if code != 0 and not was_linked:
                _undo(lambda: _native.ctrl_close(peer))
        return _dialled(code)

    def disConnect(self, ip: str, port: SupportsIndex, connType: ConnType | int = ConnType.RDMA) -> status_t:
        """Ends a connection; the link of the control channel stays. ``disConnect(ip, connType)`` ends the one to an address, and its
        link."""
        if isinstance(port, ConnType):
            return self._short.disconnect(_text("ip", ip), conn_of(port))
        return status(self._native.disconnect(_text("ip", ip), unsigned("port", port, 16), signed("connType", connType)))

    def checkConn(self, ip: str, port: SupportsIndex, connType: ConnType | int = ConnType.RDMA) -> status_t:
        """SUCCESS where there is such a connection, else NOT_FOUND. ``checkConn(ip, connType)`` asks for the only one to an address; ERROR:
        there are several."""
        if isinstance(port, ConnType):
            return self._short.port_of(_text("ip", ip), conn_of(port))[0]
        return status(self._native.check(_text("ip", ip), unsigned("port", port, 16), signed("connType", connType)))


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    return value


def _span(
    ip: str, port: SupportsIndex, local: SupportsIndex, remote: SupportsIndex, size: SupportsIndex
) -> tuple[str, int, int, int, int]:
    return (
        _text("ip", ip), unsigned("port", port, 16), unsigned("local_off", local), unsigned("remote_off", remote),
        unsigned("size", size),
    )  # fmt: skip


def refuse(
    ip: str, port: SupportsIndex, local: SupportsIndex, remote: SupportsIndex, size: SupportsIndex, conn: SupportsIndex
) -> None:
    """Raises the error that names the argument at fault; for a call that the extension has refused."""
    _span(ip, port, local, remote, size)
    signed("connType", conn)


def _dialled(code: int) -> status_t:
    """The status of a connection; ERROR for an invalid address or without a listener."""
    found = status(code)
    return status_t.ERROR if found == status_t.INVALID_CONFIG else found


def _connect_ctrl(peer: int, own: int, link: CtrlLink) -> int:
    _check_link(link)
    if signed("transport", link.transport) == CtrlTransport.UDS:
        return _native.ctrl_connect_uds(peer, _text("uds_path", link.uds_path), own)
    return _native.ctrl_connect_tcp(peer, _text("ip", link.ip), unsigned("port", link.port, 16), own)


def _check_link(link: CtrlLink) -> None:
    if not isinstance(link, CtrlLink):
        raise TypeError(f"link must be a CtrlLink, not {type(link).__name__}")


def has_ctrl(peer: int, link: CtrlLink) -> bool:
    _check_link(link)
    if signed("transport", link.transport) == CtrlTransport.UDS:
        return _native.ctrl_has(peer, "", 0, _text("uds_path", link.uds_path))
    return _native.ctrl_has(peer, _text("ip", link.ip), unsigned("port", link.port, 16), "")


def _undo(undo: Callable[[], object]) -> None:
    """Takes a step back; the text of the failure stays."""
    reason = _mf_smem.get_last_err_msg()
    undo()
    _mf_smem.leave_error(-1, reason)
