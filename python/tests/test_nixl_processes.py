# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of NIXL's backend between processes: killed peers, other backends in one agent, other names and versions."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ranks
from nixl_agents import BACKEND, WHEEL, Agent, errors, mf_nixl

MIB = 1 << 20
HELPER = Path(__file__).with_name("nixl_agents.py")


class Target:
    """An agent in a process of its own."""

    def __init__(self, name: str = "target", **options: Any) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, HELPER, name, json.dumps(options)],
            env=ranks.plain_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        metadata, self.address = self._answer()
        self.metadata = bytes.fromhex(metadata)

    def ask(self, question: str) -> Any:
        assert self.process.stdin is not None
        print(question, file=self.process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> Any:
        """The next line that is JSON: NIXL writes lines of its own."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.startswith("2"):
                return json.loads(line)
        raise AssertionError(f"the target ended with {self.process.wait()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def targets() -> Iterator[list[Target]]:
    made: list[Target] = []
    yield made
    for target in made:
        target.kill()


def connected(agent: Agent, targets: list[Target], **options: Any) -> Target:
    """Starts a target in a new process, and loads its metadata."""
    targets.append(Target(**options))
    agent.nixl.add_remote_agent(targets[-1].metadata)
    return targets[-1]


def test_data_and_notifications_cross_processes(targets: list[Target]) -> None:
    agent = Agent("initiator", 32 * MIB)
    target = connected(agent, targets, size=32 * MIB)
    agent.buffer[:] = 1
    for size in (4096, MIB, 32 * MIB):
        agent.finish(agent.request("WRITE", [(agent.address, size)], [(target.address, size)], "target"), b"n")
        assert target.ask("sum") == size and target.ask("notifications 1") == {"initiator": ["n"]}
    target.ask("fill 3")
    agent.finish(agent.request("READ", [(agent.address, 32 * MIB)], [(target.address, 32 * MIB)], "target"))
    assert (agent.buffer == 3).all()


def lost(agent: Agent, request: Any, message: bytes = b"") -> None:
    """Asserts that a transfer fails because the peer is gone; posts it unless it is active."""
    deadline = time.monotonic() + ranks.DEADLINE_S
    with pytest.raises(errors.nixlRemoteDisconnectError):
        state = agent.nixl.transfer(request, message)
        while state == "PROC" and time.monotonic() < deadline:
            state = agent.nixl.check_xfer_state(request)


@pytest.mark.parametrize("message", [b"", b"behind"], ids=["alone", "with_notification"])
@pytest.mark.parametrize("size", [4096, 32 * MIB])
def test_killed_peer_fails_the_next_transfer_and_comes_back(targets: list[Target], size: int, message: bytes) -> None:
    agent = Agent("initiator", 32 * MIB)
    for turn in (1, 2):
        target = connected(agent, targets, size=32 * MIB)
        agent.buffer[:] = turn
        request = agent.request("WRITE", [(agent.address, size)], [(target.address, size)], "target")
        agent.finish(request, message)
        assert target.ask("sum") == turn * size
        if message:
            assert target.ask("notifications 1") == {"initiator": [message.decode()]}
        target.kill()
        lost(agent, request, message)
        agent.nixl.release_xfer_handle(request)
        agent.nixl.remove_remote_agent("target")


def test_peer_killed_in_a_transfer_fails_it(targets: list[Target]) -> None:
    agent = Agent("initiator", 256 * MIB)
    target = connected(agent, targets, size=256 * MIB)
    request = agent.request("WRITE", [(agent.address, 256 * MIB)], [(target.address, 256 * MIB)], "target", b"never")
    state = agent.nixl.transfer(request)
    target.kill()
    deadline = time.monotonic() + ranks.DEADLINE_S
    # The data may have been complete; its notification finds no receiver then.
    with pytest.raises(errors.nixlRemoteDisconnectError):
        while state == "PROC" and time.monotonic() < deadline:
            state = agent.nixl.check_xfer_state(request)
    agent.nixl.release_xfer_handle(request)


def test_peer_killed_before_the_first_transfer(targets: list[Target]) -> None:
    agent = Agent("initiator")
    target = connected(agent, targets)
    target.kill()
    lost(agent, agent.request("WRITE", [(agent.address, 8)], [(target.address, 8)], "target"))


def test_stopped_peer_fails_the_notification_by_the_deadline(targets: list[Target]) -> None:
    folder = os.environ["NIXL_PLUGIN_DIR"]
    target = Target(size=4096)
    targets.append(target)
    source = _STOPPED.format(tests=str(HELPER.parent), metadata=target.metadata.hex(), address=target.address)
    target.process.send_signal(signal.SIGSTOP)
    try:
        done = ranks.run_alone(source, {"NIXL_PLUGIN_DIR": folder, "MF_NET_TIMEOUT": "1s"})
    finally:
        target.process.send_signal(signal.SIGCONT)
    assert done.stdout.splitlines()[-1:] == ["lost"], done.stderr


_STOPPED = """
    import sys
    sys.path.insert(0, {tests!r})
    from nixl_agents import Agent, errors
    one = Agent("one", 4096, params={{"timeout": "1"}})
    one.nixl.add_remote_agent(bytes.fromhex({metadata!r}))
    request = one.request("WRITE", [(one.address, 8)], [({address}, 8)], "target", b"n")
    try:
        one.finish(request)
    except errors.nixlRemoteDisconnectError:
        print("lost")
"""


def test_release_leaves_the_notification_of_copied_data(targets: list[Target]) -> None:
    agent = Agent("initiator")
    target = connected(agent, targets)
    request = agent.request("WRITE", [(agent.address, 8)], [(target.address, 8)], "target")
    agent.finish(request)
    target.process.send_signal(signal.SIGSTOP)
    assert agent.nixl.transfer(request, b"behind") == "PROC"
    agent.nixl.release_xfer_handle(request)
    target.process.send_signal(signal.SIGCONT)
    assert target.ask("notifications 1") == {"initiator": ["behind"]}


def test_notifications_to_a_killed_peer_fail(targets: list[Target]) -> None:
    agent = Agent("initiator")
    target = connected(agent, targets)
    agent.nixl.send_notif("target", b"first")
    assert target.ask("notifications 1") == {"initiator": ["first"]}
    target.kill()
    deadline = time.monotonic() + ranks.DEADLINE_S
    with pytest.raises(errors.nixlRemoteDisconnectError):
        while time.monotonic() < deadline:
            agent.nixl.send_notif("target", b"late")


# Ends at once: with UCX of the wheel 1.5.1 an interpreter that ends by itself gets SIGSEGV.
_BESIDE = """
    import os, sys
    sys.path.insert(0, {tests!r})
    from nixl_agents import Agent, introduce
    one, other = Agent("one"), Agent("other")
    for agent in (one, other):
        for backend in {others!r}:
            agent.nixl.create_backend(backend, {{}})
            agent.nixl.register_memory([(agent.address, agent.buffer.nbytes, 0, "")], "DRAM", [backend])
    introduce(one, other)
    for value, backend in enumerate(["MEMFABRIC"] + [name for name in {others!r} if name == "UCX"], 1):
        one.buffer[:] = value
        request = one.nixl.initialize_xfer(
            "WRITE", one.descs((one.address, 4096)), one.descs((other.address, 4096)), "other", b"data", [backend]
        )
        state = one.nixl.transfer(request)
        found = {{}}
        while state == "PROC" or not found:
            found = found or other.nixl.get_new_notifs()
            state = one.nixl.check_xfer_state(request)
        assert found == {{"one": [b"data"]}} and (other.buffer[:4096] == value).all(), (backend, found)
        assert one.nixl.query_xfer_backend(request) == backend
    print("beside", flush=True)
    os._exit(0)
"""


@pytest.mark.parametrize("others", [["POSIX"], ["UCX"], ["UCX", "POSIX"]], ids="+".join)
def test_other_backends_work_in_the_same_agent(others: list[str]) -> None:
    done = ranks.run_alone(_BESIDE.format(tests=str(HELPER.parent), others=others))
    assert done.stdout.splitlines()[-1:] == ["beside"], done.stderr


# The names that programs with a fixed list of backends accept.
_NAMED = """
    import sys
    sys.path.insert(0, {tests!r})
    from nixl_agents import Agent, introduce
    one, other = (Agent(name, backend={name!r}, params={params!r}) for name in ("one", "other"))
    introduce(one, other)
    one.buffer[:] = 1
    one.finish(one.request("WRITE", [(one.address, 4096)], [(other.address, 4096)], "other"), b"named")
    assert other.notifications() == {{"one": [b"named"]}} and other.buffer[:4096].all()
    assert one.nixl.get_plugin_params({name!r})["store_url"] == ""
    print("named")
"""


@pytest.mark.parametrize(("name", "params"), [("UCX", {"num_workers": "2", "engine_config": "x"}), ("Mooncake", {})])
def test_plugin_works_under_the_names_of_others(name: str, params: dict[str, str], tmp_path: Path) -> None:
    folder = mf_nixl.plugin_dir([name], base=str(tmp_path))
    done = ranks.run_alone(_NAMED.format(tests=str(HELPER.parent), name=name, params=params), {"NIXL_PLUGIN_DIR": folder})
    assert done.stdout.splitlines()[-1:] == ["named"], done.stderr


_REFUSED = """
    import sys
    sys.path.insert(0, {tests!r})
    from nixl_agents import Agent, errors
    try:
        Agent("refused")
    except errors.nixlNotFoundError:
        print("refused")
"""


def test_plugin_of_another_minor_version_is_refused(tmp_path: Path) -> None:
    other = next(version for version in mf_nixl.VERSIONS if version != WHEEL.minor)
    built = Path(mf_nixl.plugin_path()).parents[1] / other / "libplugin_MEMFABRIC.so"
    shutil.copy(built, tmp_path)
    source = _REFUSED.format(tests=str(HELPER.parent))
    done = ranks.run_alone(source, {"NIXL_PLUGIN_DIR": str(tmp_path)})
    assert done.stdout.splitlines()[-1:] == ["refused"]
    assert f"mf_nixl: NIXL {WHEEL.version} cannot load the plug-in built for NIXL {other}" in done.stderr
    # The variable is for builds of NIXL that are no wheel.
    own = ranks.run_alone(source, {"MF_NIXL_VERSION": "1.2.9"})
    assert own.stdout.splitlines()[-1:] == ["refused"]
    assert f"mf_nixl: NIXL 1.2.9 cannot load the plug-in built for NIXL {WHEEL.minor}" in own.stderr


def test_missing_library_is_named() -> None:
    source = _REFUSED.format(tests=str(HELPER.parent)).replace("nixlNotFoundError", "nixlBackendError")
    done = ranks.run_alone(source, {"MF_SMEM_LIBRARY": "/nowhere/libmf_smem.so"})
    assert done.stdout.splitlines()[-1:] == ["refused"]
    assert "libmf_smem.so is not found" in done.stderr and "/nowhere/libmf_smem.so" in done.stderr


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mf_nixl", *arguments], env=ranks.plain_environment(**environment),
        capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False,
    )


def test_program_prints_the_folder(tmp_path: Path) -> None:
    base = str(tmp_path / "a b")
    printed = run("--base", base)
    assert printed.returncode == 0 and printed.stdout.startswith("export NIXL_PLUGIN_DIR='") and not printed.stderr
    folder = Path(run("--base", base, "--path").stdout.strip())
    assert f"export NIXL_PLUGIN_DIR='{folder}'" == printed.stdout.strip()
    assert {"libplugin_MEMFABRIC.so", "libplugin_UCX.so", "libplugin_POSIX.so"} <= set(os.listdir(folder))
    assert (folder / "libplugin_MEMFABRIC.so").samefile(mf_nixl.plugin_path())
    renamed = Path(run("--base", base, "--path", "--as", "UCX", "--as", "Mooncake").stdout.strip())
    assert (renamed / "libplugin_UCX.so").samefile(renamed / "libplugin_Mooncake.so") and renamed != folder
    # Links of the same wheel are made once.
    assert len(os.listdir(base)) == 2
    assert "NIXL_PLUGIN_DIR" in run("--help").stdout or "eval" in run("--help").stdout


def test_program_refuses_other_versions_by_name(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / ".nixl_cu13.mesonpy.libs").mkdir(parents=True)
    (site / ".nixl_cu13.mesonpy.libs" / "libnixl.so").touch()
    (site / "nixl_cu13-1.7.0.dist-info").mkdir()
    (site / "nixl_cu13-1.7.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: nixl-cu13\nVersion: 1.7.0\n")
    done = run("--distribution", "nixl_cu13", PYTHONPATH=str(site))
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.strip() == "mf_nixl: no plug-in for nixl_cu13 1.7.0: this package supports 1.3, 1.4, 1.5"
    missing = run("--distribution", "nixl_cu99")
    assert missing.returncode == 1 and missing.stderr.startswith("mf_nixl: NIXL is not installed: no nixl_cu99;")


def test_program_measures_two_backends(tmp_path: Path) -> None:
    folder = mf_nixl.plugin_dir(base=str(tmp_path))
    done = run("bench", "--sizes", "4K,1M", "--seconds", "0.1", "--pieces", "2", "--json", NIXL_PLUGIN_DIR=folder)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout.splitlines()[-1])["rows"]
    assert [row["bytes"] for row in rows] == [4096, MIB]
    assert all(row["us"][BACKEND] > 0 and row["us"]["UCX"] > 0 and row["turns"] >= 10 for row in rows)
