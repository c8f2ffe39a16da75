# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A buffer, its communicator, and this process's addresses, as one object with methods that raise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex

from mf_smem._unique import Unique

from . import _native
from ._communicator import Communicator, CtrlLink, has_ctrl, refuse
from ._errors import check
from ._io import DeviceHint, IOBuffer, length
from ._numbers import ConnType, CtrlTransport, MemoryType, is_one, port as checked_port, status_t, unsigned
from ._places import is_wanted, listens, listens_at, uds_of_port


def create_session(
    *,
    device_id: int = 0,
    buffer_size: int = 128 * 1024 * 1024,
    mem_type: MemoryType = MemoryType.CPU,
    num_chs: int = 1,
    local_ip: str = "",
) -> Session:
    """A session with a new buffer of `buffer_size` bytes. Raises `HMCStatusError`."""
    return Session(IOBuffer.create(device_id, buffer_size, mem_type), num_chs, local_ip=local_ip)


#: The link by which this process reached a rank, by socket path and rank.
_reached: dict[tuple[str, int], CtrlLink] = {}


class Session(Unique):
    """Moves data between one's own buffer `buf` and peers' buffers, one-sided, and sends tags to ranks.

    A peer is named by its address and its data port; a passive one that has no server by port 0. Offsets and sizes are bytes.
    Failures are `HMCStatusError` with the status: 5 (NOT_FOUND) for a peer that is not connected, 1 for a range outside of either
    buffer. Ports that are no numbers are a `TypeError`, impossible ones a `ValueError`. Any thread may call; calls that wait let
    other threads run, and end by Ctrl-C.
    """

    def __init__(self, buf: IOBuffer, num_chs: int = 1, *, local_ip: str = "", ctrl_uds_dir: str = "/tmp") -> None:
        """A session of a buffer, with `num_chs` channels for each RDMA connection. `local_ip` is this process's address, which
        identifies peers on the same host; `ctrl_uds_dir` the folder of the Unix sockets there."""
        self.buf = buf
        self.comm = Communicator(buf.core, num_chs)
        self.local_ip = local_ip
        self.ctrl_uds_dir = ctrl_uds_dir
        #: One's own rank; None until `init_server`.
        self.id: int | None = None

    def set_local_ip(self, ip: str) -> None:
        """Replaces `local_ip`."""
        self.local_ip = ip

    def set_ctrl_uds_dir(self, d: str) -> None:
        """Replaces `ctrl_uds_dir`."""
        self.ctrl_uds_dir = d

    # ---- connections ----

    def init_server(
        self,
        *,
        bind_ip: str,
        ucx_port: int,
        rdma_port: int,
        ctrl_tcp_port: int,
        self_id: int,
        ctrl_uds_dir: str | None = None,
    ) -> None:
        """Listens at `bind_ip`: for data of both types at two ports, and for the control channel by TCP and at the Unix socket of
        rank `self_id`. `local_ip` becomes `bind_ip`. Listening already: nothing is done."""
        rdma, ucx = checked_port(rdma_port, name="rdma_port"), checked_port(ucx_port, name="ucx_port")
        ctrl = checked_port(ctrl_tcp_port, name="ctrl_tcp_port")
        folder = self.ctrl_uds_dir if ctrl_uds_dir is None else ctrl_uds_dir
        path = Communicator.udsPathFor(folder, unsigned("self_id", self_id, 32))
        had_ctrl = _native.ctrl_is_server()
        check("Communicator.initServer RDMA", self.comm.initServer(bind_ip, rdma, ctrl, path, ConnType.RDMA))
        try:
            check("Communicator.initServer UCX", self.comm.initServer(bind_ip, ucx, ctrl, path, ConnType.UCX))
        except BaseException:
            # A half-started server is stopped; one complete before stays.
            if self.id is None:
                self.comm._native.stop()
                if not had_ctrl:
                    _native.ctrl_stop()
            raise
        self.local_ip, self.ctrl_uds_dir, self.id = bind_ip, folder, self_id

    def close_server(self) -> None:
        """Ends the control channel of this process, with all its links, and the listeners of this session."""
        check("Communicator.closeServer", self.comm.closeServer())

    def connect(
        self,
        *,
        peer_id: int,
        self_id: int,
        peer_ip: str,
        data_port: int,
        ctrl_tcp_port: int,
        uds_dir: str | None = None,
        conn: ConnType = ConnType.RDMA,
    ) -> None:
        """Connects to the server of rank `peer_id`: first the control channel, then data. Connected already: nothing is done.

        The control channel goes by the Unix socket of that rank where ``CTRL_TRANSPORT`` is ``uds``, or is not set and
        `local_ip` is `peer_ip`; else by TCP to `ctrl_tcp_port`. Of several jobs with such a rank in one folder, the rank that
        listens at `ctrl_tcp_port` is meant. One attempt: the server must be there.
        """
        data, ctrl = checked_port(data_port, name="data_port"), checked_port(ctrl_tcp_port, name="ctrl_tcp_port")
        if self.comm.checkConn(peer_ip, data, conn) == status_t.SUCCESS:
            return
        link = CtrlLink(CtrlTransport.TCP, peer_ip, ctrl)
        if self._transport(peer_ip) == CtrlTransport.UDS:
            path = Communicator.udsPathFor(self.ctrl_uds_dir if uds_dir is None else uds_dir, peer_id)
            own = uds_of_port(path, ctrl)
            if listens(own):
                path = own
            # Without a listener at the port, the socket file may belong to another job.
            known = _reached.get((path if path != own else "", peer_id))
            if path == own or is_wanted(CtrlTransport.UDS) or listens_at(peer_ip, ctrl):
                link = CtrlLink(CtrlTransport.UDS, uds_path=path)
            elif known is not None and has_ctrl(peer_id, known):
                # Sessions of one process share its channel, which listens at the port of the first.
                link = known
        check("Communicator.connectTo", self.comm.connectTo(peer_id, self_id, peer_ip, data, link, conn))
        if link.transport == CtrlTransport.UDS:
            _reached[(Communicator.udsPathFor(self.ctrl_uds_dir if uds_dir is None else uds_dir, peer_id), peer_id)] = link

    def _transport(self, peer_ip: str) -> CtrlTransport:
        for transport in CtrlTransport:
            if is_wanted(transport):
                return transport
        own = self.local_ip.strip()
        is_here = own not in ("", "0.0.0.0") and own == peer_ip.strip()
        return CtrlTransport.UDS if is_here else CtrlTransport.TCP

    def disconnect(self, ip: str, port: int, conn: ConnType = ConnType.RDMA) -> None:
        """Ends a connection; the link of the control channel stays."""
        check("Communicator.disConnect", self.comm.disConnect(ip, checked_port(port, may_be_zero=True), conn))

    def check_conn(self, ip: str, port: int, conn: ConnType = ConnType.RDMA) -> bool:
        """True if such a connection exists."""
        return self.comm.checkConn(ip, checked_port(port, may_be_zero=True), conn) == status_t.SUCCESS

    # ---- data ----

    def put_remote(
        self, ip: str, port: int, local_off: int, remote_off: int, nbytes: int, conn: ConnType = ConnType.RDMA
    ) -> None:
        """Copies from one's own buffer to the peer's. On return the bytes are there: a tag sent next comes after them."""
        try:
            code = self.comm._native.put(ip, port, local_off, remote_off, nbytes, conn)
        except (TypeError, OverflowError):
            _refuse(ip, port, local_off, remote_off, nbytes, conn)
            raise
        if code != 0:
            check("Communicator.put", code)

    def get_remote(
        self, ip: str, port: int, local_off: int, remote_off: int, nbytes: int, conn: ConnType = ConnType.RDMA
    ) -> None:
        """Copies from the peer's buffer to one's own."""
        try:
            code = self.comm._native.get(ip, port, local_off, remote_off, nbytes, conn)
        except (TypeError, OverflowError):
            _refuse(ip, port, local_off, remote_off, nbytes, conn)
            raise
        if code != 0:
            check("Communicator.get", code)

    def put_nb(
        self, ip: str, port: int, local_off: int, remote_off: int, nbytes: int, conn: ConnType = ConnType.RDMA
    ) -> int:
        """Starts a `put_remote` and returns an id for `wait`; 0: it is done already. Ids are unique in a session."""
        try:
            code, wr_id = self.comm._native.put_nb(ip, port, local_off, remote_off, nbytes, conn)
        except (TypeError, OverflowError):
            _refuse(ip, port, local_off, remote_off, nbytes, conn)
            raise
        if code != 0:
            check("Communicator.putNB", code)
        return wr_id

    def get_nb(
        self, ip: str, port: int, local_off: int, remote_off: int, nbytes: int, conn: ConnType = ConnType.RDMA
    ) -> int:
        """Starts a `get_remote`, as `put_nb`."""
        try:
            code, wr_id = self.comm._native.get_nb(ip, port, local_off, remote_off, nbytes, conn)
        except (TypeError, OverflowError):
            _refuse(ip, port, local_off, remote_off, nbytes, conn)
            raise
        if code != 0:
            check("Communicator.getNB", code)
        return wr_id

    def wait(self, wr_id: SupportsIndex | Iterable[SupportsIndex]) -> None:
        """Waits for one id, while the peer is alive, or for several, at most 1 second a connection: status 4 (TIMEOUT), and they
        may be waited for again. 0 is done. An unknown id: status 5."""
        code = self.comm._wait(wr_id)
        if code != 0:
            check(f"Communicator.wait({'wr_id' if is_one(wr_id) else 'wr_ids'})", code)

    def put_pipeline(
        self,
        ip: str,
        port: int,
        local_off: int,
        remote_off: int,
        nbytes: int,
        *,
        chunk_size: int = 0,
        max_inflight: int = 64,
        conn: ConnType = ConnType.RDMA,
    ) -> None:
        """A `put_remote` in chunks of `chunk_size` bytes (0: 4 MiB), `max_inflight` of them moved at once."""
        number = checked_port(port, may_be_zero=True)
        code = self.comm.putPipeline(ip, number, local_off, remote_off, nbytes, chunk_size, max_inflight, conn)
        check("Communicator.putPipeline", code)

    def get_pipeline(
        self,
        ip: str,
        port: int,
        local_off: int,
        remote_off: int,
        nbytes: int,
        *,
        chunk_size: int = 0,
        max_inflight: int = 64,
        conn: ConnType = ConnType.RDMA,
    ) -> None:
        """A `get_remote`, as `put_pipeline`."""
        number = checked_port(port, may_be_zero=True)
        code = self.comm.getPipeline(ip, number, local_off, remote_off, nbytes, chunk_size, max_inflight, conn)
        check("Communicator.getPipeline", code)

    def buffer_put_then_put(
        self,
        ip: str,
        port: int,
        data: Any,
        *,
        local_off: int = 0,
        remote_off: int = 0,
        conn: ConnType = ConnType.RDMA,
        nbytes: int | None = None,
        device: DeviceHint = None,
    ) -> int:
        """`IOBuffer.put` to `local_off`, then `put_remote`; returns the number of bytes."""
        number = checked_port(port, may_be_zero=True)
        count = self.buf.put(data, nbytes=nbytes, offset=local_off, device=device)
        self.put_remote(ip, number, local_off, remote_off, count, conn)
        return count

    def get_then_buffer_get_into(
        self,
        ip: str,
        port: int,
        dst: Any,
        *,
        local_off: int = 0,
        remote_off: int = 0,
        nbytes: int | None = None,
        conn: ConnType = ConnType.RDMA,
        device: DeviceHint = None,
    ) -> int:
        """`get_remote` to `local_off`, then `IOBuffer.get_into`; returns the number of bytes (default: all of `dst`)."""
        number, count = checked_port(port, may_be_zero=True), length(dst, nbytes, device)
        self.get_remote(ip, number, local_off, remote_off, count, conn)
        self.buf.get_into(dst, nbytes=count, offset=local_off, device=device)
        return count

    def send_data_to(
        self, ip: str, port: int, send_buf_ptr: int, buf_size: int, buf_type: MemoryType, conn: ConnType = ConnType.RDMA
    ) -> None:
        """Sends memory of any size at an address, through the buffers, to a peer that calls `recv_data_from`. `buf_type` CPU:
        memory of the processor; any other: of the buffer's device."""
        number = checked_port(port, may_be_zero=True)
        check("Communicator.sendDataTo", self.comm.sendDataTo(ip, number, send_buf_ptr, buf_size, buf_type, conn))

    def recv_data_from(
        self,
        ip: str,
        port: int,
        recv_buf_ptr: int,
        buf_size: int,
        buf_type: MemoryType,
        flag_ptr: int | None,
        conn: ConnType = ConnType.RDMA,
    ) -> None:
        """Receives at most `buf_size` bytes of what `send_data_to` sends; more: status 1, and nothing is written behind them.
        `flag_ptr` is 0, None, or the address of a ``size_t`` for the length."""
        number = checked_port(port, may_be_zero=True)
        code = self.comm.recvDataFrom(ip, number, recv_buf_ptr, buf_size, buf_type, flag_ptr, conn)
        check("Communicator.recvDataFrom", code)

    # ---- the control channel ----

    def ctrl_send(self, peer: int, tag: int) -> None:
        """Sends a number of 64 bits to a rank."""
        check("Communicator.ctrlSend", self.comm.ctrlSend(peer, tag))

    def ctrl_recv(self, peer: int) -> int:
        """Waits, without limit, for the next number from a rank. Status 1: no link to it, or its end, or another message."""
        code, tag = self.comm.ctrlRecv(peer)
        check("Communicator.ctrlRecv", code)
        return tag


def _refuse(ip: str, port: int, local_off: int, remote_off: int, nbytes: int, conn: SupportsIndex) -> None:
    """Raises the error that names the argument at fault; none is where a handler of a signal has raised."""
    checked_port(port, may_be_zero=True)
    refuse(ip, port, local_off, remote_off, nbytes, conn)
