# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Groups of processes, and the exchange in which each gives every other a part of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from mf_smem._unique import Unique

from . import _operands
from ._errors import HMCError
from ._exchange import Exchange
from ._meeting import Meeting, TorchMeeting, meeting
from ._numbers import ConnType, MemoryType, memory_type
from ._session import Session
from ._signals import Signals

__all__ = ["Group", "GroupMember", "alltoall", "init_group"]

_DIRECT_MOST = 8


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
        """Memory type of its buffer."""
        return memory_type(self.mem_type)

    def port_for(self, conn: ConnType) -> int:
        """Its data port of a type."""
        return self.port_ucx if conn == ConnType.UCX else self.port_rdma

    def to_dict(self) -> dict[str, Any]:
        """Its fields by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> GroupMember:
        """Inverse of `to_dict`."""
        return cls(**d)


class Group(Unique):
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
            raise ValueError(f"rank {rank} is not one of the {len(self.members)} members")
        self.rank = rank
        self.group_id = group_id
        self._meeting: Meeting | None = None
        self._made: Signals | None = None
        #: Exchanges that are done.
        self._exchanges = 0

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
        """Waits until all members are here. Raises `HMCError` for one that is gone. **Collective.**"""
        self._meets().barrier()

    def _meets(self) -> Meeting:
        if self._meeting is None:
            self._meeting = meeting(self.group_id, self.me.ip)
        return self._meeting

    def _signals(self) -> Signals:
        """One's signals, made by the first exchange. **Collective.**"""
        if self._made is None:
            self._made = Signals(self.me.ip, self._meets())
        self._made.meet()
        return self._made


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

    Starts one's servers at `my_ip` (control channel: `ctrl_tcp_port`, default `port_ctrl`, and a Unix socket in
    `ctrl_uds_dir`), unless `start_servers` is false; with `server_barrier` waits until all have. Raises `RuntimeError` without
    such a group, and `HMCError` for a process that has died, or does not come.
    """
    meets = meeting(group_id, my_ip)
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
    if isinstance(meets, TorchMeeting):
        meets = meets.by_store(members[0].ip, my_ip, group_id)
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

    `send` is staged at `send_bias` of the session's buffer (unless ``direct`` takes it from host memory where it is), `recv` at
    `recv_bias` (default: behind it); nothing else may use these ranges meanwhile. `send` may be `recv`. ``direct`` connects every two
    members, ``ring`` neighbours, which hand parts on; ``auto`` is direct for at most 8 members. `conn` ``auto`` takes for every two of
    them UCX, or RDMA where UCX does not move between their memories. Puts are of at most `chunk_bytes`. Without `do_self_copy` one's
    own part of `recv` stays as it is.

    Raises `ValueError` for operands of different lengths, which are not divisible, overlap, or do not fit into the buffer; `HMCError`
    for a member that is gone, or does not go on: the group is of no use then.
    """
    if algo not in ("auto", "direct", "ring"):
        raise ValueError(f"algo must be 'auto', 'direct' or 'ring', and is {algo!r}")
    if chunk_bytes < 1:
        raise ValueError(f"chunk_bytes must be at least 1, and is {chunk_bytes}")
    source, target = _operands.readable(send), _operands.fillable(recv)
    total = source.nbytes
    if total != target.nbytes:
        raise ValueError(f"send has {total} bytes, and recv {target.nbytes}")
    if total % group.world:
        raise ValueError(f"{total} bytes are not divisible by {group.world} members")
    # Each part of the same memory is sent before its successor is there; of memory that is shifted it is not.
    if source.is_on_device == target.is_on_device and 0 < abs(source.address - target.address) < total:
        raise ValueError("send and recv overlap")
    to = send_bias + total if recv_bias is None else recv_bias
    if send_bias < 0 or to < 0 or max(send_bias, to) + total > group.session.buf.size:
        raise ValueError(f"{total} bytes at {send_bias} and at {to} do not fit into a buffer of {group.session.buf.size}")
    if abs(send_bias - to) < total:
        raise ValueError(f"{total} bytes at {send_bias} and at {to} overlap")
    kind = None if conn == "auto" else ConnType(conn)
    exchange = Exchange(group, kind, (source, send_bias), (target, to), total // group.world, chunk_bytes, do_self_copy)
    try:
        if algo == "direct" or (algo == "auto" and group.world <= _DIRECT_MOST):
            exchange.direct()
        else:
            exchange.ring()
    except HMCError as error:
        # Members that are connected with others wait for this one.
        group._meets().fail(str(error))
        raise
    group._exchanges += 1
