# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Conversion of the store's keys to keys of the cache, which have at most 4096 bytes."""

from __future__ import annotations

import hashlib

#: Maximum key of the cache, in bytes.
_MOST = 4096
#: First byte of the keys of tenants, and of shortened keys. No key of a program begins with these bytes.
_TENANT, _SHORTENED = b"\x01", b"\x02"
DEFAULT_TENANT = "default"


class Keys:
    """Converts the keys of one tenant."""

    def __init__(self, tenant: str = DEFAULT_TENANT) -> None:
        name = tenant.encode()
        if len(name) > 255:
            raise ValueError(f"the name of a tenant has at most 255 bytes, and this one {len(name)}")
        self._prefix = b"" if tenant == DEFAULT_TENANT else _TENANT + bytes([len(name)]) + name

    def of(self, key: str | bytes) -> bytes:
        """Returns the cache's key. Raises `TypeError` for another type, `ValueError` for an empty key."""
        if not isinstance(key, (str, bytes)):
            raise TypeError(f"a key is a text, not {type(key).__name__}")
        given = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
        if not given:
            raise ValueError("the key is empty")
        room = _MOST - len(self._prefix)
        if len(given) > room:
            digest = hashlib.sha256(given).digest()
            given = _SHORTENED + digest + given[: room - 1 - len(digest)]
        return self._prefix + given

    def text(self, key: bytes) -> str | None:
        """Returns the program's key, or the first part of a shortened key. Returns None for a key of another tenant."""
        if not key.startswith(self._prefix) or (not self._prefix and key.startswith(_TENANT)):
            return None
        given = key[len(self._prefix) :]
        return (given[33:] if given.startswith(_SHORTENED) else given).decode("utf-8", "replace")
