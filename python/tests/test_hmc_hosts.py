# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``hmc`` between hosts, which are network namespaces with an address each and a cable between them: programs as the interface has them.
And on one host, by addresses of which some are not those from which the kernel dials."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ranks
from test_hmc_jobs import PRELUDE

#: The server's host has two addresses, and the kernel dials both from the first one.
SERVER, SECOND, CLIENT = "10.213.12.1", "10.213.12.3", "10.213.12.2"

#: Both roles: data in both directions, from either end, of both types; tags; streams.
FLOWS = """
    import ctypes
    from hmc import ConnType, MemoryType
    role, own, peer, listens = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4] == "listens"
    rank, BASE = int(role == "client"), 25000

    def ports(of):
        return {ConnType.UCX: BASE + 10 * of, ConnType.RDMA: BASE + 10 * of + 1, "ctrl": BASE + 10 * of + 2}

    session = hmc.create_session(buffer_size=4 * MIB, local_ip=own)
    mine, theirs = ports(rank), ports(1 - rank)
    if rank == 0 or listens:
        session.init_server(
            bind_ip=own, ucx_port=mine[ConnType.UCX], rdma_port=mine[ConnType.RDMA], ctrl_tcp_port=mine["ctrl"], self_id=rank,
            ctrl_uds_dir=os.environ["FOLDER"],
        )
    for conn in (ConnType.RDMA, ConnType.UCX):
        if rank == 1:
            until(lambda: session.connect(
                peer_id=0, self_id=1, peer_ip=peer, data_port=theirs[conn], ctrl_tcp_port=theirs["ctrl"], conn=conn
            ))
            session.ctrl_send(0, 0)
        else:
            assert until(lambda: session.ctrl_recv(1)) == 0
        port = theirs[conn] if rank == 1 or listens else 0
        assert session.check_conn(peer, port, conn)
        for turn, nbytes in enumerate([1, 4096, 65537, MIB, 2 * MIB]):
            if turn % 2 == rank:
                # Puts, says so, and gets the other end's answer.
                session.buffer_put_then_put(peer, port, pattern(turn, nbytes), conn=conn)
                session.ctrl_send(1 - rank, nbytes)
                assert session.ctrl_recv(1 - rank) == nbytes
                out = bytearray(nbytes)
                assert session.get_then_buffer_get_into(peer, port, out, local_off=2 * MIB, remote_off=2 * MIB, conn=conn) == nbytes
                assert out == pattern(turn + 50, nbytes)
                ids = [session.put_nb(peer, port, 100 * at, 100 * at, 100, conn) for at in range(20)]
                session.wait(ids[::-1])
                session.put_pipeline(peer, port, 0, 2 * MIB, nbytes, chunk_size=10_000, max_inflight=3, conn=conn)
                session.ctrl_send(1 - rank, 1)
            else:
                assert session.ctrl_recv(1 - rank) == nbytes
                assert session.buf.buffer_get_cpu(nbytes=nbytes) == pattern(turn, nbytes)
                session.buf.put(pattern(turn + 50, nbytes), offset=2 * MIB)
                session.ctrl_send(1 - rank, nbytes)
                assert session.ctrl_recv(1 - rank) == 1
                assert session.buf.buffer_get_cpu(nbytes=nbytes, offset=2 * MIB) == pattern(turn, nbytes)
        for turn, nbytes in enumerate([2 * MIB + 1, 9 * MIB]):
            block, flag = ctypes.create_string_buffer(pattern(turn, nbytes), nbytes), ctypes.c_size_t()
            if turn == rank:
                session.send_data_to(peer, port, ctypes.addressof(block), nbytes, MemoryType.CPU, conn)
            else:
                room = ctypes.create_string_buffer(nbytes)
                session.recv_data_from(
                    peer, port, ctypes.addressof(room), nbytes, MemoryType.CPU, ctypes.addressof(flag), conn
                )
                assert flag.value == nbytes and room.raw == block.raw
    # The server leaves last.
    if rank == 1:
        session.ctrl_send(0, 2)
        session.ctrl_recv(0)
    else:
        assert session.ctrl_recv(1) == 2
        session.ctrl_send(1, 2)
    if rank == 0 or listens:
        session.close_server()
    print("alive")
"""

#: A group by addresses that the ranks choose.
GROUP = """
    import os, sys, time
    import hmc
    rank, world, own = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), os.environ["OWN"]
    session = hmc.create_session(buffer_size=1 << 20, local_ip=own)
    # Ranks of other addresses may have the same ports.
    group = hmc.init_group(
        session=session, my_ip=own, port_ucx=25000 + rank, port_rdma=26000 + rank, port_ctrl=27000 + rank,
        ctrl_uds_dir=os.environ["FOLDER"],
    )
    for algo in ("direct", "ring"):
        send, recv = bytes(16 * rank + to for to in range(world)), bytearray(world)
        hmc.alltoall(group, send, recv, algo=algo)
        assert list(recv) == [16 * source + rank for source in range(world)], (algo, list(recv))
    group.barrier()
    session.close_server()
    print("alive")
"""


class Hosts:
    """Two network namespaces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._holders: list[subprocess.Popen[bytes]] = []

    def open(self) -> str:
        """Makes them; returns why that is not possible here, else an empty text."""
        try:
            for _ in range(2):
                command = ["unshare", "--net", "sh", "-c", "echo; exec sleep 1000"]
                holder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                self._holders.append(holder)
                assert holder.stdout is not None
                # It has one of its own once it says something.
                if not holder.stdout.readline():
                    return "this process may make no network namespaces"
            server, client = (holder.pid for holder in self._holders)
            self._run(f"ip link add eth0 netns {server} type veth peer name eth0 netns {client}")
            for host, address in ((0, SERVER), (1, CLIENT), (0, SECOND)):
                self.run(host, f"ip addr add {address}/24 dev eth0")
            for host in (0, 1):
                self.run(host, "ip link set lo up")
                self.run(host, "ip link set eth0 up")
        except (OSError, subprocess.CalledProcessError) as error:
            return f"{error}; it would help to be root, with iproute2"
        return ""

    def close(self) -> None:
        for holder in self._holders:
            holder.kill()
            holder.communicate()

    def on(self, host: int, command: list[str]) -> list[str]:
        """A command on a host."""
        return ["nsenter", f"--net=/proc/{self._holders[host].pid}/ns/net", *command]

    def run(self, host: int, command: str) -> None:
        self._run(" ".join(self.on(host, [command])))

    def _run(self, command: str) -> None:
        subprocess.run(command.split(), check=True, stderr=subprocess.DEVNULL)

    def start(self, host: int, source: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Starts a program in Python on a host."""
        command = self.on(host, [sys.executable, "-c", textwrap.dedent(source), *arguments])
        variables = ranks.plain_environment(FOLDER=str(self.folder), **{"MF_LOG_LEVEL": "error", **environment})
        variables = {name: value for name, value in variables.items() if value}
        return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    made = Hosts(tmp_path_factory.mktemp("hosts"))
    try:
        reason = made.open()
        if reason:
            pytest.skip(reason)
        yield made
    finally:
        made.close()


def finish(processes: list[subprocess.Popen[str]]) -> list[str]:
    """All end well, or all are killed; returns their logs."""
    end = time.monotonic() + ranks.DEADLINE_S
    try:
        done = [process.communicate(timeout=max(end - time.monotonic(), 0.1)) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    for process, (out, error) in zip(processes, done):
        assert process.returncode == 0 and out.endswith("alive\n"), out + "".join(other for _, other in done) + error
    return [error for _, error in done]


#: What both processes have: the job's secret, the choice to do without, or nothing, which is for one host.
SECRET = {"MF_JOB_SECRET": "sixteen bytes and more"}
OPEN = {"MF_JOB_SECRET": "", "MF_HMC_OPEN": "1", "MF_LOG_LEVEL": "warn"}
NOTHING = {"MF_JOB_SECRET": "", "MF_HMC_OPEN": ""}


@pytest.mark.parametrize(
    ("client", "own", "listens", "trust"),
    [
        (1, CLIENT, "listens", SECRET), (1, CLIENT, "dials", OPEN), (0, SECOND, "listens", NOTHING),
    ],
    ids=["secret", "open", "one host"],
)  # fmt: skip
def test_both_ends_put_get_and_stream(hosts: Hosts, client: int, own: str, listens: str, trust: dict[str, str]) -> None:
    logs = finish([
        hosts.start(0, PRELUDE + textwrap.dedent(FLOWS), "server", SERVER, own, listens, **trust),
        hosts.start(client, PRELUDE + textwrap.dedent(FLOWS), "client", own, SERVER, listens, **trust),
    ])  # fmt: skip
    # That all are let in is said once, and the stores below say nothing of their own.
    for log in logs if trust is OPEN else []:
        assert [line.count("MF_HMC_OPEN") for line in log.splitlines() if " warn " in line] == [1], log


@pytest.mark.parametrize(
    ("places", "store", "trust"),
    [
        ([(0, SECOND), (1, CLIENT), (0, SERVER)], SECOND, SECRET),
        ([(0, SERVER), (0, SECOND), (0, SERVER)], "127.0.0.1", NOTHING),
    ],
    ids=["two hosts", "one host"],
)
def test_groups(hosts: Hosts, places: list[tuple[int, str]], store: str, trust: dict[str, str]) -> None:
    finish([
        hosts.start(
            host, GROUP, RANK=str(rank), WORLD_SIZE=str(len(places)), MASTER_ADDR=store, MASTER_PORT="24000", OWN=own,
            MF_STORE_PORT_OFFSET="0", **trust,
        )
        for rank, (host, own) in enumerate(places)
    ])  # fmt: skip


def test_member_listening_on_loopback_counts_as_present(hosts: Hosts) -> None:
    """Without a secret all of them do, regardless of their addresses."""
    finish([hosts.start(0, """
        import socket, sys, hmc
        from hmc._signals import check_listener
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            check_listener(7, sys.argv[1], port)
        try:
            check_listener(7, sys.argv[1], port)
        except hmc.HMCStatusError as error:
            assert "rank 7" in str(error)
            print("alive")
    """, SERVER, **NOTHING)])  # fmt: skip
