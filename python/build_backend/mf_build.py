# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Build backend of the wheel ``mf_smem``: puts libmf_smem.so and its headers into the package, then calls maturin.

The extension module opens libmf_smem.so at run time, so cargo does not know that one needs the other.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import maturin  # type: ignore[import-untyped]

HERE = Path(__file__).resolve().parent.parent
WORKSPACE = HERE.parent
PACKAGE = HERE / "mf_smem"
HEADERS = WORKSPACE / "core" / "capi" / "include"

# libmf_hybm_core.so is another name of libmf_smem.so. A wheel cannot hold a link, and a second file would be a second
# copy with a state of its own; so it is a text that tells the linker to take the one library. Who opens it at run time
# (only for upstream's tracer, and goes on without it) gets a clean error.
ALIAS_TEXT = "/* libmf_hybm_core.so is a part of libmf_smem.so */\nINPUT(-lmf_smem)\n"


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
    shutil.copy2(_build_library(), library / "libmf_smem.so")
    (library / "libmf_hybm_core.so").write_text(ALIAS_TEXT)

    include = PACKAGE / "include"
    shutil.rmtree(include, ignore_errors=True)
    shutil.copytree(HEADERS, include, ignore=lambda folder, names: [
        name for name in names if not name.endswith(".h") and not Path(folder, name).is_dir()
    ])


def _build_library() -> Path:
    """Builds the C library; cargo itself tells where the file is, whatever target folder is set."""
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "build", "--release", "--locked", "-p", "mf-capi", "--message-format=json-render-diagnostics"]
    protoc = os.environ.get("PROTOC") or shutil.which("protoc")
    if protoc and (Path(protoc).parent.parent / "include/google/protobuf/descriptor.proto").is_file():
        command += ["--features", "mf-store/etcd"]
    else:
        print("etcd:// stores are left out of this build: protoc and its files are not here "
              "(Debian: apt-get install protobuf-compiler libprotobuf-dev)")
    try:
        output = subprocess.run(command, cwd=WORKSPACE, check=True, stdout=subprocess.PIPE, text=True).stdout
    except FileNotFoundError:
        raise SystemExit("mf_smem is built by Rust's cargo, which was not found; install Rust 1.89 or newer") from None
    for line in output.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and "cdylib" in message["target"]["kind"]:
            return Path(next(name for name in message["filenames"] if name.endswith("libmf_smem.so")))
    raise SystemExit("cargo built mf-capi but named no libmf_smem.so")
