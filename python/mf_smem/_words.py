# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Words of a pool that several ranks change: atomics, and signals behind data."""

from __future__ import annotations

import time
from typing import Literal, Union

from . import bm
from ._enums import AtomicOp, SignalOp
from ._errors import ErrorKind, TimedOutError, invalid
from ._types import Source

#: A type of words, by NumPy's name.
Word = Union[Literal["int32", "uint32"], Literal["int64", "uint64"]]

#: Bits, and whether the highest is a sign.
_WORDS = {"int32": (32, True), "uint32": (32, False), "int64": (64, True), "uint64": (64, False)}
_ATOMICS = {known.name.lower(): int(known) for known in AtomicOp}
_SIGNALS = {known.name.lower(): int(known) for known in SignalOp}
_COMPARISONS = ("==", "!=", ">", ">=", "<", "<=")
#: Pauses of a wait, in seconds: none at first, then longer ones.
_SPINS, _FIRST_PAUSE, _LONGEST_PAUSE = 200, 20e-6, 2e-3


class PoolWords:
    """Atomics and signals of a pool. All are **one-sided**, and block for an exchange where the word is on another host."""

    _memory: bm.BigMemory

    def atomic(
        self,
        address: int,
        op: Union[AtomicOp, str],
        value: int = 0,
        *,
        compare: int = 0,
        dtype: Word = "int64",
    ) -> int:
        """Changes the word at `address`, a multiple of its size, and returns its old value.

        op
            An `AtomicOp` or its name in lower case: ``"add"`` (wraps), ``"and"``, ``"or"``, ``"xor"``, ``"swap"``,
            ``"compare_swap"`` (becomes `value` where it equals `compare`), ``"fetch"``.
        dtype
            ``"int32"``, ``"uint32"``, ``"int64"`` or ``"uint64"``.

        There is one order of all atomics on a word, wherever the ranks are; in memory of an NPU not with what kernels do to it.
        Raises `InvalidParamError`, `NotConnectedError`, and `TimedOutError`, after which the word may be changed.
        """
        bits, is_signed = _word(dtype)
        number = _number(_ATOMICS, AtomicOp, op)
        old = self._memory.atomic(address, bits // 8, number, _unsigned(value, bits, dtype), _unsigned(compare, bits, dtype))
        return old - (1 << bits) if is_signed and old >> (bits - 1) else old

    def put_signal(
        self,
        source: Source | None,
        address: int,
        signal: int,
        value: int = 1,
        *,
        op: Union[SignalOp, str] = SignalOp.SET,
        dtype: Word = "int64",
    ) -> None:
        """Copies all bytes of `source` (see `Pool.put`; None: nothing) to `address`, then changes the word at the address
        `signal`, of the same rank: a rank that observes the signal, for example by `wait_signal`, also observes the data.

        op
            ``"set"``: the word becomes `value`; ``"add"``: it grows by it.

        Returns when both are visible. Raises what `Pool.put` and `atomic` do; the signal is unchanged then.
        """
        bits, _ = _word(dtype)
        number = _number(_SIGNALS, SignalOp, op)
        self._memory.put_signal(source, address, signal, bits // 8, number, _unsigned(value, bits, dtype))

    def wait_signal(
        self,
        address: int,
        value: int,
        *,
        compare: Literal["==", "!=", ">", ">=", "<", "<="] = ">=",
        timeout: float = 120.0,
        dtype: Word = "int64",
    ) -> int:
        """Waits until the word at `address`, usually one's own, compares so with `value`, and returns it: data put before
        the signal is then visible.

        Waits at most `timeout` seconds; Ctrl-C ends the wait. Raises `TimedOutError`, with the word's value.
        """
        if compare not in _COMPARISONS:
            raise invalid(f"wait_signal: compare must be one of {', '.join(_COMPARISONS)}, not {compare!r}")
        deadline = time.monotonic() + timeout
        spins, pause = _SPINS, _FIRST_PAUSE
        while True:
            now = self.atomic(address, AtomicOp.FETCH, dtype=dtype)
            if _holds(now, compare, value):
                return now
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimedOutError(
                    ErrorKind.TIMEOUT,
                    f"wait_signal: the word at {address:#x} is {now} and not {compare} {value} after {timeout:g} s: "
                    "its signaller has not arrived yet",
                )
            if spins > 0:
                spins -= 1
                continue
            time.sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_PAUSE)


def _holds(now: int, compare: str, value: int) -> bool:
    if "=" in compare and now == value:
        return compare != "!="
    return {"==": False, "!=": True, ">": now > value, ">=": now > value, "<": now < value, "<=": now < value}[compare]


def _word(dtype: str) -> tuple[int, bool]:
    try:
        return _WORDS[dtype]
    except (KeyError, TypeError):
        raise invalid(f"dtype must be one of {', '.join(_WORDS)}, not {dtype!r}") from None


def _unsigned(value: int, bits: int, dtype: str) -> int:
    """The bits of a value."""
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise invalid(f"{value} does not fit into a word of {dtype}")
    return value & ((1 << bits) - 1)


def _number(named: dict[str, int], kind: type[AtomicOp] | type[SignalOp], op: object) -> int:
    if isinstance(op, kind):
        return int(op)
    number = named.get(op) if isinstance(op, str) else None
    if number is None:
        raise invalid(f"op must be one of {', '.join(map(repr, named))}, not {op!r}")
    return number
