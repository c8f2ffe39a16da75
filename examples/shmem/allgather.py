# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernel of examples/shmem/allgather, launched from Python: every PE gets the numbers of all.

    MF_DEVICE=sim mf run -n 2 -- python3 examples/shmem/allgather.py

or by torchrun: MF_DEVICE=sim torchrun --nproc_per_node=2 --redirects 1 --tee 1 examples/shmem/allgather.py
"""

from __future__ import annotations

import array
import os
from pathlib import Path

import shmem
from mf_smem import kernels

COUNT = 10_000
BYTES = 4 * COUNT


def main() -> None:
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    address = f"tcp://{os.environ.get('MASTER_ADDR', '127.0.0.1')}:{int(os.environ.get('MASTER_PORT', '8655')) + 11}"
    assert shmem.set_conf_store_tls(False, "") == 0
    assert shmem.aclshmem_init(shmem.InitAttr(rank, ranks, address, 16 << 20)) == 0
    binary = kernels.build(Path(__file__).parent / "allgather" / "kernel.cpp")
    everything, own = shmem.aclshmem_malloc(BYTES * ranks), shmem.aclshmem_malloc(BYTES)
    numbers = array.array("i", (rank * COUNT + i for i in range(COUNT)))
    shmem.aclshmem_putmem(own, bytearray(numbers.tobytes()), BYTES, rank)
    shmem.aclshmem_barrier_all()

    # Its four blocks share the PEs; it ends when the numbers of all are everywhere.
    binary.launch("allgather", 4, everything, own, COUNT)

    found = bytearray(BYTES * ranks)
    shmem.aclshmem_getmem(found, everything, len(found), rank)
    if array.array("i", bytes(found)) != array.array("i", range(COUNT * ranks)):
        raise SystemExit("MISMATCH")
    print(f"PE {rank} of {ranks}: {COUNT} numbers of each PE are here")
    shmem.aclshmem_free(own)
    shmem.aclshmem_free(everything)
    assert shmem.aclshmem_finalize() == 0


if __name__ == "__main__":
    main()
