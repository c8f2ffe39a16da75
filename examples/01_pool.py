# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A pool in ten lines: every rank contributes 2 MiB, puts a greeting into the memory of the next rank, and reads the one
it got.

    mf run -n 4 -- python3 examples/01_pool.py
"""

import mf_smem


def main() -> None:
    with mf_smem.open_pool(host_bytes=2 << 20) as pool:
        pool.barrier("joined")
        next_rank = (pool.rank + 1) % pool.world_size
        pool.put(greeting(pool.rank, pool.world_size), pool.address(next_rank))
        pool.barrier("greeted")

        got = pool.read(pool.address(), 64)
        print(f'rank {pool.rank}: got "{got.rstrip(bytes(1)).decode()}"')
        previous = (pool.rank - 1) % pool.world_size
        if got != greeting(previous, pool.world_size):
            raise SystemExit("MISMATCH: the greeting")
        pool.barrier("done")


def greeting(rank: int, world_size: int) -> bytes:
    return f"hello from rank {rank} of {world_size}".encode().ljust(64, b"\0")


if __name__ == "__main__":
    main()
