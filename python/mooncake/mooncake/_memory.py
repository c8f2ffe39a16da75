# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Registered memory of an engine, accessible to other engines."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Sequence

import mf_smem

from ._failure import failed
from ._ranges import Ranges

_FAILED, _UNKNOWN, _OVERLAP = -1, -3, -7
#: Key of the first buffer's address in an engine's own store.
_FIRST = "mooncake/first"
#: Timeout of a request to a store, in seconds.
_ASK_S = 5

_log = logging.getLogger("mooncake.engine")


class Memory:
    """Registers and allocates memory of an engine. Thread-safe."""

    def __init__(self, engine: mf_smem.TransferEngine) -> None:
        self._engine = engine
        self._lock = threading.RLock()
        #: The address of the engine, ``ip:port``; empty before `initialize`.
        self._own = ""
        self._ranges = Ranges()
        self._managed: dict[int, int] = {}
        #: The address of the first buffer, or 0 without buffers.
        self._first = 0

    def _session(self, target: str) -> str | None:
        """Returns the address of an engine by its name, or None if the name is unknown."""
        raise NotImplementedError

    def register_memory(self, buffer_addr: int, capacity: int, location: str = "*") -> int:
        """Registers `capacity` bytes for access by other engines. Returns 0, -7 for an overlap, -1 for other errors."""
        return self.batch_register_memory([buffer_addr], [capacity], location)

    def batch_register_memory(self, buffer_addresses: Sequence[int], capacities: Sequence[int], location: str = "*") -> int:
        """Registers several ranges as `register_memory`, all or nothing. Returns 0 for empty lists."""
        del location
        if len(buffer_addresses) != len(capacities):
            return failed(f"{len(buffer_addresses)} addresses and {len(capacities)} capacities")
        with self._lock:
            added: list[int] = []
            code = 0
            for begin, size in zip(buffer_addresses, capacities):
                if begin <= 0 or size <= 0:
                    code = failed(f"no memory: address {begin:#x}, {size} bytes")
                elif self._ranges.overlaps(begin, size):
                    code = failed(f"memory at {begin:#x} is registered already", _OVERLAP)
                else:
                    self._ranges.add(begin, size)
                    added.append(begin)
                if code != 0:
                    break
            if code == 0 and added and self._own and self._engine.batch_register_memory(buffer_addresses, capacities) != 0:
                code = _FAILED
            if code != 0:
                for begin in added:
                    self._ranges.remove(begin)
            elif added:
                self._first = self._first or added[0]
                self._tell_first()
            return code

    def unregister_memory(self, buffer_addr: int) -> int:
        """Unregisters memory. No access to it is in progress on return. Returns 0, -3 for an unknown address, -1 for an error."""
        with self._lock:
            if not self._ranges.remove(buffer_addr):
                return failed(f"no memory is registered at {buffer_addr:#x}", _UNKNOWN)
            if buffer_addr == self._first:
                self._first = self._ranges.first()
                self._tell_first()
            if not self._own:
                return 0
        return 0 if self._engine.unregister_memory(buffer_addr) == 0 else _FAILED

    def batch_unregister_memory(self, buffer_addrs: Sequence[int]) -> int:
        """Unregisters several ranges as `unregister_memory`. Tries all, and returns the first code other than 0."""
        codes = [self.unregister_memory(begin) for begin in buffer_addrs]
        return next((code for code in codes if code != 0), 0)

    def allocate_managed_buffer(self, length: int) -> int:
        """Allocates and registers zeroed memory. Returns its address, or 0 if this fails or the engine is not initialised."""
        address = self._engine.trans_malloc(length) if length > 0 else 0
        if address:
            with self._lock:
                self._managed[address] = length
                self._first = self._first or address
                self._tell_first()
        return address

    def free_managed_buffer(self, buffer_addr: int, length: int) -> int:
        """Frees memory of `allocate_managed_buffer`. Returns 0, or -1 for an unknown address."""
        del length
        with self._lock:
            if self._managed.pop(buffer_addr, None) is None:
                return failed(f"no memory was allocated at {buffer_addr:#x}")
            if buffer_addr == self._first:
                self._first = self._ranges.first() or next(iter(self._managed), 0)
                self._tell_first()
        return 0 if self._engine.trans_free(buffer_addr) == 0 else _FAILED

    def write_bytes_to_buffer(self, dest_address: int, src: str | bytes, length: int) -> int:
        """Copies `length` bytes of a text or of bytes to an address of this process. Returns 0, or -1 if `src` is shorter."""
        content = src.encode() if isinstance(src, str) else bytes(src)
        if not 0 <= length <= len(content) or dest_address == 0:
            return failed(f"{length} bytes to {dest_address:#x}, and there are {len(content)}")
        ctypes.memmove(dest_address, content, length)
        return 0

    def read_bytes_from_buffer(self, source_address: int, length: int) -> bytes:
        """Returns a copy of the bytes at an address of this process."""
        return ctypes.string_at(source_address, length)

    def get_first_buffer_address(self, segment_name: str) -> int:
        """Returns the address of the first registered buffer of another or this engine. 0 without buffers or an answer."""
        session = self._session(segment_name)
        if session is None:
            return 0
        if session == self._own:
            return self._first
        try:
            with mf_smem.Store(f"tcp://{session}", timeout=_ASK_S) as store:
                entry = store.entry(_FIRST)
                return 0 if entry is None else int(entry.value)
        except (mf_smem.Error, ValueError) as error:
            failed(f"{segment_name} does not report its first buffer: {error}")
            return 0

    # ---- inside ----

    def _register_all(self) -> bool:
        """Passes ranges to the engine that were registered before `initialize`."""
        ranges = list(self._ranges)
        return not ranges or self._engine.batch_register_memory(*map(list, zip(*ranges))) == 0

    def _tell_first(self) -> None:
        """Publishes the address of the first buffer for `get_first_buffer_address` of other engines."""
        if not self._own:
            return
        try:
            with mf_smem.Store(f"tcp://{self._own}", timeout=_ASK_S) as store:
                store.set(_FIRST, str(self._first))
        except mf_smem.Error as error:
            _log.warning("others cannot ask for the first buffer: %s", error)
