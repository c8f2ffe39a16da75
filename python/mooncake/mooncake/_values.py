# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values of a store: put, get, remove."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Union

from ._base import Base, coded
from ._codes import INVALID, NOT_FOUND, OK
from ._config import ReplicateConfig
from ._failure import failed
from ._handle import BufferHandle

Key = Union[str, bytes]
_PLAIN = ReplicateConfig()


class Values(Base):
    """Methods for whole values. Codes: 0 done, negative otherwise."""

    @coded()
    def put(self, key: Key, value: Any, config: ReplicateConfig = _PLAIN) -> int:
        """Puts a value, an object with bytes. A key that has a value keeps it, and that is 0. -600: an empty key or value;
        -200: no room beside pinned and leased values."""
        return self._put(key, [memoryview(value)], config, False)

    @coded()
    def upsert(self, key: Key, value: Any, config: ReplicateConfig = _PLAIN) -> int:
        """As `put`, in place of a former value."""
        return self._put(key, [memoryview(value)], config, True)

    @coded()
    def put_parts(self, key: Key, *parts: Any, config: ReplicateConfig = _PLAIN) -> int:
        """As `put` of the parts one behind the other; 0 without parts."""
        return self._put(key, [memoryview(part) for part in parts], config, False) if parts else OK

    @coded()
    def upsert_parts(self, key: Key, *parts: Any, config: ReplicateConfig = _PLAIN) -> int:
        """As `put_parts`, in place of a former value."""
        return self._put(key, [memoryview(part) for part in parts], config, True) if parts else OK

    @coded()
    def put_batch(self, keys: Sequence[Key], values: Sequence[Any], config: ReplicateConfig = _PLAIN) -> int:
        """As `put` for many; all are tried, and the first code that is not 0 is returned. -600: lists of different lengths."""
        return self._put_batch(keys, values, config, False)

    @coded()
    def upsert_batch(self, keys: Sequence[Key], values: Sequence[Any], config: ReplicateConfig = _PLAIN) -> int:
        """As `put_batch`, in place of former values."""
        return self._put_batch(keys, values, config, True)

    @coded(b"")
    def get(self, key: Key) -> bytes:
        """The value; empty where there is none."""
        space = self._opened()
        return space.get(space.keys.of(key)) or b""

    @coded(b"", many=True)
    def get_batch(self, keys: Sequence[Key]) -> list[bytes]:
        """As `get` for many."""
        space = self._opened()
        return [value or b"" for value in space.get_many([space.keys.of(key) for key in keys])]

    @coded(None)
    def get_buffer(self, key: Key) -> BufferHandle | None:
        """The value as an object with bytes; None where there is none."""
        space = self._opened()
        value = space.get(space.keys.of(key))
        return BufferHandle(value) if value else None

    @coded(None, many=True)
    def batch_get_buffer(self, keys: Sequence[Key]) -> list[BufferHandle | None]:
        """As `get_buffer` for many."""
        space = self._opened()
        found = space.get_many([space.keys.of(key) for key in keys])
        return [BufferHandle(value) if value else None for value in found]

    @coded()
    def get_size(self, key: Key) -> int:
        """Bytes of the value; -704: there is none."""
        space = self._opened()
        size = space.size_of(space.keys.of(key))
        return failed(f"there is no value of {key!r}", NOT_FOUND) if size is None else size

    @coded()
    def is_exist(self, key: Key) -> int:
        """1: there is a value; 0: there is none."""
        space = self._opened()
        return int(bool(key) and space.exists([space.keys.of(key)])[0])

    @coded(many=True)
    def batch_is_exist(self, keys: Sequence[Key]) -> list[int]:
        """As `is_exist` for many."""
        space = self._opened()
        found = iter(space.exists([space.keys.of(key) for key in keys if key]))
        return [int(bool(key) and next(found)) for key in keys]

    @coded()
    def remove(self, key: Key, force: bool = False) -> int:
        """Removes a value. -704: there is none; -706: it was read a short time ago (`--default_kv_lease_ttl`), and `force` is not
        set."""
        space = self._opened()
        code = space.remove(space.keys.of(key), force)
        return failed(f"there is no value of {key!r}", NOT_FOUND) if code == NOT_FOUND else code

    @coded(many=True)
    def batch_remove(self, keys: Sequence[Key], force: bool = False) -> list[int]:
        """As `remove` for many."""
        self._opened()
        return [self.remove(key, force) for key in keys]

    @coded()
    def remove_by_regex(self, regex_pattern: str, force: bool = False) -> int:
        """Removes the values whose keys contain a match, and returns their number. -600: a bad pattern."""
        try:
            found = re.compile(regex_pattern).search
        except re.error as error:
            return failed(f"{regex_pattern!r} is no pattern: {error}", INVALID)
        return self._remove_all(lambda text: found(text) is not None, force)

    @coded()
    def remove_all(self, force: bool = False) -> int:
        """Removes all values of this tenant, and returns their number. Values that were read a short time ago stay without
        `force`."""
        return self._remove_all(lambda _: True, force)

    def _put(self, key: Key, parts: list[memoryview], config: ReplicateConfig, replace: bool) -> int:
        space = self._opened()
        if sum(part.nbytes for part in parts) == 0:
            return failed(f"the value of {key!r} is empty", INVALID)
        return space.put(space.keys.of(key), parts, config, replace)

    def _put_batch(self, keys: Sequence[Key], values: Sequence[Any], config: ReplicateConfig, replace: bool) -> int:
        if len(keys) != len(values):
            return failed(f"{len(keys)} keys and {len(values)} values", INVALID)
        put = self.upsert if replace else self.put
        codes = [put(key, value, config) for key, value in zip(keys, values)]
        return next((code for code in codes if code != OK), OK)

    def _remove_all(self, wanted: Any, force: bool) -> int:
        space = self._opened()
        removed = 0
        for key in space.all_keys():
            text = space.keys.text(key)
            if text is not None and wanted(text) and space.remove(key, force) == OK:
                removed += 1
        return removed
