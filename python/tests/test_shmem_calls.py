# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package `shmem`: its functions in jobs of one and several PEs, on host memory and on the simulator."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

import ranks
import shmem

#: Put in front of every program: this PE, begun by an address.
PRELUDE = """
import os, sys
import shmem
R, N = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
PORT = 10000 + int(os.environ["MASTER_PORT"]) % 2500 * 8

def begin(mem=8 << 20):
    assert shmem.set_conf_store_tls(False, "") == 0
    assert shmem.aclshmem_init(shmem.InitAttr(R, N, f"tcp://127.0.0.1:{PORT}", mem)) == 0
    assert (shmem.my_pe(), shmem.pe_count()) == (R, N)
    return (R + 1) % N, (R - 1) % N

"""


def run(source: str, count: int, environment: dict[str, str] | None = None) -> list[ranks.Finished]:
    """The program as so many PEs."""
    return ranks.run_code(PRELUDE + ranks.dedented(source), count, environment)


def test_import_has_no_dependencies_and_starts_no_thread() -> None:
    finished = ranks.run_alone(
        """
        import sys, threading
        import shmem, shmem.core, shmem._pyshmem
        assert "torch" not in sys.modules and "numpy" not in sys.modules
        assert threading.active_count() == 1
        assert shmem.my_pe() == -1 and shmem.pe_count() == -1
        assert shmem.aclshmemx_init_status() is shmem.InitStatus.NOT_INITIALIZED
        assert shmem.aclshmem_info_get_version() == (1, 1) and shmem.aclshmem_info_get_name() == "ACLSHMEM v1.1.1"
        assert shmem.core.get_version() == "libaclshmem_version=1.1"
        assert shmem._pyshmem.aclshmem_int8_p is shmem.aclshmem_int8_p
        assert shmem.aclshmem_finalize() == 0
        """
    )
    assert finished.returncode == 0, finished.stderr


def test_init_attributes_match_the_c_layout() -> None:
    packed = shmem.InitAttr(3, 5, "tcp://[::1]:7", 1 << 33, instance_id=9).packed()
    assert len(packed) == 120 and struct.unpack_from("<ii", packed) == (3, 5)
    assert packed[8:72].rstrip(b"\0") == b"tcp://[::1]:7"
    assert struct.unpack_from("<QiiIIIi", packed, 72) == (1 << 33, 65560, 1, 120, 120, 120, 0)
    assert struct.unpack_from("<QQ", packed, 104) == (0, 9)
    with pytest.raises(ValueError, match="63"):
        shmem.InitAttr(ip_port="x" * 64).packed()
    uid = shmem.UniqueId(internal=bytes(range(124)))
    assert len(uid.packed()) == 136 and shmem.UniqueId.of(uid.packed() + bytes(400)) == uid


def test_functions_of_c_and_all_releases_exist() -> None:
    for name in (
        "aclshmem_double_iget aclshmem_put128_nbi aclshmemx_put64_signal_nbi aclshmem_char_test_some_vector shmem_putmem "
        "shmem_uint64_g shmem_put_float_mem_nbi aclshmem_get_int8_mem shmem_putmem_signal_nbi aclshmemx_quiet_on_stream "
        "aclshmemx_signal_wait_until_on_stream get_ffts_config mte_set_ub_params aclshmem_finialize shmem_team_get_config "
        "team_destroy instance_ctx_set show_prof aclshmem_signal_wait_until set_udma_config"
    ).split():
        assert callable(getattr(shmem, name)), name
    with pytest.raises(AttributeError, match="shmem_nothing"):
        shmem.shmem_nothing  # noqa: B018
    assert "aclshmem_float_p" in dir(shmem)


def test_arguments_are_checked() -> None:
    put = shmem.aclshmem_putmem
    with pytest.raises(TypeError, match="takes 4 arguments, and 3"):
        put(1, 2, 3)
    with pytest.raises(TypeError, match="an address is an int, not str"):
        put("x", 2, 3, 0)
    with pytest.raises(OverflowError):
        put(-1, 2, 3, 0)
    with pytest.raises(OverflowError):
        shmem.aclshmem_int8_p(64, 128, 0)
    with pytest.raises(TypeError):
        shmem.aclshmemx_quiet_on_stream("s")
    with pytest.raises(RuntimeError, match="has not begun"):
        put(64, 64, 8, 0)
    with pytest.raises(RuntimeError, match="has not begun"):
        shmem.aclshmem_malloc(64)
    assert shmem.aclshmem_init(shmem.InitAttr(2, 2, "tcp://127.0.0.1:1", 4096)) < 0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_pes_reach_each_other(count: int) -> None:
    run(
        """
        following, before = begin()
        block = shmem.aclshmem_calloc(64, 8)
        shmem.aclshmem_int32_p(block, 100 + R, following)
        shmem.aclshmem_double_p(block + 64, R + 0.5, following)
        shmem.aclshmem_barrier_all()
        assert shmem.aclshmem_int32_g(block, R) == shmem.shmem_int32_g(block, R) == 100 + before
        assert shmem.aclshmem_double_g(block + 64, R) == before + 0.5
        assert shmem.aclshmem_int32_g(block, following) == 100 + R
        here = bytearray(b"from %d" % R)
        shmem.aclshmem_putmem(block + 128, here, len(here), following)
        shmem.aclshmemx_putmem_signal(block + 256, here, len(here), block + 192, 7, shmem.SignalOp.SIGNAL_SET, following)
        shmem.aclshmem_signal_wait_until(block + 192, shmem.CmpOp.CMP_EQ, 7)
        there = bytearray(len(here))
        shmem.aclshmem_getmem(there, block + 256, len(there), R)
        assert there == b"from %d" % before, there
        assert shmem.aclshmem_ptr(block, following) != 0 and shmem.aclshmem_ptr(block, N) == 0
        try:
            shmem.aclshmem_putmem(block, here, 4, N)
        except RuntimeError as error:
            assert "no such PE" in str(error)
        else:
            raise SystemExit("a PE that there is not was accepted")
        team = shmem.team_split_strided(0, 0, 2, (N + 1) // 2)
        assert (team > 0) == (R % 2 == 0)
        if team > 0:
            assert shmem.team_my_pe(team) == R // 2 and shmem.pe_count(team) == (N + 1) // 2
            assert shmem.team_translate_pe(team, 0, 0) == 0
            shmem.aclshmem_barrier(team)
            assert shmem.aclshmem_team_get_config(team).num_contexts == 0
            shmem.team_destroy(team)
        rows = shmem.team_split_2d(0, 1)
        assert shmem.pe_count(rows[0]) == 1 and shmem.pe_count(rows[1]) == N
        shmem.aclshmem_free(block)
        assert shmem.aclshmem_finalize() == 0
        """,
        count,
    )


def test_unique_ids_may_be_zero_padded(tmp_path: Path) -> None:
    run(
        """
        import pathlib, time
        place = pathlib.Path(os.environ["TEST_PLACE"])
        assert shmem.set_conf_store_tls(False, "") == 0
        if R == 0:
            uid = shmem.aclshmem_get_unique_id()
            assert len(uid) == 136
            place.with_suffix(".new").write_bytes(uid + bytes(376))
            place.with_suffix(".new").rename(place)
        while not place.exists():
            time.sleep(0.01)
        assert shmem.aclshmem_init_using_unique_id(R, N, 4 << 20, place.read_bytes()) == 0
        assert (shmem.my_pe(), shmem.pe_count()) == (R, N)
        shmem.barrier_all()
        assert shmem.set_conf_store_tls_key("key", "password", lambda text: text) == 0
        assert shmem.shmem_finialize() == 0
        """,
        2,
        {"TEST_PLACE": str(tmp_path / "uid")},
    )


def test_arrays_lie_on_the_heap() -> None:
    pytest.importorskip("numpy")
    run(
        """
        import numpy as np
        following, before = begin()
        mine = shmem.create_array((3, 5), "float64")
        theirs = np.full((3, 5), R, "float64")
        shmem.aclshmem_double_put(mine.ctypes.data, theirs.ctypes.data, 15, following)
        shmem.barrier_all()
        assert (np.from_dlpack(mine) == before).all() and mine.shape == (3, 5)
        shmem.free_array(mine)
        empty = shmem.create_array(0)
        assert empty.shape == (0,)
        assert shmem.aclshmem_finalize() == 0
        """,
        2,
    )


def test_stream_calls_do_not_block_the_caller() -> None:
    run(
        """
        from shmem import core
        following, before = begin()
        data, signal, mine = core.buffer(64), core.buffer(64), core.buffer(64)
        shmem.aclshmem_int32_p(mine.addr, 50 + R, R)
        shmem.aclshmem_int32_p(signal.addr, 0, R)
        core.barrier_all()
        room = bytearray(8)
        assert shmem.aclshmemx_stream_create(room) == 0
        waiting = int.from_bytes(room, "little")
        core.signal_wait(signal, 1, shmem.CmpOp.CMP_EQ, waiting)
        core.put(data, mine, following)
        core.signal_op(signal, 1, shmem.SignalOp.SIGNAL_SET, following, stream=0)
        for stream in (0, waiting):
            assert shmem.aclshmemx_stream_synchronize(stream) == 0
        assert shmem.aclshmem_int32_g(data.addr, R) == 50 + before
        core.get(mine, data, following)
        core.quiet(0)
        core.handle_wait(shmem.Handle(0), 0)
        assert shmem.aclshmemx_stream_synchronize(0) == 0
        assert shmem.aclshmem_int32_g(mine.addr, R) == 50 + R
        for call in (lambda: core.quiet(None), lambda: core.put(core.Buffer(1, 2), core.Buffer(1, 3), 0),
                     lambda: core.init(initializer_method="mpi"), lambda: core.init(initializer_method="uid")):
            try:
                call()
            except core.AclshmemInvalid as error:
                assert error.msg
            else:
                raise SystemExit("accepted")
        assert core.get_peer_buffer(data, following).length == 64
        core.barrier_all()
        for buffer in (data, signal, mine):
            core.free(buffer)
        assert shmem.aclshmemx_stream_destroy(waiting) == 0
        core.finalize()
        """,
        2,
    )


def test_wait_releases_the_gil_and_ends_on_ctrl_c() -> None:
    run(
        """
        import signal, threading, time
        begin()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        word, counted = shmem.aclshmem_calloc(1, 4), []
        def count():
            for number in range(5):
                counted.append(number)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.2, count).start()
        try:
            shmem.aclshmem_signal_wait_until(word, shmem.CmpOp.CMP_EQ, 5)
        except KeyboardInterrupt:
            assert len(counted) == 5
        else:
            raise SystemExit("the wait returned")
        shmem.aclshmem_int32_p(word, 5, 0)
        shmem.aclshmem_signal_wait_until(word, shmem.CmpOp.CMP_EQ, 5)
        assert shmem.aclshmem_finalize() == 0
        """,
        1,
    )


def test_ctrl_c_interrupts_calls_waiting_for_a_stopped_pe() -> None:
    run(
        """
        import signal, threading
        begin()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        word = shmem.aclshmem_calloc(1, 8)
        if R == 1:
            shmem.aclshmem_int64_p(word, os.getpid(), 0)
        shmem.aclshmem_barrier_all()
        if R == 1:
            os.kill(os.getpid(), signal.SIGSTOP)
        if R == 0:
            other, room, source = shmem.aclshmem_int64_g(word, 0), bytearray(8), bytearray(b"complete")
            while open(f"/proc/{other}/stat").read().rsplit(")", 1)[1].split()[0] != "T":
                pass
            def put_and_complete():
                shmem.aclshmem_putmem_nbi(word, source, 8, 1)
                shmem.aclshmem_quiet()
            try:
                for call in (lambda: shmem.aclshmem_getmem(room, word, 8, 1), put_and_complete, shmem.aclshmem_barrier_all):
                    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
                    try:
                        call()
                    except KeyboardInterrupt:
                        pass
                    else:
                        raise SystemExit("PE 1 is stopped")
            finally:
                os.kill(other, signal.SIGCONT)
        shmem.aclshmem_barrier_all()
        if R == 0:
            shmem.aclshmem_getmem(room, word, 8, 1)
            assert room == b"complete", room
        assert shmem.aclshmem_finalize() == 0
        """,
        2,
        # As between hosts.
        {"MF_SHM": "false", "MF_TRANSPORTS": "tcp", "MF_STORE_LEASE": "100s", "MF_NET_TIMEOUT": "100s"},
    )


def test_names_of_the_first_releases() -> None:
    run(
        """
        attributes = shmem.InitAttr()
        assert shmem.set_conf_store_tls(False, "") == 0
        assert shmem.shmem_set_attributes(R, N, 4 << 20, f"tcp://127.0.0.1:{PORT}", attributes) == 0
        assert shmem.shmem_set_data_op_engine_type(attributes, vaue=1) == 0
        assert shmem.shmem_set_timeout(attributes, value=60) == 0
        assert attributes.option_attr.control_operation_timeout == 60
        assert shmem.shmem_init(attributes) == 0
        block = shmem.shmem_malloc(64)
        shmem.shmem_float_p(block, 1.5, R)
        assert shmem.shmem_float_g(block, R) == 1.5
        assert shmem.shmem_ptr(block, R) == block
        shmem.shmem_free(block)
        assert shmem.shmem_init_status() is shmem.InitStatus.INITIALIZED
        assert shmem.shmem_finalize() == 0
        """,
        2,
    )


def test_simulator_uses_device_addresses() -> None:
    finished = run(
        """
        following, before = begin()
        if not shmem._function("aclshmemx_get_heap_base"):
            raise SystemExit("no heap")
        block = shmem.aclshmem_calloc(16, 4)
        shmem.aclshmem_int32_p(block, 9 + R, following)
        shmem.aclshmemx_barrier_all_on_stream(0)
        shmem.aclshmem_barrier_all()
        assert shmem.aclshmem_int32_g(block, R) == 9 + before
        try:
            shmem.as_array(block, 4, "int32")
        except RuntimeError as error:
            print("refused:", error)
        assert shmem.aclshmem_finalize() == 0
        """,
        2,
        {"MF_DEVICE": "sim"},
    )
    assert "accelerator" in finished[0].stdout


def test_config_command_prints_install_paths() -> None:
    command = [sys.executable, "-m", "shmem._config"]
    found = subprocess.run([*command, "--include", "--check"], capture_output=True, text=True, check=True).stdout.split("\n")
    assert (Path(found[0]) / "shmem.h").is_file() and found[1].startswith("ok: ACLSHMEM")
    wrong = subprocess.run([*command, "nothing"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "there is no nothing" in wrong.stderr
