# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Torch CPU tensors in a pool, started by torchrun: every rank has its gradient in the pool, and all add them up from
there; torch.distributed does the same to compare.

    torchrun --nproc_per_node=4 --redirects 1 --tee 1 examples/torchrun_pool.py
    mf run -n 4 -- python3 examples/torchrun_pool.py

Needs torch (Debian: apt-get install python3-torch) and ends with exit code 77 without it, which test runners take for
"skipped".
"""

import sys

import mf_smem

try:
    import torch
    import torch.distributed as dist
except ImportError:
    print("torch is not installed for this Python: apt-get install python3-torch, or pip install torch", file=sys.stderr)
    sys.exit(77)

ELEMENTS = 1 << 18
BYTES = ELEMENTS * 4


def main() -> None:
    dist.init_process_group("gloo")
    with mf_smem.open_pool(host_bytes="2MiB") as pool:
        torch.manual_seed(pool.rank)
        # Tensors in this rank's part of the pool; all ranks make the same, so the distances are the same.
        gradient, room = pool.tensor((512, ELEMENTS // 512)), pool.tensor((512, ELEMENTS // 512), torch.bfloat16)
        gradient.normal_()
        distance = pool.address_of(gradient) - pool.address()
        pool.barrier("gradients are in the pool")

        total = torch.zeros_like(gradient)
        part = torch.empty_like(gradient)
        for rank in range(pool.world_size):
            pool.get(pool.address(rank) + distance, part)
            total += part

        expected = gradient.clone()
        dist.all_reduce(expected)
        if not torch.allclose(total, expected, atol=1e-4):
            raise SystemExit("MISMATCH: the sum of the gradients")

        # Half precision has no NumPy type of its own; its bytes travel all the same.
        half, right = gradient.to(torch.bfloat16), (pool.rank + 1) % pool.world_size
        there = pool.address(right) + pool.address_of(room) - pool.address()
        pool.put(half, there, wait=False).wait(timeout=60)
        pool.barrier("halves are in the pool")
        got = torch.empty_like(half)
        pool.get(there, got)
        if not torch.equal(got, half):
            raise SystemExit("MISMATCH: bfloat16")

        try:
            pool.put(gradient.t(), pool.address())
        except mf_smem.InvalidParamError as error:
            print(f"rank {pool.rank}: as it should be: {error}")
        else:
            raise SystemExit("a transposed tensor has gaps and was taken")
        print(f"rank {pool.rank}: sum of {pool.world_size} gradients of {BYTES} bytes is right, torch {torch.__version__}")
        pool.barrier("done")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
