# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Puts and gets of the released package memfabric_hybrid by HOST_TCP; started by net_vs_peers.py on the simulator.

net_vs_peers_memfabric.py SECONDS SIZE...   prints "WHAT SIZE SECONDS_A_CALL" for each.
"""

import statistics
import sys
import time

import memfabric_hybrid as mf
from common import RANK, URL, WORLD, HostBuffer, expect, meet
from memfabric_hybrid import bm

TURNS = 5


def wait_until_linked(pool, theirs):
    target = HostBuffer(bytes(8))
    end = time.monotonic() + 30
    while (code := pool.copy_data(theirs, target.address, 8, bm.BmCopyType.G2H, 0)) != 0:
        if code != -2 or time.monotonic() > end:
            sys.exit(f"rank {RANK}: the peer cannot be reached: {code}")
        time.sleep(0.05)


def measure(copy, wanted):
    def seconds(calls):
        begin = time.perf_counter()
        for _ in range(calls):
            code = copy()
            if code:
                sys.exit(f"a copy failed: {code}")
        return (time.perf_counter() - begin) / calls

    once = seconds(3)
    calls = max(1, int(wanted / once))
    return statistics.median(seconds(calls) for _ in range(TURNS))


def main():
    wanted, sizes = float(sys.argv[1]), [int(size) for size in sys.argv[2:]]
    expect("switching TLS off", mf.set_conf_store_tls(False, ""), 0)
    expect("initialize", mf.initialize(), 0)
    config = bm.BmConfig()
    config.start_store = RANK == 0
    config.auto_ranking = False
    config.rank_id = RANK
    config.set_nic("tcp://127.0.0.1/0:21000")
    expect("bm.initialize", bm.initialize(URL, WORLD, RANK, config), 0)
    pool = bm.create(id=0, local_dram_size=1 << 30, local_hbm_size=0, data_op_type=bm.BmDataOpType.HOST_TCP)
    expect("join", pool.join(), 0)
    meet("joined")
    theirs = pool.peer_rank_ptr(1 - RANK, bm.BmMemType.HOST)
    wait_until_linked(pool, theirs)
    meet("linked")
    if RANK == 0:
        for size in sizes:
            buffer = HostBuffer(b"\1" * size)
            for what, copy in (
                ("put", lambda: pool.copy_data(buffer.address, theirs, size, bm.BmCopyType.H2G, 0)),
                ("get", lambda: pool.copy_data(theirs, buffer.address, size, bm.BmCopyType.G2H, 0)),
            ):
                print(f"{what} {size} {measure(copy, wanted):.9f}", flush=True)
    meet("measured")
    pool.destroy()
    bm.uninitialize()
    mf.uninitialize()


main()
