# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Engines' own code over the package `mooncake`: SGLang's store and its tests, SGLang's engine, vLLM's set-up, LMCache's
connector.

The modules are real, and run in a process of their own. Stand-ins replace modules for accelerators
(`engines.needed`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import ranks

#: Skips by the rules of `engines`, which raise outside of a test.
SCRIPT = """
import importlib.util
import sys
from pathlib import Path
import engines
import pytest

def needed(engine, left_out, *modules):
    found = importlib.util.find_spec(engine)
    for name in left_out if found is not None else ():
        engines._stand_in(name, Path(found.submodule_search_locations[0]).parent)
    try:
        return engines.needed(engine, *modules)
    except pytest.skip.Exception as reason:
        print(reason)
        raise SystemExit(77)
"""

STORE = SCRIPT + """
import runpy
pools = [f"sglang.srt.mem_cache.{name}" for name in ("memory_pool", "pool_host", "pool_host.mla", "hybrid_cache.linker_pool_assembler")]
at = "sglang.srt.mem_cache.storage.mooncake_store"
needed("sglang", [*pools, "sglang.srt.observability.metrics_collector"], f"{at}.mooncake_store")
runpy.run_module(f"{at}.test_mooncake_store", run_name="__main__")
print("right")
"""

ENGINE = SCRIPT + """
import ctypes
communicators = ["sglang.srt.distributed", "sglang.srt.distributed.device_communicators"]
(module,) = needed("sglang", communicators, "sglang.srt.distributed.device_communicators.mooncake_transfer_engine")
# Of a module that needs torch 2.
module.run_with_deadline = lambda call, **_: call()
one, other = (module.MooncakeTransferEngine("127.0.0.1", number, None) for number in range(2))
source, target = (ctypes.create_string_buffer(content, 4096) for content in (b"x" * 4096, bytes(4096)))
begin, to = ctypes.addressof(source), ctypes.addressof(target)
one.register(begin, 4096)
assert other.batch_register([to], [4096]) == 0
assert one.send_probe(other.get_session_id()) == 0
assert one.transfer_sync(other.get_session_id(), begin, to, 16) == 0
assert one.batch_transfer_sync(other.get_session_id(), [begin + 16, begin + 32], [to + 16, to + 32], [16, 4064]) == 0
assert target.raw == source.raw
other.deregister(to)
assert one.transfer_sync(other.get_session_id(), begin, to, 16) == -1
assert one.get_engine() is one.engine
print("right")
"""

SETUP = SCRIPT + """
from mooncake.store import MooncakeDistributedStore
(module,) = needed("vllm", [], "vllm.distributed.mooncake_store")
master = sys.argv[1]
store, other = MooncakeDistributedStore(), MooncakeDistributedStore()
embedded = module.MooncakeStoreConfig("", master, "rdma", "", global_segment_size=module._parse_size("32MB"), tenant_id="a")
module.setup_mooncake_store(store, embedded, "127.0.0.1")
alone = module.MooncakeStoreConfig("", master, "rdma", "", mode="standalone-store", global_segment_size=0, tenant_id="a")
module.setup_mooncake_store(other, alone, "127.0.0.1")
assert store.put("k", b"v") == 0 and other.batch_is_exist(["k", "x"]) == [1, 0]
print("right")
"""

LMCACHE = SCRIPT + """
import asyncio
from types import SimpleNamespace
import torch
at = "lmcache.v1.storage_backend"
left_out = ["lmcache", "lmcache.v1", f"{at}", f"{at}.connector", f"{at}.local_cpu_backend", "lmcache.integration.vllm.utils", "lmcache.utils", "lmcache.v1.config",
            "lmcache.v1.memory_management", "lmcache.v1.metadata", "lmcache.v1.protocol", "lmcache.v1.system_detection"]
import logging
sys.modules["lmcache.logging"] = SimpleNamespace(init_logger=logging.getLogger)
(module,) = needed("lmcache", left_out, f"{at}.connector.mooncakestore_connector")
module.NUMADetector = SimpleNamespace(get_numa_mapping=lambda _: None)
SHAPE = (2, 64)

class Chunk:
    def __init__(self):
        self.raw_tensor = torch.zeros(SHAPE[0] * SHAPE[1] * 4, dtype=torch.uint8)
        self.data_ptr, self.meta = self.raw_tensor.data_ptr(), SimpleNamespace(shape=SHAPE)
        self.byte_array = memoryview(self.raw_tensor.numpy())
    def get_size(self):
        return self.raw_tensor.numel()
    def ref_count_down(self):
        pass

def begin(self, *_):
    self.save_chunk_meta = False
    self.meta_shapes, self.meta_dtypes, self.meta_fmt = [SHAPE], [torch.float32], "KV"
    self.full_chunk_size_bytes, self.single_token_size = 512, 8

module.RemoteConnector.__init__ = begin
module.RemoteConnector.reshape_partial_chunk = lambda self, chunk, size: chunk
pool = torch.zeros(4096, dtype=torch.uint8)
backend = SimpleNamespace(
    config=None, metadata=None, allocate=lambda *_: Chunk(),
    memory_allocator=SimpleNamespace(pin_allocator=SimpleNamespace(buffer=pool)),
)
settings = {
    "local_hostname": "127.0.0.1", "metadata_server": "P2PHANDSHAKE", "master_server_address": sys.argv[1],
    "global_segment_size": 64 << 20, "local_buffer_size": 1 << 20, "mooncake_prefer_local_alloc": True,
}
connector = module.MooncakestoreConnector(None, backend, SimpleNamespace(extra_config=settings))
assert connector.registered_buffer_ptr == pool.data_ptr() and connector.store.health_check() == 0
assert connector.replica_config.preferred_segment == connector.store.get_hostname() != ""

async def run():
    keys = [SimpleNamespace(to_string=lambda name=name: name) for name in ("vllm@m@1@0@a", "vllm@m@1@0@b", "vllm@m@1@0@c")]
    chunks = [Chunk(), Chunk()]
    for number, chunk in enumerate(chunks):
        chunk.raw_tensor.fill_(number + 1)
    await connector.batched_put(keys[:1], chunks[:1])
    await connector.put(keys[1], chunks[1])
    assert [bool(await connector.exists(key)) for key in keys] == [True, True, False]
    assert await connector.batched_async_contains("lookup", keys) == 2
    got = await connector.batched_get(keys)
    assert got[2] is None and all(torch.equal(one.raw_tensor, chunk.raw_tensor) for one, chunk in zip(got, chunks))

asyncio.run(run())
print("right")
"""


@pytest.mark.parametrize(("name", "script"), [("store", STORE), ("engine", ENGINE), ("set-up", SETUP), ("lmcache", LMCACHE)])
def test_code_of_engines_runs(name: str, script: str) -> None:
    pytest.importorskip("torch", reason="apt-get install python3-torch")
    master = f"127.0.0.1:{ranks.free_port()}"
    settings = {"MOONCAKE_MASTER": master, "MOONCAKE_GLOBAL_SEGMENT_SIZE": str(256 << 20), "MOONCAKE_PROTOCOL": "tcp"}
    tests = str(Path(__file__).parent)
    path = os.pathsep.join([tests, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", script, master],
        capture_output=True, text=True, timeout=120, env={**os.environ, **settings, "PYTHONPATH": path},
    )
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0 and "right" in done.stdout, f"{name}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
