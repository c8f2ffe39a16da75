# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The released package's share memory (MTE) between two processes: each writes into the other's part."""

import acl
import memfabric_hybrid as mf
from common import RANK, URL, WORLD, done, expect, pattern
from memfabric_hybrid import shm

GIB = 1 << 30
SIZE = 1 << 20


def main() -> None:
    expect("switching TLS off", mf.set_conf_store_tls(False, ""), 0)
    expect("initialize", mf.initialize(), 0)
    config = shm.ShmConfig()
    config.start_store = RANK == 0
    expect("shm.initialize", shm.initialize(URL, WORLD, RANK, RANK, config), 0)
    memory = shm.create(0, WORLD, RANK, GIB, shm.ShmDataOpType.MTE)
    expect("rank", (memory.local_rank, memory.rank_size), (RANK, WORLD))
    expect("all_gather", memory.all_gather(bytes([65 + RANK])), b"AB")
    peer = 1 - RANK
    acl.store(memory.gva + peer * GIB, pattern(RANK, SIZE))
    expect("barrier", memory.barrier(), 0)
    expect("what the peer wrote", acl.load(memory.gva + RANK * GIB, SIZE), pattern(peer, SIZE))
    memory.set_context(bytes(range(64)))
    expect("barrier", memory.barrier(), 0)
    memory.destroy()
    shm.uninitialize()
    mf.uninitialize()
    done("share memory by MTE")


main()
