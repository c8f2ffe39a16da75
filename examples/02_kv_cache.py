# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A KV-block cache: blocks of 64 KiB live on the rank that the hash of their key names. The store of the job is the index
(key to pool address); the blocks themselves go straight to their place.

    mf run -n 4 -- python3 examples/02_kv_cache.py
"""

import hashlib
import time
import zlib

import mf_smem
from mf_smem import store

BLOCK_BYTES = 64 << 10
BLOCKS = 64  # that each rank makes
SLOTS = 256  # room on each rank, in blocks


class Cache:
    """A cache that all ranks share."""

    def __init__(self, pool: mf_smem.Pool) -> None:
        self.pool = pool

    def put(self, key: str, block: bytes) -> None:
        """Takes a free slot on the rank that the key hashes to, puts the block there, then writes the index: a reader
        that finds the key finds the block."""
        owner = zlib.crc32(key.encode()) % self.pool.world_size
        slot = store.add(f"slots of {owner}", 1) - 1
        if slot >= SLOTS:
            raise SystemExit(f"rank {owner} has no free slot for {key}")
        place = self.pool.address(owner) + slot * BLOCK_BYTES
        self.pool.put(block, place)
        store.set(key, place.to_bytes(8, "little"))

    def get(self, key: str, block: bytearray) -> int | None:
        """Fills `block` with the value of the key; waits until it is put. Returns the owner of the memory."""
        place = int.from_bytes(store.get(key, timeout_s=60), "little")
        self.pool.get(place, block)
        return self.pool.rank_of(place)


def main() -> None:
    with mf_smem.open_pool(host_bytes=SLOTS * BLOCK_BYTES) as pool:
        cache = Cache(pool)
        pool.barrier("joined")

        # Every rank computes one sequence ...
        for block in range(BLOCKS):
            cache.put(key(pool.rank, block), content(pool.rank, block))

        # ... and continues its neighbour's sequence, in any state of the neighbour.
        neighbour = (pool.rank + 1) % pool.world_size
        got = bytearray(BLOCK_BYTES)
        remote = 0
        start = time.perf_counter()
        for block in range(BLOCKS):
            remote += cache.get(key(neighbour, block), got) != pool.rank
            if got != content(neighbour, block):
                raise SystemExit(f"MISMATCH: {key(neighbour, block)}")
        spent = (time.perf_counter() - start) * 1e3
        print(
            f"rank {pool.rank}: {BLOCKS} blocks of sequence {neighbour} in {spent:.1f} ms, "
            f"{remote} of them from other ranks"
        )
        pool.barrier("done")


def key(sequence: int, block: int) -> str:
    return f"sequence {sequence} block {block}"


def content(sequence: int, block: int) -> bytes:
    """Stand-in for a model's result."""
    return hashlib.shake_128(key(sequence, block).encode()).digest(BLOCK_BYTES)


if __name__ == "__main__":
    main()
