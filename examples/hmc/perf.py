#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Time of a put from Python, with a message behind it that the server answers after it has read its buffer.

Run: python3 examples/hmc/perf.py --role server, and python3 examples/hmc/perf.py --role client --server-ip 127.0.0.1

One round is: stage into the buffer, put_remote to the same offset, a line over a TCP socket of the program's own, the answer. The bytes
that are put begin and end with the number of the round; the server counts rounds in which it finds another one (stale).
"""

import argparse
import socket
import struct
import time

import hmc

RDMA, UCX = hmc.ConnType.RDMA, hmc.ConnType.UCX


def number(text: str) -> int:
    return int(text[:-1]) << {"k": 10, "m": 20, "g": 30}[text[-1].lower()] if text[-1].isalpha() else int(text)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--role", choices=("server", "client"), required=True)
    for name, default in (("bind-ip", "0.0.0.0"), ("server-ip", "127.0.0.1"), ("local-ip", None), ("ctrl-bind-ip", "0.0.0.0"),
                          ("ctrl-ip", None), ("ctrl-uds-dir", "/tmp"), ("sizes", "64,256,1k,4k,64k,1m,4m,16m,64m")):  # fmt: skip
        parser.add_argument(f"--{name}", default=default)
    for name, number_ in (("ucx-port", 2025), ("rdma-port", 2026), ("ctrl-port", 2027), ("ctrl-tcp-port", 0), ("buffer-size", 1 << 27),
                          ("iters", 200), ("warmup", 20), ("device", 0), ("self-rank", None), ("peer-rank", None)):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=number_)
    parser.add_argument("--verify", action="store_true", help="read all bytes, not their ends alone")
    parser.add_argument("--gpu", action="store_true", help="buffers in the memory of the first kind of accelerator that is there")
    parser.add_argument("--gpu-conn", choices=("rdma", "ucx", "both"), default="rdma")
    found = parser.parse_args()
    is_server = found.role == "server"
    found.self_rank = (0 if is_server else 1) if found.self_rank is None else found.self_rank
    found.peer_rank = (1 if is_server else 0) if found.peer_rank is None else found.peer_rank
    # The program's own port comes first, then HMC's control channel.
    found.ctrl_tcp_port = found.ctrl_tcp_port or found.ctrl_port + 1
    return found


class Lines:
    """Texts over a socket, each behind its length in 4 bytes."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        self._file = connection.makefile("rb")

    def send(self, text: str) -> None:
        self._connection.sendall(struct.pack(">I", len(text)) + text.encode())

    def receive(self) -> str:
        head = self._file.read(4)
        return self._file.read(struct.unpack(">I", head)[0]).decode() if len(head) == 4 else "BYE"

    def ask(self, text: str) -> str:
        self.send(text)
        answer = self.receive()
        if answer.startswith("ERR_") or answer == "BYE":
            raise SystemExit(f"the server answers {answer} to {text}")
        return answer


def create(found: argparse.Namespace) -> hmc.Session:
    kind = hmc.memory_supported() if found.gpu else hmc.MemoryType.CPU
    return hmc.create_session(
        device_id=found.device, buffer_size=found.buffer_size, mem_type=kind, local_ip=found.local_ip or found.server_ip
    )


def server(found: argparse.Namespace) -> None:
    begun = time.perf_counter()
    session = create(found)
    session.init_server(
        bind_ip=found.bind_ip, ucx_port=found.ucx_port, rdma_port=found.rdma_port, ctrl_tcp_port=found.ctrl_tcp_port,
        self_id=found.self_rank, ctrl_uds_dir=found.ctrl_uds_dir,
    )  # fmt: skip
    opened = time.perf_counter() - begun
    with socket.create_server((found.ctrl_bind_ip, found.ctrl_port)) as listener:
        print(f"server: serves after {opened * 1e3:.1f} ms", flush=True)
        lines = Lines(listener.accept()[0])
    stale, answer = 0, "OK"
    while answer != "BYE":
        word, *rest = lines.receive().split()
        if word == "DONE":
            size, round_ = map(int, rest)
            stamp = struct.pack("<Q", round_)[:size]
            ends = [session.buf.buffer_get_cpu(nbytes=len(stamp), offset=at) for at in (0, max(size - 8, 0))]
            between = session.buf.buffer_get_cpu(nbytes=size - 16, offset=8) if found.verify and size > 16 else b""
            stale += ends != [stamp, stamp] or between.count(b"A") != len(between)
            answer = "ACK"
        elif word == "CASE_END":
            answer, stale = f"OK {stale}", 0
        else:
            answer = {"HELLO": "OK", "MODE": "OK", "BYE": "BYE"}.get(word, f"ERR_UNKNOWN {word}")
        lines.send(answer)
    begun = time.perf_counter()
    session.close_server()
    print(f"server: setup and end took {(opened + time.perf_counter() - begun) * 1e3:.1f} ms", flush=True)


def client(found: argparse.Namespace) -> None:
    session = create(found)
    lines = Lines(socket.create_connection((found.ctrl_ip or found.server_ip, found.ctrl_port)))
    lines.ask(f"HELLO {found.self_rank}")
    kinds = {"rdma": [RDMA], "ucx": [UCX], "both": [RDMA, UCX]}[found.gpu_conn if found.gpu else "both"]
    sizes = [size for size in map(number, found.sizes.split(",")) if size <= found.buffer_size]
    data = memoryview(b"A" * max(sizes))
    print("conn      size  iters      MiB/s     Gbps  avg RTT (us)   put (us)  stale")
    times: dict[tuple[str, int], float] = {}
    for kind in kinds:
        port, name = (found.rdma_port if kind == RDMA else found.ucx_port), kind.name.lower()
        lines.ask(f"MODE {name}")
        begun = time.perf_counter()
        session.connect(
            peer_id=found.peer_rank, self_id=found.self_rank, peer_ip=found.server_ip, data_port=port,
            ctrl_tcp_port=found.ctrl_tcp_port, uds_dir=found.ctrl_uds_dir, conn=kind,
        )  # fmt: skip
        print(f"{name}: connected in {(time.perf_counter() - begun) * 1e3:.2f} ms", flush=True)
        for size in sizes:
            total, puts = 0.0, 0.0
            for round_ in range(-found.warmup, found.iters):
                begun = time.perf_counter()
                stamp = struct.pack("<Q", round_ + found.warmup + 1)[:size]
                session.buf.put(data, nbytes=size)
                for at in (0, max(size - 8, 0)):
                    session.buf.put(stamp, offset=at)
                staged = time.perf_counter()
                session.put_remote(found.server_ip, port, 0, 0, size, kind)
                put = time.perf_counter()
                lines.ask(f"DONE {size} {round_ + found.warmup + 1}")
                if round_ >= 0:
                    total, puts = total + time.perf_counter() - begun, puts + put - staged
            stale = lines.ask(f"CASE_END {size}").split()[1]
            times[name, size] = total
            rate = size * found.iters / total
            print(f"{name:4} {size:9} {found.iters:6} {rate / (1 << 20):10.1f} {rate * 8 / 1e9:8.2f} "
                  f"{total / found.iters * 1e6:13.1f} {puts / found.iters * 1e6:10.2f} {stale:>6}", flush=True)  # fmt: skip
    if len(kinds) == 2:
        print("ucx/rdma:", ", ".join(f"{size}: {times['rdma', size] / times['ucx', size]:.2f}" for size in sizes))
    lines.send("BYE")


if __name__ == "__main__":
    parsed = options()
    server(parsed) if parsed.role == "server" else client(parsed)
