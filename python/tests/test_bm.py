# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mf_smem.bm`` as programs of the first releases use it, in several processes."""

from __future__ import annotations

import mf_smem
import pytest
from mf_smem import _mf_smem, bm

import ranks

# Every rank fills a pattern into its neighbour's segment and checks the pattern from its other neighbour.
SEED_PROGRAM = """
    import ctypes, os
    import mf_smem
    from mf_smem import bm

    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    config = bm.BmConfig()
    config.auto_ranking = {auto}
    config.rank_id = -1 if {auto} else rank
    url = f"tcp://{{os.environ['MASTER_ADDR']}}:{{os.environ['MASTER_PORT']}}"
    assert mf_smem.initialize() == 0
    assert bm.initialize(url, world, 0, config) == 0, mf_smem.get_last_err_msg()
    rank = bm.bm_rank_id()
    size = 2 << 20
    memory = bm.create(0, {dram}, {hbm})
    address = memory.join()
    assert address == memory.peer_rank_ptr(rank) and memory.local_mem_size() == size
    mf_smem._mf_smem.bm_barrier("joined", 0, 60)

    right, left = (rank + 1) % world, (rank - 1) % world
    pattern = bytes((rank + i) % 251 for i in range(4096))
    mine = ctypes.create_string_buffer(pattern, 4096)
    copied = memory.copy_data(ctypes.addressof(mine), memory.peer_rank_ptr(right) + 100, 4096, {put})
    assert copied is None
    mf_smem._mf_smem.bm_barrier("written", 0, 60)

    back = ctypes.create_string_buffer(4096)
    memory.copy_data(address + 100, ctypes.addressof(back), 4096, {get}, 0)
    assert back.raw == bytes((left + i) % 251 for i in range(4096))
    memory.copy_data(memory.peer_rank_ptr(right) + 100, ctypes.addressof(back), 4096, {get})
    assert back.raw == pattern
    assert memory.get_rank_id_by_gva(address + size - 1) == rank
    assert memory.get_rank_id_by_gva(1) == 4294967295
    mf_smem._mf_smem.bm_barrier("read", 0, 60)
    assert memory.leave() is None
    memory.destroy()
    bm.uninitialize()
    mf_smem.uninitialize()
    print(rank)
"""


@pytest.mark.parametrize("auto", [False, True], ids=["given ranks", "automatic ranks"])
@pytest.mark.parametrize(
    ("dram", "hbm", "put", "get"),
    [("size", "0", "bm.BmCopyType.H2G", "bm.BmCopyType.G2H"), ("0", "size", "bm.BmCopyType.L2G", "bm.BmCopyType.G2L"),
     ("1 << 21", "size", "9", "9")],
    ids=["host", "device", "both"],
)
@pytest.mark.parametrize("count", [2, 4])
def test_program_of_the_first_releases(count: int, auto: bool, dram: str, hbm: str, put: str, get: str) -> None:
    finished = ranks.run_code(SEED_PROGRAM.format(auto=auto, dram=dram, hbm=hbm, put=put, get=get), count)
    assert sorted(int(process.stdout) for process in finished) == list(range(count))


def test_program_of_the_newer_releases() -> None:
    ranks.run_code(
        """
        import ctypes, os
        import memfabric_hybrid as mf
        from memfabric_hybrid import bm

        rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        config = bm.BmConfig()
        config.auto_ranking = False
        config.rank_id = rank
        url = f"tcp://{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        assert mf.initialize(flags=0) == 0
        assert bm.initialize(store_url=url, world_size=world, device_id=rank, config=config) == 0
        assert bm.initialize(url, world, rank, config) == 0, "a second call changes nothing"
        size = 4 << 20
        memory = bm.create2(id=1, local_dram_size=size, max_dram_size=2 * size, local_hbm_size=size, max_hbm_size=size)
        assert memory.join() == 0
        assert memory.join(flags=0) == 0, "a second join changes nothing"
        assert memory.local_mem_size() == size and memory.local_mem_size(mem_type=bm.BmMemType.HOST) == size
        peer = 1 - rank
        there = memory.peer_rank_ptr(peer_rank=peer, mem_type=bm.BmMemType.HOST)
        on_device = memory.peer_rank_ptr(peer)
        assert there and on_device and there != on_device
        import mf_smem
        mf_smem._mf_smem.bm_barrier("joined", 0, 60)

        mine = ctypes.create_string_buffer(bytes([rank + 1]) * 64, 64)
        here = ctypes.addressof(mine)
        assert memory.copy_data(src_ptr=here, dst_ptr=there, size=64, type=bm.BmCopyType.H2G, flags=0, stream=0) == 0
        assert memory.copy_data_batch(src_addrs=[here, here + 8], dst_addrs=[on_device, on_device + 8], sizes=[8, 56],
                                      count=2, type=bm.BmCopyType.AUTO, flags=1) == 0
        assert memory.wait() == 0
        mf_smem._mf_smem.bm_barrier("written", 0, 60)
        back = ctypes.create_string_buffer(64)
        own = memory.peer_rank_ptr(rank, bm.BmMemType.HOST)
        for source in (own, memory.peer_rank_ptr(rank), there, on_device):
            expected = peer + 1 if source in (own, memory.peer_rank_ptr(rank)) else rank + 1
            assert memory.copy_data(source, ctypes.addressof(back), 64, bm.BmCopyType.G2H) == 0
            assert back.raw == bytes([expected]) * 64
        assert memory.copy_data(own, there + 4096, 64, bm.BmCopyType.G2G) == 0
        assert memory.register(here, 64) == 0 and memory.unregister(here) == 0
        assert memory.gva_to_va(own) != 0
        assert memory.extend_local_mem(bm.BmMemType.HOST, size) == 0 and memory.local_mem_size(3) == 2 * size
        assert memory.set_group_event_handler(lambda rank, event: None) is None
        mf_smem._mf_smem.bm_barrier("read", 0, 60)

        outside = memory.peer_rank_ptr(world - 1, bm.BmMemType.HOST) + 2 * size
        for call in (
            lambda: memory.copy_data(here, outside, 64, bm.BmCopyType.H2G),
            lambda: memory.copy_data(here, there, 0, bm.BmCopyType.H2G),
            lambda: memory.copy_data(0, there, 8, bm.BmCopyType.H2G),
            lambda: memory.copy_data(here, there, -1, bm.BmCopyType.H2G),
            lambda: memory.copy_data(here, there, 8, 10),
            lambda: memory.copy_data_batch([here], [there], [8], 2, 9),
            lambda: memory.copy_data_batch([], [], [], 0, 9),
            lambda: memory.register(0, 8),
            lambda: memory.extend_local_mem(bm.BmMemType.LOCAL_HOST, size),
            lambda: memory.extend_local_mem(size=1),
        ):
            assert call() in (-2000, -1), call()
        assert memory.peer_rank_ptr(world) == memory.peer_rank_ptr(1 << 40) == memory.peer_rank_ptr(-1) == 0
        assert memory.local_mem_size(7) == 0 and memory.gva_to_va(1) == 0
        assert memory.get_rank_id_by_gva(5) == 4294967295
        assert mf.get_last_err_msg() and mf.get_and_clear_last_err_msg() and mf.get_last_err_msg() == ""
        mf_smem._mf_smem.bm_barrier("checked", 0, 60)
        assert memory.leave() == 0 and memory.leave() == 0
        assert memory.copy_data(here, own, 8, bm.BmCopyType.H2G) == -2003
        assert memory.destroy() is None and memory.destroy() is None
        assert memory.handle == 0 and memory.join() == -2000 and memory.wait() == -2000
        bm.uninitialize()
        """,
        2,
    )


def test_before_initialisation() -> None:
    done = ranks.run_alone(
        """
        import mf_smem
        import memfabric_hybrid.bm
        assert mf_smem.bm.bm_rank_id() == 4294967295
        for create in (mf_smem.bm.create, memfabric_hybrid.bm.create):
            try:
                create(0, 2 << 20)
            except RuntimeError as error:
                assert isinstance(error, mf_smem.NotInitError) and error.code == -2008, error
            else:
                raise AssertionError
        made_up = mf_smem.bm.BigMemory.from_handle(1)
        coded = memfabric_hybrid.bm.BigMemory(made_up)
        assert coded.join() == coded.leave() == coded.wait() == coded.copy_data(8, 8, 8, 9) == -2008
        try:
            made_up.join()
        except mf_smem.NotInitError:
            pass
        mf_smem.bm.uninitialize()
        """
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("url", "world", "change"),
    [
        ("tcp://127.0.0.1:{port}", 0, {}), ("tcp://127.0.0.1:{port}", 16385, {}), ("tcp://127.0.0.1:{port}", -1, {}),
        ("tcp://127.0.0.1:{port}", 2, {"init_timeout": 0}), ("tcp://127.0.0.1:{port}", 2, {"operation_timeout": 0}),
        ("tcp://127.0.0.1:{port}", 2, {"unified_address_space": False}), ("tcp://127.0.0.1:{port}", 2, {"rank_id": 2}),
        ("tcp://127.0.0.1", 1, {}), ("tcp://127.0.0.1:80", 1, {}), ("udp://127.0.0.1:{port}", 1, {}),
        ("tcp://local host:{port}", 1, {}), ("", 1, {}), ("tcp://127.0.0.1:{port}\0", 1, {}), ("tcp://[::1:{port}", 1, {}),
    ],
)
def test_wrong_configurations_give_a_code(url: str, world: int, change: dict[str, int]) -> None:
    done = ranks.run_alone(
        f"""
        from mf_smem import bm
        config = bm.BmConfig()
        config.rank_id = 0
        for name, value in {change!r}.items():
            setattr(config, name, value)
        print(bm.initialize({url.format(port=ranks.free_port())!r}, {world}, 0, config))
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "-2000"


@pytest.mark.parametrize("call", ["bm.initialize(5, 1, 0, bm.BmConfig())", "bm.initialize('tcp://1.1.1.1:5000', 1, 0, None)",
                                  "bm.create('a', 0)", "mf_smem.set_log_level('x')"])
def test_wrong_types_are_type_errors(call: str) -> None:
    done = ranks.run_alone(
        f"""
        import mf_smem
        from mf_smem import bm
        try:
            {call}
        except (TypeError, AttributeError):
            print("refused")
        """
    )
    assert done.stdout.strip() == "refused", done.stderr


def test_rows_and_batches_with_bad_elements_are_copied(pool: mf_smem.Pool) -> None:
    memory, here = pool.memory, pool.address()
    rows = bytes(range(200)) * 2
    local = _mf_smem.Buffer(bytearray(rows), writable=True)
    params = bm.CopyData2DParams()
    params.src, params.spitch, params.dest, params.dpitch, params.width, params.height = local.address, 100, here, 64, 50, 4
    assert memory.copy_data_2d(params, bm.BmCopyType.H2G) is None
    for row in range(4):
        assert pool.read(here + 64 * row, 50) == rows[100 * row : 100 * row + 50]
    params.width = 101
    with pytest.raises(mf_smem.InvalidParamError, match="a pitch is smaller than the width"):
        memory.copy_data_2d(params, type=bm.BmCopyType.H2G, flags=0)
    with pytest.raises(AttributeError):
        params.heigth = 1

    good, bad = local.address, [1, 0]
    copy = memory.copy_data_batch_partial_succeed
    assert copy([good, good + 8], [here, here + 8], [8, 8], 2, bm.BmCopyType.H2G) == (0, [0, 0])
    pool.put(bytes(64), here)
    code, codes = copy([good, good, good + 16], [here, *bad], [8, 8, 8], count=3, type=bm.BmCopyType.H2G, flags=0)
    assert code == -2012 and codes[0] == 0 and all(failed < 0 for failed in codes[1:])
    assert pool.read(here, 8) == rows[:8]
    with pytest.raises(mf_smem.InvalidParamError):
        copy([good] * 2, bad, [8] * 2, 2, bm.BmCopyType.H2G)
    coded = _mf_smem.CodedBigMemory(memory)
    code, codes = coded.copy_data_batch_partial_succeed([good] * 2, bad, [8] * 2, 2, bm.BmCopyType.H2G)
    assert code < 0 and len(codes) == 2 and all(codes)


def test_hcom_url_is_an_alias_of_nic() -> None:
    config = bm.BmConfig()
    config.hcom_url = "tcp://127.0.0.1/8:10005"
    assert config.hcom_url == config.nic == "tcp://127.0.0.1/8:10005"
    with pytest.raises(TypeError, match="nic must be a string"):
        config.hcom_url = 7  # type: ignore[assignment]


def test_log_levels_and_stores_give_codes() -> None:
    done = ranks.run_alone(
        f"""
        import mf_smem
        assert [mf_smem.set_log_level(level) for level in (-1, 6, 1 << 40, 3)] == [-2000, -2000, -2000, 0]
        assert mf_smem.set_extern_logger(None) == -2000
        assert mf_smem.create_config_store("nonsense") == -2000
        url = "tcp://127.0.0.1:{ranks.free_port()}"
        assert mf_smem.create_config_store(url) == 0 and mf_smem.create_config_store(url) == 0
        mf_smem.destroy_config_store(url)
        """
    )
    assert done.returncode == 0, done.stderr


def test_a_collected_handle_is_destroyed() -> None:
    ranks.run_code(
        """
        import gc, os
        from mf_smem import bm
        config = bm.BmConfig()
        config.rank_id = 0
        assert bm.initialize(f"tcp://127.0.0.1:{os.environ['MASTER_PORT']}", 1, 0, config) == 0
        for _ in range(3):
            memory = bm.create(5, 2 << 20)
            memory.join()
            del memory
            gc.collect()
        first = bm.create(5, 2 << 20)
        try:
            bm.create(5, 2 << 20)
        except RuntimeError as error:
            assert error.code == -2006, error
        else:
            raise AssertionError("the id is taken")
        """,
        1,
    )
