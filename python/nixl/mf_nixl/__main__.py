# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``python -m mf_nixl``: prints the line that gives NIXL this plug-in beside its own; ``bench`` measures it."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence

from . import _bench
from ._folder import NAME, plugin_dir
from ._versions import VERSIONS
from ._wheel import NixlError, installed

_ABOUT = f"""\
Prints the line that gives NIXL the backend {NAME} beside its own backends:

  eval "$(python -m mf_nixl)"

The folder in it has links to the plug-ins of the installed NIXL and to the build of ours for its minor version
({", ".join(VERSIONS)}). Other versions are refused, with status 1."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program with arguments (default: of the process); returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m mf_nixl", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--distribution", metavar="NAME", help="wheel of NIXL, if several are installed: nixl_cu12, nixl_cu13")
    parser.add_argument("--path", action="store_true", help="print the folder alone")
    parser.add_argument("--base", metavar="FOLDER", help="where the folder of links is made (default: ~/.cache/mf_nixl)")
    parser.add_argument(
        "--as", dest="names", metavar="TYPE", action="append",
        help=f"offer the plug-in as this type, in place of {NAME}; may be repeated. For programs with a fixed list of types",
    )
    commands = parser.add_subparsers(dest="command", metavar="bench")
    measures = commands.add_parser("bench", help="measure it beside another backend of one agent", description=_bench.__doc__)
    _bench.add_arguments(measures)
    chosen = parser.parse_args(arguments)
    try:
        wheel = installed(chosen.distribution)
        if chosen.command == "bench":
            _bench.run(chosen, wheel)
        folder = plugin_dir(chosen.names or (NAME,), wheel, chosen.base)
    except (NixlError, OSError) as error:
        print(f"mf_nixl: {error}", file=sys.stderr)
        return 1
    print(folder if chosen.path else f"export NIXL_PLUGIN_DIR={shlex.quote(folder)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
