# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``hmc`` in the memory of GPUs. Run it inside `mf sim --devices 0 --gpus 2:cuda,1:hip DIR --`, or where both vendors' GPUs are."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import textwrap
import threading
import types
from pathlib import Path
from typing import Any

import hmc
import pytest

import ranks
from gpus import CupyArray, DlpackArray, Gpu, torch_of
from test_hmc import serve
from test_hmc_buffers import kinds_of_memory
from test_hmc_groups import GROUP, WORLDS
from test_hmc_jobs import PRELUDE

IP, KIB, MIB = "127.0.0.1", 1 << 10, 1 << 20
CPU, NVIDIA, AMD = hmc.MemoryType.CPU, hmc.MemoryType.NVIDIA_GPU, hmc.MemoryType.AMD_GPU
DATA, OTHER = bytes(range(256)) * 16, bytes(reversed(range(256))) * 16
N = len(DATA)

pytestmark = pytest.mark.skipif(
    len(kinds_of_memory()) < 3,
    reason="this machine has no GPUs of NVIDIA and AMD; run it inside `mf sim --devices 0 --gpus 2:cuda,1:hip DIR --`",
)


@pytest.fixture(params=[NVIDIA, AMD], ids=lambda kind: kind.name)
def gpu(request: pytest.FixtureRequest) -> Gpu:
    return Gpu(request.param)


@pytest.fixture
def buffer(gpu: Gpu) -> hmc.IOBuffer:
    return hmc.IOBuffer.create(0, 64 * KIB, gpu.kind)


def test_reports_present_devices() -> None:
    assert hmc.memory_supported() is NVIDIA and hmc.Memory(0).getMemoryType() is NVIDIA
    default = hmc.IOBuffer.create(0, KIB)
    assert default.mem_type is hmc.MemoryType.DEFAULT and default.core.resolved_type is NVIDIA
    for kind, devices in ((NVIDIA, 2), (AMD, 1)):
        for device in range(devices):
            made = hmc.create_session(device_id=device, buffer_size=KIB, mem_type=kind).buf
            assert made.mem_type is kind and made.device_id == device and made.put(b"here", offset=KIB - 4) == 4
            assert made.buffer_get_cpu(nbytes=4, offset=KIB - 4) == b"here"
        with pytest.raises(hmc.HMCStatusError) as missing:
            hmc.create_session(device_id=devices, buffer_size=KIB, mem_type=kind)
        assert missing.value.status is hmc.status_t.UNSUPPORT and missing.value.reason


def test_addresses(gpu: Gpu, buffer: hmc.IOBuffer) -> None:
    there, back = gpu.allocate(N), gpu.allocate(N)
    gpu.upload(there, DATA)
    assert buffer.put(there, nbytes=N, offset=10, device="ptr") == N
    assert buffer.buffer_get_cpu(nbytes=N, offset=10) == DATA
    buffer.get_into(back, nbytes=N - 1, offset=11, device="ptr")
    assert gpu.download(back, N - 1) == DATA[1:]
    for call in (buffer.buffer_put_gpu_ptr, buffer.buffer_get_gpu_ptr):
        for nbytes, offset in ((N, 64 * KIB - N + 1), (2, (1 << 64) - 1)):
            with pytest.raises(hmc.HMCStatusError):
                call(there, nbytes=nbytes, offset=offset)
        # Memory that the driver does not know.
        with pytest.raises(hmc.HMCStatusError) as unknown:
            call(64, nbytes=16)
        assert unknown.value.reason
    status, block = hmc.Memory(0, gpu.kind).allocateBuffer(N)
    assert status == 0 and block is not None
    with pytest.raises(BufferError):
        memoryview(block)
    buffer.get_into(block.ptr, nbytes=N, offset=10, device="ptr")
    assert gpu.download(block.ptr, N) == DATA


def test_tensor_copies_follow_their_stream(
    gpu: Gpu, buffer: hmc.IOBuffer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = gpu.stream()
    torch = torch_of(gpu, stream)
    monkeypatch.setitem(sys.modules, "torch", torch)
    place, after = gpu.allocate(N), gpu.allocate(N)
    tensor = torch.Tensor(place, N // 2)
    assert hmc.memory_type_from_torch_tensor(tensor) is gpu.kind
    gpu.fill_late(place, DATA, stream)
    assert buffer.put(tensor, offset=3) == N and buffer.buffer_get_cpu(nbytes=N, offset=3) == DATA
    # Pending writes of the tensor come before the buffer's bytes, and work queued next sees those.
    gpu.fill_late(place, OTHER, stream)
    buffer.get_into(tensor, nbytes=N, offset=3)
    gpu.copy(after, place, N, stream)
    gpu.synchronize(stream)
    assert gpu.download(after, N) == DATA
    gpu.fill_late(place, OTHER, stream)
    assert buffer.put(torch.Tensor(place, 100, contiguous=False)) == 200
    assert buffer.buffer_get_cpu(nbytes=200) == b"".join(OTHER[at : at + 2] for at in range(0, 400, 4))
    assert buffer.put(torch.Tensor(place, 0)) == 0 and buffer.put(torch.Tensor(place, 1), nbytes=1, device="cuda") == 1
    assert buffer.buffer_get_cuda(tensor) == N
    for wrong in (
        lambda: buffer.get_into(torch.Tensor(place, 4, contiguous=False), nbytes=8),
        lambda: buffer.get_into(torch.Tensor(place, 4), nbytes=9),
        lambda: buffer.put(torch.Tensor(place, 4), device="cpu"),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_cuda_array_interface_copies_follow_their_stream(gpu: Gpu, buffer: hmc.IOBuffer) -> None:
    place, after, own = gpu.allocate(N), gpu.allocate(N), gpu.stream()
    # The default stream is 1 there; of an array of an older version it is not known that there is another.
    for queue, named in ((own, {"stream": own}), (0, {"stream": 1}), (0, {"version": 2})):
        array = CupyArray(place, N, **named)
        gpu.fill_late(place, DATA, queue)
        assert buffer.put(array, offset=5) == N and buffer.buffer_get_cpu(nbytes=N, offset=5) == DATA, named
        gpu.fill_late(place, OTHER, queue)
        buffer.get_into(array, nbytes=N, offset=5)
        gpu.copy(after, place, N, queue)
        gpu.synchronize(queue)
        assert gpu.download(after, N) == DATA, named
    for shape, strides, nbytes in (((), None, 2), ((0, 3), (2, 2), 0), ((2, 3), (6, 2), 12), ((1, 3), (99, 2), 6)):
        assert buffer.put(CupyArray(place, N, shape=shape, strides=strides)) == nbytes
    assert buffer.put(CupyArray(0, 0)) == 0
    for wrong in (
        {"shape": (2, 3), "strides": (2, 4)}, {"strides": (-2,)}, {"strides": (4,)}, {"typestr": "|O8"},
        {"mask": CupyArray(place, N)},
    ):  # fmt: skip
        for call in (buffer.put, lambda array: buffer.get_into(array, nbytes=1)):
            with pytest.raises(ValueError):
                call(CupyArray(place, N, **wrong))
    with pytest.raises(ValueError, match="read-only"):
        buffer.get_into(CupyArray(place, N, data=(place, True)), nbytes=1)


def test_arrays_enter_by_dlpack_behind_the_default_stream(gpu: Gpu, buffer: hmc.IOBuffer) -> None:
    place, after = gpu.allocate(N), gpu.allocate(N)
    device, default = (2, 1) if gpu.kind is NVIDIA else (10, 0)
    array = DlpackArray(device, place, (2, N // 4))
    gpu.fill_late(place, DATA, 0)
    assert buffer.put(array, offset=7) == N and buffer.buffer_get_cpu(nbytes=N, offset=7) == DATA
    gpu.fill_late(place, OTHER, 0)
    buffer.get_into(array, nbytes=N, offset=7)
    gpu.copy(after, place, N, 0)
    gpu.synchronize(0)
    assert gpu.download(after, N) == DATA and array.streams == [default] * 2
    assert buffer.put(DlpackArray(device, place, ())) == 2 and buffer.put(DlpackArray(device, place, (0, 4))) == 0
    if gpu.kind is NVIDIA:
        assert buffer.put(DlpackArray(13, place, (4,)), device="cuda") == 8
    for strides in ((1, 2), (8, 2), (-4, 1)):
        with pytest.raises(ValueError, match="contiguous"):
            buffer.put(DlpackArray(device, place, (2, 4), strides))
    with pytest.raises(ValueError, match="read-only"):
        buffer.get_into(DlpackArray(device, place, (4,), read_only=True), nbytes=1)
    for wrong, more in ((DlpackArray(7, place, (4,)), {}), (array, {"device": "cpu"})):
        with pytest.raises(ValueError, match="device type"):
            buffer.put(wrong, **more)
        with pytest.raises(ValueError, match="device type"):
            buffer.get_into(wrong, nbytes=1, **more)


def test_memory_of_another_device_is_refused_or_copied(gpu: Gpu) -> None:
    """A buffer of the processor refuses, by the interface; of another vendor, the driver."""
    place = gpu.allocate(N)
    gpu.upload(place, DATA)
    for other in {CPU, NVIDIA, AMD} - {gpu.kind}:
        buffer = hmc.IOBuffer.create(0, N, other)
        buffer.put(OTHER)
        for call in (buffer.put, lambda array: buffer.get_into(array, nbytes=N)):
            with pytest.raises(hmc.HMCStatusError) as caught:
                call(CupyArray(place, N))
            assert caught.value.status is hmc.status_t.ERROR and caught.value.reason
        assert buffer.buffer_get_cpu(nbytes=N) == OTHER and gpu.download(place, N) == DATA
    if gpu.kind is NVIDIA:
        second = hmc.IOBuffer.create(1, N, NVIDIA)
        second.put(CupyArray(place, N))
        assert second.buffer_get_cpu(nbytes=N) == DATA


def test_all_to_all_of_arrays_of_a_gpu(gpu: Gpu) -> None:
    session = hmc.create_session(buffer_size=64 * KIB, mem_type=gpu.kind)
    member = hmc.collective.GroupMember(0, 1, IP, 1, 2, 3, int(gpu.kind), 0, 64 * KIB)
    group = hmc.Group(session=session, members=[member], rank=0)
    group._meeting = types.SimpleNamespace(barrier=lambda: None)
    source, target, stream = gpu.allocate(N), gpu.allocate(N), gpu.stream()
    gpu.fill_late(source, DATA, stream)
    hmc.alltoall(group, CupyArray(source, N, stream=stream), CupyArray(target, N, stream=stream))
    assert gpu.download(target, N) == DATA


def test_streams_between_gpus(tmp_path: Path) -> None:
    """Memory of one vendor's GPU, through the buffers, to another vendor's."""
    one, other = Gpu(NVIDIA), Gpu(AMD)
    server = hmc.create_session(buffer_size=8 * KIB, mem_type=AMD, local_ip=IP)
    _, rdma, ctrl = serve(server, tmp_path)
    client = hmc.create_session(buffer_size=8 * KIB, mem_type=NVIDIA, local_ip=IP)
    client.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=rdma, ctrl_tcp_port=ctrl, uds_dir=str(tmp_path))
    nbytes = 5 * N + 3
    data = (DATA + OTHER) * 2 + DATA + b"end"
    source, target, flag = one.allocate(nbytes), other.allocate(nbytes), ctypes.c_size_t(0)
    one.upload(source, data)
    failures: list[BaseException] = []

    def receive() -> None:
        try:
            server.recv_data_from(IP, 0, target, nbytes, AMD, ctypes.addressof(flag))
        except BaseException as error:
            failures.append(error)

    receiver = threading.Thread(target=receive, daemon=True)
    receiver.start()
    client.send_data_to(IP, rdma, source, nbytes, NVIDIA)
    receiver.join(60)
    assert not failures and flag.value == nbytes and other.download(target, nbytes) == data, failures
    server.close_server()


#: A process with a server for each kind of memory. A tag names a kind and a size; the bytes that were put before it are checked,
#: and put back reversed.
SERVERS = """
folder, conns, kinds = sys.argv[1], [hmc.ConnType.RDMA, hmc.ConnType.UCX], json.loads(sys.argv[2])
sessions = [hmc.create_session(buffer_size=4 * MIB, mem_type=kind, device_id=device) for kind, device in kinds]
print(json.dumps([serve(session, 0, folder) for session in sessions]), flush=True)
clients = json.loads(sys.stdin.readline())
until(lambda: sessions[0].ctrl_recv(1))
number = 0
while tag := sessions[0].ctrl_recv(1):
    own, theirs, conn, nbytes = tag >> 40, (tag >> 36) & 15, (tag >> 32) & 15, tag & 0xFFFF_FFFF
    found = sessions[own].buf.buffer_get_cpu(nbytes=nbytes, offset=3)
    assert found == pattern(number, nbytes), f"{kinds[own]} from {kinds[theirs]}, {nbytes} bytes by {conns[conn]}: stale"
    back = found[::-1]
    sessions[own].buffer_put_then_put(IP, clients[theirs][conn], back, local_off=2 * MIB, remote_off=2 * MIB + 5, conn=conns[conn])
    sessions[0].ctrl_send(1, number)
    number += 1
print("alive", flush=True)
"""


@pytest.mark.parametrize("shared", ["true", "false"])
def test_sessions_connect_every_pair_of_memory_kinds(tmp_path: Path, shared: str) -> None:
    """Where memory is mapped, and as if the two were on hosts of their own."""
    here = subprocess.run(
        [sys.executable, "-c", PRELUDE + CLIENTS, str(tmp_path), json.dumps(KINDS), PRELUDE + SERVERS],
        env=ranks.plain_environment(MF_SHM=shared), capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )  # fmt: skip
    assert here.returncode == 0 and here.stdout == "alive\n", here


KINDS = [(int(CPU), 0), (int(NVIDIA), 1), (int(AMD), 0)]
SIZES = [1, 4096, 100_003, MIB]

CLIENTS = """
import subprocess
folder, kinds, conns = sys.argv[1], json.loads(sys.argv[2]), [hmc.ConnType.RDMA, hmc.ConnType.UCX]
other = subprocess.Popen([sys.executable, "-c", sys.argv[3], folder, sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    servers = json.loads(other.stdout.readline())
    sessions = [hmc.create_session(buffer_size=4 * MIB, mem_type=kind, device_id=device, local_ip=IP) for kind, device in kinds]
    own = [serve(session, 1, folder) for session in sessions]
    other.stdin.write(json.dumps([(rdma, ucx) for ucx, rdma, _ in own]) + "\\n")
    other.stdin.flush()
    number = 0
    for theirs, (ucx, rdma, ctrl) in enumerate(servers):
        for mine, session in enumerate(sessions):
            for which, conn in enumerate(conns):
                port = (rdma, ucx)[which]
                session.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=port, ctrl_tcp_port=ctrl, uds_dir=folder, conn=conn)
                if number == 0:
                    session.ctrl_send(0, 1)
                for nbytes in SIZES:
                    data = pattern(number, nbytes)
                    session.buf.put(data, offset=9)
                    if nbytes > 50_000:
                        session.put_pipeline(IP, port, 9, 3, nbytes, chunk_size=30_000, max_inflight=4, conn=conn)
                    else:
                        session.wait(session.put_nb(IP, port, 9, 3, nbytes, conn))
                    session.ctrl_send(0, theirs << 40 | mine << 36 | which << 32 | nbytes)
                    assert session.ctrl_recv(0) == number
                    pair = f"{kinds[mine]} and {kinds[theirs]}, {nbytes} bytes by {conn}"
                    assert session.buf.buffer_get_cpu(nbytes=nbytes, offset=2 * MIB + 5) == data[::-1], pair
                    out = bytearray(nbytes)
                    session.get_then_buffer_get_into(IP, port, out, local_off=MIB, remote_off=2 * MIB, conn=conn)
                    assert out == data[::-1], pair
                    session.get_remote(IP, port, 0, 3, nbytes, conn)
                    assert session.buf.buffer_get_cpu(nbytes=nbytes) == data, pair
                    number += 1
    sessions[0].ctrl_send(0, 0)
    print(other.stdout.readline(), end="")
    assert other.wait(60) == 0
finally:
    other.kill()
    other.wait()
""".replace("SIZES", str(SIZES))


#: A process with a buffer on a GPU, which says whether the bytes of a line's pattern are there.
HOLDER = """
session = hmc.create_session(buffer_size=4 * MIB, mem_type=int(sys.argv[2]), device_id=int(sys.argv[3]))
print(json.dumps(serve(session, 0, sys.argv[1])), flush=True)
for line in sys.stdin:
    seed, nbytes = map(int, line.split())
    print(session.buf.buffer_get_cpu(nbytes=nbytes, offset=3) == pattern(seed, nbytes), flush=True)
"""

HOST_TO_GPU = """
import ctypes, subprocess
folder, kind, device, library, source = sys.argv[1:]
may_open = os.environ["MF_DEVICE"] != "none"

def is_open():
    with open("/proc/self/maps") as maps:
        return any("gpu_sim" in line or library in line for line in maps)

def put(seed, nbytes):
    session.buf.put(pattern(seed, nbytes), offset=9)
    session.put_remote(IP, rdma, 9, 3, nbytes)
    holder.stdin.write(f"{seed} {nbytes}\\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "True\\n", nbytes

def get(seed, nbytes):
    session.get_remote(IP, rdma, MIB, 3, nbytes)
    assert session.buf.buffer_get_cpu(nbytes=nbytes, offset=MIB) == pattern(seed, nbytes), nbytes

holder = subprocess.Popen([sys.executable, "-c", source, folder, kind, device], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    ucx, rdma, ctrl = json.loads(holder.stdout.readline())
    session = hmc.create_session(buffer_size=4 * MIB, mem_type=hmc.MemoryType.CPU, local_ip=IP)
    session.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=rdma, ctrl_tcp_port=ctrl, uds_dir=folder)
    put(1, 4096)
    assert not is_open(), "for a short copy"
    put(2, 2 * MIB)
    get(2, 2 * MIB)
    assert is_open() == may_open
    if may_open:
        # The simulator counts the calls of this process.
        count = getattr(ctypes.CDLL(library), "gpusim_calls", None)
        for seed, nbytes in enumerate([8, 4096, 2 * MIB]):
            for copy in put, get:
                before = count and count()
                copy(seed, nbytes)
                assert count is None or count() > before, "copied by another carrier"
    holder.stdin.close()
    assert holder.wait(60) == 0
finally:
    holder.kill()
    holder.wait()
"""


@pytest.mark.parametrize(("kind", "device", "library", "choice"), [
    (NVIDIA, 1, "libcuda.so.1", "auto"), (AMD, 0, "libamdhip64.so.7", "auto"), (NVIDIA, 0, "libcuda.so.1", "none"),
])  # fmt: skip
def test_host_memory_process_copies_to_gpu_through_the_driver(
    tmp_path: Path, kind: hmc.MemoryType, device: int, library: str, choice: str
) -> None:
    """From the first longer copy on; never where ``MF_DEVICE=none``."""
    arguments = [str(tmp_path), str(int(kind)), str(device), library, PRELUDE + HOLDER]
    here = subprocess.run(
        [sys.executable, "-c", PRELUDE + HOST_TO_GPU, *arguments], env=ranks.plain_environment(MF_DEVICE=choice),
        capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )  # fmt: skip
    assert here.returncode == 0, here


def test_all_to_all_of_every_kind_of_memory(tmp_path: Path) -> None:
    """Worlds of 1 to 4; to MF_TEST_WORLD where that is set."""
    world = int(os.environ.get("MF_TEST_WORLD", "4"))
    memory = json.dumps([(int(NVIDIA), 0), (int(AMD), 0), (int(CPU), 0), (int(NVIDIA), 1)])
    source = PRELUDE + textwrap.dedent(GROUP) + textwrap.dedent(WORLDS)
    for process in ranks.run_ranks([sys.executable, "-c", source, str(tmp_path)], world, {"MEMORY": memory}):
        assert process.returncode == 0, f"rank {process.rank}:\n{process.stderr}"
