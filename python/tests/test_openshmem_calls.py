# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every call of `openshmem` that takes arrays, for every type of elements it is for, as one, two and three PEs."""

from __future__ import annotations

import pytest

from openshmem_jobs import run

pytest.importorskip("numpy")
pytest.importorskip("openshmem")

COUNTS = pytest.mark.parametrize("count", [1, 2, 3])
#: PEs with mapped memory, and PEs as if each were on a separate host.
PLACES = pytest.mark.parametrize("environment", [{}, {"MF_SHM": "false"}], ids=["mapped", "network"])


@PLACES
@COUNTS
def test_put_and_get_of_every_type(count: int, environment: dict[str, str]) -> None:
    run(
        """
        ctx = shmem.Ctx.create()
        for dtype in MOVED:
            target, own = shmem.zeros(6, dtype), shmem.zeros(6, dtype)
            values = np.arange(1, 7).astype(dtype) if dtype != bool else np.array([1, 0, 1, 1, 0, 1], bool)
            if dtype.kind == "c":
                values = values * (1 + 2j * (me + 1))
            for put in (shmem.put, shmem.put_nbi):
                for lane in (None, shmem.CTX_DEFAULT, ctx):
                    target[:] = 0
                    shmem.barrier_all()
                    put(target, values, following, ctx=lane)
                    put(target[:2], values[4:], following, size=1, ctx=lane)
                    shmem.quiet(lane)
                    shmem.barrier_all()
                    theirs = values / (1 + 2j * (me + 1)) * (1 + 2j * (before + 1)) if dtype.kind == "c" else values
                    expected = np.concatenate([theirs[4:5], theirs[1:]])
                    assert np.allclose(target, expected) if dtype.kind == "c" else (target == expected).all(), dtype
                    shmem.barrier_all()
            own[:] = values
            shmem.barrier_all()
            for get in (shmem.get, shmem.get_nbi):
                local = np.zeros(6, dtype)
                get(local, own, following)
                get(local[3:], own[:1], following, ctx=ctx)
                shmem.quiet()
                ctx.quiet()
                theirs = shmem.g(own, following), shmem.g(own[5:], following, ctx)
                assert local[0] == theirs[0] == local[3] and local[5] == theirs[1], dtype
                assert type(theirs[0]) is dtype.type
            shmem.barrier_all()
            shmem.p(own[2:], values[5], following)
            shmem.p(own[3:], values[4], following, ctx)
            shmem.fence()
            ctx.fence()
            ctx.quiet()
            shmem.barrier_all()
            assert dtype.kind == "c" or (own[2], own[3]) == (values[5], values[4])
        ctx.destroy()
        """,
        count,
        environment,
    )


@COUNTS
def test_noncontiguous_arrays_are_transferred(count: int) -> None:
    run(
        """
        for dtype in MOVED:
            plate = shmem.zeros((6, 8), dtype)
            values = (np.arange(48) % 2 if dtype == bool else np.arange(48) + me).astype(dtype).reshape(6, 8)
            theirs = (np.arange(48) % 2 if dtype == bool else np.arange(48) + before).astype(dtype).reshape(6, 8)
            shmem.put(plate[:, 0], values[:, 7], following)
            shmem.put(plate[1], values[::2, 3], following, size=3)
            shmem.put(plate[::3, 4], values[5, :2], following)
            shmem.put(plate[5:, ::4], values[:1, 3:5], following)
            shmem.barrier_all()
            expected = np.zeros((6, 8), dtype)
            expected[:, 0] = theirs[:, 7]
            expected[1, :3] = theirs[::2, 3]
            expected[::3, 4] = theirs[5, :2]
            expected[5:, ::4] = theirs[:1, 3:5]
            assert (plate == expected).all(), dtype
            local = np.zeros((6, 8), dtype)
            shmem.get(local[:, 2], plate[:, 0], me)
            assert (local[:, 2] == expected[:, 0]).all() and not local[:, 3].any()
            shmem.barrier_all()
            plate[:] = 0
            shmem.barrier_all()
            flat = np.ascontiguousarray(values).reshape(-1)
            shmem.iput(plate.reshape(-1)[1:], flat, following, tst=3, sst=5, size=4)
            shmem.barrier_all()
            expected = np.zeros(48, dtype)
            expected[1:13:3] = theirs.reshape(-1)[:20:5]
            assert (plate.reshape(-1) == expected).all(), dtype
            local = np.zeros(20, dtype)
            shmem.iget(local[::2], plate[0], me, 2, 3)
            assert local[0] == plate[0, 0] and local[4] == plate[0, 3] and local[8] == plate[0, 6] and not local[9:].any()
            shmem.barrier_all()
        fortran = shmem.zeros((3, 4), order="F")
        shmem.put(fortran, np.asfortranarray(np.arange(12.0).reshape(3, 4) + me), following)
        shmem.barrier_all()
        assert (fortran == np.arange(12.0).reshape(3, 4) + before).all()
        whole = shmem.zeros((4, 4))
        for target, source in ((fortran, np.zeros((3, 4))), (whole[1:3, 1:3], np.zeros(4)), (whole, np.zeros((4, 4))[::-1]),
                               (whole[0], np.broadcast_to(np.float64(1), 4)), (fortran, np.zeros((4, 3), order="F"))):
            refused(ValueError, "copy them first", shmem.put, target, source, following)
        pairs = np.zeros(3, [("a", "f8"), ("b", "i4")])
        refused(ValueError, "not whole elements apart", shmem.put, whole, pairs["a"], following)
        shmem.barrier_all()
        assert not whole.any()
        shmem.barrier_all()
        shmem.put(whole[:1, :1], np.ones((1, 1)), following)
        shmem.put(whole[0:0], np.ones((0, 4)), following)
        shmem.iput(whole[3], np.ones(0), following)
        shmem.barrier_all()
        assert whole.sum() == 1
        """,
        count,
    )


@COUNTS
def test_put_and_get_reject_invalid_arguments(count: int) -> None:
    run(
        """
        heap, other, local = shmem.zeros(4), shmem.zeros(4), np.ones(4)
        for pe in (-1, count, 2**31 - 1):
            for call in (shmem.put, shmem.put_nbi, shmem.iput):
                refused(ValueError, "no such PE", call, heap, local, pe)
            for call in (shmem.get, shmem.get_nbi, shmem.iget):
                refused(ValueError, "no such PE", call, local.copy(), heap, pe)
            refused(ValueError, "no such PE", shmem.p, heap, 1, pe)
            refused(ValueError, "no such PE", shmem.g, heap, pe)
        refused(OverflowError, "", shmem.put, heap, local, 2**31)
        refused(TypeError, "", shmem.put, heap, local, 1.0)
        refused(TypeError, "", shmem.put, heap, local)
        refused(TypeError, "", shmem.put, heap, local, 0, size="3")
        refused(OverflowError, "", shmem.put, heap, local, 0, size=-1)
        refused(TypeError, "", shmem.put, heap, local, 0, ctx=1)
        refused(ValueError, "target has 4 elements, and 5", shmem.put, heap, np.ones(5), 0)
        refused(ValueError, "target has 3 elements, and 4", shmem.get, local[:3], heap, 0)
        refused(ValueError, "source has 4 elements, and 5", shmem.put, heap, local, 0, size=5)
        refused(ValueError, "source has 4 elements", shmem.iput, heap, local, 0, sst=2, size=3)
        refused(ValueError, "target has 4 elements", shmem.iput, heap, local, 0, tst=2)
        refused(ValueError, "not 1 at least", shmem.iput, heap, local, 0, tst=0)
        refused(ValueError, "not 1 at least", shmem.iget, local, heap, 0, sst=-2)
        refused(ValueError, "source has 4 elements", shmem.iput, heap, local, 0, sst=2**62, size=3)
        refused(TypeError, "target has elements of type double, and source of type float", shmem.put, heap, np.ones(4, "f4"), 0)
        refused(TypeError, "of type object", shmem.put, heap, np.array([None]), 0)
        refused(TypeError, "of type >f8", shmem.put, heap, np.ones(4, ">f8"), 0)
        refused(TypeError, "of type <U1", shmem.get, np.array(["a"]), heap, 0)
        refused(TypeError, "[('a'", shmem.put, heap, np.zeros(2, [("a", int)]), 0)
        refused(TypeError, "source is list, which has no memory", shmem.put, heap, [1.0], 0)
        refused(TypeError, "target is int", shmem.get, 3, heap, 0)
        refused(ValueError, "is not on the symmetric heap", shmem.put, local, local, 0)
        refused(ValueError, "is not on the symmetric heap", shmem.get, local, local, 0)
        fixed = local.copy()
        fixed.flags.writeable = False
        refused(ValueError, "read-only", shmem.get, fixed, heap, 0)
        refused(ValueError, "read-only", shmem.get, bytes(32), heap.view(np.uint8), 0)
        refused(ValueError, "context", shmem.put, heap, local, 0, ctx=shmem.CTX_INVALID)
        gone = shmem.Ctx.create()
        gone.destroy()
        refused(ValueError, "context", shmem.put, heap, local, 0, ctx=gone)
        refused(ValueError, "context", gone.quiet)
        shmem.barrier_all()
        assert not heap.any() and not other.any() and (local == 1).all()
        # What is larger than the own block is no array on it.
        beyond = np.lib.stride_tricks.as_strided(heap, (20,), (8,))
        refused(ValueError, "", shmem.put, beyond, np.ones(20), following)
        shmem.barrier_all()
        assert not other.any()
        # Buffers and tensors are memory, too.
        bytes_there = shmem.zeros(32, np.uint8)
        shmem.put(bytes_there, b"from %d" % me, following)
        shmem.put(bytes_there[16:], memoryview(bytearray(b"tail")), following)
        shmem.barrier_all()
        read = bytearray(4)
        shmem.get(read, bytes_there[16:], me, 4)
        assert bytes(bytes_there[:6]) == b"from %d" % before and read == b"tail"
        """,
        count,
    )


@PLACES
@COUNTS
def test_atomics(count: int, environment: dict[str, str]) -> None:
    run(
        """
        ctx = shmem.Ctx.create(shmem.CTX_NOSTORE)
        for dtype in (np.int32, np.uint32, np.int64, np.uint64, np.longlong, np.uintp):
            word, fetched = shmem.zeros(2, dtype), np.zeros(1, dtype)
            top = int(np.iinfo(dtype).max)
            for lane in (None, ctx):
                word[:] = 0
                shmem.barrier_all()
                for pe in range(count):
                    shmem.atomic_inc(word, pe, lane)
                    shmem.atomic_add(word, 10, pe, lane)
                    assert shmem.atomic_fetch_add(word, 100, pe, lane) % 100 >= 11
                    assert shmem.atomic_fetch_inc(word, pe, lane) >= 111
                    shmem.atomic_fetch_add_nbi(fetched, word, 1000, pe, lane)
                    shmem.quiet(lane)
                    assert fetched[0] >= 112
                    shmem.atomic_fetch_inc_nbi(fetched, word, pe, lane)
                    shmem.quiet(lane)
                    assert fetched[0] >= 1112
                shmem.barrier_all()
                assert shmem.atomic_fetch(word, following, lane) == word[0] == 1113 * count, (dtype, word)
                shmem.barrier_all()
                last = word[1:]
                shmem.atomic_set(last, top, following, lane)
                shmem.barrier_all()
                assert last[0] == top
                shmem.barrier_all()
                assert shmem.atomic_swap(last, 5, following, lane) == top
                shmem.barrier_all()
                assert shmem.atomic_compare_swap(last, 4, 6, following, lane) == 5
                assert shmem.atomic_compare_swap(last, 5, 6, following, lane) == 5
                shmem.atomic_swap_nbi(fetched, last, 7, following, lane)
                shmem.quiet(lane)
                assert fetched[0] == 6
                shmem.atomic_compare_swap_nbi(fetched, last, 7, 8, following, lane)
                shmem.quiet(lane)
                assert fetched[0] == 7
                shmem.atomic_fetch_nbi(fetched, last, following, lane)
                shmem.quiet(lane)
                assert fetched[0] == 8
                # An addition that does not fit goes around.
                shmem.atomic_set(last, top, following, lane)
                shmem.atomic_inc(last, following, lane)
                assert shmem.atomic_fetch(last, following, lane) == np.iinfo(dtype).min
                shmem.atomic_set(last, 0b1100, following, lane)
                shmem.atomic_and(last, 0b0110, following, lane)
                shmem.atomic_or(last, 0b0011, following, lane)
                shmem.atomic_xor(last, 0b1001, following, lane)
                assert shmem.atomic_fetch_and(last, 0b1011, following, lane) == 0b1110
                assert shmem.atomic_fetch_or(last, 0b0001, following, lane) == 0b1010
                assert shmem.atomic_fetch_xor(last, 0b1111, following, lane) == 0b1011
                assert shmem.atomic_fetch(last, following, lane) == 0b0100
                for nbi, value, old in ((shmem.atomic_fetch_and_nbi, 0b0100, 0b0100), (shmem.atomic_fetch_or_nbi, 0b0001, 0b0100),
                                        (shmem.atomic_fetch_xor_nbi, 0b0001, 0b0101)):
                    nbi(fetched, last, value, following, lane)
                    shmem.quiet(lane)
                    assert fetched[0] == old
                shmem.barrier_all()
            for op, value, old in (("set", 3, 0b0100), ("inc", 0, 3), ("add", 2, 4), ("and", 0b0110, 6), ("or", 1, 6), ("xor", 2, 7)):
                assert shmem.atomic_fetch_op(word[1:], op, value, following) == old, op
            shmem.barrier_all()
            for op in shmem.AMO:
                shmem.atomic_op(word[1:], op, 1, following)
            assert shmem.atomic_fetch(word[1:], following) == 0
            for op in ("set", "inc", "add", "and", "or", "xor"):
                shmem.atomic_fetch_op_nbi(fetched, word[1:], op, 1, following, ctx)
            ctx.quiet()
            assert shmem.atomic_fetch(word[1:], following) == 0
            refused(OverflowError, "", shmem.atomic_add, word, top + 1, following)
            refused(TypeError, "", shmem.atomic_add, word, 1.5, following)
            refused(TypeError, "", shmem.atomic_add, word, None, following)
            refused(ValueError, "no such PE", shmem.atomic_inc, word, count)
            refused(ValueError, "no such PE", shmem.atomic_fetch_nbi, fetched, word, count)
            refused(ValueError, "not on the symmetric heap", shmem.atomic_fetch, fetched, 0)
            shmem.barrier_all()
        for dtype in (np.float32, np.float64):
            word, fetched = shmem.zeros((), dtype), np.zeros((), dtype)
            shmem.barrier_all()
            shmem.atomic_set(word, 1.5 + me, following)
            shmem.barrier_all()
            assert float(word) == 1.5 + before and shmem.atomic_fetch(word, following) == 1.5 + me
            shmem.barrier_all()
            assert shmem.atomic_swap(word, 3, following, ctx) == 1.5 + me
            shmem.atomic_swap_nbi(fetched, word, 0.25, following)
            shmem.quiet()
            assert fetched == 3
            shmem.atomic_fetch_nbi(fetched, word, following)
            shmem.quiet()
            assert fetched == 0.25 and type(shmem.atomic_fetch(word, following)) is float
            for call in (shmem.atomic_add, shmem.atomic_fetch_and, shmem.atomic_xor):
                refused(TypeError, "is for int32", call, word, 1, following)
            refused(TypeError, "is for int32", shmem.atomic_inc, word, following)
            refused(TypeError, "is for int32", shmem.atomic_compare_swap, word, 1, 1, following)
            shmem.barrier_all()
        for dtype in ("int8", "uint16", "bool", "complex64", "longdouble", "half"):
            refused(TypeError, "is for int32", shmem.atomic_set, shmem.zeros(1, dtype), 1, 0)
            refused(TypeError, "is for int32", shmem.atomic_fetch, shmem.zeros(1, dtype), 0)
        refused(ValueError, "has no element", shmem.atomic_fetch, shmem.zeros(0, np.int32), 0)
        refused(ValueError, "fetch has no element", shmem.atomic_fetch_nbi, np.zeros(0, np.int32), shmem.zeros(1, np.int32), 0)
        refused(TypeError, "fetch has elements of type int64", shmem.atomic_fetch_nbi, np.zeros(1, int), shmem.zeros(1, np.int32), 0)
        refused(ValueError, "'nothing' is not a valid", shmem.atomic_op, shmem.zeros(1, np.int32), "nothing", 1, 0)
        odd = shmem.zeros(16, np.uint8)[1:9].view(np.int64)
        refused(ValueError, "align", shmem.atomic_inc, odd, following)
        """,
        count,
        environment,
    )


@PLACES
@COUNTS
def test_signals(count: int, environment: dict[str, str]) -> None:
    run(
        """
        signal, inbox, ctx = shmem.new_signal(), shmem.zeros(1000), shmem.Ctx.create()
        assert signal.dtype == np.uint64 and signal.size == 1
        for number, (put, lane) in enumerate([(shmem.put_signal, None), (shmem.put_signal_nbi, ctx), (shmem.put_signal, ctx)], 1):
            put(inbox, np.full(1000, me + number / 2), following, signal, number, shmem.SIGNAL_SET, ctx=lane)
            assert shmem.signal_wait_until(signal, shmem.CMP.EQ, number) == number
            assert (inbox == before + number / 2).all()
            shmem.quiet(lane)
            shmem.barrier_all()
        shmem.put_signal(inbox[5:], np.ones(3), following, signal, 2, shmem.SIGNAL.ADD, size=2)
        shmem.signal_wait_until(signal, shmem.CMP_GE, 5)
        assert inbox[5:8].tolist() == [1, 1, before + 1.5]
        shmem.barrier_all()
        shmem.signal_add(signal, 2**64 - 1, following)
        shmem.signal_wait_until(signal, shmem.CMP_EQ, 4)
        shmem.barrier_all()
        shmem.signal_set(signal, 2**64 - 1, following, ctx)
        ctx.quiet()
        assert shmem.signal_wait_until(signal, shmem.CMP_NE, 4) == 2**64 - 1 == shmem.signal_fetch(signal)
        shmem.barrier_all()
        wrong = shmem.zeros(1, np.int64)
        refused(TypeError, "a signal is uint64", shmem.signal_fetch, wrong)
        refused(TypeError, "a signal is uint64", shmem.put_signal, inbox, np.ones(3), following, wrong, 1, 0)
        refused(ValueError, "not on the symmetric heap", shmem.signal_set, np.zeros(1, np.uint64), 1, 0)
        refused(ValueError, "no strides", shmem.put_signal, inbox[::2], np.ones(3), following, signal, 1, 0)
        refused(ValueError, "unknown signal operator", shmem.put_signal, inbox, np.ones(3), following, signal, 1, 9)
        refused(ValueError, "no such PE", shmem.put_signal, inbox, np.ones(3), count, signal, 1, 0)
        refused(OverflowError, "", shmem.signal_set, signal, -1, 0)
        refused(ValueError, "unknown comparison", shmem.signal_wait_until, signal, 6, 0)
        shmem.barrier_all()
        assert inbox[0] == before + 1.5 and shmem.signal_fetch(signal) == 2**64 - 1
        ctx.destroy()
        shmem.del_signal(signal)
        """,
        count,
        environment,
    )


@COUNTS
def test_waits_and_tests(count: int) -> None:
    run(
        """
        for dtype in (np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
            word = shmem.zeros(1, dtype)
            shmem.p(word, 7, following)
            shmem.wait_until(word, shmem.CMP_NE, 0)
            for cmp, value, holds in ((shmem.CMP_EQ, 7, True), (shmem.CMP_NE, 7, False), (shmem.CMP_GT, 6, True), (shmem.CMP_GE, 8, False),
                                      (shmem.CMP_LT, 7, False), (shmem.CMP_LE, 7, True)):
                assert shmem.test(word, cmp, value) is holds
            if np.issubdtype(dtype, np.signedinteger):
                word[0] = -5
                assert shmem.test(word, shmem.CMP_LT, 0)
                shmem.wait_until(word, shmem.CMP_LT, -4)
            else:
                word[0] = np.iinfo(dtype).max
                assert shmem.test(word, shmem.CMP_GT, 5)
            refused(ValueError, "unknown comparison", shmem.wait_until, word, 6, 0)
            refused(OverflowError, "", shmem.test, word, 0, 1 << 64)
            shmem.barrier_all()
        for dtype in (np.int32, np.uint32, np.int64, np.uint64):
            words = shmem.zeros(count + 1, dtype)
            shmem.barrier_all()
            for pe in range(count):
                shmem.p(words[me:], 10 + me, pe)
            EQ, GE, status = shmem.CMP_EQ, shmem.CMP_GE, [0] * count + [1]
            shmem.wait_until_all(words, GE, 10, status)
            assert words.tolist() == [10 + pe for pe in range(count)] + [0]
            assert shmem.wait_until_any(words, EQ, 10 + me, np.array(status)) == me
            assert shmem.wait_until_some(words, GE, 10) == list(range(count)) == shmem.test_some(words, GE, 10)
            wanted = [10 + pe for pe in range(count)] + [99]
            shmem.wait_until_all_vector(words, EQ, wanted, status)
            assert shmem.wait_until_any_vector(words, EQ, np.array(wanted, dtype)) in range(count)
            assert shmem.wait_until_some_vector(words, EQ, wanted) == list(range(count)) == shmem.test_some_vector(words, EQ, wanted)
            assert shmem.test_all(words, GE, 10, status) is True and shmem.test_all(words, GE, 10) is False
            assert shmem.test_any(words, EQ, 0) == count and shmem.test_any(words, EQ, 55) is None
            assert shmem.test_all_vector(words, EQ, wanted, status) is True and shmem.test_all_vector(words, EQ, wanted) is False
            assert shmem.test_any_vector(words, EQ, [55] * count + [0]) == count
            assert shmem.test_some(words, EQ, 55) == [] and shmem.test_some(words, EQ, 0, [False] * count + [True]) == []
            nothing = [True] * (count + 1)
            shmem.wait_until_all(words, EQ, 77, nothing)
            assert shmem.wait_until_any(words, EQ, 77, nothing) is None and shmem.wait_until_some(words, EQ, 77, nothing) == []
            refused(ValueError, "status has 1 items", shmem.test_all, words, EQ, 0, [1])
            refused(ValueError, "values has 1 items", shmem.test_all_vector, words, EQ, [1])
            refused(ValueError, "unknown comparison", shmem.wait_until_all, words, -1, 0)
            refused(ValueError, "copy them first", shmem.test_any, shmem.zeros(8, dtype)[::2], EQ, 0)
            refused(TypeError, "", shmem.test_all, words, EQ, 0, 5)
            shmem.barrier_all()
        for dtype in ("int8", "float64", "complex128", "bool"):
            word = shmem.zeros(1, dtype)
            for call in (shmem.wait_until, shmem.test, shmem.wait_until_all, shmem.test_some):
                refused(TypeError, "is for int32", call, word, 0, 0)
            refused(TypeError, "is for int32", shmem.wait_until_any_vector, word, 0, [0])
        refused(TypeError, "is for int32", shmem.test_all, shmem.zeros(1, np.int16), 0, 0)
        refused(ValueError, "not on the symmetric heap", shmem.wait_until, np.zeros(1, int), 0, 0)
        refused(ValueError, "has no element", shmem.wait_until, shmem.zeros(0, int), 0, 0)
        """,
        count,
    )


@PLACES
@COUNTS
def test_collectives_of_every_type(count: int, environment: dict[str, str]) -> None:
    run(
        """
        for dtype in MOVED:
            def made(size, base=0):
                values = np.arange(size) + base
                return shmem.array((values % 2 if dtype == bool else values % 100).astype(dtype))
            source, target = made(3, me), shmem.zeros(3 * count, dtype)
            root = count - 1
            shmem.broadcast(target, source, root)
            assert (target[:3] == made(3, root)).all() and not target[3:].any(), dtype
            shmem.fcollect(target, source)
            assert (target == np.concatenate([made(3, pe) for pe in range(count)])).all(), dtype
            target[:] = 0
            shmem.barrier_all()
            shmem.fcollect(target, source, 1)
            assert (target[:count] == [made(1, pe)[0] for pe in range(count)]).all()
            sizes = [pe % 3 + 1 for pe in range(count)]
            shmem.collect(target, source, sizes[me])
            parts = np.concatenate([made(3, pe)[:sizes[pe]] for pe in range(count)])
            assert (target[:parts.size] == parts).all(), dtype
            many, there = made(2 * count, 10 * me), shmem.zeros(2 * count, dtype)
            shmem.alltoall(there, many)
            assert (there == np.concatenate([made(2 * count, 10 * pe)[2 * me:2 * me + 2] for pe in range(count)])).all(), dtype
            shmem.alltoall(there, many, 1)
            assert (there[:count] == [made(2 * count, 10 * pe)[me] for pe in range(count)]).all()
            if dtype.itemsize <= 16:
                wide = shmem.zeros(6 * count, dtype)
                shmem.alltoalls(wide, many, tst=3, sst=2)
                assert (wide[:3 * count:3] == [made(2 * count, 10 * pe)[2 * me] for pe in range(count)]).all(), dtype
                assert not wide[1::3].any()
            else:
                refused(TypeError, "no alltoall with strides", shmem.alltoalls, there, many)
            shmem.sync_all()
            shmem.sync()
        """,
        count,
        environment,
    )


@COUNTS
def test_reductions_of_every_type(count: int) -> None:
    run(
        """
        pes = range(count)
        for dtype in MOVED:
            values = np.array([[(3 * pe + place) % 5 + 1 for place in range(4)] for pe in pes]).astype(dtype)
            if dtype.kind == "c":
                values = (values * (1 + 1j)).astype(dtype)
            source, target = shmem.array(values[me]), shmem.zeros(5, dtype)
            def check(call, expected, kinds, *more):
                if dtype.kind not in kinds or dtype in (np.half, np.clongdouble):
                    refused(TypeError, "there is no", call, target, source, *more)
                    return
                target[:] = 0
                shmem.barrier_all()
                call(target, source, *more)
                assert np.allclose(target[:4].astype(complex), np.asarray(expected).astype(complex)) and target[4] == 0, (call, target)
                shmem.barrier_all()
                target[:] = 0
                call(target, source, *more, size=2)
                assert np.allclose(target[:2].astype(complex), np.asarray(expected)[:2].astype(complex)) and not target[2:].any()
            bits = values if dtype.kind in "biu" else np.zeros((count, 4), int)
            check(shmem.and_reduce, np.bitwise_and.reduce(bits), "biu")
            check(shmem.or_reduce, np.bitwise_or.reduce(bits), "biu")
            check(shmem.xor_reduce, np.bitwise_xor.reduce(bits), "biu")
            ordered = values if dtype.kind != "c" else values.real
            check(shmem.max_reduce, ordered.max(0), "iuf")
            check(shmem.min_reduce, ordered.min(0), "iuf")
            check(shmem.sum_reduce, values.sum(0), "iufc")
            check(shmem.prod_reduce, values.prod(0), "iufc")
            check(shmem.sum_inscan, values[:me + 1].sum(0), "iufc")
            check(shmem.sum_exscan, values[:me].sum(0), "iufc")
            check(shmem.reduce, values.sum(0), "iufc")
            check(shmem.reduce, ordered.max(0), "iuf", "max")
            check(shmem.reduce, np.bitwise_xor.reduce(bits), "biu", shmem.OP.XOR)
        shmem.sum_reduce(target, target) if dtype != np.clongdouble else None
        plate = shmem.full((2, 3), float(me))
        shmem.sum_reduce(plate, plate)
        assert (plate == sum(pes)).all()
        refused(ValueError, "is not a valid OP", shmem.reduce, plate, plate, "mean")
        """,
        count,
    )


@COUNTS
def test_collectives_reject_invalid_arguments(count: int) -> None:
    run(
        """
        source, target, local = shmem.ones(4), shmem.zeros(4 * count), np.zeros(4 * count)
        small = shmem.zeros(1)
        calls = [shmem.collect, shmem.fcollect, shmem.alltoall, shmem.alltoalls, shmem.sum_reduce, shmem.max_reduce, shmem.sum_inscan]
        calls.append(lambda to, of, **named: shmem.broadcast(to, of, 0, **named))
        for call in calls:
            refused(ValueError, "not on the symmetric heap", call, local, source)
            refused(ValueError, "not on the symmetric heap", call, target, local)
            refused(TypeError, "elements of type", call, target, np.ones(4, object))
            refused(TypeError, "target has elements of type double, and source of type", call, target, shmem.ones(4, np.float32))
            refused(ValueError, "target has 1 elements", call, small, shmem.ones(4 * count))
            refused(ValueError, "source has 4 elements", call, target, source, size=100)
            refused(ValueError, "negative", call, target, source, size=-1)
            refused(ValueError, "copy them first", call, target[::2], source)
        refused(ValueError, "", shmem.broadcast, target, source, count)
        refused(ValueError, "", shmem.broadcast, target, source, -1)
        refused(ValueError, "not 1 at least", shmem.alltoalls, target, target, 0, 1)
        if count == 3:
            refused(ValueError, "does not divide into", shmem.alltoall, target, source)
        refused(ValueError, "team", shmem.sum_reduce, target, source, team=shmem.TEAM_INVALID)
        # One that refuses does not leave the others waiting, and all go on afterwards.
        if count > 1:
            for call in calls:
                if me == 0:
                    refused(ValueError, "target has 1 elements", call, small, shmem.TEAM_WORLD.ptr(target, 0)) if False else \\
                        refused(ValueError, "not on the symmetric heap", call, local, target)
                else:
                    try:
                        call(target, target[:count] if call in (shmem.alltoall, shmem.alltoalls) else source)
                    except RuntimeError as error:
                        assert "0" in str(error)
                    # Who only gets a small broadcast may go on.
        shmem.barrier_all()
        total = shmem.zeros(4)
        shmem.sum_reduce(total, source)
        assert (total == count).all() and not small.any()
        """,
        count,
    )


@COUNTS
def test_teams_and_contexts(count: int) -> None:
    run(
        """
        world, shared = shmem.TEAM_WORLD, shmem.TEAM_SHARED
        assert (world.my_pe(), world.n_pes()) == (shared.my_pe(), shared.n_pes()) == (me, count)
        assert shmem.TEAM_INVALID.my_pe() == -1 == shmem.TEAM_INVALID.n_pes()
        assert world.get_config().num_contexts >= 0
        even = world.split_strided(0, 2)
        assert bool(even) == (me % 2 == 0)
        if even:
            size = (count + 1) // 2
            assert (even.my_pe(), even.n_pes()) == (me // 2, size)
            assert [even.translate_pe(pe) for pe in range(size)] == list(range(0, count, 2)) and even.translate_pe(size) == -1
            assert world.translate_pe(me, even) == even.my_pe()
            held = shmem.c.shmem_team_ptr(even.handle, 0, 0) if False else None
            even.sync()
            shmem.sync(even)
        total = shmem.full(1, me + 1)
        result = shmem.zeros(1, int)
        if even:
            shmem.sum_reduce(result, total, team=even)
            assert result[0] == sum(range(1, count + 1, 2))
            shmem.broadcast(result, total, even.n_pes() - 1, team=even)
            assert result[0] == (count - 1) // 2 * 2 + 1
            nested = even.split_strided(size=1)
            assert bool(nested) == (me == 0)
            with even.create_ctx(shmem.CTX.SERIALIZED) as lane:
                assert lane.get_team() == even
                peer = (even.my_pe() + 1) % even.n_pes()
                shmem.put(result, np.array([70 + me]), peer, ctx=lane)
                lane.quiet()
                even.sync()
                assert result[0] == 70 + even.translate_pe((even.my_pe() - 1) % even.n_pes())
                assert shmem.atomic_fetch(result, peer, lane) == 70 + me
                refused(ValueError, "no such PE", shmem.put, result, np.array([1]), even.n_pes(), ctx=lane)
            theirs = even.ptr(total, even.n_pes() - 1)
            assert theirs[0] == (count - 1) // 2 * 2 + 1
            refused(ValueError, "no PE 9", even.ptr, total, 9)
            if nested:
                nested.destroy()
            even.destroy()
            refused(ValueError, "team", even.my_pe)
            refused(ValueError, "team", even.sync)
            refused(ValueError, "", even.create_ctx)
            refused(ValueError, "team", shmem.sum_reduce, result, total, team=even)
        row, column = world.split_2d(2)
        assert row.n_pes() == min(2, count - me // 2 * 2) and row.my_pe() == me % 2
        assert column.my_pe() == me // 2
        with world.split_strided(num_contexts=2) as all_of_them:
            assert all_of_them.get_config() == shmem.TeamConfig(2) and all_of_them.n_pes() == count
        reverse = world.split_strided(count - 1, -1)
        assert reverse.my_pe() == count - 1 - me and reverse.n_pes() == count
        refused(ValueError, "", world.split_strided, 0, 1, count + 1)
        refused(ValueError, "", world.split_2d, 0)
        assert shmem.CTX_DEFAULT.get_team() == world
        with shmem.Ctx.create(shmem.CTX_PRIVATE) as ctx:
            assert ctx and ctx.get_team() == world and ctx != shmem.CTX_DEFAULT
        refused(ValueError, "context", ctx.fence)
        shmem.barrier_all()
        """,
        count,
    )


@COUNTS
def test_locks(count: int) -> None:
    run(
        """
        lock, counter = shmem.Lock(), shmem.zeros(1, np.int64)
        for _ in range(200):
            with lock:
                value = shmem.g(counter, 0)
                shmem.p(counter, value + 1, 0)
                shmem.quiet()
        shmem.barrier_all()
        assert shmem.g(counter, 0) == 200 * count
        raw = shmem.new_lock()
        assert raw.dtype == np.int64
        if me == 0:
            shmem.set_lock(raw)
            refused(ValueError, "holds the lock already", shmem.set_lock, raw)
        shmem.barrier_all()
        if me:
            assert shmem.test_lock(raw) is True
            refused(ValueError, "does not hold", shmem.clear_lock, raw)
        shmem.barrier_all()
        if me == 0:
            shmem.clear_lock(raw)
        shmem.barrier_all()
        if me == count - 1:
            assert shmem.test_lock(raw) is False
            shmem.clear_lock(raw)
            assert lock.acquire(blocking=False) is True
            lock.release()
        refused(ValueError, "not on the symmetric heap", shmem.set_lock, np.zeros(1, np.int64))
        refused(TypeError, "a lock is an int64", shmem.set_lock, shmem.zeros(1))
        shmem.del_lock(raw)
        lock.destroy()
        refused(ValueError, "was freed", lock.acquire)
        """,
        count,
    )
