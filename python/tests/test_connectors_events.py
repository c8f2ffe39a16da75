# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The publisher of KV-cache events, read by plain subscribers and, where they are installed, by the decoders
of vLLM and SGLang."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from test_connectors import wait_until

zmq = pytest.importorskip("zmq", reason="pip install pyzmq")
msgspec = pytest.importorskip("msgspec", reason="pip install msgspec")
pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")


@pytest.fixture
def context() -> Any:
    made = zmq.Context()
    yield made
    made.destroy(linger=0)


def _publisher(**options: Any) -> Any:
    from mf_connectors.kv_events import Publisher

    return Publisher("tcp://127.0.0.1:*", **options)


def _subscriber(context: Any, publisher: Any, topic: str = "") -> Any:
    """A subscriber with a subscription that is in effect."""
    socket = context.socket(zmq.SUB)
    socket.connect(publisher.endpoint)
    socket.subscribe(topic)
    wait_until(lambda: (publisher.publish(), socket.poll(10))[1])
    while socket.poll(100):
        socket.recv_multipart()
    return socket


def _replay(context: Any, publisher: Any, first: int) -> list[list[bytes]]:
    """Frames of a replay, the end's included."""
    asks = context.socket(zmq.DEALER)
    asks.connect(publisher.replay_endpoint)
    asks.send_multipart([b"", first.to_bytes(8, "big")])
    answers = []
    while not answers or answers[-1][2] != b"\xff" * 8:
        assert asks.poll(10_000)
        answers.append(asks.recv_multipart())
    asks.close()
    return answers


def test_batches_have_three_frames_and_count_up(context: Any) -> None:
    from mf_connectors.kv_events import CPU_PINNED, cleared, node_topic, pool_topic, removed, stored

    assert (pool_topic("a", "org/m"), node_topic("n1", "org/m")) == ("kv@pool:a@org/m", "kv@node:n1@org/m")
    publisher = _publisher(topic=pool_topic("a", "org/m"), data_parallel_rank=2)
    subscriber = _subscriber(context, publisher, "kv@")
    first = publisher.counts().last_number + 1
    begun = time.time()
    publisher.publish(stored([1, 2], None, [5, 6, 7, 8], 2), removed([3], CPU_PINNED))
    publisher.publish(cleared())
    messages = [subscriber.recv_multipart() for _ in range(2)]
    assert [message[0] for message in messages] == [b"kv@pool:a@org/m"] * 2
    assert [int.from_bytes(message[1], "big") for message in messages] == [first, first + 1]
    stamp, events, rank = msgspec.msgpack.decode(messages[0][2])
    assert begun <= stamp <= time.time() and rank == 2
    assert events == [
        {
            "type": "BlockStored",
            "block_hashes": [1, 2],
            "parent_block_hash": None,
            "token_ids": [5, 6, 7, 8],
            "block_size": 2,
            "lora_id": None,
            "medium": "EXTERNAL",
            "lora_name": None,
        },
        {"type": "BlockRemoved", "block_hashes": [3], "medium": "CPU_PINNED"},
    ]
    assert msgspec.msgpack.decode(messages[1][2])[1:] == [[{"type": "AllBlocksCleared"}], 2]
    publisher.close()
    publisher.close()
    assert publisher.publish(cleared()) is False


def test_missed_batches_are_replayed(context: Any) -> None:
    from mf_connectors.kv_events import removed

    publisher = _publisher(topic="t", replay_endpoint="tcp://127.0.0.1:*", buffer_steps=3)
    for number in range(5):
        publisher.publish(removed([number]))
    wait_until(lambda: publisher.counts().published == 5)
    # Of five batches three are kept.
    answers = _replay(context, publisher, 0)
    assert [int.from_bytes(answer[2], "big") for answer in answers[:-1]] == [2, 3, 4]
    assert [answer[:2] for answer in answers] == [[b"", b"t"]] * 3 + [[b"", b""]] and answers[-1][3] == b""
    assert msgspec.msgpack.decode(answers[0][3])[1] == [
        {"type": "BlockRemoved", "block_hashes": [2], "medium": "EXTERNAL"}
    ]
    assert len(_replay(context, publisher, 4)) == 2 and len(_replay(context, publisher, 5)) == 1
    # A malformed request does no harm.
    asks = context.socket(zmq.DEALER)
    asks.connect(publisher.replay_endpoint)
    asks.send_multipart([b"", b"short"])
    assert len(_replay(context, publisher, 4)) == 2
    publisher.close()


def test_a_subscriber_that_never_reads_stalls_no_put(context: Any) -> None:
    from mf_connectors.kv_events import stored

    publisher = _publisher(hwm=10, max_queue_size=100)
    silent = context.socket(zmq.SUB)
    silent.set_hwm(1)
    silent.setsockopt(zmq.RCVBUF, 4096)
    silent.connect(publisher.endpoint)
    silent.subscribe("")
    wait_until(lambda: (publisher.publish(), silent.poll(10))[1])
    reader = _subscriber(context, publisher)
    tokens = list(range(4096))
    numbers = publisher.counts().last_number
    # Some 50 MiB, of which the silent subscriber takes none: each call returns.
    for number in range(3_000):
        publisher.publish(stored([number], None, tokens, 4096))
    # All were taken or counted as lost, and the numbers went on.
    assert publisher.counts().last_number == numbers + 3_000
    wait_until(
        lambda: publisher.counts().published + publisher.counts().dropped
        == publisher.counts().last_number + 1
    )
    # One that reads is served beside the silent one. It has lost what did not fit while it read nothing.
    def is_served() -> bool:
        while reader.poll(0):
            reader.recv_multipart()
        publisher.publish(stored([9], None, [1], 1))
        number = publisher.counts().last_number
        return bool(reader.poll(100)) and int.from_bytes(reader.recv_multipart()[1], "big") == number

    wait_until(is_served)
    publisher.close()


def test_lost_batches_leave_a_gap(context: Any, caplog: pytest.LogCaptureFixture) -> None:
    from mf_connectors.kv_events import removed

    publisher = _publisher(max_queue_size=2, replay_endpoint="tcp://127.0.0.1:*")
    subscriber = _subscriber(context, publisher)
    dropped, first = publisher.counts().dropped, publisher.counts().last_number + 1
    # While the thread is held up, two batches wait and the others are lost.
    held = threading.Event()
    send = publisher._socket.send_multipart
    publisher._socket = type(
        "Held", (), {"send_multipart": staticmethod(lambda *frames: (held.wait(), send(*frames)))}
    )
    publisher.publish(removed([0]))
    wait_until(lambda: publisher.counts().queued == 0)
    kept = [publisher.publish(removed([number])) for number in range(1, 6)]
    assert kept == [True, True, False, False, False] and publisher.counts().dropped == dropped + 3
    held.set()
    wait_until(lambda: publisher.counts().queued == 0)
    assert publisher.publish(removed([6]))
    numbers = [int.from_bytes(subscriber.recv_multipart()[1], "big") - first for _ in range(4)]
    assert numbers == [0, 1, 2, 6] and "batches of events were lost" in caplog.text
    # A replay has the same gap: the subscriber must clear its index.
    replayed = [
        int.from_bytes(answer[2], "big") - first for answer in _replay(context, publisher, first)[:-1]
    ]
    assert replayed == [0, 1, 2, 6]
    publisher.close()


def test_batches_that_cannot_be_encoded_are_lost(context: Any, caplog: pytest.LogCaptureFixture) -> None:
    from mf_connectors.kv_events import Counts, removed

    publisher = _publisher(replay_endpoint="tcp://127.0.0.1:*")
    publisher.publish(removed([1]))
    publisher.publish(removed([1 << 70]), removed([2]))
    publisher.publish(removed([3]))
    wait_until(lambda: publisher.counts() == Counts(published=2, dropped=1, last_number=2, queued=0))
    # Numbers begin with 0, and the lost batch has one.
    assert [int.from_bytes(answer[2], "big") for answer in _replay(context, publisher, 0)[:-1]] == [0, 2]
    assert "batch 1 of events cannot be encoded" in caplog.text
    publisher.close()


def test_addresses_in_use_are_refused() -> None:
    from mf_connectors.kv_events import Publisher

    publisher = _publisher(replay_endpoint="tcp://127.0.0.1:*")
    with pytest.raises(zmq.ZMQError):
        Publisher("tcp://127.0.0.1:*", replay_endpoint=publisher.replay_endpoint)
    with pytest.raises(zmq.ZMQError):
        Publisher("nonsense")
    publisher.close()


@pytest.mark.parametrize("engine, module", [
    ("vllm", "vllm.distributed.kv_events"), ("sglang", "sglang.srt.disaggregation.kv_events"),
])
def test_engines_read_the_batches(context: Any, engine: str, module: str) -> None:
    from engines import needed
    from mf_connectors.kv_events import cleared, removed, stored

    (theirs,) = needed(engine, module)
    publisher = _publisher()
    subscriber = _subscriber(context, publisher)
    publisher.publish(stored([1, 2], 7, [5, 6, 7, 8], 2, "CPU_PINNED"), removed([3]), cleared())
    batch = msgspec.msgpack.decode(subscriber.recv_multipart()[2], type=theirs.KVEventBatch)
    block, lost, nothing = batch.events
    assert isinstance(block, theirs.BlockStored) and isinstance(lost, theirs.BlockRemoved)
    assert isinstance(nothing, theirs.AllBlocksCleared)
    assert (block.block_hashes, block.parent_block_hash, block.token_ids, block.medium) == (
        [1, 2],
        7,
        [5, 6, 7, 8],
        "CPU_PINNED",
    )
    assert (lost.block_hashes, lost.medium) == ([3], "EXTERNAL")
    publisher.close()
