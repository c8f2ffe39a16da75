# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Parser of command lines: ``--name=value``, ``--name value``, ``-name``, ``--noname``. Unknown names cause a warning."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

_TRUE, _FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")


class Flags:
    """Flags of a program: name, default, help. The type of the default is the type of the flag."""

    def __init__(self, program: str, about: str, flags: Mapping[str, tuple[Any, str]]) -> None:
        self._program, self._about, self._flags = program, about, flags

    def parse(self, arguments: Sequence[str], version: str) -> dict[str, Any]:
        """Returns the values by name. Raises `SystemExit` for ``--help``, ``--version``, and for an invalid value."""
        values = {name: first for name, (first, _) in self._flags.items()}
        rest = list(arguments)
        while rest:
            word = rest.pop(0)
            name, given, value = word.lstrip("-").partition("=")
            name = name.replace("-", "_")
            if not word.startswith("-"):
                self._warn(f"{word!r} is no flag, and changes nothing")
            elif name in ("help", "h"):
                sys.stdout.write(self.usage())
                raise SystemExit(0)
            elif name == "version":
                sys.stdout.write(f"{self._program} {version}\n")
                raise SystemExit(0)
            elif name.startswith("no") and isinstance(values.get(name[2:]), bool) and not given:
                values[name[2:]] = False
            elif name not in values:
                self._warn(f"--{name} is not known, and changes nothing")
                if not given and rest and not rest[0].startswith("-"):
                    rest.pop(0)
            elif isinstance(values[name], bool) and not given:
                values[name] = True
            else:
                if not given:
                    if not rest:
                        self._end(f"--{name} has no value")
                    value = rest.pop(0)
                values[name] = self._read(name, value, values[name])
        return values

    def usage(self) -> str:
        """Returns the text of ``--help``."""
        lines = [f"Usage: {self._program} [--NAME=VALUE…]\n\n{self._about}\n"]
        lines += [f"  --{name}={_shown(first)}\n      {about}" for name, (first, about) in self._flags.items()]
        return "\n".join([*lines, "  --version, --help", ""])

    def _read(self, name: str, value: str, first: Any) -> Any:
        if isinstance(first, bool):
            if value.lower() in (*_TRUE, *_FALSE):
                return value.lower() in _TRUE
            self._end(f"--{name}={value}: true or false is expected")
        if isinstance(first, str):
            return value
        try:
            return type(first)(value)
        except ValueError:
            self._end(f"--{name}={value}: a number is expected")

    def _warn(self, text: str) -> None:
        print(f"{self._program}: {text}", file=sys.stderr)

    def _end(self, text: str) -> None:
        self._warn(text)
        raise SystemExit(2)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
