# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Three processes share a prefix cache, and one is killed. Each answers prompts that begin alike: results of one process for
a block of tokens are read by the others. Blocks have two copies, so that the death of a process costs none.

    python3 examples/prefix_cache.py
"""

import hashlib
import multiprocessing
import os
import signal
import socket
import time
from multiprocessing.connection import Connection

import mf_smem

TOKENS = 16  # in a block
BLOCK_BYTES = 64 << 10
PREFIX = list(range(20 * TOKENS))  # that all prompts begin with
DEADLINE_S = 60


def prompt_of(end: int) -> list[int]:
    """A prompt with the common prefix and an end of its own."""
    return [*PREFIX, *([end] * TOKENS)]


def keys_of(prompt: list[int]) -> list[bytes]:
    """A key for each whole block: a hash of all tokens up to its end."""
    digest, keys = hashlib.sha256(), []
    for first in range(0, len(prompt) - TOKENS + 1, TOKENS):
        digest.update(repr(prompt[first : first + TOKENS]).encode())
        keys.append(digest.digest())
    return keys


def compute(key: bytes) -> bytes:
    """Stands for the attention of a block: its result depends on all tokens up to there."""
    return key * (BLOCK_BYTES // len(key))


def answer(cache: mf_smem.Cache, prompt: list[int]) -> tuple[int, int]:
    """Reads the blocks that are there and computes the others; returns how many of each."""
    keys = keys_of(prompt)
    found = cache.count_prefix(keys)
    blocks = cache.get_many(keys[:found])
    for number, (key, block) in enumerate(zip(keys, blocks)):
        # Evicted meanwhile: from here on all is computed.
        if block is None:
            found = number
            break
        if block != compute(key):
            raise SystemExit(f"MISMATCH: block {number}")
    cache.put_many(keys[found:], [compute(key) for key in keys[found:]], replace=False)
    return found, len(keys) - found


def engine(url: str, rank: int, pipe: Connection) -> None:
    """A process that answers the prompts it is sent."""
    with mf_smem.Cache("16MiB", replicas=2, store_url=url, world_size=3, rank=rank) as cache:
        pipe.send(None)
        for prompt in iter(pipe.recv, None):
            pipe.send(answer(cache, prompt) if isinstance(prompt, list) else cache.count_prefix(keys_of(prompt_of(prompt))))


def main() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    context, pipes, processes = multiprocessing.get_context("spawn"), [], []
    for rank in range(3):
        ours, theirs = context.Pipe()
        processes.append(context.Process(target=engine, args=(url, rank, theirs), daemon=True))
        processes[-1].start()
        pipes.append(ours)
    for pipe in pipes:
        receive(pipe)

    def ask(rank: int, end: int) -> tuple[int, int]:
        pipes[rank].send(prompt_of(end))
        found, computed = receive(pipes[rank])
        print(f"rank {rank}: {found} blocks from the cache, {computed} computed")
        return found, computed

    if ask(2, 1000) != (0, 21) or ask(0, 1001) != (20, 1) or ask(1, 1002) != (20, 1):
        raise SystemExit("MISMATCH: the prefix is not shared")
    os.kill(processes[2].pid, signal.SIGKILL)
    processes[2].join()
    print("rank 2 was killed, which had computed the prefix")
    # The others notice, and each adds its values to the index again.
    end = time.monotonic() + DEADLINE_S
    for pipe in pipes[:2]:
        while count(pipe, 1000) < 21:
            if time.monotonic() > end:
                raise SystemExit("MISMATCH: the copies are gone, too")
            time.sleep(0.01)
    if ask(0, 1003) != (20, 1) or ask(1, 1000) != (21, 0):
        raise SystemExit("MISMATCH: the prefix is computed again")
    for pipe in pipes[:2]:
        pipe.send(None)
    for process in processes:
        process.join(DEADLINE_S)


def count(pipe: Connection, end: int) -> int:
    """Number of cached blocks of a prompt that a process finds."""
    pipe.send(end)
    return receive(pipe)


def receive(pipe: Connection):
    if not pipe.poll(DEADLINE_S):
        raise SystemExit("a process does not answer")
    return pipe.recv()


if __name__ == "__main__":
    main()
