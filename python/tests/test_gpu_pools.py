# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pools in the memory of NVIDIA's GPUs (`MF_DEVICE=cuda`). Run it inside `mf sim --devices 0 --gpus 2:cuda,1:hip DIR --`, or where
such a GPU is."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import hmc
import pytest

import ranks
from test_hmc_buffers import kinds_of_memory

PROGRAM = '''
import ctypes, os, signal, sys, threading
sys.path.insert(0, TESTS)
import hmc, mf_smem
from gpus import Gpu
from mf_smem.bm import BmCopyType as Copy

MIB = 1 << 20
SIZE = 3 * MIB + 17

def data(seed):
    return bytes((seed * 31 + at) % 251 for at in range(251)) * (SIZE // 251 + 1)

gpu, gpus = Gpu(hmc.MemoryType.NVIDIA_GPU), ctypes.c_int()
gpu.call("DeviceGetCount", ctypes.byref(gpus))
gpu.call("MemFree", ctypes.c_uint64(gpu._behind))
# Each on a GPU of its own, as far as there are so many.
device, context = int(os.environ["RANK"]) % gpus.value, ctypes.c_void_p()
gpu.call("DevicePrimaryCtxRetain", ctypes.byref(context), device)
gpu.call("CtxSetCurrent", context)
with mf_smem.open_pool(device_bytes="16MiB", host_bytes="8MiB", device_id=device) as pool:
    assert pool.device == "cuda", pool.device
    me, other = pool.rank, (pool.rank + 1) % 2
    host, local, wanted = ctypes.create_string_buffer(SIZE), gpu.allocate(SIZE), data(me)[:SIZE]
    changed = threading.Condition()

    def note(rank, event):
        with changed:
            changed.notify_all()

    def until(condition):
        with changed:
            # An event may arrive before its state change is visible.
            assert any(condition() or changed.wait(0.5) and condition() for _ in range(120)), pool.stats()

    pool.on_event(note)
    pool.barrier("joined")

    def there(address):
        got = bytearray(SIZE)
        pool.get(address, got)
        return bytes(got)

    if me < 2:
        # Into the other's memory and back, of every kind of end; the two use different parts of it.
        for kind in ("device", "host"):
            at = pool.address(other, kind)
            pool.put(wanted, at)
            assert there(at) == wanted, kind
            pool.memory.copy_data(at, ctypes.addressof(host), SIZE, Copy.G2H)
            assert host.raw == wanted, kind
            back = bytes(reversed(wanted))
            host.raw = back
            pool.memory.copy_data(ctypes.addressof(host), at, SIZE, Copy.H2G)
            assert there(at) == back, kind
            gpu.upload(local, wanted)
            pool.memory.copy_data(local, at, SIZE, Copy.L2G)
            assert there(at) == wanted, kind
            gpu.upload(local, bytes(SIZE))
            pool.memory.copy_data(at, local, SIZE, Copy.G2L)
            assert gpu.download(local, SIZE) == wanted, kind
        # Within the pool, to the same GPU and to the other one.
        far, near = pool.address(other, "device"), pool.address(me, "device")
        pool.copy(far, far + 4 * MIB, SIZE)
        pool.copy(far, near + 8 * MIB, SIZE)
        assert there(far + 4 * MIB) == there(near + 8 * MIB) == wanted
        pool.put(wanted, far + 12 * MIB, wait=False)
        pool.memory.wait()
        assert there(far + 12 * MIB) == wanted
    pool.barrier("copied")

    if me == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    until(lambda: 2 not in pool.members())
    try:
        pool.put(wanted, pool.address(2, "device"))
        raise SystemExit("a dead member's memory is written to")
    except mf_smem.Error:
        pass
    assert there(pool.address(other, "device")) == wanted
    pool.barrier("buried", members=2)
    if me == 1:
        pool.leave()
        pool.join()
    pool.barrier("again", members=2)
    until(lambda: other in pool.members())
    assert there(pool.address(me, "device")) == data(other)[:SIZE]
    assert there(pool.address(other, "device")) == wanted
    pool.barrier("done", members=2)
gpu.call("MemFree", ctypes.c_uint64(local))
'''


def has_gpu() -> bool:
    return hmc.MemoryType.NVIDIA_GPU in kinds_of_memory()


@pytest.mark.skipif(not has_gpu(), reason="no GPU of NVIDIA here; run it inside `mf sim --devices 0 --gpus 2:cuda,1:hip DIR --`")
def test_gpu_pool_survives_a_death_and_a_rejoin(tmp_path: Path) -> None:
    leaks = tmp_path / "leaks"
    source = PROGRAM.replace("TESTS", repr(str(Path(__file__).parent)))
    finished = ranks.run_ranks(
        [sys.executable, "-c", source], 3, {"MF_DEVICE": "cuda", "GPUSIM_LEAKS": str(leaks), "GPUSIM_LATE_US": "0"}
    )
    assert [process.returncode for process in finished] == [0, 0, -signal.SIGKILL], [process.stderr for process in finished]
    # Nothing of the killed process is listed.
    assert not leaks.exists() or leaks.read_text() == "", leaks.read_text()
