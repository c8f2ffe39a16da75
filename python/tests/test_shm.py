# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.shm`` as programs of the first and of the newer releases use it, in several processes."""

from __future__ import annotations

from pathlib import Path

import pytest

import ranks

SEED_PROGRAM = """
    import ctypes, os, struct
    import mf_smem
    from mf_smem import bm, shm

    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    url = f"tcp://{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
    assert mf_smem.initialize() == 0
    config = shm.ShmConfig()
    config.start_store = True
    config.operation_timeout = 60
    assert shm.initialize(url, world, rank, 0, config) == 0, mf_smem.get_last_err_msg()
    size = 2 << 20
    share = shm.create(0, world, rank, size)
    assert (share.local_rank, share.rank_size) == (rank, world)
    assert share.query_support_data_operation() == shm.ShmDataOpType.MTE == 1

    # Arguments for kernels: addresses of all ranks and the like.
    assert share.set_context(struct.pack("<IIQ", rank, world, share.gva)) is None
    gathered = share.all_gather(struct.pack("<IQ", rank, share.gva))
    assert type(gathered) is bytes and len(gathered) == 12 * world
    assert list(struct.iter_unpack("<IQ", gathered)) == [(other, share.gva) for other in range(world)]
    assert share.barrier() is None

    # Big memory beside it, on the same URL.
    pool_config = bm.BmConfig()
    pool_config.rank_id = rank
    assert bm.initialize(url, world, 0, pool_config) == 0, mf_smem.get_last_err_msg()
    assert bm.bm_rank_id() == rank
    memory = bm.create(0, size, 0)
    local = memory.join()
    share.barrier()
    mine = ctypes.create_string_buffer(bytes([rank + 1]) * 64, 64)
    memory.copy_data(ctypes.addressof(mine), memory.peer_rank_ptr((rank + 1) % world), 64, bm.BmCopyType.H2G)
    share.barrier()
    back = ctypes.create_string_buffer(64)
    memory.copy_data(local, ctypes.addressof(back), 64, bm.BmCopyType.G2H)
    assert back.raw == bytes([(rank - 1) % world + 1]) * 64
    share.barrier()
    del memory
    bm.uninitialize()
    share.barrier()  # not disturbed by the end of the other

    for wrong in (lambda: share.all_gather(b""), lambda: share.all_gather(bytes(65537)), lambda: share.set_context(b""),
                  lambda: share.set_context(bytes(65537)), lambda: share.reach(world)):
        try:
            wrong()
        except RuntimeError as error:
            assert isinstance(error, mf_smem.InvalidParamError) and error.code == -2000, error
        else:
            raise AssertionError
    try:
        shm.create(0, world, rank, size)
    except mf_smem.DuplicatedError:
        pass
    del share
    again = shm.create(0, world, rank, size, shm.ShmDataOpType.MTE, 0)
    again.barrier()
    shm.uninitialize()
    mf_smem.uninitialize()
    print(rank)
"""


@pytest.mark.parametrize("count", [1, 2, 4])
def test_program_of_the_first_releases(count: int) -> None:
    finished = ranks.run_code(SEED_PROGRAM, count)
    assert [int(process.stdout) for process in finished] == list(range(count))


def test_program_of_the_newer_releases() -> None:
    ranks.run_code(
        """
        import ctypes, os
        import memfabric_hybrid as mf
        from memfabric_hybrid import shm

        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        url = f"tcp://{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        config = shm.ShmConfig()
        assert mf.initialize(flags=0) == 0
        assert shm.initialize(store_url=url, world_size=world, rank_id=rank, device_id=0, config=config) == 0
        assert shm.initialize(url, world, rank, 0, config) == 0, "a second call changes nothing"
        share = shm.create(id=3, rank_size=world, rank_id=rank, local_mem_size=2 << 20,
                           data_op_type=shm.ShmDataOpType.MTE, flags=0)
        assert (share.local_rank, share.rank_size) == (rank, world) and share.gva and share.handle
        assert share.barrier() == 0
        assert share.all_gather(local_data=bytes([rank])) == bytes(range(world))
        assert share.set_context(context=b"context") is None
        assert share.query_support_data_operation() == 1
        code, info = share.topology_can_reach(1 - rank)
        assert code == 0 and info & shm.ShmDataOpType.MTE
        out = ctypes.c_uint32()
        assert share.topology_can_reach(remote_rank=1 - rank, reach_info=ctypes.addressof(out)) == 0 and out.value == info
        assert share.topology_can_reach(world, ctypes.addressof(out)) == -2000
        assert share.topology_can_reach(world) == (-2000, 0) and share.topology_can_reach(0, 0) == -2000
        assert mf.get_last_err_msg()
        assert share.raising.topology_can_reach(1 - rank) == (0, info)
        for wrong in (lambda: share.all_gather(b""), lambda: share.set_context(bytes(65537))):
            try:
                wrong()
            except RuntimeError:
                continue
            raise AssertionError
        share.barrier()
        assert share.destroy(flags=0) == 0 and share.destroy() == 0
        assert share.barrier() == -2000 and share.handle == 0 and share.rank_size == share.local_rank == 4294967295
        shm.uninitialize(0)
        """,
        2,
    )


def test_before_initialisation() -> None:
    done = ranks.run_alone(
        """
        import mf_smem, memfabric_hybrid.shm
        for create in (mf_smem.shm.create, memfabric_hybrid.shm.create):
            try:
                create(0, 1, 0, 2 << 20)
            except RuntimeError as error:
                assert isinstance(error, mf_smem.NotInitError) and error.code == -2008, error
            else:
                raise AssertionError
        mf_smem.shm.uninitialize()
        """
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("url", "world", "rank", "change"),
    [
        ("tcp://127.0.0.1:{port}", 0, 0, {}), ("tcp://127.0.0.1:{port}", 16385, 0, {}), ("tcp://127.0.0.1:{port}", 2, 2, {}),
        ("tcp://127.0.0.1:{port}", 2, -1, {}), ("tcp://127.0.0.1:{port}", 1, 0, {"init_timeout": 0}),
        ("tcp://127.0.0.1:{port}", 1, 0, {"create_timeout": 0}), ("tcp://127.0.0.1:{port}", 1, 0, {"operation_timeout": 0}),
        ("udp://127.0.0.1:{port}", 1, 0, {}), ("", 1, 0, {}), ("tcp://127.0.0.1:{port}\0", 1, 0, {}),
    ],
)
def test_wrong_configurations_give_a_code(url: str, world: int, rank: int, change: dict[str, int]) -> None:
    done = ranks.run_alone(
        f"""
        from mf_smem import shm
        config = shm.ShmConfig()
        for name, value in {change!r}.items():
            setattr(config, name, value)
        print(shm.initialize({url.format(port=ranks.free_port())!r}, {world}, {rank}, 0, config))
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "-2000"


def test_mismatched_ranks_fail_alike() -> None:
    ranks.run_code(
        """
        import os
        import mf_smem
        from mf_smem import shm

        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        url = f"tcp://{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        config = shm.ShmConfig()
        config.operation_timeout = config.create_timeout = 60
        assert shm.initialize(url, world, rank, 0, config) == 0
        meeting = shm.create(0, world, rank, 2 << 20)
        try:
            shm.create(1, world, rank, (2 << 20) * (1 + rank // 2))
        except mf_smem.InvalidParamError as error:
            print(error)
        else:
            raise AssertionError
        meeting.barrier()
        mirrored = shm.create(3, world, world - 1 - rank, 2 << 20)
        assert mirrored.local_rank == world - 1 - rank
        assert mirrored.all_gather(bytes([rank])) == bytes(reversed(range(world)))
        if rank in (0, 2):
            pair = shm.create(2, 2, rank // 2, 2 << 20)
            assert pair.all_gather(bytes([rank])) == bytes([0, 2])
            pair.barrier()
        # Subgroups need no set-up.
        half = rank % 2
        assert mirrored.subgroup_all_gather(f"half {half}", 2 if half == 0 else 1, rank // 2, bytes([rank])) == (
            bytes([0, 2]) if half == 0 else bytes([1]))
        mirrored.barrier()
        """,
        3,
    )


def test_shm_values_and_global_exit() -> None:
    ranks.run_code(
        """
        import os, threading
        import mf_smem
        from mf_smem import shm

        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        url = f"tcp://{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        assert shm.initialize(url, world, rank, 0, shm.ShmConfig()) == 0
        share = shm.create(0, world, rank, 2 << 20)
        value = share.alloc_value(world)
        assert sorted(share.all_gather(bytes([value]))) == list(range(world))
        try:
            share.alloc_value(world)
        except mf_smem.Error as error:
            assert error.code == -1, error
        else:
            raise AssertionError
        share.barrier()
        share.release_value(value)
        try:
            share.release_value(1023)
        except mf_smem.NotExistError:
            pass
        else:
            raise AssertionError

        called, statuses = threading.Event(), []
        share.register_exit(lambda status: (statuses.append(status), called.set()))
        try:
            share.register_exit(print)
        except mf_smem.DuplicatedError:
            pass
        else:
            raise AssertionError
        share.barrier()
        if rank == world - 1:
            share.global_exit(-7)
        assert called.wait(60) and statuses == [-7], statuses
        share.barrier()
        share.destroy()
        shm.uninitialize()
        """,
        2,
    )


def test_missing_rank_is_named(tmp_path: Path) -> None:
    ranks.run_code(
        """
        import os, time
        import mf_smem
        from mf_smem import shm

        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        url = f"tcp://{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        config = shm.ShmConfig()
        config.operation_timeout = 2
        assert shm.initialize(url, world, rank, 0, config) == 0
        share = shm.create(0, world, rank, 2 << 20)
        done = os.environ["DONE"]
        if rank == 0:
            try:
                share.barrier()
            except mf_smem.TimedOutError as error:
                assert "1" in str(error), error
                open(done, "w").close()
            else:
                raise AssertionError
        else:
            for _ in range(6000):
                if os.path.exists(done):
                    break
                time.sleep(0.01)
        """,
        2,
        {"DONE": str(tmp_path / "done")},
    )


def test_forked_child_is_refused_and_the_parent_continues() -> None:
    done = ranks.run_alone(
        """
        import os, mf_smem
        from memfabric_hybrid.shm import ShareMemory as Coded
        share = mf_smem.open_share(local_bytes=2 << 20)
        view = share.local()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                share.barrier()
            except mf_smem.NotInitError as error:
                status = 0 if "fork" in str(error) and Coded(share.memory).barrier() == -2008 else 2
            share.close()
            del share, view
            os._exit(status)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, status
        share.barrier()
        view[0] = 5
        assert share.read(share.address(), 1) == b"\\5"
        share.close()
        """
    )
    assert done.returncode == 0, done.stderr
