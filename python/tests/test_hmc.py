# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``hmc``: names and defaults, and two sessions of one process."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import inspect
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hmc
import hmc._core
import hmc.collective
import hmc.hmc
import pytest

IP = "127.0.0.1"
KIB, MIB = 1 << 10, 1 << 20
REQUIRED = inspect.Parameter.empty
RDMA, UCX = hmc.ConnType.RDMA, hmc.ConnType.UCX

ENUMS: dict[str, dict[str, int]] = {
    "status_t": {"SUCCESS": 0, "ERROR": 1, "UNSUPPORT": 2, "INVALID_CONFIG": 3, "TIMEOUT": 4, "NOT_FOUND": 5},
    "MemoryType": {
        "DEFAULT": 0, "CPU": 1, "NVIDIA_GPU": 2, "AMD_GPU": 3, "CAMBRICON_MLU": 4, "MOORE_GPU": 5, "HUAWEI_ASCEND_NPU": 6,
    },
    "ConnType": {"RDMA": 0, "UCX": 1},
    "CtrlTransport": {"TCP": 0, "UDS": 1},
}
ALL = {
    "status_t", "MemoryType", "ConnType", "CtrlTransport", "Memory", "ConnBuffer", "Communicator", "Buffer", "memory_supported",
    "HMCError", "HMCStatusError", "IOBuffer", "Session", "create_session", "memory_type_from_torch_tensor", "Group", "init_group",
    "alltoall",
}  # fmt: skip
PEER = "ip port local_off remote_off"
SPAN = f"{PEER} nbytes"
SESSION: dict[str, str] = {
    "set_local_ip": "ip",
    "set_ctrl_uds_dir": "d",
    "init_server": "* bind_ip ucx_port rdma_port ctrl_tcp_port self_id ctrl_uds_dir=None",
    "close_server": "",
    "connect": "* peer_id self_id peer_ip data_port ctrl_tcp_port uds_dir=None conn=0",
    "disconnect": "ip port conn=0",
    "check_conn": "ip port conn=0",
    "put_remote": f"{SPAN} conn=0",
    "get_remote": f"{SPAN} conn=0",
    "put_nb": f"{SPAN} conn=0",
    "get_nb": f"{SPAN} conn=0",
    "wait": "wr_id",
    "ctrl_send": "peer tag",
    "ctrl_recv": "peer",
    "buffer_put_then_put": "ip port data * local_off=0 remote_off=0 conn=0 nbytes=None device=None",
    "get_then_buffer_get_into": "ip port dst * local_off=0 remote_off=0 nbytes=None conn=0 device=None",
    "send_data_to": "ip port send_buf_ptr buf_size buf_type conn=0",
    "recv_data_from": "ip port recv_buf_ptr buf_size buf_type flag_ptr conn=0",
    "put_pipeline": f"{SPAN} * chunk_size=0 max_inflight=64 conn=0",
    "get_pipeline": f"{SPAN} * chunk_size=0 max_inflight=64 conn=0",
}
IO: dict[str, str] = {
    "put": "data * nbytes=None offset=0 device=None",
    "get_into": "dst * nbytes offset=0 device=None",
    "buffer_put_cpu": "src * nbytes=None offset=0",
    "buffer_get_cpu_into": "dst * nbytes offset=0",
    "buffer_get_cpu": "* nbytes offset=0",
    "buffer_put_gpu_ptr": "src_ptr * nbytes offset=0",
    "buffer_get_gpu_ptr": "dst_ptr * nbytes offset=0",
    "buffer_put_cuda": "t * nbytes=None offset=0",
    "buffer_get_cuda": "t * nbytes=None offset=0",
    "buffer_copy_within": "* dst_offset src_offset nbytes",
}
COMMUNICATOR: dict[str, str] = {
    "put": f"{PEER} size connType=0",
    "get": f"{PEER} size connType=0",
    "putNB": f"{PEER} size connType=0",
    "getNB": f"{PEER} size connType=0",
    "wait": "wr_id=None * wr_ids=None",
    "putPipeline": f"{PEER} size chunk_size=0 max_inflight=64 connType=0",
    "getPipeline": f"{PEER} size chunk_size=0 max_inflight=64 connType=0",
    "sendDataTo": "ip port send_buf buf_size buf_type connType=0",
    "recvDataFrom": "ip port recv_buf buf_size buf_type flag=None connType=0",
    "ctrlSend": "peer tag",
    "ctrlRecv": "peer",
    "initCtrlServer": "bind_ip tcp_port uds_path=''",
    "closeCtrl": "",
    "connectCtrl": "peer_id self_id link",
    "closeCtrlPeer": "peer_id",
    "initServer": "bind_ip data_port ctrl_tcp_port ctrl_uds_path serverType=0",
    "connectTo": "peer_id self_id peer_ip data_port ctrl_link connType=0",
    "closeServer": "",
    "disConnect": "ip port connType=0",
    "checkConn": "ip port connType=0",
    "writeTo": "ip ptr_bias size connType=0",
    "readFrom": "ip ptr_bias size connType=0",
    "send": "ip ptr_bias size connType=0",
    "recv": "ip ptr_bias size connType=0",
}
CORE_BUFFER: dict[str, str] = {
    "writeFromCpu": "src size bias=0",
    "readToCpu": "dest size bias=0",
    "writeFromGpu": "src_ptr size bias=0",
    "readToGpu": "dest_ptr size bias=0",
    "copyWithin": "dst_bias src_bias size",
}


def signature(function: Any) -> str:
    """Arguments with defaults as a text; a star stands before keyword-only ones."""
    words: list[str] = []
    for name, argument in inspect.signature(function).parameters.items():
        if name == "self":
            continue
        if argument.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        default = argument.default
        shown = repr(int(default)) if isinstance(default, int) and not isinstance(default, bool) else repr(default)
        words.append(name if default is REQUIRED else f"{name}={shown}")
    return " ".join(words)


def free_ports(count: int) -> list[int]:
    """Ports that the kernel says are free, each another."""
    with contextlib.ExitStack() as held:
        probes = [held.enter_context(socket.create_server((IP, 0))) for _ in range(count)]
        return [probe.getsockname()[1] for probe in probes]


@dataclass
class Pair:
    """A server of rank 0 and a client of rank 1 without a server, in one process."""

    server: hmc.Session
    client: hmc.Session
    ucx: int
    rdma: int
    ctrl: int

    def port(self, conn: hmc.ConnType) -> int:
        return self.rdma if conn == RDMA else self.ucx

    def connect(self, conn: hmc.ConnType = RDMA) -> None:
        self.client.connect(
            peer_id=0, self_id=1, peer_ip=IP, data_port=self.port(conn), ctrl_tcp_port=self.ctrl, conn=conn
        )


def serve(session: hmc.Session, folder: Path, rank: int = 0) -> tuple[int, int, int]:
    """Starts a server at free ports, which another process may take meanwhile: then at others."""
    for attempt in range(20):
        ucx, rdma, ctrl = free_ports(3)
        try:
            session.init_server(
                bind_ip=IP, ucx_port=ucx, rdma_port=rdma, ctrl_tcp_port=ctrl, self_id=rank, ctrl_uds_dir=str(folder)
            )
        except hmc.HMCStatusError:
            if attempt == 19:
                raise
        else:
            return ucx, rdma, ctrl
    raise AssertionError


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    server = hmc.create_session(buffer_size=MIB, local_ip=IP)
    client = hmc.Session(hmc.IOBuffer.create(0, 2 * MIB, hmc.MemoryType.CPU), local_ip=IP, ctrl_uds_dir=str(tmp_path))
    made = Pair(server, client, *serve(server, tmp_path))
    yield made
    server.close_server()


def refused(status: int, message: str, call: Any, *arguments: Any, **named: Any) -> None:
    with pytest.raises(hmc.HMCStatusError) as caught:
        call(*arguments, **named)
    assert caught.value.status == status and str(caught.value) == f"{message} failed (status={status})", caught.value


# ---- names ----


def test_hmc_exports_all_names() -> None:
    assert set(hmc.__all__) == ALL and all(hasattr(hmc, name) for name in ALL)
    assert hmc.CtrlLink and hmc.DeviceHint and hmc.collective and hmc.hmc is hmc._core
    assert not hasattr(hmc, "__version__")
    for name in ("Memory", "ConnBuffer", "Communicator", "Buffer", "CtrlLink", "memory_supported", *ENUMS):
        assert hasattr(hmc.hmc, name), name


@pytest.mark.parametrize("name", ENUMS)
def test_enum_values_match_the_interface(name: str) -> None:
    members = {member.name: member.value for member in getattr(hmc, name)}
    assert members == ENUMS[name] == {member.name: int(member) for member in getattr(hmc.hmc, name)}
    assert {key: int(getattr(hmc.hmc, key)) for key in members} == members


@pytest.mark.parametrize(
    ("owner", "methods"),
    [
        (hmc.Session, SESSION), (hmc.IOBuffer, IO), (hmc.Communicator, COMMUNICATOR), (hmc.ConnBuffer, CORE_BUFFER),
    ],
)  # fmt: skip
def test_arguments_and_defaults(owner: type, methods: dict[str, str]) -> None:
    public = {name for name, value in vars(owner).items() if inspect.isfunction(value) and not name.startswith("_")}
    assert public == set(methods) - {"udsPathFor"}
    for name, wanted in methods.items():
        assert signature(getattr(owner, name)) == wanted, name


def test_arguments_and_defaults_of_functions_and_constructors() -> None:
    for function, wanted in {
        hmc.create_session: "* device_id=0 buffer_size=134217728 mem_type=1 num_chs=1 local_ip=''",
        hmc.Session: "buf num_chs=1 * local_ip='' ctrl_uds_dir='/tmp'",
        hmc.IOBuffer.create: "device_id buffer_size mem_type=0",
        hmc.ConnBuffer: "device_id buffer_size mem_type=0",
        hmc.Communicator: "buffer num_chs=1",
        hmc.Communicator.udsPathFor: "dir peer_id",
        hmc.Memory: "device_id mem_type=0",
        hmc.Memory.allocateBuffer: "size",
        hmc.Memory.allocatePeerableBuffer: "size",
        hmc.memory_supported: "",
        hmc.memory_type_from_torch_tensor: "t * default=None",
        hmc.Group: "* session members rank group_id='default'",
        hmc.init_group: (
            "* session my_ip port_ucx port_rdma port_ctrl group_id='default' ctrl_tcp_port=None ctrl_uds_dir='/tmp' "
            "start_servers=True server_barrier=True"
        ),
        hmc.alltoall: "group send recv * algo='auto' conn='auto' send_bias=0 recv_bias=None chunk_bytes=4194304 do_self_copy=True",
    }.items():
        assert signature(function) == wanted, function


def test_errors() -> None:
    assert issubclass(hmc.HMCStatusError, hmc.HMCError) and issubclass(hmc.HMCError, RuntimeError)
    error = hmc.HMCStatusError("Communicator.put failed", 5, "no such peer")
    assert str(error) == "Communicator.put failed (status=5)" and error.status is hmc.status_t.NOT_FOUND
    turned = hmc.HMCStatusError(5, "Communicator.put failed")
    assert str(turned) == str(error) and turned.status is hmc.status_t.NOT_FOUND
    back = pickle.loads(pickle.dumps(error))
    assert str(back) == str(error) and back.status == 5 and back.reason == "no such peer"


def test_paths_of_unix_sockets() -> None:
    for folder, wanted in {"/tmp": "/tmp/", "/tmp/": "/tmp/", "/tmp//": "/tmp//", "": "/", "/": "/"}.items():
        assert hmc.Communicator.udsPathFor(folder, 7) == f"{wanted}hmc_ctrl_rank_7.sock"


def test_the_transport_of_the_control_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    session = hmc.create_session(buffer_size=KIB)
    tcp, uds = hmc.CtrlTransport.TCP, hmc.CtrlTransport.UDS
    for variable, own, peer, wanted in [
        (None, "", IP, tcp), (None, IP, IP, uds), (None, f" {IP} ", IP, uds), (None, "0.0.0.0", "0.0.0.0", tcp),
        (None, IP, "10.0.0.1", tcp), ("  ", IP, IP, uds), (" UdS ", "", IP, uds), ("tcp", IP, IP, tcp), ("?", IP, IP, tcp),
    ]:  # fmt: skip
        session.set_local_ip(own)
        if variable is None:
            monkeypatch.delenv("CTRL_TRANSPORT", raising=False)
        else:
            monkeypatch.setenv("CTRL_TRANSPORT", variable)
        assert session._transport(peer) == wanted, (variable, own, peer)


# ---- memory ----


def test_enum_arguments_accept_numbers_and_members() -> None:
    for kind in (hmc.MemoryType.CPU, hmc.hmc.CPU, 1):
        assert hmc.Memory(0, kind).getMemoryType() is hmc.MemoryType.CPU
        assert hmc.ConnBuffer(0, KIB, kind).mem_type == kind
    assert hmc.memory_supported() in list(hmc.hmc.MemoryType)
    default = hmc.ConnBuffer(0, KIB)
    assert default.mem_type is hmc.MemoryType.DEFAULT and default.resolved_type == hmc.Memory(0).getMemoryType() != 0


def test_memory_exposes_a_buffer_and_keeps_its_owner_alive() -> None:
    status, buffer = hmc.Memory(0, hmc.MemoryType.CPU).allocateBuffer(100)
    assert status is hmc.status_t.SUCCESS and isinstance(buffer, hmc.Buffer)
    assert len(buffer) == buffer.size == 100 and buffer.ptr
    view = memoryview(buffer)
    assert (view.ndim, view.itemsize, view.format, view.readonly, view.nbytes) == (1, 1, "B", False, 100)
    view[:] = bytes(range(100))
    assert isinstance(buffer.memory, hmc.Memory)
    del buffer
    gc.collect()
    assert bytes(view) == bytes(range(100))
    status, peerable = hmc.Memory(0, 1).allocatePeerableBuffer(10)
    assert status == 0 and peerable is not None
    other = hmc.ConnBuffer(0, 100, 1)
    assert other.writeFromCpu(view, 100) == 0 and other.readToCpu(peerable, 10, 5) == 0
    assert bytes(peerable)[:10] == bytes(range(5, 15))


def test_memory_supports_legacy_init_and_free() -> None:
    memory = hmc.Memory(0, hmc.MemoryType.CPU)
    assert memory.init() is hmc.status_t.SUCCESS
    buffers = [memory.allocateBuffer(16)[1] for _ in range(2)]
    assert buffers[0] is not None and buffers[1] is not None
    assert memory.freeBuffer(buffers[0]) is memory.freeBuffer(buffers[1].ptr) is hmc.status_t.SUCCESS
    for wrong in (buffers[0], buffers[1].ptr, 0, None):
        assert memory.freeBuffer(wrong) is hmc.status_t.ERROR, wrong
    assert memory.free() is hmc.status_t.SUCCESS


def test_absent_memory_types_are_rejected() -> None:
    for call in (hmc.Memory, lambda device, kind: hmc.ConnBuffer(device, KIB, kind)):
        with pytest.raises(hmc.HMCStatusError) as unknown:
            call(0, 99)
        assert unknown.value.status is hmc.status_t.INVALID_CONFIG
        with pytest.raises(TypeError):
            call(0, "CPU")
    absent = [kind for kind in hmc.MemoryType if kind > 1 and kind != hmc.memory_supported()]
    for kind in absent:
        with contextlib.suppress(hmc.HMCStatusError):
            hmc.Memory(0, kind)
            continue
        with pytest.raises(RuntimeError) as missing:
            hmc.Memory(0, kind)
        assert isinstance(missing.value, hmc.HMCStatusError) and missing.value.status is hmc.status_t.UNSUPPORT
        assert missing.value.reason, "it says why"
    status, nothing = hmc.Memory(0, 1).allocateBuffer(1 << 62)
    assert status is hmc.status_t.ERROR and nothing is None
    with pytest.raises(hmc.HMCStatusError):
        hmc.create_session(buffer_size=1 << 62)
    for channels in (0, 17):
        with pytest.raises(hmc.HMCStatusError) as number:
            hmc.create_session(buffer_size=KIB, num_chs=channels)
        assert number.value.status is hmc.status_t.INVALID_CONFIG


# ---- two sessions ----


@pytest.mark.parametrize("conn", [RDMA, UCX])
def test_both_sides_put_and_get(pair: Pair, conn: hmc.ConnType) -> None:
    port = pair.port(conn)
    assert not pair.client.check_conn(IP, port, conn)
    pair.connect(conn)
    pair.connect(conn)
    assert pair.client.check_conn(IP, port, conn) and not pair.client.check_conn(IP, port, hmc.ConnType(1 - conn))
    pair.client.buf.put(b"to the server", offset=7)
    pair.client.put_remote(IP, port, 7, 100, 13, conn)
    assert pair.server.buf.buffer_get_cpu(nbytes=13, offset=100) == b"to the server"
    # The client has no server, so its port is 0.
    assert pair.server.buffer_put_then_put(IP, 0, b"to the client", local_off=9, remote_off=50, conn=conn) == 13
    assert pair.client.buf.buffer_get_cpu(nbytes=13, offset=50) == b"to the client"
    out = bytearray(13)
    assert pair.client.get_then_buffer_get_into(IP, port, out, local_off=700, remote_off=9, conn=conn) == 13
    assert out == b"to the client"
    pair.server.get_remote(IP, 0, 500, 7, 13, conn)
    assert pair.server.buf.buffer_get_cpu(nbytes=13, offset=500) == b"to the server"
    pair.client.disconnect(IP, port, conn)
    refused(5, "Communicator.put", pair.client.put_remote, IP, port, 0, 0, 1, conn)


def test_pipelines(pair: Pair) -> None:
    pair.connect()
    data = bytes(range(256)) * 1000
    pair.client.buf.put(data)
    for chunk, inflight in ((0, 64), (1000, 3), (1 << 20, 1), (4096, 0)):
        pair.server.buf.put(bytes(len(data)), offset=10)
        pair.client.put_pipeline(IP, pair.rdma, 0, 10, len(data), chunk_size=chunk, max_inflight=inflight)
        assert pair.server.buf.buffer_get_cpu(nbytes=len(data), offset=10) == data
        pair.client.buf.put(bytes(len(data)), offset=MIB)
        pair.client.get_pipeline(IP, pair.rdma, MIB, 10, len(data), chunk_size=chunk, max_inflight=inflight)
        assert pair.client.buf.buffer_get_cpu(nbytes=len(data), offset=MIB) == data
    refused(1, "Communicator.putPipeline", pair.client.put_pipeline, IP, pair.rdma, 0, MIB - 10, 11)


def test_ids_can_be_waited_for_in_any_order(pair: Pair) -> None:
    pair.connect(RDMA)
    pair.connect(UCX)
    pair.client.buf.put(bytes(range(200)))
    ids = []
    for number in range(20):
        conn = hmc.ConnType(number % 2)
        ids.append(pair.client.put_nb(IP, pair.port(conn), number * 10, 190 - number * 10, 10, conn))
    assert len({one for one in ids if one}) == sum(one != 0 for one in ids), "ids are unique"
    pair.client.wait(ids[19])
    pair.client.wait(ids[3])
    pair.client.wait([])
    pair.client.wait([one for one in ids[10:19]])
    pair.client.wait(tuple(ids[4:10]))
    pair.client.wait(one for one in [*ids[:3], 0])
    pair.client.wait(0)
    found = pair.server.buf.buffer_get_cpu(nbytes=200)
    assert found == b"".join(bytes(range(at, at + 10)) for at in range(190, -1, -10))
    fetched = [pair.client.get_nb(IP, pair.rdma, MIB + 100 * n, 0, 100) for n in range(5)]
    pair.client.wait(reversed(fetched))
    assert all(pair.client.buf.buffer_get_cpu(nbytes=100, offset=MIB + 100 * n) == found[:100] for n in range(5))
    unknown = max(ids + fetched) + 1000
    refused(5, "Communicator.wait(wr_id)", pair.client.wait, unknown)
    refused(5, "Communicator.wait(wr_ids)", pair.client.wait, [unknown])
    core = pair.client.comm
    assert core.wait(wr_id=0) == core.wait(wr_ids=[0, 0]) == 0 and core.wait(wr_ids=[unknown]) == hmc.status_t.NOT_FOUND
    for wrong in ("1", None, 1.5):
        with pytest.raises(TypeError):
            pair.client.wait(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        core.wait(0, wr_ids=[0])


def test_ranges_outside_of_a_buffer_move_nothing(pair: Pair) -> None:
    pair.connect()
    server, client = pair.server, pair.client
    client.buf.put(b"x" * 100, offset=2 * MIB - 100)
    client.put_remote(IP, pair.rdma, 2 * MIB - 100, MIB - 100, 100)
    client.put_remote(IP, pair.rdma, 2 * MIB, MIB, 0)
    top = (1 << 64) - 1
    for local, remote, nbytes in [
        (0, MIB, 1), (2 * MIB, 0, 1), (0, MIB - 9, 10), (2 * MIB - 9, 0, 10), (top, 0, 2), (0, top, 2), (0, 0, top), (5, 5, top - 4),
    ]:  # fmt: skip
        refused(1, "Communicator.put", client.put_remote, IP, pair.rdma, local, remote, nbytes)
        refused(1, "Communicator.get", client.get_remote, IP, pair.rdma, local, remote, nbytes)
        refused(1, "Communicator.putNB", client.put_nb, IP, pair.rdma, local, remote, nbytes)
        refused(1, "Communicator.getNB", client.get_nb, IP, pair.rdma, local, remote, nbytes)
    for wrong in (-1, 1.0, "1", 1 << 64):
        with pytest.raises(TypeError):
            client.put_remote(IP, pair.rdma, wrong, 0, 1)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            client.get_nb(IP, pair.rdma, 0, 0, wrong)  # type: ignore[arg-type]
    assert server.buf.buffer_get_cpu(nbytes=MIB) == bytes(MIB - 100) + b"x" * 100


def test_ports(pair: Pair) -> None:
    for number, error in ((65536, ValueError), (-1, ValueError), ("80", TypeError), (None, TypeError), (80.0, TypeError)):
        wrong: Any = number
        for call in (
            lambda: pair.client.put_remote(IP, wrong, 0, 0, 1),
            lambda: pair.client.check_conn(IP, wrong),
            lambda: pair.client.disconnect(IP, wrong),
            lambda: pair.client.recv_data_from(IP, wrong, 0, 0, hmc.MemoryType.CPU, 0),
            lambda: pair.client.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=wrong, ctrl_tcp_port=pair.ctrl),
            lambda: pair.client.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=pair.rdma, ctrl_tcp_port=wrong),
        ):
            with pytest.raises(error):
                call()
    with pytest.raises(ValueError):
        pair.client.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=0, ctrl_tcp_port=pair.ctrl)
    assert not pair.server.check_conn(IP, 0)


def test_propagates_exceptions_of_signal_handlers(pair: Pair) -> None:
    """It may be an error that wrong arguments are, too: the call is not made again."""

    class Interrupted:
        calls = 0

        def call(self, *_: object) -> None:
            self.calls += 1
            raise TypeError("of the handler")

        put = get = put_nb = get_nb = wait = wait_all = call

    native, own = Interrupted(), pair.client.comm._native
    pair.client.comm._native = native  # type: ignore[assignment]
    client = pair.client
    try:
        for method in (client.put_remote, client.get_remote, client.put_nb, client.get_nb):
            with pytest.raises(TypeError, match="of the handler"):
                method(IP, 1, 0, 0, 1)
        for ids in (1, [1, 2]):
            with pytest.raises(TypeError, match="of the handler"):
                client.wait(ids)
        assert native.calls == 6
    finally:
        client.comm._native = own


def test_tags_pass_both_ways_and_waits_release_the_gil(pair: Pair) -> None:
    pair.connect()
    pair.client.ctrl_send(0, 0)
    pair.client.ctrl_send(0, (1 << 64) - 1)
    assert (pair.server.ctrl_recv(1), pair.server.ctrl_recv(1)) == (0, (1 << 64) - 1)
    received: list[int] = []
    waiting = threading.Thread(target=lambda: received.append(pair.client.ctrl_recv(0)))
    waiting.start()
    # The call holds no lock of Python, else this thread would not get here.
    pair.server.ctrl_send(1, 5)
    waiting.join(60)
    assert received == [5]
    assert pair.client.comm.ctrlSend(0, 6) is hmc.status_t.SUCCESS and pair.server.comm.ctrlRecv(1) == (0, 6)
    refused(1, "Communicator.ctrlSend", pair.client.ctrl_send, 99, 1)
    for wrong in (-1, 1 << 64, "1"):
        with pytest.raises(TypeError):
            pair.client.ctrl_send(0, wrong)  # type: ignore[arg-type]


def test_failures_have_descriptive_messages(pair: Pair) -> None:
    """Every method that moves data, to an unknown peer and to an unknown rank."""
    client, buffer, block = pair.client, pair.client.buf, ctypes.create_string_buffer(8)
    address, cpu = ctypes.addressof(block), hmc.MemoryType.CPU
    span = (IP, 1, 0, 0, 8)
    for call, name in {
        client.put_remote: "put", client.get_remote: "get", client.put_nb: "putNB", client.get_nb: "getNB",
        client.put_pipeline: "putPipeline", client.get_pipeline: "getPipeline",
    }.items():  # fmt: skip
        for conn in (RDMA, UCX):
            refused(5, f"Communicator.{name}", call, *span, conn=conn)
    refused(5, "Communicator.put", client.buffer_put_then_put, IP, 1, b"data")
    refused(5, "Communicator.get", client.get_then_buffer_get_into, IP, 1, bytearray(4))
    refused(5, "Communicator.sendDataTo", client.send_data_to, IP, 1, address, 8, cpu)
    refused(5, "Communicator.recvDataFrom", client.recv_data_from, IP, 1, address, 8, cpu, 0)
    refused(1, "Communicator.ctrlSend", client.ctrl_send, 77, 1)
    refused(1, "Communicator.ctrlRecv", client.ctrl_recv, 77)
    refused(1, "ConnBuffer.writeFromGpu", buffer.buffer_put_gpu_ptr, address, nbytes=8)
    refused(1, "ConnBuffer.readToGpu", buffer.buffer_get_gpu_ptr, address, nbytes=8)
    refused(1, "ConnBuffer.copyWithin", buffer.buffer_copy_within, dst_offset=0, src_offset=2 * MIB, nbytes=1)
    for conn in (RDMA, UCX):
        with pytest.raises(hmc.HMCStatusError) as named:
            client.put_remote("no host", 1, 0, 0, 8, conn)
        assert "connected none" in named.value.reason, "it says why"
    pair.connect()
    with pytest.raises(hmc.HMCStatusError) as named:
        pair.server.put_remote("127.0.0.9", 0, 0, 0, 8)
    assert f"connected Rdma {IP}:0" in named.value.reason, "and who is there instead"


def test_failed_connect_leaves_no_peer(pair: Pair, tmp_path: Path) -> None:
    dead = free_ports(1)[0]
    refused(
        1, "Communicator.connectTo", pair.client.connect,
        peer_id=0, self_id=1, peer_ip=IP, data_port=dead, ctrl_tcp_port=pair.ctrl,
    )  # fmt: skip
    refused(1, "Communicator.ctrlSend", pair.client.ctrl_send, 0, 1)
    pair.connect(UCX)
    refused(
        1, "Communicator.connectTo", pair.client.connect,
        peer_id=0, self_id=1, peer_ip=IP, data_port=dead, ctrl_tcp_port=pair.ctrl,
    )  # fmt: skip
    pair.client.ctrl_send(0, 9)
    assert pair.server.ctrl_recv(1) == 9
    for nowhere in ("", "no.such.host.invalid", "1.2.3"):
        refused(
            1, "Communicator.connectTo", pair.client.connect,
            peer_id=7, self_id=1, peer_ip=nowhere, data_port=pair.rdma, ctrl_tcp_port=pair.ctrl,
        )  # fmt: skip
    for link in (hmc.CtrlLink(), hmc.CtrlLink(hmc.CtrlTransport.UDS), hmc.CtrlLink(ip=IP), hmc.CtrlLink(ip=IP, port=dead)):
        assert pair.client.comm.connectCtrl(7, 1, link) is hmc.status_t.ERROR, link
    with pytest.raises(TypeError):
        pair.client.comm.connectCtrl(7, 1, IP)  # type: ignore[arg-type]


def test_taken_port_is_an_error(pair: Pair, tmp_path: Path) -> None:
    other = hmc.create_session(buffer_size=KIB)
    ucx, rdma = free_ports(2)
    for data, message in (((pair.ucx, rdma), "UCX"), ((ucx, pair.rdma), "RDMA")):
        refused(
            1, f"Communicator.initServer {message}", other.init_server,
            bind_ip=IP, ucx_port=data[0], rdma_port=data[1], ctrl_tcp_port=pair.ctrl, self_id=5, ctrl_uds_dir=str(tmp_path),
        )  # fmt: skip
    assert other.id is None
    pair.connect()


SERVER_OF_ANOTHER_JOB = """
import sys, time
import hmc
ip, folder = sys.argv[1:3]
session = hmc.create_session(buffer_size=4096)
for first in range(20000, 32000, 3):
    try:
        session.init_server(
            bind_ip=ip, ucx_port=first, rdma_port=first + 1, ctrl_tcp_port=first + 2, self_id=0, ctrl_uds_dir=folder
        )
        break
    except hmc.HMCStatusError:
        continue
print(first, flush=True)
while True:
    try:
        print(session.ctrl_recv(1), flush=True)
        break
    except hmc.HMCStatusError:
        # It has not connected.
        time.sleep(0.01)
sys.stdin.read()
session.close_server()
"""


def test_servers_with_equal_rank_and_folder_are_reached_by_port(pair: Pair, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER_OF_ANOTHER_JOB, IP, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdin and other.stdout and other.stderr
        first = int(other.stdout.readline())
        pair.connect()
        pair.client.ctrl_send(0, 5)
        assert pair.server.ctrl_recv(1) == 5
        pair.client.comm.closeCtrlPeer(0)
        pair.client.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=first + 1, ctrl_tcp_port=first + 2)
        pair.client.ctrl_send(0, 6)
        assert other.stdout.readline() == "6\n"
        # Where nobody is at the port, the file of the other job is not taken.
        pair.client.comm.closeCtrlPeer(0)
        refused(
            1, "Communicator.connectTo", pair.client.connect,
            peer_id=0, self_id=1, peer_ip=IP, data_port=first, ctrl_tcp_port=free_ports(1)[0],
        )  # fmt: skip
        other.stdin.close()
        errors = other.stderr.read()
    assert other.returncode == 0 and "listens by TCP alone" in errors, errors


SERVER_BY_ADDRESS = """
import ctypes, sys, time
import hmc
from hmc import _native
ip, conn = sys.argv[1], hmc.ConnType.RDMA
comm = hmc.hmc.Communicator(hmc.hmc.ConnBuffer(0, 4096, 1))

def listens(port):
    # Another process may have the port of the control channel.
    return comm.initServer(ip, port, conn) == 0 and _native.ctrl_plain_port("") == port + 1

port = next(port for port in range(20000, 32000, 2) if listens(port))
print(port, flush=True)
while comm.checkConn(ip, conn) != 0:
    time.sleep(0.01)
assert comm.recv(ip, 16, 5) == 0
found = bytearray(5)
assert comm._buffer.readToCpu(found, 5, 16) == 0 and found == b"hello", found
assert comm.writeTo(ip, 32, 4) == 0 and comm.send(ip, 48, 4) == 0
received, length = ctypes.create_string_buffer(10000), ctypes.c_size_t()
assert comm.recvDataFrom(ip, ctypes.addressof(received), 10000, hmc.MemoryType.CPU, ctypes.addressof(length), conn) == 0
assert received.raw == bytes(range(250)) * 40 and length.value == 10000
sys.stdin.read()
assert comm.closeServer() == 0
"""


def test_short_calls_address_a_peer_by_ip() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER_BY_ADDRESS, IP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin and server.stdout
        port = int(server.stdout.readline())
        comm = hmc.hmc.Communicator(hmc.hmc.ConnBuffer(0, 4096, 1))
        assert comm.writeTo(IP, 0, 1) is hmc.status_t.NOT_FOUND
        assert comm.connectTo(IP, port, RDMA) is hmc.status_t.SUCCESS  # type: ignore[call-arg, arg-type]
        assert comm.checkConn(IP, RDMA) is hmc.status_t.SUCCESS and comm.checkConn(IP, UCX) is hmc.status_t.NOT_FOUND
        assert comm._buffer.writeFromCpu(b"hello", 5, 16) == 0
        assert comm.send(IP, 16, 5) is hmc.status_t.SUCCESS
        assert comm.recv(IP, 48, 4) is hmc.status_t.SUCCESS and comm.readFrom(IP, 16, 5) is hmc.status_t.SUCCESS
        data = ctypes.create_string_buffer(bytes(range(250)) * 40, 10000)
        sent = comm.sendDataTo(IP, ctypes.addressof(data), 10000, hmc.MemoryType.CPU)  # type: ignore[call-arg, arg-type]
        assert sent is hmc.status_t.SUCCESS
        assert comm.disConnect(IP, RDMA) is hmc.status_t.SUCCESS and comm.checkConn(IP, RDMA) is hmc.status_t.NOT_FOUND
        server.stdin.close()
    assert server.returncode == 0


def test_ended_server_can_restart(tmp_path: Path) -> None:
    session = hmc.create_session(buffer_size=KIB)
    assert session.id is None
    for rank in (3, 4):
        serve(session, tmp_path, rank)
        assert session.id == rank and session.local_ip == IP and session.ctrl_uds_dir == str(tmp_path)
        assert Path(hmc.Communicator.udsPathFor(str(tmp_path), rank)).exists()
        session.close_server()
        assert not Path(hmc.Communicator.udsPathFor(str(tmp_path), rank)).exists()
    session.close_server()


def test_unclosed_session_leaves_no_socket_file(tmp_path: Path) -> None:
    """What a child leaves that it forked is its parent's."""
    path = hmc.Communicator.udsPathFor(str(tmp_path), 0)
    program = f"""
import os, hmc
assert hmc.Communicator(hmc.ConnBuffer(0, 64, hmc.MemoryType.CPU)).initCtrlServer("", 0, {path!r}) == 0
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0 and os.path.exists({path!r})
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    assert list(tmp_path.iterdir()) == []


def test_streams_accept_raw_addresses(pair: Pair) -> None:
    """Pointers are numbers, and the length goes to an address."""
    pair.connect()
    for nbytes in (1, MIB - 1, 3 * MIB + 5):
        data = (ctypes.c_ubyte * nbytes)(*bytes(at * 7 % 251 for at in range(min(nbytes, 1000))))
        room = (ctypes.c_ubyte * (nbytes + 8))()
        flag = ctypes.c_size_t(0)
        failures: list[BaseException] = []

        def receive() -> None:
            try:
                pair.server.recv_data_from(
                    IP, 0, ctypes.addressof(room), nbytes + 8, hmc.MemoryType.CPU, ctypes.addressof(flag)
                )
            except BaseException as error:
                failures.append(error)

        receiver = threading.Thread(target=receive)
        receiver.start()
        pair.client.send_data_to(IP, pair.rdma, ctypes.addressof(data), nbytes, hmc.MemoryType.CPU)
        receiver.join(60)
        assert not failures and not receiver.is_alive(), failures
        assert flag.value == nbytes and bytes(room) == bytes(data) + bytes(8)
