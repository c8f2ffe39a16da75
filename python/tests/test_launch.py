# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``python -m memfabric_hybrid.launch_ascend_mf_store``."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

import ranks

COMMAND = [sys.executable, "-m", "memfabric_hybrid.launch_ascend_mf_store"]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT], ids=lambda end: end.name)
def test_store_serves_until_it_is_stopped(end: signal.Signals) -> None:
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    environment = ranks.plain_environment(MF_CONFIG_STORE_URL=url)
    with subprocess.Popen(COMMAND, env=environment, stdout=subprocess.PIPE, text=True) as store:
        try:
            assert store.stdout is not None and store.stdout.readline() == f"config store at {url}\n"
            ranks.run_code(
                """
                import mf_smem
                with mf_smem.open_pool(host_bytes=2 << 20, start_store=False) as pool:
                    pool.barrier("here")
                    assert pool.members() == [0, 1]
                    pool.barrier("there")
                """,
                2,
                {"MF_CONFIG_STORE_URL": url},
            )
            store.send_signal(end)
            assert store.wait(ranks.DEADLINE_S) == 0
        finally:
            store.kill()


@pytest.mark.parametrize(("url", "status", "text"), [(None, 2, "is not set"), ("tcp://nowhere", 1, "did not start")])
def test_reports_the_cause_of_failure(url: str | None, status: int, text: str) -> None:
    environment = ranks.plain_environment(**({} if url is None else {"MF_CONFIG_STORE_URL": url}))
    done = subprocess.run(COMMAND, env=environment, capture_output=True, text=True, timeout=ranks.DEADLINE_S, check=False)
    assert done.returncode == status and text in done.stderr
