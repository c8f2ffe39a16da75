# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Device memory in a pool: every rank writes into the next rank's device memory, and copies on to its own.

The same program runs on an NPU, on the simulator, and on a machine with neither, where host memory stands in:

    mf run -n 2 -- python3 examples/06_device_memory.py
    mf sim -- mf run -n 2 -- python3 examples/06_device_memory.py
"""

import mf_smem

SIZE = 1 << 20
GIB = 1 << 30


def main() -> None:
    with mf_smem.open_pool(device_bytes=GIB) as pool:
        pool.barrier("joined")
        next_rank = (pool.rank + 1) % pool.world_size
        pool.put(pattern(pool.rank), pool.address(next_rank, "device"))
        pool.barrier("written")

        # From one's own device memory to another place of it; the bytes never come to the host.
        mine = pool.address(kind="device")
        pool.copy(mine, mine + SIZE, SIZE)
        got = bytearray(SIZE)
        pool.get(mine + SIZE, got)
        previous = (pool.rank - 1) % pool.world_size
        if got != pattern(previous):
            raise SystemExit("MISMATCH: the bytes of the previous rank")
        print(f"rank {pool.rank}: 1 MiB of rank {previous} in device memory ({pool.device}): right")
        pool.barrier("done")


def pattern(rank: int) -> bytes:
    return bytes((rank * 17 + i) & 0xFF for i in range(4096)) * (SIZE // 4096)


if __name__ == "__main__":
    main()
