# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``hmc`` with processes killed: one of three, during an all-to-all, including the meeting's host.

MF_TEST_HMC_KILLS says at how many points (default 3), MF_TEST_FIRST_SEED from which seed on.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import ranks
from test_hmc_groups import GROUP
from test_hmc_jobs import PRELUDE

KILLS = int(os.environ.get("MF_TEST_HMC_KILLS", "3"))
FIRST = int(os.environ.get("MF_TEST_FIRST_SEED", "0"))
WORLD = 3

PROGRAM = PRELUDE + textwrap.dedent(GROUP) + textwrap.dedent("""
    import time, mf_smem
    session, group = joined(sys.argv[1])
    try:
        # All are through with the beginning.
        group.barrier()
        print("ready", flush=True)
        while True:
            check(group, sys.argv[2], int(sys.argv[3]))
            print("done", flush=True)
    except (hmc.HMCError, mf_smem.Error) as error:
        print("failed:", error, flush=True)
    session.close_server()
    print("alive", flush=True)
    # Without the exit's messages to the process that is gone.
    os._exit(0)
""")


def point(folder: Path, seed: int) -> None:
    """Three exchange; one is killed, and the others learn of it."""
    dice = random.Random(seed)
    victim, algo, nbytes = seed % WORLD, dice.choice(["direct", "ring"]), dice.choice([100, 50_000])
    port = str(ranks.free_port())
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder), algo, str(nbytes)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=ranks.plain_environment(
                RANK=str(rank), WORLD_SIZE=str(WORLD), LOCAL_RANK=str(rank), LOCAL_WORLD_SIZE=str(WORLD), MASTER_ADDR="127.0.0.1",
                MASTER_PORT=port, MF_STORE_PORT_OFFSET="0", MF_NET_TIMEOUT="60m",
                # For a store that died with its process.
                MF_STORE_RECONNECT="3s",
            ),
        )
        for rank in range(WORLD)
    ]  # fmt: skip
    try:
        output = processes[victim].stdout
        assert output is not None
        for _ in range(1 + dice.randrange(6)):
            assert output.readline(), processes[victim].communicate(timeout=60)
        for _ in range(dice.randrange(2000)):
            os.sched_yield()
        processes[victim].kill()
        end = time.monotonic() + ranks.DEADLINE_S
        for rank in range(WORLD):
            if rank != victim:
                out, error = processes[rank].communicate(timeout=max(end - time.monotonic(), 0.1))
                assert processes[rank].returncode == 0, f"seed {seed}, rank {rank}:\n{out[-2000:]}{error}"
                assert "failed: " in out and out.endswith("alive\n"), f"seed {seed}, rank {rank}:\n{out[-2000:]}{error}"
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def test_group_survives_a_member_killed_at_any_point(tmp_path: Path) -> None:
    for seed in range(FIRST, FIRST + KILLS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        point(folder, seed)
        # Only the socket file of the dead process remains; its successor takes it.
        assert sorted(path.name for path in folder.iterdir()) == [f"hmc_ctrl_rank_{seed % WORLD}.sock"]
