# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Torch CPU tensors as operands of kernels, started by torchrun: every rank gives its gradient to the NPU's all-reduce, here on
the simulator; torch.distributed does the same to compare.

    MF_DEVICE=sim torchrun --nproc_per_node=2 --redirects 1 --tee 1 examples/torchrun_share.py
    MF_DEVICE=sim mf run -n 2 -- python3 examples/torchrun_share.py

Needs torch (Debian: apt-get install python3-torch) and ends with exit code 77 without it, which test runners take for
"skipped".
"""

import sys

import mf_smem
from mf_smem import kernels

try:
    import torch
    import torch.distributed as dist
except ImportError:
    print("torch is not installed for this Python: apt-get install python3-torch, or pip install torch", file=sys.stderr)
    sys.exit(77)

ELEMENTS = 10_001
FP32, SUM = 2, 0


def main() -> None:
    dist.init_process_group("gloo")
    with mf_smem.open_share(local_bytes=2 << 20) as share, kernels.load() as binary:
        torch.manual_seed(share.rank)
        # Whole numbers, so that the order in which they are added does not count.
        gradient = torch.randint(-100, 100, (ELEMENTS,)).float()
        binary.launch("mf_copy", 2, share.address(), gradient, 4 * ELEMENTS)
        binary.launch("mf_allreduce_two_shot", 2, share.id, 0, 0, ELEMENTS, FP32, SUM, memory=share)
        total = torch.empty_like(gradient)
        binary.launch("mf_copy", 2, total, share.address(), 4 * ELEMENTS)

        dist.all_reduce(gradient)
        if not torch.equal(total, gradient):
            raise SystemExit("MISMATCH: the sums differ")
        print(f"rank {share.rank}: the sum of {share.rank_size} gradients: right")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
