# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Deterministic simulation of programs: ranks as coroutines over a simulated pool, store, cache, network and clock.

A seed decides every latency, reordering, pause and fault; the same seed gives the same run. A run that fails is shrunk to the fewest
choices that make it fail::

    async def program(rank):
        pool = await rank.open_pool(64)
        await rank.barrier()
        ...

    sim.World(2).explore(program)

A program awaits only methods of its `Rank` and of what that gives. It must not depend on clocks, threads, `random` or the order of a
set of texts: `explore` reports it if two runs of a seed differ.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Union

from . import _mf_smem
from ._errors import Error, invalid
from ._sim_handles import Cache, CacheLease, Call, Lease, Lock, Pool, Rank, Store, Task, nanoseconds

__all__ = ["Cache", "CacheLease", "Failure", "Lease", "Lock", "Pool", "Rank", "Run", "Store", "Task", "World"]

#: The program of a rank.
Program = Callable[[Rank], Awaitable[Any]]
#: Judges a run in which no rank has failed: raises, or returns False or a reason, if it is wrong.
Check = Callable[["Run"], Union[bool, str, None]]
_LISTED = 40


class Failure(AssertionError):
    """A failing run, shrunk. Its text has the reason, the seed, the choices and the trace."""

    def __init__(self, reason: str, seed: int, runs: int, trace: str, choices: int, shrunk: Run | None) -> None:
        #: Reason, with the rank.
        self.reason = reason
        #: Seed of the run that failed first: `World.run` repeats it.
        self.seed = seed
        #: Number of runs until the failure, this one included.
        self.runs = runs
        #: Trace of the run of this seed.
        self.trace = trace
        #: Number of choices before shrinking.
        self.choices = choices
        #: Shortest schedule that was found: `World.replay` runs it. Empty for a program that is not deterministic.
        self.schedule = shrunk.schedule if shrunk else ""
        #: Reason and trace of the shrunk run.
        self.shrunk_reason, self.shrunk_trace = (shrunk.failure or reason, shrunk.trace) if shrunk else (reason, trace)
        described = shrunk._driver.engine.choices() if shrunk else []
        lines = [f"seed {seed} fails: {reason}"]
        if shrunk:
            lines.append(f"shrunk from {choices} to {len(described)} choices: {self.shrunk_reason}")
        lines += [f"  {choice}" for choice in described[:_LISTED]]
        lines += [f"  and {len(described) - _LISTED} more"] if len(described) > _LISTED else []
        super().__init__("\n".join([*lines, f"schedule: {self.schedule}", self.shrunk_trace]))


class Run:
    """A run that is over."""

    def __init__(self, driver: _Driver) -> None:
        self._driver = driver
        engine = driver.engine
        #: Values of the programs that returned, by rank.
        self.returned: dict[int, Any] = driver.returned
        #: Ranks that died.
        self.died: list[int] = [rank for rank in range(driver.ranks) if engine.has_died(rank)]
        #: Reason if the run has failed, or None.
        self.failure: str | None = driver.failure
        #: Choices of the run, for `World.replay`.
        self.schedule: str = engine.schedule()
        #: Trace, one line an event; empty for runs of `World.explore`.
        self.trace: str = engine.trace()
        #: Simulated seconds that the run took.
        self.seconds: float = engine.now() / 1e9
        #: Dictionary of `Rank.shared`.
        self.shared: dict[str, Any] = driver.shared
        #: Exception that failed the run, or None.
        self.error: BaseException | None = driver.error

    def memory(self, rank: int) -> bytes | None:
        """Memory of `rank` at the end; None if it died or left the pool."""
        return self._driver.engine.memory(rank)

    def key(self, key: str) -> bytes | None:
        """Value of a key of the store at the end, or None."""
        return self._driver.engine.key(key)


@dataclasses.dataclass(frozen=True)
class World:
    """Description of a simulated job. Times are seconds, chances from 0 to 1. Every fault is off until it is named; each run scales the
    chances of a fault by 0, 1/4, 1 or 4, so that runs with few and with many are tried."""

    #: Number of ranks, 1 to 16,384.
    ranks: int
    #: Shortest and longest time of a message in one direction.
    latency: tuple[float, float] = (1e-6, 20e-6)
    #: Shortest and longest time from a call to its effect.
    step: tuple[float, float] = (0.1e-6, 2e-6)
    #: Chance that a message is delayed, and by at most how long.
    delays: tuple[float, float] = (0.0, 0.0)
    #: Chance that a message is lost, up to 4 times in a row, and after how long it is sent again.
    losses: tuple[float, float] = (0.0, 0.0)
    #: Chance that a task pauses before an operation, and for at most how long.
    stalls: tuple[float, float] = (0.0, 0.0)
    #: Most ranks that die, each before one of its first `death_steps` operations or shortly after.
    deaths: int = 0
    death_steps: int = 1024
    #: Ranks that may die or be cut off; empty: all.
    mortal: tuple[int, ...] = ()
    #: Most times that a rank is cut off from all others and the store, and for at most how long.
    cuts: tuple[int, float] = (0, 0.0)
    #: Most that the clock of a rank is fast.
    clock_skew: float = 0.0
    #: Time after which the store ends the session of a silent rank: MF_STORE_LEASE.
    session_lease: float = 5.0
    #: Deadline of operations that take none.
    request_limit: float = 60.0
    #: Simulated time, and number of events, at which a run ends; a program that is not done by then fails the run.
    horizon: float = 3600.0
    events: int = 10_000_000
    #: Most runs that shrinking takes; 0 turns it off.
    shrink_runs: int = 1000

    def __post_init__(self) -> None:
        self._native()

    def _native(self) -> _mf_smem.SimWorld:
        if not 1 <= self.ranks <= 16_384:
            raise invalid(f"ranks must be from 1 to 16384, not {self.ranks}")
        return _mf_smem.SimWorld(
            self.ranks,
            _span("latency", self.latency),
            _span("step", self.step),
            _rare("delays", self.delays),
            _rare("losses", self.losses),
            _rare("stalls", self.stalls),
            self.deaths,
            self.death_steps,
            list(self.mortal),
            (self.cuts[0], nanoseconds("the time of cuts", self.cuts[1])),
            nanoseconds("clock_skew", self.clock_skew),
            nanoseconds("session_lease", self.session_lease),
            nanoseconds("request_limit", self.request_limit),
            nanoseconds("horizon", self.horizon),
            self.events,
        )

    def run(self, program: Program, seed: int) -> Run:
        """Runs the program of each rank once, with the choices of `seed`, and traces it. The same program, world and seed give the
        same trace, byte for byte. The run has failed if a program raises, or does not return before the horizon."""
        return self._run(program, seed, "", True)

    def replay(self, program: Program, schedule: str) -> Run:
        """Runs the program of each rank once, with the choices of `schedule`, and traces it."""
        return self._run(program, None, schedule, True)

    def explore(self, program: Program, seeds: Iterable[int] = range(1000), check: Check | None = None) -> int:
        """Runs the program with each seed until a run fails or `check` refuses one; returns the number of runs. Raises `Failure`
        with the failing run, shrunk with at most `shrink_runs` further runs."""
        runs = 0
        for seed in seeds:
            runs += 1
            run = self._judged(program, check, seed, "", False)
            if run.failure is None:
                continue
            traced = self._judged(program, check, seed, "", True)
            if (traced.failure, traced.schedule) != (run.failure, run.schedule):
                reason = (
                    f"a run failed with {run.failure!r}, and {traced.failure or 'passed'!r} came when it was repeated: the program "
                    "depends on something that is not simulated (a clock, random numbers, the order of a set, values of earlier runs)"
                )
                raise Failure(reason, seed, runs, traced.trace, len(run.schedule.split()), None)
            raise self._shrunk(program, check, run, traced, seed, runs) from run.error
        return runs

    def _shrunk(self, program: Program, check: Check | None, run: Run, traced: Run, seed: int, runs: int) -> Failure:
        kind = type(run.error)

        def fails(schedule: str) -> str | None:
            candidate = self._judged(program, check, None, schedule, False)
            return candidate.schedule if candidate.failure and type(candidate.error) is kind else None

        shortest = _mf_smem.sim_shrink(run.schedule, self.shrink_runs, fails)
        shrunk = self._judged(program, check, None, shortest, True)
        return Failure(run.failure or "", seed, runs, traced.trace, len(run.schedule.split()), shrunk)

    def _judged(self, program: Program, check: Check | None, seed: int | None, schedule: str, tracing: bool) -> Run:
        run = self._run(program, seed, schedule, tracing)
        if run.failure is None and check is not None:
            try:
                verdict = check(run)
            except AssertionError as error:
                run.failure, run.error = f"check: {error}", error
            else:
                if verdict is False or isinstance(verdict, str):
                    run.failure = f"check: {verdict or 'it returned False'}"
        return run

    def _run(self, program: Program, seed: int | None, schedule: str, tracing: bool) -> Run:
        driver = _Driver(_mf_smem.SimEngine(self._native(), seed, schedule, tracing), self.ranks)
        driver.run(program)
        return Run(driver)


def _span(name: str, times: tuple[float, float]) -> tuple[int, int]:
    return nanoseconds(name, times[0]), nanoseconds(name, times[1])


def _rare(name: str, fault: tuple[float, float]) -> tuple[float, int]:
    chance, longest = fault
    if not 0 <= chance <= 1:
        raise invalid(f"the chance of {name} must be from 0 to 1, not {chance}")
    return chance, nanoseconds(f"the time of {name}", longest)


class _Driver:
    """Runs the coroutines of one run in the order of the engine."""

    def __init__(self, engine: _mf_smem.SimEngine, ranks: int) -> None:
        self.engine, self.ranks = engine, ranks
        self.shared: dict[str, Any] = {}
        self.returned: dict[int, Any] = {}
        self.failure: str | None = None
        self.error: BaseException | None = None
        self._bodies: dict[int, tuple[int, Coroutine[Any, Any, Any]]] = {}
        self._results: dict[int, Any] = {}

    def spawn(self, rank: int, body: Coroutine[Any, Any, Any]) -> int:
        task = self.engine.spawn(rank)
        self._bodies[task] = (rank, body)
        return task

    def result(self, task: int) -> Any:
        return self._results.get(task)

    def run(self, program: Program) -> None:
        for number in range(self.ranks):
            self._bodies[number] = (number, _coroutine(program, Rank(self, number)))
        try:
            self._run()
        finally:
            # Coroutines of dead and of unfinished ranks: their `finally` finds a world that stands still.
            for _, body in self._bodies.values():
                try:
                    body.close()
                except RuntimeError:
                    pass

    def _run(self) -> None:
        engine = self.engine
        while True:
            task, op, bound = engine.next()
            if task is None:
                break
            if task not in self._bodies:
                continue
            rank, body = self._bodies[task]
            self._advance(task, rank, body, op)
            if self.failure is not None:
                engine.note(rank, f"fails: {self.failure}")
                return
        for rank in range(self.ranks):
            if rank not in self.returned and not engine.has_died(rank):
                self.failure = (
                    f"rank {rank} did not return: it waits for {engine.waits_for(rank) or 'nothing'}; {bound or 'nothing more happens'}"
                )
                return

    def _advance(self, task: int, rank: int, body: Coroutine[Any, Any, Any], op: int | None) -> None:
        engine = self.engine
        try:
            try:
                value = None if op is None else engine.take(op)
            except Error as error:
                call = body.throw(error)
            else:
                call = body.send(value)
            if not isinstance(call, Call):
                raise TypeError(f"a simulated program awaited {call!r}; it can await only methods of its rank, pool, store and cache")
            engine.begin(call.rank, task, call.limit, call.name, call.arguments)
        except StopIteration as end:
            del self._bodies[task]
            self._results[task] = end.value
            if task < self.ranks:
                self.returned[task] = end.value
            engine.end_task(task)
        except Exception as error:  # noqa: BLE001 - of the program: it fails the run
            self.failure, self.error = f"rank {rank}: {type(error).__name__}: {error}", error


async def _coroutine(program: Program, rank: Rank) -> Any:
    return await program(rank)
