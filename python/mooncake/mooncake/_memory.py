# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory that an engine lets others access."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Sequence

import mf_smem

from ._failure import failed
from ._ranges import Ranges

_FAILED, _UNKNOWN, _OVERLAP = -1, -3, -7
#: Where an engine's own store has the address of its first buffer.
_FIRST = "mooncake/first"
#: How long a store may take to answer a question, in seconds.
_ASK_S = 5

_log = logging.getLogger("mooncake.engine")


class Memory:
    """The memory of an engine. For any thread."""

    def __init__(self, engine: mf_smem.TransferEngine) -> None:
        self._engine = engine
        self._lock = threading.RLock()
        #: The address of the engine, ``ip:port``; empty before it has one.
        self._own = ""
        self._ranges = Ranges()
        self._managed: dict[int, int] = {}
        #: The address of the first buffer; 0: there is none.
        self._first = 0

    def _session(self, target: str) -> str | None:
        """The address of an engine by its name; None: it has none."""
        raise NotImplementedError

    def register_memory(self, buffer_addr: int, capacity: int, location: str = "*") -> int:
        """Lets others access `capacity` bytes from an address on. -7: some of them are registered; -1: no bytes."""
        return self.batch_register_memory([buffer_addr], [capacity], location)

    def batch_register_memory(self, buffer_addrs: Sequence[int], capacities: Sequence[int], location: str = "*") -> int:
        """As `register_memory` for several ranges, all or none; 0 for none."""
        del location
        if len(buffer_addrs) != len(capacities):
            return failed(f"{len(buffer_addrs)} addresses and {len(capacities)} capacities")
        with self._lock:
            added: list[int] = []
            code = 0
            for begin, size in zip(buffer_addrs, capacities):
                if begin <= 0 or size <= 0:
                    code = failed(f"no memory: address {begin:#x}, {size} bytes")
                elif self._ranges.overlaps(begin, size):
                    code = failed(f"memory at {begin:#x} is registered already", _OVERLAP)
                else:
                    self._ranges.add(begin, size)
                    added.append(begin)
                if code != 0:
                    break
            if code == 0 and added and self._own and self._engine.batch_register_memory(buffer_addrs, capacities) != 0:
                code = _FAILED
            if code != 0:
                for begin in added:
                    self._ranges.remove(begin)
            elif added:
                self._first = self._first or added[0]
                self._tell_first()
            return code

    def unregister_memory(self, buffer_addr: int) -> int:
        """Takes a registration back; no access to it is under way when this returns. -3: there is none."""
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
        """As `unregister_memory` for several; all are tried, and the first code that is not 0 is returned."""
        codes = [self.unregister_memory(begin) for begin in buffer_addrs]
        return next((code for code in codes if code != 0), 0)

    def allocate_managed_buffer(self, length: int) -> int:
        """Registered memory of zeroes. Its address; 0: there is none, or the engine is not initialised."""
        address = self._engine.trans_malloc(length) if length > 0 else 0
        if address:
            with self._lock:
                self._managed[address] = length
                self._first = self._first or address
                self._tell_first()
        return address

    def free_managed_buffer(self, buffer_addr: int, length: int) -> int:
        """Frees memory of `allocate_managed_buffer`. -1: there is none."""
        del length
        with self._lock:
            if self._managed.pop(buffer_addr, None) is None:
                return failed(f"no memory was allocated at {buffer_addr:#x}")
            if buffer_addr == self._first:
                self._first = self._ranges.first() or next(iter(self._managed), 0)
                self._tell_first()
        return 0 if self._engine.trans_free(buffer_addr) == 0 else _FAILED

    def write_bytes_to_buffer(self, dest_address: int, src: str | bytes, length: int) -> int:
        """Copies `length` bytes of a text or of bytes to an address of this process. -1: it has fewer."""
        content = src.encode() if isinstance(src, str) else bytes(src)
        if not 0 <= length <= len(content) or dest_address == 0:
            return failed(f"{length} bytes to {dest_address:#x}, and there are {len(content)}")
        ctypes.memmove(dest_address, content, length)
        return 0

    def read_bytes_from_buffer(self, source_address: int, length: int) -> bytes:
        """The bytes at an address of this process."""
        return ctypes.string_at(source_address, length)

    def get_first_buffer_address(self, segment_name: str) -> int:
        """The address of the first registered buffer of an engine, of this one too. 0: it has none, or does not answer."""
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
            failed(f"{segment_name} does not tell its first buffer: {error}")
            return 0

    # ---- inside ----

    def _register_all(self) -> bool:
        """Registers what was registered before the engine had an address."""
        ranges = list(self._ranges)
        return not ranges or self._engine.batch_register_memory(*map(list, zip(*ranges))) == 0

    def _tell_first(self) -> None:
        """Puts the address of the first buffer where `get_first_buffer_address` of others finds it."""
        if not self._own:
            return
        try:
            with mf_smem.Store(f"tcp://{self._own}", timeout=_ASK_S) as store:
                store.set(_FIRST, str(self._first))
        except mf_smem.Error as error:
            _log.warning("others cannot ask for the first buffer: %s", error)
