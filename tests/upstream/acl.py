# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Device memory through CANN's own C interface, as a program without torch would get it."""

import ctypes
import os

_acl = ctypes.CDLL(os.path.join(os.environ["ASCEND_HOME_PATH"], "lib64", "libascendcl.so"))
_HOST_TO_DEVICE, _DEVICE_TO_HOST = 1, 2


def simulated() -> bool:
    """True if the library is the simulator; the real one lacks the name."""
    return hasattr(_acl, "ascsim_version")


def check(name: str, *arguments) -> None:
    """Calls a function; a refusal raises with its text."""
    code = getattr(_acl, name)(*arguments)
    if code != 0:
        _acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
        text = _acl.aclGetRecentErrMsg() or b""
        raise RuntimeError(f"{name}: {code}: {text.decode()}")


def use_device(device: int) -> None:
    check("aclrtSetDevice", ctypes.c_int32(device))


def malloc(size: int) -> int:
    """Device memory in huge pages."""
    pointer = ctypes.c_void_p()
    check("aclrtMalloc", ctypes.byref(pointer), ctypes.c_size_t(size), ctypes.c_int(0))
    return pointer.value


def free(address: int) -> None:
    check("aclrtFree", ctypes.c_void_p(address))


def store(address: int, data: bytes) -> None:
    """Writes device memory."""
    check("aclrtMemcpy", ctypes.c_void_p(address), ctypes.c_size_t(len(data)), data, ctypes.c_size_t(len(data)), _HOST_TO_DEVICE)


def load(address: int, size: int) -> bytes:
    """Reads device memory."""
    data = ctypes.create_string_buffer(size)
    check("aclrtMemcpy", data, ctypes.c_size_t(size), ctypes.c_void_p(address), ctypes.c_size_t(size), _DEVICE_TO_HOST)
    return data.raw
