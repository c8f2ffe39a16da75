# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operations on whole values: put, get, remove."""

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
    """Methods for whole values. Codes are 0 for success, negative for failures."""

    @coded()
    def put(self, key: Key, value: Any, config: ReplicateConfig = _PLAIN) -> int:
        """Puts a value, an object with the buffer protocol. An existing value stays, which also returns 0.

        Returns -600 for an empty key or value, -200 if pinned and leased values leave no room.
        """
        return self._put(key, [memoryview(value)], config, False)

    @coded()
    def upsert(self, key: Key, value: Any, config: ReplicateConfig = _PLAIN) -> int:
        """Puts a value as `put`, and replaces an existing one."""
        return self._put(key, [memoryview(value)], config, True)

    @coded()
    def put_parts(self, key: Key, *parts: Any, config: ReplicateConfig = _PLAIN) -> int:
        """Puts the concatenated parts as `put`. Returns 0 without parts."""
        return self._put(key, [memoryview(part) for part in parts], config, False) if parts else OK

    @coded()
    def upsert_parts(self, key: Key, *parts: Any, config: ReplicateConfig = _PLAIN) -> int:
        """Puts a value as `put_parts`, and replaces an existing one."""
        return self._put(key, [memoryview(part) for part in parts], config, True) if parts else OK

    @coded()
    def put_batch(self, keys: Sequence[Key], values: Sequence[Any], config: ReplicateConfig = _PLAIN) -> int:
        """Puts many values as `put`. Tries all, and returns the first code other than 0. -600: lists of different lengths."""
        return self._put_batch(keys, values, config, False)

    @coded()
    def upsert_batch(self, keys: Sequence[Key], values: Sequence[Any], config: ReplicateConfig = _PLAIN) -> int:
        """Puts many values as `put_batch`, and replaces existing ones."""
        return self._put_batch(keys, values, config, True)

    @coded(b"")
    def get(self, key: Key) -> bytes:
        """Returns the value. Empty for an absent value."""
        space = self._opened()
        return space.get(space.keys.of(key)) or b""

    @coded(b"", many=True)
    def get_batch(self, keys: Sequence[Key]) -> list[bytes]:
        """Returns many values as `get`."""
        space = self._opened()
        return [value or b"" for value in space.get_many([space.keys.of(key) for key in keys])]

    @coded(None)
    def get_buffer(self, key: Key) -> BufferHandle | None:
        """Returns the value as a `BufferHandle`, or None for an absent value."""
        space = self._opened()
        value = space.get(space.keys.of(key))
        return BufferHandle(value) if value else None

    @coded(None, many=True)
    def batch_get_buffer(self, keys: Sequence[Key]) -> list[BufferHandle | None]:
        """Returns many values as `get_buffer`."""
        space = self._opened()
        found = space.get_many([space.keys.of(key) for key in keys])
        return [BufferHandle(value) if value else None for value in found]

    @coded()
    def get_size(self, key: Key) -> int:
        """Returns the length of the value in bytes, or -704 for an absent value."""
        space = self._opened()
        size = space.size_of(space.keys.of(key))
        return failed(f"there is no value of {key!r}", NOT_FOUND) if size is None else size

    @coded()
    def is_exist(self, key: Key) -> int:
        """Returns 1 for an existing value, 0 for an absent value."""
        space = self._opened()
        return int(bool(key) and space.exists([space.keys.of(key)])[0])

    @coded(many=True)
    def batch_is_exist(self, keys: Sequence[Key]) -> list[int]:
        """Checks many keys as `is_exist`."""
        space = self._opened()
        found = iter(space.exists([space.keys.of(key) for key in keys if key]))
        return [int(bool(key) and next(found)) for key in keys]

    @coded()
    def remove(self, key: Key, force: bool = False) -> int:
        """Removes a value. Returns 0, or -704 for an absent value.

        Returns -706 without `force` for a value with a read lease (`--default_kv_lease_ttl`).
        """
        space = self._opened()
        code = space.remove(space.keys.of(key), force)
        return failed(f"there is no value of {key!r}", NOT_FOUND) if code == NOT_FOUND else code

    @coded(many=True)
    def batch_remove(self, keys: Sequence[Key], force: bool = False) -> list[int]:
        """Removes many values as `remove`."""
        self._opened()
        return [self.remove(key, force) for key in keys]

    @coded()
    def remove_by_regex(self, regex_pattern: str, force: bool = False) -> int:
        """Removes each value if its key contains a match. Returns the number of removed values, or -600 for a bad pattern."""
        try:
            found = re.compile(regex_pattern).search
        except re.error as error:
            return failed(f"{regex_pattern!r} is no pattern: {error}", INVALID)
        return self._remove_all(lambda text: found(text) is not None, force)

    @coded()
    def remove_all(self, force: bool = False) -> int:
        """Removes all values of this tenant, and returns their number. Without `force`, values with a read lease stay."""
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
