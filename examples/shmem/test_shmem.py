# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A first program with shmem, by torchrun (or any launcher that sets RANK, WORLD_SIZE and MASTER_PORT):

    torchrun --nproc_per_node=2 --redirects 1 --tee 1 examples/shmem/test_shmem.py

Each PE puts a tensor (without torch: an array) to the next one, with a signal behind it.
"""

from __future__ import annotations

import os

import shmem


def main() -> None:
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    address = f"tcp://{os.environ.get('MASTER_ADDR', '127.0.0.1')}:{int(os.environ.get('MASTER_PORT', '8655')) + 11}"
    assert shmem.set_conf_store_tls(False, "") == 0
    assert shmem.aclshmem_init(shmem.InitAttr(rank, ranks, address, 64 << 20)) == 0
    following, before = (rank + 1) % ranks, (rank - 1) % ranks
    signal = shmem.aclshmem_calloc(1, 4)
    try:
        import torch

        mine, sent = shmem.aclshmem_create_tensor((4, 256)), torch.full((4, 256), float(rank))
        pointers, kind = (mine.data_ptr(), sent.data_ptr()), "torch tensor"
    except ImportError:
        import numpy

        mine, sent = shmem.create_array((4, 256)), numpy.full((4, 256), rank, "float32")
        pointers, kind = (mine.ctypes.data, sent.ctypes.data), "NumPy array"
    shmem.aclshmem_barrier_all()
    shmem.aclshmemx_putmem_signal(*pointers, 4096, signal, 1, shmem.SignalOp.SIGNAL_SET, following)
    shmem.aclshmem_signal_wait_until(signal, shmem.CmpOp.CMP_EQ, 1)
    assert bool((mine == before).all()), mine
    print(f"PE {rank} of {ranks}: the {kind} of PE {before} is here")
    shmem.aclshmem_barrier_all()
    shmem.aclshmem_free(pointers[0])
    shmem.aclshmem_free(signal)
    assert shmem.aclshmem_finalize() == 0


if __name__ == "__main__":
    main()
