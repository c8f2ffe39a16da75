# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Groups of processes, and the exchange in which each gives every other a part of its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from . import _operands
from ._errors import HMCError
from ._meeting import Meeting, meeting
from ._numbers import ConnType, MemoryType, memory_type
from ._session import Session

__all__ = ["Group", "GroupMember", "alltoall", "init_group"]

#: Longest wait for a connection that the other side has made already.
_CONNECTED_S = 60.0
_DIRECT_MOST = 8
#: Types whose memory UCX moves itself.
_BY_UCX = (MemoryType.CPU, MemoryType.NVIDIA_GPU, MemoryType.AMD_GPU)


@dataclass(frozen=True)
class GroupMember:
    """A process of a group: its address, its ports, and its buffer (`mem_type` is the number of its `MemoryType`)."""

    rank: int
    world: int
    ip: str
    port_ucx: int
    port_rdma: int
    port_ctrl: int
    mem_type: int
    device_id: int
    buffer_size: int

    @property
    def memory_type(self) -> MemoryType:
        """Where its buffer is."""
        return memory_type(self.mem_type)

    def port_for(self, conn: ConnType) -> int:
        """Its data port of a type."""
        return self.port_ucx if conn == ConnType.UCX else self.port_rdma

    def to_dict(self) -> dict[str, Any]:
        """Its fields by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> GroupMember:
        """What `to_dict` gave."""
        return cls(**d)


class Group:
    """The processes that exchange, as one of them sees them."""

    def __init__(
        self, *, session: Session, members: Sequence[GroupMember], rank: int, group_id: str = "default"
    ) -> None:
        """`members` by rank. Raises `ValueError` unless their ranks are 0 to world-1 and `rank` is one of them."""
        self.session = session
        self.members = sorted(members, key=lambda member: member.rank)
        if [member.rank for member in self.members] != list(range(len(self.members))):
            raise ValueError(f"ranks must be 0 to world-1, and are {[member.rank for member in members]}")
        if not 0 <= rank < len(self.members):
            raise ValueError(f"rank {rank} is none of the {len(self.members)} members")
        self.rank = rank
        self.group_id = group_id
        self._meeting: Meeting | None = None

    @property
    def me(self) -> GroupMember:
        """This process."""
        return self.members[self.rank]

    @property
    def world(self) -> int:
        """Number of members."""
        return len(self.members)

    @property
    def left(self) -> GroupMember:
        """The member of the rank below, in a ring."""
        return self.peer(self.rank - 1)

    @property
    def right(self) -> GroupMember:
        """The member of the rank above, in a ring."""
        return self.peer(self.rank + 1)

    def peer(self, r: int) -> GroupMember:
        """The member of rank `r`, counted in a ring."""
        return self.members[r % self.world]

    def barrier(self) -> None:
        """Waits until all members are here. **Collective.**"""
        if self._meeting is None:
            self._meeting = meeting(self.group_id)
        self._meeting.barrier()


def init_group(
    *,
    session: Session,
    my_ip: str,
    port_ucx: int,
    port_rdma: int,
    port_ctrl: int,
    group_id: str = "default",
    ctrl_tcp_port: int | None = None,
    ctrl_uds_dir: str = "/tmp",
    start_servers: bool = True,
    server_barrier: bool = True,
) -> Group:
    """Makes a group of all processes of ``torch.distributed`` where that is initialised, else of the job that a launcher has started.
    **Collective.**

    Starts one's servers at `my_ip` (control channel: `ctrl_tcp_port`, default `port_ctrl`, and a Unix socket in `ctrl_uds_dir`), unless
    `start_servers` is false; with `server_barrier` waits until all have. Raises `RuntimeError` where there is no such group.
    """
    meets = meeting(group_id)
    control = port_ctrl if ctrl_tcp_port is None else ctrl_tcp_port
    core = session.buf.core
    own = GroupMember(
        rank=meets.rank, world=meets.world, ip=my_ip, port_ucx=port_ucx, port_rdma=port_rdma, port_ctrl=control,
        mem_type=int(core.resolved_type), device_id=core.device_id, buffer_size=core.buffer_size,
    )  # fmt: skip
    if start_servers:
        session.init_server(
            bind_ip=my_ip, ucx_port=port_ucx, rdma_port=port_rdma, ctrl_tcp_port=control, self_id=meets.rank,
            ctrl_uds_dir=ctrl_uds_dir,
        )  # fmt: skip
    members = [GroupMember.from_dict(member) for member in meets.gather(own.to_dict())]
    group = Group(session=session, members=members, rank=meets.rank, group_id=group_id)
    group._meeting = meets
    if server_barrier:
        meets.barrier()
    return group


def alltoall(
    group: Group,
    send: Any,
    recv: Any,
    *,
    algo: Literal["auto", "direct", "ring"] = "auto",
    conn: ConnType | Literal["auto"] = "auto",
    send_bias: int = 0,
    recv_bias: int | None = None,
    chunk_bytes: int = 4 * 1024 * 1024,
    do_self_copy: bool = True,
) -> None:
    """Moves part `dst` of `send` of each rank `r` to part `r` of `recv` of rank `dst`; parts are equal, as many as members.
    **Collective**: all give the same sizes, `algo`, and places.

    `send` is staged at `send_bias` of the session's buffer, `recv` at `recv_bias` (default: behind it); nothing else may use these
    ranges meanwhile. ``direct`` connects every two members, ``ring`` neighbours, which hand parts on; ``auto`` is direct for at
    most 8 members. `conn` ``auto`` takes for every two of them UCX, or RDMA where UCX does not move between their memories. Puts
    are of at most `chunk_bytes`. Without `do_self_copy` one's own part of `recv` stays as it is.

    Raises `ValueError` for operands of different lengths, which are not divisible, or do not fit into the buffer.
    """
    if algo not in ("auto", "direct", "ring"):
        raise ValueError(f"algo must be 'auto', 'direct' or 'ring', and is {algo!r}")
    if chunk_bytes < 1:
        raise ValueError(f"chunk_bytes must be at least 1, and is {chunk_bytes}")
    total, room = _operands.byte_length(send), _operands.room(recv)
    if total != room:
        raise ValueError(f"send has {total} bytes, and recv {room}")
    if total % group.world:
        raise ValueError(f"{total} bytes are not divisible by {group.world} members")
    to = send_bias + total if recv_bias is None else recv_bias
    if send_bias < 0 or to < 0 or max(send_bias, to) + total > group.session.buf.size:
        raise ValueError(f"{total} bytes at {send_bias} and at {to} do not fit into a buffer of {group.session.buf.size}")
    if abs(send_bias - to) < total:
        raise ValueError(f"{total} bytes at {send_bias} and at {to} overlap")
    exchange = _Exchange(group, None if conn == "auto" else ConnType(conn), send_bias, to, total // group.world, chunk_bytes)
    buffer = group.session.buf
    buffer.put(send, offset=send_bias)
    if do_self_copy:
        exchange.copy(exchange.sent(group.rank), exchange.received(group.rank))
    else:
        buffer.put(recv, offset=to)
    if algo == "direct" or (algo == "auto" and group.world <= _DIRECT_MOST):
        exchange.direct()
    else:
        exchange.ring()
    buffer.get_into(recv, nbytes=total, offset=to)


class _Exchange:
    """One all-to-all, between what is staged and what is unstaged."""

    def __init__(
        self, group: Group, conn: ConnType | None, send_at: int, receive_at: int, part: int, chunk: int
    ) -> None:
        self._group, self._conn, self._part, self._chunk = group, conn, part, chunk
        self._send_at, self._receive_at = send_at, receive_at

    def sent(self, slot: int) -> int:
        """Where a part of `send` is staged."""
        return self._send_at + slot % self._group.world * self._part

    def received(self, slot: int) -> int:
        """Where a part of `recv` is collected."""
        return self._receive_at + slot % self._group.world * self._part

    def copy(self, source: int, to: int) -> None:
        """Copies a part within one's own buffer."""
        self._group.session.buf.buffer_copy_within(dst_offset=to, src_offset=source, nbytes=self._part)

    def direct(self) -> None:
        """Everyone puts to everyone."""
        group, own = self._group, self._group.rank
        for distance in range(1, group.world):
            self._dial(group.peer(own + distance))
            group.barrier()
        # All have staged, and have read what the last exchange left, when the last barrier is over.
        self._begin([member for member in group.members if member.rank != own])
        for distance in range(1, group.world):
            peer = group.peer(own + distance)
            self._put(peer, self.sent(peer.rank), self.received(own))
        group.barrier()

    def ring(self) -> None:
        """Everyone puts to the right, in as many steps as there are others.

        In step k a rank has the parts of the rank k-1 to its left for those to its right, at their places in `send`, and puts all
        of them to the right. The first is for that rank, and goes to its place in `recv`. The others go to places in `recv` that
        later steps fill, as many as are free, and are copied to their places in `send` from there before the next step.
        """
        group, own, world = self._group, self._group.rank, self._group.world
        if world > 1:
            for peer in (group.left, group.right):
                self._dial(peer)
        self._begin([group.left, group.right] if world > 1 else [])
        for step in range(1, world):
            for hop in range(1, world - step + 1):
                # Parts for the rank `hop` to the right.
                self._put(group.right, self.sent(own + hop), self.received(own + 1 - step - (hop - 1)))
            group.barrier()
            for hop in range(1, world - step):
                self.copy(self.received(own - step - hop), self.sent(own + hop))
            if step < world - 1:
                group.barrier()

    # ---- connections ----

    def _type(self, peer: GroupMember) -> ConnType:
        if self._conn is not None:
            return self._conn
        kinds = {self._group.me.memory_type, peer.memory_type}
        are_different_gpus = len(kinds - {MemoryType.CPU}) > 1
        return ConnType.UCX if kinds <= set(_BY_UCX) and not are_different_gpus else ConnType.RDMA

    def _dial(self, peer: GroupMember) -> None:
        """Connects to a peer of a higher rank; one of a lower rank connects to us."""
        group = self._group
        if group.rank < peer.rank:
            kind = self._type(peer)
            group.session.connect(
                peer_id=peer.rank, self_id=group.rank, peer_ip=peer.ip, data_port=peer.port_for(kind),
                ctrl_tcp_port=peer.port_ctrl, conn=kind,
            )  # fmt: skip

    def _begin(self, peers: Sequence[GroupMember]) -> None:
        """Waits until these peers are connected, and all members are here."""
        end = time.monotonic() + _CONNECTED_S
        for peer in peers:
            kind, pause = self._type(peer), 0.0
            while not self._group.session.check_conn(peer.ip, peer.port_for(kind), kind):
                if time.monotonic() > end:
                    raise HMCError(
                        f"rank {peer.rank} at {peer.ip} did not connect to rank {self._group.rank} within {_CONNECTED_S:.0f} s"
                    )
                time.sleep(pause)
                pause = min(pause + 0.001, 0.05)
        self._group.barrier()

    def _put(self, peer: GroupMember, source: int, to: int) -> None:
        kind = self._type(peer)
        for done in range(0, self._part, self._chunk):
            nbytes = min(self._chunk, self._part - done)
            self._group.session.put_remote(peer.ip, peer.port_for(kind), source + done, to + done, nbytes, kind)
