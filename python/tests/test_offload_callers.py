# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``memfabric_hybrid.offload`` as inference engines call it: vllm-ascend's sparse offload of a KV cache, and SGLang's hierarchical
cache. Both sequences are written from the interface; tensors are arrays with the methods of torch's that are used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ranks
from test_kernels import REASON

pytest.importorskip("numpy")

VLLM = """
import ctypes, os, sys, time
import numpy as np
sys.path.insert(0, {tests!r})
from offload_models import Device, Tensor
import mf_smem
import memfabric_hybrid
from memfabric_hybrid import get_last_err_msg, offload

me, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
GIB, MIB = 1 << 30, 1 << 20
config = offload.OffloadConfig()
config.device_id, config.reserve_size, config.alloc_size = me, GIB, GIB if me == 0 else 0
config.world_size, config.rank_id, config.scene = world, me, offload.Scene.SHARED
assert offload.initialize(config) == 0, get_last_err_msg()

# Rank 0 has the cache on the host; its address goes to all.
ROWS, TOPK, K, V = 6, 5, 1024, 128
tokens = 512
store = mf_smem.Store("tcp://127.0.0.1:" + os.environ["MASTER_PORT"], None, world, me == 0, rank=me)
if me == 0:
    chunk = offload.empty([4 * MIB], dtype=np.int8, pin_memory=True)
    first = -(-chunk.ctypes.data // (2 * MIB)) * 2 * MIB
    keys = np.frombuffer((ctypes.c_char * (tokens * K)).from_address(first), np.uint8)
    values = np.frombuffer((ctypes.c_char * (tokens * V)).from_address(first + tokens * K), np.uint8)
    chance = np.random.default_rng(5)
    keys[:], values[:] = chance.integers(0, 256, keys.size), chance.integers(0, 256, values.size)
    store.set("pool", str(first).encode())
base = int(store.get("pool"))
k_gva, v_gva = base, base + tokens * K
# All see what rank 0 has written.
all_keys = np.frombuffer((ctypes.c_char * (tokens * K)).from_address(k_gva), np.uint8).reshape(tokens, K)
all_values = np.frombuffer((ctypes.c_char * (tokens * V)).from_address(v_gva), np.uint8).reshape(tokens, V)
npu = Device("npu", me)
{device}

# Four lists in one buffer: addresses, addresses, lengths, and the count.
RT = ROWS * TOPK
sizes = [8 * 2 * RT, 8 * 2 * RT, 4 * 2 * RT, 4]
offsets = np.cumsum([0, *sizes])
lists = memory(int(offsets[-1]))
room = memory(RT * (K + V))
views = [Tensor(None, lists.address + int(offset)) for offset in offsets[:-1]]
chance = np.random.default_rng(100 + me)
for step in range(20):
    misses = int(chance.integers(0, RT + 1))
    wanted = chance.integers(0, tokens, misses)
    staged = np.zeros(int(offsets[-1]), np.uint8)
    gvas, places = staged[: sizes[0]].view(np.int64), staged[sizes[0] : offsets[2]].view(np.int64)
    lengths, count = staged[offsets[2] : offsets[3]].view(np.int32), staged[offsets[3] :].view(np.int32)
    # Old values stay behind the count.
    gvas[:], places[:], lengths[:] = k_gva, room.address, 4096
    slots = chance.permutation(RT)[:misses]
    # First all pieces of keys, then of values.
    gvas[: 2 * misses] = np.r_[k_gva + wanted * K, v_gva + wanted * V]
    places[: 2 * misses] = np.r_[room.address + slots * K, room.address + RT * K + slots * V]
    lengths[: 2 * misses] = np.r_[np.full(misses, K), np.full(misses, V)]
    # A slot that is not valid has length 0.
    invalid = chance.random(misses) < 0.2
    lengths[: misses][invalid] = lengths[misses : 2 * misses][invalid] = 0
    count[0] = 2 * misses
    lists.put(staged.tobytes())
    before = bytes(RT * (K + V))
    room.put(before)
    result = offload.sparse_copy(*views, npu)
    assert result in (None, 0), get_last_err_msg()
    wait()
    found = np.frombuffer(room.read(), np.uint8)
    got_keys, got_values = found[: RT * K].reshape(RT, K), found[RT * K :].reshape(RT, V)
    expected_keys, expected_values = np.zeros_like(got_keys), np.zeros_like(got_values)
    for slot, token in zip(slots[~invalid], wanted[~invalid]):
        expected_keys[slot], expected_values[slot] = all_keys[token], all_values[token]
    assert np.array_equal(got_keys, expected_keys) and np.array_equal(got_values, expected_values), step
store.barrier("read", timeout=60)
if me == 0:
    # Each decode step rank 0 writes new tokens into the cache.
    new = chance.integers(0, 256, K + V, dtype=np.uint8)
    room.put(new.tobytes())
    for token in (7, 511):
        staged = np.zeros(int(offsets[-1]), np.uint8)
        staged[: sizes[0]].view(np.int64)[:2] = room.address, room.address + K
        staged[sizes[0] : offsets[2]].view(np.int64)[:2] = k_gva + token * K, v_gva + token * V
        staged[offsets[2] : offsets[3]].view(np.int32)[:2] = K, V
        staged[offsets[3] :].view(np.int32)[0] = 2
        lists.put(staged.tobytes())
        result = offload.sparse_copy(*views, npu)
        if result not in (None, 0):
            raise RuntimeError(get_last_err_msg())
        wait()
store.barrier("written", timeout=60)
assert np.array_equal(all_keys[7], all_keys[511]) and all_values[7].any()
store.barrier("end", timeout=60)
del all_keys, all_values
store.close()
offload.uninitialize()
"""

ON_THE_HOST = """
class memory:
    def __init__(self, nbytes):
        self.data = np.zeros(nbytes, np.uint8)
        self.address = self.data.ctypes.data
    def put(self, content):
        self.data[: len(content)] = np.frombuffer(content, np.uint8)
    def read(self):
        return self.data.tobytes()
def wait():
    pass
"""
ON_THE_NPU = """
acl = ctypes.CDLL(os.path.join(mf_smem.get_lib_path(), "libascend_sim.so"))
from mf_smem.kernels import DeviceMemory as memory
def wait():
    assert acl.aclrtSynchronizeStream(None) == 0
"""

SGLANG = """
import ctypes, os, sys
import numpy as np
sys.path.insert(0, {tests!r})
from offload_models import CPU, Device, Tensor
import mf_smem
from memfabric_hybrid import get_last_err_msg, offload

GIB = 1 << 30
config = offload.OffloadConfig()
config.device_id, config.reserve_size, config.alloc_size = 0, GIB, GIB
config.scene = offload.Scene.LOCAL
assert offload.initialize(config) == 0, get_last_err_msg()
{device}

LAYERS, PAGES, S = 3, 16, 4
WIDTHS = [96, 32, 16]
chance = np.random.default_rng(6)
for is_layer_first in (False, True):
    components, hosts, devices = [], [], []
    for width in WIDTHS:
        shape = (LAYERS, PAGES, S, 1, width) if is_layer_first else (PAGES, LAYERS, S, 1, width)
        host = offload.empty(list(shape), dtype=np.uint8)
        host[...] = chance.integers(0, 256, shape)
        dva = offload.get_dva(host.ctypes.data)
        if dva == 0:
            raise ValueError("no address for the device")
        content = chance.integers(0, 256, (LAYERS, PAGES, S, 1, width), dtype=np.uint8)
        there = memory(content.nbytes)
        there.put(content.tobytes())
        page = S * width
        host_page, host_layer = (page, PAGES * page) if is_layer_first else (LAYERS * page, page)
        components += [there.address, dva, PAGES * page, page, host_page, host_layer, page, 0, LAYERS]
        hosts.append(host)
        devices.append((there, content))
    for direction in (1, 2, 1):
        count = 5
        device_pages, host_pages = chance.permutation(PAGES)[:count], chance.permutation(PAGES)[:count]
        tokens = [np.repeat(pages * S, S) + np.tile(np.arange(S), count) for pages in (device_pages, host_pages)]
        indices = [memory(one.nbytes) for one in tokens]
        for place, one in zip(indices, tokens):
            place.put(one.astype(np.int64).tobytes())
        head = [len(WIDTHS), count, S, direction, *(place.address for place in indices), int(is_layer_first), 0]
        words = np.array(head + components, np.int64)
        assert words.size % 9 == 8
        meta = memory(words.nbytes)
        meta.put(words.tobytes())
        code = offload.kv_exchange_copy(Tensor(words, meta.address), on)
        if code != 0:
            raise RuntimeError(get_last_err_msg())
        wait()
        for host, (there, content) in zip(hosts, devices):
            by_page = host if not is_layer_first else host.transpose(1, 0, 2, 3, 4)
            for device_page, host_page in zip(device_pages, host_pages):
                if direction == 1:
                    content[:, device_page] = by_page[host_page]
                else:
                    assert np.array_equal(by_page[host_page], content[:, device_page])
            assert there.read() == content.tobytes()
offload.uninitialize()
"""


def filled(source: str, device: str) -> str:
    return source.format(tests=os.fspath(Path(__file__).parent), device=device)


def on(device: str) -> dict[str, str]:
    if device == "host":
        return {"MF_DEVICE": "none"}
    if REASON is not None:
        pytest.skip(f"kernels: {REASON}")
    return {"MF_DEVICE": "sim", "ASCEND_SIM_DEVICES": "2", "ASCEND_SIM_SESSION": f"offload-{ranks.free_port()}"}


@pytest.mark.parametrize("device", ["host", "npu"])
def test_sparse_attention_of_vllm_ascend(device: str) -> None:
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    source = filled(VLLM, ON_THE_HOST if device == "host" else ON_THE_NPU)
    ranks.run_code(source, 2, {**on(device), "MF_CONFIG_STORE_URL": url})


@pytest.mark.parametrize("device", ["host", "npu"])
def test_hierarchical_cache_of_sglang(device: str) -> None:
    prepared = ON_THE_HOST + "on = CPU\n" if device == "host" else ON_THE_NPU + "on = Device('npu', 0)\n"
    done = ranks.run_alone(filled(SGLANG, prepared), on(device))
    assert done.returncode == 0, done.stderr
