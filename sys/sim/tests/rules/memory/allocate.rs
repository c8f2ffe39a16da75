// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocating and freeing: S5, S8 to S12.

use std::ptr::null_mut;

use ascend_acl_sys::raw::types as raw;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;

use super::*;
use crate::isolated;

#[test]
fn s5_reset_frees_memory_of_the_process_on_the_device() {
    both(&[], || {
        ok!(aclrtSetDevice(1));
        let elsewhere = device_memory(100);
        ok!(aclrtSetDevice(0));
        let before = budget();
        let small = device_memory(100);
        let large = device_memory(5 * MIB);
        assert!(budget().0 < before.0);
        ok!(aclrtResetDevice(0));
        ok!(aclrtSetDevice(0));
        assert_eq!(budget(), before);
        for gone in [small, large] {
            assert_eq!(place(gone).0, raw::ACL_MEM_LOCATION_TYPE_UNREGISTERED);
            assert_eq!(code!(aclrtFree(gone)), 107000);
            assert_eq!(code!(aclrtMemset(gone, 8, 0, 8)), 107000);
        }
        ok!(aclrtFree(elsewhere));
    });
}

#[test]
fn s8_small_blocks_start_at_odd_multiples_of_64() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for bytes in [1, 63, 64, 65, 4096, 100_000, 2 * MIB - 1] {
            assert_eq!(device_memory(bytes).addr() % 128, 64, "{bytes}");
        }
    });
}

#[test]
fn s8_small_blocks_are_well_aligned_without_strict_mode() {
    isolated::run(&[("STRICT", "0")], || {
        ok!(aclrtSetDevice(0));
        for bytes in [1, 65, 100_000] {
            assert_eq!(device_memory(bytes).addr() % 512, 0, "{bytes}");
        }
    });
}

#[test]
fn s8_large_blocks_start_on_a_page() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for bytes in [2 * MIB, 2 * MIB + 1, 5 * MIB] {
            assert_eq!(device_memory(bytes).addr() % (2 * MIB), 0, "{bytes}");
        }
        assert_eq!(made!(aclrtMalloc(100, 6)).addr() % (1 << 30), 0);
    });
}

#[test]
fn s8_block_is_charged_to_the_budget() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let takes = |allocate: &dyn Fn() -> Handle| {
            let before = budget().0;
            let block = allocate();
            let taken = before - budget().0;
            ok!(aclrtFree(block));
            assert_eq!(budget().0, before);
            taken
        };
        const KIB: usize = 1024;
        // The 32 bytes behind the block push a whole page over the edge.
        assert_eq!(takes(&|| made!(aclrtMalloc(1, NORMAL_ONLY))), 4 * KIB);
        assert_eq!(takes(&|| made!(aclrtMalloc(4 * KIB - 32, NORMAL_ONLY))), 4 * KIB);
        assert_eq!(takes(&|| made!(aclrtMalloc(4 * KIB - 31, NORMAL_ONLY))), 8 * KIB);
        assert_eq!(takes(&|| made!(aclrtMalloc(4 * KIB, NORMAL_ONLY))), 8 * KIB);
        assert_eq!(takes(&|| made!(aclrtMallocAlign32(4 * KIB, NORMAL_ONLY))), 4 * KIB);
        assert_eq!(takes(&|| made!(aclrtMalloc(1, HUGE_ONLY))), 2 * MIB);
        assert_eq!(takes(&|| made!(aclrtMalloc(2 * MIB, 0))), 4 * MIB);
        assert_eq!(takes(&|| made!(aclrtMallocAlign32(2 * MIB, 0))), 2 * MIB);
        assert_eq!(takes(&|| made!(aclrtMalloc(1 << 30, 6))), 1 << 30);
        // Bits that ask for a kind of memory or protection take nothing more.
        assert_eq!(takes(&|| made!(aclrtMalloc(1, NORMAL_ONLY | 0x10_1100))), 4 * KIB);
    });
}

#[test]
fn s8_huge_first_falls_back_and_huge_only_does_not() {
    isolated::run(&[("HBM_BYTES", "9M")], || {
        ok!(aclrtSetDevice(0));
        made!(aclrtMalloc(5 * MIB, HUGE_ONLY));
        assert_eq!(place(made!(aclrtMalloc(1, 0))).2, 2 << 20);
        assert_eq!(code!(aclrtMalloc(crate::calls::nowhere(), 1, HUGE_ONLY)), 207001);
        assert_eq!(place(made!(aclrtMalloc(1, 0))).2, 4096, "a huge page is not left");
    });
}

#[test]
fn s8_an_unknown_policy_is_refused() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        for policy in [8, 0x200, 0x10_0008, u32::MAX] {
            assert_eq!(code!(aclrtMalloc(crate::calls::nowhere(), 1, policy)), 100000, "{policy:#x}");
        }
    });
}

#[test]
fn s9_zero_bytes_and_null_are_rejected() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let mut out = at(null_mut(), 7);
        assert_eq!(code!(aclrtMalloc(&raw mut out, 0, 0)), 100000);
        assert!(last_error_names("size=0"));
        assert_eq!(code!(aclrtMalloc(null_mut(), 1, 0)), 100000);
        assert_eq!(code!(aclrtMallocAlign32(&raw mut out, 0, 0)), 100000);
        assert_eq!(code!(aclrtMallocWithCfg(&raw mut out, 0, 0, null_mut())), 100000);
        assert_eq!(code!(aclrtMallocHost(&raw mut out, 0)), 100000);
        assert_eq!(code!(aclrtMallocHost(null_mut(), 1)), 100000);
        assert_eq!(out.addr(), 7);
    });
}

#[test]
fn s9_allocation_without_a_device_is_refused() {
    isolated::run(&[], || {
        assert_eq!(code!(aclrtMalloc(crate::calls::nowhere(), 1, 0)), 107002);
    });
}

#[test]
fn s9_over_the_limit_is_out_of_memory() {
    isolated::run(&[("HBM_BYTES", "64M")], || {
        ok!(aclrtSetDevice(0));
        let mut out = at(null_mut(), 7);
        for bytes in [65 * MIB, 64 * MIB, usize::MAX, usize::MAX - 40, 1 << 46] {
            assert_eq!(code!(aclrtMalloc(&raw mut out, bytes, 0)), 207001, "{bytes}");
        }
        assert_eq!(out.addr(), 7);
        let all = made!(aclrtMallocAlign32(64 * MIB, 0));
        assert_eq!(code!(aclrtMalloc(&raw mut out, 1, NORMAL_ONLY)), 207001);
        ok!(aclrtSetDevice(1));
        ok!(aclrtFree(device_memory(1)));
        ok!(aclrtFree(all));
        ok!(aclrtSetDevice(0));
        ok!(aclrtFree(device_memory(32 * MIB)));
    });
}

#[test]
fn s9_reserved_host_memory_limits_allocations() {
    isolated::run(&[("KEEP_BYTES", "100T")], || {
        ok!(aclrtSetDevice(0));
        for bytes in [1, 3 * MIB] {
            assert_eq!(code!(aclrtMalloc(crate::calls::nowhere(), bytes, NORMAL_ONLY)), 207001);
            assert!(last_error_names("KEEP_BYTES"));
            assert_eq!(code!(aclrtMallocHost(crate::calls::nowhere(), bytes)), 207001);
        }
        assert_eq!(budget().0, budget().1);
    });
}

#[test]
fn s9_two_processes_share_the_limit_of_a_device() {
    isolated::crew(2, &[("HBM_BYTES", "64M")], |rank, board| {
        ok!(aclrtSetDevice(0));
        if rank == 0 {
            let block = device_memory(40 * MIB);
            board.post("taken", b"");
            board.take("refused");
            ok!(aclrtFree(block));
            board.post("freed", b"");
        } else {
            board.take("taken");
            assert_eq!(code!(aclrtMalloc(crate::calls::nowhere(), 40 * MIB, NORMAL_ONLY)), 207001);
            board.post("refused", b"");
            board.take("freed");
            device_memory(40 * MIB);
        }
    });
}

#[test]
fn s9_memory_of_a_dead_process_is_returned() {
    isolated::crew(2, &[("HBM_BYTES", "64M")], |rank, board| {
        ok!(aclrtSetDevice(0));
        if rank == 0 {
            device_memory(40 * MIB);
            device_memory(1);
            board.post("pid", &std::process::id().to_le_bytes());
            // Until it is killed.
            loop {
                std::thread::park();
            }
        } else {
            let pid = u32::from_le_bytes(board.take("pid").try_into().unwrap());
            // SAFETY: the other process of this crew, which waits for it.
            assert_eq!(unsafe { libc::kill(pid.try_into().unwrap(), libc::SIGKILL) }, 0);
            let block = std::cell::Cell::new(null_mut());
            crate::calls::eventually("the memory returns", || {
                code!(aclrtMalloc(block.as_ptr(), 40 * MIB, NORMAL_ONLY)) == 0
            });
            ok!(aclrtFree(block.get()));
            assert_eq!(budget().0, 64 * MIB);
        }
    });
}

#[test]
fn s10_fresh_memory_carries_the_pattern() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for bytes in [1, 100, MIB, 3 * MIB] {
            let block = device_memory(bytes);
            assert!(read(block, bytes).iter().all(|byte| *byte == 0xCD), "{bytes}");
            write(block, &data(bytes, 1));
            ok!(aclrtFree(block));
        }
        // Freed slots are used again, and painted again.
        for _ in 0..100 {
            let block = device_memory(MIB);
            assert!(read(block, MIB).iter().all(|byte| *byte == 0xCD));
            write(block, &data(MIB, 2));
            ok!(aclrtFree(block));
        }
        let large = device_memory(70 * MIB);
        assert_eq!(read(at(large, 64 * MIB - 4), 8), [0xCD, 0xCD, 0xCD, 0xCD, 0, 0, 0, 0], "as documented");
    });
}

#[test]
fn s10_fill_pattern_is_configurable() {
    isolated::run(&[("FILL", "0x5A")], || {
        ok!(aclrtSetDevice(0));
        assert_eq!(read(device_memory(4), 4), [0x5A; 4]);
    });
}

/// Memory files that this process has in memory, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssShmem:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

#[test]
fn zero_fills_consume_no_host_memory() {
    isolated::run(&[("FILL", "off")], || {
        ok!(aclrtSetDevice(0));
        let before = resident();
        let block = device_memory(48 * MIB);
        ok!(aclrtMemset(block, 48 * MIB, 0, 48 * MIB));
        assert!(resident() - before < MIB, "{} bytes", resident() - before);
        // Bytes around a range that is not made of whole pages stay, and the range is zero.
        write(block, &data(4 * MIB, 1));
        ok!(aclrtMemset(at(block, 100), 4 * MIB, 0, 3 * MIB + 7 - 100));
        let (found, written) = (read(block, 4 * MIB), data(4 * MIB, 1));
        assert_eq!(found[..100], written[..100]);
        assert!(found[100..3 * MIB + 7].iter().all(|byte| *byte == 0));
        assert_eq!(found[3 * MIB + 7..], written[3 * MIB + 7..]);
        ok!(aclrtFree(block));
    });
}

#[test]
fn s11_only_starts_of_living_allocations_are_freed() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtFree(null_mut())), 100000);
        assert_eq!(code!(aclrtFreeHost(null_mut())), 100000);
        let neighbour = device_memory(100);
        for bytes in [100, 3 * MIB] {
            let block = device_memory(bytes);
            assert_eq!(code!(aclrtFree(at(block, 1))), 107000, "inside");
            assert!(last_error_names("lies inside"));
            assert_eq!(code!(aclrtFree(at(block, bytes))), 107000, "behind");
            assert_eq!(code!(aclrtFreeHost(block)), 107000, "of a device");
            assert_eq!(read(block, 1), [0xCD], "still there");
            ok!(aclrtFree(block));
            assert_eq!(code!(aclrtFree(block)), 107000, "twice");
        }
        let mut variable = 0_u64;
        assert_eq!(code!(aclrtFree((&raw mut variable).cast())), 107000, "of the program");
        ok!(aclrtFree(neighbour));
    });
}

#[test]
fn s12_host_memory_is_page_aligned_and_cpu_accessible() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for bytes in [1, 4097, 3 * MIB] {
            let block = host_memory(bytes);
            assert_eq!(block.addr() % 4096, 0);
            // SAFETY: so many bytes of pinned memory, used by no other code.
            unsafe { block.cast::<u8>().write_bytes(3, bytes) };
            let device = device_memory(bytes);
            ok!(aclrtMemcpy(device, bytes, block, bytes, H2D));
            assert_eq!(read(device, bytes), vec![3; bytes]);
            assert_eq!(place(block).0, raw::ACL_MEM_LOCATION_TYPE_HOST);
            assert_eq!(code!(aclrtFree(block)), 107000);
            ok!(aclrtFreeHost(block));
            assert_eq!(code!(aclrtFreeHost(block)), 107000);
        }
    });
}

#[test]
fn s12_va_flag_makes_host_memory_visible_to_kernels() {
    use ascend_sim::memory::transfer::{self, Initiator};
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let mut attribute = raw::aclrtMallocAttribute {
            attr: raw::ACL_RT_MEM_ATTR_VA_FLAG,
            value: raw::aclrtMallocAttrValue { vaFlag: 1 },
        };
        let mut config = raw::aclrtMallocConfig { attrs: &raw mut attribute, numAttrs: 1 };
        let visible = made!(aclrtMallocHostWithCfg(64, &raw mut config));
        let plain = made!(aclrtMallocHostWithCfg(64, null_mut()));
        transfer::store_word(Initiator::Core(0), visible.addr() as u64, 5).unwrap();
        // SAFETY: 64 bytes of pinned memory.
        assert_eq!(unsafe { visible.cast::<u64>().read_volatile() }, 5);
        let fault = transfer::store_word(Initiator::Core(0), plain.addr() as u64, 5).unwrap_err();
        assert_eq!(fault.code, 107000);
        transfer::store_word(Initiator::Device(0), plain.addr() as u64, 5).unwrap();
        attribute.attr = 4;
        config.attrs = &raw mut attribute;
        assert_eq!(code!(aclrtMallocHostWithCfg(crate::calls::nowhere(), 64, &raw mut config)), 100000);
        config.attrs = null_mut();
        assert_eq!(code!(aclrtMallocHostWithCfg(crate::calls::nowhere(), 64, &raw mut config)), 100000);
    });
}

#[test]
fn s8_allocation_attribute_selects_the_device() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let mut attributes = [
            raw::aclrtMallocAttribute {
                attr: raw::ACL_RT_MEM_ATTR_MODULE_ID,
                value: raw::aclrtMallocAttrValue { moduleId: 3 },
            },
            raw::aclrtMallocAttribute {
                attr: raw::ACL_RT_MEM_ATTR_DEVICE_ID,
                value: raw::aclrtMallocAttrValue { deviceId: 2 },
            },
        ];
        let mut config = raw::aclrtMallocConfig { attrs: attributes.as_mut_ptr(), numAttrs: 2 };
        assert_eq!(place(made!(aclrtMallocWithCfg(64, 0, &raw mut config))).1, 2);
        assert_eq!(place(made!(aclrtMallocWithCfg(64, 0, null_mut()))).1, 0);
        attributes[1].value.deviceId = 99;
        config.attrs = attributes.as_mut_ptr();
        assert_eq!(code!(aclrtMallocWithCfg(crate::calls::nowhere(), 64, 0, &raw mut config)), 107001);
    });
}

#[test]
fn s8_allocation_falls_back_when_heap_addresses_are_taken() {
    both(&[], || {
        const TIB: usize = 1 << 40;
        // SAFETY: inaccessible pages where nothing is.
        let blocked = unsafe {
            libc::mmap(
                at(null_mut(), 18 * TIB),
                2 * TIB,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE,
                -1,
                0,
            )
        };
        if blocked.addr() != 18 * TIB {
            println!("skip blocking the heap's addresses: this host has none there");
            return;
        }
        ok!(aclrtSetDevice(0));
        for bytes in [100, 3 * MIB] {
            let block = device_memory(bytes);
            assert!(!(18 * TIB..20 * TIB).contains(&block.addr()));
            write(block, &data(bytes, 1));
            assert!(read(block, bytes) == data(bytes, 1));
            ok!(aclrtFree(block));
        }
    });
}

#[test]
fn s11_freed_addresses_are_reused_late() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for bytes in [100, 3 * MIB] {
            let mut seen = std::collections::HashSet::new();
            for _ in 0..20 {
                let block = device_memory(bytes);
                assert!(seen.insert(block.addr()), "{block:p} is back already");
                ok!(aclrtFree(block));
            }
        }
    });
}

#[test]
fn s11_slots_possibly_mapped_by_others_are_not_reused() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let heap = ascend_sim::memory::heap::heap().unwrap();
        let lent = device_memory(MIB);
        heap.keep_slot(lent.addr() as u64);
        ok!(aclrtFree(lent));
        // Twice around the arena.
        for _ in 0..64 {
            let block = device_memory(MIB);
            assert_ne!(block, lent);
            ok!(aclrtFree(block));
        }
    });
}
