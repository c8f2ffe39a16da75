# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`TransferEngine`: reads and writes of registered memory between processes, with names and codes of Mooncake's engine.

An engine's name is ``host:port``, with the port of `TransferEngine.get_rpc_port`, and is also its address. Engines need no
other process. They ask an HTTP metadata server only for names without a port.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import mf_smem
from mf_smem import ErrorKind
from mf_smem.transfer import TransferOpcode

from ._batches import Batches
from ._failure import failed
from ._memory import Memory
from ._names import Metadata, device_of, joined, resolved, split

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
#: Build flags of the original for engines of one vendor. This package has no such engines.
SUPPORT_CUDA = SUPPORT_EFA = SUPPORT_HIP = SUPPORT_INTRA_NVLINK = SUPPORT_MNNVL = SUPPORT_MUSA = False

Read, Write = TransferOpcode.Read, TransferOpcode.Write

_FAILED, _NOBODY = -1, -102
#: Value of `metadata_server` for engines without a metadata server.
_HANDSHAKE = "P2PHANDSHAKE"


_log = logging.getLogger("mooncake.engine")


class TransferNotify:
    """Message that follows a transfer."""

    __slots__ = ("msg", "name")

    def __init__(self, name: str = "", msg: str = "") -> None:
        #: Both together have at most 4000 bytes of UTF-8.
        self.name, self.msg = name, msg

    def __repr__(self) -> str:
        return f"TransferNotify(name={self.name!r}, msg={self.msg!r})"


class TransferEngine(Memory):
    """Endpoint that accesses registered memory of other engines, and gives them access to its own.

    Addresses are integers, lengths are bytes. Methods are thread-safe, release the GIL, and return codes: 0 for success, negative
    for failures, with the reason in ``mf_smem.get_last_err_msg()``. Transfers are one-sided. They fail after
    ``MC_TRANSFER_TIMEOUT`` seconds (default 30, minimum 5) without progress, or immediately when the peer's process ends.
    """

    TransferOpcode = TransferOpcode
    Read, Write = Read, Write

    def __init__(self) -> None:
        super().__init__(mf_smem.TransferEngine())
        #: Argument of `initialize`; empty before it.
        self._name = ""
        self._metadata: Metadata | None = None
        self._sessions: dict[str, str] = {}
        self._batches = Batches()

    # ---- begin ----

    def initialize(self, local_hostname: str, metadata_server: str, protocol: str, device_name: str) -> int:
        """Starts the engine under the name `local_hostname`: ``host``, with the port of `get_rpc_port`, or ``host:port``.

        `metadata_server` is ``P2PHANDSHAKE``, or the ``http://`` URL of a server, which registers a name without a port.
        `protocol` is a hint. With ``ascend`` and other protocols of accelerators, `device_name` is the number of the accelerator
        for transfers, or the name is ``host:port:npu_NUMBER``. With other protocols it is ignored, as is the name of an interface.

        **Local.** Blocks until the engine has an address. Returns 0, also for a repeated call. Returns -1 if
        the name is in use or has no address, or if the server does not answer.
        """
        with self._lock:
            if self._name:
                return 0
            _take_timeout()
            address, device = device_of(local_hostname, protocol, device_name)
            try:
                host, port = resolved(address)
            except ValueError as error:
                return failed(str(error))
            is_plain = split(address)[1] == 0
            session = joined(host, port or self._engine.get_rpc_port())
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
        """Starts the engine as `initialize`. `metadata_type` is the scheme of the URL."""
        if metadata_type in ("http", "https") and "://" not in metadata_server:
            metadata_server = f"{metadata_type}://{metadata_server}"
        return self.initialize(local_hostname, metadata_server, protocol, device_name)

    def get_rpc_port(self) -> int:
        """Returns the port of this engine, also before `initialize`. 0 if no port is free."""
        return self._engine.get_rpc_port()

    def get_engine(self) -> TransferEngine:
        """Returns this engine, for ``MooncakeDistributedStore.setup``."""
        return self

    def get_engine_ptr(self) -> int:
        """Returns a number, unique among the engines of the process."""
        return id(self)

    def get_local_topology(self, device_name: str | None = None) -> str:
        """Returns an empty JSON map, because engines select interfaces themselves."""
        del device_name
        return json.dumps({}) + "\n"

    def warmup_efa_segment(self, segment_name: str) -> int:
        """Returns 0. The first transfer connects."""
        del segment_name
        return 0

    def send_probe(self, peer_server_name: str) -> int:
        """Returns 0 if an engine answers at `peer_server_name`, else -102."""
        return 0 if self._to(peer_server_name, self._is_there) == 0 else _NOBODY

    # ---- transfers ----

    def transfer_sync_write(
        self, target_hostname: str, buffer: int, peer_buffer_address: int, length: int, transport_hint: str = ""
    ) -> int:
        """Copies to an address of another engine. The bytes are visible there on return. Returns 0 or -1."""
        del transport_hint
        return self._copy_one(target_hostname, self._engine.transfer_sync_write, buffer, peer_buffer_address, length)

    def transfer_sync_read(
        self, target_hostname: str, buffer: int, peer_buffer_address: int, length: int, transport_hint: str = ""
    ) -> int:
        """Copies from an address of another engine. Returns 0 or -1."""
        del transport_hint
        return self._copy_one(target_hostname, self._engine.transfer_sync_read, buffer, peer_buffer_address, length)

    def batch_transfer_sync_write(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        transport_hint: str = "",
    ) -> int:
        """Copies any number of pieces as `transfer_sync_write`, in any order. Returns 0 or -1."""
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
        """Copies any number of pieces as `transfer_sync_read`, in any order. Returns 0 or -1."""
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
        transport_hint: str = "",
    ) -> int:
        """Writes or reads, then sends the message `notify` to the other engine. Returns 0 or -1."""
        return self.batch_transfer_sync(target_hostname, [buffer], [peer_buffer_address], [length], opcode, notify, transport_hint)

    def batch_transfer_sync(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        opcode: _Opcode,
        notify: TransferNotify | None = None,
        transport_hint: str = "",
    ) -> int:
        """Copies any number of pieces as `transfer_sync`. Returns 0 or -1."""
        del transport_hint
        code = self._copy(target_hostname, buffers, peer_buffer_addresses, lengths, opcode == TransferOpcode.Write)
        if code != 0 or notify is None:
            return code
        message = json.dumps([notify.name, notify.msg], ensure_ascii=False).encode()
        return self._to(target_hostname, lambda session: self._notify(session, message))

    def get_notifies(self) -> list[TransferNotify]:
        """Returns and removes all received messages."""
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
        """Starts writes. Returns their number for `transfer_check_status`, or 0 if the start fails."""
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
        """Starts reads as `batch_transfer_async_write`."""
        del transport_hint
        return self._start(target_hostname, buffers, peer_buffer_addresses, lengths, False)

    def batch_transfer_async(
        self,
        target_hostname: str,
        buffers: Sequence[int],
        peer_buffer_addresses: Sequence[int],
        lengths: Sequence[int],
        opcode: _Opcode,
        transport_hint: str = "",
    ) -> int:
        """Starts writes or reads as `batch_transfer_async_write`."""
        del transport_hint
        return self._start(target_hostname, buffers, peer_buffer_addresses, lengths, opcode == TransferOpcode.Write)

    def transfer_submit_write(
        self, target_hostname: str, buffer: int, peer_buffer_address: int, length: int, transport_hint: str = ""
    ) -> int:
        """Starts a write of one piece as `batch_transfer_async_write`."""
        del transport_hint
        return self._start(target_hostname, [buffer], [peer_buffer_address], [length], True)

    def transfer_check_status(self, batch_id: int) -> int:
        """Returns 1 when done, 0 in progress, -1 failed or unknown, -2 timed out. A result other than 0 frees the number."""
        return self._batches.status(batch_id)

    def get_batch_transfer_status(self, batch_ids: Sequence[int]) -> int:
        """Waits for all transfers, and frees their numbers. Returns 0, or the code of the first failed transfer."""
        return self._batches.wait(batch_ids)

    # ---- inside ----

    def _copy_one(self, target: str, copy: Callable[..., int], buffer: int, peer: int, length: int) -> int:
        if length == 0:
            return 0
        return 0 if self._to(target, lambda session: copy(session, buffer, peer, length)) == 0 else _FAILED

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
            # Resolves the engine first, then rejects the empty lists.
            self._engine.prepare_write(session, [], [], [])
        except mf_smem.InvalidParamError:
            return 0
        except mf_smem.Error as error:
            return int(error.code)
        return 0

    def _to(self, target: str, do: Any) -> int:
        """Calls `do` with the address of a target. Repeats the call once if the address of the name has changed."""
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
    """Returns the pieces that have bytes, or None if the lists have different lengths."""
    if not len(buffers) == len(peers) == len(lengths):
        return None
    if 0 not in lengths:
        return list(buffers), list(peers), list(lengths)
    kept = [piece for piece in zip(buffers, peers, lengths) if piece[2] != 0]
    return [one[0] for one in kept], [one[1] for one in kept], [one[2] for one in kept]


def _take_timeout() -> None:
    """Copies MC_TRANSFER_TIMEOUT to MF_NET_TIMEOUT if the latter is not set."""
    seconds = os.environ.get("MC_TRANSFER_TIMEOUT", "")
    if seconds.isascii() and seconds.isdigit() and "MF_NET_TIMEOUT" not in os.environ:
        os.environ["MF_NET_TIMEOUT"] = str(max(5, int(seconds)))
