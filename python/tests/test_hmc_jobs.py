# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``hmc`` between processes: tags behind data, and Ctrl-C."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import hmc
import pytest

import ranks

#: Put in front of programs: a session that serves at ports that are free, and one that connects as soon as it can.
PRELUDE = """
import json, os, socket, sys, time
import hmc
IP, MIB = "127.0.0.1", 1 << 20
END = time.monotonic() + 100

def free_ports(count):
    probes = [socket.create_server((IP, 0)) for _ in range(count)]
    found = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return found

def serve(session, rank, folder):
    for attempt in range(20):
        ucx, rdma, ctrl = free_ports(3)
        try:
            session.init_server(bind_ip=IP, ucx_port=ucx, rdma_port=rdma, ctrl_tcp_port=ctrl, self_id=rank, ctrl_uds_dir=folder)
            return ucx, rdma, ctrl
        except hmc.HMCStatusError:
            # Another process has taken one of them.
            if attempt == 19:
                raise

def until(call):
    while True:
        try:
            return call()
        except hmc.HMCStatusError:
            if time.monotonic() > END:
                raise
            time.sleep(0.01)

def pattern(seed, nbytes):
    block = bytes((seed * 131 + at * 7) % 251 for at in range(251))
    return (block * (nbytes // 251 + 1))[:nbytes]
"""

#: Sizes of rounds, many small and some large ones.
ROUNDS = [1, 8, 64, 333, 4096, 65536] * 100 + [1 << 20, (1 << 20) + 1] * 4 + [8 << 20]

SERVER = """
folder, conn, rounds = sys.argv[1], hmc.ConnType(int(sys.argv[2])), json.loads(sys.argv[3])
session = hmc.create_session(buffer_size=16 * MIB)
ports = serve(session, 0, folder)
print(json.dumps(ports), flush=True)
# Before the client has connected there is no sender.
until(lambda: session.ctrl_recv(1))
for number, nbytes in enumerate(rounds):
    assert session.ctrl_recv(1) == number
    # Puts before the tag are visible here.
    found = session.buf.buffer_get_cpu(nbytes=nbytes)
    assert found == pattern(number, nbytes), f"round {number}: {nbytes} bytes are not those that were put"
    if number % 3 == 0:
        # And back, to a client that does nothing but wait for the tag.
        session.buffer_put_then_put(IP, 0, found[::-1], local_off=8 * MIB, remote_off=8 * MIB, conn=conn)
    session.ctrl_send(1, number)
session.close_server()
print("alive", flush=True)
"""

CLIENT = """
conn, rounds, (ucx, rdma, ctrl) = hmc.ConnType(int(sys.argv[2])), json.loads(sys.argv[3]), json.loads(sys.argv[4])
session = hmc.create_session(buffer_size=16 * MIB, local_ip=IP)
port = ucx if conn == hmc.ConnType.UCX else rdma
session.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=port, ctrl_tcp_port=ctrl, uds_dir=sys.argv[1], conn=conn)
session.ctrl_send(0, 0)
for number, nbytes in enumerate(rounds):
    data = pattern(number, nbytes)
    session.buffer_put_then_put(IP, port, data, conn=conn)
    session.ctrl_send(0, number)
    assert session.ctrl_recv(0) == number
    if number % 3 == 0:
        assert session.buf.buffer_get_cpu(nbytes=nbytes, offset=8 * MIB) == data[::-1], f"round {number}"
"""


@pytest.mark.parametrize(
    ("conn", "transport", "shared"),
    [(hmc.ConnType.RDMA, "uds", "true"), (hmc.ConnType.UCX, "tcp", "true"), (hmc.ConnType.RDMA, "tcp", "false")],
)
def test_tags_never_overtake_their_data(tmp_path: Path, conn: hmc.ConnType, transport: str, shared: str) -> None:
    """Where buffers are mapped, and as if the two were on hosts of their own."""
    environment = ranks.plain_environment(CTRL_TRANSPORT=transport, MF_SHM=shared)
    arguments = [str(tmp_path), str(int(conn)), json.dumps(ROUNDS)]
    server = subprocess.Popen(
        [sys.executable, "-c", PRELUDE + SERVER, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        ports = server.stdout.readline()
        assert ports, server.communicate(timeout=60)
        client = subprocess.run(
            [sys.executable, "-c", PRELUDE + CLIENT, *arguments, ports], env=environment, capture_output=True, text=True,
            timeout=ranks.DEADLINE_S, check=False,
        )  # fmt: skip
        if client.returncode != 0:
            server.kill()
        out, error = server.communicate(timeout=60)
    finally:
        server.kill()
        server.wait()
    assert client.returncode == 0 and server.returncode == 0, client.stderr + error
    assert out == "alive\n", "closing the server leaves the process alone"


WAITS = """
    import ctypes, signal, threading
    # A shell that runs the tests in the background may ignore it, and Python then leaves it so.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    server = hmc.create_session(buffer_size=1 << 16)
    ucx, rdma, ctrl = serve(server, 0, sys.argv[1])
    client = hmc.create_session(buffer_size=1 << 16, local_ip=IP)
    client.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=rdma, ctrl_tcp_port=ctrl, uds_dir=sys.argv[1])

    def interrupted(what, call, number=None, after=1):
        number = signal.SIGINT if number is None else number
        # Signals come until one has ended the call, so that one comes while it waits; later ones end nothing.
        begun, done, came = threading.Event(), threading.Event(), []
        def handle(*_):
            came.append(1)
            if len(came) == after:
                done.set()
                raise KeyboardInterrupt
        def send():
            begun.wait()
            while not done.wait(0.05):
                os.kill(os.getpid(), number)
        sender, before = threading.Thread(target=send), signal.signal(number, handle)
        sender.start()
        try:
            begun.set()
            call()
            raise SystemExit(f"{what}: the call returned")
        except KeyboardInterrupt:
            print(what, flush=True)
        finally:
            done.set()
        sender.join()
        signal.signal(number, before)

    def handled(what, call):
        # Handlers of other signals run, too; one that raises nothing ends nothing.
        interrupted(what, call, signal.SIGUSR1, 2)

    interrupted("ctrl_recv", lambda: server.ctrl_recv(1))
    handled("ctrl_recv", lambda: server.ctrl_recv(1))
    # A thread that waits on does not see it.
    received = []
    waiting = threading.Thread(target=lambda: received.append(client.ctrl_recv(0)))
    waiting.start()
    interrupted("ctrl_recv beside a thread", lambda: server.ctrl_recv(1))
    server.ctrl_send(1, 8)
    waiting.join(60)
    assert received == [8], received
    # Streams begin anew.
    data, room = ctypes.create_string_buffer(bytes(range(256)) * 1000), ctypes.create_string_buffer(256_001)
    cpu, length = hmc.MemoryType.CPU, len(data)
    receive = lambda: server.recv_data_from(IP, 0, ctypes.addressof(room), length, cpu, 0)
    interrupted("recv_data_from", receive)
    handled("recv_data_from", receive)
    sending = threading.Thread(target=lambda: client.send_data_to(IP, rdma, ctypes.addressof(data), length, cpu))
    sending.start()
    receive()
    sending.join(60)
    assert room.raw == data.raw
    # A port with a full queue does not answer.
    full, waiting = socket.socket(), [socket.socket() for _ in range(3)]
    full.bind((IP, 0))
    full.listen(0)
    for one in waiting:
        one.setblocking(False)
        one.connect_ex(full.getsockname())
    interrupted("connect", lambda: client.connect(
        peer_id=0, self_id=1, peer_ip=IP, data_port=full.getsockname()[1], ctrl_tcp_port=ctrl, uds_dir=sys.argv[1]
    ))
    client.ctrl_send(0, 7)
    assert server.ctrl_recv(1) == 7
    client.buffer_put_then_put(IP, rdma, b"goes on")
    assert server.buf.buffer_get_cpu(nbytes=7) == b"goes on"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    server.close_server()
    print("alive")
"""


def test_ctrl_c_interrupts_a_wait(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(WAITS), str(tmp_path)], env=ranks.plain_environment(),
        capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )  # fmt: skip
    words = "ctrl_recv\nctrl_recv\nctrl_recv beside a thread\nrecv_data_from\nrecv_data_from\nconnect\nalive\n"
    assert done.returncode == 0 and done.stdout == words, done


STOPPED = """
    import ctypes, signal, subprocess, threading
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # A peer that does not answer: it is stopped once it serves.
    server = subprocess.Popen([sys.executable, "-c", os.environ["SERVER"], sys.argv[1]], stdout=subprocess.PIPE, text=True)
    try:
        ucx, rdma, ctrl = json.loads(server.stdout.readline())
        client = hmc.create_session(buffer_size=32 * MIB, local_ip=IP)
        client.connect(peer_id=0, self_id=1, peer_ip=IP, data_port=rdma, ctrl_tcp_port=ctrl, uds_dir=sys.argv[1])
        os.kill(server.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, server.pid, os.WSTOPPED | os.WNOWAIT)
        block = ctypes.create_string_buffer(40 * MIB)
        for size in (8, 32 * MIB):
            interrupted("put_remote", lambda: client.put_remote(IP, rdma, 0, 0, size))
            interrupted("get_remote", lambda: client.get_remote(IP, rdma, 0, 0, size))
        calls = [
            ("put_pipeline", lambda: client.put_pipeline(IP, rdma, 0, 0, 32 * MIB)),
            ("get_pipeline", lambda: client.get_pipeline(IP, rdma, 0, 0, 32 * MIB)),
            ("send_data_to", lambda: client.send_data_to(IP, rdma, ctypes.addressof(block), len(block), hmc.MemoryType.CPU)),
        ]
        for name, call in calls:
            interrupted(name, call)
        for name, call in [*calls, ("put_remote", lambda: client.put_remote(IP, rdma, 0, 0, 8)),
                           ("get_remote", lambda: client.get_remote(IP, rdma, 0, 0, 32 * MIB))]:
            handled(name, call)
        started = client.put_nb(IP, rdma, 0, 0, 32 * MIB)
        interrupted("wait", lambda: client.wait(started))
        connect = lambda: client.connect(
            peer_id=0, self_id=1, peer_ip=IP, data_port=ucx, ctrl_tcp_port=ctrl, uds_dir=sys.argv[1], conn=hmc.ConnType.UCX
        )
        interrupted("connect", connect)
        handled("connect", connect)
        # A handler that lets the peer go on: the call ends as if nothing had been.
        signal.signal(signal.SIGALRM, lambda *_: os.kill(server.pid, signal.SIGCONT))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        client.put_remote(IP, rdma, 0, 0, 8)
        client.wait(started)
        connect()
        client.buffer_put_then_put(IP, rdma, b"goes on", remote_off=100)
        assert client.get_then_buffer_get_into(IP, rdma, bytearray(7), remote_off=100) == 7
    finally:
        server.kill()
        server.wait()
    print("alive")
"""

SILENT = """
import signal
session = hmc.create_session(buffer_size=32 * MIB)
print(json.dumps(serve(session, 0, sys.argv[1])), flush=True)
signal.pause()
"""


def test_ctrl_c_ends_waits_for_a_stopped_peer(tmp_path: Path) -> None:
    interrupted = WAITS[WAITS.index("    def interrupted") : WAITS.index("\n    interrupted(")]
    program = textwrap.dedent(STOPPED).replace("# A peer that", textwrap.dedent(interrupted) + "# A peer that")
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + program, str(tmp_path)],
        # As if the peer were on another host, so that it takes part in copies.
        env=ranks.plain_environment(MF_SHM="false", SERVER=PRELUDE + SILENT),
        capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )  # fmt: skip
    calls = ["put_pipeline", "get_pipeline", "send_data_to"]
    words = ["put_remote", "get_remote"] * 2 + calls * 2 + ["put_remote", "get_remote", "wait", "connect", "connect", "alive"]
    assert done.returncode == 0 and done.stdout.split() == words, done


def test_a_forked_child_refuses(tmp_path: Path) -> None:
    done = ranks.run_alone("""
        import os, hmc, mf_smem
        session = hmc.create_session(buffer_size=1 << 16)
        child = os.fork()
        if child == 0:
            for call in (lambda: session.put_remote("127.0.0.1", 1, 0, 0, 1), lambda: session.buf.put(b"1")):
                try:
                    call()
                except mf_smem.NotInitError:
                    continue
                os._exit(1)
            del session
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert session.buf.put(b"here") == 4
        print("alive")
    """)
    assert done.stdout == "alive\n", done
