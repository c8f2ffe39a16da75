# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Arguments of the operations of `offload`: addresses of tensors, and the stream of a device."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

from ._numbers import unsigned

#: Types of devices that have streams; others are the processor.
_WITH_STREAMS = ("npu", "privateuseone", "cuda")
#: The library's number for "in this call".
IN_THIS_CALL = 0

_chosen = threading.local()


def address(name: str, tensor: Any) -> int:
    """The address of the elements of a tensor: of torch, of NumPy, or anything with ``data_ptr()``."""
    if not hasattr(tensor, "data_ptr") and hasattr(tensor, "__array_interface__"):
        interface = tensor.__array_interface__
        if interface.get("strides") is not None:
            raise ValueError(f"{name} must be contiguous")
        return int(interface["data"][0])
    return unsigned(name, tensor.data_ptr(), 64)


def stream_of(device: Any) -> tuple[int, int | None]:
    """Number of a device, and its current stream: `IN_THIS_CALL` for the processor, None for the default stream."""
    index, kind = device.index, getattr(device, "type", None)
    if kind == "cpu" or (index is None and kind not in _WITH_STREAMS):
        return 0, IN_THIS_CALL
    return unsigned("deviceId.index", index, 16), _current_stream(index)


def _current_stream(index: int) -> int | None:
    chosen: int | None = getattr(_chosen, "stream", None)
    if chosen is not None:
        return chosen
    # Programs with torch_npu have loaded it; no others pay for it.
    npu = getattr(sys.modules.get("torch"), "npu", None)
    if npu is None:
        return None
    # Its default stream has a number, too; 0 is the context's.
    return int(npu.current_stream(index).npu_stream) or None


@contextlib.contextmanager
def mfx_stream(stream: Any) -> Iterator[None]:
    """Operations of this thread inside of the ``with`` run on this stream instead of torch's current one: its number (an
    ``aclrtStream``), or an object with ``npu_stream``."""
    before = getattr(_chosen, "stream", None)
    _chosen.stream = unsigned("stream", getattr(stream, "npu_stream", stream), 64) or None
    try:
        yield
    finally:
        _chosen.stream = before
