# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Two processes on one GPU of NVIDIA, by HMC: right bytes, tags behind data, tensors of torch, and figures beside plain copies
of the driver. Prints its findings, and ends with 1 at the first wrong byte. Needs no launcher; torch for tensors::

    python3 benches/hmc_on_gpu.py [--rounds 10000]
    mf sim --devices 0 --gpus 1:cuda DIR -- python3 benches/hmc_on_gpu.py --rounds 20     # figures mean nothing there
"""

from __future__ import annotations

import argparse
import ctypes
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import hmc

IP = "127.0.0.1"
UCX = hmc.ConnType.UCX
BUFFER_BYTES = 160 << 20
SIZES = [1, 7, 4096, 65537, (9 << 20) + 123, 64 << 20]
TAGGED = [64, 4 << 10, 64 << 10, 1 << 20, 8 << 20]
DTYPES = (
    "uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 bool uint16 uint32 uint64 float8_e4m3fn "
    "float8_e5m2"
).split()


def torch_with_gpu() -> Any:
    """Torch; None where it is not there, or has no GPU."""
    try:
        import torch
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


def pattern(seed: int, nbytes: int) -> bytes:
    """Bytes that no other seed has."""
    some = random.Random(seed).randbytes(min(nbytes, 1 << 16))
    return (some * (nbytes // max(len(some), 1) + 1))[:nbytes]


class Driver:
    """The driver's own copies."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxPushCurrent_v2", context)

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise SystemExit(f"{name} answers {status}")

    def name(self) -> str:
        """The GPU's name."""
        text = ctypes.create_string_buffer(128)
        self.call("cuDeviceGetName", text, 127, 0)
        return text.value.decode()

    def memory(self, nbytes: int) -> ctypes.c_uint64:
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(nbytes))
        return address

    def pinned(self, nbytes: int) -> ctypes.c_void_p:
        address = ctypes.c_void_p()
        self.call("cuMemHostAlloc", ctypes.byref(address), ctypes.c_size_t(nbytes), 3)
        return address

    def copy(self, name: str, to: Any, source: Any, nbytes: int) -> None:
        """A copy that is done on return."""
        self.call(name, to, source, ctypes.c_size_t(nbytes))
        self.call("cuStreamSynchronize", None)


def words(session: hmc.Session, torch: Any, nbytes: int) -> Any:
    """The front of the buffer as a tensor of 64-bit numbers."""
    described = {"shape": (nbytes,), "typestr": "|u1", "data": (session.buf.ptr, False), "strides": None, "version": 3}
    view = type("View", (), {"__cuda_array_interface__": described})()
    return torch.as_tensor(view, device="cuda").view(torch.int64)


def serve(session: hmc.Session, receive: Callable[[], int], rounds: int) -> None:
    """The listening end, which checks received data."""
    torch = torch_with_gpu()
    for nbytes in SIZES:
        seed = receive()
        assert session.buf.buffer_get_cpu(nbytes=nbytes, offset=16) == pattern(seed, nbytes), f"put of {nbytes} bytes"
        session.buf.put(pattern(seed + 1, nbytes), offset=16)
        session.ctrl_send(1, 0)
    for nbytes in TAGGED:
        stale, view = 0, words(session, torch, nbytes) if torch else None
        for _ in range(rounds):
            tag = receive()
            if view is not None:
                stale += bool((view != tag).any().item())
            else:
                places = (0, nbytes // 2, nbytes - 8)
                stale += any(session.buf.buffer_get_cpu(nbytes=8, offset=at) != tag.to_bytes(8, "little") for at in places)
            session.ctrl_send(1, 0)
        print(f"tags behind {nbytes} bytes: {stale} stale reads of {rounds}", flush=True)
        assert stale == 0
    if torch:
        for number, name in enumerate(DTYPES):
            nbytes, wanted = receive(), tensor(torch, number, name)
            here = torch.zeros(wanted.numel() * wanted.element_size(), dtype=torch.uint8, device="cuda").view(wanted.dtype)
            session.buf.get_into(here, nbytes=nbytes)
            assert bytes_of(torch, here) == bytes_of(torch, wanted.t()), name
            session.ctrl_send(1, 0)
    receive()


def tensor(torch: Any, number: int, name: str) -> Any:
    """A tensor of a type, of 24 rows and 40 columns."""
    dtype = getattr(torch, name)
    size = torch.empty(0, dtype=dtype).element_size()
    raw = torch.frombuffer(bytearray(pattern(number, 24 * 40 * size)), dtype=torch.uint8)
    return (raw % 2 if dtype == torch.bool else raw).view(dtype).reshape(24, 40)


def bytes_of(torch: Any, of: Any) -> bytes:
    """Its elements in C order."""
    packed = of.cpu().contiguous()
    return bytes(packed.flatten().view(torch.uint8).numpy())


def dial(session: hmc.Session, receive: Callable[[], int], rounds: int, port: int) -> None:
    """The end that connects, and puts."""
    torch, driver = torch_with_gpu(), Driver()

    def sent(tag: int) -> None:
        session.ctrl_send(0, tag)
        receive()

    for nbytes in SIZES:
        session.buf.put(pattern(nbytes, nbytes), offset=24)
        session.put_remote(IP, port, 24, 16, nbytes, UCX)
        sent(nbytes)
        session.get_remote(IP, port, 56, 16, nbytes, UCX)
        assert session.buf.buffer_get_cpu(nbytes=nbytes, offset=56) == pattern(nbytes + 1, nbytes), f"get of {nbytes} bytes"
    print(f"bytes of {SIZES} are right", flush=True)
    for nbytes in TAGGED:
        view = words(session, torch, nbytes) if torch else None
        for tag in range(1, rounds + 1):
            if view is not None:
                view.fill_(tag)
                torch.cuda.synchronize()
            else:
                session.buf.put(tag.to_bytes(8, "little") * (nbytes // 8))
            session.put_remote(IP, port, 0, 0, nbytes, UCX)
            sent(tag)
    if torch:
        for number, name in enumerate(DTYPES):
            # With gaps, and behind a kernel on the current stream.
            source = tensor(torch, number, name).cuda()
            sent(session.buffer_put_then_put(IP, port, source.t(), conn=UCX))
        print(f"tensors of {len(DTYPES)} types are right", flush=True)
    else:
        print("skipped: tensors need torch with CUDA", flush=True)
    figures(session, driver, port)
    session.ctrl_send(0, 0)


def figures(session: hmc.Session, driver: Driver, port: int) -> None:
    """Ours beside the driver's."""
    most = 64 << 20
    to, source, pinned, pageable = driver.memory(most), driver.memory(most), driver.pinned(most), bytearray(most)
    host = (ctypes.c_char * most).from_buffer(pageable)
    assert pinned.value is not None
    fixed = memoryview((ctypes.c_char * most).from_address(pinned.value))

    def median(copy: Callable[[], Any], count: int) -> float:
        times = []
        for _ in range(count):
            start = time.perf_counter()
            copy()
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    print(driver.name(), flush=True)
    # Methods are measured before one is chosen, and memory is mapped at first use.
    for _ in range(12):
        session.put_remote(IP, port, 0, 0, most, UCX)
        session.buf.put(pageable)
        session.buf.get_into(pageable, nbytes=most)
    for nbytes, count in ((8, 500), (1 << 20, 100), (16 << 20, 20), (most, 20)):
        part = memoryview(pageable)[:nbytes]
        rows: list[tuple[str, Callable[[], Any]]] = [
            ("device to device, driver", lambda: driver.copy("cuMemcpyDtoD_v2", to, source, nbytes)),
            ("put to the other process", lambda: session.put_remote(IP, port, 0, 0, nbytes, UCX)),
            ("get from it", lambda: session.get_remote(IP, port, 0, 0, nbytes, UCX)),
            ("pinned to the device, driver", lambda: driver.copy("cuMemcpyHtoD_v2", to, pinned, nbytes)),
            ("pinned to the buffer", lambda: session.buf.put(fixed[:nbytes])),
            ("pinned from the device, driver", lambda: driver.copy("cuMemcpyDtoH_v2", pinned, source, nbytes)),
            ("pinned from the buffer", lambda: session.buf.get_into(fixed[:nbytes], nbytes=nbytes)),
            ("pageable to the device, driver", lambda: driver.copy("cuMemcpyHtoD_v2", to, host, nbytes)),
            ("pageable to the buffer", lambda: session.buf.put(part)),
            ("pageable from the device, driver", lambda: driver.copy("cuMemcpyDtoH_v2", host, source, nbytes)),
            ("pageable from the buffer", lambda: session.buf.get_into(part, nbytes=nbytes)),
        ]
        for name, copy in rows:
            taken = median(copy, count)
            print(f"{nbytes:9} bytes {name:34} {taken * 1e6:10.1f} us {nbytes / taken / 1e9:8.2f} GB/s", flush=True)


def side(role: str, rounds: int, ports: list[int]) -> None:
    """One of the two processes."""
    session = hmc.create_session(buffer_size=BUFFER_BYTES, mem_type=hmc.MemoryType.NVIDIA_GPU, local_ip=IP)
    ucx, rdma, ctrl = ports
    peer = 1 if role == "server" else 0
    deadline = time.monotonic() + 60

    def patiently(call: Callable[[], Any]) -> Any:
        while True:
            try:
                return call()
            except hmc.HMCStatusError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    # Until the peer has connected there is no link to it.
    is_met = False

    def receive() -> int:
        nonlocal is_met
        tag: int = session.ctrl_recv(peer) if is_met else patiently(lambda: session.ctrl_recv(peer))
        is_met = True
        return tag

    if role == "server":
        session.init_server(bind_ip=IP, ucx_port=ucx, rdma_port=rdma, ctrl_tcp_port=ctrl, self_id=0)
        serve(session, receive, rounds)
    else:
        patiently(
            lambda: session.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=ucx, ctrl_tcp_port=ctrl, conn=UCX)
        )
        dial(session, receive, rounds, ucx)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--role", choices=["server", "client"])
    parser.add_argument("--ports", type=int, nargs=3)
    arguments = parser.parse_args()
    if arguments.role:
        side(arguments.role, arguments.rounds, arguments.ports)
        return
    probes = [socket.create_server((IP, 0)) for _ in range(3)]
    ports = [str(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    common = [sys.executable, __file__, "--rounds", str(arguments.rounds), "--ports", *ports]
    both = [subprocess.Popen([*common, "--role", role]) for role in ("server", "client")]
    # Until both have ended, or one has failed.
    while any(process.poll() is None for process in both) and not any(process.poll() for process in both):
        time.sleep(0.05)
    for process in both:
        if process.poll() is None:
            process.kill()
    sys.exit(any(process.wait() for process in both))


if __name__ == "__main__":
    main()
