# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A kernel that puts to the next PE, with a signal behind the data. The kernel is ring.cpp, built here by the C++ compiler of
the machine, and run on the simulator:

    MF_DEVICE=sim mf run -n 2 -- python3 examples/shmem/ring.py

or by torchrun: MF_DEVICE=sim torchrun --nproc_per_node=2 --redirects 1 --tee 1 examples/shmem/ring.py
"""

from __future__ import annotations

import os
from pathlib import Path

import shmem
from mf_smem import kernels

BYTES = 40_000


def main() -> None:
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    address = f"tcp://{os.environ.get('MASTER_ADDR', '127.0.0.1')}:{int(os.environ.get('MASTER_PORT', '8655')) + 11}"
    assert shmem.set_conf_store_tls(False, "") == 0
    assert shmem.aclshmem_init(shmem.InitAttr(rank, ranks, address, 16 << 20)) == 0
    block = shmem.aclshmem_calloc(1, 64 + 2 * BYTES)
    shmem.aclshmem_putmem(block + 64 + BYTES, bytearray([rank + 1]) * BYTES, BYTES, rank)
    shmem.aclshmem_barrier_all()

    binary = kernels.build(Path(__file__).with_name("ring.cpp"))
    binary.launch("to_the_next", 1, block, BYTES)

    came, before = bytearray(BYTES), (rank - 1) % ranks
    shmem.aclshmem_getmem(came, block + 64, BYTES, rank)
    if came != bytearray([before + 1]) * BYTES:
        raise SystemExit(f"MISMATCH: the bytes of PE {before}")
    print(f"PE {rank} of {ranks}: {BYTES} bytes of PE {before} came: right")
    shmem.aclshmem_free(block)
    assert shmem.aclshmem_finalize() == 0


if __name__ == "__main__":
    main()
