# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls of the original package's programs under torchrun with torch's own process group, one after the other:

    torchrun --nproc_per_node=2 --redirects 1 --tee 1 python/tests/torchrun_shmem.py

By an address, by a unique id that torch broadcasts, with a key set too late, and by `shmem.core`. Not a test of pytest:
scripts/test torchrun runs it.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import shmem
import shmem as ash
import shmem as shm
from shmem import core

torch: Any = importlib.import_module("torch")
dist: Any = importlib.import_module("torch.distributed")

RANK, RANKS = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
#: Ports of this job, below the kernel's ephemeral ports.
PORT = 10000 + int(os.environ["MASTER_PORT"]) % 2500 * 8
GIB = 1 << 30


def heap_and_teams() -> None:
    """First step of every part of the original's test after init."""
    assert (ash.my_pe(), ash.pe_count()) == (RANK, RANKS)
    assert ash.aclshmemx_init_status() is ash.InitStatus.INITIALIZED
    blocks = [ash.aclshmem_malloc(1024), ash.aclshmem_calloc(16, 64), ash.aclshmem_align(4096, 1024)]
    assert len(set(blocks)) == 3 and blocks[2] % 4096 == 0
    following, before = (RANK + 1) % RANKS, (RANK - 1) % RANKS
    assert ash.aclshmem_ptr(blocks[0], RANK) == blocks[0] and ash.aclshmem_ptr(blocks[0], following) != 0
    sent = torch.arange(16, dtype=torch.int64) + 100 * RANK
    ash.aclshmem_int64_put(blocks[1], sent, 16, following)
    ash.aclshmem_barrier_all()
    came = torch.zeros(16, dtype=torch.int64)
    ash.aclshmem_getmem(came, blocks[1], came.numel() * came.element_size(), RANK)
    assert torch.equal(came, torch.arange(16, dtype=torch.int64) + 100 * before), came
    try:
        ash.aclshmem_int64_put(blocks[1], torch.zeros(4, 4, dtype=torch.int64).t()[0], 4, following)
    except TypeError as error:
        assert "gaps" in str(error)
    else:
        raise SystemExit("a tensor with gaps was accepted")
    team = ash.team_split_strided(0, 0, 1, RANKS)
    assert team > 0 and ash.team_my_pe(team) == RANK and ash.team_n_pes(team) == RANKS
    assert ash.team_translate_pe(team, RANK, 0) == RANK
    row, column = ash.team_split_2d(0, 1)
    assert (ash.pe_count(row), ash.my_pe(column)) == (1, RANK)
    for each in (team, row, column):
        ash.team_destroy(each)
    for block in blocks:
        ash.aclshmem_free(block)


def by_address() -> None:
    attributes = ash.InitAttr()
    attributes.my_rank, attributes.n_ranks = RANK, RANKS
    attributes.local_mem_size, attributes.ip_port = GIB, f"tcp://127.0.0.1:{PORT}"
    attributes.option_attr.data_op_engine_type = ash.OpEngineType.MTE
    assert ash.aclshmem_init(attributes) == 0
    heap_and_teams()
    tensor = ash.aclshmem_create_tensor([4, 8], dtype=torch.float16)
    tensor.fill_(RANK)
    ash.aclshmem_barrier_all()
    peer = (RANK + 1) % RANKS
    found = torch.zeros_like(tensor)
    ash.aclshmem_getmem(found, tensor, 64, peer)
    assert bool((found == peer).all()) and bool((tensor == RANK).all())
    ash.aclshmem_barrier_all()
    ash.aclshmem_free_tensor(tensor)
    assert ash.aclshmem_finialize() == 0


def broadcast_id() -> bytes:
    """The id of PE 0, in a tensor that is longer."""
    padded = torch.zeros(512, dtype=torch.uint8)
    if RANK == 0:
        uid = ash.aclshmem_get_unique_id()
        assert len(uid) == 136
        padded[: len(uid)] = torch.tensor(list(uid), dtype=torch.uint8)
    dist.broadcast(padded, 0)
    return bytes(padded.tolist())


def by_unique_id() -> None:
    assert ash.aclshmem_init_using_unique_id(RANK, RANKS, GIB, broadcast_id()) == 0
    heap_and_teams()
    assert ash.aclshmem_finalize() == 0


def key_set_too_late() -> None:
    assert ash.aclshmem_init(ash.InitAttr(RANK, RANKS, f"tcp://127.0.0.1:{PORT + 1}", GIB)) == 0
    assert ash.set_conf_store_tls_key("key", "password", lambda text: text) == 0
    assert ash.set_conf_store_tls_key("key", "password", None) == 0
    assert ash.aclshmem_finalize() == 0


def first_release() -> None:
    """By the names of the seed and of the first releases."""
    assert shm.set_conf_store_tls(False, "") == 0
    assert shm.shmem_init_using_unique_id(RANK, RANKS, GIB, broadcast_id()) == 0
    assert shm.mte_set_ub_params(0, 16 * 1024, 0) == 0
    block = shm.shmem_malloc(64)
    shm.shmem_int32_p(block, RANK, (RANK + 1) % RANKS)
    shm.sync_all()
    shm.barrier_all()
    assert shm.shmem_int32_g(block, RANK) == (RANK - 1) % RANKS
    shm.shmem_free(block)
    assert shm.shmem_finialize() == 0


def by_core() -> None:
    assert core.get_version() == "libaclshmem_version=1.1"
    uid = core.UniqueID.of(broadcast_id()).to_bytes()
    core.init(uid=uid, rank=RANK, nranks=RANKS, mem_size=GIB, initializer_method="uid")
    assert (core.my_pe(), core.n_pes(), core.init_status()) == (RANK, RANKS, core.InitStatus.INITIALIZED)
    came, sent, signal = core.buffer(256), core.buffer(256), core.buffer(64)
    following, before = (RANK + 1) % RANKS, (RANK - 1) % RANKS
    zeroes = torch.zeros(16, dtype=torch.int32)
    shmem.aclshmem_putmem(signal.addr, zeroes, 64, RANK)
    shmem.aclshmem_putmem(sent.addr, torch.full((64,), RANK, dtype=torch.int32), 256, RANK)
    core.barrier_all()
    core.put_signal(came, sent, signal, 1, core.SignalOp.SIGNAL_ADD, following)
    core.signal_wait(signal, 1, core.ComparisonType.CMP_GE, 0)
    assert shmem.aclshmemx_stream_synchronize(0) == 0
    found = torch.zeros(64, dtype=torch.int32)
    shmem.aclshmem_getmem(found, came.addr, 256, RANK)
    assert bool((found == before).all()), found
    assert core.get_peer_buffer(came, following).length == 256
    core.barrier_all()
    for buffer in (came, sent, signal):
        core.free(buffer)
    core.finalize()


def main() -> None:
    dist.init_process_group("gloo")
    assert ash.set_conf_store_tls(False, "") == 0
    for part in (by_address, by_unique_id, key_set_too_late, first_release, by_core):
        dist.barrier()
        part()
    dist.destroy_process_group()
    print(f"PE {RANK} of {RANKS}: all parts are done")


if __name__ == "__main__":
    main()
