# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.LastTier``: a folder or an object store below a cache."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mf_smem
import pytest
from mf_smem.last_tier import LastTier

WAIT_S = 30.0
KEYS = [f"value {number}" for number in range(40)]


def value(key: str) -> bytes:
    return (key.encode() + b".") * (65536 // (len(key) + 1))


class NotFound(Exception):
    """As opendal names it."""


@dataclasses.dataclass
class Length:
    content_length: int


class Objects:
    """An operator over a dictionary, with faults."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.fault: Exception | None = None
        #: Calls wait for it.
        self.open = threading.Event()
        self.open.set()
        self.writes = 0

    def __str__(self) -> str:
        return "a dictionary"

    def _enter(self) -> None:
        assert self.open.wait(WAIT_S)
        if self.fault is not None:
            raise self.fault

    def exists(self, path: str) -> bool:
        self._enter()
        return path in self.objects

    def stat(self, path: str) -> Length:
        self._enter()
        if path not in self.objects:
            raise NotFound(path)
        return Length(len(self.objects[path]))

    def read(self, path: str) -> bytes:
        self._enter()
        return self.objects[path]

    def write(self, path: str, data: bytes) -> None:
        self._enter()
        self.writes += 1
        self.objects[path] = data

    def delete(self, path: str) -> None:
        self._enter()
        self.objects.pop(path, None)


@pytest.fixture
def cache() -> Iterator[mf_smem.Cache]:
    with mf_smem.Cache("16MiB", id=61) as cache:
        yield cache


@pytest.fixture
def objects() -> Objects:
    return Objects()


def filled(cache: mf_smem.Cache, tier: LastTier) -> None:
    """Puts all values, and loses them from the cache once the store has them."""
    for key in KEYS:
        tier.put(key, value(key))
    assert tier.flush(WAIT_S)
    cache.clear()


@pytest.mark.parametrize("target", ["path", "text", "service", "url"])
def test_values_outlive_the_cache_in_a_folder(tmp_path: Path, target: str) -> None:
    opendal = pytest.importorskip("opendal", reason="pip install opendal")
    assert opendal.Operator
    targets: dict[str, tuple[Any, dict[str, str]]] = {
        "path": (tmp_path, {}),
        "text": (str(tmp_path), {}),
        "service": ("fs", {"root": str(tmp_path)}),
        "url": (f"fs://{tmp_path}", {}),
    }
    where, options = targets[target]
    with mf_smem.Cache("16MiB", id=61) as cache, LastTier(cache, where, **options) as tier:
        filled(cache, tier)
    with mf_smem.Cache("16MiB", id=61) as cache, LastTier(cache, where, **options) as tier:
        assert tier.count_prefix([*KEYS, "other"]) == len(KEYS)
        assert tier.exists_many([KEYS[3], "other"]) == [True, False]
        assert tier.get(KEYS[0]) == value(KEYS[0]) == cache.get(KEYS[0])
        assert tier.get_many([*KEYS, "other"]) == [*map(value, KEYS), None]
        assert tier.remove(KEYS[1]) and KEYS[1] not in tier and tier.get(KEYS[1]) is None
        stats = tier.stats()
        assert (stats.hits, stats.writes, stats.faults, stats.damaged) == (len(KEYS), 0, 0, 0)


def test_values_come_into_buffers(cache: mf_smem.Cache, objects: Objects) -> None:
    with LastTier(cache, objects) as tier:
        filled(cache, tier)
        outs = [bytearray(65536) for _ in range(3)]
        assert tier.get_many_into([KEYS[0], "other", KEYS[2]], outs) == [len(value(KEYS[0])), None, len(value(KEYS[2]))]
        assert outs[2].startswith(value(KEYS[2]))
        with pytest.raises(mf_smem.InvalidParamError):
            tier.get_into(KEYS[3], bytearray(10))


def test_values_that_find_no_room_in_the_cache_are_returned(objects: Objects) -> None:
    with mf_smem.Cache("16MiB", id=61) as cache, LastTier(cache, objects) as tier:
        tier.put("large", bytes(3 << 20))
        assert tier.flush(WAIT_S)
    with mf_smem.Cache("2MiB", id=61) as cache, LastTier(cache, objects) as tier:
        assert tier.get("large") == bytes(3 << 20) and "large" not in cache
        out = bytearray(4 << 20)
        assert tier.get_into("large", out) == 3 << 20
        with pytest.raises(mf_smem.InvalidParamError, match="the value 3145728"):
            tier.get_into("large", bytearray(10))


def test_values_are_written_once(cache: mf_smem.Cache, objects: Objects) -> None:
    with LastTier(cache, objects) as tier:
        for _ in range(3):
            tier.put_many(KEYS, [value(key) for key in KEYS])
            assert tier.flush(WAIT_S)
        assert objects.writes == tier.stats().writes == len(KEYS)
        assert not tier.put(KEYS[0], b"", replace=False)


@pytest.mark.parametrize("damage", ["bit", "short", "long", "empty", "another"])
def test_damaged_objects_are_misses_and_written_again(
    cache: mf_smem.Cache, objects: Objects, damage: str
) -> None:
    with LastTier(cache, objects, max_value="1MiB") as tier:
        filled(cache, tier)
        path = tier._sealing.path(KEYS[0].encode())
        good = objects.objects[path]
        objects.objects[path] = {
            "bit": good[:-1] + bytes([good[-1] ^ 1]),
            "short": good[:-1],
            "long": good + bytes(2 << 20),
            "empty": b"",
            "another": objects.objects[tier._sealing.path(KEYS[1].encode())],
        }[damage]
        assert tier.get(KEYS[0]) is None and tier.stats().damaged == 1
        tier.put(KEYS[0], value(KEYS[0]))
        assert tier.flush(WAIT_S) and objects.objects[path] == good


def test_objects_of_another_secret_are_not_found(cache: mf_smem.Cache, objects: Objects) -> None:
    with LastTier(cache, objects, secret="one") as tier:
        filled(cache, tier)
        forged = dict(objects.objects)
    with LastTier(cache, objects, secret=b"two") as tier:
        assert tier.get(KEYS[0]) is None and KEYS[0] not in tier
        # Under its name, too.
        objects.objects[tier._sealing.path(KEYS[0].encode())] = next(iter(forged.values()))
        assert tier.get(KEYS[0]) is None and tier.stats().damaged == 1
    with LastTier(cache, objects, secret="one") as tier:
        assert tier.get(KEYS[0]) == value(KEYS[0])


def test_secret_of_the_job_is_the_default(
    cache: mf_smem.Cache, objects: Objects, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with LastTier(cache, objects, secret="of the job") as tier:
        filled(cache, tier)
    file = tmp_path / "secret"
    file.write_text("of the job\n")
    monkeypatch.setenv("MF_JOB_SECRET_FILE", str(file))
    with LastTier(cache, objects) as tier:
        assert KEYS[0] in tier
    file.write_text("\n")
    with pytest.raises(mf_smem.InvalidParamError, match="is empty"):
        LastTier(cache, objects)
    monkeypatch.setenv("MF_JOB_SECRET_FILE", str(tmp_path / "absent"))
    with pytest.raises(mf_smem.InvalidParamError, match="No such file"):
        LastTier(cache, objects)


def test_store_that_fails_is_switched_off(
    cache: mf_smem.Cache, objects: Objects, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mf_smem.last_tier._OFF_S", 0.5)
    with LastTier(cache, objects) as tier, caplog.at_level(logging.WARNING, "mf_smem"):
        filled(cache, tier)
        objects.fault = OSError("no route\nand more")
        assert tier.get_many(KEYS) == [None] * len(KEYS)
        stats = tier.stats()
        assert stats.is_off and stats.faults > 0
        assert tier.exists_many(KEYS) == [False] * len(KEYS)
        with pytest.raises(mf_smem.Error, match="no route"):
            tier.remove(KEYS[0])
        # The cache goes on.
        assert tier.put("new", b"1") and tier.get("new") == b"1"
        assert len(caplog.records) == 1 and "off for" in caplog.text and "and more" not in caplog.text
        objects.fault = None
        assert tier.flush(WAIT_S)
        assert tier.get(KEYS[5]) == value(KEYS[5]) and not tier.stats().is_off


def test_store_that_hangs_is_a_miss_after_the_timeout(cache: mf_smem.Cache, objects: Objects) -> None:
    tier = LastTier(cache, objects, timeout=0.2, readers=1)
    filled(cache, tier)
    objects.open.clear()
    assert tier.get_many(KEYS[:10]) == [None] * 10
    stats = tier.stats()
    assert stats.is_off and stats.faults >= 1 and stats.misses == 10
    tier.put("new", b"1")
    with pytest.raises(mf_smem.TimedOutError):
        tier.remove(KEYS[0])
    assert not tier.flush(0.1)
    tier.close()
    assert tier.stats().drops >= 1
    objects.open.set()


def test_puts_beyond_the_queue_are_dropped(cache: mf_smem.Cache, objects: Objects) -> None:
    tier = LastTier(cache, objects, queue=4, writers=1, timeout=0.1)
    objects.open.clear()
    for key in KEYS:
        assert tier.put(key, value(key))
    assert tier.stats().queued == 4 and tier.stats().drops >= len(KEYS) - 5
    objects.open.set()
    assert tier.flush(WAIT_S)
    tier.close()


def test_removal_waits_for_the_write_under_way(cache: mf_smem.Cache, objects: Objects) -> None:
    with LastTier(cache, objects) as tier:
        objects.open.clear()
        tier.put("key", b"value")
        timer = threading.Timer(0.1, objects.open.set)
        timer.start()
        assert tier.remove("key")
        timer.join()
        assert objects.objects == {} and tier.get("key") is None


@pytest.mark.parametrize(
    ("target", "options", "text"),
    [
        ("/tmp", {"readers": 0}, "readers must be 1 to 64"),
        ("/tmp", {"writers": 65}, "writers must be 1 to 64"),
        ("/tmp", {"queue": 0}, "queue must be at least 1"),
        ("/tmp", {"timeout": 0}, "timeout must be more than 0"),
        ("/tmp", {"max_value": "much"}, "max_value must be"),
        (Objects(), {"root": "/tmp"}, "has its settings already: root"),
        ("no-service", {}, "scheme is not registered"),
        ("fs", {}, "root is not specified"),
    ],
)
def test_bad_arguments_are_refused(cache: mf_smem.Cache, target: Any, options: dict[str, Any], text: str) -> None:
    if isinstance(target, str):
        pytest.importorskip("opendal", reason="pip install opendal")
    with pytest.raises(mf_smem.InvalidParamError, match=text):
        LastTier(cache, target, **options)


def test_missing_package_is_named(cache: mf_smem.Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opendal", None)
    with pytest.raises(ModuleNotFoundError, match="pip install opendal"):
        LastTier(cache, "/tmp")


def test_names_show_the_place(cache: mf_smem.Cache, objects: Objects) -> None:
    tier = LastTier(cache, objects)
    assert repr(tier) == "<mf_smem.LastTier at a dictionary, on>"
    tier.close()
    tier.close()
    assert repr(tier).endswith("closed>")
    with pytest.raises(TypeError, match="cannot be copied"):
        __import__("copy").copy(tier)
