# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Elastic membership: the last rank leaves the pool and joins again while the others go on copying. They are notified by
events; a copy to the absent rank gives an error and harms no other.

    mf run -n 4 -- python3 examples/05_elastic.py
"""

import queue

import mf_smem
from mf_smem.bm import BmGroupEvent

TIMEOUT_S = 60


def main() -> None:
    with mf_smem.open_pool(host_bytes=2 << 20) as pool:
        pool.barrier("joined")
        events: queue.Queue[tuple[int, BmGroupEvent]] = queue.Queue()
        pool.on_event(lambda rank, event: events.put((rank, event)))
        guest = pool.world_size - 1
        place = pool.address(guest)
        pool.barrier("listening")

        if pool.rank == guest:
            pool.leave()
            print(f"rank {pool.rank}: left; the address of its memory stays reserved")
            pool.barrier("everybody noticed")
            pool.join()
            print(f"rank {pool.rank}: joined again at {pool.address():#x}")
        else:
            wait_for(events, guest, BmGroupEvent.LEAVE_EVENT)
            try:
                pool.put(b"are you there?", place)
            except mf_smem.NotConnectedError as error:
                print(f"rank {pool.rank}: {error}")
            else:
                raise SystemExit(f"rank {guest} has left, and a copy to it went through")
            # The others work on.
            pool.put(b"work", pool.address())
            pool.barrier("everybody noticed")
            wait_for(events, guest, BmGroupEvent.JOIN_EVENT)
            print(f"rank {pool.rank}: rank {guest} is back, members {pool.members()}")
        pool.barrier("all are back")

        greeting = f"welcome, says rank {pool.rank}".encode()
        slot = place + 64 * pool.rank
        pool.put(greeting, slot)
        if pool.read(slot, len(greeting)) != greeting:
            raise SystemExit("MISMATCH: the greeting")
        pool.barrier("done")


def wait_for(events: "queue.Queue[tuple[int, BmGroupEvent]]", rank: int, event: BmGroupEvent) -> None:
    """Waits until `rank` is reported to have come or gone."""
    while events.get(timeout=TIMEOUT_S) != (rank, event):
        pass


if __name__ == "__main__":
    main()
