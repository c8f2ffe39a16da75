# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of `mooncake.engine`, its settings and the metadata server, with the calls of inference engines."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from mooncake.engine import TransferEngine, TransferNotify, TransferOpcode
from mooncake.http_metadata_server import KVBootstrapServer
from mooncake.mooncake_config import MooncakeConfig, parse_bool, parse_size

import mf_smem

BYTES = 4096


def engine(name: str = "localhost", metadata: str = "P2PHANDSHAKE") -> TransferEngine:
    made = TransferEngine()
    assert made.initialize(name, metadata, "tcp", "") == 0, mf_smem.get_last_err_msg()
    return made


def name_of(made: TransferEngine) -> str:
    return f"127.0.0.1:{made.get_rpc_port()}"


def memory(content: bytes = bytes(BYTES)) -> tuple[ctypes.Array[ctypes.c_char], int]:
    buffer = ctypes.create_string_buffer(content, len(content))
    return buffer, ctypes.addressof(buffer)


@pytest.fixture
def pair() -> tuple[TransferEngine, TransferEngine]:
    return engine(), engine("127.0.0.1")


def test_registrations_that_overlap_or_are_unknown_are_refused(pair: tuple[TransferEngine, TransferEngine]) -> None:
    made, _ = pair
    _, at = memory()
    assert made.register_memory(at, BYTES) == 0
    assert [made.register_memory(at, BYTES), made.register_memory(at + 10, 1), made.register_memory(at, 0)] == [-7, -7, -1]
    assert made.batch_register_memory([at + BYTES, at], [1, 1]) == -7
    assert made.unregister_memory(at + BYTES) == -3
    assert made.batch_register_memory([at], [1, 2]) == -1
    assert made.batch_unregister_memory([]) == 0
    assert made.batch_unregister_memory([at, at]) == -3
    assert made.register_memory(at, BYTES) == 0


def test_memory_is_registered_before_initialize() -> None:
    one, other = TransferEngine(), engine()
    buffer, at = memory()
    assert [one.register_memory(at, BYTES), one.register_memory(at + BYTES, 16), one.unregister_memory(at + BYTES)] == [0, 0, 0]
    assert one.initialize("localhost", "P2PHANDSHAKE", "tcp", "") == 0
    assert one.initialize("localhost", "P2PHANDSHAKE", "tcp", "") == 0
    source, begin = memory(b"a" * 16)
    assert other.transfer_sync_write(name_of(one), begin, at, 16) == 0
    assert buffer.raw[:16] == source.raw


def test_transfers_copy_both_ways_and_refuse_what_is_not_registered(pair: tuple[TransferEngine, TransferEngine]) -> None:
    one, other = pair
    source, begin = memory(bytes(range(256)) * 16)
    target, at = memory()
    to = f"localhost:{other.get_rpc_port()}"
    assert other.register_memory(at, BYTES) == 0
    assert one.transfer_sync_write(to, begin, at, BYTES) == 0
    assert target.raw == source.raw
    back, into = memory()
    assert one.batch_transfer_sync_read(to, [into, into + 100, into], [at, at + 100, at], [100, BYTES - 100, 0]) == 0
    assert back.raw == source.raw
    assert one.batch_transfer_sync_write(to, [], [], []) == 0
    assert one.transfer_sync_write(to, begin, at, 0) == 0
    assert one.batch_transfer_sync_write(to, [begin], [at], []) == -1
    assert one.transfer_sync_write(to, begin, at + 1, BYTES) == -1
    assert "at 127.0.0.1" in mf_smem.get_last_err_msg() or "registered" in mf_smem.get_last_err_msg()
    assert other.unregister_memory(at) == 0
    assert one.transfer_sync_write(to, begin, at, 1) == -1
    for nobody in ("127.0.0.1:1", "no.such.host.invalid:1", "127.0.0.1", "127.0.0.1:x"):
        assert one.transfer_sync_read(nobody, into, at, 1) == -1
        assert one.batch_transfer_async_write(nobody, [begin], [at], [1]) == 0
        assert one.send_probe(nobody) == -102
    assert one.send_probe(to) == 0


def test_started_transfers_have_numbers_that_end(pair: tuple[TransferEngine, TransferEngine]) -> None:
    one, other = pair
    source, begin = memory(b"b" * BYTES)
    target, at = memory()
    to = name_of(other)
    assert other.register_memory(at, BYTES) == 0
    number = one.batch_transfer_async_write(to, [begin], [at], [BYTES])
    assert number > 0
    deadline = time.monotonic() + 30
    while (status := one.transfer_check_status(number)) == 0 and time.monotonic() < deadline:
        pass
    assert (status, target.raw) == (1, source.raw)
    assert one.transfer_check_status(number) == -1
    numbers = [one.batch_transfer_async_read(to, [begin], [at], [64]), one.transfer_submit_write(to, begin, at, 64)]
    assert one.get_batch_transfer_status(numbers) == 0
    assert one.get_batch_transfer_status(numbers) == -1
    assert one.transfer_check_status(one.batch_transfer_async_write(to, [], [], [])) == 1
    both = [one.batch_transfer_async(to, [begin], [at], [64], opcode, transport_hint="x") for opcode in TransferOpcode]
    assert 0 not in both and one.get_batch_transfer_status(both) == 0
    failing = one.batch_transfer_async_write(to, [begin], [at + BYTES], [64])
    assert failing == 0 or one.get_batch_transfer_status([failing]) == -1


def test_messages_come_behind_their_transfers(pair: tuple[TransferEngine, TransferEngine]) -> None:
    one, other = pair
    _, begin = memory(b"c" * 64)
    target, at = memory()
    assert other.register_memory(at, BYTES) == 0
    for number in range(3):
        message = TransferNotify("step", f"é{number}")
        assert one.transfer_sync(name_of(other), begin, at, 64, TransferOpcode.Write, message) == 0
    assert target.raw[:64] == b"c" * 64
    assert [(got.name, got.msg) for got in other.get_notifies()] == [("step", f"é{number}") for number in range(3)]
    assert other.get_notifies() == []


def test_managed_buffers_and_first_addresses(pair: tuple[TransferEngine, TransferEngine]) -> None:
    one, other = pair
    assert one.get_first_buffer_address(name_of(other)) == 0
    at = other.allocate_managed_buffer(64)
    assert at != 0 and one.get_first_buffer_address(name_of(other)) == at == other.get_first_buffer_address(name_of(other))
    assert other.write_bytes_to_buffer(at, "hello", 5) == 0
    assert other.write_bytes_to_buffer(at, "hello", 6) == -1
    _, into = memory()
    assert one.transfer_sync_read(name_of(other), into, at, 5) == 0
    assert one.read_bytes_from_buffer(into, 5) == b"hello"
    assert [other.free_managed_buffer(at, 64), other.free_managed_buffer(at, 64), other.allocate_managed_buffer(0)] == [0, -1, 0]
    assert one.get_first_buffer_address("127.0.0.1:1") == 0
    assert json.loads(one.get_local_topology()) == {}


def test_names_without_a_port_are_found_at_the_metadata_server() -> None:
    server = KVBootstrapServer(0, "127.0.0.1")
    server.start()
    url = f"http://127.0.0.1:{server.port}/metadata"
    try:
        one, other = engine("127.0.0.2", url), engine("127.0.0.3", url)
        _, begin = memory(b"d" * 64)
        target, at = memory()
        assert other.register_memory(at, 64) == 0
        assert one.transfer_sync_write("127.0.0.3", begin, at, 64) == 0, mf_smem.get_last_err_msg()
        assert target.raw[:64] == b"d" * 64
        assert one.transfer_sync_write("127.0.0.4", begin, at, 64) == -1
    finally:
        server.close()
    late = TransferEngine()
    assert late.initialize("127.0.0.5", url, "tcp", "") == -1
    assert "does not take the name" in mf_smem.get_last_err_msg()


PEER = """
import ctypes, sys
from mooncake.engine import TransferEngine
made = TransferEngine()
buffer = ctypes.create_string_buffer(4096)
assert made.initialize("127.0.0.1", "P2PHANDSHAKE", "tcp", "") == 0
assert made.register_memory(ctypes.addressof(buffer), 4096) == 0
print(made.get_rpc_port(), ctypes.addressof(buffer), flush=True)
sys.stdin.read()
"""


def test_killed_peer_is_an_error_within_seconds() -> None:
    one = engine()
    _, begin = memory()
    with subprocess.Popen([sys.executable, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        assert peer.stdout is not None
        port, at = map(int, peer.stdout.readline().split())
        to = f"127.0.0.1:{port}"
        assert one.transfer_sync_write(to, begin, at, BYTES) == 0, mf_smem.get_last_err_msg()
        os.kill(peer.pid, signal.SIGKILL)
        peer.wait()
    begun = time.monotonic()
    assert one.transfer_sync_write(to, begin, at, BYTES) == -1
    assert one.transfer_sync_read(to, begin, at, BYTES) == -1
    assert time.monotonic() - begun < 10


def asked(url: str, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=body, method=method), timeout=5) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_metadata_server_keeps_values() -> None:
    server = KVBootstrapServer(0, "127.0.0.1")
    server.start()
    url = f"http://127.0.0.1:{server.port}"
    try:
        assert asked(f"{url}/health") == (200, b"OK")
        assert asked(f"{url}/metadata?key=a")[0] == 404
        assert asked(f"{url}/metadata?key=a", "PUT", b"1")[0] == asked(f"{url}/metadata?key=a", "PUT", b"2")[0] == 200
        assert asked(f"{url}/metadata?key=a") == (200, b"2")
        assert asked(f"{url}/metadata?key=x%2Frpc_meta%2Fy", "PUT", b"1")[0] == 200
        assert asked(f"{url}/metadata?key=x%2Frpc_meta%2Fy", "PUT", b"1")[0] == 400
        assert asked(f"{url}/metadata", "PUT", b"1")[0] == asked(f"{url}/metadata")[0] == 400
        assert asked(f"{url}/metadata?key=a", "DELETE")[0] == 200
        assert asked(f"{url}/metadata?key=a", "DELETE")[0] == asked(f"{url}/other")[0] == 404
        with pytest.raises(OSError):
            KVBootstrapServer(server.port, "127.0.0.1").start()
    finally:
        server.close()
    server.close()


def test_settings_are_read_from_files_and_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("MOONCAKE_")]:
        monkeypatch.delenv(name)
    with pytest.raises(ValueError, match="MOONCAKE_MASTER"):
        MooncakeConfig.load_from_env()
    monkeypatch.setenv("MOONCAKE_MASTER", "127.0.0.1:50051")
    monkeypatch.setenv("MOONCAKE_GLOBAL_SEGMENT_SIZE", "1.5 GB")
    monkeypatch.setenv("MOONCAKE_OFFLOAD_ENABLED", "on")
    read = MooncakeConfig.load_from_env()
    assert (read.local_hostname, read.metadata_server, read.master_server_address) == ("localhost", "P2PHANDSHAKE", "127.0.0.1:50051")
    assert (read.global_segment_size, read.local_buffer_size, read.enable_ssd_offload) == (3 << 29, 1 << 30, True)
    file = tmp_path / "mooncake.json"
    needed = {"local_hostname": "a", "metadata_server": "P2PHANDSHAKE", "master_server_address": "b:1"}
    file.write_text(json.dumps({**needed, "protocol": "RDMA", "local_buffer_size": "64mb", "unknown": 1}))
    monkeypatch.setenv("MOONCAKE_CONFIG_PATH", str(file))
    read = MooncakeConfig.load_from_env()
    assert (read.protocol, read.local_buffer_size, read.tenant_id, read.client_http_port) == ("rdma", 64 << 20, "default", 9300)
    for name in needed:
        for given in ({**needed, name: " "}, {**needed, name: 3}, {key: needed[key] for key in needed if key != name}):
            file.write_text(json.dumps(given))
            with pytest.raises(ValueError, match=name):
                MooncakeConfig.from_file(str(file))


@pytest.mark.parametrize(("given", "size"), [(7, 7), ("7", 7), ("2k", 2048), ("1.5 GB", 3 << 29), ("1 TB", 1 << 40), ("3b", 3)])
def test_sizes(given: object, size: int) -> None:
    assert parse_size(given) == size


@pytest.mark.parametrize("given", ["", "x", "1 xb", "-1", -1, "1 2", "nan"])
def test_bad_sizes_are_refused(given: object) -> None:
    with pytest.raises(ValueError):
        parse_size(given)


def test_words_for_yes_and_no() -> None:
    assert [parse_bool(word) for word in ("true", "YES", 1, True, "enable")] == [True] * 5
    assert [parse_bool(word) for word in ("off", "No", 0, False)] == [False] * 4
    with pytest.raises(ValueError):
        parse_bool("maybe")
