# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which memory calls of the package `shmem` refuse before anything is done, and how that is left out."""

from __future__ import annotations

import pytest

import ranks
import shmem

PRELUDE = """
import os
import mf_smem, shmem
from shmem import core

assert shmem.set_conf_store_tls(False, "") == 0
PORT = 10000 + int(os.environ.get("MASTER_PORT", os.getpid())) % 2500 * 8
assert shmem.aclshmem_init(shmem.InitAttr(0, 1, f"tcp://127.0.0.1:{PORT}", 8 << 20)) == 0
block, other = shmem.aclshmem_calloc(8, 8), shmem.aclshmem_malloc(64)

def refused(text, call, *arguments, kind=mf_smem.InvalidParamError, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert text in str(error), error
    else:
        raise SystemExit(f"accepted: {call.__name__}{arguments}")

"""


def run(source: str, environment: dict[str, str] | None = None) -> None:
    """The program as one PE."""
    ranks.run_code(PRELUDE + ranks.dedented(source), 1, environment)


def test_rejects_accesses_beyond_the_block() -> None:
    run(
        """
        fits = "do not fit: the block there has 64"
        refused(fits, shmem.aclshmem_putmem, block, other, 65, 0)
        refused("4 of them from this address on", shmem.aclshmem_putmem, block + 60, other, 8, 0)
        refused("src", shmem.aclshmem_getmem_nbi, other, block + 32, 33, 0)
        refused(fits, shmem.aclshmem_int32_p, block + 62, 3, 0)
        refused(fits, shmem.aclshmem_int16_g, block + 63, 0)
        refused(fits, shmem.aclshmem_float_put, block, other, 17, 0)
        refused(fits, shmem.aclshmem_get128, block, other, 5, 0)
        refused(fits, shmem.aclshmem_double_iput, block, other, 4, 1, 3, 0)
        refused("source", shmem.aclshmem_iget32, block, other, 1, 8, 3, 0)
        refused("sig_addr", shmem.aclshmemx_putmem_signal, block, other, 64, block + 61, 1, 0, 0)
        refused("sig_addr", shmem.aclshmem_int8_put_signal, block, other, 1, block + 64 - 3, 1, 0, 0)
        refused("ivars", shmem.aclshmem_int32_wait_until_all, block, 17, None, 0, 0)
        refused("res_out", shmem.aclshmem_int32_test, block, 0, 0, other + 62)
        refused(fits, shmem.aclshmemx_putmem_on_stream, block, other, 65, 0, 0)
        refused(fits, shmem.shmem_put_float_mem, block, other, 17, 0)
        refused(fits, core.put, core.Buffer(block, 128), core.Buffer(other, 128), 0)
        shmem.aclshmem_double_iput(block, other, 3, 1, 3, 0)
        shmem.aclshmem_putmem(block + 60, other, 4, 0)
        shmem.aclshmem_putmem(block + 64, other, 0, 0)
        shmem.aclshmem_putmem_nbi(block, other, 64, 0)
        assert shmem.aclshmem_finalize() == 0
        """
    )


def test_freed_blocks_are_refused_until_reallocated() -> None:
    run(
        """
        shmem.aclshmem_free(other)
        refused("was freed", shmem.aclshmem_putmem, other, block, 8, 0)
        refused("was freed", shmem.aclshmem_putmem, block, other, 8, 0)
        again = [shmem.aclshmemx_malloc(32), shmem.shmem_align(64, 32), shmem.shmem_calloc(4, 8)]
        for each in again:
            shmem.aclshmem_putmem(each, block, 32, 0)
            refused("has 32", shmem.aclshmem_putmem, each, block, 33, 0)
        assert other in again
        shmem.shmem_free(again[0])
        refused("was freed", shmem.shmem_putmem, again[0], block, 8, 0)
        assert shmem.aclshmem_finalize() == 0
        # Of the next heap nothing is known.
        assert shmem.aclshmem_init(shmem.InitAttr(0, 1, f"tcp://127.0.0.1:{PORT + 1}", 8 << 20)) == 0
        first = shmem.aclshmem_malloc(4096)
        shmem.aclshmem_putmem(first, first + 2048, 2048, 0)
        assert shmem.aclshmem_finalize() == 0
        """
    )


def test_symmetric_argument_must_be_on_the_heap() -> None:
    run(
        """
        outside, symmetric = bytearray(64), "not in the symmetric memory"
        for call, arguments in (
            (shmem.aclshmem_putmem, (outside, block, 8, 0)),
            (shmem.aclshmem_getmem, (block, outside, 8, 0)),
            (shmem.aclshmem_int64_p, (outside, 1, 0)),
            (shmem.aclshmem_int64_g, (outside, 0)),
            (shmem.aclshmemx_putmem_on_stream, (outside, block, 8, 0, 0)),
            (shmem.aclshmemx_signal_op_on_stream, (outside, 1, 0, 0, 0)),
            (shmem.aclshmemx_putmem_signal, (block, other, 8, outside, 1, 0, 0)),
        ):
            refused(symmetric, call, *arguments, kind=RuntimeError)
        heap = shmem.aclshmemx_get_heap_base()
        refused(symmetric, shmem.aclshmem_putmem, heap + (8 << 20), block, 8, 0, kind=RuntimeError)
        shmem.aclshmem_putmem(heap + (1 << 20), block, 8, 0)
        assert shmem.aclshmem_finalize() == 0
        """
    )


def test_objects_smaller_than_the_transfer_are_refused() -> None:
    pytest.importorskip("numpy")
    run(
        """
        import numpy as np
        refused("the bytearray for source has 8 bytes, and the call needs 16", shmem.aclshmem_double_put, block, bytearray(8), 2, 0)
        refused("the ndarray for source has 8 bytes", shmem.aclshmem_double_put, block, np.zeros(1), 2, 0)
        refused("gaps", shmem.aclshmem_double_put, block, np.zeros((4, 4))[:, 0], 2, 0, kind=TypeError)
        refused("status has 4 bytes, and the call needs 8", shmem.aclshmem_int32_wait_until_all, block, 2, b"1234", 1, 1)
        here = np.arange(8.0)
        shmem.aclshmem_double_put(block, here, 8, 0)
        there = np.zeros(8)
        shmem.aclshmem_double_get(there, np.int64(block), 8, 0)
        assert (there == here).all()
        on_heap = shmem.as_array(block, 8, "float64")
        refused("do not fit", shmem.aclshmem_double_put, on_heap[4:], here, 5, 0)
        shmem.aclshmem_double_put(on_heap[4:], here, 4, 0)
        assert list(on_heap) == [0, 1, 2, 3, 0, 1, 2, 3]

        class Tensor:  # as torch's
            def __init__(self, array): self.array = array
            def data_ptr(self): return self.array.ctypes.data
            def is_contiguous(self): return self.array.flags.c_contiguous
            def numel(self): return self.array.size
            def element_size(self): return self.array.itemsize

        shmem.aclshmem_float_put(block, Tensor(np.ones(16, "float32")), 16, 0)
        assert shmem.aclshmem_float_g(block + 60, 0) == 1
        refused("the Tensor for source has 12 bytes", shmem.aclshmem_float_put, block, Tensor(np.ones(3, "float32")), 4, 0)
        refused("gaps", shmem.aclshmem_float_put, block, Tensor(np.ones((3, 3))[:, 0]), 3, 0, kind=TypeError)
        assert shmem.aclshmem_finalize() == 0
        """
    )


@pytest.mark.parametrize("value", ["", "0", "False", "off"])
def test_address_check_can_be_disabled_by_call_or_environment(value: str) -> None:
    run(
        """
        if not os.environ["SHMEM_CHECK_ADDRESSES"]:
            assert shmem.check_addresses(False)
        assert not shmem.check_addresses(False)
        shmem.aclshmem_free(other)
        shmem.aclshmem_putmem(block, other, 8, 0)
        shmem.aclshmem_putmem(block, block + 64, 65, 0)
        refused("not in the symmetric memory", shmem.aclshmem_putmem, bytearray(8), block, 8, 0, kind=RuntimeError)
        assert not shmem.check_addresses(True)
        refused("was freed", shmem.aclshmem_putmem, block, other, 8, 0)
        assert shmem.aclshmem_finalize() == 0
        """,
        {"SHMEM_CHECK_ADDRESSES": value},
    )


def test_arguments_have_names() -> None:
    run(
        """
        shmem.aclshmem_int32_p(dst=block, value=7, pe=0)
        assert shmem.aclshmem_int32_g(block, pe=0) == 7
        shmem.aclshmemx_putmem_signal(block, other, 8, sig=block + 32, signal=1, sig_op=0, pe=0)
        shmem.aclshmemx_putmem_signal(block, other, 8, sig_addr=block + 32, signal=1, sig_op=0, pe=0)
        assert shmem.aclshmem_ptr(block, peer=0) == block and shmem.aclshmem_ptr(block, pe=0) == block
        assert shmem.team_my_pe(team_id=0) == 0
        refused("do not fit", shmem.aclshmem_putmem, dst=block, src=other, elem_size=65, pe=0)
        refused("misses the argument pe", shmem.aclshmem_putmem, block, other, elem_size=8, kind=TypeError)
        refused("has no argument bytes: dst, src, elem_size, pe", shmem.aclshmem_putmem, block, other, bytes=8, pe=0, kind=TypeError)
        refused("was given dst twice", shmem.aclshmem_putmem, block, other, 8, dst=block, kind=TypeError)
        assert shmem.aclshmem_finalize() == 0
        """
    )


def test_stream_argument_none_is_refused() -> None:
    for call in (shmem.aclshmemx_quiet_on_stream, shmem.barrier_all_on_stream):
        with pytest.raises(TypeError, match="a stream is an int"):
            call(None)
