# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Publishes blocks with `mf_connectors.kv_events`, receives the batches, and prints them with the lookups
that a router must answer, as `main.rs` describes."""

from __future__ import annotations

from typing import Any

import zmq

from mf_connectors.kv_events import CPU_PINNED, Publisher, cleared, pool_topic, removed, stored

BLOCK = 4
PROMPT = [11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33, 34]
OTHER = [*PROMPT[:BLOCK], 91, 92, 93, 94]
#: Hashes as engines make them: of 64 bits, with and without a sign.
FIRST, SECOND, THIRD, FORK = 1 << 63 | 5, 0x5252, -0x7777, 0x9191


class Topic:
    """A publisher and its subscriber."""

    def __init__(self) -> None:
        self.number: int = -1
        self.topic = pool_topic("prod", "org/model")
        self.publisher = Publisher("tcp://127.0.0.1:*", self.topic)
        self.socket: Any = zmq.Context.instance().socket(zmq.SUB)
        self.socket.connect(self.publisher.endpoint)
        self.socket.subscribe("kv@pool:")
        # A subscription takes effect some time after the call.
        while not self.socket.poll(10):
            self.publisher.publish()
        while self.number < self.publisher.counts().last_number:
            self.receive()

    def receive(self) -> bytes:
        if not self.socket.poll(10_000):
            raise SystemExit("no batch came within 10 s")
        topic, number, payload = self.socket.recv_multipart()
        assert topic == self.topic.encode() and self.number in (-1, int.from_bytes(number, "big") - 1)
        self.number = int.from_bytes(number, "big")
        return bytes(payload)

    def send(self, *events: dict[str, Any]) -> None:
        assert self.publisher.publish(*events)
        print("batch", self.receive().hex())


def found(count: int, tokens: list[int]) -> None:
    print("found", count, *tokens)


def main() -> None:
    topic = Topic()
    found(0, PROMPT)
    topic.send(stored([FIRST, SECOND], None, PROMPT[: 2 * BLOCK], BLOCK))
    print("tier External")
    found(2, PROMPT)
    found(1, OTHER)
    # Behind them, by the hash of the block before; and another prompt with the same beginning.
    topic.send(
        stored([THIRD], SECOND, PROMPT[2 * BLOCK :], BLOCK), stored([FORK], FIRST, OTHER[BLOCK:], BLOCK)
    )
    found(3, PROMPT)
    found(2, OTHER)
    found(0, PROMPT[BLOCK:])
    topic.send(removed([THIRD]))
    print("tier External")
    found(2, PROMPT)
    # Again, and another one of the same batch is gone.
    topic.send(stored([THIRD], SECOND, PROMPT[2 * BLOCK :], BLOCK), removed([FORK]))
    found(3, PROMPT)
    found(1, OTHER)
    topic.send(cleared())
    found(0, PROMPT)
    found(0, OTHER)
    topic.send(stored([FIRST], None, PROMPT[:BLOCK], BLOCK, CPU_PINNED))
    print("tier HostPinned")
    found(1, PROMPT)
    # Events of vLLM's tiers: a local one has no owner.
    topic.send(
        stored([SECOND], FIRST, PROMPT[BLOCK : 2 * BLOCK], BLOCK, "STORAGE", locality="LOCAL", ownership=None)
    )
    print("tier Disk")
    found(2, PROMPT)
    topic.send(removed([SECOND], "STORAGE", locality="LOCAL", ownership=None))
    found(1, PROMPT)
    topic.send(stored([SECOND], FIRST, PROMPT[BLOCK : 2 * BLOCK], BLOCK, locality="REMOTE"))
    print("filtered non_local_locality")
    topic.send(stored([SECOND], FIRST, PROMPT[BLOCK : 2 * BLOCK], BLOCK, ownership="memfabric"))
    print("filtered unknown_ownership")
    found(1, PROMPT)
    topic.publisher.close()
    topic.socket.close(linger=0)


main()
