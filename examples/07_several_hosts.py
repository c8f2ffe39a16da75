# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Trainers and caches on several hosts: trainers keep their state in the memory of caches, and read it back.

Members have tags, and rules name the engine that serves which pair of tags. On one host everything is mapped, and the rules
change nothing; MF_SHM=false makes the members use the network as if they were on several:

    mf run -n 4 -- python3 examples/07_several_hosts.py
    MF_SHM=false mf run -n 4 -- python3 examples/07_several_hosts.py

On real hosts: MF_JOB_SECRET and MF_CONFIG_STORE_URL the same everywhere, RANK and WORLD_SIZE as ever.
"""

import os

import mf_smem

SIZE = 1 << 20
RULES = "train:HOST_RDMA:train,train:HOST_TCP:cache"


def main() -> None:
    rank = int(os.environ.get("RANK", "0"))
    tag = "cache" if rank % 2 else "train"
    with mf_smem.open_pool(host_bytes=2 * SIZE, tag=tag, tag_rules=RULES) as pool:
        pool.barrier("joined")
        if tag == "cache":
            print(f"rank {pool.rank}: a cache of {pool.local_bytes()} bytes")
        else:
            # The cache beside this trainer, which may be on any host; alone, one's own memory.
            cache = min(pool.rank + 1, pool.world_size - 1)
            state = bytes((pool.rank + i) & 0xFF for i in range(4096)) * (SIZE // 4096)
            pool.put(state, pool.address(cache), wait=False)
            pool.wait()
            back = bytearray(SIZE)
            pool.get(pool.address(cache), back)
            if back != state:
                raise SystemExit("MISMATCH: the state from the cache")
            print(f"rank {pool.rank}: state kept by rank {cache} and read back")
        pool.barrier("done")


if __name__ == "__main__":
    main()
