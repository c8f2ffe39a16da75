# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.open_share``: arrays, copies, groups, and pools beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import mf_smem
import pytest

import ranks

MIB = 1 << 20


@pytest.fixture(scope="module")
def share() -> Iterator[mf_smem.SharedMemory]:
    """A share memory of this process alone."""
    with mf_smem.open_share(local_bytes=2 * MIB, share_id=7) as opened:
        yield opened


def test_reports_its_attributes(share: mf_smem.SharedMemory) -> None:
    assert (share.id, share.rank, share.rank_size, share.local_bytes, share.closed) == (7, 0, 1, 2 * MIB, False)
    assert share.symmetric_bytes >= share.local_bytes and share.address() == share.memory.gva == share.address(0)
    assert share.address(0, 12) == share.address() + 12
    assert share.device == "host" and "rank 0 of 1" in repr(share)
    assert share.reach(0) & mf_smem.shm.ShmDataOpType.MTE


def test_copies(share: mf_smem.SharedMemory) -> None:
    data = bytes(range(256)) * 16
    share.put(data, share.address(0, 100))
    assert share.read(share.address(0, 100), len(data)) == data
    room = bytearray(10)
    share.get(share.address(offset=102), room)
    assert room == data[2:12]
    share.copy(share.address(offset=100), share.address(offset=50_000), len(data))
    assert share.read(share.address(0, 50_000), len(data)) == data
    for wrong in (
        lambda: share.put(b"xx", share.address(0, 2 * MIB - 1)), lambda: share.put(b"x", 8), lambda: share.read(share.address() - 1, 1),
        lambda: share.address(-1), lambda: share.address(1), lambda: share.view(1), lambda: share.reach(1),
    ):
        with pytest.raises(mf_smem.InvalidParamError):
            wrong()
    share.put(b"", share.address())
    assert share.read(share.address(), 0) == b""


def test_arrays_alias_the_memory(share: mf_smem.SharedMemory) -> None:
    numpy = pytest.importorskip("numpy")
    array = share.local(numpy.float32)
    assert array.nbytes == 2 * MIB and array.flags.writeable
    array[:3] = [1.5, 2.5, 3.5]
    assert numpy.frombuffer(share.read(share.address(), 12), numpy.float32).tolist() == [1.5, 2.5, 3.5]
    share.put(numpy.array([9.0], numpy.float32), share.address())
    assert array[0] == 9.0 and share.array()[:4].view(numpy.float32)[0] == 9.0
    share.put(array[1:3], share.address(0, 64))
    assert array[16:18].tolist() == [2.5, 3.5]


def test_arrays_outlive_the_share() -> None:
    pytest.importorskip("numpy")
    share = mf_smem.open_share(local_bytes=2 * MIB, share_id=8)
    view = share.view(0)
    view[5] = 17
    share.close()
    share.close()
    assert share.closed and "closed" in repr(share)
    assert view[5] == 17
    view[6] = 18
    with pytest.raises(mf_smem.InvalidParamError):
        share.barrier()


def test_barrier_honours_its_timeout() -> None:
    source = """
        import mf_smem
        with mf_smem.open_share(local_bytes=2 << 20, share_id=4) as share:
            share.barrier(timeout=60)
            if share.rank == 0:
                try:
                    share.barrier(timeout=0.2)
                except mf_smem.TimedOutError as error:
                    print("rank 1" in str(error))
            share.group("over", [0, 1]).barrier()
        """
    assert "True" in [finished.stdout.strip() for finished in ranks.run_code(ranks.dedented(source), 2)]


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), 5e6])
def test_a_timeout_of_a_barrier_is_checked(share: mf_smem.SharedMemory, timeout: float) -> None:
    with pytest.raises(mf_smem.InvalidParamError, match="timeout must be more than 0"):
        share.barrier(timeout)


def test_group_must_contain_its_creator(share: mf_smem.SharedMemory) -> None:
    group = share.group("alone", [0])
    group.barrier()
    assert group.all_gather(b"data") == [b"data"] and (group.key, group.ranks, group.rank) == ("alone", (0,), 0)
    for members in ([], [1], [0, 1], [0, 0]):
        with pytest.raises(mf_smem.InvalidParamError):
            share.group("wrong", members)
    with pytest.raises(mf_smem.InvalidParamError):
        share.group("", [0]).barrier()


@pytest.mark.parametrize("arguments", [{"world_size": 1}, {"store_url": "tcp://127.0.0.1:5570"}, {"timeout_s": 0},
                                       {"ranks": [1]}, {"local_bytes": 5}, {"share_id": 64}, {"data_ops": 0}])
def test_wrong_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(mf_smem.InvalidParamError):
        mf_smem.open_share(**({"local_bytes": 2 * MIB, "share_id": 9} | arguments))  # type: ignore[arg-type]


NEIGHBOURS = """
    import mf_smem, numpy
    with mf_smem.open_share(local_bytes=2 << 20, share_id=4) as share:
        me, n = share.rank, share.rank_size
        share.put(numpy.full(1000, me, numpy.uint16), share.address((me + 1) % n, 8))
        share.barrier()
        got = numpy.frombuffer(share.read(share.address(me, 8), 2000), numpy.uint16)
        assert (got == (me - 1) % n).all()
        assert share.all_gather(bytes([me, n])) == [bytes([other, n]) for other in range(n)]

        even = [rank for rank in range(n) if rank % 2 == me % 2]
        group = share.group(f"like {me % 2}", even)
        assert group.all_gather(bytes([me])) == [bytes([other]) for other in even]
        group.barrier()

        # Every part is an array here.
        mine = share.local(numpy.int64)
        mine[1000] = me * 11
        share.barrier()
        assert [int(share.view(other, numpy.int64)[1000]) for other in range(n)] == [other * 11 for other in range(n)]
        share.barrier()

        # Pools are in the same world.
        with mf_smem.open_pool(host_bytes=2 << 20) as pool:
            assert pool.rank == me and pool.world_size == n
            pool.barrier()
        with mf_smem.open_share(local_bytes=2 << 20, share_id=5, ranks=list(reversed(range(n)))) as other:
            assert other.rank == n - 1 - me
            other.barrier()
        share.barrier()
    print(me)
"""


@pytest.mark.parametrize("count", [2, 3])
def test_ranks_copy_to_their_neighbours(count: int) -> None:
    pytest.importorskip("numpy")
    finished = ranks.run_code(NEIGHBOURS, count)
    assert [int(process.stdout) for process in finished] == list(range(count))


@pytest.mark.parametrize("first", ["share", "pool"])
def test_pools_and_shares_meet_without_a_launcher(first: str) -> None:
    done = ranks.run_alone(
        f"""
        import mf_smem
        def pool(): return mf_smem.open_pool(host_bytes=2 << 20)
        def share(): return mf_smem.open_share(local_bytes=2 << 20)
        with {first}() as one:
            with {"pool" if first == "share" else "share"}() as two:
                assert one.rank == two.rank == 0
        with share() as again:
            again.barrier()
        """
    )
    assert done.returncode == 0, done.stderr


def test_an_array_of_a_dead_rank_can_still_be_read() -> None:
    pytest.importorskip("numpy")
    finished = ranks.run_ranks(
        [
            sys.executable, "-c",
            "import mf_smem, os, signal\n"
            "share = mf_smem.open_share(local_bytes=2 << 20, timeout_s=30)\n"
            "share.local()[7] = 70 + share.rank\n"
            "share.barrier()\n"
            "view = share.view(1 - share.rank)\n"
            "share.barrier()\n"
            "if share.rank == 1: os.kill(os.getpid(), signal.SIGKILL)\n"
            "try:\n"
            "    share.barrier()\n"
            "except (mf_smem.NotConnectedError, mf_smem.TimedOutError) as error:\n"
            "    print(type(error).__name__)\n"
            "share.close()\n"
            "print(int(view[7]))\n",
        ],
        2,
    )
    assert finished[0].returncode == 0, finished[0].stderr
    assert finished[0].stdout.split() == ["NotConnectedError", "71"]


def test_multi_rank_share_requires_a_rank() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        try:
            mf_smem.open_share("tcp://127.0.0.1:5570", 2, local_bytes=2 << 20)
        except mf_smem.InvalidParamError as error:
            assert "rank" in str(error)
        else:
            raise AssertionError
        """
    )
    assert done.returncode == 0, done.stderr


def test_the_interpreter_ends_cleanly_with_open_shares() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        share = mf_smem.open_share(local_bytes=2 << 20)
        share.on_exit(lambda status: None)
        view = share.local()
        class C: pass
        c = C(); c.c = c; c.share = mf_smem.open_share(local_bytes=2 << 20, share_id=1)
        print("end")
        """
    )
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
