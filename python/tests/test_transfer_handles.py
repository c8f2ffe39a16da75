# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Transfers that go on by themselves, prepared lists and notifications: in threads, in event loops, with Ctrl-C."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import mf_smem
import ranks
from mf_smem import TransferEngine

MIB = 1 << 20


class Memory:
    """Plain memory of this process."""

    def __init__(self, content: bytes) -> None:
        self.buffer = ctypes.create_string_buffer(content, len(content))
        self.address = ctypes.addressof(self.buffer)
        self.size = len(content)

    def __bytes__(self) -> bytes:
        return self.buffer.raw


def engine(role: str, store_url: str = "") -> TransferEngine:
    made = TransferEngine()
    assert made.initialize(store_url, "127.0.0.1", role, 0) == 0, mf_smem.get_last_err_msg()
    return made


def name_of(made: TransferEngine) -> str:
    return f"127.0.0.1:{made.get_rpc_port()}"


class Pair:
    """Two engines that have met; memory of the second is registered."""

    def __init__(self, size: int = MIB) -> None:
        self.one, self.other = engine("Prefill"), engine("Decode")
        self.name = name_of(self.other)
        self.source, self.target = Memory(bytes(range(256)) * (size // 256)), Memory(bytes(size))
        assert self.other.register_memory(self.target.address, size) == 0

    def write(self, notify: bytes | None = None) -> mf_smem.Transfer:
        return self.one.start_write(self.name, [self.source.address], [self.target.address], [self.source.size], notify)

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *_: object) -> None:
        self.one.destroy()
        self.other.destroy()


def test_a_transfer_is_polled_and_waited_for() -> None:
    with Pair() as pair:
        transfer = pair.write(b"written")
        assert transfer.peer == pair.name
        transfer.wait(60)
        assert transfer.done and transfer.exception() is None and not transfer.cancelled
        assert bytes(pair.target) == bytes(pair.source)
        assert pair.other.get_notifications() == [(name_of(pair.one), b"written")]
        assert not transfer.cancel(), "it is done"
        pair.target.buffer.raw = bytes(MIB)
        read = pair.one.start_read(pair.name, [pair.source.address], [pair.target.address], [MIB], b"read")
        while not read.done:
            pass
        assert bytes(pair.source) == bytes(MIB)
        assert pair.other.wait_notification(60) == (name_of(pair.one), b"read")


def test_transfer_raises_its_failure() -> None:
    with Pair() as pair:
        for buffers, error, text in (
            ([pair.target.address + 1], mf_smem.InvalidParamError, "registered"),
            ([pair.target.address, pair.target.address + MIB], mf_smem.InvalidParamError, "piece 1"),
        ):
            count = len(buffers)
            transfer = pair.one.start_write(pair.name, [pair.source.address] * count, buffers, [MIB] * count)
            with pytest.raises(error, match=text):
                transfer.wait(60)
            assert transfer.done and isinstance(transfer.exception(), error) and not transfer.cancelled
        with pytest.raises(mf_smem.InvalidParamError):
            pair.one.start_write(pair.name, [], [], [])
        with pytest.raises(mf_smem.InvalidParamError):
            pair.one.start_write(pair.name, [pair.source.address], [], [8])
        with pytest.raises(mf_smem.InvalidParamError):
            pair.one.start_write(pair.name, [pair.source.address], [pair.target.address], [0])
        with pytest.raises(mf_smem.InvalidParamError):
            pair.one.start_write("nowhere", [pair.source.address], [pair.target.address], [8])
        with pytest.raises(TypeError):
            pair.one.start_write(pair.name, [pair.source.address], [pair.target.address], [8], "text")  # type: ignore[arg-type]
        with pytest.raises(mf_smem.NotConnectedError):
            pair.one.start_write(f"127.0.0.1:{ranks.free_port()}", [pair.source.address], [pair.target.address], [8])
    with pytest.raises(mf_smem.NotInitError):
        pair.one.start_write(pair.name, [pair.source.address], [pair.target.address], [8])


def test_prepared_lists() -> None:
    with Pair() as pair:
        here, there = pair.source.address, pair.target.address
        lists = [here, here + 1000, here + 2000], [there, there + 1000, there + 2000], [10, 10, 10]
        with pytest.raises(mf_smem.InvalidParamError, match="registered"):
            pair.one.prepare_write(pair.name, *lists)
        assert pair.one.register_memory(here, MIB) == 0
        prepared = pair.one.prepare_write(pair.name, *lists)
        assert len(prepared) == 3 and prepared.peer == pair.name
        prepared.start([2, 0], b"two").wait(60)
        assert [bytes(pair.target)[at] for at in (9, 1009, 2009)] == [9, 0, 2009 % 256]
        prepared.start().wait(60)
        assert bytes(pair.target)[1000:1010] == bytes(pair.source)[1000:1010]
        reading = pair.one.prepare_read(pair.name, *lists)
        pair.target.buffer.raw = b"r" * MIB
        reading.start(notify=b"all").wait(60)
        assert bytes(pair.source)[2000:2011] == b"r" * 10 + bytes([2010 % 256])
        assert [message for _, message in pair.other.get_notifications()] == [b"two", b"all"]
        for wrong in ([3], []):
            with pytest.raises(mf_smem.InvalidParamError):
                prepared.start(wrong)
        assert pair.one.unregister_memory(here) == 0
        with pytest.raises(mf_smem.InvalidParamError, match="piece 0"):
            prepared.start()
    with pytest.raises(mf_smem.CancelledError):
        prepared.start()


def test_notifications_of_several_engines() -> None:
    receiver = engine("Decode")
    senders = [engine("Prefill") for _ in range(3)]
    assert receiver.get_notifications() == []
    for number in range(5):
        for sender in senders:
            sender.notify(name_of(receiver), b"%d" % number)
    taken = receiver.get_notifications()
    for sender in senders:
        assert [message for name, message in taken if name == name_of(sender)] == [b"%d" % number for number in range(5)]
    senders[0].notify(name_of(receiver), b"")
    assert receiver.wait_notification() == (name_of(senders[0]), b"")
    with pytest.raises(mf_smem.TimedOutError):
        receiver.wait_notification(0.05)
    with pytest.raises(mf_smem.InvalidParamError, match="4097"):
        senders[0].notify(name_of(receiver), bytes(4097))
    # The other direction, to one that has only been met.
    receiver.notify(name_of(senders[1]), b"back")
    assert senders[1].wait_notification(60) == (name_of(receiver), b"back")
    with pytest.raises(mf_smem.NotConnectedError):
        receiver.notify(f"127.0.0.1:{ranks.free_port()}", b"x")
    for made in (receiver, *senders):
        made.destroy()
    with pytest.raises(mf_smem.NotInitError):
        receiver.wait_notification(0)
    assert receiver.get_notifications() == []


def test_engines_at_a_store_notify_each_other() -> None:
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    assert mf_smem.create_config_store(url) == 0
    one, other = engine("Prefill", url), engine("Decode", url)
    one.notify(name_of(other), b"1")
    other.notify(name_of(one), b"2")
    assert (one.get_notifications(), other.get_notifications()) == ([(name_of(other), b"2")], [(name_of(one), b"1")])
    one.destroy()
    other.destroy()
    mf_smem.destroy_config_store(url)


def test_transfers_are_awaited() -> None:
    async def moved(pair: Pair, number: int) -> int:
        await pair.one.start_write(pair.name, [pair.source.address], [pair.target.address + number * 1000], [1000], b"%d" % number)
        return number

    async def everything(pair: Pair) -> None:
        assert await asyncio.gather(*(moved(pair, number) for number in range(200))) == list(range(200))
        assert [message for _, message in pair.other.get_notifications()] == [b"%d" % number for number in range(200)]
        refused = pair.one.start_write(pair.name, [pair.source.address], [pair.target.address + 1], [MIB])
        with pytest.raises(mf_smem.InvalidParamError):
            await refused
        with pytest.raises(mf_smem.InvalidParamError):
            await refused
        done = pair.write()
        await done
        await asyncio.wait_for(done, 60)

    with Pair() as pair:
        threads = threading.active_count()
        asyncio.run(everything(pair))
        assert threading.active_count() == threads
        # Again in another loop.
        asyncio.run(everything(pair))


def test_notifications_are_awaited_and_a_cancelled_task_loses_none() -> None:
    async def everything(pair: Pair) -> None:
        waiting = [asyncio.ensure_future(pair.other.notification()) for _ in range(4)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        waiting[0].cancel()
        for number in range(3):
            pair.one.notify(pair.name, b"%d" % number)
        messages = [message for _, message in await asyncio.gather(*waiting[1:])]
        assert sorted(messages) == [b"0", b"1", b"2"]
        with pytest.raises(asyncio.CancelledError):
            await waiting[0]
        assert pair.other.get_notifications() == []
        # One that is there already.
        pair.one.notify(pair.name, b"there")
        assert await pair.other.notification() == (name_of(pair.one), b"there")

    with Pair() as pair:
        asyncio.run(everything(pair))


def test_loops_of_several_threads() -> None:
    async def everything(pair: Pair) -> None:
        for _ in range(50):
            await asyncio.gather(*(pair.write() for _ in range(4)))

    with Pair(1 << 16) as pair:
        failed: list[BaseException] = []

        def run() -> None:
            try:
                asyncio.run(asyncio.wait_for(everything(pair), 60))
            except BaseException as error:  # noqa: BLE001
                failed.append(error)

        threads = [threading.Thread(target=run) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []


def test_destroyed_engines_and_dropped_transfers_cancel() -> None:
    with Pair(16 * MIB) as pair:
        for _ in range(20):
            transfers = [pair.write() for _ in range(3)]
            del transfers
            gc.collect()
            pair.source.buffer.raw = bytes(16 * MIB)
        transfers = [pair.write() for _ in range(10)]
        pair.one.destroy()
        assert all(transfer.done for transfer in transfers)
        codes = {None if error is None else error.code for error in (transfer.exception() for transfer in transfers)}
        assert codes <= {None, mf_smem.ErrorKind.CANCELLED}
        assert all(transfer.cancelled == (transfer.exception() is not None) for transfer in transfers)


STANDING = """
import ctypes, mf_smem, os
engine = mf_smem.TransferEngine()
assert engine.initialize("", "127.0.0.1", "Decode", 0) == 0, mf_smem.get_last_err_msg()
memory = ctypes.create_string_buffer(1 << 20)
assert engine.register_memory(ctypes.addressof(memory), 1 << 20) == 0
print(engine.get_rpc_port(), ctypes.addressof(memory), flush=True)
while True:
    line = input()
    if line == "taken":
        print(len(engine.get_notifications()), memory.raw[:1] == b"x", flush=True)
"""


def elsewhere() -> tuple[subprocess.Popen[str], str, int]:
    """An engine of another process: its name, and an address with 1 MiB."""
    child = subprocess.Popen(
        [sys.executable, "-c", STANDING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ranks.plain_environment(),
    )
    assert child.stdout
    port, address = child.stdout.readline().split()
    return child, f"127.0.0.1:{port}", int(address)


def stop(child: subprocess.Popen[str]) -> None:
    """Stops a process; none of its threads runs when this returns."""
    child.send_signal(signal.SIGSTOP)

    def states() -> list[str]:
        return [stat.read_text().rpartition(") ")[2][0] for stat in Path(f"/proc/{child.pid}/task").glob("*/stat")]

    deadline = time.monotonic() + 60
    while set(states()) != {"T"}:
        assert time.monotonic() < deadline, states()


def ended(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()


def test_transfers_to_a_stopped_and_killed_process_fail() -> None:
    child, name, there = elsewhere()
    try:
        one, source = engine("Prefill"), Memory(b"x" * MIB)
        one.notify(name, b"met")
        stop(child)
        # Over the network, where the other process takes part, also on this host.
        first, second = (one.start_write(name, [], [], [], b"%d" % number) for number in range(2))
        with pytest.raises(mf_smem.TimedOutError, match=name):
            first.wait(0.05)
        assert not first.done and not second.done
        assert second.cancel() and second.cancelled
        child.send_signal(signal.SIGCONT)
        first.wait(60)
        assert child.stdin and child.stdout
        print("taken", file=child.stdin, flush=True)
        assert child.stdout.readline() == "2 False\n"

        async def awaited() -> None:
            stop(child)
            lost = one.start_write(name, [source.address], [there], [MIB], b"lost")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(lost, 0.05)
            assert not lost.done
            child.kill()
            with pytest.raises(mf_smem.NotConnectedError):
                await lost

        asyncio.run(awaited())
        one.destroy()
    finally:
        ended(child)


def test_ctrl_c_interrupts_a_wait() -> None:
    script = textwrap.dedent(
        """
        import mf_smem, os, signal, threading
        # A process that was started in the background may ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        engine = mf_smem.TransferEngine()
        assert engine.initialize("", "127.0.0.1", "Decode", 0) == 0, mf_smem.get_last_err_msg()
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            engine.wait_notification()
        except KeyboardInterrupt:
            print("left", flush=True)
        engine.notify(f"127.0.0.1:{engine.get_rpc_port()}", b"mine")
        print(engine.wait_notification(60)[1], flush=True)
        engine.destroy()
        """
    )
    assert ranks.run_alone(script).stdout.splitlines() == ["left", "b'mine'"]


def test_a_wait_for_a_notification_ends_with_the_engine() -> None:
    made, raised = engine("Decode"), []

    def wait() -> None:
        try:
            made.wait_notification()
        except mf_smem.Error as error:
            raised.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    deadline = time.monotonic() + 60
    while not raised and time.monotonic() < deadline:
        made.destroy()
    thread.join(60)
    assert len(raised) == 1


def test_task_waiting_for_a_notification_ends_with_the_engine() -> None:
    async def everything(made: TransferEngine) -> None:
        waiting = asyncio.ensure_future(made.notification())
        await asyncio.sleep(0)
        made.destroy()
        with pytest.raises(mf_smem.Error):
            await asyncio.wait_for(waiting, 60)

    asyncio.run(everything(engine("Decode")))


def test_forked_child_rejects_transfers_of_its_parent() -> None:
    script = textwrap.dedent(
        """
        import ctypes, mf_smem, os
        engine = mf_smem.TransferEngine()
        assert engine.initialize("", "127.0.0.1", "Decode", 0) == 0, mf_smem.get_last_err_msg()
        memory = ctypes.create_string_buffer(64)
        at = ctypes.addressof(memory)
        assert engine.register_memory(at, 64) == 0
        name = f"127.0.0.1:{engine.get_rpc_port()}"
        transfer, prepared = engine.start_write(name, [at], [at + 8], [8]), engine.prepare_write(name, [at], [at + 8], [8])
        child = os.fork()
        if child == 0:
            for call in (lambda: transfer.done, transfer.wait, transfer.cancel, prepared.start, lambda: engine.notify(name, b"x")):
                try:
                    print("done", call(), flush=True)
                except mf_smem.NotInitError:
                    print("refused", flush=True)
            del transfer, prepared
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        transfer.wait(60)
        prepared.start(notify=b"mine").wait(60)
        print(engine.wait_notification(60)[1])
        engine.destroy()
        """
    )
    assert ranks.run_alone(script).stdout.splitlines() == ["refused"] * 5 + ["b'mine'"]


ACCELERATOR = """
import ctypes, mf_smem
from mf_smem import _mf_smem
with mf_smem.open_pool("tcp://127.0.0.1:{port}", 1, device_bytes=1 << 21, device_id=0):
    size, block = 1 << 20, _mf_smem.DeviceBlock(1 << 20)
    source, target = ctypes.create_string_buffer(b"h" * size, size), ctypes.create_string_buffer(size)
    here, there = ctypes.addressof(source), ctypes.addressof(target)
    one, other = mf_smem.TransferEngine(), mf_smem.TransferEngine()
    for engine in (one, other):
        assert engine.initialize("", "127.0.0.1", "Decode", 0) == 0, mf_smem.get_last_err_msg()
        assert engine.batch_register_memory([block.address, there], [size, size]) == 0
    name = f"127.0.0.1:{{other.get_rpc_port()}}"
    one.start_write(name, [here], [block.address], [size], b"written").wait(60)
    print(other.get_notifications()[0][1])
    one.start_read(name, [there], [block.address], [size]).wait(60)
    print(target.raw == source.raw)
    ctypes.memset(there, 0, size)
    halves = [block.address, block.address + size // 2], [there, there + size // 2], [size // 2] * 2
    one.prepare_write(name, *halves).start().wait(60)
    print(target.raw == source.raw)
    for engine in (one, other):
        engine.destroy()
"""


def test_memory_of_an_accelerator() -> None:
    done = ranks.run_alone(ACCELERATOR.format(port=ranks.free_port()), {"MF_DEVICE": "sim"})
    assert done.stdout.splitlines() == ["b'written'", "True", "True"], done
