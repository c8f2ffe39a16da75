# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``shmem-config``: where headers and library are, for build files."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import mf_smem

_VERSION = "1.1.1"


def _lib() -> str:
    return mf_smem.get_lib_path()


def _diagnose() -> str:
    lines = [f"python {platform.python_version()}", f"library {_lib()}/libmf_smem.so", f"headers {mf_smem.get_include_path()}"]
    header = Path(mf_smem.get_include_path()) / "shmem.h"
    lines.append("shmem.h " + ("found" if header.is_file() else "missing"))
    return "\n".join(lines)


def _check() -> str:
    if not (Path(mf_smem.get_include_path()) / "shmem.h").is_file():
        raise SystemExit(f"shmem-config: there is no shmem.h in {mf_smem.get_include_path()}")
    from . import aclshmem_info_get_name

    return f"ok: {aclshmem_info_get_name()}"


_ANSWERS: dict[str, tuple[str, Callable[[], str]]] = {
    "include": ("folder of the headers", mf_smem.get_include_path),
    "lib": ("folder of the library", _lib),
    "backend": ("what memory heaps can be in", lambda: "host, ascend"),
    "root": ("folder of the package", lambda: str(Path(__file__).resolve().parent)),
    "version": ("version of the interface", lambda: _VERSION),
    "runtime-root": ("folder of what is loaded at run time", lambda: str(Path(_lib()).parent)),
    "ldflags": ("what a program is linked with", lambda: f"-L{_lib()} -lmf_smem"),
    "rpath": ("how a program finds the library", lambda: f"-Wl,-rpath,{_lib()}"),
    "diagnose": ("what was found, a line each", _diagnose),
    "check": ("whether the library can be used", _check),
}


def main(words: list[str] | None = None) -> int:
    """Prints the answers to the options, in their order."""
    parser = argparse.ArgumentParser(prog="shmem-config", description=__doc__)
    for name, (what, _) in _ANSWERS.items():
        parser.add_argument(f"--{name}", dest="asked", action="append_const", const=name, help=what)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the same without --")
    found = parser.parse_args(words)
    asked = [*(found.asked or []), *found.names]
    if not asked:
        parser.print_help()
        return 2
    for name in asked:
        if name not in _ANSWERS:
            print(f"shmem-config: there is no {name}; there are {', '.join(_ANSWERS)}", file=sys.stderr)
            return 2
        print(_ANSWERS[name][1]())
    return 0


if __name__ == "__main__":
    sys.exit(main())
