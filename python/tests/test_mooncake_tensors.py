# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the tensors of `mooncake.store`: whole, as shards, at addresses and in files. They need torch."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ranks
from mooncake.store import (
    MooncakeDistributedStore,
    ParallelAxis,
    ReadTarget,
    ReplicateConfig,
    TensorParallelism,
    _deserialize_tensor,
    _serialize_tensor,
)

import mf_smem
from mf_smem import _mf_smem

MASTER = f"127.0.0.1:{ranks.free_port()}"
HEAD = 304


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch", reason="apt-get install python3-torch")


@pytest.fixture(scope="module")
def store() -> Iterator[MooncakeDistributedStore]:
    made = MooncakeDistributedStore()
    assert made.setup("127.0.0.1", "P2PHANDSHAKE", 64 << 20, 16 << 20, "tcp", "", MASTER) == 0, mf_smem.get_last_err_msg()
    yield made
    assert made.close() == 0
    # It was started here, and serves until the process ends.
    _mf_smem.destroy_config_store(f"tcp://{MASTER}")


@pytest.fixture(autouse=True)
def empty(store: MooncakeDistributedStore) -> None:
    assert store.remove_all(force=True) >= 0


@pytest.fixture
def tensor(torch: Any) -> Any:
    return torch.arange(24.0).reshape(4, 6)


def axis(kind: str, rank: int, size: int, split_dim: int | None = None) -> ParallelAxis:
    made = ParallelAxis()
    made.kind, made.rank, made.size, made.split_dim = kind, rank, size, split_dim
    return made


def parallelism(*axes: ParallelAxis) -> TensorParallelism:
    made = TensorParallelism()
    made.axes = list(axes)
    return made


def target(mode: str, *axes: ParallelAxis) -> ReadTarget:
    made = ReadTarget()
    made.mode = mode
    if axes:
        made.parallelism = parallelism(*axes)
    return made


def serialised(tensor: Any) -> Any:
    packed = _serialize_tensor(tensor)[0] + tensor.contiguous().numpy().tobytes()
    return ctypes.create_string_buffer(packed, len(packed))


def test_tensors_keep_type_and_shape(store: MooncakeDistributedStore, torch: Any) -> None:
    for number, name in enumerate(("float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool", "float16", "bfloat16")):
        made = torch.arange(6).reshape(2, 3).to(getattr(torch, name))
        assert store.put_tensor(f"t{number}", made) == 0
        got = store.get_tensor(f"t{number}")
        assert got.dtype == made.dtype and torch.equal(got, made), name
    for number, made in enumerate((torch.tensor(3.0), torch.zeros(0, 3), torch.arange(6).reshape(2, 3).t(), torch.ones(1, 1, 1, 1, 1, 1, 1, 1))):
        assert store.put_tensor(f"s{number}", made) == 0
        got = store.get_tensor(f"s{number}")
        assert got.shape == made.shape and torch.equal(got, made)
    assert store.put_tensor("grad", torch.ones(2, requires_grad=True)) == 0
    for wrong in ("text", None, 3, torch.zeros(*[1] * 9), torch.zeros(2, dtype=torch.complex64)):
        assert store.put_tensor("wrong", wrong) == -600
    assert store.put_tensor("", torch.zeros(1)) == -600 and store.is_exist("wrong") == 0


def test_puts_keep_and_upserts_replace(store: MooncakeDistributedStore, torch: Any, tensor: Any) -> None:
    twice = ReplicateConfig(replica_num=2)
    assert [store.put_tensor("a", tensor), store.put_tensor("a", tensor + 1), store.pub_tensor("a", tensor + 1, twice)] == [0, 0, 0]
    assert torch.equal(store.get_tensor("a"), tensor)
    assert store.upsert_tensor("a", tensor + 1) == 0 and torch.equal(store.get_tensor("a"), tensor + 1)
    assert store.upsert_pub_tensor("a", tensor[:1], twice) == 0 and torch.equal(store.get_tensor("a"), tensor[:1])
    assert store.get_size("a") == HEAD + 24
    assert store.batch_put_tensor(["b", "c", "d"], [tensor, "text", tensor]) == [0, -600, 0]
    assert store.batch_pub_tensor(["b"], [tensor + 2]) == store.batch_upsert_tensor(["d"], [tensor + 2]) == [0]
    assert store.batch_upsert_pub_tensor(["e"], [tensor]) == [0]
    got = store.batch_get_tensor(["b", "c", "d"])
    assert torch.equal(got[0], tensor) and got[1] is None and torch.equal(got[2], tensor + 2)
    assert store.batch_put_tensor(["b"], [tensor, tensor]) == [-600] and store.batch_put_tensor([], []) == []


def test_values_that_are_no_tensors_are_not_read(store: MooncakeDistributedStore, torch: Any) -> None:
    assert store.put("short", b"x") == store.put("long", bytes(400)) == 0
    assert [store.get_tensor("short"), store.get_tensor("long"), store.get_tensor("none")] == [None] * 3
    assert store.batch_get_tensor(["short", ""]) == [None, None]
    fresh = MooncakeDistributedStore()
    assert [fresh.put_tensor("k", torch.zeros(1)), fresh.get_tensor("k"), fresh.put_tensor_from("k", 1, 400)] == [-1, None, -1]
    assert fresh.batch_put_tensor(["a", "b"], [None, None]) == [-1, -1] and fresh.batch_get_tensor(["a"]) == [None]


def test_shards_of_tensor_parallelism(store: MooncakeDistributedStore, torch: Any, tensor: Any) -> None:
    for rank in range(2):
        assert store.put_tensor_with_tp("w", tensor, rank, 2, 1) == 0
    assert store.batch_is_exist(["w_tp_0", "w_tp_1", "w", "w_tp_2"]) == [1, 1, 0, 0]
    for rank, part in enumerate(tensor.chunk(2, 1)):
        assert torch.equal(store.get_tensor_with_tp("w", rank, 2, 1), part) and torch.equal(store.get_tensor(f"w_tp_{rank}"), part)
    assert store.get_tensor_with_tp("w", 2, 2) is None and store.get_tensor_with_tp("w", -1, 2) is None
    assert store.put_tensor_with_tp("one", tensor) == 0 and torch.equal(store.get_tensor("one"), tensor)
    assert [store.put_tensor_with_tp("x", tensor, 0, size, dim) for size, dim in ((5, 0), (2, 2), (2, -1))] == [-600] * 3
    assert store.batch_put_tensor_with_tp(["x", "y"], [tensor, 3], 0, 2) == [0, -600]
    assert store.batch_pub_tensor_with_tp(["z"], [tensor], ReplicateConfig(), 1, 2) == [0]
    assert store.pub_tensor_with_tp("z2", tensor, ReplicateConfig(), 1, 2) == 0
    got = store.batch_get_tensor_with_tp(["x", "y", "z2"], 1, 2)
    assert torch.equal(got[0], tensor[2:]) and got[1] is None and torch.equal(got[2], tensor[2:])


def test_serialised_tensors_at_addresses(store: MooncakeDistributedStore, torch: Any, tensor: Any) -> None:
    source, into = serialised(tensor), ctypes.create_string_buffer(512)
    at, to, size = ctypes.addressof(source), ctypes.addressof(into), len(source)
    assert [store.put_tensor_from("f", at, size), store.put_tensor_from("g", at, size - 1), store.put_tensor_from("g", at, 99)] == [0, -600, -600]
    assert store.get("f") == source.raw and torch.equal(store.get_tensor("f"), tensor)
    assert store.batch_put_tensor_from(["h", "i"], [at, at + 8], [size, size]) == [0, -600]
    assert store.upsert_tensor_from("h", at, size) == 0 and store.batch_upsert_tensor_from(["h"], [at], [size]) == [0]
    assert store.batch_put_tensor_from(["h"], [], []) == [-600]
    got = store.get_tensor_into("f", to, 512)
    assert torch.equal(got, tensor) and got.data_ptr() == to + HEAD and into.raw[:size] == source.raw
    assert [store.get_tensor_into("f", to, size - 1), store.get_tensor_into("f", 0, size), store.get_tensor_into("none", to, size)] == [None] * 3
    assert store.put_tensor_with_tp_from("p", at, size, 0, 2, 1) == 0
    assert store.batch_put_tensor_with_tp_from(["q"], [at], [size], 0, 2) == [0]
    got = store.get_tensor_with_tp_into("p", to, 512, 1, 2, 1)
    assert torch.equal(got, tensor[:, 3:]) and got.data_ptr() == to + HEAD
    got = store.batch_get_tensor_with_tp_into(["q", "none"], [to, to], [512, 512], 1, 2)
    assert torch.equal(got[0], tensor[2:]) and got[1] is None
    got = store.batch_get_tensor_into(["f", "none"], [to, to], [512, 512])
    assert torch.equal(got[0], tensor) and got[1] is None


def test_serialised_tensors_are_parsed(torch: Any, tensor: Any) -> None:
    head, at, size, kept = _serialize_tensor(tensor.t())
    assert (len(head), size, kept.data_ptr()) == (HEAD, 96, at) and kept.is_contiguous()
    assert torch.equal(_deserialize_tensor(head + ctypes.string_at(at, size)), tensor.t())
    assert _deserialize_tensor(_serialize_tensor(torch.zeros(0, 3))[0]).shape == (0, 3)
    for wrong in (b"", head, bytes(400)):
        with pytest.raises(ValueError):
            _deserialize_tensor(wrong)
    with pytest.raises(ValueError):
        _serialize_tensor("text")


@pytest.mark.parametrize("dim", [0, 1])
def test_ranks_put_their_shards_and_read_others(store: MooncakeDistributedStore, torch: Any, tensor: Any, dim: int) -> None:
    parts = tensor.chunk(2, dim)
    for rank, part in enumerate(parts):
        assert store.put_tensor_with_parallelism("a", part, parallelism(axis("tp", rank, 2, dim))) == 0
    for mode in (target("full"), target("full", axis("tp", 0, 2, dim))):
        assert torch.equal(store.get_tensor_with_parallelism("a", mode), tensor)
    for size, other in ((1, 0), (2, 0), (4, 0), (2, 1), (3, 1), (6, 1)):
        for rank, part in enumerate(tensor.chunk(size, other)):
            assert torch.equal(store.get_tensor_with_parallelism("a", target("shard", axis("tp", rank, size, other))), part)
    assert torch.equal(store.get_tensor_with_parallelism("a", target("as_stored", axis("tp", 1, 2, dim))), parts[1])
    assert store.get_tensor_with_parallelism("a", target("shard", axis("tp", 0, 5, dim))) is None
    assert [store.get_tensor_with_parallelism("a"), store.get_tensor_with_parallelism("a", target("shard")), store.get_tensor("a")] == [None] * 3
    assert store.remove("a_tp_1", force=True) == 0
    assert store.get_tensor_with_parallelism("a", target("full")) is None


def test_several_axes_take_the_whole_tensor(store: MooncakeDistributedStore, torch: Any, tensor: Any) -> None:
    for rank in range(2):
        assert store.put_tensor_with_parallelism("a", tensor, parallelism(axis("dp", 0, 2), axis("tp", rank, 2, 1))) == 0
    assert store.is_exist("a__dp_0of2__tp_1of2_sd1") == 1
    assert torch.equal(store.get_tensor_with_parallelism("a", target("full", axis("dp", 0, 2), axis("tp", 0, 2, 1))), tensor)
    got = store.get_tensor_with_parallelism("a", target("shard", axis("dp", 0, 2), axis("tp", 2, 3, 1)))
    assert torch.equal(got, tensor[:, 4:])
    assert store.get_tensor_with_parallelism("a", target("shard", axis("dp", 1, 2), axis("tp", 0, 2, 1))) is None
    assert store.put_tensor_with_parallelism("d", tensor, parallelism(axis("dp", 1, 2))) == 0
    assert torch.equal(store.get_tensor_with_parallelism("d", target("shard", axis("dp", 1, 2))), tensor)
    for wrong in (parallelism(), parallelism(axis("tp", 0, 2)), "tp", parallelism(axis("dp", 0, 2), axis("tp", 0, 5, 1))):
        assert store.put_tensor_with_parallelism("x", tensor, wrong) == -600
        assert store.upsert_tensor_with_parallelism("x", tensor, wrong) == -600


def test_writers_put_parts_of_one_tensor(store: MooncakeDistributedStore, torch: Any, tensor: Any) -> None:
    writers = [types.SimpleNamespace(rank=rank, size=2, split_dim=0) for rank in range(2)]
    for writer in writers:
        assert store.put_tensor_with_parallelism("a", tensor, writer_partition=writer) == 0
    assert torch.equal(store.get_tensor_with_parallelism("a", target("full")), tensor)
    assert torch.equal(store.get_tensor_with_parallelism("a", target("shard", axis("tp", 3, 4, 0))), tensor[3:])
    both = store.put_tensor_with_parallelism("b", tensor, parallelism(axis("tp", 0, 2, 0)), ReplicateConfig(), writers[0])
    assert [both, store.put_tensor_with_parallelism("b", tensor, writer_partition={})] == [-600, -600]
    assert store.batch_put_tensor_with_parallelism(["c", "d"], [tensor, tensor], None, ReplicateConfig(), [writers[0], None]) == [0, 0]
    assert torch.equal(store.get_tensor("d"), tensor)
    parallelisms = [None, parallelism(axis("tp", 0, 2, 0))]
    assert store.batch_put_tensor_with_parallelism(["e", "f"], [tensor] * 2, parallelisms, ReplicateConfig(), [writers[0], None]) == [-600] * 2


def test_shards_from_and_to_addresses(store: MooncakeDistributedStore, torch: Any, tensor: Any) -> None:
    source, into = serialised(tensor), ctypes.create_string_buffer(512)
    at, to, size = ctypes.addressof(source), ctypes.addressof(into), len(source)
    assert store.put_tensor_with_parallelism_from("a", at, size, parallelism(axis("tp", 0, 2, 1))) == 0
    assert store.batch_is_exist(["a_tp_0", "a_tp_1"]) == [1, 1]
    assert store.upsert_tensor_with_parallelism_from("a", at, size, parallelism(axis("tp", 1, 2, 1))) == 0
    assert store.batch_put_tensor_with_parallelism_from(["b", "c"], [at, at + 8], [size, size]) == [0, -600]
    assert store.batch_upsert_tensor_with_parallelism_from(["b"], [at], [size], [None]) == [0]
    assert store.batch_upsert_tensor_with_parallelism(["b"], [tensor], [None]) == [0]
    got = store.get_tensor_with_parallelism_into("a", to, 512, target("full"))
    assert torch.equal(got, tensor) and got.data_ptr() == to + HEAD and into.raw[:size] == source.raw
    got = store.get_tensor_with_parallelism_into("a", to, 336, target("shard", axis("tp", 2, 3, 1)))
    assert torch.equal(got, tensor[:, 4:]) and torch.equal(_deserialize_tensor(into.raw[:336]), got)
    assert store.get_tensor_with_parallelism_into("a", to, size - 1, target("full")) is None
    got = store.batch_get_tensor_with_parallelism_into(["a", "b", "none"], [to] * 3, [512] * 3, [target("full"), None, None])
    assert torch.equal(got[0], tensor) and torch.equal(got[1], tensor) and got[2] is None
    got = store.batch_get_tensor_with_parallelism(["a", "b"], [target("full"), None])
    assert torch.equal(got[0], tensor) and torch.equal(got[1], tensor)
    assert store.batch_get_tensor_with_parallelism(["a"], []) == store.batch_get_tensor_with_parallelism(["a"], target("full")) == [None]


def test_memory_of_cuda_is_refused_without_cuda(store: MooncakeDistributedStore, torch: Any, tensor: Any) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is CUDA here")
    assert store.put_tensor("a", tensor) == 0
    assert store.get_tensor_into_cuda("a", tensor) == -600 and "no CUDA" in mf_smem.get_last_err_msg()
    assert store.batch_get_tensor_into_cuda(["a", "b"], [tensor, tensor]) == [-600, -600]


def test_tensors_in_files(store: MooncakeDistributedStore, torch: Any, tensor: Any, tmp_path: Path) -> None:
    pytest.importorskip("safetensors.torch", reason="pip install safetensors packaging")
    file = str(tmp_path / "t.safetensors")
    assert store.put_tensor("t", tensor) == 0
    assert [store.save_tensor_to_safetensor("t", file), store.save_tensor_to_safetensor("none", file)] == [0, -1100]
    assert store.save_tensor_to_safetensor("t", str(tmp_path / "no" / "t")) == -600
    assert torch.equal(store.load_tensor_from_safetensor("u", file), tensor) and torch.equal(store.get_tensor("u"), tensor)
    assert torch.equal(store.load_tensor_from_safetensor(file_name=file), tensor) and torch.equal(store.get_tensor(file), tensor)
    assert store.load_tensor_from_safetensor("v", str(tmp_path / "none")) is None
    (tmp_path / "bad").write_bytes(b"x")
    assert store.load_tensor_from_safetensor("v", str(tmp_path / "bad")) is None and store.is_exist("v") == 0


WITHOUT = """
import sys
sys.modules["torch"] = None
from mooncake.store import MooncakeDistributedStore
import mf_smem
store = MooncakeDistributedStore()
assert store.setup("127.0.0.1", "P2PHANDSHAKE", 2 << 20, 0, "tcp", "", sys.argv[1]) == 0
assert store.put("k", b"v") == 0 and store.get("k") == b"v"
assert store.put_tensor("t", None) == -1012 and "torch" in mf_smem.get_last_err_msg()
assert store.get_tensor("t") is None and store.batch_put_tensor(["t", "u"], [None, None]) == [-1012, -1012]
store.close()
"""


def test_store_works_without_torch() -> None:
    # None in `sys.modules` stands for a module that is not installed.
    subprocess.run([sys.executable, "-c", WITHOUT, f"127.0.0.1:{ranks.free_port()}"], check=True, timeout=60)
