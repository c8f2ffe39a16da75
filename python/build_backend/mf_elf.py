# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Requirements of a program or library on the target machine, read from the file itself.

Parses only the parts used by the dynamic loader: the segments and the dynamic section, of 64-bit
little-endian files.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MACHINES = {62: "x86_64", 183: "aarch64"}

# Libraries present on every Linux with glibc, so that a wheel need not carry them: the part of the manylinux
# policies' list that our files could need.
COMMON = {
    "libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libgcc_s.so.1", "libstdc++.so.6",
    "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
}

_LOAD, _DYNAMIC = 1, 2
_NEEDED, _STRTAB, _SONAME, _VERNEED, _VERNEEDNUM = 1, 5, 14, 0x6FFFFFFE, 0x6FFFFFFF


class NotElf(ValueError):
    """The file is no 64-bit little-endian ELF file."""


@dataclass
class Elf:
    """Dynamic section of one file."""

    machine: str
    soname: str | None = None
    # Offset of the soname in the file.
    soname_offset: int = 0
    needed: list[str] = field(default_factory=list)
    # Versions of symbols that it needs, by library.
    versions: dict[str, list[str]] = field(default_factory=dict)

    def glibc(self) -> tuple[int, int]:
        """The oldest glibc that has all versions that the file needs; 2.17 for one that needs nothing newer."""
        names = [name for names in self.versions.values() for name in names if name.startswith("GLIBC_")]
        if "GLIBC_PRIVATE" in names:
            raise ValueError("it needs what glibc keeps for itself (GLIBC_PRIVATE)")
        numbers = [tuple(int(part) for part in name.removeprefix("GLIBC_").split(".")) for name in names]
        newest = max([(2, 17), *numbers])
        return newest[0], newest[1]


def read(data: bytes) -> Elf:
    """Reads the content of a file."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotElf("no 64-bit little-endian ELF file")
    (number,) = struct.unpack_from("<H", data, 18)
    elf = Elf(MACHINES.get(number, f"machine{number}"))
    segments = list(_segments(data))
    dynamic = next((at for kind, at, _, _ in segments if kind == _DYNAMIC), None)
    if dynamic is None:
        return elf

    def offset(address: int) -> int:
        for kind, at, start, size in segments:
            if kind == _LOAD and start <= address < start + size:
                return at + address - start
        raise NotElf(f"no segment has the address {address:#x}")

    entries = list(_entries(data, dynamic))
    found = dict(entries)
    strings = offset(found[_STRTAB])

    def text(at: int) -> str:
        start = strings + at
        return data[start : data.index(b"\0", start)].decode()

    if _SONAME in found:
        elf.soname, elf.soname_offset = text(found[_SONAME]), strings + found[_SONAME]
    elf.needed = [text(value) for tag, value in entries if tag == _NEEDED]
    if _VERNEED in found:
        at = offset(found[_VERNEED])
        for _ in range(found[_VERNEEDNUM]):
            _, count, library, auxiliary, following = struct.unpack_from("<HHIII", data, at)
            names = elf.versions.setdefault(text(library), [])
            one = at + auxiliary
            for _ in range(count):
                _, _, _, name, step = struct.unpack_from("<IHHII", data, one)
                names.append(text(name))
                one += step
            at += following
    return elf


def rename(path: Path, soname: str) -> None:
    """Gives a library a soname that the one it has begins with: what follows is overwritten with zeros."""
    data = bytearray(path.read_bytes())
    elf = read(bytes(data))
    if elf.soname == soname:
        return
    if elf.soname is None or not elf.soname.startswith(soname):
        raise ValueError(f"{path} has the soname {elf.soname}, which does not begin with {soname}")
    start = elf.soname_offset + len(soname)
    end = elf.soname_offset + len(elf.soname)
    data[start:end] = bytes(end - start)
    path.write_bytes(data)


def tag(files: dict[str, bytes]) -> str | None:
    """The platform tag of a wheel with these files: the processor, and the oldest glibc that all of them run on.

    None where a wheel may not claim one: a library is needed that is neither common nor among the files.
    """
    elves = {name: read(data) for name, data in files.items()}
    machines = {elf.machine for elf in elves.values()}
    if len(machines) != 1 or not machines <= set(MACHINES.values()):
        return None
    own = {Path(name).name for name in files}
    for name, elf in elves.items():
        foreign = set(elf.needed) - COMMON - own
        if foreign:
            print(f"{name} needs {', '.join(sorted(foreign))}, which not every Linux has: the wheel is for this machine")
            return None
    major, minor = max(elf.glibc() for elf in elves.values())
    return f"manylinux_{major}_{minor}_{machines.pop()}"


def _segments(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Kind, place in the file, address and size of each segment."""
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for index in range(count):
        kind, _, at, address, _, length, _, _ = struct.unpack_from("<IIQQQQQQ", data, table + index * size)
        yield kind, at, address, length


def _entries(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    while True:
        name, value = struct.unpack_from("<QQ", data, at)
        if name == 0:
            return
        yield name, value
        at += 16
