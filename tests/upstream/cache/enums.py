# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Imports memcache_hybrid of a version: enums.py VERSION refused|works."""

from __future__ import annotations

import importlib
import sys

import memfabric_hybrid

VERSION, EXPECTED = sys.argv[1:]


def refused() -> None:
    for _ in range(2):
        try:
            importlib.import_module("memcache_hybrid")
        except ImportError as error:
            for part in (f"memcache_hybrid {VERSION}", "mf_pybind_enums", "memcache_hybrid 1.3.0"):
                assert part in str(error), error
        else:
            raise AssertionError("it was imported")


def works() -> None:
    cache = importlib.import_module("memcache_hybrid")
    enums = importlib.import_module("mf_pybind_enums")
    copy_type = memfabric_hybrid.bm.BmCopyType
    assert enums.registered("smem_bm_copy_type") is copy_type
    assert all(enums.registered(name) is kind for name, kind in enums.TYPES.items())
    try:
        enums.registered("no_such_type")
    except ValueError:
        pass
    else:
        raise AssertionError("an unknown name was accepted")
    # The defaults of its functions are our members.
    assert "BmCopyType.H2G: 3" in cache.DistributedObjectStore.put_from.__doc__
    store = cache.DistributedObjectStore()
    # Before init nothing is found; an argument of a wrong type does not get so far.
    for direction in (copy_type.G2H, int(copy_type.G2H)):
        assert store.get_into("key", 0, 0, direction) < 0
    for wrong in (None, "G2H"):
        try:
            store.get_into("key", 0, 0, wrong)
        except TypeError:
            continue
        raise AssertionError(f"{wrong!r} was accepted")


{"refused": refused, "works": works}[EXPECTED]()
