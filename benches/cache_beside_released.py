# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cache product memcache_hybrid over this library and over the released memfabric_hybrid, on the simulator: puts and gets.

    mf sim --devices 2 -- python benches/cache_beside_released.py OURS THEIRS FOLDER [ROUNDS]

OURS and THEIRS are the Python programs of two virtual environments, both with memcache_hybrid==1.3.0: one with our packages, one
with memfabric_hybrid==1.3.0. Both run the same meta service and two local services over host_shm, in turns; the table has the medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/upstream/cache"))
import run  # noqa: E402 - the processes that the tests use

SIZES = [("4 KiB", [4096], 300), ("1 MiB", [1 << 20], 30), ("122 pieces, 8.6 MiB", run.LAYERS, 5)]


def measured(python: str, folder: Path) -> dict[str, float]:
    """Microseconds of each, over the library of that environment."""
    folder.mkdir(parents=True, exist_ok=True)
    where = "import importlib.util as i, os; print(os.path.dirname(i.find_spec('memfabric_hybrid').origin))"
    package = Path(subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip())
    former = os.environ.get("LD_LIBRARY_PATH", "")
    # Ordinary pages and a small staging area for the released library, which finds its own in this folder.
    os.environ |= {"MF_HYBM_ENABLE_4K_PAGE": "1", "MF_HYBM_RDMA_SWAP_SPACE_SIZE": "64", "LD_LIBRARY_PATH": f"{package}/lib:{former}"}
    run.sys.executable = python
    meta = run.Meta(folder, {"tls_enable": False, "config_store_tls_enable": False})
    members = []
    found = {}
    try:
        members = [run.Local(number, "host_shm", meta) for number in (0, 1)]
        for member in members:
            member.expect(f"globals().update(memory=Buffer({sum(run.LAYERS)}, 1))", None)
            member.expect("store.register_buffer(memory.address, memory.size)", 0)
        # Touches all of the memory once, as in a cache that has been full.
        members[0].ask("[store.put_from('warm' + str(n), memory.address, 1 << 20) for n in range(60)]")
        members[0].ask("store.remove_batch(['warm' + str(n) for n in range(60)])")
        for name, pieces, count in SIZES:
            where = f"memory.pieces({pieces}), {pieces}" if len(pieces) > 1 else f"memory.address, {pieces[0]}"
            suffix = "_layers" if len(pieces) > 1 else ""
            put = f"timed(lambda n: store.put_from{suffix}('{name}' + str(n), {where}), {count})"
            get = f"timed(lambda n: store.get_into{suffix}('{name}' + str(n), {where}), {count})"
            found[f"put {name}"] = float(str(members[0].ask(put))) * 1e6
            found[f"get {name}"] = float(str(members[1].ask(get))) * 1e6
            members[0].ask(f"store.remove_batch(['{name}' + str(n) for n in range({count})])")
    finally:
        for process in [*(member.process for member in members), meta.process]:
            process.kill()
            process.wait()
        os.environ["LD_LIBRARY_PATH"] = former
    return found


def main() -> None:
    ours, theirs, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    figures: list[tuple[dict[str, float], dict[str, float]]] = []
    for number in range(rounds):
        turn = [(0, ours), (1, theirs)]
        both: list[dict[str, float]] = [{}, {}]
        for place, python in turn if number % 2 == 0 else reversed(turn):
            both[place] = measured(python, folder / f"{number}-{place}")
        figures.append((both[0], both[1]))
    print(f"{'':28}{'ours us':>10}{'released us':>14}{'times as fast':>16}")
    for what in figures[0][0]:
        own, other = (statistics.median(pair[place][what] for pair in figures) for place in (0, 1))
        print(f"{what:28}{own:10.1f}{other:14.1f}{other / own:16.2f}")


if __name__ == "__main__":
    main()
