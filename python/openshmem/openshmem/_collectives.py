# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Collective operations of a team's PEs.

A PE that refuses its arguments still makes the call, without arguments, so that the library reports it to the others,
which fail and name it instead of waiting.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from mf_smem import Error

from . import _functions, _life
from ._teams import TEAM_WORLD, Team
from ._types import OP, Symmetric

_function = _functions.function
_describe = _functions.describe

_BITS = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_ORDERED = _BITS | {"float", "double", "longdouble"}
_NUMBERS = _ORDERED | {"complexf", "complexd"}
#: The types of elements for which each operation exists.
_KINDS = {
    **dict.fromkeys(("and", "or", "xor"), _BITS),
    **dict.fromkeys(("max", "min"), _ORDERED),
    **dict.fromkeys(("sum", "prod"), _NUMBERS),
}
#: Types of as many bytes, for what only moves elements.
_MOVED = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64", 16: "longdouble"}

_cache: dict[str, Callable[..., Any]] = {}


def _c(name: str) -> Callable[..., Any]:
    found = _cache.get(name)
    if found is None:
        found = _cache[name] = _function(name)
    return found


class _Pair:
    """Target and source, checked: both on the heap, contiguous, of one type."""

    __slots__ = ("target", "room", "source", "count", "bytes", "kind")

    def __init__(self, target: Symmetric, source: Symmetric) -> None:
        self.target, self.room, self.bytes, self.kind = _describe("target", target)
        self.source, self.count, _, kind = _describe("source", source)
        if kind != self.kind:
            raise TypeError(f"target has elements of type {self.kind}, and source of type {kind}")

    def fits(self, given: int, taken: int) -> None:
        """Refuses so many elements in all that are read from the source, and written to the target."""
        if given > self.count:
            raise ValueError(f"source has {self.count} elements, and {given} are needed")
        if taken > self.room:
            raise ValueError(f"target has {self.room} elements, and {taken} come")


def _refused(name: str, handle: int, *more: int) -> None:
    """Says to the others that this PE makes no such call."""
    with contextlib.suppress(Error):
        _c(name)(handle, None, None, *more)


def _size(size: int | None, otherwise: int) -> int:
    if size is None:
        return otherwise
    if size < 0:
        raise ValueError(f"the size {size} is negative")
    return size


def sync_all() -> None:
    """Waits until all PEs have come here. **Collective.**"""
    _life.begun()
    _c("shmem_sync_all")()


def barrier_all() -> None:
    """Completes operations of the default context, and waits for all PEs. **Collective.**"""
    _life.begun()
    _functions.barrier_all()


def sync(team: Team | None = None) -> None:
    """Waits until all PEs of the team have come here. **Collective** over it."""
    (TEAM_WORLD if team is None else team).sync()


def broadcast(
    target: Symmetric, source: Symmetric, root: int, size: int | None = None, team: Team | None = None
) -> None:
    """Copies `size` elements of `source` of PE `root` of the team, or all, to `target` of all its PEs. **Collective** over the
    team."""
    handle = (TEAM_WORLD if team is None else team).handle
    try:
        pair = _Pair(target, source)
        count = _size(size, pair.count)
        pair.fits(count, count)
    except (TypeError, ValueError, Error):
        _refused("shmem_broadcastmem", handle, 1, root)
        raise
    _c("shmem_broadcastmem")(handle, pair.target, pair.source, count * pair.bytes, root)


def collect(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """Puts the first `size` elements of `source` of each PE, or all, one behind the other into `target` of all. Sizes may
    differ. **Collective** over the team."""
    handle = (TEAM_WORLD if team is None else team).handle
    try:
        pair = _Pair(target, source)
        count = _size(size, pair.count)
        pair.fits(count, count)
    except (TypeError, ValueError, Error):
        _refused("shmem_collectmem", handle, 1)
        raise
    _c("shmem_collectmem")(handle, pair.target, pair.source, count * pair.bytes)


def fcollect(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """As `collect`, with as many elements of each PE. **Collective** over the team."""
    of = TEAM_WORLD if team is None else team
    try:
        pair = _Pair(target, source)
        count = _size(size, pair.count)
        pair.fits(count, count * of.n_pes())
    except (TypeError, ValueError, Error):
        _refused("shmem_fcollectmem", of.handle, 1)
        raise
    _c("shmem_fcollectmem")(of.handle, pair.target, pair.source, count * pair.bytes)


def alltoall(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """Copies block j of `source` of PE i into block i of `target` of PE j; each has `size` elements, or an equal share of all.
    **Collective** over the team."""
    of = TEAM_WORLD if team is None else team
    try:
        pair, pes = _Pair(target, source), of.n_pes()
        count = _share(pair.count, pes) if size is None else _size(size, 0)
        pair.fits(count * pes, count * pes)
    except (TypeError, ValueError, Error):
        _refused("shmem_alltoallmem", of.handle, 1)
        raise
    _c("shmem_alltoallmem")(of.handle, pair.target, pair.source, count * pair.bytes)


def _share(count: int, pes: int) -> int:
    if count % pes:
        raise ValueError(f"source has {count} elements, which does not divide into {pes} equal parts; give a size")
    return count // pes


def alltoalls(
    target: Symmetric,
    source: Symmetric,
    tst: int = 1,
    sst: int = 1,
    size: int | None = None,
    team: Team | None = None,
) -> None:
    """As `alltoall`, of elements that are `tst` and `sst` apart. **Collective** over the team."""
    of = TEAM_WORLD if team is None else team
    try:
        pair, pes = _Pair(target, source), of.n_pes()
        if tst < 1 or sst < 1:
            raise ValueError(f"the strides {tst} and {sst} are not 1 at least")
        if pair.bytes not in _MOVED:
            raise TypeError(f"elements of type {pair.kind} have no alltoall with strides")
        count = _share(-(-pair.count // sst), pes) if size is None else _size(size, 0)
        last = max(count * pes - 1, -1)
        pair.fits(last * sst + 1 if last >= 0 else 0, last * tst + 1 if last >= 0 else 0)
    except (TypeError, ValueError, Error):
        _refused("shmem_uint8_alltoalls", of.handle, 1, 1, 1)
        raise
    _c(f"shmem_{_MOVED[pair.bytes]}_alltoalls")(of.handle, pair.target, pair.source, tst, sst, count)


def reduce(
    target: Symmetric,
    source: Symmetric,
    op: OP | str = OP.SUM,
    size: int | None = None,
    team: Team | None = None,
) -> None:
    """Combines the first `size` elements of `source` of all PEs, or all, one by one into `target` of all. Equal on all PEs, and
    from run to run. **Collective** over the team."""
    name = OP(op).value
    _combine(f"{name}_reduce", _KINDS[name], target, source, size, team)


def _combine(
    what: str,
    kinds: frozenset[str],
    target: Symmetric,
    source: Symmetric,
    size: int | None,
    team: Team | None,
) -> None:
    handle = (TEAM_WORLD if team is None else team).handle
    try:
        pair = _Pair(target, source)
        # As numbers they are 0 and 1.
        kind = "uint8" if pair.kind == "bool" and kinds is _BITS else pair.kind
        if kind not in kinds:
            raise TypeError(f"there is no {what} for elements of type {kind}; there is one for {', '.join(sorted(kinds))}")
        count = _size(size, pair.count)
        pair.fits(count, count)
    except (TypeError, ValueError, Error):
        _refused(f"shmem_uint8_{what}", handle, 1)
        raise
    _c(f"shmem_{kind}_{what}")(handle, pair.target, pair.source, count)


def and_reduce(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """`reduce` by the bits' and. **Collective** over the team."""
    _combine("and_reduce", _BITS, target, source, size, team)


def or_reduce(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """`reduce` by the bits' or. **Collective** over the team."""
    _combine("or_reduce", _BITS, target, source, size, team)


def xor_reduce(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """`reduce` by the bits' exclusive or. **Collective** over the team."""
    _combine("xor_reduce", _BITS, target, source, size, team)


def max_reduce(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """`reduce` to the largest. **Collective** over the team."""
    _combine("max_reduce", _ORDERED, target, source, size, team)


def min_reduce(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """`reduce` to the smallest. **Collective** over the team."""
    _combine("min_reduce", _ORDERED, target, source, size, team)


def sum_reduce(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """`reduce` by addition. **Collective** over the team."""
    _combine("sum_reduce", _NUMBERS, target, source, size, team)


def prod_reduce(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """`reduce` by multiplication. **Collective** over the team."""
    _combine("prod_reduce", _NUMBERS, target, source, size, team)


def sum_inscan(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """Adds the sources of all PEs up to this one, and of this one, into `target`. **Collective** over the team."""
    _combine("sum_inscan", _NUMBERS, target, source, size, team)


def sum_exscan(target: Symmetric, source: Symmetric, size: int | None = None, team: Team | None = None) -> None:
    """Adds the sources of all PEs before this one into `target`. **Collective** over the team."""
    _combine("sum_exscan", _NUMBERS, target, source, size, team)
