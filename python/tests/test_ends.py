# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Ends of a process after the store's process: no process waits for the store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import ranks

# An end that waits for a store waits 5 s or 60 s.
_LONGEST_S = 4.0

_MEMBER = """
    import os, sys, mf_smem
    pool = mf_smem.open_pool(host_bytes=2 << 20, nic=os.environ.get("NIC", ""))
    pool.barrier("joined")
    print("joined", flush=True)
    how = sys.stdin.readline().strip()
    if how == "close":
        pool.close()
    elif how == "del":
        del pool
    elif how == "leave":
        pool.leave()
        pool.close()
    elif how == "os._exit":
        os._exit(0)
    elif how == "raise":
        raise SystemExit(0)
"""


@pytest.mark.parametrize("nic", ["", "127.0.0.1/8"])
@pytest.mark.parametrize("first", ["close", "os._exit", "kill"])
@pytest.mark.parametrize("then", ["close", "del", "leave", "nothing", "raise"])
def test_process_ends_soon_after_the_store_process(nic: str, first: str, then: str) -> None:
    port = str(ranks.free_port())
    members = []
    for rank in range(2):
        environment = ranks.plain_environment(
            RANK=str(rank), WORLD_SIZE="2", MF_CONFIG_STORE_URL=f"tcp://127.0.0.1:{port}", NIC=nic
        )
        members.append(
            subprocess.Popen(
                [sys.executable, "-c", textwrap.dedent(_MEMBER)],
                env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            )
        )
    try:
        for member in members:
            assert member.stdout is not None and member.stdout.readline() == "joined\n"
        store, other = members
        if first == "kill":
            store.kill()
        else:
            _order_end(store, first)
        store.wait(ranks.DEADLINE_S)
        began = time.monotonic()
        _order_end(other, then)
        assert other.wait(ranks.DEADLINE_S) == 0
        took = time.monotonic() - began
        print(f"{then} after {first}, nic {nic!r}: {took * 1000:.0f} ms")
        assert took < _LONGEST_S
    finally:
        for member in members:
            if member.poll() is None:
                os.killpg(member.pid, signal.SIGKILL)
                member.wait()


def _order_end(member: subprocess.Popen[str], how: str) -> None:
    assert member.stdin is not None
    member.stdin.write(f"{how}\n")
    member.stdin.close()
