# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Removals of the connectors' cache: by this process, by another one, evictions, missed names, members that
leave; bulletins."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import ranks
from test_connectors import options, wait_until

pytest.importorskip("mf_connectors", reason="pip install ./python/connectors")


class Held:
    """A ledger and its watch; `lost` has the reported values."""

    def __init__(self, number: int, **more: Any) -> None:
        from mf_connectors._ledger import Ledger
        from mf_connectors._shared import Options, open_cache, open_removals
        from mf_connectors._watch import Watch

        self.options = Options.of({**options(number), **more})
        self.cache = open_cache(self.options)
        self.removals = open_removals(self.options)
        self.ledger: Ledger[str] = Ledger(self.cache)
        self.lost: list[str] = []
        self.watch = Watch(self.ledger, self.removals, self.lost.extend)

    def put(self, name: str, value: bytes = b"x") -> None:
        self.cache.put(name, value)
        self.watch.announce(lambda: self.ledger.add(name, name) and None)

    def wait_for_tick(self) -> None:
        """Waits until everything before has been seen."""
        seen: list[int] = []
        self.watch.announce(lambda: seen.append(1))
        wait_until(lambda: seen)
        self.watch.announce(lambda: seen.append(1))
        wait_until(lambda: len(seen) == 2)

    def close(self) -> None:
        from mf_connectors._shared import close_cache, close_removals

        self.watch.close()
        self.watch.close()
        close_removals(self.options)
        close_cache(self.options)


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held(59)
    yield made
    made.close()


_OTHER = """
import sys
from mf_connectors._shared import Options, close_cache, close_removals, open_cache, open_removals

options = Options.of({"store_url": sys.argv[1], "world_size": 2, "rank": 1, "contribution": "8MiB", "id": 59})
cache = open_cache(options)
if "watched" in sys.argv:
    open_removals(options)
for line in sys.stdin:
    verb, name = line.split()
    if verb == "put":
        cache.put(name, b"x")
    elif verb == "remove":
        cache.remove(name)
    else:
        for number in range(int(name)):
            cache.put(f"other {number}", bytes(1 << 18))
    print("done", flush=True)
if "watched" in sys.argv:
    close_removals(options)
close_cache(options)
"""


class Other:
    """Another process with the same cache."""

    def __init__(self, url: str, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _OTHER, url, *words], env=ranks.plain_environment(), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )

    def do(self, verb: str, name: str) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(verb, name, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n"

    def end(self) -> None:
        self.process.communicate(timeout=ranks.DEADLINE_S)
        assert self.process.returncode == 0


@pytest.fixture
def both() -> Iterator[tuple[Held, Other]]:
    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    # The first one comes in when the second is there.
    other = Other(url, "watched")
    made = Held(59, store_url=url, world_size=2)
    yield made, other
    if other.process.poll() is None:
        other.end()
    made.close()


def test_removals_of_this_process_are_reported_once(held: Held) -> None:
    for name in "abc":
        held.put(name)
    held.wait_for_tick()
    held.cache.remove("b")
    held.cache.remove("unknown")
    wait_until(lambda: held.lost == ["b"])
    held.wait_for_tick()
    assert held.lost == ["b"] and len(held.ledger) == 2


def test_removals_by_another_process_are_reported(both: tuple[Held, Other]) -> None:
    held, other = both
    other.do("put", "theirs")
    held.put("ours")
    held.put("kept")
    held.watch.announce(lambda: held.ledger.add("theirs", "theirs") and None)
    held.wait_for_tick()
    other.do("remove", "ours")
    wait_until(lambda: held.lost == ["ours"])
    other.do("remove", "theirs")
    wait_until(lambda: held.lost == ["ours", "theirs"])
    assert len(held.ledger) == 1


def test_evictions_by_another_process_are_reported(both: tuple[Held, Other]) -> None:
    held, other = both
    other.do("put", "theirs")
    held.watch.announce(lambda: held.ledger.add("theirs", "theirs") and None)
    held.wait_for_tick()

    def is_evicted() -> bool:
        other.do("fill", "100")
        return not held.cache.exists("theirs")

    wait_until(is_evicted)
    wait_until(lambda: held.lost == ["theirs"])


def test_a_malformed_bulletin_makes_the_ledger_ask(caplog: pytest.LogCaptureFixture) -> None:
    import mf_smem

    url = f"tcp://127.0.0.1:{ranks.free_port()}"
    # This process sends no names.
    other = Other(url)
    held = Held(59, store_url=url, world_size=2)
    held.put("ours")
    wait_until(lambda: 1 in held.removals.ranks)
    held.wait_for_tick()
    other.do("remove", "ours")
    with mf_smem.Store(url) as store:

        def is_reported() -> bool:
            store.set("mf-connectors/59/removed/another", b"\x01")
            return held.lost == ["ours"]

        wait_until(is_reported)
        store.delete_key("mf-connectors/59/removed/another")
    assert "malformed bulletin" in caplog.text
    other.end()
    held.close()


def test_values_lost_with_a_process_are_reported(both: tuple[Held, Other]) -> None:
    held, other = both
    theirs, ours = ([f"{whose}-{number}" for number in range(20)] for whose in ("theirs", "ours"))
    for name in theirs:
        other.do("put", name)
        held.watch.announce(lambda name=name: held.ledger.add(name, name) and None)
    # Their places in the index are with one process or the other.
    for name in ours:
        held.put(name)
    # The members were listed while both were there.
    wait_until(lambda: 1 in held.removals.ranks)
    other.process.kill()
    other.process.wait()
    wait_until(lambda: len(held.cache.members()) == 1)
    # Of their values some can be read as long as the memory is mapped.
    held.cache.remove("nothing")
    there = held.cache.exists_many([name for name in theirs])
    wait_until(lambda: len(held.lost) == there.count(False))
    assert sorted(held.lost) == sorted(name for name, is_there in zip(theirs, there) if not is_there)
    assert held.lost and all(held.cache.exists_many(ours)) and len(held.ledger) == 20 + there.count(True)


def test_evicted_values_are_reported(held: Held) -> None:
    names = [f"{number}" for number in range(100)]
    for name in names:
        held.put(name, bytes(1 << 18))
    assert held.cache.stats().evictions > 0
    there = [name for name in names if held.cache.exists(name)]
    wait_until(lambda: len(held.lost) == len(names) - len(there))
    assert sorted(held.lost + there) == sorted(names)


def test_missed_names_are_found_by_asking(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    # A watch with room for one name.
    held.cache.watch(1)
    names = [f"{number}" for number in range(50)]
    for name in names:
        held.put(name)
    held.wait_for_tick()
    # The thread does not read meanwhile.
    with held.removals._calling:
        for name in names[:40]:
            held.cache.remove(name)
    wait_until(lambda: len(held.lost) == 40)
    assert sorted(held.lost) == sorted(names[:40]) and len(held.ledger) == 10


def test_a_value_that_was_put_again_is_not_reported(held: Held) -> None:
    held.put("a")
    held.wait_for_tick()
    with held.removals._calling:
        held.cache.remove("a")
        held.put("a")
    held.wait_for_tick()
    assert held.lost == [] and len(held.ledger) == 1


def test_a_removal_before_the_announcement_is_reported(held: Held) -> None:
    held.cache.put("a", b"x")
    held.cache.remove("a")
    held.wait_for_tick()
    # A put on another thread announces late.
    held.watch.announce(lambda: held.ledger.add("a", "a") and None)
    wait_until(lambda: held.lost == ["a"])
    assert len(held.ledger) == 0
    # A value that was put meanwhile stays.
    held.cache.put("b", b"x")
    held.cache.remove("b")
    held.wait_for_tick()
    held.put("b")
    held.wait_for_tick()
    assert held.lost == ["a"] and len(held.ledger) == 1


def test_the_oldest_values_beyond_the_limit_count_as_lost() -> None:
    import mf_smem
    from mf_connectors._ledger import Ledger

    with mf_smem.Cache(**options(61)) as cache:
        ledger: Ledger[str] = Ledger(cache, most=3)
        for name in "abcd":
            cache.put(name, b"x")
            assert ledger.add(name, name.upper()) is None
        assert ledger.take_lost([]) == ["A"] and ledger.add("b", "again") == "B" and len(ledger) == 3
        assert ledger.discard("d") == "D" and ledger.discard("d") is None
        cache.remove("c")
        assert [lost for part in ledger.take_all_lost() for lost in part] == ["C"]
        ledger.clear()
        assert len(ledger) == 0


def test_an_announcement_beyond_the_limit_is_counted(
    held: Held, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("mf_connectors._watch._MOST", 2)
    with held.removals._calling:
        for name in "abcd":
            held.put(name)
    wait_until(lambda: len(held.ledger) == 2)
    assert "announcements of stored values were lost" in caplog.text


def test_bulletins_lose_nothing_unnoticed() -> None:
    """A reader that sees some of the bulletins has all names, or knows that it has not."""
    from mf_connectors._bulletin import Inbox, Outbox

    seed = 20261
    dice = random.Random(seed)
    for _ in range(300):
        outbox, inbox = Outbox(most_bytes=dice.choice([40, 400, 4000])), Inbox()
        sent: list[bytes] = []
        read: list[bytes] = []
        for _ in range(dice.randrange(1, 20)):
            names = [bytes([dice.randrange(256)]) * dice.randrange(1, 30) for _ in range(dice.randrange(8))]
            skipped = dice.random() < 0.1
            if skipped:
                outbox.skip()
            sent += names
            bulletin = outbox.bulletin(names)
            assert len(bulletin) <= 12 + 4000
            if dice.random() < 0.7:
                new, missed = inbox.read(bulletin)
                read += new
                if missed or skipped:
                    # The reader asks the cache for everything.
                    read = list(sent)
                assert read == sent, seed
            elif skipped:
                break
    for malformed in (b"", b"12345", bulletin[:-1] + b"", b"\0" * 8 + b"\1\0\0\0"):
        if malformed != bulletin:
            with pytest.raises(ValueError):
                Inbox().read(malformed)
