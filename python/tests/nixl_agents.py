# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Agents of the released NIXL with our backend, for tests. As a program: an agent in a process of its own.

The tests need the wheel nixl-cu12 (68 MB) and skip without it: ``pip install --no-deps nixl-cu12==1.5.1``. Its Python interface
imports torch for the types of tensors alone; where torch is not installed, an empty module stands in for it.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed: pip install numpy")
mf_nixl = pytest.importorskip("mf_nixl", reason="pip install ./python/nixl")
try:
    WHEEL = __import__("mf_nixl._wheel", fromlist=["installed"]).installed()
except mf_nixl.NixlError as _error:
    pytest.skip(f"{_error}; scripts/test: MF_TEST_NIXL=nixl-cu12==1.5.1", allow_module_level=True)

if "NIXL_PLUGIN_DIR" not in os.environ:
    _base = tempfile.mkdtemp(prefix="mf-nixl-")
    atexit.register(shutil.rmtree, _base, ignore_errors=True)
    # NIXL reads it when the first agent of the process is made.
    os.environ["NIXL_PLUGIN_DIR"] = mf_nixl.plugin_dir(base=_base)

if find_spec("torch") is None:
    sys.modules["torch"] = ModuleType("torch")
    sys.modules["torch"].Tensor = type("Tensor", (), {})  # type: ignore[attr-defined]

api: Any = __import__(f"{WHEEL.name}._api", fromlist=["nixl_agent"])
errors: Any = __import__(f"{WHEEL.name}._bindings", fromlist=["nixlBackendError"])

BACKEND = "MEMFABRIC"


class Agent:
    """An agent with one backend and one registered buffer."""

    def __init__(
        self, name: str, size: int = 1 << 16, progress: bool = True, sync: str | None = None, backend: str = BACKEND,
        params: dict[str, str] | None = None, **config: Any,
    ) -> None:
        mode = None if sync is None else getattr(api.nixl_thread_sync_t, f"NIXL_THREAD_SYNC_{sync}")
        made = api.nixl_agent_config(enable_prog_thread=progress, backends=[], sync_mode=mode, **config)
        self.nixl = api.nixl_agent(name, made)
        self.name, self.backend = name, backend
        self.nixl.create_backend(backend, params or {})
        self.buffer = np.zeros(size, dtype=np.uint8)
        self.registered = self.register(self.buffer)

    @property
    def address(self) -> int:
        return int(self.buffer.ctypes.data)

    def register(self, memory: Any) -> Any:
        return self.nixl.register_memory([(memory.ctypes.data, memory.nbytes, 0, "")], "DRAM", [self.backend])

    def descs(self, *pieces: tuple[int, int]) -> Any:
        return self.nixl.get_xfer_descs([(address, size, 0) for address, size in pieces], "DRAM")

    def request(
        self, operation: str, here: list[tuple[int, int]], there: list[tuple[int, int]], peer: str, message: bytes = b""
    ) -> Any:
        return self.nixl.initialize_xfer(operation, self.descs(*here), self.descs(*there), peer, message, [self.backend])

    def finish(self, request: Any, message: bytes = b"") -> None:
        """Posts a request, and waits until it is done."""
        state = self.nixl.transfer(request, message)
        while state == "PROC":
            state = self.nixl.check_xfer_state(request)
        assert state == "DONE"

    def notifications(self, count: int = 1) -> dict[str, list[bytes]]:
        """Takes notifications until there are so many."""
        found: dict[str, list[bytes]] = {}
        while sum(map(len, found.values())) < count:
            for sender, messages in self.nixl.get_new_notifs([self.backend]).items():
                found.setdefault(sender, []).extend(messages)
        return found


def introduce(one: Agent, other: Agent) -> None:
    """Each loads the other's metadata."""
    one.nixl.add_remote_agent(other.nixl.get_agent_metadata())
    other.nixl.add_remote_agent(one.nixl.get_agent_metadata())


def _serve(name: str, options: str) -> None:
    """Prints the agent's metadata and the address of its buffer; answers questions on standard input until it is closed."""
    agent = Agent(name, **json.loads(options))
    print(json.dumps([agent.nixl.get_agent_metadata().hex(), agent.address]), flush=True)
    for line in sys.stdin:
        question, _, argument = line.strip().partition(" ")
        answer: Any = None
        if question == "sum":
            answer = int(agent.buffer.sum(dtype=np.int64))
        elif question == "fill":
            agent.buffer[:] = int(argument)
        elif question == "notifications":
            answer = {sender: [one.decode() for one in all_] for sender, all_ in agent.notifications(int(argument)).items()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
