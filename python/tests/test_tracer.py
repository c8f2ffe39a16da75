# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tracer of ``libmf_hybm_core.so``, as programs find it that look for that library by its name; and ``mfcli``."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import memfabric_hybrid
import pytest

import ranks

LIBRARY = Path(memfabric_hybrid.get_lib_path())

FINDS_IT_BY_NAME = """
    import ctypes, memfabric_hybrid, mf_smem
    tracer = ctypes.CDLL("libmf_hybm_core.so")
    tracer.ptracer_get_all_tp_string.restype = ctypes.c_char_p
    tracer.ptracer_get_last_err_msg.restype = ctypes.c_char_p

    class Config(ctypes.Structure):
        _fields_ = [("tracerType", ctypes.c_int32), ("dumpFilePath", ctypes.c_char_p)]

    class Tracer(ctypes.Structure):
        _fields_ = [
            ("enabled", ctypes.c_bool), ("trace_begin", ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_char_p)),
            ("trace_end", ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32)),
            ("current_time_ns", ctypes.CFUNCTYPE(ctypes.c_uint64)),
        ]

    def cells(name):
        lines = tracer.ptracer_get_all_tp_string().decode().splitlines()
        found = [line[len(name):].split() for line in lines if line.startswith(name + " ")]
        return found[0] if found else None
"""


def test_user_trace_points_and_copies_are_in_text_and_file(tmp_path: Path) -> None:
    done = ranks.run_alone(
        FINDS_IT_BY_NAME
        + f"""
    g_tracer = Tracer.in_dll(tracer, "g_tracer")
    assert not g_tracer.enabled
    assert tracer.ptracer_init(None) == -2000 and b"tracer init" in tracer.ptracer_get_last_err_msg()
    path = {os.fspath(tmp_path / "trace.txt")!r}
    assert tracer.ptracer_init(ctypes.byref(Config(1, path.encode()))) == 0 and g_tracer.enabled
    g_tracer.trace_begin(3, b"load")
    g_tracer.trace_end(3, 4000, 0)
    assert cells("point load")[:3] == ["1", "1", "0"] and "4.000" in cells("point load")
    with mf_smem.open_pool(host_bytes=2 << 20) as pool:
        pool.put(b"x" * 1000, pool.address())
        pool.put(b"x" * 1000, pool.address())
        assert cells("copy host put")[:4] == ["2", "2", "0", "2000"], cells("copy host put")
    tracer.ptracer_uninit()
    assert not g_tracer.enabled
    text = open(path).read()
    assert "point load" in text and "copy host put" in text
    """
    )
    assert done.returncode == 0, done.stderr


def test_operations_over_the_network_are_counted() -> None:
    ranks.run_code(
        FINDS_IT_BY_NAME
        + """
    with mf_smem.open_pool(host_bytes=2 << 20) as pool:
        pool.barrier()
        if pool.rank == 0:
            assert cells("tcp put") is None
            pool.put(b"y" * 5000, pool.address(1))
            pool.get(pool.address(1), bytearray(3000))
            assert cells("tcp put")[:4] == ["1", "1", "0", "5000"], cells("tcp put")
            assert cells("tcp get")[:4] == ["1", "1", "0", "3000"], cells("tcp get")
        pool.barrier()
    """,
        2,
        {"MF_SHM": "false", "MF_TRANSPORTS": "tcp"},
    )


def test_programs_link_to_libmf_hybm_core_alone(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None or not (LIBRARY / "libmf_hybm_core.so").exists():
        pytest.skip("no C compiler, or another library is used (MF_SMEM_LIBRARY)")
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(
        """
        #include <hybm/hybm_def.h>
        #include <string.h>
        int main(int count, char **arguments) {
            ptracer_config_t config = {1, arguments[1]};
            if (g_tracer.enabled || ptracer_init(&config) != 0 || !g_tracer.enabled) return 1;
            g_tracer.trace_begin(1, "linked");
            ptracer_uninit();
            return strstr(ptracer_get_all_tp_string(), "point linked") != NULL && !g_tracer.enabled ? 0 : 2;
        }
        """
    )
    subprocess.run(
        [compiler, f"-I{memfabric_hybrid.get_include_path()}", os.fspath(source), "-o", os.fspath(program), f"-L{LIBRARY}",
         "-lmf_hybm_core", f"-Wl,-rpath,{LIBRARY}"],
        check=True, timeout=ranks.DEADLINE_S,
    )
    done = subprocess.run([os.fspath(program), os.fspath(tmp_path / "t")], check=False, timeout=ranks.DEADLINE_S)
    assert done.returncode == 0
    assert "point linked" in (tmp_path / "t").read_text()


def test_both_library_names_load_one_library() -> None:
    """The second name is no second copy: nothing warns of one, and both have the same functions."""
    done = ranks.run_alone(
        """
        import ctypes, memfabric_hybrid, mf_smem
        one, other = ctypes.CDLL("libmf_smem.so"), ctypes.CDLL("libmf_hybm_core.so")
        at = lambda library: ctypes.cast(library.ptracer_init, ctypes.c_void_p).value
        assert at(one) == at(other)
        assert mf_smem.initialize() == 0
        """
    )
    assert done.returncode == 0 and "two copies" not in done.stderr, done.stderr


def mfcli(*arguments: str) -> subprocess.CompletedProcess[str]:
    script = Path(sysconfig.get_path("scripts"), "mfcli")
    command = [os.fspath(script)] if script.exists() else [sys.executable, "-m", "memfabric_hybrid.cli"]
    return subprocess.run(
        [*command, *arguments], env=ranks.plain_environment(), capture_output=True, text=True, timeout=ranks.DEADLINE_S,
        check=False,
    )


def test_mfcli_is_installed() -> None:
    from memfabric_hybrid import cli

    if cli.program() is None:
        pytest.skip("mf_smem was built without the program mf")
    done = mfcli("version")
    assert done.returncode == 0 and re.match(r"interface 1\.3\nmemfabric-rs \d", done.stdout), done
    assert mfcli("nonsense").returncode == 2
    done = mfcli("benchmark", "--copy-count", "3", "--copysize", "4096", "--ip", f"tcp://127.0.0.1:{ranks.free_port()}")
    assert done.returncode == 0 and "all ranks here" in done.stdout, done
