# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operations in the order of a stream: the wait is enqueued before the put that it waits for, and the program goes on.

    mf run -n 2 -- python3 examples/shmem/on_stream.py

or by torchrun: torchrun --nproc_per_node=2 --redirects 1 --tee 1 examples/shmem/on_stream.py

The heap is in host memory, and the streams are the library's. Where it is in an NPU's, a stream is one of ACL, such as torch.npu.Stream().
"""

from __future__ import annotations

import os
import sys

import shmem
from shmem import core

BYTES = 100_000


def new_stream() -> int:
    place = bytearray(8)
    assert shmem.aclshmemx_stream_create(place) == 0
    return int.from_bytes(place, sys.byteorder)


def main() -> None:
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    address = f"tcp://{os.environ.get('MASTER_ADDR', '127.0.0.1')}:{int(os.environ.get('MASTER_PORT', '8655')) + 11}"
    assert shmem.set_conf_store_tls(False, "") == 0
    assert shmem.aclshmem_init(shmem.InitAttr(rank, ranks, address, 16 << 20)) == 0
    following, before = (rank + 1) % ranks, (rank - 1) % ranks
    came, sent, signal = core.buffer(BYTES), core.buffer(BYTES), core.buffer(64)
    zero = bytearray(64)
    shmem.aclshmem_putmem(signal.addr, zero, len(zero), rank)
    shmem.aclshmem_putmem(sent.addr, bytearray([rank + 1]) * BYTES, BYTES, rank)
    shmem.aclshmem_barrier_all()

    stream, sending = new_stream(), new_stream()
    core.signal_wait(signal, 1, shmem.CmpOp.CMP_EQ, stream)  # the other stream does not wait for it
    core.put(came, sent, following, sending)
    core.signal_op(signal, 1, shmem.SignalOp.SIGNAL_SET, following, sending)  # behind the data
    shmem.aclshmemx_stream_synchronize(stream)

    found = bytearray(BYTES)
    shmem.aclshmem_getmem(found, came.addr, BYTES, rank)
    if found != bytearray([before + 1]) * BYTES:
        raise SystemExit(f"MISMATCH: the bytes of PE {before}")
    print(f"PE {rank} of {ranks}: {BYTES} bytes of PE {before} came before the signal")
    for each in (sending, stream):
        shmem.aclshmemx_stream_destroy(each)
    for each in (signal, sent, came):
        core.free(each)
    assert shmem.aclshmem_finalize() == 0


if __name__ == "__main__":
    main()
