# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of NIXL's backend with two agents in one process, by the released Python interface."""

from __future__ import annotations

import mmap
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import ranks
from nixl_agents import BACKEND, Agent, api, errors, introduce, np

import mf_smem

MIB = 1 << 20


@pytest.fixture
def pair() -> Iterator[tuple[Agent, Agent]]:
    one, other = Agent("one"), Agent("other")
    introduce(one, other)
    yield one, other


def test_plugin_is_listed_beside_the_others_with_its_parameters() -> None:
    agent = Agent("lists")
    assert {BACKEND, "UCX", "POSIX"} <= set(agent.nixl.get_plugin_list())
    assert agent.nixl.get_plugin_params(BACKEND) == {"store_url": "", "name": "", "nic": "", "timeout": "5"}
    assert agent.nixl.get_plugin_mem_types(BACKEND) == agent.nixl.get_backend_mem_types(BACKEND) == ["DRAM_SEG"]


@pytest.mark.parametrize("progress", [True, False], ids=["progress_thread", "no_progress_thread"])
@pytest.mark.parametrize("sync", [None, "STRICT", "RW", "NONE"])
def test_writes_and_reads(progress: bool, sync: str | None) -> None:
    one, other = (Agent(name, 72 * MIB, progress, sync) for name in ("one", "other"))
    introduce(one, other)
    one.buffer[:] = np.random.default_rng(1).integers(0, 256, one.buffer.size, dtype=np.uint8)
    # The last one is long: a thread copies it.
    for size in (1, 4096, 64 << 10, 72 * MIB):
        other.buffer[:] = 0
        one.finish(one.request("WRITE", [(one.address, size)], [(other.address, size)], "other"))
        assert (other.buffer[:size] == one.buffer[:size]).all() and not other.buffer[size:].any()
    other.buffer[:] = 7
    one.finish(one.request("READ", [(one.address, 4096)], [(other.address + 4096, 4096)], "other"), b"read")
    assert (one.buffer[:4096] == 7).all() and other.notifications() == {"one": [b"read"]}


@pytest.mark.parametrize("sync", ["STRICT", "RW"])
def test_threads_share_an_agent(sync: str) -> None:
    threads, size = 4, 1 << 16
    one, other = (Agent(name, threads * size, sync=sync) for name in ("one", "other"))
    introduce(one, other)
    one.buffer[:] = np.random.default_rng(3).integers(0, 256, one.buffer.size, dtype=np.uint8)

    def transfer(number: int) -> None:
        place = number * size
        for turn in range(50):
            request = one.request("WRITE", [(one.address + place, size)], [(other.address + place, size)], "other")
            one.finish(request, f"{number} {turn}".encode() if turn % 5 == 0 else b"")
            one.nixl.release_xfer_handle(request)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(transfer, range(threads)))
    assert (other.buffer == one.buffer).all()
    assert sorted(other.notifications(threads * 10)["one"]) == sorted(
        f"{number} {turn}".encode() for number in range(threads) for turn in range(0, 50, 5)
    )


def test_lists_of_many_descriptors(pair: tuple[Agent, Agent]) -> None:
    one, other = (Agent(name, 4 * MIB) for name in ("one", "other"))
    introduce(one, other)
    one.buffer[:] = np.random.default_rng(2).integers(0, 256, one.buffer.size, dtype=np.uint8)
    count, size = 8000, 256
    here = one.nixl.prep_xfer_dlist("NIXL_INIT_AGENT", [(one.address + size * i, size, 0) for i in range(count)], "DRAM")
    there = one.nixl.prep_xfer_dlist("other", [(other.address + size * i, size, 0) for i in range(count)], "DRAM")
    for chosen in (100, count):
        sources, targets = (random.Random(seed).sample(range(count), chosen) for seed in (1, 2))
        other.buffer[:] = 0
        request = one.nixl.make_prepped_xfer("WRITE", here, sources, there, targets, b"all", [BACKEND])
        one.finish(request)
        one.nixl.release_xfer_handle(request)
        assert other.notifications() == {"one": [b"all"]}
        from_, to = one.buffer[: count * size].reshape(count, size), other.buffer[: count * size].reshape(count, size)
        assert (to[targets] == from_[sources]).all()
        assert not np.delete(to, targets, axis=0).any()
    one.nixl.release_dlist_handle(here)
    one.nixl.release_dlist_handle(there)


def test_notification_arrives_after_the_data(pair: tuple[Agent, Agent]) -> None:
    one, other = pair
    request = one.request("WRITE", [(one.address, 4096)], [(other.address, 4096)], "other")
    for turn in range(1, 100):
        one.buffer[:4096] = turn
        state = one.nixl.transfer(request, str(turn).encode())
        assert other.notifications() == {"one": [str(turn).encode()]}
        assert (other.buffer[:4096] == turn).all()
        while state == "PROC":
            state = one.nixl.check_xfer_state(request)


def test_notifications_alone_keep_their_order(pair: tuple[Agent, Agent]) -> None:
    one, other = pair
    messages = [bytes([number]) * number for number in range(1, 100)] + [b"\0" * 4096, b"\xff"]
    for message in messages:
        one.nixl.send_notif("other", message)
    assert other.notifications(len(messages)) == {"one": messages}
    other.nixl.send_notif("one", b"back")
    one.nixl.send_notif("one", b"to itself")
    assert one.notifications(2) == {"other": [b"back"], "one": [b"to itself"]}


def test_long_notifications_are_refused(pair: tuple[Agent, Agent], capfd: pytest.CaptureFixture[str]) -> None:
    one, other = pair
    message, (here, there) = b"x" * 4097, ([(one.address, 8)], [(other.address, 8)])
    with pytest.raises(errors.nixlInvalidParamError):
        one.nixl.send_notif("other", message)
    with pytest.raises(errors.nixlInvalidParamError):
        one.request("WRITE", here, there, "other", message)
    with pytest.raises(errors.nixlInvalidParamError):
        one.nixl.transfer(one.request("WRITE", here, there, "other"), message)
    assert "notification too long: 4097 bytes: at most 4096" in capfd.readouterr().err


def test_requests_are_posted_again_with_other_notifications(pair: tuple[Agent, Agent]) -> None:
    one, other = pair
    request = one.request("WRITE", [(one.address, 8)], [(other.address, 8)], "other", b"first")
    one.finish(request)
    assert other.notifications() == {"one": [b"first"]}
    for message in (b"second", b"third"):
        one.buffer[:8] += 1
        one.finish(request, message)
        assert other.notifications() == {"one": [message]} and (other.buffer[:8] == one.buffer[:8]).all()
    one.nixl.release_xfer_handle(request)


def test_active_requests_are_released(pair: tuple[Agent, Agent]) -> None:
    one, other = (Agent(name, 128 * MIB) for name in ("one", "other"))
    introduce(one, other)
    whole = [(one.address, one.buffer.size)], [(other.address, other.buffer.size)]
    request = one.request("WRITE", *whole, "other", b"cancelled or not")
    assert one.nixl.transfer(request) in ("PROC", "DONE")
    one.nixl.release_xfer_handle(request)
    # Not a byte is written for it any more.
    other.buffer[:] = 0
    one.buffer[:] = 1
    assert not other.buffer.any()
    one.finish(one.request("WRITE", *whole, "other"))
    assert other.buffer.all()


def test_agents_end_with_transfers_in_progress() -> None:
    one, other = (Agent(name, 128 * MIB) for name in ("one", "other"))
    introduce(one, other)
    requests = [one.request("WRITE", [(one.address, 100 * MIB)], [(other.address, 100 * MIB)], "other", b"n") for _ in range(3)]
    for request in requests:
        one.nixl.transfer(request)
    one.nixl.send_notif("other", b"last")
    del requests, request, one
    assert other.nixl.get_new_notifs() is not None


def test_partial_metadata_names_some_ranges(pair: tuple[Agent, Agent]) -> None:
    one, other = Agent("one"), Agent("other")
    second = np.zeros(4096, dtype=np.uint8)
    registered = other.register(second)
    with_connection = other.nixl.get_partial_agent_metadata(registered, True, [BACKEND])
    one.nixl.add_remote_agent(with_connection)
    here, there = [(one.address, 4096)], [(second.ctypes.data, 4096)]
    one.buffer[:] = 3
    one.finish(one.request("WRITE", here, there, "other"))
    assert (second == 3).all()
    with pytest.raises(errors.nixlNotFoundError):
        one.request("WRITE", here, [(other.address, 4096)], "other")
    # Further ranges need no connection information.
    one.nixl.add_remote_agent(other.nixl.get_partial_agent_metadata(other.registered, False, [BACKEND]))
    one.finish(one.request("WRITE", here, [(other.address, 4096)], "other"))
    assert (other.buffer[:4096] == 3).all()


def test_same_memory_is_registered_several_times(pair: tuple[Agent, Agent]) -> None:
    one, other = pair
    ranges = [other.register(other.buffer[:size]) for size in (4096, 8192, 4096)]
    one.nixl.add_remote_agent(other.nixl.get_agent_metadata())
    request = one.request("WRITE", [(one.address, 4096)], [(other.address, 4096)], "other")
    for registered in ranges:
        other.nixl.deregister_memory(registered)
        one.finish(request)


def test_deregistered_memory_is_out_of_reach(pair: tuple[Agent, Agent]) -> None:
    one, other = pair
    second = np.zeros(4096, dtype=np.uint8)
    registered = other.register(second)
    one.nixl.add_remote_agent(other.nixl.get_agent_metadata())
    late = one.request("WRITE", [(one.address, 4096)], [(second.ctypes.data, 4096)], "other")
    one.buffer[:] = 5
    one.finish(late)
    other.nixl.deregister_memory(registered)
    second[:] = 0
    with pytest.raises(errors.nixlInvalidParamError):
        one.finish(late)
    assert not second.any()
    one.finish(one.request("WRITE", [(one.address, 4096)], [(other.address, 4096)], "other"))
    assert (other.buffer[:4096] == 5).all()


@pytest.mark.parametrize("side", ["local", "remote"])
@pytest.mark.parametrize("message", [b"", b"behind"], ids=["alone", "with_notification"])
def test_unmapped_memory_fails_the_transfer_alone(pair: tuple[Agent, Agent], side: str, message: bytes) -> None:
    one, other = pair
    mapped = mmap.mmap(-1, 1 << 16)
    memory = np.frombuffer(mapped, dtype=np.uint8)
    place = int(memory.ctypes.data)
    registered = (one if side == "local" else other).register(memory)
    one.nixl.add_remote_agent(other.nixl.get_agent_metadata())
    here, there = (place, other.address) if side == "local" else (one.address, place)
    request = one.request("WRITE", [(here, 4096)], [(there, 4096)], "other")
    del memory
    mapped.close()
    with pytest.raises(errors.nixlInvalidParamError):
        one.finish(request, message)
    one.nixl.release_xfer_handle(request)
    one.finish(one.request("WRITE", [(one.address, 4096)], [(other.address, 4096)], "other"), b"good")
    assert other.notifications() == {"one": [b"good"]}
    (one if side == "local" else other).nixl.deregister_memory(registered)


def test_wrong_input_is_refused(pair: tuple[Agent, Agent]) -> None:
    one, other = pair
    with pytest.raises(errors.nixlInvalidParamError):
        one.request("WRITE", [(one.address, 8)], [(other.address, 9)], "other")
    with pytest.raises(errors.nixlInvalidParamError):
        one.request("WRITE", [(one.address, 8), (one.address + 16, 8)], [(other.address, 8)], "other")
    with pytest.raises(errors.nixlNotFoundError):
        one.request("WRITE", [(one.address, 8)], [(other.address + other.buffer.size - 4, 8)], "other")
    with pytest.raises(errors.nixlNotFoundError):
        one.request("WRITE", [(one.address, 8)], [(other.address, 8)], "unknown")
    for kind in ("VRAM", "BLOCK", "OBJ", "FILE"):
        with pytest.raises(errors.nixlNotFoundError):
            one.nixl.register_memory([(one.address, 8, 0, "")], kind)
        with pytest.raises(errors.nixlBackendError):
            one.nixl.register_memory([(one.address, 8, 0, "")], kind, [BACKEND])
    with pytest.raises(Exception, match="NIXL_ERR"):
        one.nixl.register_memory([(0, 8, 0, "")], "DRAM", [BACKEND])
    with pytest.raises(Exception, match="NIXL_ERR"):
        one.nixl.add_remote_agent(b"noise")


@pytest.mark.parametrize(
    ("own", "foreign"),
    [
        (b"memfabric-nixl 1\n", b"memfabric-nixl 2\n"),
        (b"tcp://127.0.0.1:", b"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"),
        (b"range 1\n", b"range 2\n"),
        (b"\n10000\n", b"\n1000g\n"),
        (b"\n10000\n", b"\n00000\n"),
    ],
)
def test_metadata_of_other_versions_is_refused(own: bytes, foreign: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    one, other = Agent("one"), Agent("other")
    metadata = other.nixl.get_agent_metadata()
    assert own in metadata and len(own) == len(foreign)
    with pytest.raises(errors.nixlMismatchError):
        one.nixl.add_remote_agent(metadata.replace(own, foreign))
    assert "mf_nixl: cannot decode the" in capfd.readouterr().err
    one.nixl.add_remote_agent(metadata)


def test_telemetry_counts_the_bytes() -> None:
    one, other = (Agent(name, 16 * MIB, capture_telemetry=True) for name in ("one", "other"))
    introduce(one, other)
    for size in (4096, 16 * MIB):
        request = one.request("WRITE", [(one.address, size)], [(other.address, size)], "other", b"n")
        one.finish(request)
        assert one.nixl.get_xfer_telemetry(request).totalBytes == size
        assert one.nixl.query_xfer_backend(request) == BACKEND


def test_metadata_comes_from_the_listener_of_an_agent() -> None:
    port = mf_smem._ports.free_port("127.0.0.1", range(20_000, 60_000))
    one = Agent("one", enable_listen_thread=True, listen_port=0)
    other = Agent("other", enable_listen_thread=True, listen_port=port)
    deadline = time.monotonic() + ranks.DEADLINE_S
    one.nixl.fetch_remote_metadata("other", "127.0.0.1", port)
    while not one.nixl.check_remote_metadata("other"):
        assert time.monotonic() < deadline
    one.finish(one.request("WRITE", [(one.address, 8)], [(other.address, 8)], "other"), b"listened")
    assert other.notifications() == {"one": [b"listened"]}


def test_receiver_finds_the_tag_of_a_transfer(pair: tuple[Agent, Agent]) -> None:
    one, other = pair
    one.finish(one.request("WRITE", [(one.address, 8)], [(other.address, 8)], "other"), b"tag:7")
    deadline = time.monotonic() + ranks.DEADLINE_S
    while not other.nixl.check_remote_xfer_done("one", b"tag:", [BACKEND]):
        assert time.monotonic() < deadline
    assert not other.nixl.check_remote_xfer_done("one", b"tag:", [BACKEND])


def test_transfers_within_an_agent() -> None:
    agent = Agent("alone")
    agent.buffer[:4096] = 9
    agent.finish(agent.request("WRITE", [(agent.address, 4096)], [(agent.address + 8192, 4096)], "alone"), b"done")
    assert (agent.buffer[8192 : 8192 + 4096] == 9).all() and not agent.buffer[4096:8192].any()
    assert agent.notifications() == {"alone": [b"done"]}


def test_destroyed_agent_is_a_lost_peer_and_may_come_back(pair: tuple[Agent, Agent]) -> None:
    one, other = Agent("one"), Agent("other")
    introduce(one, other)
    here = [(one.address, 4096)]
    used = one.request("WRITE", here, [(other.address, 4096)], "other")
    one.finish(used)
    del other
    with pytest.raises(errors.nixlRemoteDisconnectError):
        one.finish(used)
    with pytest.raises(Exception, match="NIXL_ERR"):
        one.finish(used)
    for message in (b"", b"hello again"):
        # The agent keeps the connection information of a lost peer until it is removed.
        one.nixl.remove_remote_agent("other")
        other = Agent("other")
        introduce(one, other)
        one.buffer[:] += 1
        request = one.request("WRITE", here, [(other.address, 4096)], "other")
        one.finish(request, message)
        assert (other.buffer[:4096] == one.buffer[:4096]).all()
        if message:
            assert other.notifications() == {"one": [message]}
        del other
        # Lost between the load of its metadata and the first or next use.
        with pytest.raises(errors.nixlRemoteDisconnectError):
            one.finish(request, message)


def test_peer_that_ends_before_the_first_transfer_is_lost() -> None:
    one, other = Agent("one"), Agent("other")
    introduce(one, other)
    address = other.address
    del other
    request = one.request("WRITE", [(one.address, 8)], [(address, 8)], "other")
    with pytest.raises(errors.nixlRemoteDisconnectError):
        one.finish(request)


def test_agents_meet_at_a_common_store() -> None:
    url = f"tcp://127.0.0.1:{mf_smem._ports.free_port('127.0.0.1', range(20_000, 60_000))}"
    assert mf_smem._mf_smem.create_config_store(url) == 0
    try:
        one, other = (Agent(name, params={"store_url": url}) for name in ("one", "other"))
        introduce(one, other)
        one.buffer[:] = 1
        one.finish(one.request("WRITE", [(one.address, 4096)], [(other.address, 4096)], "other"), b"met")
        assert other.notifications() == {"one": [b"met"]} and (other.buffer[:4096] == 1).all()
        one.nixl.make_connection("other", [BACKEND])
        address = other.address
        del other
        with pytest.raises(errors.nixlRemoteDisconnectError):
            one.finish(one.request("WRITE", [(one.address, 4096)], [(address, 4096)], "other"))
    finally:
        mf_smem._mf_smem.destroy_config_store(url)


@pytest.mark.parametrize("name", ["a b/ü:1", "x" * 120, "_", "4f9c2f0e-worker.0"])
def test_any_agent_name_reaches_the_peer(name: str) -> None:
    one, other = Agent(name), Agent("other")
    introduce(one, other)
    one.nixl.send_notif("other", b"named")
    assert other.notifications() == {name: [b"named"]}


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"store_url": "nonsense"}, "cannot join the store nonsense"),
        ({"store_url": "tcp://127.0.0.1:1", "timeout": "1"}, "cannot join the store tcp://127.0.0.1:1"),
        ({"timeout": "soon"}, 'invalid timeout "soon": must be seconds, 1 or more'),
        ({"name": "localhost"}, 'invalid name "localhost": must be ip, ip:port or [ip6]:port'),
        ({"nic": "no-such-card0"}, 'invalid nic "no-such-card0"'),
    ],
)
def test_unusable_parameters_are_named(params: dict[str, str], text: str, capfd: pytest.CaptureFixture[str]) -> None:
    agent = api.nixl_agent("refused", api.nixl_agent_config(backends=[]))
    with pytest.raises(errors.nixlBackendError):
        agent.create_backend(BACKEND, params)
    error = capfd.readouterr().err
    assert 'mf_nixl: cannot open the backend of agent "refused"' in error or "invalid timeout" in error
    assert text in error


def test_long_agent_names_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(errors.nixlBackendError):
        Agent("x" * 121)
    assert "agent name too long: 121 bytes: at most 120" in capfd.readouterr().err


def test_unknown_parameters_are_ignored() -> None:
    params = {"engine_config": "", "num_workers": "4", "ucx_error_handling_mode": "peer", "own": "x"}
    one, other = Agent("one", params=params), Agent("other")
    introduce(one, other)
    one.finish(one.request("WRITE", [(one.address, 8)], [(other.address, 8)], "other"))
