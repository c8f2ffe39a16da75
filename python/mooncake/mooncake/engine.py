# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`TransferEngine`: reads and writes of registered memory between processes, by the names and codes of Mooncake's engine.

Engines name each other ``host:port``, with the port of `TransferEngine.get_rpc_port`. Nothing else need run: each engine is
found at its own address. An HTTP metadata server is asked only for names without a port.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Sequence
from typing import Any

import mf_smem
from mf_smem import ErrorKind
from mf_smem.transfer import TransferOpcode

from ._batches import Batches
from ._failure import failed
from ._memory import Memory
from ._names import Metadata, joined, resolved, split

__all__ = [
    "SUPPORT_CUDA",
    "SUPPORT_EFA",
    "SUPPORT_HIP",
    "SUPPORT_INTRA_NVLINK",
    "SUPPORT_MNNVL",
    "SUPPORT_MUSA",
    "TransferEngine",
    "TransferNotify",
    "TransferOpcode",
]

_Opcode = TransferOpcode
#: What builds of the original name: engines of one vendor that this package has not.
SUPPORT_CUDA = SUPPORT_EFA = SUPPORT_HIP = SUPPORT_INTRA_NVLINK = SUPPORT_MNNVL = SUPPORT_MUSA = False

Read, Write = TransferOpcode.Read, TransferOpcode.Write

_FAILED, _NOBODY = -1, -102
#: Value of `metadata_server` where engines need none.
_HANDSHAKE = "P2PHANDSHAKE"
#: Protocols for the memory of accelerators.
_OF_DEVICES = frozenset(("ascend", "ascend_direct", "hccl", "npu", "cuda", "hip", "nvlink"))

_log = logging.getLogger("mooncake.engine")


class TransferNotify:
    """A message that comes behind a transfer."""

    __slots__ = ("msg", "name")

    def __init__(self, name: str = "", msg: str = "") -> None:
        #: Both together at most 4000 bytes of UTF-8.
        self.name, self.msg = name, msg

    def __repr__(self) -> str:
        return f"TransferNotify(name={self.name!r}, msg={self.msg!r})"


class TransferEngine(Memory):
    """An engine: it has a name, lets others access its registered memory, and accesses theirs.

    Addresses are numbers; lengths are bytes. Methods may be called from any thread, let others run meanwhile, and return codes:
    0 done, negative otherwise, with the reason in ``mf_smem.get_last_err_msg()``. Transfers are one-sided; they end with an error
    when nothing has moved for ``MC_TRANSFER_TIMEOUT`` seconds (30; at least 5), or as soon as the other process is gone.
    """

    TransferOpcode = TransferOpcode
    Read, Write = Read, Write

    def __init__(self) -> None:
        super().__init__(mf_smem.TransferEngine())
        #: The name that was given; empty before `initialize`.
        self._name = ""
        self._metadata: Metadata | None = None
        self._sessions: dict[str, str] = {}
        self._batches = Batches()

    # ---- begin ----

    def initialize(self, local_hostname: str, metadata_server: str, protocol: str, device_name: str) -> int:
        """Becomes the engine `local_hostname`: ``host``, whose port `get_rpc_port` tells, or ``host:port``.

        `metadata_server` is ``P2PHANDSHAKE``, or an ``http://`` URL, where a name without a port is registered. `protocol` is a
        hint; with ``ascend`` and its like `device_name` is the number of the accelerator whose memory is transferred, else it is
        ignored, as is an interface's name. Again: 0. **Local**; blocks until the own address is there. -1: the name is taken or has
        no address, the server does not answer.
        """
        with self._lock:
            if self._name:
                return 0
            _take_timeout()
            try:
                host, port = resolved(local_hostname)
            except ValueError as error:
                return failed(str(error))
            is_plain = split(local_hostname)[1] == 0
            session = joined(host, port or self._engine.get_rpc_port())
            device = _device(protocol, device_name)
            if not self._register_all():
                return _FAILED
            if self._engine.initialize(None, session, "Decode", device) != 0:
                return _FAILED
            if metadata_server.startswith(("http://", "https://")) and is_plain:
                self._metadata = Metadata(metadata_server)
                try:
                    self._metadata.put(local_hostname, session)
                except OSError as error:
                    self._engine.destroy()
                    return failed(f"the metadata server {metadata_server} does not take the name {local_hostname}: {error}")
            elif metadata_server != _HANDSHAKE and is_plain:
                _log.warning("%s is not used: others reach this engine as %s", metadata_server, session)
            self._name, self._own = local_hostname, session
            self._tell_first()
            return 0

    def initialize_ext(
        self, local_hostname: str, metadata_server: str, protocol: str, device_name: str, metadata_type: str
    ) -> int:
        """As `initialize`; `metadata_type` is what the URL begins with."""
        if metadata_type in ("http", "https") and "://" not in metadata_server:
            metadata_server = f"{metadata_type}://{metadata_server}"
        return self.initialize(local_hostname, metadata_server, protocol, device_name)

    def get_rpc_port(self) -> int:
        """The port of this engine, also before `initialize`. 0: none is free."""
        return self._engine.get_rpc_port()

    def get_engine(self) -> TransferEngine:
        """This engine, for ``MooncakeDistributedStore.setup``."""
        return self

    def get_engine_ptr(self) -> int:
        """A number that is different for each engine of the process."""
        return id(self)

    def get_local_topology(self, device_name: str | None = None) -> str:
        """JSON of the places of memory: an empty map, as engines choose interfaces by themselves."""
        del device_name
        return json.dumps({}) + "\n"

    def warmup_efa_segment(self, segment_name: str) -> int:
        """0; connections are made by the first transfer."""
        del segment_name
        return 0

    def send_probe(self, peer: str) -> int:
        """0: an engine answers at `peer`. -102: none does."""
        return 0 if self._to(peer, self._is_there) == 0 else _NOBODY

    # ---- transfers ----

    def transfer_sync_write(
        self, target_hostname: str, buffer: int, peer_buffer_address: int, length: int, transport_hint: str = ""
    ) -> int:
        """Copies to an address of another engine; visible there on return. 0 or -1."""
        return self.batch_transfer_sync_write(target_hostname, [buffer], [peer_buffer_address], [length], transport_hint)

    def transfer_sync_read(
        self, target_hostname: str, buffer: int, peer_buffer_address: int, length: int, transport_hint: str = ""
    ) -> int:
        """Copies from an address of another engine. 0 or -1."""
        return self.batch_transfer_sync_read(target_hostname, [buffer], [peer_buffer_address], [length], transport_hint)

    def batch_transfer_sync_write(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        transport_hint: str = "",
    ) -> int:
        """As `transfer_sync_write` for any number of pieces, in any order. 0 or -1."""
        del transport_hint
        return self._copy(target_hostname, buffers, peer_buffer_addresses, lengths, True)

    def batch_transfer_sync_read(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        transport_hint: str = "",
    ) -> int:
        """As `transfer_sync_read` for any number of pieces, in any order. 0 or -1."""
        del transport_hint
        return self._copy(target_hostname, buffers, peer_buffer_addresses, lengths, False)

    def transfer_sync(
        self,
        target_hostname: str,
        buffer: int,
        peer_buffer_address: int,
        length: int,
        opcode: _Opcode,
        notify: TransferNotify | None = None,
    ) -> int:
        """A write or a read; with `notify` the other engine gets the message behind it. 0 or -1."""
        return self.batch_transfer_sync(target_hostname, [buffer], [peer_buffer_address], [length], opcode, notify)

    def batch_transfer_sync(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        opcode: _Opcode,
        notify: TransferNotify | None = None,
    ) -> int:
        """As `transfer_sync` for any number of pieces. 0 or -1."""
        code = self._copy(target_hostname, buffers, peer_buffer_addresses, lengths, opcode == TransferOpcode.Write)
        if code != 0 or notify is None:
            return code
        message = json.dumps([notify.name, notify.msg], ensure_ascii=False).encode()
        return self._to(target_hostname, lambda session: self._notify(session, message))

    def get_notifies(self) -> list[TransferNotify]:
        """Takes all received messages."""
        try:
            received = [json.loads(message) for _, message in self._engine.get_notifications()]
        except (mf_smem.Error, ValueError) as error:
            failed(f"a message is not one of this interface: {error}")
            return []
        return [TransferNotify(str(name), str(text)) for name, text in received]

    def batch_transfer_async_write(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        transport_hint: str = "",
    ) -> int:
        """Starts writes, and returns their number for `transfer_check_status`. 0: they could not be started."""
        del transport_hint
        return self._start(target_hostname, buffers, peer_buffer_addresses, lengths, True)

    def batch_transfer_async_read(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        transport_hint: str = "",
    ) -> int:
        """As `batch_transfer_async_write`, for reads."""
        del transport_hint
        return self._start(target_hostname, buffers, peer_buffer_addresses, lengths, False)

    def transfer_submit_write(self, target_hostname: str, buffer: int, peer_buffer_address: int, length: int) -> int:
        """As `batch_transfer_async_write` for one piece."""
        return self._start(target_hostname, [buffer], [peer_buffer_address], [length], True)

    def transfer_check_status(self, batch_id: int) -> int:
        """1 done, 0 under way, -1 failed or unknown, -2 timed out. A number ends with its first answer that is not 0."""
        return self._batches.status(batch_id)

    def get_batch_transfer_status(self, batch_ids: Sequence[int]) -> int:
        """Waits until all are done: 0, or the first failure's code. The numbers end."""
        return self._batches.wait(batch_ids)

    # ---- inside ----

    def _copy(
        self, target: str, buffers: Sequence[int], peers: Sequence[int], lengths: Sequence[int], is_write: bool
    ) -> int:
        pieces = _pieces(buffers, peers, lengths)
        if pieces is None:
            return failed(f"{len(buffers)} buffers, {len(peers)} addresses and {len(lengths)} lengths")
        if not pieces[0]:
            return 0
        copy = self._engine.batch_transfer_sync_write if is_write else self._engine.batch_transfer_sync_read
        return 0 if self._to(target, lambda session: copy(session, *pieces)) == 0 else _FAILED

    def _start(
        self, target: str, buffers: Sequence[int], peers: Sequence[int], lengths: Sequence[int], is_write: bool
    ) -> int:
        pieces = _pieces(buffers, peers, lengths)
        if pieces is None:
            failed(f"{len(buffers)} buffers, {len(peers)} addresses and {len(lengths)} lengths")
            return 0
        if not pieces[0]:
            return self._batches.add(None)
        start = self._engine.start_write if is_write else self._engine.start_read
        started: list[Any] = []

        def begin(session: str) -> int:
            try:
                started.append(start(session, *pieces))
            except mf_smem.Error as error:
                return failed(str(error), int(error.code))
            return 0

        return self._batches.add(started[0]) if self._to(target, begin) == 0 else 0

    def _notify(self, session: str, message: bytes) -> int:
        try:
            self._engine.notify(session, message)
        except mf_smem.Error as error:
            return failed(str(error))
        return 0

    def _is_there(self, session: str) -> int:
        try:
            # Finds the engine first, and then refuses that there are no pieces.
            self._engine.prepare_write(session, [], [], [])
        except mf_smem.InvalidParamError:
            return 0
        except mf_smem.Error as error:
            return int(error.code)
        return 0

    def _to(self, target: str, do: Any) -> int:
        """Does it with the address of a target; once more where a name has another address by now."""
        session = self._session(target)
        if session is None:
            return _FAILED
        code = do(session)
        if code != ErrorKind.NOT_CONNECTED or self._metadata is None:
            return int(code)
        self._sessions.pop(target, None)
        fresh = self._session(target)
        return int(code) if fresh in (None, session) else int(do(fresh))

    def _session(self, target: str) -> str | None:
        known = self._sessions.get(target)
        if known is not None:
            return known
        try:
            named = self._metadata.get(target) if self._metadata is not None and split(target)[1] == 0 else None
            host, port = resolved(named or target)
        except (OSError, ValueError) as error:
            failed(f"{target!r} has no address: {error}")
            return None
        if port == 0:
            failed(f"{target!r} names no engine: host:port is expected, with the port of its get_rpc_port()")
            return None
        session = self._sessions[target] = joined(host, port)
        return session


def _pieces(
    buffers: Sequence[int], peers: Sequence[int], lengths: Sequence[int]
) -> tuple[list[int], list[int], list[int]] | None:
    """The pieces that have bytes; None: the lists have different lengths."""
    if not len(buffers) == len(peers) == len(lengths):
        return None
    if 0 not in lengths:
        return list(buffers), list(peers), list(lengths)
    kept = [piece for piece in zip(buffers, peers, lengths) if piece[2] != 0]
    return [one[0] for one in kept], [one[1] for one in kept], [one[2] for one in kept]


def _device(protocol: str, device_name: str) -> int:
    if protocol.lower() not in _OF_DEVICES:
        return -1
    number = device_name.rpartition(":")[2].strip()
    return int(number) if number.isascii() and number.isdigit() else 0


def _take_timeout() -> None:
    """MC_TRANSFER_TIMEOUT, where our own setting says nothing."""
    seconds = os.environ.get("MC_TRANSFER_TIMEOUT", "")
    if seconds.isascii() and seconds.isdigit() and "MF_NET_TIMEOUT" not in os.environ:
        os.environ["MF_NET_TIMEOUT"] = str(max(5, int(seconds)))
