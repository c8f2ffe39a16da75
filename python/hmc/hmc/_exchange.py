# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One all-to-all of a group: order and addresses of its puts."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ._errors import HMCStatusError, check
from ._numbers import ConnType, MemoryType, status_t
from ._operands import Operand
from ._signals import Signals, check_listener, until

if TYPE_CHECKING:
    from .collective import Group, GroupMember

#: Memory types that UCX moves itself.
_BY_UCX = (MemoryType.CPU, MemoryType.NVIDIA_GPU, MemoryType.AMD_GPU)


def _nothing(rank: int) -> None:
    pass


class Exchange:
    """Operands in parts, and where each is staged.

    A member announces by a word in a peer's memory that it is ready; the peer then puts, and announces completion by another
    word. No member waits for all others.
    """

    def __init__(
        self,
        group: Group,
        conn: ConnType | None,
        source: tuple[Operand, int],
        target: tuple[Operand, int],
        part: int,
        chunk: int,
        keeps_own: bool,
    ) -> None:
        """Operands with their places in the buffer; bytes of a part, and of a put at most; whether the part for
        oneself is copied."""
        self._group, self._conn, self._part, self._chunk = group, conn, part, chunk
        self._source, self._send_at = source
        self._target, self._receive_at = target
        is_host = group.me.memory_type == MemoryType.CPU and not self._source.is_on_device
        #: Whether parts are put from where they are, not from the own buffer.
        self._is_direct = is_host
        self._is_host = is_host and not self._target.is_on_device
        self._keeps_own = keeps_own

    def _keep_own(self) -> None:
        """Copies the part for oneself, once."""
        if not self._keeps_own:
            return
        self._keeps_own = False
        own = self._group.rank
        if self._is_host:
            begin = own * self._part
            ctypes.memmove(self._target.address + begin, self._source.address + begin, self._part)
            return
        self._stage(own, self._received(own))
        self._unstage(own)

    def direct(self) -> None:
        """Everyone puts to everyone."""
        group, own = self._group, self._group.rank
        others = [(own + distance) % group.world for distance in range(1, group.world)]
        if not others:
            self._keep_own()
        else:
            self._connect(others)
            if self._is_direct:
                parts = {rank: [(self._source.address + rank * self._part, self._received(own))] for rank in others}
                self._step(1, parts, others, self._put_from, behind=self._unstage)
            else:
                parts = {rank: [(self._sent(rank), self._received(own))] for rank in others}
                # Data copied just before a put is still in the processor's cache.
                self._step(1, parts, others, self._put, lambda rank: self._stage(rank, self._sent(rank)), self._unstage)

    def ring(self) -> None:
        """Everyone puts to the right, in as many steps as there are others.

        In step k a rank has the parts of the rank k-1 to its left for those to its right, at their places in `send`, and puts all
        of them to the right. The first is for that rank, and goes to its place in `recv`. The others go to places in `recv` that
        later steps fill, as many as are free, and are copied to their places in `send` from there before the next step.
        """
        group, own, world = self._group, self._group.rank, self._group.world
        others = [(own + hop) % world for hop in range(1, world)]
        if not others:
            self._keep_own()
        else:
            self._connect(sorted({group.left.rank, group.right.rank}))
        for rank in others:
            self._stage(rank, self._sent(rank))
        for step in range(1, world):
            # Parts for the ranks `hop` to the right.
            parts = [(self._sent(own + hop), self._received(own + 2 - step - hop)) for hop in range(1, world - step + 1)]
            self._step(step, {group.right.rank: parts}, [group.left.rank], self._put)
            for hop in range(1, world - step):
                source, to = self._received(own - step - hop), self._sent(own + hop)
                group.session.buf.buffer_copy_within(dst_offset=to, src_offset=source, nbytes=self._part)
        for rank in others:
            self._unstage(rank)

    def _step(
        self,
        number: int,
        parts: Mapping[int, Sequence[tuple[int, int]]],
        sources: Sequence[int],
        put: Callable[[GroupMember, int, int], None],
        before: Callable[[int], None] = _nothing,
        behind: Callable[[int], None] = _nothing,
    ) -> None:
        """Has parts `put`, by the rank that gets them, from places to places, and returns when all from `sources` is there. `before`
        is called with a rank before it is put to, `behind` when all from it is there."""
        signals = self._group._signals()
        # Steps of the exchanges before have lower numbers.
        value = self._group._exchanges * self._group.world + number
        signals.send(Signals.READY, sources, value)
        # The others read the word meanwhile.
        self._keep_own()
        wanted = [(Signals.READY, rank) for rank in parts] + [(Signals.DONE, rank) for rank in sources]
        while wanted:
            for one in signals.first(wanted, value):
                row, rank = one
                if row == Signals.DONE and (Signals.READY, rank) in wanted:
                    # If `send` is `recv`, the part for a member occupies the place of the part from it.
                    continue
                wanted.remove(one)
                if row == Signals.DONE:
                    behind(rank)
                    continue
                before(rank)
                for source, to in parts[rank]:
                    put(self._group.members[rank], source, to)
                signals.send(Signals.DONE, [rank], value)

    # ---- places ----

    def _sent(self, slot: int) -> int:
        """Offset of a part's staging area in `send`."""
        return self._send_at + slot % self._group.world * self._part

    def _received(self, slot: int) -> int:
        """Offset of a part's collection area in `recv`."""
        return self._receive_at + slot % self._group.world * self._part

    def _stage(self, slot: int, place: int) -> None:
        """Copies a part of `send` to a place."""
        operand, native = self._source, self._group.session.buf.core._native
        code = native.write_at(operand.address + slot * self._part, self._part, place, operand.is_on_device)
        check(f"ConnBuffer.writeFrom{_end(operand)}", code)

    def _unstage(self, slot: int) -> None:
        """Copies a part of `recv` from its place."""
        operand, native = self._target, self._group.session.buf.core._native
        code = native.read_at(operand.address + slot * self._part, self._part, self._received(slot), operand.is_on_device)
        check(f"ConnBuffer.readTo{_end(operand)}", code)

    def _put(self, peer: GroupMember, source: int, to: int) -> None:
        kind, native = self._type(peer), self._group.session.comm._native
        port = peer.port_for(kind)
        for done in range(0, self._part, self._chunk):
            nbytes = min(self._chunk, self._part - done)
            code = native.put(peer.ip, port, source + done, to + done, nbytes, kind)
            check(f"Communicator.put to rank {peer.rank}", code)

    def _put_from(self, peer: GroupMember, source: int, to: int) -> None:
        """The same from an address of the program."""
        kind, native = self._type(peer), self._group.session.comm._native
        port = peer.port_for(kind)
        for done in range(0, self._part, self._chunk):
            nbytes = min(self._chunk, self._part - done)
            code = native.put_from(peer.ip, port, source + done, to + done, nbytes, kind)
            check(f"Communicator.put to rank {peer.rank}", code)

    # ---- connections ----

    def _type(self, peer: GroupMember) -> ConnType:
        if self._conn is not None:
            return self._conn
        kinds = {self._group.me.memory_type, peer.memory_type}
        are_different_gpus = len(kinds - {MemoryType.CPU}) > 1
        return ConnType.UCX if kinds <= set(_BY_UCX) and not are_different_gpus else ConnType.RDMA

    def _connect(self, ranks: Sequence[int]) -> None:
        """Connects to the given members with a higher rank, and waits for the others to connect."""
        group = self._group
        peers = [group.members[rank] for rank in ranks if not self._is_connected(group.members[rank])]
        for peer in peers:
            if peer.rank > group.rank:
                kind = self._type(peer)
                try:
                    group.session.connect(
                        peer_id=peer.rank, self_id=group.rank, peer_ip=peer.ip, data_port=peer.port_for(kind),
                        ctrl_tcp_port=peer.port_ctrl, conn=kind,
                    )  # fmt: skip
                except HMCStatusError as error:
                    raise HMCStatusError(f"Communicator.connectTo rank {peer.rank} failed", error.status, error.reason) from None
        for peer in peers:
            kind = self._type(peer)
            until(
                lambda: group.session.check_conn(peer.ip, peer.port_for(kind), kind),
                lambda: f"rank {peer.rank} at {peer.ip} did not connect to rank {group.rank}",
                lambda: self._check_dialler(peer, kind),
            )
        signals = group._signals()
        signals.connect(ranks)
        # Words of the previous exchange have usually arrived by now, without a wait.
        signals.flush()

    def _is_connected(self, peer: GroupMember) -> bool:
        kind, native = self._type(peer), self._group.session.comm._native
        return native.check(peer.ip, peer.port_for(kind), kind) == status_t.SUCCESS

    def _check_dialler(self, peer: GroupMember, kind: ConnType) -> None:
        check_listener(peer.rank, peer.ip, peer.port_for(kind))
        self._group._meets().check()


def _end(operand: Operand) -> str:
    return "Gpu" if operand.is_on_device else "Cpu"
