# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The last steps of a wheel: the extension without symbols, and the platform tag that its files allow."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import mf_elf
import mf_zip


def split_symbols(built: Path, to: Path, symbols: Path | None) -> None:
    """Copies ``built`` to ``to`` without what only debuggers read, which becomes ``symbols``/NAME.debug if that is given."""
    if to != built:
        shutil.copy2(built, to)
    strip = shutil.which(os.environ.get("STRIP", "strip"))
    if strip is None:
        print(f"{built.name} keeps its symbols, because there is no strip (Debian: apt-get install binutils)")
        return
    if symbols is not None:
        objcopy = os.environ.get("OBJCOPY", "objcopy")
        apart = symbols / f"{to.name}.debug"
        subprocess.run([objcopy, "--only-keep-debug", os.fspath(to), os.fspath(apart)], check=True)
    subprocess.run([strip, "--strip-all", os.fspath(to)], check=True)
    if symbols is not None:
        subprocess.run([objcopy, f"--add-gnu-debuglink={apart}", os.fspath(to)], check=True)


def finish(wheel: Path, symbols: Path | None) -> Path:
    """Takes the symbols from the extension and gives the wheel its tag; returns the file under its new name."""
    with zipfile.ZipFile(wheel) as archive:
        members = [(member, archive.read(member)) for member in archive.infolist() if not member.is_dir()]
    contents = {member.filename: data for member, data in members}
    for name in [name for name in contents if name.endswith(".abi3.so")]:
        contents[name] = _stripped(Path(name).name, contents[name], symbols)
    tag = mf_elf.tag({name: data for name, data in contents.items() if data[:4] == b"\x7fELF"})
    old = wheel.stem.rsplit("-", 1)[1]
    new = tag or old
    metadata = next(name for name in contents if name.endswith(".dist-info/WHEEL"))
    contents[metadata] = contents[metadata].replace(f"-{old}\n".encode(), f"-{new}\n".encode())
    record = metadata.replace("/WHEEL", "/RECORD")
    contents[record] = _record(record, contents)
    named = wheel.with_name(f"{wheel.stem.rsplit('-', 1)[0]}-{new}.whl")
    wheel.unlink()
    mf_zip.write(named, [(member, contents[member.filename]) for member, _ in members])
    return named


def _stripped(name: str, data: bytes, symbols: Path | None) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        path.chmod(0o755)
        split_symbols(path, path, symbols)
        return path.read_bytes()


def _record(record: str, contents: dict[str, bytes]) -> bytes:
    lines = []
    for name, data in contents.items():
        if name == record:
            continue
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}")
    return "\n".join([*lines, f"{record},,", ""]).encode()
