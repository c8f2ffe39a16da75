# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Collectives of share memory, by processors on host memory and by kernels on a simulated NPU."""

from __future__ import annotations

from typing import Any

import mf_smem
import pytest

import ranks

np = pytest.importorskip("numpy", reason="NumPy is not installed: pip install numpy")

MIB = 1 << 20
ON = [{}, {"MF_DEVICE": "sim"}]

#: `made` puts an operand at a place of the part and gives what names it: an array, or an address with count and type.
PRELUDE = """
import sys
import numpy as np
import mf_smem
from mf_smem import DataType, ReduceOp

def wide(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)

def numbers(rank, count):
    return np.random.default_rng(rank).standard_normal(count).astype(np.float32)

def place(share, offset, values):
    share.put(values, share.address(offset=offset))
    if share.device == "host":
        return share.local()[offset:offset + values.nbytes].view(values.dtype)
    return share.address(offset=offset)

def read(share, offset, values):
    return np.frombuffer(share.read(share.address(offset=offset), values.nbytes), values.dtype)
"""


def run(source: str, count: int, environment: dict[str, str]) -> None:
    if environment and not has_kernels():
        pytest.skip("this build has no kernels for the simulator: no C++ compiler was there")
    ranks.run_code(PRELUDE + ranks.dedented(source), count, environment)


def has_kernels() -> bool:
    return bool(mf_smem.kernels.table()) and ranks.run_alone(
        """
        import mf_smem
        with mf_smem.open_share(local_bytes="2MiB"):
            mf_smem.kernels.load().close()
        """,
        {"MF_DEVICE": "sim"},
    ).returncode == 0


@pytest.mark.parametrize("environment", ON, ids=["host", "simulator"])
@pytest.mark.parametrize("count", [1, 3])
def test_reductions_of_all_types(environment: dict[str, str], count: int) -> None:
    run(
        """
        with mf_smem.open_share(local_bytes="8MiB") as share:
            n, me, COUNT = share.rank_size, share.rank, 70_001
            for kind, name in ((np.float32, "float32"), (np.float16, "float16")):
                for op, combine in (("sum", np.add), (ReduceOp.MAX, np.maximum)):
                    mine = numbers(me, COUNT).astype(kind)
                    data = place(share, 4096, mine)
                    named = {} if share.device == "host" else {"count": COUNT, "dtype": name}
                    share.all_reduce(data, op, **named)
                    expected = numbers(0, COUNT).astype(kind).astype(np.float32)
                    for rank in range(1, n):
                        expected = combine(expected, numbers(rank, COUNT).astype(kind).astype(np.float32))
                    assert (read(share, 4096, mine) == expected.astype(kind)).all(), (kind, op)
                    share.barrier()
            # bfloat16, of which NumPy knows nothing: halves round to even.
            mine = np.full(1000, 0x3F80 if me == 0 else 0x3B80, np.uint16)
            data = place(share, 0, mine)
            share.all_reduce(data if isinstance(data, int) else share.address(), count=1000, dtype=DataType.BF16)
            assert (read(share, 0, mine) == (0x3F80 if n == 1 else 0x3F81)).all(), hex(read(share, 0, mine)[0])
        """,
        count,
        environment,
    )


@pytest.mark.parametrize("environment", ON, ids=["host", "simulator"])
def test_moves_between_all_ranks(environment: dict[str, str]) -> None:
    run(
        """
        with mf_smem.open_share(local_bytes="8MiB") as share:
            n, me, COUNT = share.rank_size, share.rank, 5_003
            named = share.device != "host"
            mine = numbers(me, COUNT * n)
            source, room = place(share, 0, mine), np.zeros(COUNT * n, np.float32)
            into = place(share, 4 << 20, room)
            share.all_to_all(into, source, **({"nbytes": mine.nbytes} if named else {}))
            expected = np.concatenate([numbers(rank, COUNT * n)[me * COUNT:][:COUNT] for rank in range(n)])
            assert (read(share, 4 << 20, room) == expected).all()
            share.barrier()

            piece = mine[:COUNT]
            source = share.address() if named else share.local()[: piece.nbytes]
            share.allgather_into(into, source, **({"nbytes": piece.nbytes} if named else {}))
            expected = np.concatenate([numbers(rank, COUNT * n)[:COUNT] for rank in range(n)])
            assert (read(share, 4 << 20, room) == expected).all()
            share.barrier()

            source = place(share, 0, mine)
            into = place(share, 4 << 20, piece)
            share.reduce_scatter(into, source, "max", **({"count": COUNT, "dtype": "float32"} if named else {}))
            expected = np.max([numbers(rank, COUNT * n)[me * COUNT:][:COUNT] for rank in range(n)], axis=0)
            assert (read(share, 4 << 20, piece) == expected).all()
            share.barrier()
        """,
        3,
        environment,
    )


def test_mismatched_collective_calls_fail_on_all_ranks() -> None:
    run(
        """
        with mf_smem.open_share(local_bytes="2MiB") as share:
            words = share.local(dtype="f4")
            calls = [
                lambda: share.all_reduce(words[:10 + share.rank]),
                lambda: share.all_reduce(words[share.rank:][:10]),
                lambda: share.all_reduce(words[:10], "sum" if share.rank else "max"),
                lambda: share.all_reduce(words[:10]) if share.rank else share.allgather_into(words[10:30], words[:10]),
                lambda: share.all_reduce(words[:10].view("f2" if share.rank else "f4")[:10]),
            ]
            for call in calls:
                try:
                    call()
                except mf_smem.InvalidParamError as error:
                    assert f"rank {1 - share.rank} " in str(error), error
                else:
                    raise AssertionError
            words[:10] = share.rank
            share.barrier()
            share.all_reduce(words[:10])
            assert (words[:10] == 1).all()
        """,
        2,
        {},
    )


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda share, words: share.all_reduce(np.zeros(4, "f4")), "outside of it"),
        (lambda share, words: share.all_reduce(words[:4].view("i4")), "type must be one of"),
        (lambda share, words: share.all_reduce(words[:4], "product"), "op must be one of 'sum', 'max'"),
        (lambda share, words: share.all_reduce(share.address()), "count and dtype are needed"),
        (lambda share, words: share.all_reduce(share.address(), count=1 << 20, dtype="float32"), "not a whole number of elements of 4 bytes"),
        (lambda share, words: share.all_reduce(share.address() + 2, count=1, dtype="float32"), "not a whole number of elements of 4 bytes"),
        (lambda share, words: share.all_reduce(words[:4], count=5), "not 5 elements of fp32"),
        (lambda share, words: share.all_to_all(words[:4], words[4:12]), "same number of bytes"),
        (lambda share, words: share.all_to_all(share.address(), share.address() + 64), "nbytes is needed"),
        (lambda share, words: share.allgather_into(words[:4], words[4:12]), "as long as the other|no elements"),
        (lambda share, words: share.reduce_scatter(words[:4], words[4:12]), "as long as the other"),
    ],
)
def test_wrong_operands_are_refused(call: Any, text: str) -> None:
    with mf_smem.open_share(local_bytes="2MiB", share_id=40) as share:
        with pytest.raises(mf_smem.InvalidParamError, match=text):
            call(share, share.local(dtype="f4"))


def test_allgather_has_two_spellings() -> None:
    with mf_smem.open_share(local_bytes="2MiB", share_id=41) as share:
        group = share.group("alone", [0])
        assert share.allgather(b"x") == share.all_gather(b"x") == group.allgather(b"x") == group.all_gather(b"x") == [b"x"]
