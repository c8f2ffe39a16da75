# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels: programs that run on the NPU of this process, or on its simulator, and reach the memory of all ranks.

`load` gives the kernels of this package or of a file, `build` compiles one for the simulator, `Binary.launch` runs one. A
process has an NPU once it has opened a pool or a share memory (`mf_smem.open_share`); with ``MF_DEVICE=sim`` in its
environment it has a simulated one.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Union

from . import _mf_smem
from ._device_memory import DeviceMemory
from ._errors import invalid
from ._loader import get_include_path
from ._mf_smem import KernelBinary
from ._operands import Operands
from ._unique import Unique
from .share import SharedMemory
from .shm import ShareMemory

__all__ = ["Binary", "DeviceMemory", "build", "build_file", "load", "table"]

_Path = Union[str, "os.PathLike[str]"]

# Value of the C interface for CANN's null stream.
_DEFAULT_STREAM = (1 << (8 * ctypes.sizeof(ctypes.c_void_p))) - 1


class Binary(Unique):
    """A loaded kernel binary. Made by `load`; unloaded by `close`, by the end of a ``with`` block, or when collected."""

    def __init__(self, binary: KernelBinary, origin: str) -> None:
        self._binary = binary
        self._origin = origin

    def launch(
        self,
        name: str,
        blocks: int,
        *args: Any,
        memory: SharedMemory | ShareMemory | None = None,
        timeout: float | None = None,
        stream: int | None = None,
    ) -> None:
        """Runs the kernel `name` on `blocks` cores and waits for its end.

        args
            Arguments of the kernel, in order: an int, for a number of any width or an address; a float, for a ``float``; a
            NumPy or ctypes scalar, in its own size; None, for a null address; a `DeviceMemory`. Everything else with bytes
            (NumPy arrays, torch tensors, bytes, see `Pool.put`) is copied to memory of the NPU, and the kernel gets the
            copy's address; it is copied back afterwards when it is writable and the kernel succeeded. Data already in memory
            of the NPU is passed as it is. The same object given twice is one operand.
        memory
            The share memory that the kernel works on: closing it waits for the kernel, and when the kernel gives up waiting
            for another rank the error names that rank.
        timeout
            Longest run in seconds; None: the limit of the device.
        stream
            A stream of CANN, as an integer (0: the default one), as whose next task the kernel runs; the call does not wait
            then, and every operand must be in memory of the NPU already and stay there until the stream has done it.

        Raises `NotExistError` for an unknown kernel, `InvalidParamError` for blocks and arguments that it cannot have,
        `TimedOutError`, `NotConnectedError` when a rank died that it waited for, and `Error` with the device's words.
        """
        timeout_ms = 0
        if timeout is not None:
            timeout_ms = round(timeout * 1000)
            if not 0 < timeout_ms <= 0xFFFFFFFF:
                raise invalid(f"timeout must be from 0.001 to 4294967 seconds, not {timeout}")
        share = memory.memory if isinstance(memory, SharedMemory) else memory
        with Operands(args, may_copy=stream is None) as operands:
            self._binary.launch(
                name, blocks, operands.arguments, share, timeout_ms, 0 if stream is None else stream or _DEFAULT_STREAM
            )
            operands.copy_back()

    @property
    def handle(self) -> int:
        """The ``mfx_kernel_t`` as an integer, for C and C++ code in this process; 0 once closed."""
        return self._binary.handle

    def close(self) -> None:
        """Unloads it, after launches that are in progress. Idempotent."""
        self._binary.unload()

    def __enter__(self) -> Binary:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mf_smem.kernels.Binary {self._origin}>"


def load(path: _Path | bytes | None = None) -> Binary:
    """Loads a kernel binary on the NPU of this process: of a file, of bytes, or (None) the kernels that `table` lists.

    Raises `NotInitError` before a pool or a share memory was opened, `NotExistError` without an NPU, such a file, or kernels
    in this build, `InvalidParamError` for an invalid binary or one for another chip.
    """
    if isinstance(path, bytes):
        return Binary(KernelBinary.from_data(path), f"of {len(path)} bytes")
    if path is None:
        return Binary(KernelBinary.from_path(None), "of this package")
    return Binary(KernelBinary.from_path(os.path.abspath(path)), os.fspath(path))


def table() -> list[dict[str, Any]]:
    """The kernels of this package: ``name``, ``cores``, and the types of the ``arguments`` of each."""
    kernels: list[dict[str, Any]] = json.loads(_mf_smem.kernel_table_json())["kernels"]
    return kernels


def build(*sources: _Path, output: _Path | None = None, flags: Sequence[str] = ()) -> Binary:
    """Compiles kernels for the simulator and loads them: `load` of what `build_file` makes, see there."""
    return load(build_file(*sources, output=output, flags=flags))


def build_file(*sources: _Path, output: _Path | None = None, flags: Sequence[str] = ()) -> Path:
    """Compiles kernels for the simulator by the C++ compiler of this machine (``CXX``, else ``c++``) and returns the binary's
    path, for `load`.

    sources
        C++ files; ``#include "mf_kernel.h"`` names the rest. The headers are in ``get_include_path()/mf_kernels``.
    output
        Where to put the binary; default: a file in the cache folder (``XDG_CACHE_HOME``), its name made from the sources' names
        and the flags.
    flags
        Further flags of the compiler, for example ``-Ifolder``, ``-g``, ``-Werror`` (else warnings are logged).

    Several processes may build at once: the first does the work. The first build of all takes longest, because it compiles
    the emulation. For an NPU the same files are compiled by ``mf kernel build``. Raises `Error` with the compiler's words.
    """
    files = [os.path.abspath(source) for source in sources]
    home = _kernel_home()
    cache = _cache()
    if output is None:
        name = hashlib.sha256("\0".join([*files, *flags]).encode()).hexdigest()[:16]
        output = cache / f"{Path(files[0]).stem if files else 'kernels'}-{name}.so"
    target = Path(output).absolute()
    with _alone_in(cache):
        _mf_smem.kernel_build(files, list(flags), os.fspath(home), os.fspath(cache), os.fspath(target), os.environ.get("CXX"))
    return target


def _kernel_home() -> Path:
    """Headers and emulation: of the package, or of the source tree around it."""
    here = Path(__file__).resolve()
    places = [Path(get_include_path()) / "mf_kernels", here.parent.parent.parent / "device-kernels"]
    for place in places:
        if (place / "include" / "mf_kernel.h").is_file():
            return place
    raise invalid(f"the headers for kernels are missing: there is no include/mf_kernel.h in {' nor in '.join(map(str, places))}")


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    python = f"{sys.implementation.name}-{os.uname().machine}"
    folder = Path(base) / "mf_smem" / f"kernels-{_mf_smem.version()}-{python}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    # Existing files are loaded into this process: no other user may have written them.
    about = folder.stat()
    if about.st_uid != os.geteuid():
        raise invalid(f"the cache of kernels belongs to another user: {folder}; set XDG_CACHE_HOME to a folder of your own")
    if about.st_mode & 0o022:
        folder.chmod(about.st_mode & 0o755)
    return folder


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keeps other builds in this folder waiting."""
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
