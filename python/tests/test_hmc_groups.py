# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``hmc`` in groups of processes: meetings and all-to-all, by our store and by torch."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import sys
import textwrap
import threading
from pathlib import Path

import hmc
import hmc._meeting as meetings
import mf_smem
import pytest

import ranks
from test_hmc_jobs import PRELUDE, WAITS
from with_torch import python_with

GROUP = """
    # Type and device of each rank's memory.
    MEMORY = json.loads(os.environ.get("MEMORY", "[[1, 0]]"))

    def joined(folder, **more):
        kind, device = MEMORY[int(os.environ["RANK"]) % len(MEMORY)]
        session = hmc.create_session(buffer_size=1 << 20, mem_type=kind, device_id=device)
        ucx, rdma, ctrl = serve(session, int(os.environ["RANK"]), folder)
        # The servers are there already, at ports that were free.
        group = hmc.init_group(
            session=session, my_ip=IP, port_ucx=ucx, port_rdma=rdma, port_ctrl=ctrl, ctrl_uds_dir=folder, start_servers=False, **more
        )
        return session, group

    def sent(source, to, nbytes):
        return bytes((source * 37 + to * 11 + at) % 251 for at in range(nbytes))

    def check(group, algo, nbytes, **more):
        send = b"".join(sent(group.rank, to, nbytes) for to in range(group.world))
        recv = bytearray(b"\\xee" * len(send))
        hmc.alltoall(group, send, recv, algo=algo, **more)
        wanted = [sent(source, group.rank, nbytes) for source in range(group.world)]
        if not more.get("do_self_copy", True):
            wanted[group.rank] = b"\\xee" * nbytes
        assert recv == b"".join(wanted), (group.rank, algo, nbytes, more)
        if not more:
            # In place.
            recv[:] = send
            hmc.alltoall(group, recv, recv, algo=algo)
            assert recv == b"".join(wanted), (group.rank, algo, nbytes, "in place")
"""

WORLDS = """
    import dataclasses
    import hmc._meeting as meetings
    session, everyone = joined(sys.argv[1])
    assert (everyone.world, everyone.me.rank, everyone.me.ip) == (int(os.environ["WORLD_SIZE"]), everyone.rank, IP)
    member = everyone.me
    assert hmc.collective.GroupMember.from_dict(member.to_dict()) == member and member.memory_type is session.buf.mem_type
    assert member.port_for(hmc.ConnType.UCX) == member.port_ucx and member.port_for(hmc.ConnType.RDMA) == member.port_rdma
    for world in range(1, everyone.world + 1):
        if everyone.rank < world:
            members = [dataclasses.replace(one, world=world) for one in everyone.members[:world]]
            group = hmc.Group(session=session, members=members, rank=everyone.rank)
            # The first ranks of all meet among themselves.
            group._meeting = meetings._StoreMeeting(
                everyone._meeting._store, everyone._meeting._lives, world, group.rank, f"first {world}"
            )
            for algo in ("direct", "ring", "auto"):
                check(group, algo, 1000)
            check(group, "ring", 300, chunk_bytes=70, send_bias=5, recv_bias=500_000, do_self_copy=False)
    group = everyone
    check(group, "direct", 300, chunk_bytes=128, send_bias=500_000, recv_bias=0, conn=hmc.ConnType.RDMA, do_self_copy=False)
    block = memoryview(bytearray(2 * group.world + 1))
    for wrong in (
        dict(algo="best"), dict(send_bias=(1 << 20) - 1), dict(recv_bias=1), dict(chunk_bytes=0), dict(recv=bytearray(3)),
        dict(recv=block[1:]),
    ):
        more = {"recv": bytearray(2 * group.world), **wrong}
        try:
            hmc.alltoall(group, block[:-1], **more)
        except ValueError:
            continue
        raise SystemExit(f"{wrong} was accepted")
    group.barrier()
"""


@pytest.mark.parametrize(("most", "shared"), [(9, "true"), (3, "false")])
def test_all_to_all_in_worlds_of_one_to_nine(tmp_path: Path, most: int, shared: str) -> None:
    source = PRELUDE + textwrap.dedent(GROUP) + textwrap.dedent(WORLDS)
    for process in ranks.run_ranks([sys.executable, "-c", source, str(tmp_path)], most, {"MF_SHM": shared}):
        assert process.returncode == 0, f"rank {process.rank}:\n{process.stderr}"


LEFT = """
    import signal, threading
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder, rank = sys.argv[1], int(os.environ["RANK"])
    session = hmc.create_session(buffer_size=1 << 20)
    ucx, rdma, ctrl = serve(session, rank, folder)
    made = []

    def alone(name, call):
        # Rank 0 is alone at first, and leaves; then both come, whom a pipe brings together.
        if rank == 0:
            interrupted(name, call)
            if name == "direct 1":
                handled(name, call)
        open(f"{folder}/{name}", "w" if rank == 0 else "r").close()
        call()

    alone("init_group", lambda: made.append(hmc.init_group(
        session=session, my_ip=IP, port_ucx=ucx, port_rdma=rdma, port_ctrl=ctrl, ctrl_uds_dir=folder, start_servers=False
    )))
    group = made[-1]
    alone("barrier", group.barrier)
    for number, algo in enumerate(["direct", "direct", "ring"]):
        alone(f"{algo} {number}", lambda: check(group, algo, 1000))
    group.barrier()
"""


def test_ctrl_c_interrupts_group_calls_and_a_retry_continues(tmp_path: Path) -> None:
    interrupted = WAITS[WAITS.index("    def interrupted") : WAITS.index("\n    interrupted(")]
    source = PRELUDE + textwrap.dedent(GROUP) + textwrap.dedent(interrupted) + textwrap.dedent(LEFT)
    calls = ["init_group", "barrier", "direct 0", "direct 1", "ring 2"]
    for call in calls:
        os.mkfifo(tmp_path / call)
    for process in ranks.run_ranks([sys.executable, "-c", source, str(tmp_path)], 2):
        assert process.returncode == 0, f"rank {process.rank}:\n{process.stderr}"
        assert process.stdout.splitlines() == ([*calls[:4], *calls[3:]] if process.rank == 0 else []), process


GONE = """
    import signal, mf_smem
    import hmc._meeting as meetings
    step, victim = sys.argv[2], int(sys.argv[3])

    def dies(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    def dies_when_all_are_there(meeting, _):
        meeting._store.wait([f"hmc/lives/{rank}" for rank in range(meeting.world)], 100)
        dies()

    if int(os.environ["RANK"]) == victim:
        if step == "before the meeting":
            meetings._StoreMeeting.gather = dies_when_all_are_there
        elif step == "behind the meeting":
            meetings._StoreMeeting.barrier = dies
    try:
        session, group = joined(sys.argv[1])
        if step == "barrier" and group.rank != victim:
            group.barrier()
        if step == "first exchange" and group.rank == victim:
            # It has connected, and dies before it says where its signals are.
            group._signals = dies
        elif step in ("exchange", "ring"):
            check(group, "ring", 100)
        if step != "first exchange" and group.rank == victim:
            dies()
        check(group, "direct" if step == "exchange" else "ring", 100)
    except (hmc.HMCError, mf_smem.Error) as error:
        print(error, flush=True)
    # No member must learn of it by the end of those already aware.
    open(sys.argv[4] + os.environ["RANK"], "w").close()

    def all_have_noticed():
        if sum(name.startswith("noticed") for name in os.listdir(sys.argv[1])) < int(os.environ["WORLD_SIZE"]) - 1:
            raise hmc.HMCStatusError("others wait still", 1)

    until(all_have_noticed)
    os._exit(0)
"""
#: Where one is killed, which it is, and of how many.
STEPS = [
    ("before the meeting", 0, 3), ("before the meeting", 1, 2), ("behind the meeting", 0, 2), ("behind the meeting", 1, 3),
    ("barrier", 0, 2), ("barrier", 1, 2), ("first exchange", 0, 2), ("exchange", 1, 3), ("ring", 1, 4),
]  # fmt: skip


@pytest.mark.parametrize(("step", "victim", "world"), STEPS)
def test_killed_member_fails_the_others(tmp_path: Path, step: str, victim: int, world: int) -> None:
    """All of them name it, though they stay. With rank 0 goes the store, which nothing waits for to come again."""
    source = PRELUDE + textwrap.dedent(GROUP) + textwrap.dedent(GONE)
    command = [sys.executable, "-c", source, str(tmp_path), step, str(victim), str(tmp_path / "noticed")]
    for process in ranks.run_ranks(command, world, {"MF_STORE_RECONNECT": "60m"}):
        if process.rank == victim:
            assert process.returncode == -signal.SIGKILL, process
        else:
            assert process.returncode == 0 and f"rank {victim}" in process.stdout, process


def test_group_starts_its_servers(tmp_path: Path) -> None:
    """As programs call it: every rank at ports of its own."""
    source = PRELUDE + textwrap.dedent(GROUP) + textwrap.dedent("""
        session = hmc.create_session(buffer_size=1 << 20)
        ucx, rdma, ctrl = free_ports(3)
        group = hmc.init_group(
            session=session, my_ip=IP, port_ucx=ucx, port_rdma=rdma, port_ctrl=ctrl, ctrl_uds_dir=sys.argv[1], group_id="servers"
        )
        assert session.id == group.rank and group.group_id == "servers"
        check(group, "auto", 100)
        group.barrier()
        session.close_server()
    """)
    for process in ranks.run_ranks([sys.executable, "-c", source, str(tmp_path)], 2):
        assert process.returncode == 0, process.stderr


def test_group_members_are_consecutive_ranks() -> None:
    session = hmc.create_session(buffer_size=64)
    members = [
        hmc.collective.GroupMember(rank, 3, "127.0.0.1", 1, 2, 3, 1, 0, 64) for rank in (2, 0, 1)
    ]
    group = hmc.Group(session=session, members=members, rank=1)
    assert [member.rank for member in group.members] == [0, 1, 2] and group.left.rank == 0 and group.right.rank == 2
    for wrong, rank in ((members[:2], 0), (members + members[:1], 0), (members, 3), (members, -1)):
        with pytest.raises(ValueError):
            hmc.Group(session=session, members=wrong, rank=rank)


def test_a_process_without_a_job_has_no_group() -> None:
    done = ranks.run_alone("""
        import hmc
        session = hmc.create_session(buffer_size=64)
        try:
            hmc.init_group(session=session, my_ip="127.0.0.1", port_ucx=1, port_rdma=2, port_ctrl=3)
        except RuntimeError as error:
            print(error)
    """)
    assert done.stdout.startswith("no group of processes: call torch.distributed.init_process_group"), done


def test_groups_of_torch(tmp_path: Path) -> None:
    python = python_with(tmp_path, mf_smem, hmc)
    source = PRELUDE + textwrap.dedent(GROUP) + textwrap.dedent("""
        import torch, torch.distributed as dist
        dist.init_process_group("gloo")
        session, group = joined(sys.argv[1])
        check(group, "auto", 5)
        send = torch.arange(3 * group.world, dtype=torch.bfloat16) + 100 * group.rank
        recv = torch.zeros(3 * group.world, dtype=torch.bfloat16)
        hmc.alltoall(group, send, recv)
        wanted = [100 * source + 3 * group.rank + at for source in range(group.world) for at in range(3)]
        assert recv.tolist() == torch.tensor(wanted).to(torch.bfloat16).tolist(), recv
        dist.barrier()
    """)
    finished = ranks.run_ranks([python, "-c", source, str(tmp_path)], 2, {"PYTHONPATH": str(tmp_path), "OMP_NUM_THREADS": "1"})
    for process in finished:
        assert process.returncode == 0, f"rank {process.rank}:\n{process.stderr}"


def test_group_waits_for_an_unresponsive_store_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meetings, "_ANSWER_S", 0.1)
    # The kernel takes connections, and nobody answers.
    listener = socket.create_server(("127.0.0.1", 0))
    place = listener.getsockname()
    url, stages, servers = f"tcp://127.0.0.1:{place[1]}", iter(range(5)), []
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)

    def reset_all() -> None:
        with contextlib.suppress(OSError):
            while True:
                peer, _ = listener.accept()
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.close()

    resetting = threading.Thread(target=reset_all)

    def next_stage() -> None:
        stage = next(stages, None)
        if stage == 1:
            resetting.start()
        elif stage == 2:
            listener.shutdown(socket.SHUT_RDWR)
            resetting.join()
            listener.close()
            # Another program has the port, and does not listen.
            held.bind(place)
        elif stage == 3:
            held.close()
        elif stage == 4:
            servers.append(mf_smem.StoreServer(url))

    with meetings._connected(url, next_stage, within=60.0) as store:
        store.set("k", b"v")
    assert servers and next(stages, None) is None
    servers[0].close()


def test_group_rejects_a_foreign_program_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.recv(64)
                peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        answering = threading.Thread(target=answer)
        answering.start()
        with pytest.raises(mf_smem.NotConnectedError, match="not a memfabric store"):
            meetings._connected(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
        answering.join()
