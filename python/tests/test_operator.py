# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A C++ operator in the same process: one library, one state, exchanged handles."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import mf_smem
import pytest
from mf_smem import bm

import ranks

HERE = Path(__file__).resolve().parent
MIB = 1 << 20


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler: apt-get install g++")
    include = Path(mf_smem.get_include_path())
    if not include.is_dir():
        # An editable build without the build backend's steps.
        include = HERE.parents[1] / "core" / "capi" / "include"
    target = tmp_path_factory.mktemp("operator") / "liboperator.so"
    subprocess.run(
        [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", target, HERE / "operator.cpp",
         f"-I{include}", f"-L{mf_smem.get_lib_path()}", "-lmf_smem"],
        check=True,
    )
    library = ctypes.CDLL(str(target))
    library.op_rank.restype = ctypes.c_uint32
    library.op_put.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p]
    library.op_create.argtypes, library.op_create.restype = [ctypes.c_uint32, ctypes.c_uint64], ctypes.c_void_p
    library.op_destroy.argtypes, library.op_destroy.restype = [ctypes.c_void_p], None
    return library


def test_operator_uses_the_library_loaded_by_python(operator: ctypes.CDLL, pool: mf_smem.Pool) -> None:
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/libmf_smem.so" in line}
    # In the package the name with a version is a file without code, which leads to the library.
    mapped.discard(str(Path(mf_smem.get_lib_path(), "libmf_smem.so.0")))
    assert mapped == {str(Path(mf_smem.get_lib_path(), "libmf_smem.so").resolve())}
    assert operator.op_rank() == pool.rank == bm.bm_rank_id()


def test_operator_writes_into_a_python_pool(operator: ctypes.CDLL, pool: mf_smem.Pool) -> None:
    assert operator.op_put(pool.memory.handle, pool.address() + 7, b"from C++") == 0
    assert pool.read(pool.address() + 7, 8) == b"from C++"
    assert operator.op_put(pool.memory.handle, 1, b"nowhere") == -2000
    assert "0x1" in mf_smem.get_last_err_msg()


def test_python_uses_a_pool_created_by_the_operator(operator: ctypes.CDLL, pool: mf_smem.Pool) -> None:
    handle = operator.op_create(40, 2 * MIB)
    assert handle, mf_smem.get_last_err_msg()
    memory = bm.BigMemory.from_handle(handle)
    assert memory.handle == handle and memory.members() == [0]
    address = memory.peer_rank_ptr(0)
    memory.put(b"from Python", address)
    del memory
    again = bm.BigMemory.from_handle(handle)
    back = bytearray(11)
    again.get(address, back)
    assert back == b"from Python", "collecting a borrowed handle does not destroy the pool"
    operator.op_destroy(handle)
    with pytest.raises(mf_smem.Error):
        again.get(address, back)


def test_a_second_copy_is_refused(tmp_path: Path) -> None:
    original = Path(mf_smem.get_lib_path(), "libmf_smem.so")
    other = Path(shutil.copy(original, tmp_path / "libmf_smem.so"))
    done = ranks.run_alone(
        f"""
        import ctypes
        ctypes.CDLL({str(other)!r})
        try:
            import mf_smem
        except ImportError as error:
            print(error)
        """
    )
    assert str(other) in done.stdout and str(original.resolve()) in done.stdout and "two copies" in done.stdout, done.stderr
    chosen = ranks.run_alone(
        f"import ctypes; ctypes.CDLL({str(other)!r}); import mf_smem; print(mf_smem.get_lib_path())",
        {"MF_SMEM_LIBRARY": str(other)},
    )
    assert chosen.stdout.strip() == str(tmp_path), chosen.stderr


@pytest.mark.parametrize("content", [None, b"no library", b""], ids=["missing", "text", "empty"])
def test_unusable_library_is_an_import_error(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "libmf_smem.so"
    if content is not None:
        path.write_bytes(content)
    done = ranks.run_alone(
        "try:\n    import mf_smem\nexcept ImportError as error:\n    print(error)", {"MF_SMEM_LIBRARY": str(path)}
    )
    assert str(path) in done.stdout, done.stderr


def test_a_foreign_library_is_an_import_error() -> None:
    libc = next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libc.so" in line)
    done = ranks.run_alone(
        "try:\n    import mf_smem\nexcept ImportError as error:\n    print(error)", {"MF_SMEM_LIBRARY": libc}
    )
    assert "smem_bm_copy" in done.stdout and "too old or not" in done.stdout, done.stderr
