# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects that own memory, connections or memberships are not copied."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator

import mf_smem
import pytest
from mf_smem import bm

import ranks

MIB = 1 << 20
COPIES: list[Callable[[object], object]] = [copy.copy, copy.deepcopy, pickle.dumps]


@pytest.fixture(scope="module")
def owners() -> Iterator[list[object]]:
    buffer = bytearray(4096)
    with (
        mf_smem.open_pool(host_bytes=4 * MIB) as pool,
        mf_smem.Cache("4MiB") as cache,
        mf_smem.Store.serve(f"tcp://127.0.0.1:{ranks.free_port()}") as server,
        mf_smem.Store(server.url) as store,
        mf_smem.open_share(local_bytes=2 * MIB) as share,
    ):
        cache.put("k", b"v")
        engine = mf_smem.TransferEngine()
        assert engine.initialize("", "127.0.0.1", "Decode", -1) == 0
        yield [
            pool, pool.memory, pool.register(buffer), pool.put(b"x", pool.address(), wait=False), cache, cache.lease("k", 10),
            server, store, store.watch("w/"), store.lock("l"), store.lease(10), share, engine,
        ]  # fmt: skip
        engine.destroy()


@pytest.mark.parametrize("duplicate", COPIES)
def test_owners_are_neither_copied_nor_pickled(owners: list[object], duplicate: Callable[[object], object]) -> None:
    for owner in owners:
        expected = "cannot pickle" if isinstance(owner, bm.BigMemory) else r"\w+ cannot be copied or pickled: it owns"
        with pytest.raises(TypeError, match=expected):
            duplicate(owner)


def test_an_engine_works_after_a_refused_copy() -> None:
    engine = mf_smem.TransferEngine()
    assert engine.initialize("", "127.0.0.1", "Decode", -1) == 0
    memory = mf_smem._mf_smem.Buffer(bytearray(4096), writable=True)
    for duplicate in COPIES:
        with pytest.raises(TypeError):
            duplicate(engine)
    assert engine.register_memory(memory.address, 4096) == 0
    assert engine.transfer_sync_write(f"127.0.0.1:{engine.get_rpc_port()}", memory.address, memory.address, 64) == 0
    engine.destroy()


@pytest.mark.parametrize("duplicate", COPIES)
def test_owners_of_hmc_are_neither_copied_nor_pickled(duplicate: Callable[[object], object]) -> None:
    hmc = pytest.importorskip("hmc")
    session = hmc.create_session(device_id=0, buffer_size=MIB, mem_type=hmc.MemoryType.CPU)
    memory = hmc.Memory(0, hmc.MemoryType.CPU)
    _, block = memory.allocateBuffer(4096)
    for owner in (session, session.buf, session.comm, session.buf.core, block):
        with pytest.raises(TypeError, match=r"\w+ cannot be copied or pickled: it owns"):
            duplicate(owner)
    assert copy.copy(memory).getDeviceId() == 0


def test_teams_are_shared_and_not_pickled() -> None:
    pytest.importorskip("numpy")
    openshmem = pytest.importorskip("openshmem")
    for handle in (openshmem.TEAM_WORLD, openshmem.CTX_DEFAULT):
        assert copy.copy(handle) is handle and copy.deepcopy([handle]) == [handle]
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            pickle.dumps(handle)
