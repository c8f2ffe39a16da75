# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Calls `memfabric_hybrid.offload`, the released or ours, and prints each result as a line: driver.py [FOLDER]. FOLDER has the
package; without it the installed one is used. Addresses count from the start of the pool. As a rank of two (RANK is set) the
pool is shared, else local.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import random
import sys
from array import array
from typing import Any

if len(sys.argv) > 1:
    sys.path.insert(0, sys.argv[1])

acl = ctypes.CDLL("libascendcl.so")
RANK = os.environ.get("RANK")
acl.aclrtSetDevice(ctypes.c_int32(int(RANK or 0)))

import memfabric_hybrid  # noqa: E402
from memfabric_hybrid import offload  # noqa: E402

GIB = 1 << 30
memfabric_hybrid.set_log_level(3)
chance = random.Random(7)


class Device:
    """A device as torch describes it."""

    type = "npu"

    def __init__(self, index: object) -> None:
        self.index = index


class Tensor:
    """A list in memory of the pool, which kernels reach."""

    def __init__(self, values: array[int]) -> None:
        self.address = offload.malloc(max(values.itemsize * len(values), 16))
        self.values = values
        ctypes.memmove(self.address, values.tobytes(), values.itemsize * len(values))

    def data_ptr(self) -> int:
        """As torch's."""
        return self.address

    def numel(self) -> int:
        """As torch's."""
        return len(self.values)


def say(what: str, result: object) -> None:
    print(f"result {what}: {result}", flush=True)


def outcome(call: Any, *arguments: object) -> object:
    """The result of a call, or the type of its exception."""
    try:
        return call(*arguments)
    except Exception as error:
        return type(error).__name__


def config(**fields: object) -> Any:
    made = offload.OffloadConfig()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def filled(nbytes: int) -> int:
    """A block with random bytes."""
    block = offload.malloc(nbytes)
    ctypes.memmove(block, chance.randbytes(nbytes), nbytes)
    return block


def digest(block: int, nbytes: int) -> str:
    acl.aclrtSynchronizeStream(None)
    return hashlib.sha256(ctypes.string_at(block, nbytes)).hexdigest()[:16]


def fields() -> None:
    for name in ("device_id", "reserve_size", "alloc_size", "world_size", "rank_id", "flags", "local_world_size", "scene", "store_url"):
        say(f"default of {name}", str(getattr(offload.OffloadConfig(), name)))
        for value in (-1, 1 << 64, 1 << 32, 1.5, "x", None, True, b"y", "z" * 63, "z" * 64, offload.Scene.SHARED):
            # A number that the type holds is taken from a member of an enumeration, too.
            say(f"{name} = {value!r:.20}", outcome(setattr, offload.OffloadConfig(), name, value))
    say("unknown field", outcome(setattr, offload.OffloadConfig(), "size", 1))
    say("keyword", outcome(lambda: offload.OffloadConfig(device_id=1)))
    say("scene", [str(offload.Scene(1)), repr(offload.SHARED), int(offload.LOCAL), offload.SHARED == 1, hash(offload.SHARED)])
    say("members", sorted(offload.Scene.__members__))


def refusals() -> None:
    say("malloc without a pool", offload.malloc(8))
    say("free without a pool", offload.free(8))
    say("get_dva without a pool", offload.get_dva(8))
    say("uninitialize without a pool", offload.uninitialize())
    say("table without a pool", offload.register_entry_table(8, 8))
    for wrong in (
        {}, {"reserve_size": 2 * GIB, "alloc_size": GIB}, {"reserve_size": GIB}, {"device_id": 9, "reserve_size": GIB, "alloc_size": GIB},
        {"scene": offload.SHARED, "reserve_size": GIB}, {"scene": offload.SHARED, "reserve_size": GIB, "world_size": 2, "rank_id": 2},
        {"scene": offload.SHARED, "reserve_size": GIB, "world_size": 4, "local_world_size": 3},
        {"scene": offload.SHARED, "reserve_size": GIB, "alloc_size": 2 * GIB, "world_size": 1},
    ):
        say(f"initialize {wrong}", offload.initialize(config(**wrong)))
    say("initialize(None)", outcome(offload.initialize, None))


def blocks(base: int) -> None:
    held: dict[int, int] = {}
    for turn in range(600):
        if held and chance.random() < 0.45:
            block = chance.choice(sorted(held))
            held.pop(block)
            offload.free(block)
        else:
            size = chance.choice([0, 1, 15, 16, 17, 100, 4096, 1 << 20, 1 << 28, GIB])
            block = offload.malloc(size)
            say(f"malloc {turn}", block - base if block else 0)
            if block:
                held[block] = size
    for block in held:
        offload.free(block)
    for wrong in (-1, 1.5, "x", None, 1 << 64):
        say(f"malloc({wrong!r})", outcome(offload.malloc, wrong))
        say(f"get_dva({wrong!r})", outcome(offload.get_dva, wrong))
    for at in (base, base + 1, base + GIB - 1, base + GIB, base - 1, 0):
        found = offload.get_dva(at)
        say(f"get_dva {at - base if at else 'null'}", found - base if found else 0)


def copies(npu: Device) -> None:
    size = 1 << 16
    for turn in range(40):
        source, target, count = filled(size), filled(size), chance.randrange(30)
        lengths = [chance.choice([0, 1, 31, 64, 1000, 2000]) for _ in range(count)]
        of = [source + chance.randrange(size - 2000) for _ in range(count)]
        to = [target + 2048 * number for number in range(count)]
        lists = [Tensor(array("Q", [*values, 5])) for values in (of, to)]
        pieces, number = Tensor(array("I", [*lengths, 5])), Tensor(array("I", [count]))
        say(f"sparse_copy {turn}", outcome(offload.sparse_copy, *lists, pieces, number, npu))
        say("content", digest(target, size))
        groups, packed = [chance.randrange(-1, 3) for _ in range(count)], array("q", [chance.randrange(1, 99) for _ in range(40)])
        after = Tensor(packed)
        arguments = (*lists, pieces, number, Tensor(array("q", [*groups, 1])), after, npu)
        say(f"group_pack_copy {turn}", outcome(offload.group_pack_copy, *arguments))
        say("content", [digest(target, size), digest(after.address, 8 * len(packed))])
        pages, tokens, layers, width = chance.randrange(5), chance.randrange(1, 4), chance.randrange(1, 4), chance.randrange(1, 200)
        places = []
        for _ in range(2):
            order = chance.sample(range(8), 8)[:pages]
            places.append(Tensor(array("q", [page * tokens + token for page in order for token in range(tokens)] or [0])))
        head = [1, pages, tokens, chance.choice([1, 2]), places[0].address, places[1].address, 0, 0]
        component = [source, target, 8 * width, width, layers * width, width, width, 0, layers]
        meta = Tensor(array("q", head + component))
        say(f"kv_exchange_copy {turn}", outcome(offload.kv_exchange_copy, meta, npu))
        say("content", [digest(source, size), digest(target, size)])
    for index in (None, -1, 70000, "0"):
        say(f"device {index!r}", outcome(offload.sparse_copy, *lists, pieces, number, Device(index)))
    say("no tensor", outcome(offload.sparse_copy, 1, *lists[1:], pieces, number, npu))


def local() -> None:
    fields()
    refusals()
    say("initialize", offload.initialize(config(reserve_size=GIB, alloc_size=GIB // 2)))
    base = offload.malloc(GIB)
    say("base", [base % 16, offload.malloc(1)])
    offload.free(base)
    say("again", offload.initialize(config(scene=offload.SHARED)))
    blocks(base)
    copies(Device(0))
    say("table in a local pool", offload.register_entry_table(8, 8))
    say("uninitialize", [offload.uninitialize(), offload.uninitialize()])
    say("with flags", offload.initialize(config(reserve_size=GIB, alloc_size=GIB, flags=0xFE)))
    say("the same base", offload.malloc(8) == base)
    offload.uninitialize()


def shared(me: int) -> None:
    url = "tcp://127.0.0.1:" + os.environ["MASTER_PORT"]
    made = config(scene=offload.SHARED, reserve_size=2 * GIB, alloc_size=GIB, world_size=2, rank_id=me, store_url=url, device_id=me)
    say("initialize", offload.initialize(made))
    own = offload.malloc(1 << 20)
    base = own - me * 2 * GIB
    say("base", own == base + me * 2 * GIB)
    for at in (own, own + GIB - 1, own + GIB, base + (1 - me) * 2 * GIB):
        found = offload.get_dva(at)
        say(f"get_dva {at - own}", found - own if found else 0)
    for table in ((0, 1), (65537, 1), (8, 0), (65536, 1 << 15), (100, 700), (100, 700)):
        say(f"table {table}", offload.register_entry_table(*table))
    content = random.Random(me).randbytes(1 << 19)
    flags, target = own + (1 << 19), offload.malloc(1 << 17)
    ctypes.memmove(own, content, len(content))
    meet(base, flags - own, 1)
    for turn in range(20):
        count = chance.randrange(40)
        ids = Tensor(array("Q", [chance.randrange(1400) for _ in range(count)] + [3]))
        ctypes.memset(target, 0, 1 << 17)
        say(f"entry_gather {turn}", offload.entry_gather(target, ids, Tensor(array("I", [count])), Device(me)))
        say("content", digest(target, 1 << 17))
    meet(base, flags - own, 2)
    say("uninitialize", offload.uninitialize())


def meet(base: int, offset: int, turn: int) -> None:
    """Waits until both ranks have written the turn into their slots, with the job's number: fresh memory may have the words of
    an earlier job."""
    import time

    until, first = time.monotonic() + 60, 4 * int(os.environ["MASTER_PORT"])
    words = [ctypes.c_uint32.from_address(base + rank * 2 * GIB + offset) for rank in range(2)]
    words[int(RANK or 0)].value = first + turn
    while any(word.value not in range(first + turn, first + 4) for word in words):
        assert time.monotonic() < until, "the other rank is missing"


if RANK is None:
    local()
else:
    shared(int(RANK))
