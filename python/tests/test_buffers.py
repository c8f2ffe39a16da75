# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Supported and refused sources and targets of copies."""

from __future__ import annotations

import array
import ctypes
import gc
import mmap
import sys
import weakref
from collections.abc import Callable
from typing import Any

import mf_smem
import pytest
from mf_smem._mf_smem import Buffer

TEXT = bytes(range(64))


def anonymous_map() -> mmap.mmap:
    mapped = mmap.mmap(-1, len(TEXT))
    mapped[:] = TEXT
    return mapped


class WithInterface:
    """An object that shows another's bytes by ``__array_interface__`` only."""

    def __init__(self, kept: Any, /, **changes: Any) -> None:
        self.kept = kept
        address = Buffer(kept).address
        self.__array_interface__ = {
            "version": 3, "shape": (len(TEXT),), "typestr": "|u1", "data": (address, False), **changes,
        }


SOURCES: dict[str, Callable[[], Any]] = {
    "bytes": lambda: TEXT,
    "bytearray": lambda: bytearray(TEXT),
    "memoryview": lambda: memoryview(TEXT),
    "part of a memoryview": lambda: memoryview(b"..." + TEXT + b"...")[3:-3],
    "array": lambda: array.array("I", TEXT),
    "mmap": anonymous_map,
    "ctypes": lambda: (ctypes.c_uint16 * 32).from_buffer_copy(TEXT),
    "__array_interface__": lambda: WithInterface(bytearray(TEXT)),
    "__array_interface__ over a buffer": lambda: WithInterface(bytearray(1), data=b"...." + TEXT, offset=4),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_source(pool: mf_smem.Pool, kind: str) -> None:
    pool.put(SOURCES[kind](), pool.address() + 8)
    assert pool.read(pool.address() + 8, len(TEXT)) == TEXT


DESTINATIONS: dict[str, Callable[[], Any]] = {
    "bytearray": lambda: bytearray(len(TEXT)),
    "memoryview": lambda: memoryview(bytearray(len(TEXT))),
    "array": lambda: array.array("d", bytes(len(TEXT))),
    "mmap": lambda: mmap.mmap(-1, len(TEXT)),
    "ctypes": lambda: (ctypes.c_uint8 * len(TEXT))(),
}


@pytest.mark.parametrize("kind", DESTINATIONS)
@pytest.mark.parametrize("wait", [True, False], ids=["sync", "async"])
def test_destination(pool: mf_smem.Pool, kind: str, wait: bool) -> None:
    destination = DESTINATIONS[kind]()
    pool.put(TEXT, pool.address())
    pool.get(pool.address(), destination, wait=wait)
    pool.wait()
    assert bytes(destination) == TEXT


@pytest.mark.parametrize("kind", ["bytes", "read-only memoryview", "read-only __array_interface__"])
def test_read_only_destination_is_refused(pool: mf_smem.Pool, kind: str) -> None:
    destinations: dict[str, Any] = {
        "bytes": TEXT,
        "read-only memoryview": memoryview(bytearray(TEXT)).toreadonly(),
        "read-only __array_interface__": WithInterface(bytearray(TEXT), data=(1 << 20, True)),
    }
    destination = destinations[kind]
    with pytest.raises(mf_smem.InvalidParamError, match="read-only"):
        pool.get(pool.address(), destination)


@pytest.mark.parametrize("kind", ["memoryview", "__array_interface__"])
def test_noncontiguous_buffers_are_refused(pool: mf_smem.Pool, kind: str) -> None:
    strided: Any = memoryview(TEXT)[::2] if kind == "memoryview" else WithInterface(bytearray(TEXT), strides=(2,))
    with pytest.raises(mf_smem.InvalidParamError, match="contiguous"):
        pool.put(strided, pool.address())


@pytest.mark.parametrize("thing", [None, 5, 1.5, "text", [1, 2], object()], ids=lambda thing: type(thing).__name__)
def test_objects_without_buffer_are_refused(pool: mf_smem.Pool, thing: Any) -> None:
    with pytest.raises(TypeError, match="has no bytes to copy"):
        pool.put(thing, pool.address())


@pytest.mark.parametrize(
    "changes",
    [{"typestr": "?"}, {"shape": None}, {"data": None}, {"typestr": "|t8"}],
    ids=["short typestr", "no shape", "no data", "bit field"],
)
def test_malformed_array_interface_is_refused(pool: mf_smem.Pool, changes: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="__array_interface__"):
        pool.put(WithInterface(bytearray(TEXT), **changes), pool.address())


def test_array_interface_beyond_its_buffer_is_refused(pool: mf_smem.Pool) -> None:
    with pytest.raises(mf_smem.InvalidParamError, match="outside"):
        pool.put(WithInterface(bytearray(1), data=TEXT, offset=1), pool.address())


def test_a_buffer_in_use_cannot_be_resized() -> None:
    data = bytearray(TEXT)
    pinned = Buffer(data, writable=True)
    assert pinned.nbytes == len(TEXT) and not pinned.readonly
    with pytest.raises(BufferError):
        data.append(0)
    del pinned
    data.append(0)


class Bytes(bytearray):
    """A bytearray that can be watched."""


def test_queued_copies_keep_their_buffers_until_wait(pool: mf_smem.Pool) -> None:
    source, destination = Bytes(TEXT), Bytes(len(TEXT))
    watched = [weakref.ref(source), weakref.ref(destination)]
    pool.put(source, pool.address(), wait=False)
    pool.get_many([(pool.address(), destination)], wait=False)
    del source, destination
    gc.collect()
    assert all(reference() is not None for reference in watched)
    pool.wait()
    gc.collect()
    assert all(reference() is None for reference in watched)


def test_finished_copies_release_their_buffers(pool: mf_smem.Pool) -> None:
    source = bytearray(TEXT)
    before = sys.getrefcount(source)
    pool.put(source, pool.address())
    pool.put_many([(source, pool.address())] * 3)
    assert sys.getrefcount(source) == before


def test_batches(pool: mf_smem.Pool) -> None:
    base = pool.address()
    pool.put_many([(TEXT[i : i + 8], base + 4 * i) for i in range(0, 64, 8)])
    parts = [bytearray(8) for _ in range(8)]
    pool.get_many((base + 32 * i, part) for i, part in enumerate(parts))
    assert b"".join(parts) == TEXT
    pool.copy_many([(base, base + 1024, 8), (base + 32, base + 1032, 8)])
    assert pool.read(base + 1024, 16) == TEXT[:16]


@pytest.mark.parametrize(
    ("pairs", "error"),
    [([(TEXT,)], ValueError), ([TEXT], TypeError), ([5], TypeError), (5, TypeError), ([], mf_smem.InvalidParamError)],
    ids=["no address", "no pair", "no sequence", "no list", "nothing"],
)
def test_malformed_batches_are_refused(pool: mf_smem.Pool, pairs: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        pool.put_many(pairs)


def test_a_batch_with_one_bad_piece_moves_nothing(pool: mf_smem.Pool) -> None:
    base = pool.address()
    pool.put(bytes(64), base)
    with pytest.raises(mf_smem.InvalidParamError):
        pool.put_many([(TEXT, base), (TEXT, base + 8 * (1 << 20))])
    assert pool.read(base, 64) == bytes(64)


class Fields(ctypes.Structure):
    _fields_ = [("number", ctypes.c_int32), ("reference", ctypes.py_object)]


def object_arrays() -> dict[str, Any]:
    arrays: dict[str, Any] = {
        "ctypes": (ctypes.py_object * 8)(*range(8)),
        "ctypes structures": (Fields * 2)(),
        "__array_interface__": WithInterface(bytearray(TEXT), typestr="|O8", shape=(8,)),
        "__array_interface__ with fields": WithInterface(
            bytearray(TEXT), typestr="|V16", shape=(4,), descr=[("number", "<i8"), ("reference", "|O")]
        ),
    }
    try:
        import numpy
    except ImportError:
        return arrays
    arrays["NumPy"] = numpy.array([1, "two", None], dtype=object)
    arrays["NumPy with fields"] = numpy.zeros(4, dtype=[("number", "<i8"), ("reference", "O")])
    arrays["memoryview of NumPy"] = memoryview(numpy.array([1, 2], dtype=object))
    return arrays


@pytest.mark.parametrize("kind", object_arrays())
def test_rejects_object_arrays(pool: mf_smem.Pool, kind: str) -> None:
    holder = object_arrays()[kind]
    pool.put(b"untouched", pool.address())
    calls: dict[str, Callable[[], object]] = {
        "put": lambda: pool.put(holder, pool.address()),
        "put, queued": lambda: pool.put(holder, pool.address(), wait=False),
        "put_many": lambda: pool.put_many([(b"x", pool.address()), (holder, pool.address() + 64)]),
        "get": lambda: pool.get(pool.address(), holder),
        "get_many": lambda: pool.get_many([(pool.address(), holder)]),
        "register": lambda: pool.register(holder),
        "Buffer": lambda: Buffer(holder),
    }
    for call in calls.values():
        with pytest.raises(mf_smem.InvalidParamError, match="Python objects"):
            call()
    assert pool.read(pool.address(), 9) == b"untouched"


def test_field_names_are_not_read_as_types(pool: mf_smem.Pool) -> None:
    numpy = pytest.importorskip("numpy")
    plain = numpy.zeros(4, dtype=[("O", "<i8"), ("POOL", "<f8")])
    pool.put(plain, pool.address())
    pool.put(WithInterface(bytearray(TEXT), typestr="|V16", shape=(4,), descr=[("|O", "<i8"), ("O", "<f8")][1:]), pool.address())
    # Elements that have no format in the buffer protocol.
    pool.put(numpy.array(["2026-01-01"], dtype="datetime64[D]"), pool.address())
    with pytest.raises(mf_smem.InvalidParamError, match="contiguous"):
        pool.put(numpy.zeros((2, 3), dtype="datetime64[D]").T, pool.address())


def test_empty_copies_succeed(pool: mf_smem.Pool) -> None:
    pool.put(b"", pool.address())
    pool.get(pool.address(), bytearray())
    pool.put_many([(b"", pool.address()), (b"some", pool.address() + 8), (b"", pool.address())])
    pool.get_many([(pool.address(), bytearray())])
    assert pool.read(pool.address() + 8, 4) == b"some"
