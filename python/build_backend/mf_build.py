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
from pathlib import Path
from typing import Any

import maturin  # type: ignore[import-untyped]

HERE = Path(__file__).resolve().parent.parent
WORKSPACE = HERE.parent
PACKAGE = HERE / "mf_smem"
HEADERS = WORKSPACE / "core" / "capi" / "include"
# What ``mf_smem.kernels.build`` needs, by its place under include/mf_kernels.
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


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _add_library_and_headers()
    name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    return name


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _add_library_and_headers()
    name: str = maturin.build_editable(wheel_directory, config_settings, metadata_directory)
    return name


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    requires: list[str] = maturin.get_requires_for_build_wheel(config_settings)
    return requires


get_requires_for_build_editable = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    name: str = maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)
    return name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


class UnsupportedOperation(Exception):
    """What PEP 517 has a backend raise for something that it does not do."""


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    raise UnsupportedOperation(
        "a source distribution of this folder would lack the workspace around it; build a wheel from a clone instead"
    )


def _add_library_and_headers() -> None:
    library = PACKAGE / "lib"
    shutil.rmtree(library, ignore_errors=True)
    library.mkdir()
    for built in _build(["libmf_smem.so", "libascend_sim.so", "mf"]):
        _copy_stripped(built, library / built.name)
    _link_alias(library)
    for text in ("LICENSE-APACHE", "LICENSE-MIT"):
        shutil.copy2(WORKSPACE / text, library / text)

    include = PACKAGE / "include"
    shutil.rmtree(include, ignore_errors=True)
    _copy(HEADERS, include, (".h",))
    for name, folder in KERNEL_SOURCES.items():
        _copy(folder, include / "mf_kernels" / name, (".h", ".cpp"))


def _link_alias(library: Path) -> None:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    options = [
        "-shared", "-nostdlib", os.fspath(ALIAS_ENTRIES), "-o", os.fspath(library / ALIAS), f"-Wl,-soname,{ALIAS}",
        "-Wl,--filter=libmf_smem.so", f"-L{library}", "-Wl,--no-as-needed", "-lmf_smem", "-Wl,-rpath,$ORIGIN",
        "-Wl,-z,noexecstack",
    ]
    try:
        subprocess.run([*compiler, *options], check=True)
    except FileNotFoundError:
        raise SystemExit(f"{ALIAS} is linked by \"{compiler[0]}\", which was not found; with another compiler: CC=…") from None


def _copy_stripped(built: Path, to: Path) -> None:
    """Leaves out what only debuggers read, which is most of the file; cargo's target folder keeps it."""
    shutil.copy2(built, to)
    strip = shutil.which(os.environ.get("STRIP", "strip"))
    if strip is None:
        print(f"{built.name} keeps its debug symbols, because there is no strip (Debian: apt-get install binutils)")
        return
    subprocess.run([strip, "--strip-debug", os.fspath(to)], check=True)


def _copy(source: Path, destination: Path, endings: tuple[str, ...]) -> None:
    shutil.copytree(source, destination, ignore=lambda folder, names: [
        name for name in names if not name.endswith(endings) and not Path(folder, name).is_dir()
    ])


def _build(wanted: list[str]) -> list[Path]:
    """Builds the C library, the simulator and the program; cargo itself prints where the files are, whatever target folder is set."""
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "build", "--release", "--locked", "-p", "mf-capi", "-p", "ascend-sim", "-p", "mf-cli",
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
