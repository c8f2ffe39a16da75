# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Publisher of KV-cache events: the blocks that a cache stores and loses, for routers that send requests to
their prefixes.

Events have the form of vLLM's and SGLang's: maps with a ``type``, in batches of three elements, as messages
of three frames (topic, number, batch), with a socket for replays. Hashes must be the engine's own. For a
cache that several engines share, routers want the topic of the pool (`pool_topic`) or of a host's engines
(`node_topic`).

`publish` appends to a queue, and a thread encodes and sends. It never waits, neither for a subscriber nor for
that thread: where the queue is full the batch is lost. Lost batches leave a gap in the numbers, by which subscribers see that their view is wrong;
`Counts.dropped` says how many.
"""

from __future__ import annotations

import dataclasses
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec
import zmq

_LOG = logging.getLogger(__name__)

#: Medium of a cache that many hosts share, and of one in a host's own memory.
EXTERNAL, CPU_PINNED = "EXTERNAL", "CPU_PINNED"
#: Number of the message that ends a replay.
_END = b"\xff" * 8

Hash = int | bytes
Event = dict[str, Any]


def pool_topic(name: str, model: str) -> str:
    """Returns the topic of a cache that engines of many hosts share."""
    return f"kv@pool:{name}@{model}"


def node_topic(node: str, model: str) -> str:
    """Returns the topic of a cache that the engines of one host share."""
    return f"kv@node:{node}@{model}"


def stored(
    hashes: Sequence[Hash],
    parent: Hash | None,
    token_ids: Sequence[int],
    block_size: int,
    medium: str = EXTERNAL,
    **fields: Any,
) -> Event:
    """Makes an event of consecutive stored blocks behind `parent`; None: they begin the prompt. `token_ids` has
    the tokens of all blocks; without them only routers that know the hashes can use the event. Further fields
    have the names that vLLM gives them."""
    return {
        "type": "BlockStored",
        "block_hashes": list(hashes),
        "parent_block_hash": parent,
        "token_ids": list(token_ids),
        "block_size": block_size,
        "lora_id": None,
        "medium": medium,
        "lora_name": None,
        **fields,
    }


def removed(hashes: Sequence[Hash], medium: str = EXTERNAL, **fields: Any) -> Event:
    """Makes an event of removed or evicted blocks."""
    return {"type": "BlockRemoved", "block_hashes": list(hashes), "medium": medium, **fields}


def cleared() -> Event:
    """Makes an event of the removal of all blocks of the topic."""
    return {"type": "AllBlocksCleared"}


@dataclasses.dataclass(frozen=True)
class Counts:
    """Counters of a publisher, in batches."""

    published: int
    #: Lost because the queue was full, or because they cannot be encoded.
    dropped: int
    #: Number of the last batch; -1 before the first.
    last_number: int
    queued: int


class Publisher:
    """Publishes batches of events from a thread of its own. Of any thread."""

    def __init__(
        self,
        endpoint: str,
        topic: str = "",
        *,
        replay_endpoint: str | None = None,
        buffer_steps: int = 10_000,
        max_queue_size: int = 100_000,
        hwm: int = 100_000,
        data_parallel_rank: int | None = None,
    ) -> None:
        """Opens the sockets.

        endpoint
            Where subscribers come to. One with ``*``, ``::`` or of ``ipc`` and ``inproc`` is bound, others
            are connected to.
        replay_endpoint
            Where they ask for batches that they missed; None: nowhere. Always bound.
        buffer_steps
            Batches that are kept for replays.
        max_queue_size
            Batches that wait for the thread; more are lost.
        hwm
            Batches that wait for one subscriber; more are lost for that one.

        Raises `zmq.ZMQError` if an address is in use or malformed.
        """
        self._topic = topic.encode()
        self._rank = data_parallel_rank
        self._lock = threading.Condition()
        self._queue: deque[tuple[int, float, tuple[Event, ...]]] = deque()
        self._limit = max_queue_size
        self._number = self._published = self._dropped = 0
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=buffer_steps)
        self._is_open = True
        self._context = zmq.Context()
        try:
            self._socket = self._context.socket(zmq.PUB)
            self._socket.set_hwm(hwm)
            if any(part in endpoint for part in ("*", "::", "ipc://", "inproc://")):
                self._socket.bind(endpoint)
            else:
                self._socket.connect(endpoint)
            self._replay = self._context.socket(zmq.ROUTER) if replay_endpoint else None
            #: The address of the events' socket, with the port that the system chose for ``:*``.
            self.endpoint = str(self._socket.getsockopt_string(zmq.LAST_ENDPOINT))
            #: The address of the replays' socket.
            self.replay_endpoint: str | None = None
            if self._replay is not None and replay_endpoint:
                # Room for two replays at once.
                self._replay.set_hwm(2 * buffer_steps + 16)
                self._replay.bind(replay_endpoint)
                self.replay_endpoint = str(self._replay.getsockopt_string(zmq.LAST_ENDPOINT))
        except BaseException:
            self._context.destroy(linger=0)
            raise
        self._thread = threading.Thread(target=self._run, name="mf-kv-events", daemon=True)
        self._thread.start()

    def publish(self, *events: Event) -> bool:
        """Queues a batch; do not change its events afterwards. Returns False if the queue was full and the
        batch is lost, or after `close`. Never blocks."""
        now = time.time()
        with self._lock:
            if not self._is_open:
                return False
            number, self._number = self._number, self._number + 1
            if len(self._queue) < self._limit:
                self._queue.append((number, now, events))
                self._lock.notify()
                return True
            self._dropped += 1
            dropped = self._dropped
        if dropped.bit_count() == 1:
            _LOG.warning(
                "memfabric: %d batches of events were lost: the queue of %d is full", dropped, self._limit
            )
        return False

    def counts(self) -> Counts:
        """Returns the counters."""
        with self._lock:
            return Counts(self._published, self._dropped, self._number - 1, len(self._queue))

    def close(self) -> None:
        """Sends the queued batches, waits for subscribers a second at most, and closes the sockets.
        Idempotent."""
        with self._lock:
            self._is_open = False
            self._lock.notify()
        self._thread.join()
        self._context.destroy(linger=1000)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._queue and self._is_open:
                    # Requests for replays come on a socket, which wake no condition.
                    self._lock.wait(0.05 if self._replay is not None else None)
                if not self._queue and not self._is_open:
                    return
                batches = [self._queue.popleft() for _ in range(min(len(self._queue), 64))]
            sent = sum(self._send(*batch) for batch in batches)
            with self._lock:
                self._published += sent
                self._dropped += len(batches) - sent
            if self._replay is not None and self._replay.poll(0):
                try:
                    self._answer(self._replay)
                except zmq.ZMQError as error:
                    _LOG.warning("memfabric: a replay was not sent: %s", error)

    def _send(self, number: int, stamp: float, events: tuple[Event, ...]) -> bool:
        try:
            batch = msgspec.msgpack.encode([stamp, events, self._rank])
        except (TypeError, ValueError, OverflowError) as error:
            _LOG.warning("memfabric: batch %d of events cannot be encoded: %s", number, error)
            return False
        self._socket.send_multipart((self._topic, number.to_bytes(8, "big"), batch))
        self._kept.append((number, batch))
        return True

    def _answer(self, socket: zmq.Socket[bytes]) -> None:
        """Sends the kept batches from the number asked for on. A client that does not take them loses
        them."""
        client, *request = socket.recv_multipart()
        if len(request) != 2 or len(request[1]) != 8:
            _LOG.warning("memfabric: malformed request for a replay: %d frames", len(request))
            return
        first = int.from_bytes(request[1], "big")
        for number, batch in self._kept:
            if number >= first:
                frames = (client, b"", self._topic, number.to_bytes(8, "big"), batch)
                socket.send_multipart(frames, flags=zmq.NOBLOCK)
        socket.send_multipart((client, b"", b"", _END, b""), flags=zmq.NOBLOCK)
