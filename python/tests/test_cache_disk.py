# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.Cache`` with a tier on disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import mf_smem
import pytest

WAIT_S = 30
#: More than twice what a contribution of 16 MiB keeps in memory.
KEYS = [f"value {number}" for number in range(600)]


def value(key: str) -> bytes:
    return (key.encode() + b".") * (65536 // (len(key) + 1))


def put_all(cache: mf_smem.Cache) -> None:
    """Puts all values, and again those that were evicted because the puts were faster than the disk."""
    end = time.monotonic() + WAIT_S
    while any([cache.put(key, value(key), replace=False) for key in KEYS]):
        assert time.monotonic() < end, cache.stats()


def got(cache: mf_smem.Cache, key: str) -> bytes:
    """Gets a value; one on disk comes once there is room in memory for it."""
    end = time.monotonic() + WAIT_S
    while (found := cache.get(key)) is None:
        assert time.monotonic() < end, (key, cache.stats())
    return found


@pytest.mark.parametrize("folders", ["one", "two"])
def test_more_values_than_memory_come_back(tmp_path: Path, folders: str) -> None:
    disk: Any = tmp_path / "a" if folders == "one" else [str(tmp_path / "a"), tmp_path / "b"]
    with mf_smem.Cache("16MiB", id=61, disk=disk, disk_bytes="128MiB") as cache:
        put_all(cache)
        assert all(key in cache for key in KEYS)
        assert all(got(cache, key) == value(key) for key in KEYS)
        stats = cache.stats()
        assert stats.disk is not None and stats.capacity_bytes < 600 << 16
        assert 0 < stats.disk.capacity_bytes <= 128 << 20 and stats.disk.values > 0
        assert stats.disk.bytes >= stats.disk.values << 16 and stats.disk.hits > 0 and stats.disk.demotions > 0
        assert stats.disk.faults == 0 and not stats.disk.is_off
        metrics = mf_smem.stats()["metrics"]
        hits, off = metrics["mf_cache_disk_hits"]["samples"], metrics["mf_cache_disk_off"]["samples"]
        assert hits[0]["labels"] == {"pool": "61"} and hits[0]["value"] > 0 and off[0]["value"] == 0
        found, memory = metrics["mf_cache_hits"]["samples"], metrics["mf_cache_memory_bytes"]["samples"]
        managed = metrics["mf_cache_memory_managed_bytes"]["samples"]
        assert found[0]["value"] >= hits[0]["value"] and 0 < memory[0]["value"] <= managed[0]["value"]
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["a", "b"][: 1 if folders == "one" else 2]
    assert all([part.name for part in folder.iterdir()] == ["rank-0"] for folder in tmp_path.iterdir())


def test_prefetched_values_come_into_memory(tmp_path: Path) -> None:
    with mf_smem.Cache("16MiB", id=61, disk=tmp_path, disk_bytes="128MiB") as cache:
        put_all(cache)
        before = cache.stats().disk
        keys: list[str | bytes] = [*KEYS, b"absent", b""]
        prefetch = cache.prefetch(keys, deadline=WAIT_S)
        assert prefetch.wait() and prefetch.wait(0) and prefetch.done()
        counts, after = prefetch.counts(), cache.stats().disk
        assert counts.keys == len(keys) and counts.dropped == 0, counts
        assert counts.present + counts.fetched + counts.missing + counts.failed == len(keys), counts
        assert counts.fetched > 0 and counts.missing >= 1 and counts.failed >= 1, counts
        assert before is not None and after is not None and after.promotions > before.promotions and after.hits == before.hits
        late = cache.prefetch(KEYS, deadline=0)
        assert late.done() and late.counts().dropped == len(KEYS) and "dropped=600" in repr(late)
        with pytest.raises(mf_smem.InvalidParamError, match="deadline must be 0 to 3600"):
            cache.prefetch(KEYS, deadline=3601)
    # The results outlive the cache.
    assert prefetch.counts() == counts


def test_closing_saves_values_for_the_next_start(tmp_path: Path) -> None:
    options: Any = {"id": 61, "disk": tmp_path, "disk_bytes": "64MiB"}
    with mf_smem.Cache("16MiB", **options) as cache:
        for key in KEYS[:50]:
            cache.put(key, value(key))
        with pytest.raises(mf_smem.InvalidParamError, match="save_seconds must be 0 to 3600"):
            cache.close(save=True, save_seconds=-1)
        other = mf_smem.Cache("16MiB", id=61)
        assert other.close(save=True) == 0 and not cache.closed
        assert cache.close(save=True, save_seconds=WAIT_S) == 50 and cache.closed
        assert cache.close(save=True) == 0
    with mf_smem.Cache("16MiB", **options) as cache:
        assert all(got(cache, key) == value(key) for key in KEYS[:50])
        assert cache.close(save=True, save_seconds=0) == 0
    with mf_smem.Cache("2MiB", id=61) as cache:
        assert cache.put("key", b"value") and cache.close(save=True) == 0


#: A process that saves at SIGTERM: with a handler of its own, which runs after, or without.
SAVING = """
import signal, sys, time
import mf_smem

def ends(number, frame):
    print("saved", cache.closed, flush=True)
    sys.exit(7)

if sys.argv[2] == "own":
    signal.signal(signal.SIGTERM, ends)
cache = mf_smem.Cache("16MiB", id=61, disk=sys.argv[1], disk_bytes="64MiB", **eval(sys.argv[3]))
cache.put("key", b"value")
print("ready", flush=True)
while True:
    signal.pause()
"""


@pytest.mark.parametrize("handler", ["own", "default"])
@pytest.mark.parametrize("by", ["argument", "setting"])
def test_sigterm_saves_and_then_does_as_before(tmp_path: Path, handler: str, by: str) -> None:
    options, named = ("{'save_on_sigterm': 30}", {}) if by == "argument" else ("{}", {"MF_CACHE_SAVE_ON_SIGTERM": "30"})
    with subprocess.Popen(
        [sys.executable, "-c", SAVING, str(tmp_path), handler, options], env={**os.environ, **named}, stdout=subprocess.PIPE, text=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.terminate()
        rest, _ = process.communicate(timeout=WAIT_S)
    assert (rest, process.returncode) == (("saved True\n", 7) if handler == "own" else ("", -signal.SIGTERM))
    with mf_smem.Cache("16MiB", id=61, disk=tmp_path, disk_bytes="64MiB") as cache:
        assert got(cache, "key") == b"value"


def test_a_cache_of_another_thread_does_not_save(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = signal.getsignal(signal.SIGTERM)

    def opens() -> None:
        with mf_smem.Cache("2MiB", id=61, save_on_sigterm=5):
            pass

    thread = threading.Thread(target=opens)
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGTERM) == before and "in the main thread" in caplog.text
    with pytest.raises(mf_smem.InvalidParamError, match="save_on_sigterm must be 0 to 3600"):
        mf_smem.Cache("2MiB", id=61, save_on_sigterm=-1)


def test_values_that_were_not_read_are_evicted(tmp_path: Path) -> None:
    with mf_smem.Cache("16MiB", id=61, disk=tmp_path, disk_bytes=64 << 20, disk_admission="reused") as cache:
        for key in KEYS:
            cache.put(key, value(key))
        stats = cache.stats()
        assert stats.disk is not None and stats.disk.admissions == 0 and stats.evictions > 0


def test_caches_without_disk_have_no_figures() -> None:
    with mf_smem.Cache("2MiB", id=61) as cache:
        assert cache.stats().disk is None


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"disk_bytes": "1MiB"}, "at least 16 MiB"),
        ({"disk_bytes": "much"}, "disk_bytes must be a number of bytes"),
        ({"disk_bytes": -1}, "must not be negative"),
        ({"disk": []}, "a folder or a list of folders"),
        ({"disk": ""}, "a folder or a list of folders"),
        ({"disk": "/tmp/a:/tmp/b"}, "must not contain a colon"),
        ({"disk_admission": "some"}, "'all' or 'reused'"),
        ({"disk": None, "disk_bytes": "1GiB"}, "MF_CACHE_DISK"),
        ({"contribution": 0}, "no tier on disk"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: dict[str, Any], text: str) -> None:
    given: dict[str, Any] = {"contribution": "2MiB", "id": 61, "disk": tmp_path, **options}
    with pytest.raises(mf_smem.InvalidParamError, match=text):
        mf_smem.Cache(**given)


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(mf_smem.Error, match="file"):
        mf_smem.Cache("2MiB", id=61, disk=tmp_path / "file", disk_bytes="16MiB")
