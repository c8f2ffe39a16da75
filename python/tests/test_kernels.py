# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.kernels`` on the simulator: launches, operands, builds, failures; in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import textwrap
from pathlib import Path

import mf_smem
import pytest

import ranks

SOURCE = Path(__file__).with_name("echo.cpp")

# Every program begins with this.
HEAD = """
import ctypes, os
import mf_smem, numpy as np
from mf_smem import kernels
"""


def why_not() -> str | None:
    """Why kernels cannot run here."""
    if not (Path(mf_smem.get_lib_path()) / "libascend_sim.so").is_file():
        return f"no libascend_sim.so in {mf_smem.get_lib_path()}"
    reason: str | None = json.loads(mf_smem._mf_smem.kernel_table_json())["simulator"]
    return reason


REASON = why_not()
pytestmark = [pytest.mark.skipif(REASON is not None, reason=f"kernels: {REASON}")]
needs_compiler = pytest.mark.skipif(
    shutil.which(os.environ.get("CXX", "c++")) is None, reason="no C++ compiler; it comes with: apt-get install g++"
)


@pytest.fixture(autouse=True)
def _numpy() -> None:
    pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One cache for all builds of this file, so that the emulation is compiled once."""
    return os.environ.get("MF_TEST_KERNEL_CACHE") or str(tmp_path_factory.mktemp("cache"))


def run(source: str, count: int, **environment: str) -> list[ranks.Finished]:
    machine = {
        "MF_DEVICE": "sim", "ASCEND_SIM_DEVICES": str(max(count, 2)), "ASCEND_SIM_SESSION": f"python-{ranks.free_port()}",
        "MF_TEST_SOURCE": str(SOURCE),
    }
    return ranks.run_code(HEAD + textwrap.dedent(source), count, machine | environment, 500)


def test_the_table_names_kernels_and_their_arguments() -> None:
    table = {kernel["name"]: kernel for kernel in kernels_table()}
    assert table["mf_copy"]["arguments"] == ["GM_ADDR", "GM_ADDR", "uint64_t"]
    assert {"mf_shift", "mf_barrier", "mf_allgather"} <= set(table)


def kernels_table() -> list[dict[str, object]]:
    return mf_smem.kernels.table()


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_kernel_reaches_the_memory_of_another_rank(count: int) -> None:
    run(
        """
        with mf_smem.open_share(local_bytes=2 << 20, share_id=1) as share, kernels.load() as binary:
            me, n = share.rank, share.rank_size
            assert share.device == "ascend" and share.reach((me + 1) % n) & mf_smem.shm.ShmDataOpType.MTE
            mine = np.arange(10_001, dtype=np.uint8) + me
            share.put(mine, share.address())
            share.barrier()
            binary.launch("mf_shift", 3, share.id, 1 << 20, 0, mine.nbytes, 1, memory=share, timeout=60)
            assert share.read(share.address(offset=1 << 20), 10_001) == (mine - me + (me - 1) % n).astype(np.uint8).tobytes()
            # The processor does not reach this memory; what it gets is a copy.
            for wrong in (share.local, lambda: share.view(0)):
                try:
                    wrong()
                except mf_smem.Error as error:
                    assert error.code == -1, error
                else:
                    raise AssertionError
            copy = share.array()
            assert (copy[:10_001] == mine).all() and not copy.flags.writeable
            share.barrier()
        """,
        count,
    )


def test_kernel_operands_are_copied_in_and_out() -> None:
    run(
        """
        with mf_smem.open_share(local_bytes=2 << 20) as share:
            binary = kernels.load()
            source, destination = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
            binary.launch("mf_copy", 2, destination, source, source.nbytes)
            assert (destination == source).all()
            # Read-only things are operands too; so is memory of the NPU, as it is.
            room = kernels.DeviceMemory(16)
            binary.launch("mf_copy", 1, room, b"sixteen bytes ..", 16)
            assert room.read() == b"sixteen bytes .." and room.read(8, 5) == b"bytes"
            back = bytearray(16)
            binary.launch("mf_copy", 1, back, room.address, np.uint64(16))
            assert back == b"sixteen bytes .."
            # Share memory, by its address.
            binary.launch("mf_copy", 1, share.address(offset=64), room, 16, memory=share)
            assert share.read(share.address(offset=64), 16) == back

            with kernels.DeviceMemory.of(source) as held:
                assert held.nbytes == source.nbytes and held.address % 64 == 0
                held.put(b"1234", 8)
                assert held.read(8, 4) == b"1234"
                for wrong in (lambda: held.put(b"x", held.nbytes), lambda: held.read(-1, 1), lambda: kernels.DeviceMemory(0)):
                    try:
                        wrong()
                    except mf_smem.InvalidParamError:
                        continue
                    raise AssertionError
            assert held.address == 0
            for wrong, kind in (
                (lambda: binary.launch("mf_copy", 1, held, source, 4), mf_smem.InvalidParamError),
                (lambda: binary.launch("mf_copy", 1, "text", source, 4), TypeError),
                (lambda: binary.launch("mf_copy", 1, room, source, 1 << 64), mf_smem.InvalidParamError),
                (lambda: binary.launch("mf_copy", 1, destination, room, 4, stream=0), mf_smem.InvalidParamError),
                (lambda: binary.launch("mf_copy", 1, room, source, 4, timeout=0), mf_smem.InvalidParamError),
                (lambda: binary.launch("mf_copy", 0, room, source, 4), mf_smem.InvalidParamError),
                (lambda: binary.launch("no_such_kernel", 1), mf_smem.NotExistError),
                (lambda: binary.launch("mf_copy\\0", 1), mf_smem.InvalidParamError),
            ):
                try:
                    wrong()
                except kind:
                    continue
                raise AssertionError(wrong)
            binary.close()
            binary.close()
            try:
                binary.launch("mf_copy", 1, room, room, 4)
            except mf_smem.InvalidParamError:
                pass
            else:
                raise AssertionError
        closed = share
        try:
            kernels.load()
        except mf_smem.NotInitError:
            pass
        else:
            raise AssertionError
        """,
        1,
    )


@needs_compiler
def test_user_kernel_is_built_and_launched(cache: str) -> None:
    run(
        """
        with mf_smem.open_share(local_bytes=2 << 20) as share:
            binary = kernels.build(os.environ["MF_TEST_SOURCE"])
            out, one = np.zeros(8, np.uint32), np.array([7.5], np.float32)
            binary.launch("echo", 2, out, 5, -3, 1 << 40, 2.5, one)
            assert out[0] == 5 and out[1:2].view(np.int32)[0] == -3 and out[2:4].view(np.uint64)[0] == 1 << 40
            assert out[4:6].view(np.float32).tolist() == [2.5, 7.5]
            binary.launch("echo", 1, out, np.uint32(6), np.int32(-4), ctypes.c_uint64(1 << 41), np.float32(0.5), None)
            assert out[0] == 6 and out[1:2].view(np.int32)[0] == -4 and out[2:4].view(np.uint64)[0] == 1 << 41
            assert out[4:6].view(np.float32).tolist() == [0.5, 7.5], "None is a null address"
            before = out.copy()
            try:
                binary.launch("echo", 1, out, 5)
            except mf_smem.InvalidParamError as error:
                assert "argument" in str(error), error
            else:
                raise AssertionError
            try:
                binary.launch("never", 1, out, timeout=1)
            except mf_smem.TimedOutError as error:
                assert "never" in str(error), error
            else:
                raise AssertionError
            assert (out == before).all()
            path = kernels.build_file(os.environ["MF_TEST_SOURCE"])
            with kernels.load(path) as again, kernels.load(path.read_bytes()) as from_bytes:
                for each in (again, from_bytes):
                    each.launch("echo", 1, out, 9, 0, 0, 0.0, 0)
                    assert out[0] == 9
                    out[0] = 0
        """,
        1,
        XDG_CACHE_HOME=cache,
    )


@needs_compiler
def test_build_errors_are_reported(tmp_path: Path, cache: str) -> None:
    broken = tmp_path / "broken.cpp"
    broken.write_text('#include "mf_kernel.h"\nthis is no C++\n')
    run(
        f"""
        for sources, options, kind, word in (
            ([], {{}}, mf_smem.InvalidParamError, "sources"),
            (["/nowhere/kernel.cpp"], {{}}, mf_smem.NotExistError, "/nowhere/kernel.cpp"),
            ([{str(broken)!r}], {{}}, mf_smem.Error, "broken.cpp:2"),
        ):
            try:
                kernels.build_file(*sources, **options)
            except kind as error:
                assert word in str(error), error
                continue
            raise AssertionError(sources)
        os.environ["CXX"] = "no-such-compiler"
        try:
            kernels.build_file({str(SOURCE)!r})
        except mf_smem.NotExistError as error:
            assert "no-such-compiler" in str(error), error
        else:
            raise AssertionError
        """,
        1,
        XDG_CACHE_HOME=cache,
    )


def test_missing_npu_is_reported() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        for act in (mf_smem.kernels.load, lambda: mf_smem.kernels.DeviceMemory(1)):
            try:
                act()
            except mf_smem.NotInitError:
                continue
            raise AssertionError
        with mf_smem.open_share(local_bytes=2 << 20):
            for act in (mf_smem.kernels.load, lambda: mf_smem.kernels.load("/nowhere"), lambda: mf_smem.kernels.DeviceMemory(1)):
                try:
                    act()
                except mf_smem.NotExistError as error:
                    assert "MF_DEVICE=sim" in str(error), error
                    continue
                raise AssertionError
        """,
        {"MF_DEVICE": "none"},
    )
    assert done.returncode == 0, done.stderr


def test_missing_rank_is_named() -> None:
    finished = run(
        """
        share = mf_smem.open_share(local_bytes=2 << 20, timeout_s=3)
        binary = kernels.load()
        binary.launch("mf_barrier", 2, share.id, memory=share)
        if share.rank == 0:
            # The other goes. Its memory is not to go while a kernel of this rank reads it, so this one waits
            # for that.
            try:
                share.barrier()
            except mf_smem.NotConnectedError:
                pass
            else:
                raise AssertionError
            try:
                binary.launch("mf_barrier", 2, share.id, memory=share)
            except (mf_smem.TimedOutError, mf_smem.NotConnectedError) as error:
                assert "rank 1" in str(error) or "1" in str(error), error
                print(type(error).__name__)
            else:
                raise AssertionError
        share.close()
        """,
        2,
    )
    assert finished[0].stdout.strip() == "NotConnectedError"
