# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package `openshmem`: begin and end, arrays on the heap, and refusals."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ranks
from openshmem_jobs import PRELUDE, run

pytest.importorskip("numpy")
pytest.importorskip("openshmem")


def test_importing_starts_nothing() -> None:
    finished = ranks.run_alone(
        """
        import sys, threading
        import openshmem, openshmem.core, openshmem.c
        assert "torch" not in sys.modules
        assert threading.active_count() == 1
        assert openshmem.c.shmem_my_pe() == -1
        assert openshmem.info_get_version() == (1, 5)
        assert openshmem.info_get_name().startswith("MF OpenSHMEM")
        assert openshmem.put.__name__ == "put" and openshmem.put.__module__ == "openshmem"
        assert "target" in openshmem.put.__text_signature__ and openshmem.put.__doc__
        for name in openshmem.__all__:
            assert getattr(openshmem, name) is not None, name
        openshmem.finalize()
        """
    )
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("count", [1, 2, 3])
def test_init_and_finalize_are_idempotent_and_repeatable(count: int) -> None:
    run(
        """
        shmem.init()
        assert shmem.init_thread(shmem.THREAD_SINGLE) is shmem.THREAD.MULTIPLE is shmem.query_thread()
        old = shmem.full(5, me, np.int32)
        shmem.finalize()
        shmem.finalize()
        for call in (shmem.my_pe, shmem.barrier_all, lambda: shmem.zeros(3), shmem.TEAM_WORLD.my_pe, shmem.Ctx.create):
            refused(RuntimeError, "init starts it again", call)
        refused(RuntimeError, "there is no heap", shmem.put, old, old, 0)
        refused(RuntimeError, "there is no heap", shmem.free, old)
        shmem.init()
        assert (shmem.my_pe(), shmem.n_pes()) == (me, count)
        new = shmem.zeros(5, np.int32)
        refused(ValueError, "belongs to a heap that has ended", shmem.put, old, new, 0)
        shmem.put(new, np.arange(5, dtype=np.int32) + me, following)
        shmem.barrier_all()
        assert (new == np.arange(5) + before).all()
        shmem.free(new)
        """,
        count,
    )


def test_first_call_initialises_and_exit_finalises() -> None:
    for first in ("shmem.n_pes()", "shmem.zeros(3)", "shmem.barrier_all()", "shmem.TEAM_WORLD.n_pes()", "shmem.Lock()"):
        finished = ranks.run_code(
            f"""
            import openshmem as shmem
            {first}
            # PEs that leave late are waited for by the others.
            if shmem.my_pe() == 1:
                import time
                time.sleep(0.3)  # the lateness itself
            """,
            2,
        )
        assert [process.stderr for process in finished] == ["", ""]


def test_failing_pe_does_not_wait_for_the_others() -> None:
    finished = ranks.run_ranks(
        [sys.executable, "-c", "import openshmem as s\ns.init()\nif s.my_pe(): raise ValueError('broken')\ns.barrier_all()"], 2
    )
    assert [process.returncode for process in finished] == [1, 1]
    assert "broken" in finished[1].stderr and "NotConnectedError" in finished[0].stderr and "rank 1" in finished[0].stderr


def test_forked_child_is_not_a_pe() -> None:
    run(
        """
        held = shmem.zeros(3)
        child = os.fork()
        if child == 0:
            refused(RuntimeError, "forked", shmem.my_pe)
            refused(RuntimeError, "forked", shmem.zeros, 3)
            refused(RuntimeError, "no heap", shmem.put, held, np.ones(3), 0)
            shmem.finalize()
            os._exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        shmem.put(held, np.ones(3), following)
        shmem.barrier_all()
        assert held.sum() == 3
        """,
        2,
    )


@pytest.mark.parametrize("count", [1, 2])
def test_global_exit_ends_all(count: int) -> None:
    source = "import openshmem as s\nif s.my_pe() == s.n_pes() - 1: s.global_exit(9)\ns.barrier_all()"
    finished = ranks.run_ranks([sys.executable, "-c", source], count)
    assert [process.returncode for process in finished] == [9] * count


@pytest.mark.parametrize("count", [1, 2, 3])
def test_arrays_on_the_heap(count: int) -> None:
    run(
        """
        cube = shmem.zeros((2, 3, 4), np.int16)
        assert cube.shape == (2, 3, 4) and cube.dtype == np.int16 and cube.flags.c_contiguous and not cube.any()
        assert (shmem.ones(3, order="F") == 1).all() and shmem.ones(3).dtype == np.float64
        filled = shmem.full((2, 2), 2 + 3j)
        assert filled.dtype == np.complex128 and (filled == 2 + 3j).all()
        fortran = shmem.empty((3, 5), np.float32, "F")
        assert fortran.flags.f_contiguous and not fortran.flags.c_contiguous
        copied = shmem.array([[1, 2], [3, 4]], np.uint8)
        assert copied.tolist() == [[1, 2], [3, 4]] and shmem.array(copied, copy=False) is copied
        assert shmem.array(copied) is not copied and shmem.array(fortran).flags.f_contiguous
        assert shmem.array(np.float32(7)).shape == () and shmem.array(range(3)).tolist() == [0, 1, 2]
        scalar, nothing = shmem.zeros(()), shmem.zeros((0, 3))
        assert scalar.shape == () and nothing.shape == (0, 3)
        aligned = shmem.zeros(7, np.uint8, align=4096)
        assert aligned.ctypes.data % 4096 == 0 and not aligned.any()
        hinted = shmem.zeros(4, np.int64, hints=shmem.MALLOC_ATOMICS_REMOTE | shmem.MALLOC.SIGNAL_REMOTE)
        assert not hinted.any() and shmem.new_array(3, clear=False).shape == (3,)
        room = shmem.alloc(6, 8)
        assert room.nbytes == 48 and bytes(room) == bytes(48)
        words = shmem.fromalloc(room, (2, 3), np.int64)
        assert words.shape == (2, 3) and shmem.fromalloc(room).size == 48 and shmem.fromalloc(room, dtype=">i8"[1:]).size == 6
        words[1, 2] = 5
        assert shmem.fromalloc(room, 6, np.int64)[5] == 5
        shmem.barrier_all()
        shmem.put(words, np.full((2, 3), me), following)
        shmem.barrier_all()
        assert (shmem.fromalloc(room, dtype=np.int64) == before).all()
        shmem.barrier_all()
        used = shmem.heap_usage()
        assert used.blocks == 16 and used.used > 0 and shmem.heap_usage(following) == used
        shmem.barrier_all()
        for held in (cube, fortran, copied, scalar, nothing, aligned, hinted, room):
            shmem.free(held)
        shmem.del_array(filled)
        shmem.free(None)
        assert shmem.heap_usage().blocks == 7
        for bad in (lambda: shmem.zeros(-1), lambda: shmem.zeros((2, -3)), lambda: shmem.alloc(-1),
                    lambda: shmem.fromalloc(room, 49), lambda: shmem.zeros(3, order="Z")):
            refused(ValueError, "", bad)
        for dtype in (object, "S3", "U2", "M8[s]", "m8[s]", [("a", int), ("b", float)], ">f8", "V5"):
            refused(TypeError, "elements of type", shmem.empty, 3, dtype)
        refused((ValueError, TypeError), "", shmem.full, 3, "text", float)
        refused(MemoryError, "", shmem.zeros, 1 << 50)
        refused(ValueError, "alignment", shmem.zeros, 8, align=3)
        assert shmem.heap_usage().blocks == 7
        """,
        count,
    )


def test_collected_arrays_keep_their_blocks() -> None:
    run(
        """
        import gc
        for _ in range(50):
            shmem.put(shmem.zeros(100), np.ones(100), following)
        gc.collect()
        assert shmem.heap_usage().blocks == 50
        view = shmem.zeros((4, 4))[1:3, 1]
        gc.collect()
        shmem.put(view, np.array([1.0, 2.0]), following)
        shmem.barrier_all()
        assert view.tolist() == [1.0, 2.0]
        """,
        2,
    )


def test_rejects_freed_blocks() -> None:
    run(
        """
        block, other = shmem.zeros(8, np.int64), shmem.zeros(8, np.int64)
        refused(ValueError, "16 bytes behind the start", shmem.free, block[2:])
        refused(ValueError, "is not on the symmetric heap", shmem.free, np.zeros(3))
        part = block[2:5]
        shmem.free(block)
        for call in (shmem.free, shmem.signal_fetch, lambda a: shmem.put(a, other, 0), lambda a: shmem.get(other, a, 0),
                     lambda a: shmem.atomic_inc(a, 0), lambda a: shmem.wait_until(a, shmem.CMP_EQ, 0),
                     lambda a: shmem.ptr(a, 0)):
            refused((ValueError, TypeError), "", call, block)
            refused((ValueError, TypeError), "", call, part)
        refused(ValueError, "was freed", shmem.put, part, np.ones(3, np.int64), following)
        shmem.barrier_all()
        assert not other.any()
        """,
        2,
    )


def test_memory_of_other_pes_is_an_array() -> None:
    run(
        """
        held = shmem.full((3, 4), me, np.int32)
        theirs = shmem.ptr(held, following)
        assert (theirs == following).all() and theirs.shape == (3, 4) and theirs.dtype == np.int32
        column = shmem.ptr(held[::-1, 1:3], following)
        assert column.strides == held[::-1, 1:3].strides and (column == following).all()
        shmem.barrier_all()
        theirs[1, 2] = 100 + me
        shmem.barrier_all()
        assert held[1, 2] == 100 + before
        assert (shmem.ptr(held, me) == held).all() and shmem.ptr(held, me).ctypes.data == held.ctypes.data
        refused(ValueError, "no PE 7", shmem.ptr, held, 7)
        refused(ValueError, "no PE -1", shmem.ptr, held, -1)
        assert shmem.pe_accessible(following) and not shmem.pe_accessible(count) and not shmem.pe_accessible(-1)
        assert shmem.addr_accessible(held, following) and not shmem.addr_accessible(np.zeros(3), me)
        assert not shmem.addr_accessible(held, count)
        shmem.pcontrol(1)
        """,
        2,
    )


def test_launchers() -> None:
    """`mf run`, and by its second name `oshrun`; all other tests use torchrun's environment."""
    mf = shutil.which("mf") or Path(__file__).resolve().parents[2] / "target" / "release" / "mf"
    if not Path(mf).exists():
        pytest.skip("there is no mf: cargo build --release -p mf-capi -p mf-cli")
    source = "import openshmem as s; print('PE', s.my_pe(), 'of', s.n_pes())"
    done = subprocess.run(
        [str(mf), "run", "-n", "3", "--", sys.executable, "-c", source],
        env=ranks.plain_environment(), capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )
    assert done.returncode == 0 and all(f"PE {pe} of 3" in done.stdout for pe in range(3)), done.stderr


def test_single_process_is_a_job_of_one_pe() -> None:
    finished = ranks.run_alone(PRELUDE + "assert (me, count) == (0, 1)\nassert shmem.zeros(3).sum() == 0")
    assert finished.returncode == 0, finished.stderr


def test_functions_are_pickled_by_name() -> None:
    import openshmem

    assert pickle.loads(pickle.dumps(openshmem.put)) is openshmem.put
    assert openshmem.Team(1) == openshmem.TEAM_WORLD and hash(openshmem.Team(1)) == hash(openshmem.TEAM_WORLD)
    assert openshmem.TEAM_WORLD != openshmem.CTX_DEFAULT and not openshmem.TEAM_INVALID and openshmem.CTX_DEFAULT
    assert repr(openshmem.TEAM_SHARED) == "openshmem.Team(0x2)"
