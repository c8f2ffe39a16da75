# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.Cache`` with a tier on disk."""

from __future__ import annotations

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
