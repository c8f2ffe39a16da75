# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Build backend of the wheel ``mf_smem``: puts libmf_smem.so, the simulator, the program ``mf``, and what kernels are built from
into the package, then calls maturin.

The extension module opens libmf_smem.so at run time, so cargo does not know that one needs the other.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import maturin  # type: ignore[import-untyped]

import mf_elf
import mf_link
import mf_sdist
import mf_wheel

HERE = Path(__file__).resolve().parent.parent
WORKSPACE = HERE.parent
PACKAGE = HERE / "mf_smem"
HEADERS = WORKSPACE / "core" / "capi" / "include"
# Sources for ``mf_smem.kernels.build``, by their place under include/mf_kernels.
KERNEL_SOURCES = {
    "include": WORKSPACE / "device-kernels" / "include",
    "emulation": WORKSPACE / "device-kernels" / "emulation",
    "simulator": WORKSPACE / "sys" / "sim" / "include",
}

# libmf_hybm_core.so is another name of libmf_smem.so, for programs that link to it or open it at run time. A
# wheel cannot hold a link, and a second file with the code would be a second copy with a state of its own; so
# it is a file that makes the loader take its names from the library beside it.
ALIAS = "libmf_hybm_core.so"
ALIAS_ENTRIES = WORKSPACE / "core" / "hybm" / "entries.S"
# The functions of acc_offload.h, each one call of the library.
OFFLOAD = "libmf_acc_offload.so"
OFFLOAD_SOURCE = WORKSPACE / "core" / "acc-offload" / "acc_offload.c"
# The release's file of kernels, which is empty in its wheel: the library's kernels are inside of it.
# Programs look whether the file exists.
OFFLOAD_KERNELS = "libmf_hybm_accoffload.so"
# Extensions of upstream's users need the library by the name without a version, and find it once Python has
# loaded it; so that is its soname in a wheel. Programs linked to an installed library need the name with a
# version: a file without code, which leads to the library.
LIBRARY = "libmf_smem.so"
VERSIONED = "libmf_smem.so.0"

# An option of the frontend (pip: --config-settings debug-symbols=FOLDER): where what debuggers read is kept.
SYMBOLS = "debug-symbols"
# Option for cargo's profile. Default: the profile that a source tree has built already.
PROFILE = "cargo-profile"

Settings = dict[str, Any] | None


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    output, symbols, profile = Path(wheel_directory).resolve(), _symbols(config_settings), _profile(config_settings)
    with tempfile.TemporaryDirectory() as folder:
        # A source tree is linked with cargo's own options, so that its build results are reused.
        link = [] if profile == "release" else mf_link.config(mf_link.options(), Path(folder))
        chosen = ["--profile", profile, *link]
        _add_library_and_headers(symbols, chosen, profile)
        settings = {**(config_settings or {}), "build-args": shlex.join(chosen)}
        name: str = _from_here(lambda: maturin.build_wheel(os.fspath(output), settings, metadata_directory))
    return mf_wheel.finish(output / name, symbols).name


def build_editable(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    output = os.fspath(Path(wheel_directory).resolve())
    _add_library_and_headers(_symbols(config_settings), ["--profile", "release"], "release")
    return _from_here(lambda: maturin.build_editable(output, config_settings, metadata_directory))


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    requires: list[str] = _from_here(lambda: maturin.get_requires_for_build_wheel(config_settings))
    # Distributed files are compressed; a build of a source tree needs no more than maturin.
    return requires if _profile(config_settings) == "release" else [*requires, "deflate>=0.7,<1"]


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    output = os.fspath(Path(metadata_directory).resolve())
    return _from_here(lambda: maturin.prepare_metadata_for_build_wheel(output, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    output = Path(sdist_directory).resolve()
    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder, prepare_metadata_for_build_wheel(folder, config_settings))
        information = (described / "METADATA").read_bytes()
    name = described.name.removesuffix(".dist-info")
    requires = _project()["build-system"]["requires"]
    mf_sdist.write(WORKSPACE, name, output / f"{name}.tar.gz", information, requires)
    return f"{name}.tar.gz"


def _from_here(call: Callable[[], Any]) -> Any:
    """Runs what reads pyproject.toml in the current folder: in a source distribution that is another one."""
    before = os.getcwd()
    os.chdir(HERE)
    try:
        return call()
    finally:
        os.chdir(before)


def _project() -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # maturin needs it, too
    return tomllib.loads((HERE / "pyproject.toml").read_text())


def _symbols(config_settings: Settings) -> Path | None:
    folder = (config_settings or {}).get(SYMBOLS)
    if not folder:
        return None
    path = Path(folder).resolve()
    path.mkdir(parents=True, exist_ok=True)
    return path


def _profile(config_settings: Settings) -> str:
    return str((config_settings or {}).get(PROFILE) or "release")


def _add_library_and_headers(symbols: Path | None, chosen: list[str], profile: str) -> None:
    library = PACKAGE / "lib"
    shutil.rmtree(library, ignore_errors=True)
    library.mkdir()
    # A distributed file mf has the measurements, too: two files would have the standard library twice.
    programs, packages = ["mf", "mf-perf"], ["-p", "mf-cli", "-p", "mf-perf"]
    if profile != "release":
        programs, packages = ["mf"], ["-p", "mf-cli", "--features", "mf-cli/perf"]
    for built in _build([LIBRARY, "libascend_sim.so", *programs], [*chosen, *packages]):
        mf_wheel.split_symbols(built, library / built.name, symbols)
    mf_elf.rename(library / LIBRARY, LIBRARY)
    _link(library / ALIAS, os.fspath(ALIAS_ENTRIES), f"-Wl,--filter={LIBRARY}")
    _link(library / VERSIONED)
    _link(library / OFFLOAD, "-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wl,-s", f"-I{HEADERS}", os.fspath(OFFLOAD_SOURCE))
    (library / OFFLOAD_KERNELS).touch()

    include = PACKAGE / "include"
    shutil.rmtree(include, ignore_errors=True)
    _copy(HEADERS, include, (".h", ".hpp"))
    for name, folder in KERNEL_SOURCES.items():
        _copy(folder, include / "mf_kernels" / name, (".h", ".cpp"))


def _link(output: Path, *options: str) -> None:
    """Links a library that hands on to the one beside it."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    all_options = [
        "-shared", "-nostdlib", *options, "-o", os.fspath(output), f"-Wl,-soname,{output.name}", f"-L{output.parent}",
        "-Wl,--no-as-needed", "-lmf_smem", "-Wl,-rpath,$ORIGIN", "-Wl,-z,noexecstack",
    ]
    try:
        subprocess.run([*compiler, *all_options], check=True)
    except FileNotFoundError:
        raise SystemExit(f"{output.name} is linked by \"{compiler[0]}\", which was not found; with another compiler: CC=…") from None


def _copy(source: Path, destination: Path, endings: tuple[str, ...]) -> None:
    shutil.copytree(source, destination, ignore=lambda folder, names: [
        name for name in names if not name.endswith(endings) and not Path(folder, name).is_dir()
    ])


def _build(wanted: list[str], chosen: list[str]) -> list[Path]:
    """Builds the C library, the simulator and the programs; cargo itself prints where the files are, for any target folder.

    ``chosen``: options of cargo, the same as for the extension, and the packages of the programs."""
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "build", *chosen, "--locked", "-p", "mf-capi", "-p", "ascend-sim",
               "--message-format=json-render-diagnostics"]
    try:
        output = subprocess.run(command, cwd=WORKSPACE, check=True, stdout=subprocess.PIPE, text=True).stdout
    except FileNotFoundError:
        raise SystemExit("mf_smem is built by Rust's cargo, which was not found; install Rust 1.89 or newer") from None
    found: dict[str, Path] = {}
    for line in output.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and {"cdylib", "bin"} & set(message["target"]["kind"]):
            found.update((Path(name).name, Path(name)) for name in message["filenames"])
    missing = [name for name in wanted if name not in found]
    if missing:
        raise SystemExit(f"cargo did not name {', '.join(missing)} among what it built")
    return [found[name] for name in wanted]
