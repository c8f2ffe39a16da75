# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of `mooncake.store`, with the calls of inference engines."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import ranks
from mooncake.async_store import MooncakeDistributedStoreAsync
from mooncake.buffer_pool import BufferPool
from mooncake.store import (
    MooncakeDistributedStore,
    MooncakeHostMemAllocator,
    ObjectDataType,
    ReplicateConfig,
    SoftPinAction,
    bind_to_numa_node,
    get_alloc_func_addr,
)

import mf_smem
from mf_smem import _mf_smem

MASTER = f"127.0.0.1:{ranks.free_port()}"
MIB = 1 << 20


def arguments(segment: int = 64 * MIB, host: str = "127.0.0.1") -> tuple[object, ...]:
    return host, "P2PHANDSHAKE", segment, 16 * MIB, "tcp", "", MASTER


@pytest.fixture(scope="module")
def store() -> Iterator[MooncakeDistributedStore]:
    made = MooncakeDistributedStore()
    assert made.setup(*arguments()) == 0, mf_smem.get_last_err_msg()
    yield made
    assert made.close() == 0
    # It was started here, and serves until the process ends.
    _mf_smem.destroy_config_store(f"tcp://{MASTER}")


@pytest.fixture(autouse=True)
def empty(store: MooncakeDistributedStore) -> None:
    assert store.remove_all(force=True) >= 0


def memory(content: bytes) -> tuple[ctypes.Array[ctypes.c_char], int]:
    buffer = ctypes.create_string_buffer(content, len(content))
    return buffer, ctypes.addressof(buffer)


def test_store_that_is_not_set_up_returns_codes() -> None:
    fresh = MooncakeDistributedStore()
    assert [fresh.health_check(), fresh.get_hostname(), fresh.close()] == [1, "", 0]
    assert [fresh.put("k", b"v"), fresh.is_exist("k"), fresh.get("k"), fresh.remove("k")] == [-1, -1, b"", -1]
    assert fresh.batch_is_exist(["a", "b"]) == fresh.batch_get_into(["a", "b"], [1, 1], [1, 1]) == [-1, -1]
    assert [fresh.get_batch(["a"]), fresh.get_buffer("a"), fresh.get_replica_desc("a"), fresh.batch_get_replica_desc(["a"])] == [[b""], None, [], {}]
    assert fresh.setup({}) == fresh.setup({"local_hostname": "a"}) == -600
    assert fresh.setup("127.0.0.1", "x", "seven", 1, "tcp", "", MASTER) == -600
    assert fresh.setup("127.0.0.1", "x", 0, 1, "tcp", "", "etcd://a:1;b:1") == -600
    with pytest.raises(TypeError, match="engine"):
        fresh.setup(*arguments(), engine=object())


def test_set_up_twice_and_by_names(store: MooncakeDistributedStore) -> None:
    assert store.setup(*arguments()) == 0
    assert store.health_check() == 0 and store.get_hostname().startswith("127.0.0.1:")
    second = MooncakeDistributedStore()
    names = ("local_hostname", "metadata_server", "global_segment_size", "local_buffer_size", "protocol", "rdma_devices", "master_server_addr")
    named = dict(zip(names, arguments(0)))
    assert second.setup({**named, "global_segment_size": "0 MB", "unknown": 1}) == 0, mf_smem.get_last_err_msg()
    assert store.put("shared", b"1") == 0 and second.get("shared") == b"1"
    assert second.close() == second.close() == 0
    assert store.get("shared") == b"1" and second.health_check() == 1
    older = {**{name: value for name, value in named.items() if name != "master_server_addr"}, "master_server_address": MASTER, "device_name": ""}
    assert second.setup(older) == 0 and second.get("shared") == b"1" and second.close() == 0
    third = MooncakeDistributedStore()
    assert third.setup(**named, tenant_id="other", enable_ssd_offload=True, something_new=3) == 0
    assert third.is_exist("shared") == 0
    assert third.put("shared", b"other") == 0 and store.get("shared") == b"1" and third.get("shared") == b"other"
    assert third.remove_all(force=True) == 1 and store.is_exist("shared") == 1
    third.close()


def test_values_are_put_once_and_upserted(store: MooncakeDistributedStore) -> None:
    assert [store.put("k", b"one"), store.put("k", b"two"), store.get("k")] == [0, 0, b"one"]
    assert [store.upsert("k", b"three"), store.get("k"), store.get_size("k")] == [0, b"three", 5]
    assert [store.put("", b"v"), store.put("e", b""), store.is_exist(""), store.get("none")] == [-600, -600, 0, b""]
    assert [store.get_size("none"), store.remove("none"), store.is_exist("e")] == [-704, -704, 0]
    assert store.put(b"bytes", bytearray(b"x")) == 0 and store.get("bytes") == b"x"
    assert store.put("p", b"12", ReplicateConfig(replica_num=0)) == -600
    assert store.put_parts("parts", b"ab", memoryview(b"cd"), b"") == 0 and store.get("parts") == b"abcd"
    assert store.put_parts("no parts") == 0 and store.is_exist("no parts") == 0
    assert store.upsert_parts("parts", b"z") == 0 and store.get("parts") == b"z"
    long = "key" * 2000
    assert store.put(long, b"l") == 0 and store.get(long) == b"l" and store.get(long[:-1]) == b""
    for wrong in ("text", 3, None):
        with pytest.raises(TypeError):
            store.put("k", wrong)
    with pytest.raises(TypeError):
        store.put(3, b"v")


def test_batches_answer_for_each_key(store: MooncakeDistributedStore) -> None:
    assert store.put_batch(["a", "b"], [b"1", b"22"]) == 0 and store.put_batch(["a"], []) == -600
    assert store.get_batch(["a", "x", "b"]) == [b"1", b"", b"22"]
    assert store.batch_is_exist(["a", "x", "", "b"]) == [1, 0, 0, 1] and store.batch_is_exist([]) == []
    found = store.batch_get_buffer(["a", "x"])
    assert found[1] is None and found[0] is not None
    assert (bytes(memoryview(found[0])), found[0].size(), ctypes.string_at(found[0].ptr(), 1)) == (b"1", 1, b"1")
    assert store.upsert_batch(["a", "b"], [b"3", b""]) == -600 and store.get("a") == b"3"
    assert store.batch_remove(["b", "x"], force=True) == [0, -704]


def test_values_at_addresses(store: MooncakeDistributedStore) -> None:
    source, at = memory(bytes(range(256)) * 16)
    target, to = memory(bytes(4096))
    assert [store.register_buffer(at, 4096), store.register_buffer(at, 1), store.register_buffer(at + 9, 9)] == [0, -600, -600]
    assert [store.put_from("k", at, 4096), store.put_from("k", at + 1, 10), store.put_from("z", at, 0)] == [0, 0, 0]
    assert store.is_exist("z") == 0
    assert [store.get_into("k", to, 4096), store.get_into("k", to, 4095), store.get_into("none", to, 9)] == [4096, -600, -704]
    assert target.raw == source.raw
    assert store.batch_put_from(["a", "b", "a"], [at, at + 1, at], [4096, 7, 4096]) == [0, 0, 0]
    assert store.batch_get_into(["a", "none", "b"], [to, to, to], [4096, 10, 6]) == [4096, -704, -600]
    assert store.batch_put_from(["a"], [], []) == [-600] and store.batch_put_from([], [], []) == []
    assert store.batch_upsert_from(["b"], [at], [3]) == [0] and store.get("b") == source.raw[:3]
    assert store.upsert_from("b", at, 5) == 0 and store.get_size("b") == 5
    assert store.put_from_with_metadata("m", at + 10, at, 90, 10) == 0 and store.get("m") == source.raw[:100]
    assert [store.unregister_buffer(at), store.unregister_buffer(at)] == [0, -600]


def test_pieces_may_be_cut_otherwise_at_the_get(store: MooncakeDistributedStore) -> None:
    source, at = memory(os.urandom(300))
    target, to = memory(bytes(300))
    assert store.batch_put_from_multi_buffers(["k", "l"], [[at, at + 100], [at]], [[100, 200], [1]]) == [0, 0]
    assert store.batch_get_into_multi_buffers(["k", "none", "l"], [[to, to + 150], [to], [to]], [[150, 150], [1], [1]]) == [300, -704, 1]
    assert target.raw == source.raw[:1] + source.raw[1:]
    assert store.batch_get_into_multi_buffers(["k"], [[to, to + 150]], [[150, 149]]) == [-600]
    assert store.batch_get_into_multi_buffers(["k"], [[to]], [[150, 150]]) == [-600]
    got = store.get_into_ranges([to], [["k", "none"]], [[[0, 10], [0]]], [[[100, 7], [0]]], [[[5, 3], [1]]])
    assert got == [[[5, 3], [-704]]]
    assert target.raw[:5] == source.raw[100:105] and target.raw[10:13] == source.raw[7:10]
    assert store.get_into_ranges([to], [], [], [], []) == [[[-600]]]
    assert store.get_into_ranges([to], [["k"]], [[[0]]], [[[299]]], [[[2]]]) == [[[-600]]]


def test_sessions_show_values_at_their_end(store: MooncakeDistributedStore) -> None:
    source, at = memory(os.urandom(100))
    target, to = memory(bytes(100))
    assert store.batch_put_session_end(["k"]) == [-600]
    assert store.batch_put_session_start(["k", "r"], [100, 10]) == [0, 0]
    assert store.batch_put_session_start(["k"], [100]) == [-600]
    assert store.batch_put_from_multi_buffer_ranges(["k"], [[at + 50, at]], [[50, 50]], [[50, 0]]) == [100]
    assert store.batch_put_from_multi_buffer_ranges(["k", "none"], [[at], [at]], [[2], [1]], [[99], [0]]) == [-600, -600]
    assert store.is_exist("k") == 0 and store.batch_get_session_start(["k"]) == [-704]
    assert store.batch_put_session_end(["k"]) == [0] and store.batch_put_session_revoke(["r"]) == [0]
    assert store.batch_is_exist(["k", "r"]) == [1, 0] and store.get("k") == source.raw
    assert store.batch_get_session_start(["k", "r"]) == [0, -704]
    assert store.batch_get_into_multi_buffer_ranges(["k"], [[to, to + 60]], [[10, 40]], [[90, 60]]) == [50]
    assert target.raw[:10] == source.raw[90:] and target.raw[60:] == source.raw[60:]
    assert store.batch_get_into_multi_buffer_ranges(["k"], [[to]], [[2]], [[99]]) == [-600]
    assert store.batch_get_session_end(["k"]) == 0


def test_values_that_were_read_are_not_removed_at_once(store: MooncakeDistributedStore) -> None:
    assert [store.put(key, b"v") for key in ("a", "b", "c")] == [0, 0, 0]
    assert store.get("a") == b"v"
    assert [store.remove("a"), store.remove("b"), store.remove_all()] == [-706, 0, 1]
    assert store.is_exist("a") == 1 and "leased" in mf_smem.get_last_err_msg()
    assert [store.remove("a", force=True), store.is_exist("a")] == [0, 0]
    assert [store.put(f"r{number}", b"v") for number in range(3)] == [0, 0, 0]
    assert [store.remove_by_regex("["), store.remove_by_regex("^r[01]$"), store.is_exist("r2")] == [-600, 2, 1]


def test_full_store_evicts_and_pinned_values_stay(store: MooncakeDistributedStore) -> None:
    value = os.urandom(MIB)
    pinned = ReplicateConfig()
    pinned.with_hard_pin = True
    assert store.put("pinned", value, pinned) == 0
    assert [store.put(f"v{number}", value) for number in range(100)] == [0] * 100
    assert store.get("pinned") == value and store.get("v99") == value
    assert 30 < sum(store.batch_is_exist([f"v{number}" for number in range(100)])) < 100
    assert store.put("large", bytes(128 * MIB)) == -200
    _, at = memory(value)
    assert store.remove("pinned", force=True) == 0
    codes = store.batch_put_from([f"p{number}" for number in range(100)], [at] * 100, [MIB] * 100, pinned)
    assert 0 < codes.count(0) < 100 and set(codes) == {0, -200}
    assert store.remove_all(force=True) > 0


def test_configurations_refuse_other_types() -> None:
    config = ReplicateConfig()
    assert (config.replica_num, config.soft_pin_action, config.soft_pin_ttl_ms, config.with_hard_pin) == (1, SoftPinAction.PRESERVE, None, False)
    assert (config.preferred_segments, config.preferred_segment, config.data_type) == ([], "", ObjectDataType.UNKNOWN)
    assert not hasattr(config, "group_ids") and not hasattr(config, "session_ids")
    for name, wrong in (("soft_pin_ttl_ms", "1"), ("soft_pin_ttl_ms", -1), ("replica_num", True), ("preferred_segments", "a"), ("with_hard_pin", 1)):
        with pytest.raises(TypeError):
            setattr(config, name, wrong)
    config.preferred_segments.append("a")
    assert ReplicateConfig().preferred_segments == []


def test_replicas_are_described(store: MooncakeDistributedStore) -> None:
    config = ReplicateConfig(replica_num=2, preferred_segment="no such member")
    assert store.put("k", b"12345", config) == 0
    (found,) = store.get_replica_desc("k")
    buffer = found.get_memory_descriptor().buffer_descriptor
    assert found.is_memory_replica() and not found.is_disk_replica() and not found.is_local_disk_replica()
    assert (buffer.size, buffer.transport_endpoint) == (5, store.get_hostname())
    assert buffer.buffer_address == 0
    assert set(store.batch_get_replica_desc(["k", "none"])) == {"k"}
    assert store.create_copy_task("none", [])[1] == -704 and store.create_copy_task("k", ["nobody"])[1] == -101
    assert store.create_move_task("k", store.get_hostname(), store.get_hostname())[1] == -1012
    assert store.query_task((1, 2)) == (None, -1400)
    assert store.batch_replica_clear(["k", "none"], "nobody") == [] and store.batch_replica_clear(["k"]) == ["k"]


def test_methods_for_event_loops(store: MooncakeDistributedStore) -> None:
    async def run() -> None:
        made = MooncakeDistributedStoreAsync()
        assert await made.async_setup(*arguments(0)) == 0
        assert await made.async_put("k", b"v") == 0 and await made.async_get("k") == b"v"
        assert await asyncio.gather(*(made.async_put(f"k{number}", b"v") for number in range(20))) == [0] * 20
        assert await made.async_close() == 0
        with pytest.raises(AttributeError):
            made.async_nothing  # noqa: B018

    asyncio.run(run())
    assert store.is_exist("k19") == 1


def test_buffers_are_lent_and_given_back(store: MooncakeDistributedStore) -> None:
    pool = BufferPool(store, max_bytes=1 << 18, block_on_exhaustion=False, alignment=4096)
    with pool.acquire(100) as lease:
        lease.buffer[:5] = b"hello"
        assert store.put_from("k", lease.ptr, 5) == 0 and store.get("k") == b"hello"
        first = lease.ptr
        with pytest.raises(MemoryError):
            [pool.acquire(1 << 16) for _ in range(4)]
        with pytest.raises(RuntimeError):
            pool.close()
        view = memoryview(lease.buffer)[:1]
        with pytest.raises(RuntimeError):
            lease.release()
        view.release()
    assert first % 4096 == 0
    pool = BufferPool(store, max_regions=1, default_timeout=0.1, alignment=4096)
    lease = pool.acquire(1)
    with pytest.raises(TimeoutError):
        pool.acquire(1)
    lease.release()
    lease.release()
    pool.prewarm(1 << 20, 1)
    pool.close()
    pool.close()
    with pytest.raises(RuntimeError):
        pool.acquire(1)
    with pytest.raises(ValueError):
        BufferPool(store, max_size_class=1 << 20).acquire(1 << 21)


def test_memory_of_the_host() -> None:
    allocator = MooncakeHostMemAllocator()
    at = allocator.alloc(10_000)
    assert at % 4096 == 0 and ctypes.string_at(at, 10_000) == bytes(10_000)
    assert [allocator.free(at), allocator.free(at), allocator.alloc(0), allocator.alloc(1 << 60)] == [0, -1, 0, 0]
    assert get_alloc_func_addr() != 0
    bind_to_numa_node(4000)


def test_unreachable_master_is_an_error_within_the_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MC_STORE_CLIENT_SETUP_RETRIES", "1")
    begun = time.monotonic()
    # An address reserved for documentation: no host has it.
    assert MooncakeDistributedStore().setup("127.0.0.1", "P2PHANDSHAKE", 0, 0, "tcp", "", "192.0.2.1:9") == -1
    assert time.monotonic() - begun < 30 and "192.0.2.1:9" in mf_smem.get_last_err_msg()


MEMBER = """
import sys
from mooncake.store import MooncakeDistributedStore, ReplicateConfig
store = MooncakeDistributedStore()
assert store.setup("127.0.0.1", "P2PHANDSHAKE", 32 << 20, 0, "tcp", "", sys.argv[1]) == 0
print(store.get_hostname(), flush=True)
sys.stdin.read()
store.close()
"""


def test_values_with_two_replicas_survive_a_killed_member(store: MooncakeDistributedStore) -> None:
    with subprocess.Popen([sys.executable, "-c", MEMBER, MASTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as member:
        assert member.stdout is not None
        name = member.stdout.readline().strip()
        twice = ReplicateConfig(replica_num=2)
        there = ReplicateConfig(preferred_segment=name)
        assert [store.put(f"k{number}", b"v" * 1000, twice) for number in range(50)] == [0] * 50
        assert store.put("there", b"1", there) == 0
        (only,) = store.get_replica_desc("there")
        assert only.get_memory_descriptor().buffer_descriptor.transport_endpoint == name
        assert len(store.get_replica_desc("k0")) == 2
        os.kill(member.pid, signal.SIGKILL)
        member.wait()
    assert store.get_batch([f"k{number}" for number in range(50)]) == [b"v" * 1000] * 50
    assert store.put("after", b"2") == 0 and store.get("after") == b"2"


def answered(url: str, method: str = "GET") -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@contextmanager
def program(module: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Starts a program, and waits until it is ready. Sends SIGTERM at the end, and requires its exit within 5 s."""
    with subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and "mooncake" in process.stdout.readline()
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                assert process.wait(timeout=5) == 0
            finally:
                process.kill()


def test_member_serves_http(caplog: pytest.LogCaptureFixture) -> None:
    port, members = ranks.free_port(), [MooncakeDistributedStore(), MooncakeDistributedStore()]
    for member in members:
        assert member.setup(*arguments(0), enable_client_http_server=True, client_http_port=port) == 0
    assert f"client_http_port {port} is not served" in caplog.text, "a member of the same host has the port"
    page = f"http://127.0.0.1:{port}"
    assert json.loads(answered(f"{page}/health")[1])["status"] == "ok"
    assert answered(f"{page}/metrics/summary")[1].startswith("members: ")
    assert members[0].close() == 0
    with pytest.raises(urllib.error.URLError):
        answered(f"{page}/health")
    assert members[1].close() == 0


CLIENT = """
import sys
from mooncake.store import MooncakeDistributedStore
store = MooncakeDistributedStore()
assert store.setup_dummy(1 << 20, 0, sys.argv[1]) == 0
at = store.alloc_from_mem_pool(4096)
assert at and store.alloc_from_mem_pool(1 << 20) == 0
assert store.put("a", b"x" * 4096) == 0 and store.get_into("a", at, 4096) == 4096
assert store.get_replica_desc("a")[0].get_memory_descriptor().buffer_descriptor.transport_endpoint == sys.argv[2]
assert store.remove("a") == -706 and store.put("b", b"y") == 0
store.close()
"""


def test_programs_of_a_master_and_of_a_client() -> None:
    ports = [ranks.free_port() for _ in range(3)]
    master, page = f"127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}"
    flags = ["--rpc_address=127.0.0.1", f"-port={ports[0]}", "--metrics_host", "127.0.0.1", f"--metrics_port={ports[1]}"]
    unknown = ["--eviction_high_watermark_ratio=0.9", "--max_threads", "4", "--default_kv_lease_ttl=1h"]
    with program("mooncake.cli", *flags, *unknown):
        health = json.loads(answered(f"{page}/health")[1])
        assert (health["status"], health["role"], health["service_ready"]) == ("ok", "leader", True)
        assert answered(f"{page}/get_all_segments") == (200, "")
        memory = ["--global_segment_size=32 MB", "--host=127.0.0.1"]
        with program("mooncake.cli_client", f"--master_server_address={master}", f"--port={ports[2]}", *memory):
            name = answered(f"{page}/get_all_segments")[1].strip()
            assert name.startswith("127.0.0.1:")
            subprocess.run([sys.executable, "-c", CLIENT, f"127.0.0.1:{ports[2]}", name], check=True)
            assert sorted(answered(f"{page}/get_all_keys")[1].split()) == ["a", "b"]
            data = json.loads(answered(f"{page}/batch_query_keys?keys=a,none")[1])["data"]
            assert data["a"]["ok"] and data["a"]["values"][0]["size"] == 4096 and data["none"]["error"] == "OBJECT_NOT_FOUND"
            assert answered(f"{page}/query_key?key=none")[0] == 404 and answered(f"{page}/query_segment?segment=x")[0] == 500
            assert json.loads(answered(f"{page}/get_segments_detail")[1])["segments"][0]["name"] == name
            assert "master_key_count 2" in answered(f"{page}/metrics")[1] and "keys: 2" in answered(f"{page}/metrics/summary")[1]
            assert answered(f"{page}/nothing")[0] == 404
            assert json.loads(answered(f"{page}/api/v1/remove_all", "POST")[1])["removed"] == 2


def test_programs_say_what_is_wrong() -> None:
    def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, timeout=60)

    assert run("mooncake.cli", "--help").returncode == run("mooncake.cli_client", "--version").returncode == 0
    assert "rpc_port" in run("mooncake.cli", "--help").stdout
    assert run("mooncake.cli", "--rpc_port=x").returncode == 2 and run("mooncake.cli", "--rpc_port").returncode == 2
    assert run("mooncake.cli", "--enable_http_metadata_server=maybe").returncode == 2
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("mooncake.cli", "--rpc_address=127.0.0.1", f"--rpc_port={ranks.free_port()}", "--metrics_host=127.0.0.1", f"--metrics_port={port}")
        assert done.returncode == 1 and "mooncake_master: " in done.stderr
