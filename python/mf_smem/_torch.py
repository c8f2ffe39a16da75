# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The config store as a ``torch.distributed.Store``. Torch is imported when it is asked for, never before."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from ._errors import invalid
from ._store import _ALIVE, Store, value_bytes


class _Methods:
    """Hands the calls of torch on to a `mf_smem.Store`. Torch's C++ side calls these methods from its threads."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store

    @property
    def store(self) -> Store:
        """The store behind it."""
        return self._store

    # Values come as bytes, str, or (from C++, in some versions) as lists of numbers.
    def set(self, key: str, value: str | bytes | Iterable[int]) -> None:
        self._store.set(key, value_bytes(value))

    def get(self, key: str) -> bytes:
        return self._store.get(key)

    def add(self, key: str, amount: int) -> int:
        return self._store.add(key, amount)

    def compare_set(
        self, key: str, expected: str | bytes | Iterable[int], desired: str | bytes | Iterable[int]
    ) -> bytes:
        return self._store.compare_set(key, value_bytes(expected), value_bytes(desired))

    def wait(self, keys: list[str], timeout: timedelta | None = None) -> None:
        self._store.wait(keys, timeout)

    def check(self, keys: list[str]) -> bool:
        return self._store.check(keys)

    def num_keys(self) -> int:
        return self._store.num_keys()

    def delete_key(self, key: str) -> bool:
        return self._store.delete_key(key)

    def append(self, key: str, value: str | bytes | Iterable[int]) -> None:
        self._store.append(key, value_bytes(value))

    def multi_get(self, keys: list[str]) -> list[bytes]:
        return self._store.multi_get(keys)

    def multi_set(self, keys: list[str], values: list[Any]) -> None:
        self._store.multi_set(keys, [value_bytes(value) for value in values])

    def has_extended_api(self) -> bool:
        return True

    def set_timeout(self, timeout: timedelta) -> None:
        self._store.set_timeout(timeout)

    @property
    def timeout(self) -> timedelta:
        return self._store.timeout


_CLASS: Any = None


def _store_class() -> Any:
    """The methods above as a ``torch.distributed.Store``, which is only known once torch is imported."""
    global _CLASS
    if _CLASS is None:
        # By name, because the package is checked where torch is not installed too.
        try:
            distributed: Any = importlib.import_module("torch.distributed")
        except ImportError as error:
            raise invalid(f"torch_store: torch is not importable here: {error}") from None
        if not distributed.is_available():
            raise invalid("torch_store: this torch is built without torch.distributed")
        _CLASS = type("TorchStore", (_Methods, distributed.Store), {})
    return _CLASS


def torch_store(store: Store) -> Any:
    """A ``torch.distributed.Store`` over `store`, for ``torch.distributed.init_process_group(..., store=...)``.

    Process groups use it from C++ threads for as long as they live, so both stay alive until `Store.close`. Close the
    store after ``destroy_process_group``.
    """
    if not isinstance(store, Store):
        raise TypeError(f"torch_store: a mf_smem.Store is needed, not {type(store).__name__}")
    if store._torch is None:
        store._torch = _store_class()(store)
        _ALIVE.add(store)
    return store._torch
