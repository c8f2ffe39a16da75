# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`libmf_acc_offload.so`: the functions of acc_offload.h, which share the pool with `memfabric_hybrid.offload`."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import mf_smem
import pytest
from memfabric_hybrid import get_last_err_msg, offload

import ranks

GIB = 1 << 30

C_PROGRAM = """
#include <acc_offload.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    offload_config_t config = {.reserve_size = 1, .alloc_size = 1};
    if (offload_init(&config) != 0) return 1;
    uint64_t block = offload_malloc(32, 0), dva = 0;
    char text[16] = "pieces of memory", *into = (char *)(uintptr_t)block;
    uint64_t sources[3], destinations[3];
    uint32_t lengths[3] = {6, 0, 7}, count = 3;
    sources[0] = sources[1] = (uintptr_t)text;
    sources[2] = (uintptr_t)text + 9;
    destinations[0] = destinations[1] = block;
    destinations[2] = block + 6;
    if (offload_get_dva(block, &dva) != 0 || dva != block) return 2;
    if (offload_sparse_copy((uintptr_t)sources, (uintptr_t)destinations, (uintptr_t)lengths, (uintptr_t)&count, 0)) return 3;
    if (memcmp(into, "pieces memory", 13) != 0) return 4;
    if (offload_sparse_copy(0, 0, 0, 0, 0) != -1 || offload_register_entry_table(8, 8) != -1) return 5;
    if (offload_sparse_copy((uintptr_t)sources, (uintptr_t)destinations, (uintptr_t)lengths, (uintptr_t)&count, 256) != -1)
        return 6;
    offload_free(block, 0);
    offload_uninit();
    return offload_malloc(8, 0) == 0 ? 0 : 7;
}
"""


def library() -> Path:
    return Path(mf_smem.get_lib_path(), "libmf_acc_offload.so")


def test_c_programs_link_to_the_library_of_the_release(tmp_path: Path) -> None:
    compiler = os.environ.get("CC", "cc").split()
    if not library().exists():
        pytest.skip(f"no {library()}")
    try:
        subprocess.run([*compiler, "--version"], check=True, capture_output=True)
    except OSError:
        pytest.skip("no C compiler; it comes with: apt-get install gcc")
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(C_PROGRAM)
    folder = os.fspath(library().parent)
    subprocess.run(
        [*compiler, "-std=c11", "-Wall", "-Werror", "-I", mf_smem.get_include_path(), os.fspath(source), "-o", os.fspath(program),
         f"-L{folder}", "-lmf_acc_offload", "-lmf_smem", f"-Wl,-rpath,{folder}"],
        check=True,
    )
    done = subprocess.run([program], timeout=ranks.DEADLINE_S, env=ranks.plain_environment(), check=False)
    assert done.returncode == 0


def test_c_library_exports_the_ten_functions() -> None:
    if not library().exists():
        pytest.skip(f"no {library()}")
    try:
        listed = subprocess.run(["nm", "-D", "--defined-only", library()], check=True, capture_output=True, text=True).stdout
    except OSError:
        pytest.skip("no nm; it comes with: apt-get install binutils")
    names = {line.split()[-1] for line in listed.splitlines()}
    parts = ("init uninit malloc free get_dva sparse_copy group_pack_copy kv_exchange_copy register_entry_table entry_gather")
    assert names == {f"offload_{part}" for part in parts.split()}


class Config(ctypes.Structure):
    """``offload_config_t``."""

    _fields_ = [
        ("device_id", ctypes.c_uint32), ("reserve_size", ctypes.c_uint64), ("alloc_size", ctypes.c_uint64),
        ("world_size", ctypes.c_uint32), ("rank_id", ctypes.c_uint32), ("scene", ctypes.c_int), ("store_url", ctypes.c_char * 64),
        ("flags", ctypes.c_uint32), ("local_world_size", ctypes.c_uint32),
    ]


def test_configurations_and_results_that_are_wrong_in_c_are_refused() -> None:
    if not library().exists():
        pytest.skip(f"no {library()}")
    native = ctypes.CDLL("libmf_acc_offload.so")
    assert ctypes.sizeof(Config) == 112 and Config.store_url.offset == 36
    assert native.offload_init(None) == -1 and "null" in get_last_err_msg()
    for fields, part in (
        ({"scene": 2}, "unknown scene"), ({"scene": -1}, "unknown scene"), ({"store_url": b"x" * 64}, "store_url does not end"),
        ({"store_url": b"tcp://\xff"}, "not UTF-8"), ({"alloc_size": 0}, "differ"),
    ):
        wrong = Config(**{"reserve_size": GIB, "alloc_size": GIB, **fields})
        assert native.offload_init(ctypes.byref(wrong)) == -1 and part in get_last_err_msg(), get_last_err_msg()
    assert native.offload_init(ctypes.byref(Config(reserve_size=GIB, alloc_size=GIB))) == 0, get_last_err_msg()
    native.offload_malloc.restype = ctypes.c_uint64
    block = ctypes.c_uint64(native.offload_malloc(ctypes.c_uint64(16), ctypes.c_uint64(99)))
    assert native.offload_get_dva(block, None) == -1 and "null" in get_last_err_msg()
    # Device numbers have 16 bits here, of which those over 255 are wrong.
    for device, expected in ((255, 0), (256, -1), (65535, -1)):
        count = ctypes.c_uint32(0)
        numbers = [block, block, block, ctypes.c_uint64(ctypes.addressof(count))]
        assert native.offload_sparse_copy(*numbers, ctypes.c_uint16(device)) == expected, get_last_err_msg()
    for foreign in (block.value + 1, block.value + 8, 4096, (1 << 64) - 1):
        native.offload_free(ctypes.c_uint64(foreign), ctypes.c_uint64(0))
        assert "no block begins" in get_last_err_msg()
    native.offload_free(block, ctypes.c_uint64(0))
    native.offload_free(block, ctypes.c_uint64(0))
    assert "no block begins" in get_last_err_msg()
    native.offload_uninit()
    native.offload_uninit()


@pytest.fixture
def pool() -> Iterator[None]:
    config = offload.OffloadConfig()
    config.reserve_size = config.alloc_size = GIB
    assert offload.initialize(config) == 0, get_last_err_msg()
    yield
    offload.uninitialize()


def test_functions_of_c_and_python_have_one_pool(pool: None) -> None:
    if not library().exists():
        pytest.skip(f"no {library()}")
    native = ctypes.CDLL("libmf_acc_offload.so")
    native.offload_malloc.restype = ctypes.c_uint64
    block = native.offload_malloc(ctypes.c_uint64(64), ctypes.c_uint64(0))
    assert offload.get_dva(block) == block != 0
    offload.free(block)
    assert offload.malloc(64) == block
