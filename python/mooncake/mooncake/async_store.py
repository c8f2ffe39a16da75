# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`MooncakeDistributedStoreAsync`: coroutines for the store's methods."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Any

from .store import MooncakeDistributedStore

__all__ = ["MooncakeDistributedStoreAsync"]


class MooncakeDistributedStoreAsync(MooncakeDistributedStore):
    """Store with methods for event loops.

    ``await store.async_NAME(…)`` runs ``store.NAME(…)`` in the executor of the running loop, and returns its result.
    """

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        plain = name.removeprefix("async_")
        method = getattr(type(self), plain, None) if plain != name and not plain.startswith("_") else None
        if method is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

        @functools.wraps(method)
        async def call(*args: Any, **named: Any) -> Any:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(None, functools.partial(method, self, *args, **named))

        return call
