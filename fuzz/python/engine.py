# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a fuzz target that is written in Python, with the options of libFuzzer that scripts/fuzz uses.

    python3 fuzz/python/engine.py TARGET.py NEW CORPUS -max_total_time=10 -artifact_prefix=failed/
    python3 fuzz/python/engine.py TARGET.py -set_cover_merge=1 KEPT FROM…
    python3 fuzz/python/engine.py TARGET.py FILE…        # run inputs again

A target defines ``test_one_input(bytes)``, which raises on a defect, and ``COVERED``, the folder of the measured code. Inputs
that reach a line from another line than any before are kept, and become others. The seed of the dice is printed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import pathlib
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any

Edge = tuple[CodeType, int, int]

#: Longest input, in bytes, and the time that one may take, in seconds.
_BYTES, _SECONDS = 4096, 10


def load(path: pathlib.Path) -> ModuleType:
    """The target."""
    spec = importlib.util.spec_from_file_location("fuzz_target", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def edges(run: Callable[[bytes], None], data: bytes, folder: str) -> set[Edge]:
    """Runs an input; from which lines of the folder it went to which."""
    found: set[Edge] = set()

    def enter(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        del event, argument
        code = frame.f_code
        if not code.co_filename.startswith(folder):
            return None
        last = 0

        def step(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
            nonlocal last
            del event, argument
            found.add((code, last, frame.f_lineno))
            last = frame.f_lineno
            return step

        return step

    sys.settrace(enter)
    try:
        run(data)
    finally:
        sys.settrace(None)
    return found


def mutated(data: bytes, others: list[bytes], dice: random.Random) -> bytes:
    """An input that is like another one."""
    bytes_ = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        place, kind = dice.randint(0, len(bytes_)), dice.randint(0, 6)
        if kind == 0:
            bytes_.insert(place, dice.randrange(256))
        elif kind == 1:
            bytes_[place:place] = dice.choice(others)[: dice.randint(1, 64)]
        elif kind == 2:
            bytes_[place:] = dice.choice(others)[place:]
        elif kind == 3:
            del bytes_[place : place + dice.randint(1, 16)]
        elif place < len(bytes_):
            if kind == 4:
                bytes_[place] = dice.randrange(256)
            elif kind == 5:
                bytes_[place] = (bytes_[place] + dice.randint(-3, 3)) % 256
            else:
                bytes_[place] ^= 1 << dice.randrange(8)
    return bytes(bytes_[:_BYTES])


class Failed(Exception):
    """An input failed; it is in the file of this name."""


def _late(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise TimeoutError(f"an input takes more than {_SECONDS} s")


def attempt(target: ModuleType, data: bytes, artifacts: str) -> set[Edge]:
    """Runs an input; one that fails, or does not end, is written into a file."""
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(_SECONDS)
    try:
        return edges(target.test_one_input, data, str(target.COVERED))
    except Exception:
        traceback.print_exc()
        file = f"{artifacts}crash-{hashlib.sha1(data).hexdigest()}"
        pathlib.Path(file).write_bytes(data)
        raise Failed(file) from None
    finally:
        signal.alarm(0)


def inputs(places: list[str]) -> list[bytes]:
    """The files in folders, the short ones first."""
    files = (file for place in places for file in sorted(pathlib.Path(place).iterdir()) if file.is_file())
    return sorted((file.read_bytes() for file in files), key=len)


def keep(folder: str, data: bytes) -> None:
    """Writes an input into a folder, under its own hash."""
    pathlib.Path(folder, hashlib.sha1(data).hexdigest()).write_bytes(data)


def fuzz(target: ModuleType, folders: list[str], seconds: float, artifacts: str) -> int:
    """Makes inputs of those in the folders until the time is over; how many were run."""
    seed = time.time_ns()
    print(f"seed {seed}")
    dice, known, pool, runs = random.Random(seed), set[Edge](), list[bytes](), 0
    deadline = time.monotonic() + seconds
    for data in [*inputs(folders), b""]:
        known |= attempt(target, data, artifacts)
        pool.append(data)
    while time.monotonic() < deadline:
        data = mutated(dice.choice(pool), pool, dice)
        found, runs = attempt(target, data, artifacts), runs + 1
        if not found <= known:
            known |= found
            pool.append(data)
            keep(folders[0], data)
    return runs + len(pool)


def merge(target: ModuleType, into: str, folders: list[str]) -> None:
    """Selects inputs, short ones first, that reach a line which no earlier one has."""
    known = set[Edge]()
    for data in inputs(folders):
        found = attempt(target, data, "")
        if not found <= known:
            keep(into, data)
        known |= found


def main(arguments: list[str]) -> int:
    """The exit status."""
    options = dict(argument[1:].partition("=")[::2] for argument in arguments if argument.startswith("-"))
    path, *places = [argument for argument in arguments if not argument.startswith("-")]
    target = load(pathlib.Path(path).resolve())
    artifacts = options.get("artifact_prefix", "")
    try:
        if "set_cover_merge" in options:
            merge(target, places[0], places[1:])
        elif all(pathlib.Path(place).is_dir() for place in places):
            runs = fuzz(target, places, float(options.get("max_total_time", "10")), artifacts)
            print(f"stat::number_of_executed_units: {runs}")
        else:
            for place in places:
                attempt(target, pathlib.Path(place).read_bytes(), artifacts)
    except Failed as failure:
        print(f"an input failed: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
