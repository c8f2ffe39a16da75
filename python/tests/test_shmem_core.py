# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`shmem.core` of 1.7: buffers and their owners, instances, staging buffers, handles, cycle counts, unique ids."""

from __future__ import annotations

import sys

import pytest

import ranks
import shmem
from shmem import core

#: Put in front of every program: this process alone in two instances, by unique ids.
PRELUDE = """
import sys, threading
import shmem
from shmem import core

def begin(instance_id, mem_size=4 << 20):
    uid = core.get_unique_id()
    core.init(uid=uid, rank=0, nranks=1, mem_size=mem_size, initializer_method="uid", instance_id=instance_id)

def refused(kind, call, *arguments):
    try:
        call(*arguments)
    except kind as error:
        return str(error)
    raise SystemExit(f"{call} was accepted")

assert shmem.set_conf_store_tls(False, "") == 0
"""


def run(source: str, environment: dict[str, str] | None = None) -> None:
    """The program in one process without a launcher."""
    finished = ranks.run_alone(PRELUDE + ranks.dedented(source), environment)
    assert finished.returncode == 0, finished.stderr


def test_native_module_is_an_attribute_of_the_package() -> None:
    finished = ranks.run_alone("import shmem; assert shmem._pyshmem.aclshmem_malloc is shmem.aclshmem_malloc")
    assert finished.returncode == 0, finished.stderr


def test_buffers_check_their_arguments() -> None:
    for wrong in ((True, 8), (64, True), (sys.maxsize + 1, 8), (-1, 8), (64, 0), (64.0, 8), ("64", 8)):
        with pytest.raises(core.AclshmemInvalid):
            core.Buffer(*wrong)
    buffer = core.Buffer(sys.maxsize, 8, core.MemType.HOST_SIDE)
    assert (buffer.owned, buffer.instance_id, buffer.release_called) == (False, None, False)
    for name in ("owned", "instance_id", "release_called"):
        with pytest.raises(AttributeError):
            setattr(buffer, name, True)
    with pytest.raises(AttributeError):
        buffer.other = 1  # type: ignore[attr-defined]


def test_unique_ids_have_an_exact_length() -> None:
    data = bytes(range(136))
    assert shmem.UniqueId.from_bytes(data).to_bytes() == data
    for wrong in (data[:-1], data + b"\0", b""):
        with pytest.raises(ValueError, match="136 bytes"):
            shmem.UniqueId.from_bytes(wrong)
    assert core.get_unique_id(empty=True) == bytes(136)


def test_blocks_are_freed_once_and_by_their_owner() -> None:
    run(
        """
        begin(0)
        blocks = [core.buffer(64), core.calloc(4, 16), core.align(4096, 64), core.buffer(64, mem_type=core.MemType.HOST_SIDE)]
        assert all(isinstance(block, core.Buffer) and block.owned and block.instance_id == 0 for block in blocks)
        assert [block.length for block in blocks] == [64] * 4 and blocks[2].addr % 4096 == 0
        assert blocks[3].mem_type is core.MemType.HOST_SIDE
        peer = core.get_peer_buffer(blocks[0], 0)
        assert peer.addr == blocks[0].addr and not peer.owned
        for other in (peer, core.Buffer(blocks[0].addr, 64), blocks[0].addr):
            refused(core.AclshmemInvalid, core.free, other)
        for block in blocks:
            core.free(block)
            assert block.release_called
            assert "before" in refused(core.AclshmemInvalid, core.free, block)
        for call in ((core.buffer, 0), (core.buffer, True), (core.calloc, 0, 4), (core.align, 3, 8), (core.buffer, 8, False, True, 5)):
            refused(core.AclshmemInvalid, *call)
        refused(core.AclshmemError, core.buffer, 1 << 40)
        core.finalize()
        """
    )


def test_instances_keep_their_buffers_apart() -> None:
    run(
        """
        assert core.current_instance() is None
        begin(0)
        begin(7)
        assert core.current_instance() == core.InstanceContext(7)
        seven = core.buffer(64)
        core.set_instance(0)
        zero = core.buffer(64)
        for call in ((core.free, seven), (core.put, zero, seven, 0), (core.get, seven, zero, 0), (core.get_peer_buffer, seven, 0),
                     (core.put_signal, zero, zero, seven, 1, 0, 0), (core.signal_op, seven, 1, 0, 0, 0),
                     (core.signal_wait, seven, 1, 0, 0)):
            assert "instance 7" in refused(core.AclshmemInvalid, *call)
        with core.multi_instance(7) as context:
            assert context.id == core.current_instance().id == 7
            with core.multi_instance(0):
                assert core.current_instance().id == 0
            core.put(seven, seven, 0)
            core.quiet(0)
            core.free(seven)
        assert core.current_instance().id == 0
        try:
            with core.multi_instance(7):
                raise KeyError
        except KeyError:
            assert core.current_instance().id == 0
        for wrong in (-1, 255, True, "1", 1.0):
            refused(core.AclshmemInvalid, core.set_instance, wrong)
            refused(core.AclshmemInvalid, core.finalize, wrong)
            refused(core.AclshmemInvalid, begin, wrong)
        refused(core.AclshmemError, core.set_instance, 9)
        refused(core.AclshmemError, core.finalize, 9)
        refused(core.AclshmemError, begin, 7)
        core.set_instance(7)
        core.finalize()
        assert core.current_instance().id == 0
        # Ended inside of the block: instance 0 stays current.
        begin(7)
        core.set_instance(0)
        with core.multi_instance(7):
            core.finalize(7)
        assert core.current_instance().id == 0
        core.finalize(0)
        assert core.current_instance() is None and shmem.aclshmemx_instance_ctx_get() is None
        assert shmem.aclshmemx_instance_ctx_set(0) != 0
        """
    )


def test_other_threads_wait_for_the_end_of_a_block() -> None:
    run(
        """
        begin(0)
        begin(1)
        order = []
        with core.multi_instance(0):
            started = threading.Event()
            def choose():
                started.set()
                core.set_instance(1)
                order.append("chosen")
            thread = threading.Thread(target=choose)
            thread.start()
            started.wait()
            assert core.current_instance().id == 0
            order.append("left")
        thread.join()
        assert order == ["left", "chosen"] and core.current_instance().id == 1
        core.finalize()
        core.finalize()
        """
    )


def test_staging_buffers_have_limits() -> None:
    run(
        """
        refused(core.AclshmemError, core.set_mte_config, 0, 64, 0)
        begin(0)
        for call, least in ((core.set_mte_config, 32), (core.set_sdma_config, 64), (core.set_rdma_config, 128), (core.set_udma_config, 128)):
            assert call(1024, least, 1) is None
            for wrong in ((-1, least, 0), (0, -1, 0), (0, least, -1), (True, least, 0), (0, 1.5, 0)):
                refused(core.AclshmemInvalid, call, *wrong)
        for call in (core.set_rdma_config, core.set_udma_config):
            refused(core.AclshmemInvalid, call, 0, 127, 0)
        core.finalize()
        """
    )


def test_cycle_counts_are_of_the_chosen_pe() -> None:
    run(
        """
        import os
        begin(0)
        assert core.get_prof() is None and core.show_prof() is None
        core.finalize()
        """
    )
    run(
        """
        begin(0)
        counts = core.get_prof(verbose=True)
        assert isinstance(counts, core.ProfData) and counts.pe_id == 0
        assert len(counts.ccount) == len(counts.cycles) == 64
        assert all(len(frames) == 1024 and not any(frames) for frames in (*counts.ccount, *counts.cycles))
        assert shmem.aclshmemx_get_prof(None, False) == []
        core.finalize()
        """,
        {"SHMEM_CYCLE_PROF_PE": "0"},
    )


def test_dead_teams_and_wrong_streams_are_refused() -> None:
    run(
        """
        assert core.Handle(5).team_id == 5
        begin(0)
        team = shmem.team_split_strided(0, 0, 1, 1)
        handle = core.Handle(team)
        core.handle_wait(handle, 0)
        core.handle_wait(core.Handle(), 0)
        core.barrier(team)
        shmem.team_destroy(team)
        for call in ((core.Handle, team), (core.handle_wait, handle, 0), (core.barrier, team), (core.sync, team), (core.barrier, -1),
                     (core.barrier_on_stream, team, 0), (shmem.aclshmem_barrier, team), (shmem.aclshmemx_barrier_on_stream, 77, 0)):
            assert "no team" in refused(ValueError, *call)
        core.barrier_all_on_stream(0)
        block, odd = core.calloc(1, 64), None
        for stream in (-1, True, "0", 1.5):
            for call in ((core.barrier_all_on_stream, stream), (core.quiet, stream), (core.put, block, block, 0, stream),
                         (core.put_signal, block, block, block, 1, 0, 0, stream)):
                refused(core.AclshmemInvalid, *call)
        refused(core.AclshmemInvalid, core.signal_op, block, 1, core.SignalOp.SIGNAL_SET, 0)
        refused(core.AclshmemInvalid, core.signal_wait, block, 1, core.ComparisonType.CMP_EQ, None)
        for wrong in (core.Buffer(block.addr + 2, 8), core.Buffer(block.addr, 3)):
            refused(core.AclshmemInvalid, core.signal_op, wrong, 1, 0, 0, 0)
        refused(TypeError, core.put, block, block)
        core.signal_op(block, 4, core.SignalOp.SIGNAL_ADD, remote_pe=0, stream=0)
        core.signal_wait(block, 4, core.ComparisonType.CMP_EQ, stream=0)
        core.quiet(0)
        core.free(block)
        core.finalize()
        """
    )


def test_low_level_init_takes_modes_and_queue_pairs() -> None:
    run(
        """
        assert shmem.aclshmemx_set_qp_num(shmem.OpEngineType.UDMA, 4) == 0
        assert shmem.aclshmemx_set_qp_num(shmem.OpEngineType.UDMA, 0) == -2
        assert shmem.aclshmemx_set_qp_num(shmem.OpEngineType.MTE, 4) == -100
        attributes = shmem.InitAttr(instance_id=3)
        assert shmem.set_attr_uniqueid_args(0, 1, 4 << 20, shmem.aclshmem_get_unique_id(), attributes) == 0
        assert shmem.aclshmemx_init_attr(shmem.InitMode.UNIQUEID, attributes) == 0
        assert shmem.aclshmemx_instance_ctx_get() == shmem.InstanceContext(3)
        assert shmem.aclshmemx_set_qp_num(shmem.OpEngineType.UDMA, 4) == -100
        assert shmem.aclshmemx_finalize(3) == 0
        assert shmem.aclshmemx_set_qp_num(shmem.OpEngineType.UDMA, 1) == 0
        """
    )
