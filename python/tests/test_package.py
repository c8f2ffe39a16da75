# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The installed package: its metadata, its files, the program and the command, and the names of the library."""

from __future__ import annotations

import base64
import ctypes
import hashlib
import importlib.metadata
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import mf_smem
import pytest

import ranks

PACKAGE = Path(mf_smem.__file__).resolve().parent


@pytest.fixture(scope="module")
def distribution() -> importlib.metadata.Distribution:
    return importlib.metadata.distribution("mf_smem")


def elves() -> list[Path]:
    """The libraries and programs of the package."""
    return [path for path in sorted(PACKAGE.rglob("*")) if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]


def read(*options: str) -> str:
    if shutil.which("readelf") is None:
        pytest.skip("there is no readelf: apt-get install binutils")
    return subprocess.run(["readelf", "-W", *options], check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.mark.parametrize(("name", "known"), [("mf_smem", "1.0.0"), ("mf_adapter", "1.0.0"), ("memfabric_hybrid", "1.3.0")])
def test_package_versions_sort_above_registry_versions(name: str, known: str) -> None:
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed")
    # A local version sorts above its release, which requirements of that release accept.
    assert distribution.version == f"{known}+mf{mf_smem.version()}"
    if name != "mf_smem":
        assert distribution.requires == [f"mf_smem=={mf_smem.__version__}"]


def test_the_metadata_describes_the_package(distribution: importlib.metadata.Distribution) -> None:
    metadata = distribution.metadata
    assert metadata["Name"] == "mf_smem" and metadata["Version"] == mf_smem.__version__ == f"1.0.0+mf{mf_smem.version()}"
    assert metadata["License-Expression"] == "Apache-2.0 OR MIT"
    assert metadata["Requires-Python"] == ">=3.10" and metadata["Summary"] and metadata["Keywords"]
    assert metadata["Description-Content-Type"].startswith("text/markdown")
    assert metadata.get_all("Project-URL") is None and metadata["Home-page"] is None, "there is no site of the project"
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])


@pytest.mark.parametrize("name", ["mf_smem", "memfabric_hybrid", "mf_adapter", "mf_connectors", "cann-shmem", "mf-openshmem", "mf-hmc"])
def test_both_licences_are_in_the_package(name: str) -> None:
    try:
        files = importlib.metadata.files(name) or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed")
    texts = {path.name: path.read_text() for path in files if path.name.startswith("LICENSE-")}
    assert set(texts) == {"LICENSE-APACHE", "LICENSE-MIT"}
    assert "Permission is hereby granted, free of charge" in texts["LICENSE-MIT"]
    assert "Apache License" in texts["LICENSE-APACHE"]


def test_installed_files_match_the_record(distribution: importlib.metadata.Distribution) -> None:
    checked = 0
    for path in distribution.files or []:
        if path.hash is not None and "__pycache__" not in path.parts:
            digest = hashlib.new(path.hash.mode, Path(str(path.locate())).read_bytes()).digest()
            assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == path.hash.value, path
            checked += 1
    assert checked > 20


def test_libraries_and_programs_carry_no_symbols_for_debuggers() -> None:
    names = {path.name for path in elves()}
    assert {"libmf_smem.so", "libmf_smem.so.0", "libmf_hybm_core.so", "libmf_acc_offload.so", "libascend_sim.so", "mf"} <= names
    for path in (one for one in elves() if one.name not in ("libmf_smem.so.0", "libmf_hybm_core.so")):
        sections = read("-S", str(path))
        # A name of 34 bytes that Rust's compiler puts among the data of programs is no symbol.
        assert not re.search(r"\.(z?debug_(?!gdb_scripts)|symtab)", sections), path


def test_kernel_file_of_the_release_exists_and_is_empty() -> None:
    assert (PACKAGE / "lib" / "libmf_hybm_accoffload.so").stat().st_size == 0


def test_wheel_tag_names_the_required_glibc(distribution: importlib.metadata.Distribution) -> None:
    tag = re.search(r"^Tag: cp310-abi3-(.*)$", distribution.read_text("WHEEL") or "", re.MULTILINE)
    assert tag is not None
    claimed = re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+)", tag[1])
    assert claimed is not None, f"{tag[1]} is no manylinux tag"
    needed = max(
        tuple(int(part) for part in version.split("."))[:2]
        for path in elves()
        for version in re.findall(r"Name: GLIBC_([0-9.]+)", read("-V", str(path)))
    )
    assert (int(claimed[1]), int(claimed[2])) == max(needed, (2, 17))
    assert claimed[3] == sysconfig.get_platform().removeprefix("linux-").replace("-", "_")


def run_command(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=ranks.plain_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120
    )


def test_module_and_command_run_the_mf_program(distribution: importlib.metadata.Distribution) -> None:
    program = [str(PACKAGE / "lib" / "mf")]
    module = [sys.executable, "-m", "mf_smem"]
    scripts = [path for path in distribution.files or [] if path.name == "mf" and path.parent.name == "bin"]
    called_as = [module, *([str(path.locate().resolve())] for path in scripts)]
    assert len(called_as) == 2, "the package installs a command mf"
    for words in (["version"], ["--help"], ["no-such-command"], ["run", "-n", "2", "--", sys.executable, "-c", "exit(7)"]):
        wanted = run_command(program + words)
        for command in called_as:
            found = run_command(command + words)
            assert found.returncode == wanted.returncode, found.stderr
            if words[0] != "run":
                assert found.stdout == wanted.stdout
    assert "Usage: mf perf copy" in run_command([*module, "perf", "copy", "--help"]).stdout


def test_module_starts_ranks() -> None:
    done = run_command([sys.executable, "-m", "mf_smem", "run", "-n", "2", "--", sys.executable, "-c", (
        "import mf_smem\n"
        "with mf_smem.open_pool(host_bytes=2 << 20) as pool:\n"
        "    pool.barrier('all are here')\n"
        "    print('rank', pool.rank, 'of', pool.world_size)\n"
        "    pool.barrier('all have printed')\n"
    )])
    assert done.returncode == 0, done.stderr
    assert "rank 0 of 2" in done.stdout and "rank 1 of 2" in done.stdout


def test_plugins_linked_to_either_soname_get_the_loaded_library(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: apt-get install gcc")
    source = tmp_path / "plugin.c"
    source.write_text('const char *mfx_version(void);\nconst char *plugin_version(void) { return mfx_version(); }\n')
    for name in ("libmf_smem.so", "libmf_smem.so.0"):
        plugin = tmp_path / f"plugin.{name.count('.')}"
        subprocess.run(
            [compiler, "-shared", "-fPIC", source, "-o", plugin, "-Wl,--no-as-needed", f"-L{mf_smem.get_lib_path()}",
             f"-l:{name}", "-Wl,--unresolved-symbols=ignore-all"],
            check=True,
        )
        assert f"[{name}]" in read("-d", str(plugin))
        loaded = ctypes.CDLL(str(plugin))
        loaded.plugin_version.restype = ctypes.c_char_p
        assert loaded.plugin_version().decode() == mf_smem.version()
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/libmf_smem.so" in line}
    with_code = {path for path in mapped if Path(path).stat().st_size > 1 << 20}
    assert len(with_code) == 1, with_code
