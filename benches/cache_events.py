# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cost of KV-cache events for puts: `python benches/cache_events.py`.

Puts calls of pages as `mf_connectors.sglang` does, with events and without, in turns, in one process: the same cache, pages of
``--bytes``, ``--pages`` a call. Evictions go on throughout, as in a cache that is full. Printed are the medians of a put
of one page, and the median ratio of neighbouring blocks of calls, each by the clock and by the processor's time of the
thread that puts. Needs mf_connectors[events]; a subscriber reads on a thread.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import threading
import time
from typing import Any

import zmq
from mf_connectors._sglang_events import PageEvents
from mf_connectors._shared import Options, close_cache, close_removals, open_cache, open_removals


def free_port() -> int:
    """Returns a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def read(endpoint: str, ended: threading.Event) -> None:
    """Takes batches until `ended`."""
    subscriber: Any = zmq.Context.instance().socket(zmq.SUB)
    subscriber.connect(endpoint)
    subscriber.subscribe("")
    while not ended.is_set():
        if subscriber.poll(100):
            subscriber.recv_multipart()
    subscriber.close(linger=0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", type=int, default=1 << 20)
    parser.add_argument("--pages", type=int, default=32)
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--calls", type=int, default=50)
    parser.add_argument("--contribution", default="256MiB")
    given = parser.parse_args()
    url = f"tcp://127.0.0.1:{free_port()}"
    options = Options(url, world_size=1, rank=0, contribution=given.contribution)
    cache = open_cache(options)
    pages = [os.urandom(given.bytes) for _ in range(given.pages)]

    def put(events: PageEvents | None) -> tuple[float, float]:
        keys = [os.urandom(32).hex() for _ in pages]
        names = ["bench/" + key for key in keys]
        begin = time.perf_counter(), time.thread_time()
        there = cache.exists_many(names, skip_errors=True)
        stored = cache.put_many(names, pages, replace=False, skip_errors=True)
        if events is not None:
            events.stored(names, keys, [a or b for a, b in zip(there, stored)], ())
        return time.perf_counter() - begin[0], time.thread_time() - begin[1]

    while cache.stats().evictions < 2 * given.pages:
        put(None)
    times: dict[bool, list[list[float]]] = {False: [], True: []}
    # A watch is of the whole cache, so it is opened for a block of calls.
    for _ in range(given.blocks):
        for is_on in (False, True):
            events, ended = None, threading.Event()
            if is_on:
                events = PageEvents(cache, open_removals(options), {"endpoint": "tcp://127.0.0.1:*"}, 64)
                reader = threading.Thread(target=read, args=(events.publisher.endpoint, ended))
                reader.start()
            # The first exchange with the store is no cost of a put.
            time.sleep(0.3)
            put(events)
            calls = [put(events) for _ in range(given.calls)]
            times[is_on].append([statistics.median(kind) / given.pages * 1e6 for kind in zip(*calls)])
            if events is not None:
                ended.set()
                reader.join()
                events.close()
                close_removals(options)
    for place, kind in enumerate(("clock", "processor")):
        off, on = ([block[place] for block in times[is_on]] for is_on in (False, True))
        ratio = statistics.median(with_ / without for with_, without in zip(on, off))
        print(
            f"{given.bytes} bytes, {kind}: put {statistics.median(off):.2f} us, with events {statistics.median(on):.2f} us, "
            f"median ratio {ratio:.3f}"
        )
    close_cache(options)


main()
