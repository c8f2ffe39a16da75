# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tensors of two ranks in a pool; each adds up both."""

import mf_smem
import torch


def main() -> None:
    with mf_smem.open_pool(host_bytes=2 << 20) as pool:
        own = pool.tensor((256,))
        own.fill_(float(pool.rank + 1))
        distance = pool.address_of(own) - pool.address()
        pool.barrier("filled")
        total, part = torch.zeros(256), torch.empty(256)
        for rank in range(pool.world_size):
            pool.get(pool.address(rank) + distance, part)
            total += part
        print(f"rank {pool.rank}: sum {total.mean().item()}", flush=True)
        pool.barrier("done")


main()
