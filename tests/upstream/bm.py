# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The released package's big memory between two processes: bm.py HOST_SHM | HOST_TCP | SDMA | DEVICE_URMA."""

import sys
import time

import acl
import memfabric_hybrid as mf
from common import RANK, URL, WORLD, HostBuffer, done, expect, meet, one_by_one, pattern
from memfabric_hybrid import bm

GIB = 1 << 30
SIZE = 1 << 20


def wait_until_linked(pool, peer: int) -> None:
    """Its join may return before the peer is mapped or connected; copies fail until then, mostly with -2."""
    target = HostBuffer(bytes(8))
    theirs = pool.peer_rank_ptr(peer, bm.BmMemType.HOST)
    end = time.monotonic() + 60
    while (code := pool.copy_data(theirs, target.address, 8, bm.BmCopyType.G2H, 0)) != 0:
        if time.monotonic() > end:
            sys.exit(f"rank {RANK}: the peer cannot be reached: {code}")
        time.sleep(0.05)


def host_round(pool, peer: int) -> None:
    """Puts to the peer's host memory, and both look at what arrived."""
    mine, theirs = pool.peer_rank_ptr(RANK, bm.BmMemType.HOST), pool.peer_rank_ptr(peer, bm.BmMemType.HOST)
    source, target = HostBuffer(pattern(RANK, SIZE)), HostBuffer(bytes(SIZE))
    expect("host put", pool.copy_data(source.address, theirs, SIZE, bm.BmCopyType.H2G, 0), 0)
    meet("host-put")
    expect("host get of one's own", pool.copy_data(mine, target.address, SIZE, bm.BmCopyType.G2H, 0), 0)
    expect("what the peer had put", target.data, pattern(peer, SIZE))
    expect("host get", pool.copy_data(theirs, target.address, SIZE, bm.BmCopyType.G2H, 0), 0)
    expect("what we had put", target.data, pattern(RANK, SIZE))


def device_round(pool, peer: int) -> None:
    """The same with device memory at both ends."""
    mine, theirs = pool.peer_rank_ptr(RANK, bm.BmMemType.DEVICE), pool.peer_rank_ptr(peer, bm.BmMemType.DEVICE)
    source, target = acl.malloc(SIZE), acl.malloc(SIZE)
    acl.store(source, pattern(RANK + 2, SIZE))
    expect("device put", pool.copy_data(source, theirs, SIZE, bm.BmCopyType.L2G, 0), 0)
    meet("device-put")
    expect("device get of one's own", pool.copy_data(mine, target, SIZE, bm.BmCopyType.G2L, 0), 0)
    expect("what the peer had put", acl.load(target, SIZE), pattern(peer + 2, SIZE))
    host = HostBuffer(bytes(SIZE))
    expect("device to host", pool.copy_data(theirs, host.address, SIZE, bm.BmCopyType.G2H, 0), 0)
    expect("what we had put", host.data, pattern(RANK + 2, SIZE))
    acl.free(source)
    acl.free(target)


def main(engine: str) -> None:
    expect("switching TLS off", mf.set_conf_store_tls(False, ""), 0)
    expect("initialize", mf.initialize(), 0)
    config = bm.BmConfig()
    config.start_store = RANK == 0
    config.auto_ranking = False
    config.rank_id = RANK
    config.set_nic("tcp://127.0.0.1/0:21000")
    expect("bm.initialize", bm.initialize(URL, WORLD, RANK, config), 0)
    device = engine in ("SDMA", "DEVICE_URMA")
    pool = bm.create(
        id=0,
        local_dram_size=GIB,
        local_hbm_size=GIB if device else 0,
        data_op_type=getattr(bm.BmDataOpType, engine),
    )
    expect("join", pool.join(), 0)
    meet("joined")
    wait_until_linked(pool, 1 - RANK)
    meet("linked")
    host_round(pool, 1 - RANK)
    if device:
        device_round(pool, 1 - RANK)
    meet("copied")
    one_by_one(pool.destroy)
    bm.uninitialize()
    mf.uninitialize()
    done(f"big memory by {engine}")


main(sys.argv[1])
