# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Hit rates of eviction policies on a trace of requests: `python benches/cache_trace.py [TRACE]`.

A model of policies alone: no bytes are stored, no time passes, no queue is full, no disk fails. It says which blocks a cache of a
size would hold, and how many bytes a disk tier would write; speed it says nothing of.

TRACE has lines of JSON as Mooncake's open traces: timestamp (ms), input_length and output_length (tokens), hash_ids (one for each
512 tokens of input; equal ids have equal prefixes). Without TRACE a trace is generated from --seed: documents of --prefix-blocks
blocks whose popularity follows Zipf's law with exponent --zipf, questions about them, and conversations that continue with
probability --continues. --generate FILE writes it.

Policies of one tier: LRU, S3-FIFO (small queue of 10%), CLOCK, and the optimum (Belady, which knows the future). "ours" is CLOCK in memory over
segments on disk that are freed oldest first, after values that were read since they were written are written again, at
most half a segment. A hit is a block that is there when its request comes; "prefix" counts blocks up to the first miss of a request.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import json
import random
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

TOKENS = 512


class Policy(Protocol):
    """A cache of blocks."""

    def access(self, block: int) -> bool:
        """Returns true for a hit; a miss inserts the block."""


class Lru:
    def __init__(self, blocks: int) -> None:
        self.blocks, self.held = blocks, OrderedDict[int, None]()

    def access(self, block: int) -> bool:
        if block in self.held:
            self.held.move_to_end(block)
            return True
        if len(self.held) >= self.blocks:
            self.held.popitem(last=False)
        self.held[block] = None
        return False


class Clock:
    """Second chance; `evicted` is the block that the last access evicted."""

    def __init__(self, blocks: int) -> None:
        self.blocks, self.held = blocks, OrderedDict[int, bool]()
        self.evicted: int | None = None

    def access(self, block: int) -> bool:
        self.evicted = None
        if block in self.held:
            self.held[block] = True
            return True
        while len(self.held) >= self.blocks:
            oldest, was_read = self.held.popitem(last=False)
            if was_read:
                self.held[oldest] = False
            else:
                self.evicted = oldest
        self.held[block] = False
        return False


class S3Fifo:
    def __init__(self, blocks: int) -> None:
        self.small_blocks = max(1, blocks // 10)
        self.main_blocks = max(1, blocks - self.small_blocks)
        self.small, self.main = OrderedDict[int, int](), OrderedDict[int, int]()
        self.ghosts = OrderedDict[int, None]()

    def access(self, block: int) -> bool:
        for queue in (self.small, self.main):
            if block in queue:
                queue[block] = min(3, queue[block] + 1)
                return True
        if block in self.ghosts:
            del self.ghosts[block]
            self.insert_main(block)
        else:
            while len(self.small) >= self.small_blocks:
                oldest, reads = self.small.popitem(last=False)
                if reads > 1:
                    self.insert_main(oldest)
                else:
                    self.ghosts[oldest] = None
                    if len(self.ghosts) > self.main_blocks:
                        self.ghosts.popitem(last=False)
            self.small[block] = 0
        return False

    def insert_main(self, block: int) -> None:
        while len(self.main) >= self.main_blocks:
            oldest, reads = self.main.popitem(last=False)
            if reads > 0:
                self.main[oldest] = reads - 1
        self.main[block] = 0


class Optimum:
    """Belady's policy: evicts the block that is needed last, or does not insert it."""

    def __init__(self, blocks: int, accesses: list[int]) -> None:
        self.blocks, self.at = blocks, 0
        last: dict[int, int] = {}
        self.next = [0] * len(accesses)
        for at in range(len(accesses) - 1, -1, -1):
            self.next[at] = last.get(accesses[at], len(accesses) + at)
            last[accesses[at]] = at
        self.held: dict[int, int] = {}
        self.order: list[tuple[int, int]] = []

    def access(self, block: int) -> bool:
        needed = self.next[self.at]
        self.at += 1
        is_hit = block in self.held
        if is_hit:
            self.order.pop(bisect.bisect_left(self.order, (self.held[block], block)))
        elif len(self.held) >= self.blocks:
            if self.order[-1][0] < needed:
                return False
            del self.held[self.order.pop()[1]]
        self.held[block] = needed
        bisect.insort(self.order, (needed, block))
        return is_hit


class Segments:
    """CLOCK in memory over segments on disk. A block that memory evicts is written unless the disk has it."""

    def __init__(self, memory_blocks: int, disk_blocks: int, segment_blocks: int) -> None:
        self.memory = Clock(memory_blocks)
        self.slots, self.segment_blocks = max(4, disk_blocks // segment_blocks), segment_blocks
        self.segments: deque[list[int]] = deque([[]])
        self.read: dict[int, bool] = {}
        self.disk_hits = self.admitted = self.written = 0

    def access(self, block: int) -> bool:
        is_hit = self.memory.access(block)
        if not is_hit and block in self.read:
            self.read[block] = is_hit = True
            self.disk_hits += 1
        evicted = self.memory.evicted
        if evicted is not None and evicted not in self.read:
            self.admitted += 1
            self.write(evicted)
        return is_hit

    def write(self, block: int) -> None:
        if len(self.segments[-1]) >= self.segment_blocks:
            # One slot is free for values that are written again.
            while len(self.segments) > self.slots - 2:
                self.free_oldest()
            self.segments.append([])
        self.append(block)

    def append(self, block: int) -> None:
        if len(self.segments[-1]) >= self.segment_blocks:
            self.segments.append([])
        self.segments[-1].append(block)
        self.read[block] = False
        self.written += 1

    def free_oldest(self) -> None:
        oldest = self.segments.popleft()
        kept = [block for block in oldest if self.read[block]][: self.segment_blocks // 2]
        for block in oldest:
            del self.read[block]
        for block in kept:
            self.append(block)


def generated(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A trace with the same bytes for the same options."""
    chance = random.Random(given.seed)
    ids = itertools.count()
    documents = [[next(ids) for _ in range(chance.randint(1, 2 * given.prefix_blocks))] for _ in range(given.documents)]
    weights = list(itertools.accumulate((rank + 1) ** -given.zipf for rank in range(given.documents)))
    open_talks: list[list[int]] = []
    now = 0.0
    for _ in range(given.requests):
        now += chance.expovariate(given.rate) * 1000
        if open_talks and chance.random() < given.continues:
            # Recent conversations continue more often.
            at = len(open_talks) - 1 - min(len(open_talks) - 1, int(chance.expovariate(1 / 20)))
            blocks = open_talks.pop(at)
        else:
            document = bisect.bisect_left(weights, chance.random() * weights[-1])
            blocks = list(documents[min(document, given.documents - 1)])
        blocks = blocks + [next(ids) for _ in range(chance.randint(1, 4))]
        answer = chance.randint(16, 1024)
        open_talks = [*open_talks[-200:], blocks]
        length = len(blocks) * TOKENS - chance.randrange(TOKENS)
        yield {"timestamp": int(now), "input_length": length, "output_length": answer, "hash_ids": blocks}


def rates(policy: Policy, requests: list[list[int]]) -> tuple[float, float]:
    """Hits and prefix hits of all blocks."""
    hits = prefix = count = 0
    for blocks in requests:
        found = [policy.access(block) for block in blocks]
        hits += sum(found)
        prefix += len(list(itertools.takewhile(bool, found)))
        count += len(found)
    return hits / count, prefix / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", nargs="?", type=Path, metavar="TRACE")
    parser.add_argument("--generate", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--documents", type=int, default=4000)
    parser.add_argument("--prefix-blocks", type=int, default=8)
    parser.add_argument("--zipf", type=float, default=0.9)
    parser.add_argument("--continues", type=float, default=0.5)
    parser.add_argument("--rate", type=float, default=5, help="requests a second")
    parser.add_argument("--block-kib", type=int, default=1024, help="bytes of a block's keys and values")
    parser.add_argument("--memory-gib", type=float, default=1)
    parser.add_argument("--disk-gib", type=float, default=10)
    parser.add_argument("--segment-mib", type=int, default=64)
    given = parser.parse_args()
    lines = given.trace.read_text().splitlines() if given.trace else [json.dumps(one) for one in generated(given)]
    if given.generate:
        given.generate.write_text("".join(f"{line}\n" for line in lines))
    requests = [json.loads(line)["hash_ids"] for line in lines]
    accesses = [block for blocks in requests for block in blocks]
    counts = Counter(accesses)
    memory = int(given.memory_gib * (1 << 20) / given.block_kib)
    disk = int(given.disk_gib * (1 << 20) / given.block_kib)
    again = len(accesses) - len(counts)
    print(f"{len(requests)} requests, {len(accesses)} blocks, {len(counts)} different; seen before: {again / len(accesses):.3f}")
    ours = Segments(memory, disk, max(1, (given.segment_mib << 10) // given.block_kib))
    rows: list[tuple[str, str, Policy]] = []
    sizes = ((f"{given.memory_gib:g} GiB", memory), (f"{given.memory_gib + given.disk_gib:g} GiB", memory + disk))
    for size, blocks in sizes:
        rows += [("LRU", size, Lru(blocks)), ("S3-FIFO", size, S3Fifo(blocks)), ("CLOCK", size, Clock(blocks))]
        rows += [("optimum", size, Optimum(blocks, accesses))]
    rows.append(("ours", f"{given.memory_gib:g} + {given.disk_gib:g} GiB", ours))
    print(f"{'policy':<8} {'size':<12} {'hits':>6} {'prefix':>7}")
    for name, size, policy in rows:
        hits, prefix = rates(policy, requests)
        print(f"{name:<8} {size:<12} {hits:6.3f} {prefix:7.3f}")
    in_disk, wear = ours.disk_hits / len(accesses), ours.written / max(1, ours.admitted)
    print(f"ours: {in_disk:.3f} of all blocks from disk; {wear:.2f} blocks written for each that memory evicted to it")


if __name__ == "__main__":
    main()
