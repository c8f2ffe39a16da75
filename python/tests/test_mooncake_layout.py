# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the layout of tensors and shards in `mooncake.store`, without torch: arrays of NumPy stand for the tensors."""

from __future__ import annotations

import struct
import types

import numpy as np
import pytest
from mooncake._parallelism import axes_of, target_of, writer_axis
from mooncake._tensor_layout import DTYPES, METADATA_BYTES, Axis, Metadata, unpack
from mooncake._tensor_shards import (
    Manifest,
    check,
    of_rank,
    shard_box,
    shard_key,
    unpack_manifest,
    whole_box,
    whole_of,
    writer_key,
)
from mooncake.store import ParallelAxis, ReadTarget, TensorParallelism, _tensor_metadata_size

AXES = (Axis("dp", 1, 2), Axis("pp", 1, 2, stage_id=7), Axis("ep", 0, 4, expert_id=3), Axis("tp", 0, 2, 1))


def parallelism(*axes: tuple[object, ...]) -> TensorParallelism:
    made = TensorParallelism()
    for kind, rank, size, *more in axes:
        axis = ParallelAxis()
        axis.kind, axis.rank, axis.size = str(kind), int(str(rank)), int(str(size))
        for name, value in zip(("split_dim", "expert_id", "stage_id"), more):
            setattr(axis, name, value)
        made.axes = [*made.axes, axis]
    return made


def test_metadata_has_its_304_bytes() -> None:
    assert _tensor_metadata_size() == METADATA_BYTES == 304
    packed = Metadata("float32", (4, 6), (4, 3), (Axis("tp", 1, 2, 1),)).pack()
    assert len(packed) == 304
    assert struct.unpack_from("<IHHiiIIQQ", packed) == (0x4D4F4F4E, 1, 304, 0, 2, 1, 0, 304, 48)
    assert struct.unpack_from("<8q", packed, 40) == (4, 6, *[-1] * 6) and struct.unpack_from("<8q", packed, 104) == (4, 3, *[-1] * 6)
    assert struct.unpack_from("<II6iq", packed, 168) == (1, 0, 1, 0, 1, 2, 1, 0, 3)
    assert packed[208:] == bytes(96)
    assert [name for name, _ in DTYPES].index("bfloat16") == 12 and DTYPES[10] == ("bool", 1)


@pytest.mark.parametrize(
    "metadata",
    [
        Metadata("float32", (4, 6), (4, 6)),
        Metadata("bfloat16", (), ()),
        Metadata("int8", (0, 3), (0, 3)),
        Metadata("bool", (1,) * 8, (1,) * 8),
        Metadata("uint64", (4, 6), (4, 3), AXES),
    ],
)
def test_metadata_is_parsed_as_it_was_packed(metadata: Metadata) -> None:
    assert unpack(metadata.pack(), 304 + metadata.nbytes) == metadata


def test_malformed_metadata_is_refused() -> None:
    good = Metadata("float32", (4, 6), (4, 3), (Axis("tp", 1, 2, 1),)).pack()
    assert unpack(good, 352).nbytes == 48
    for at, wrong in ((0, b"x"), (4, b"\2"), (6, b"\0"), (8, b"\x7f"), (12, b"\x09"), (16, b"\2"), (32, b"\1"), (104, b"\xff" * 8), (168, b"\5"), (176, b"\7"), (184, b"\2")):
        with pytest.raises(ValueError):
            unpack(good[:at] + wrong + good[at + len(wrong) :], 352)
    for stored in (304, 351, 353):
        with pytest.raises(ValueError):
            unpack(good, stored)
    with pytest.raises(ValueError):
        unpack(good[:303], 352)
    for bad in (Metadata("complex64", (1,), (1,)), Metadata("int8", (1,) * 9, (1,) * 9)):
        with pytest.raises(ValueError):
            bad.pack()


def test_keys_name_the_axes() -> None:
    assert shard_key("k", (Axis("tp", 1, 2, 0),)) == "k_tp_1"
    assert shard_key("k", (Axis("dp", 1, 2),)) == "k__dp_1of2"
    assert shard_key("k", AXES) == "k__dp_1of2__tp_0of2_sd1__ep_0of4_eid3__pp_1of2_sid7"
    assert shard_key("k", of_rank(AXES, 2, 3, 0)) == "k__dp_1of2__tp_2of3_sd0__ep_0of4_eid3__pp_1of2_sid7"
    assert writer_key("k", Axis("tp", 0, 2, 1)) == "k__writer_0of2_sd1"


def test_manifests_have_their_96_bytes() -> None:
    manifest = Manifest.of(Metadata("float16", (4, 6), (4, 3), (Axis("tp", 1, 2, 1),)))
    packed = manifest.pack()
    assert struct.unpack_from("<4sHHiiiiQ", packed) == (b"NAMW", 1, 96, 11, 2, 1, 2, 0) and len(packed) == 96
    assert unpack_manifest(packed) == manifest == Manifest("float16", (4, 6), 1, 2)
    for at, wrong in ((0, b"x"), (4, b"\2"), (8, b"\x7f"), (12, b"\x09"), (16, b"\2"), (20, b"\0")):
        with pytest.raises(ValueError):
            unpack_manifest(packed[:at] + wrong + packed[at + 1 :])
    with pytest.raises(ValueError):
        unpack_manifest(packed + b"x")


@pytest.mark.parametrize(("dim", "size"), [(0, 1), (0, 2), (1, 3), (1, 6), (2, 5)])
@pytest.mark.parametrize(("other", "number"), [(0, 4), (1, 2), (2, 5)])
def test_shards_are_assembled_to_other_shards(dim: int, size: int, other: int, number: int) -> None:
    tensor = np.arange(4 * 6 * 5).reshape(4, 6, 5)
    whole = whole_box(tensor.shape)
    stored = [shard_box(tensor.shape, Axis("tp", rank, size, dim)) for rank in range(size)]
    shards = [tensor[box.within(whole)] for box in stored]
    assert [shard.tolist() for shard in shards] == [part.tolist() for part in np.split(tensor, size, dim)]
    assert all(whole_of(shard.shape, Axis("tp", 0, size, dim)) == tensor.shape for shard in shards)
    for rank in range(number):
        wanted = shard_box(tensor.shape, Axis("tp", rank, number, other))
        made = np.full(wanted.extent, -1)
        for box, shard in zip(stored, shards):
            common = box.overlap(wanted)
            if not common.is_empty:
                made[common.within(wanted)] = shard[common.within(box)]
        assert (made == np.split(tensor, number, other)[rank]).all()


def test_shards_of_different_sizes_are_refused() -> None:
    for axis in (Axis("tp", 0, 4, 1), Axis("tp", 0, 2, 2), Axis("tp", 0, 2, -1)):
        with pytest.raises(ValueError):
            shard_box((4, 6), axis)
    assert shard_box((4, 6), None) == whole_box((4, 6)) and whole_of((4, 6), None) == (4, 6)


def test_axes_that_describe_no_shard_are_refused() -> None:
    assert check(AXES) == AXES == axes_of(parallelism(("DP", 1, 2), ("pp", 1, 2, None, None, 7), ("Ep", 0, 4, None, 3), ("TP", 0, 2, 1)))
    wrong = [
        parallelism(),
        parallelism(("tp", 0, 2)),
        parallelism(("tp", 2, 2, 0)),
        parallelism(("tp", -1, 2, 0)),
        parallelism(("xx", 0, 2)),
        parallelism(("dp", 0, 2, 0)),
        parallelism(("ep", 0, 2)),
        parallelism(("pp", 0, 2)),
        parallelism(("tp", 0, 2, 0), ("tp", 0, 2, 1)),
        "tp",
        types.SimpleNamespace(axes=[3]),
    ]
    for one in wrong:
        with pytest.raises(ValueError):
            axes_of(one)
    assert writer_axis(types.SimpleNamespace(rank=1, size=2, split_dim=0)) == Axis("tp", 1, 2, 0)
    for bad in ({"rank": 0, "size": 2, "split_dim": 0}, types.SimpleNamespace(rank=2, size=2, split_dim=0), types.SimpleNamespace(rank=0, size=2)):
        with pytest.raises(ValueError):
            writer_axis(bad)


def test_targets_check_their_attributes() -> None:
    target, axis = ReadTarget(), ParallelAxis()
    assert (target.mode, target.parallelism, target_of(target), target_of(None)) == ("as_stored", None, ("as_stored", None), ("as_stored", None))
    target.mode = "FULL"
    assert target_of(target) == ("full", None)
    with pytest.raises(RuntimeError):
        target.mode = "part"
    target.mode = "shard"
    with pytest.raises(ValueError):
        target_of(target)
    target.parallelism = parallelism(("tp", 1, 2, 0))
    assert target_of(target) == ("shard", (Axis("tp", 1, 2, 0),))
    assert (axis.kind, axis.rank, axis.size, axis.split_dim, axis.expert_id, axis.stage_id) == ("", 0, 1, None, None, None)
    for name, value in (("rank", "1"), ("rank", None), ("kind", 3), ("split_dim", "0"), ("size", True)):
        with pytest.raises(TypeError):
            setattr(axis, name, value)
    with pytest.raises(AttributeError):
        setattr(axis, "other", 3)  # noqa: B010
    with pytest.raises(TypeError):
        target.parallelism = 3  # type: ignore[assignment]
    with pytest.raises(TypeError):
        TensorParallelism().axes = [3]  # type: ignore[list-item]
    with pytest.raises(ValueError):
        target_of("full")
