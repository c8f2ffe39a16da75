# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.Cache``: values in pieces, leases of reads, events."""

from __future__ import annotations

import os
from collections.abc import Iterator

import mf_smem
import pytest


@pytest.fixture(scope="module")
def cache() -> Iterator[mf_smem.Cache]:
    """A cache of this process alone."""
    with mf_smem.Cache("16MiB") as opened:
        yield opened


def test_value_is_read_in_other_pieces_than_it_was_put(cache: mf_smem.Cache) -> None:
    value = os.urandom(300)
    assert cache.put_pieces("pieces", [value[:100], b"", bytearray(value[100:])])
    assert cache.get("pieces") == value
    outs = [bytearray(150), bytearray(150), bytearray(9)]
    assert cache.get_pieces("pieces", outs) == 300 and b"".join(outs) == value + bytes(9)
    with pytest.raises(mf_smem.InvalidParamError, match="larger than the buffer"):
        cache.get_pieces("pieces", outs[:1])
    assert not cache.put_pieces("pieces", [b"x"], replace=False) and cache.put_pieces("none", []) and cache.get("none") == b""
    assert cache.get_pieces("absent", outs) is None


def test_parts_are_read_by_offset(cache: mf_smem.Cache) -> None:
    cache.put("parts", b"abcdefgh")
    outs = [bytearray(2), bytearray(3)]
    assert cache.get_ranges("parts", outs, [6, 0]) == 8 and outs == [b"gh", b"abc"]
    assert cache.get_ranges("absent", outs, [0, 0]) is None
    for offsets in ([7, 0], [2**64 - 1, 0]):
        with pytest.raises(mf_smem.InvalidParamError, match="not in the value"):
            cache.get_ranges("parts", outs, offsets)
    with pytest.raises(mf_smem.InvalidParamError, match="2 buffers and 1 offsets"):
        cache.get_ranges("parts", outs, [0])


def test_value_is_visible_when_all_is_written(cache: mf_smem.Cache) -> None:
    with cache.begin("written", 6) as writer:
        writer.write(3, b"def")
        with pytest.raises(mf_smem.InvalidParamError, match="not in the value"):
            writer.write(4, b"def")
        writer.write(0, memoryview(b"abc"))
        assert "written" not in cache and "open" in repr(writer)
    assert writer.stored and cache.get("written") == b"abcdef" and "ended" in repr(writer)
    with pytest.raises(mf_smem.NotInitError, match="ended"):
        writer.write(0, b"x")
    with pytest.raises(KeyError), cache.begin("given up", 1):
        raise KeyError
    kept = cache.begin("written", "1KiB", replace=False)
    assert not kept.publish() and kept.stored is False
    kept.cancel()
    assert "given up" not in cache and cache.get("written") == b"abcdef"
    with pytest.raises(mf_smem.NoResourcesError):
        cache.begin("large", "1GiB")


def test_leased_values_are_not_removed_unless_forced(cache: mf_smem.Cache) -> None:
    cache.put("leased", b"value")
    assert cache.get("leased") and cache.remove("leased", unless_leased=True)
    cache.put("leased", b"value")
    cache.put("other", b"value")
    assert cache.get_pieces("leased", [bytearray(5)], lease=600) == 5
    with pytest.raises(mf_smem.InUseError, match="leased"):
        cache.remove("leased", unless_leased=True)
    assert cache.clear(unless_leased=True) > 0 and list(cache.keys()) == [b"leased"]
    assert cache.remove("leased") and not cache.remove("leased", unless_leased=True)
    with pytest.raises(mf_smem.InvalidParamError, match="lease"):
        cache.get_pieces("leased", [], lease=-1)


def test_reads_of_a_cache_lease_if_it_is_opened_so(cache: mf_smem.Cache) -> None:
    with mf_smem.Cache("16MiB", read_lease=600) as leasing:
        cache.put("read", b"value")
        assert leasing.get("read") == b"value"
        with pytest.raises(mf_smem.InUseError):
            cache.remove("read", unless_leased=True)
        assert cache.remove("read")
    with pytest.raises(mf_smem.InvalidParamError, match="read_lease"):
        mf_smem.Cache("16MiB", read_lease=-1)


def test_removed_and_evicted_keys_are_reported() -> None:
    with mf_smem.Cache("8MiB", id=62) as cache:
        with pytest.raises(mf_smem.NotStartedError, match="not watched"):
            cache.events()
        cache.watch(1000)
        keys = [f"key {number}".encode() for number in range(100)]
        for key in keys:
            cache.put(key, bytes(1 << 18))
        cache.remove(keys[-1])
        events, lost = cache.events()
        gone = {key for key in keys if key not in cache}
        assert lost == 0 and {event.key for event in events} == gone and len(events) == len(gone) > 50
        assert events[-1] == mf_smem.CacheEvent("removed", keys[-1])
        assert {event.change for event in events[:-1]} == {"evicted"}
        cache.watch(2)
        for key in keys:
            cache.put(key, b"")
            cache.remove(key)
        assert cache.events() == ([mf_smem.CacheEvent("removed", key) for key in keys[:2]], 98)
        assert cache.events() == ([], 0)
        cache.watch(0)
        with pytest.raises(mf_smem.NotStartedError):
            cache.events()
