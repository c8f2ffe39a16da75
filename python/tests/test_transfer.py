# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfer engines, in this process and between processes, as engines of every generation meet."""

from __future__ import annotations

import ctypes
import gc
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import mf_smem
import ranks
from mf_smem import TransferEngine, TransferOpcode

NOT_CONNECTED, INVALID, NOT_INIT = -2014, -2000, -2008


class Memory:
    """Plain memory of this process."""

    def __init__(self, content: bytes) -> None:
        self.buffer = ctypes.create_string_buffer(content, len(content))
        self.address = ctypes.addressof(self.buffer)
        self.size = len(content)

    def __bytes__(self) -> bytes:
        return self.buffer.raw


def engine(
    role: str, store_url: str | None = "", session_id: str = "127.0.0.1", server: str = "Decode", nic: str | None = ""
) -> TransferEngine:
    made = TransferEngine()
    assert made.initialize(store_url, session_id, role, 0, TransferEngine.TransDataOpType.SDMA, server, nic) == 0, (
        mf_smem.get_last_err_msg()
    )
    return made


def name_of(made: TransferEngine) -> str:
    return f"127.0.0.1:{made.get_rpc_port()}"


@pytest.mark.parametrize(
    ("store_url", "server"),
    [("", "Decode"), (None, "Decode"), ("tcp://127.0.0.1", "Decode"), ("", "Prefill"), ("tcp://127.0.0.1:9,tcp://127.0.0.1:10", "Decode")],
)
def test_engines_meet_at_their_sessions(store_url: str | None, server: str) -> None:
    prefill, decode = engine("Prefill", store_url, server=server), engine("Decode", store_url, server=server)
    source, target = Memory(b"seven  " * 1000), Memory(bytes(7000))
    assert decode.register_memory(target.address, target.size) == 0
    assert prefill.register_memory(source.address, source.size) == 0
    assert prefill.transfer_sync_write(name_of(decode), source.address, target.address, 7000) == 0, mf_smem.get_last_err_msg()
    assert bytes(target) == b"seven  " * 1000
    # In the other direction, without a word of the other one.
    target.buffer.raw = b"back   " * 1000
    assert decode.transfer_sync_write(name_of(prefill), target.address, source.address, 7000) == 0
    assert bytes(source) == b"back   " * 1000
    assert prefill.transfer_sync_read(name_of(decode), source.address + 7, target.address, 7) == 0
    prefill.destroy()
    assert decode.transfer_sync_write(name_of(decode), target.address, target.address + 70, 7) == 0
    decode.unInitialize()


def test_engines_meet_at_a_store() -> None:
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    assert mf_smem.create_config_store(url) == 0
    sender, receiver = TransferEngine(), TransferEngine()
    ports = sender.get_rpc_port(), receiver.get_rpc_port()
    assert all(15_000 <= port <= 25_000 for port in ports) and len(set(ports)) == 2
    for made, role, port in ((sender, "Prefill", ports[0]), (receiver, "Decode", ports[1])):
        assert made.initialize(url, f"127.0.0.1:{port}", role, 0) == 0, mf_smem.get_last_err_msg()
        assert made.get_rpc_port() == port
    memory, target = Memory(b"x" * 100), Memory(bytes(100))
    assert receiver.batch_register_memory([target.address, target.address + 50], [50, 50]) == 0
    assert sender.batch_transfer_sync_write(name_of(receiver), [memory.address] * 2, [target.address, target.address + 40], [40, 60]) == 0
    assert bytes(target) == b"x" * 100
    assert sender.unregister_memory(memory.address) == 0
    for made in (sender, receiver):
        made.destroy()
    mf_smem.destroy_config_store(url)


def test_unregistered_memory_is_unreachable() -> None:
    one, other = engine("Prefill"), engine("Decode")
    memory, target = Memory(b"y" * 64), Memory(bytes(64))
    assert one.transfer_sync_write(name_of(other), memory.address, target.address, 64) in (INVALID, -2007)
    assert other.register_memory(target.address, 64) == 0
    assert other.register_memory(target.address, 64) == 0
    assert one.transfer_sync_write(name_of(other), memory.address, target.address, 64) == 0
    assert one.transfer_sync_write(name_of(other), memory.address, target.address, 65) in (INVALID, -2007)
    assert other.unregister_memory(target.address) == 0
    target.buffer.raw = bytes(64)
    assert one.transfer_sync_write(name_of(other), memory.address, target.address, 64) in (INVALID, -2007)
    assert bytes(target) == bytes(64)
    assert other.unregister_memory(target.address) == 0
    for made in (one, other):
        made.destroy()


def test_memory_of_the_engine() -> None:
    one, other = engine("Prefill"), engine("Decode")
    address = other.trans_malloc(10_000)
    assert address != 0
    memory = Memory(b"m" * 10_000)
    assert one.transfer_sync_write(name_of(other), memory.address, address, 10_000) == 0
    assert ctypes.string_at(address, 10_000) == b"m" * 10_000
    assert other.trans_free(address) == 0
    assert one.transfer_sync_write(name_of(other), memory.address, address, 10_000) in (INVALID, -2007)
    for made in (one, other):
        made.destroy()


def test_quantised_write_converts_numbers_to_int8() -> None:
    numpy = pytest.importorskip("numpy")
    one, other = engine("Prefill"), engine("Decode")
    source = numpy.array([0.5, 1.5, 2.5, -200, 300, 7, -0.5, 63.4], dtype="float16")
    target = numpy.zeros(8, dtype="int8")
    factors, summands = numpy.array([1, 2], dtype="float32"), numpy.array([0, -1], dtype="float32")
    assert other.register_memory(target.ctypes.data, 8) == 0
    code = one.batch_transfer_write_with_quant(
        name_of(other), [source.ctypes.data], [target.ctypes.data], [16], [factors.ctypes.data], [summands.ctypes.data], 4, 1
    )
    assert code == 0, mf_smem.get_last_err_msg()
    scaled = source.astype("float32") * numpy.repeat(factors, 4) + numpy.repeat(summands, 4)
    assert (target == numpy.clip(numpy.rint(scaled), -128, 127).astype("int8")).all()
    assert one.batch_transfer_write_with_quant(name_of(other), [source.ctypes.data], [target.ctypes.data], [16], [], [], 4, 1) == 0
    assert list(target) == [0, 2, 2, -128, 127, 7, 0, 63]
    for made in (one, other):
        made.destroy()


def test_reused_name_is_a_new_engine() -> None:
    one, port, target = engine("Prefill"), ranks.free_port(), Memory(bytes(8))
    name = f"127.0.0.1:{port}"
    memory = Memory(b"12345678")
    assert one.transfer_sync_write(name, memory.address, target.address, 8) == NOT_CONNECTED
    assert name in mf_smem.get_last_err_msg()
    for turn in range(3):
        other = engine("Decode", session_id=name)
        assert one.transfer_sync_write(name, memory.address, target.address, 8) in (INVALID, -2007), turn
        assert other.register_memory(target.address, 8) == 0
        assert one.transfer_sync_write(name, memory.address, target.address, 8) == 0, mf_smem.get_last_err_msg()
        other.destroy()
        assert one.transfer_sync_write(name, memory.address, target.address, 8) == NOT_CONNECTED
    one.destroy()


def test_failed_endpoint_is_kept_if_its_store_is_unchanged() -> None:
    prefill, decode = engine("Prefill"), engine("Decode")
    target = Memory(bytes(7))
    assert decode.register_memory(target.address, 7) == 0
    assert prefill.transfer_sync_write(name_of(decode), target.address, target.address, 7) == 0
    asked: list[object] = []

    def copy(endpoint: object, _name: str) -> int:
        """As for a thread that found the destination still beginning: each endpoint fails once."""
        asked.append(endpoint)
        return 0 if endpoint in asked[:-1] else NOT_CONNECTED

    # Another endpoint would not get the name of the first one at that store.
    assert prefill._transfer(name_of(decode), copy) == 0, mf_smem.get_last_err_msg()
    assert prefill.transfer_sync_write(name_of(decode), target.address, target.address, 7) == 0
    prefill.destroy()
    decode.destroy()


def test_dropped_engines_are_unreachable() -> None:
    one, other = engine("Prefill"), engine("Decode")
    name, target = name_of(other), Memory(bytes(8))
    assert other.register_memory(target.address, 8) == 0
    assert one.transfer_sync_write(name, target.address, target.address, 8) == 0
    del other
    gc.collect()
    assert one.transfer_sync_write(name, target.address, target.address, 8) == NOT_CONNECTED
    one.destroy()
    one.destroy()


def test_rejects_invalid_calls() -> None:
    made = TransferEngine()
    memory = Memory(bytes(8))
    assert made.unregister_memory(memory.address) == -1
    assert made.transfer_sync_write("127.0.0.1:1", memory.address, memory.address, 8) == NOT_INIT
    for role in ("", "decode", "Both"):
        assert made.initialize("", "127.0.0.1", role, 0) == -1
        assert repr(role) in mf_smem.get_last_err_msg()
    for session_id in ("", "host", "127.0.0.1:70000"):
        assert made.initialize("", session_id, "Decode", 0) == -1
        assert "is not a session" in mf_smem.get_last_err_msg()
    assert made.initialize("", "127.0.0.1", "Decode", 0, nic="n" * 64) != 0
    # After failures it may begin.
    assert made.initialize("", "127.0.0.1:0", "Decode", 0) == 0
    for address, capacity in ((0, 8), (memory.address, 0), (memory.address, -1)):
        assert made.register_memory(address, capacity) == INVALID
    assert made.batch_register_memory([memory.address], []) == -1
    name = name_of(made)
    assert made.transfer_sync_write("nowhere", memory.address, memory.address, 8) == INVALID
    assert made.batch_transfer_sync_read(name, [memory.address], [], []) == -1
    assert made.batch_transfer_sync_read(name, [], [], []) == INVALID
    assert made.transfer_async_read_submit(name, memory.address, memory.address, 8, 0) == INVALID
    assert made.transfer_sync_read(name, memory.address, memory.address, 0) == INVALID
    made.destroy()
    assert made.transfer_sync_read(name, memory.address, memory.address, 8) == NOT_INIT


def test_names_on_the_class() -> None:
    kinds = TransferEngine.TransDataOpType
    assert [getattr(kinds, name) for name in ("SDMA", "HOST_RDMA", "DEVICE_RDMA", "DEVICE_URMA", "DEVICE_UBOE")] == [1, 2, 8, 64, 128]
    assert (TransferOpcode.Read, TransferOpcode.Write) == (0, 1) and TransferEngine().TransferOpcode is TransferOpcode


def test_transfer_to_another_process_fails_after_its_death() -> None:
    port = ranks.free_port()
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent(
                f"""
                import ctypes, mf_smem
                engine = mf_smem.TransferEngine()
                assert engine.initialize(None, "127.0.0.1:{port}", "Decode", 0) == 0, mf_smem.get_last_err_msg()
                memory = ctypes.create_string_buffer(1 << 20)
                assert engine.register_memory(ctypes.addressof(memory), 1 << 20) == 0
                print(ctypes.addressof(memory), flush=True)
                input()
                print(memory.raw == b"p" * (1 << 20), flush=True)
                input()
                """
            ),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ranks.plain_environment(),
    )
    assert child.stdin and child.stdout
    try:
        there = int(child.stdout.readline())
        one, memory = engine("Prefill"), Memory(b"p" * (1 << 20))
        name = f"127.0.0.1:{port}_4711"
        pieces = range(0, 1 << 20, 1 << 16)
        assert (
            one.batch_transfer_sync_write(
                name, [memory.address + at for at in pieces], [there + at for at in pieces], [1 << 16] * len(pieces)
            )
            == 0
        ), mf_smem.get_last_err_msg()
        print(file=child.stdin, flush=True)
        assert child.stdout.readline() == "True\n"
        child.kill()
        child.wait()
        assert one.transfer_sync_write(name, memory.address, there, 8) == NOT_CONNECTED
        one.destroy()
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()


MEETING = """
import ctypes, mf_smem
prefill, decode = mf_smem.TransferEngine(), mf_smem.TransferEngine()
print(mf_smem.set_conf_store_tls(False, ""), mf_smem.get_and_clear_last_err_msg())
codes = [made.initialize("", "127.0.0.1", role, 0) for made, role in ((prefill, "Prefill"), (decode, "Decode"))]
print(*codes, mf_smem.get_last_err_msg())
if not any(codes):
    memory = ctypes.create_string_buffer(b"0123456789", 10)
    at = ctypes.addressof(memory)
    assert decode.register_memory(at, 10) == 0
    assert prefill.transfer_sync_write(f"127.0.0.1:{decode.get_rpc_port()}", at, at + 5, 5) == 0
    print(memory.raw)
"""


def test_require_tls_forbids_plaintext() -> None:
    allowed = ranks.run_alone(MEETING)
    assert allowed.stdout.splitlines() == ["0 ", "0 0 ", "b'0123401234'"], allowed
    # The call of engines is refused, and the secret of the job protects them.
    secured = ranks.run_alone(MEETING, {"MF_REQUIRE_TLS": "true", "MF_JOB_SECRET": "0123456789abcdef" * 2})
    refused, met, moved = secured.stdout.splitlines()
    assert refused.startswith("-2000 ") and "MF_REQUIRE_TLS" in refused
    assert met.startswith("0 0 ") and moved == "b'0123401234'", secured
    # Without anything to prove itself with, nobody starts.
    bare = ranks.run_alone(MEETING, {"MF_REQUIRE_TLS": "true"}).stdout.splitlines()
    assert len(bare) == 2 and not bare[1].startswith("0 0") and "no identity" in bare[1], bare


def test_names_of_the_first_releases() -> None:
    for package in ("mf_adapter", "memfabric_hybrid"):
        imported = pytest.importorskip(package)
        assert issubclass(imported.TransferEngine, TransferEngine) and imported.TransferOpcode is TransferOpcode
    adapter = pytest.importorskip("mf_adapter")
    assert all(callable(getattr(adapter, name)) for name in ("create_config_store", "set_log_level", "set_conf_store_tls"))


def test_port_of_the_release_is_0_before_initialize() -> None:
    made = pytest.importorskip("memfabric_hybrid").TransferEngine()
    with pytest.warns(RuntimeWarning, match="0 before initialize"):
        assert made.get_rpc_port() == 0
    assert made.initialize("", "127.0.0.1", "Decode", 0) == 0, mf_smem.get_last_err_msg()
    assert 1 <= made.get_rpc_port() <= 65535
    made.destroy()


def engines_elsewhere(count: int) -> tuple[subprocess.Popen[str], list[tuple[str, int]]]:
    """So many engines in another process, which ends with its input: name and address of 64 bytes of each."""
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent(
                f"""
                import ctypes, mf_smem
                engines, memories = [mf_smem.TransferEngine() for _ in range({count})], []
                for engine in engines:
                    assert engine.initialize("", "127.0.0.1", "Decode", 0) == 0, mf_smem.get_last_err_msg()
                    memories.append(ctypes.create_string_buffer(64))
                    assert engine.register_memory(ctypes.addressof(memories[-1]), 64) == 0
                    print(f"127.0.0.1:{{engine.get_rpc_port()}}", ctypes.addressof(memories[-1]), flush=True)
                input()
                """
            ),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ranks.plain_environment(),
    )
    assert child.stdout
    places = [child.stdout.readline().split() for _ in range(count)]
    return child, [(name, int(address)) for name, address in places]


def ended(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()


def test_many_destinations_from_many_threads() -> None:
    child, places = engines_elsewhere(24)
    try:
        one, memory = engine("Prefill"), Memory(b"x" * 64)
        write = lambda place: one.transfer_sync_write(place[0], memory.address, place[1], 64)  # noqa: E731
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(write, places * 4)) == [0] * 96, mf_smem.get_last_err_msg()
        one.destroy()
    finally:
        ended(child)


def test_stopped_destination_does_not_delay_others() -> None:
    stopped, [(name, address)] = engines_elsewhere(1)
    child, [(other, there)] = engines_elsewhere(1)
    try:
        one, memory, code = engine("Prefill"), Memory(b"x" * 64), []
        stopped.send_signal(signal.SIGSTOP)
        waiting = threading.Thread(target=lambda: code.append(one.transfer_sync_write(name, memory.address, address, 64)))
        waiting.start()
        for _ in range(100):
            assert one.transfer_sync_write(other, memory.address, there, 64) == 0, mf_smem.get_last_err_msg()
        assert one.register_memory(memory.address, 64) == 0
        assert waiting.is_alive(), "the other one was not waited for"
        waiting.join()
        assert code == [NOT_CONNECTED]
        stopped.send_signal(signal.SIGCONT)
        assert one.transfer_sync_write(name, memory.address, address, 64) == 0, mf_smem.get_last_err_msg()
        one.destroy()
    finally:
        for process in (stopped, child):
            ended(process)


#: Two engines of one process, which reach each other over the network alone.
ASKING = """
import ctypes, mf_smem
prefill, decode = mf_smem.TransferEngine(), mf_smem.TransferEngine()
said = lambda code: f"{code} {mf_smem.get_and_clear_last_err_msg()}" if code else "0"
assert decode.initialize("", "127.0.0.1", "Decode", -1) == 0, mf_smem.get_last_err_msg()
print(said(prefill.initialize("", "127.0.0.1", "Prefill", -1, *ASKED)))
memory = ctypes.create_string_buffer(b"0123456789", 10)
at, name = ctypes.addressof(memory), f"127.0.0.1:{decode.get_rpc_port()}"
assert decode.register_memory(at, 10) == 0
for _ in range(2):
    print(said(prefill.transfer_sync_write(name, at, at + 5, 5)))
try:
    prefill.notify(name, b"seven")
    print(decode.wait_notification(60)[1])
except mf_smem.Error as error:
    print(error)
"""


def asking(asked: str, strict: str = "0") -> tuple[list[str], list[str]]:
    """What that prints, and its warnings."""
    done = ranks.run_alone(ASKING.replace("ASKED", asked), {"MF_SHM": "false", "MF_STRICT_ENGINE": strict})
    assert done.returncode == 0, done
    return done.stdout.splitlines(), [line for line in done.stderr.splitlines() if "was asked for" in line]


def test_default_engine_never_warns() -> None:
    for strict in ("0", "1"):
        printed, warnings = asking("()", strict)
        assert printed == ["0", "0", "0", "b'seven'"] and not warnings, (printed, warnings)


def test_missing_requested_engine_warns_once() -> None:
    printed, warnings = asking("[prefill.TransDataOpType.SDMA]")
    assert printed == ["0", "0", "0", "b'seven'"]
    assert len(warnings) == 1 and "SDMA" in warnings[0] and "tcp" in warnings[0], warnings


def test_missing_strict_engine_fails_initialize() -> None:
    printed, warnings = asking("[1]", strict="1")
    assert printed[0].startswith("-2007 ") and "SDMA" in printed[0] and "MF_STRICT_ENGINE" in printed[0], printed
    assert not warnings
    # One that is here is used.
    printed, warnings = asking("[prefill.TransDataOpType.HOST_TCP]", strict="1")
    assert printed == ["0", "0", "0", "b'seven'"] and not warnings


def test_taken_session_is_refused_and_its_owner_undisturbed() -> None:
    first, other, memory = engine("Decode"), engine("Prefill"), Memory(b"z" * 16)
    assert first.register_memory(memory.address, 16) == 0
    for role in ("Decode", "Prefill"):
        second = TransferEngine()
        assert second.initialize("", name_of(first), role, 0) == -2006
        assert name_of(first) in mf_smem.get_and_clear_last_err_msg()
        second.destroy()
        assert other.transfer_sync_read(name_of(first), memory.address, memory.address + 8, 8) == 0, mf_smem.get_last_err_msg()
    for made in (first, other):
        made.destroy()


def test_program_store_at_the_session_address_is_kept() -> None:
    port = ranks.free_port()
    url = f"tcp://127.0.0.1:{port}"
    assert mf_smem.create_config_store(url) == 0
    for _ in range(2):
        engine("Decode", url, f"127.0.0.1:{port}").destroy()
        socket.create_connection(("127.0.0.1", port), 60).close()
    mf_smem.destroy_config_store(url)


def explained(code: int, wanted: int, *parts: str) -> None:
    """A refusal has this code, and its text these parts."""
    text = mf_smem.get_and_clear_last_err_msg()
    assert code == wanted, text
    for part in parts:
        assert part in text, text


def test_common_mistakes_are_explained() -> None:
    one, other, memory = TransferEngine(), engine("Decode"), Memory(bytes(64))
    at, name, gone = memory.address, name_of(other), f"127.0.0.1:{ranks.free_port()}"
    explained(one.initialize("", "127.0.0.1", "decode", 0), -1, "'decode'", "'Prefill'", "'Decode'")
    explained(one.initialize("", None, "Decode", 0), -1, "ip:port")  # type: ignore[arg-type]
    explained(one.initialize("", "127.0.0.1", "Decode", "0"), -1, "device_id is '0'")  # type: ignore[arg-type]
    explained(one.trans_malloc(8), 0, "not initialised")
    explained(one.transfer_sync_write(name, at, at, 8), NOT_INIT, "not initialised")
    # Refusals by one engine are independent of the meeting store.
    explained(one.initialize("", "127.0.0.1", "Prefill", 0, nic="no such card"), INVALID, "no such card")

    assert one.initialize("", "127.0.0.1", "Prefill", 0) == 0
    explained(one.register_memory(memory, 8), INVALID, "ctypes.addressof")  # type: ignore[arg-type]
    explained(one.batch_register_memory([at, at], [8, 0]), INVALID, "piece 1", "capacity 0")
    explained(one.transfer_sync_write("127.0.0.1", at, at, 8), INVALID, "get_rpc_port()")
    explained(one.transfer_sync_write(None, at, at, 8), INVALID, "ip:port")  # type: ignore[arg-type]
    explained(one.transfer_sync_write(gone, at, at, 8), NOT_CONNECTED, gone, "nothing listens")
    explained(one.transfer_sync_write(name, at, at, 8), INVALID, f"{at:#x}", "registers it first")
    explained(one.batch_transfer_sync_write(name, [at], [at, at], [8]), -1, "1 buffers, 2 peer buffers")
    explained(one.batch_transfer_write_with_quant(name, [at], [at], [8], [at, at], [], 0), INVALID, "2 scales for 1 pieces")
    for made in (one, other):
        made.destroy()


def test_receiver_may_end_right_after_the_message() -> None:
    one = engine("Prefill")
    for _ in range(20):
        other = engine("Decode")

        def take(receiver: TransferEngine = other) -> bytes:
            message = receiver.wait_notification(60)[1]
            receiver.destroy()
            return message

        with ThreadPoolExecutor(1) as pool:
            taken = pool.submit(take)
            one.notify(name_of(other), b"the last one")
            assert taken.result() == b"the last one"
    one.destroy()
