# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Instances of this process: their numbers, and the current one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import shmem

from .._types import InstanceContext
from .utils import AclshmemError, AclshmemInvalid, whole_number

MOST_INSTANCE = 254

#: Held by `multi_instance`, and during init, finalize and `set_instance`.
LOCK = threading.RLock()


class _Several:
    """True once this process has had an instance other than 0, so that buffers are checked against the current one."""

    def __init__(self) -> None:
        self.seen = False


SEVERAL = _Several()


def checked_id(instance_id: int) -> int:
    """The number of an instance.

    Raises:
        AclshmemInvalid: not a whole number from 0 to 254.
    """
    number = whole_number(instance_id, "instance_id")
    if not 0 <= number <= MOST_INSTANCE:
        raise AclshmemInvalid(f"instance_id is {number}, and may be 0 to {MOST_INSTANCE}")
    if number != 0:
        SEVERAL.seen = True
    return number


def current_instance() -> InstanceContext | None:
    """The current instance; None before init."""
    return shmem.aclshmemx_instance_ctx_get()


def current_id() -> int | None:
    """The number of the current instance; None before init."""
    current = current_instance()
    return None if current is None else current.id


def set_instance(id: int) -> None:
    """Makes an instance the current one. Waits while another thread is in `multi_instance`.

    Raises:
        AclshmemInvalid: impossible number.
        AclshmemError: there is no such instance.
    """
    number = checked_id(id)
    with LOCK:
        _choose(number)


@contextlib.contextmanager
def multi_instance(id: int) -> Iterator[InstanceContext]:
    """Makes an instance the current one for a block; the former one is current again afterwards. Other threads wait with
    `init`, `finalize`, `set_instance` and blocks of their own.

    Raises:
        AclshmemInvalid: impossible number.
        AclshmemError: there is no such instance.
    """
    number = checked_id(id)
    with LOCK:
        former = current_id()
        _choose(number)
        try:
            yield InstanceContext(number)
        finally:
            # The former one may have ended meanwhile; then the library has chosen.
            if former is not None and current_id() != former:
                shmem.aclshmemx_instance_ctx_set(former)


def _choose(number: int) -> None:
    code = shmem.aclshmemx_instance_ctx_set(number)
    if code != 0:
        raise AclshmemError(f"there is no instance {number} ({code})")
