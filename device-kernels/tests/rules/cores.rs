// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K1, K2, K14, K16: cores, how they meet, how they fail.

use std::ffi::c_void;
use std::ptr::null_mut;

use ascend_acl_sys::raw::types::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::streams::*;
use ascend_sim::acl::virtual_memory::*;

use crate::launch;
use crate::program::{Words, call, last_error, stream, wait};

#[test]
fn k01_each_block_has_a_core_of_its_own() {
    launch::with_schedules("cores.cpp", |kernels| {
        let memory = Words::new(&[0; 8 * 100]);
        kernels.run("number", 100, &[memory.address()]);
        let numbers: Vec<u64> = memory.get().into_iter().step_by(8).collect();
        assert_eq!(numbers, (1..=100).collect::<Vec<_>>());
    });
}

#[test]
fn k02_local_memory_has_product_size_and_fill_pattern() {
    for (soc, bytes) in [("Ascend910_9382", 192 << 10), ("Ascend950PR_9599", 248 << 10)] {
        launch::with("cores.cpp", &[("SOC", soc), ("STRICT", "0")], |kernels| {
            let memory = Words::new(&[0; 16]);
            kernels.run("fresh", 1, &[memory.address()]);
            assert_eq!((memory.get()[0], memory.get()[8]), (bytes, 0xCDCD_CDCD));
        });
    }
    launch::with("cores.cpp", &[], |kernels| {
        let text = kernels.fault("fresh", 1, &[Words::new(&[0; 16]).address()]);
        assert!(text.contains("K18") && text.contains("byte 400 of"), "{text}");
    });
}

#[test]
fn k14_all_blocks_synchronise() {
    launch::with_schedules("cores.cpp", |kernels| {
        let memory = Words::new(&[0; 8 * 64]);
        kernels.run("ring", 8, &[memory.address(), 20]);
    });
    launch::with("cores.cpp", &[("KERNELS", "eager")], |kernels| {
        kernels.run("ring", 48, &[Words::new(&[0; 8 * 64]).address(), 20]);
    });
}

#[test]
fn k14_more_blocks_than_cores_cannot_synchronise() {
    launch::with("cores.cpp", &[], |kernels| {
        let text = kernels.fault("meeting", 49, &[0, 0]);
        assert!(text.contains("K14") && text.contains("49 blocks on 48 cores"), "{text}");
    });
}

#[test]
fn k14_cube_and_vector_cores_pass_flags() {
    launch::with_schedules("cores.cpp", |kernels| {
        let memory = Words::new(&[0; 8 * 16]);
        kernels.run("relay", 3, &[memory.address(), 20]);
        let lines: Vec<u64> = memory.get().into_iter().step_by(8).collect();
        assert_eq!(lines, [20, 20, 20, 0, 20, 20, 20, 0, 20, 20, 20, 0, 0, 0, 0, 0]);
    });
    launch::with("cores.cpp", &[("KERNELS", "eager")], |kernels| {
        kernels.run("relay", 24, &[Words::new(&[0; 8 * 96]).address(), 20]);
    });
}

#[test]
fn k14_vector_cores_synchronise_by_flags() {
    launch::with_schedules("cores.cpp", |kernels| {
        for is_group in [0, 1] {
            let memory = Words::new(&[0; 8 * 16]);
            kernels.run("meet_by_flags", 4, &[memory.address(), 20, is_group]);
            assert!(memory.get()[..8 * 8].iter().step_by(8).all(|line| *line == 20));
        }
    });
}

#[test]
fn k14_pipes_wait_for_other_cores() {
    launch::with_schedules("cores.cpp", |kernels| {
        let memory = Words::new(&[0; 128]);
        kernels.run("pipes_wait", 1, &[memory.address()]);
        let copied: Vec<u64> = memory.get()[64..].iter().step_by(8).copied().collect();
        assert_eq!(copied, (1..=8).collect::<Vec<_>>());
    });
}

#[test]
fn k14_flags_between_cores_count_to_15() {
    launch::with_schedules("cores.cpp", |kernels| {
        let text = kernels.fault("meeting", 1, &[0, 1]);
        assert!(text.contains("K14") && text.contains("counts to 15"), "{text}");
        let text = kernels.fault("meeting", 1, &[0, 2]);
        assert!(text.contains("K14") && text.contains("not mixed"), "{text}");
        let text = kernels.fault("meeting", 1, &[0, 5]);
        assert!(text.contains("K14") && text.contains("11 to 14 are SyncAll's"), "{text}");
        kernels.run("meeting", 8, &[0, 7]);
    });
}

#[test]
fn k14_standalone_cores_cannot_synchronise() {
    launch::with("cores.cpp", &[], |kernels| {
        for (which, call) in (0..).zip(["SyncAll", "CrossCoreSetFlag", "CrossCoreWaitFlag"]) {
            let text = kernels.fault("alone", 1, &[0, which]);
            for part in ["K14", "cores.cpp:", call, "KERNEL_TYPE_AIV_ONLY", "MF_KERNEL_VECTOR()"] {
                assert!(text.contains(part), "{which}: no {part} in: {text}");
            }
        }
        kernels.run("alone", 1, &[0, 3]);
    });
    launch::with("cores.cpp", &[("KERNELS", "eager")], |kernels| {
        assert!(kernels.fault("alone", 1, &[0, 0]).contains("K14"));
    });
}

#[test]
fn k14_synchronisation_call_must_match_the_kernel_type() {
    launch::with("cores.cpp", &[], |kernels| {
        for (kernel, words, expected) in [
            ("undecided", &[0][..], "is declared KERNEL_TYPE_MIX_AIC_1_2, and runs on vector cores"),
            ("mixed_alone", &[0], "say SyncAll<false>()"),
            ("meeting", &[0, 6], "say SyncAll()"),
        ] {
            let text = kernels.fault(kernel, 1, words);
            assert!(text.contains("K14") && text.contains(expected), "{kernel}: {text}");
        }
    });
}

#[test]
fn k16_a_fault_ends_its_launch_and_nothing_else() {
    launch::with_schedules("cores.cpp", |kernels| {
        let other = stream();
        let text = kernels.fault("meeting", 2, &[0, 3]);
        assert!(text.contains("cores.cpp:") && text.contains("gave up"), "{text}");
        let text = kernels.fault("meeting", 4, &[0, 4]);
        assert!(text.contains("block 1 of 4"), "{text}");
        let memory = Words::new(&[0; 8 * 8]);
        let (code, text) = kernels.launch_on(other, "number", 8, &[memory.address()]);
        assert_eq!(code, 0, "{text}");
        kernels.run("number", 8, &[memory.address()]);
        assert_eq!(ascend_sim::kernel::launch::given_up(), 0);
        assert_eq!(call!(aclrtDestroyStream(other)), 0, "{}", last_error());
        assert_eq!(wait(stream()), 0);
    });
}

#[test]
fn k16_invalid_addresses_are_reported() {
    launch::with("cores.cpp", &[], |kernels| {
        let text = kernels.fault("number", 1, &[0x1234_5600]);
        assert!(text.contains("K5") && text.contains("0x12345600"), "{text}");
    });
}

/// Address and size of the records of shared memory objects for kernels.
const META: u64 = 0x1800_0000_0000 - (1 << 30) - META_BYTES as u64;
const META_BYTES: usize = 32 << 20;

/// Memory at the address of the meta area.
fn meta_area() -> u64 {
    let mut start: *mut c_void = null_mut();
    let below = std::ptr::without_provenance_mut(0x1800_0000_0000 - (2 << 30));
    assert_eq!(call!(aclrtReserveMemAddress(&raw mut start, 1 << 30, 0, below, 1)), 0, "{}", last_error());
    let location = aclrtMemLocation { id: 0, type_: 1 };
    let hbm = aclrtPhysicalMemProp { handleType: 0, allocationType: 0, memAttr: 4, location, reserve: 0 };
    let mut memory = null_mut();
    assert_eq!(call!(aclrtMallocPhysical(&raw mut memory, META_BYTES, &raw const hbm, 0)), 0);
    let at = std::ptr::without_provenance_mut(usize::try_from(META).unwrap());
    assert_eq!(call!(aclrtMapMem(at, META_BYTES, 0, memory, 0)), 0, "{}", last_error());
    META
}

fn write(address: u64, words: &[u64]) {
    let at = std::ptr::without_provenance_mut(usize::try_from(address).unwrap());
    let bytes = words.len() * 8;
    assert_eq!(call!(aclrtMemcpy(at, bytes, words.as_ptr().cast(), bytes, 1)), 0, "{}", last_error());
}

#[test]
fn k16_addresses_of_shared_memory_are_reported_by_rank() {
    launch::with("cores.cpp", &[], |kernels| {
        let symmetric = Words::bytes(3 * 4096);
        let control = Words::bytes(3 * 1024);
        // The record of object 5, at byte 16: rank 1 of 3.
        let mut record = [0_u64; 16];
        record[0] = 5 | 1 << 32;
        record[1] = 3;
        record[2] = 4096;
        record[6] = symmetric.address();
        record[7] = control.address();
        record[8] = 1024;
        write(meta_area() + 128 * 6, &record);
        for (place, name) in [
            (symmetric.address() + 4096 + 0x40, "rank 1, byte 0x40 of share memory 5"),
            (control.address() + 2048 + 8, "rank 2, byte 0x8 of the control area of share memory 5"),
        ] {
            let text = kernels.fault("far", 1, &[place]);
            assert!(text.contains("K5") && text.contains(name), "{text}");
        }
    });
}
