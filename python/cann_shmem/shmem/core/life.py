# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Begin and end."""

from __future__ import annotations

import shmem

from .._types import UNIQUE_ID_BYTES, UniqueId
from .instances import LOCK, checked_id
from .utils import AclshmemError, AclshmemInvalid

UniqueID = UniqueId


def get_version() -> str:
    """The version of the interface."""
    major, minor = shmem.aclshmem_info_get_version()
    return f"libaclshmem_version={major}.{minor}"


def get_unique_id(empty: bool = False) -> bytes:
    """The bytes of a unique id for a job; zeros to receive one in, if `empty`."""
    return bytes(UNIQUE_ID_BYTES) if empty else shmem.aclshmem_get_unique_id()


def init(
    device: object = None,
    uid: UniqueID | bytes | None = None,
    rank: int | None = None,
    nranks: int | None = None,
    mpi_comm: object = None,
    initializer_method: str = "",
    mem_size: int | None = None,
    instance_id: int = 0,
) -> None:
    """Begins, by a unique id. **Collective.** The instance is current afterwards."""
    del device, mpi_comm
    if initializer_method != "uid":
        raise AclshmemInvalid(f"initializer_method is {initializer_method!r}; there is 'uid'")
    given = {"uid": uid, "rank": rank, "nranks": nranks, "mem_size": mem_size}
    missing = [name for name, value in given.items() if value is None]
    if uid is None or rank is None or nranks is None or mem_size is None:
        raise AclshmemInvalid(f"init by a unique id needs {', '.join(missing)}")
    packed = uid.to_bytes() if isinstance(uid, UniqueID) else bytes(uid)
    if len(packed) < UNIQUE_ID_BYTES:
        raise AclshmemInvalid(f"a unique id has {UNIQUE_ID_BYTES} bytes, and this one {len(packed)}")
    number = checked_id(instance_id)
    with LOCK:
        code = shmem.aclshmem_init_using_unique_id(rank, nranks, mem_size, packed, number)
    if code != 0:
        raise AclshmemError(f"init failed with {code}: {_reason()}")


def finalize(instance_id: int | None = None) -> None:
    """Ends an instance, by default the current one. **Collective.** Instance 0 is current then, if it was the current
    one."""
    number = None if instance_id is None else checked_id(instance_id)
    with LOCK:
        code = shmem.aclshmem_finalize() if number is None else shmem.aclshmemx_finalize(number)
    if code != 0:
        raise AclshmemError(f"finalize failed with {code}: {_reason()}")


def _reason() -> str:
    import mf_smem

    return mf_smem.get_last_err_msg()
