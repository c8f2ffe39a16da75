# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects of a last tier: a value with its key and a digest of both."""

from __future__ import annotations

import hashlib
import hmac
import struct

_MARK = b"mf-last1"
#: The mark, bytes of the key, bytes of the value. The key, the digest and the value follow.
_HEAD = struct.Struct("<8sIQ")
_DIGEST_BYTES = 32


class Sealing:
    """Names and contents of objects. With a secret of the job both are keyed: nobody else finds a key, or makes an object that
    `unseal` accepts. Values are not encrypted."""

    def __init__(self, secret: bytes = b"") -> None:
        self._key = hashlib.blake2b(secret, person=b"mf last tier").digest() if secret else b""

    def path(self, key: bytes) -> str:
        """Path of the object of a key, in one of 256 folders."""
        name = hashlib.blake2b(key, digest_size=20, key=self._key).hexdigest()
        return f"{name[:2]}/{name}"

    def seal(self, key: bytes, value: bytes) -> bytes:
        """The object of a value."""
        return b"".join((_head(key, len(value)), self._digest(key, value), value))

    def unseal(self, key: bytes, data: bytes) -> bytes | None:
        """The value in an object, or None if it is damaged, of another key or of another secret."""
        head = _head(key, len(data) - self.overhead(key)) if len(data) >= self.overhead(key) else b""
        if not head or not data.startswith(head):
            return None
        value = data[self.overhead(key) :]
        digest = data[len(head) : self.overhead(key)]
        return value if hmac.compare_digest(digest, self._digest(key, value)) else None

    @staticmethod
    def overhead(key: bytes) -> int:
        """Bytes of an object beside its value."""
        return _HEAD.size + len(key) + _DIGEST_BYTES

    def _digest(self, key: bytes, value: bytes) -> bytes:
        digest = hashlib.blake2b(_head(key, len(value)), digest_size=_DIGEST_BYTES, key=self._key)
        digest.update(value)
        return digest.digest()


def _head(key: bytes, length: int) -> bytes:
    return _HEAD.pack(_MARK, len(key), length) + key
