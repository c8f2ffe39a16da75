// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The suite over the host device, over each product, and where the processor cannot touch device memory.

use std::sync::Arc;

use mf_base::settings::Switch;
use mf_base::{Kind, MemKind};
use mf_device::RawStream;
use mf_device::host::HostDevice;

use super::simulator::{A2, A3, A5, acl, add_faults, census, clear_faults, count, device, pinned, run_on};
use super::suite::{self, KIND, MIB, Rig};

/// Each product; memory that the processor cannot touch, with streams that overtake each other; and each
/// product with an older CANN, which lacks 29 of the functions that we know.
const MACHINES: [(&str, &[(&str, &str)]); 7] = [
    (A2, &[]),
    (A3, &[]),
    (A5, &[]),
    (A3, &[("ADDR", "alias"), ("SCHEDULE", "random(7)")]),
    (A2, &[("CANN", "8.1")]),
    (A3, &[("CANN", "8.1"), ("ADDR", "alias"), ("SCHEDULE", "random(7)")]),
    (A5, &[("CANN", "8.1")]),
];

#[test]
fn host_memory_passes_the_suite() {
    let rig = Rig(Arc::new(HostDevice::new(Switch::Off)));
    suite::a_segment_lives(&rig);
    suite::refusals_change_nothing(&rig);
    suite::growth_can_be_given_up(&rig);
    suite::copies_arrive(&rig);
}

macro_rules! on_every_machine {
    ($($name:ident: $number:literal;)*) => { $(
        #[test]
        fn $name() {
            let (soc, knobs) = MACHINES[$number];
            run_on(soc, knobs, || {
                let rig = device(0);
                acl().set_device(0).unwrap();
                let stream = acl().create_stream().unwrap();
                let pinned = pinned();
                let before = census();
                suite::a_segment_lives(&rig);
                suite::refusals_change_nothing(&rig);
                suite::growth_can_be_given_up(&rig);
                suite::copies_arrive(&rig);
                suite::lanes_keep_order(&rig);
                suite::copies_on_a_stream_keep_its_order(&rig, RawStream(stream.as_raw()), pinned, || {
                    acl().synchronize_stream(stream, None).unwrap();
                });
                // One idle stream of ours may remain for the next batch.
                let after = census();
                for ((kind, before), (_, after)) in before.into_iter().zip(after) {
                    assert!(after <= before + u64::from(kind == "stream"), "{kind}: {before} before, {after} after");
                }
            });
        }
    )* };
}

on_every_machine! {
    a2_passes_the_suite: 0;
    a3_passes_the_suite: 1;
    a5_passes_the_suite: 2;
    memory_out_of_the_processors_reach_passes_the_suite: 3;
    a2_with_cann_8_1_passes_the_suite: 4;
    a3_with_cann_8_1_passes_the_suite: 5;
    a5_with_cann_8_1_passes_the_suite: 6;
}

#[test]
fn s22_s36_large_windows_are_cut_and_odd_ones_too() {
    for soc in [A3, A5] {
        run_on(soc, &[], || {
            let rig = device(0);
            let base = rig.windows().address_ranges(KIND)[0].start;
            // Longer than one call takes, not a multiple of a GiB, and many odd segments.
            for (stride, ranks) in [(300 << 30, 2), (129 << 30, 3), ((1 << 30) + 2 * MIB, 5), (14 * MIB, 9)] {
                let window = rig.windows().reserve(KIND, base, stride * ranks, stride).unwrap();
                for rank in [0, ranks - 1] {
                    let memory = rig.windows().allocate(KIND, 4 * MIB).unwrap();
                    // The end of a segment is where its last piece is.
                    suite::map(&*window, (rank + 1) * stride - 4 * MIB, &*memory, 0..4 * MIB);
                    rig.write(base + (rank + 1) * stride - 2 * MIB - 8, b"over the cut");
                    assert_eq!(rig.read(base + (rank + 1) * stride - 2 * MIB - 8, 12), b"over the cut");
                }
            }
        });
    }
}

#[test]
fn s61_fixed_addresses_of_kernels_can_be_reserved_and_used() {
    for soc in [A2, A3, A5] {
        run_on(soc, &[], || {
            let rig = device(0);
            for fixed in rig.windows().fixed_addresses() {
                let bytes = fixed.end - fixed.start;
                let window = rig.windows().reserve(KIND, fixed.start, bytes, bytes).unwrap();
                let memory = rig.windows().allocate(KIND, rig.granule()).unwrap();
                suite::map(&*window, bytes - rig.granule(), &*memory, 0..rig.granule());
                rig.write(fixed.end - 8, b"for them");
                assert_eq!(rig.read(fixed.end - 8, 8), b"for them");
            }
        });
    }
}

#[test]
fn window_outside_the_device_addresses_is_refused() {
    run_on(A3, &[], || {
        let rig = device(0);
        for (base, bytes, stride) in
            [(0x2800_0000_0000, 4 * MIB, 2 * MIB), (20 << 40, 4 * MIB, 3 * MIB), (20 << 40, 0, 0)]
        {
            let error = rig.windows().reserve(KIND, base, bytes, stride).map(drop).unwrap_err();
            assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        }
        let error = rig.windows().reserve(MemKind::Host, 20 << 40, 2 * MIB, 2 * MIB).map(drop).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        assert_eq!(rig.windows().allocate(KIND, 3 * MIB).map(drop).unwrap_err().kind(), Kind::InvalidParam);
    });
}

#[test]
fn s9_s26_oversized_allocation_fails_and_leaves_nothing() {
    run_on(A3, &[("HBM_BYTES", "256M")], || {
        let rig = device(0);
        let window = rig.windows().reserve(KIND, rig.base(0), 2 << 30, 2 << 30).unwrap();
        let before = census();
        let memory = rig.windows().allocate(KIND, 512 * MIB).unwrap();
        // SAFETY: nobody else knows the window.
        let error = unsafe { window.map(0, &*memory, 0..512 * MIB) }.unwrap_err();
        assert_eq!(error.kind(), Kind::OutOfMemory, "{error}");
        for part in ["aclrtMallocPhysical", "207001", "ACL_ERROR_RT_MEMORY_ALLOCATION"] {
            assert!(error.to_string().contains(part), "{error}");
        }
        assert_eq!(census(), before);
        // All of it is there for the next.
        let memory = rig.windows().allocate(KIND, 128 * MIB).unwrap();
        suite::map(&*window, 0, &*memory, 0..128 * MIB);
    });
}

#[test]
fn capabilities_state_the_method_and_the_reason() {
    let expected = [
        (A2, "aclrtReserveMemAddress", "pinned for copies", "A2: enabled"),
        (A3, "aclrtReserveMemAddress", "kernels can use it", "A3: nothing"),
        (A5, "halMemAddressReserve", "kernels can use it", "950: enabled"),
    ];
    for (soc, memory, host, peers) in expected {
        run_on(soc, &[], || {
            let list = device(0).0.capabilities();
            let of = |name| list.iter().find(|one| one.name == name).unwrap();
            for (name, part) in [
                ("device memory", memory),
                ("registered host memory", host),
                ("copies between devices", peers),
            ] {
                assert!(of(name).available, "{name}: {}", of(name).reason);
                assert!(of(name).reason.contains(part), "{name}: {}", of(name).reason);
            }
        });
    }
}

#[test]
fn identities_distinguish_families_and_processes() {
    run_on(A3, &[], || {
        let identity = device(1).0.identity().unwrap();
        assert_eq!(identity.device, "ascend A3 (simulated)");
        assert_eq!(identity.process, std::process::id().cast_signed());
        assert_ne!(identity.unit, device(0).0.identity().unwrap().unit);
    });
}

#[test]
fn s20_registered_memory_is_cached_and_other_memory_is_queried() {
    use mf_device::Locality;
    run_on(A3, &[], || {
        let rig = device(0);
        let mover = rig.mover();
        acl().set_device(0).unwrap();
        let on_device = acl().malloc(1 << 20, 0).unwrap().addr() as u64;
        let host = vec![0u8; 1 << 20];
        let on_host = host.as_ptr().addr() as u64;
        assert_eq!(mover.locality(on_device + 77), Locality::Device);
        assert_eq!(mover.locality(on_host), Locality::Host);
        for address in [on_device, on_host, on_host] {
            mover.register(address, 1 << 20).unwrap();
        }
        add_faults("aclrtPointerGetAttributes=107000");
        assert_eq!(mover.locality(on_device + 77), Locality::Device);
        assert_eq!(mover.locality(on_host + 77), Locality::Host);
        clear_faults();
        mover.unregister(on_device, 1 << 20);
        mover.unregister(on_host, 1 << 20);
        mover.unregister(on_host, 1 << 20);
        assert_eq!(count("host-registration"), 0);
    });
}

#[test]
fn s39_pool_memory_is_registered_while_exposed() {
    run_on(A3, &[], || {
        let rig = device(0);
        let acl = acl();
        acl.set_device(0).unwrap();
        let memory = acl.malloc_host(8192).unwrap();
        let page = mf_base::os::mapping::Reservation::at(0x3000_0000_0000, 2 * MIB).unwrap();
        let file = mf_base::os::memfile::MemFile::create("test", 2 * MIB, Switch::Off).unwrap();
        // SAFETY: nobody else knows the range.
        unsafe { page.map(0, &file, 0..2 * MIB) }.unwrap();
        let before = count("host-registration");
        // SAFETY: mapped until the end of the test.
        unsafe { rig.0.expose(page.base(), 2 * MIB) }.unwrap();
        assert_eq!(count("host-registration"), before + 1);
        rig.0.conceal(page.base(), 2 * MIB);
        assert_eq!(count("host-registration"), before);
        // A registration by the program stays the program's.
        // SAFETY: mapped until the end of the test.
        unsafe { acl.register_host_v2(page.base() as *mut _, 2 * MIB, 2) }.unwrap();
        // SAFETY: mapped until the end of the test.
        unsafe { rig.0.expose(page.base(), 2 * MIB) }.unwrap();
        rig.0.conceal(page.base(), 2 * MIB);
        assert_eq!(count("host-registration"), before + 1);
        // SAFETY: nothing uses it.
        unsafe { acl.unregister_host(page.base() as *mut _) }.unwrap();
        // SAFETY: nothing uses it.
        unsafe { acl.free_host(memory) }.unwrap();
    });
}

#[test]
fn older_cann_reports_missing_functions_and_their_effect() {
    run_on(A3, &[("CANN", "8.1")], || {
        let capabilities = device(0).0.capabilities();
        let reported = |name: &str| {
            let found = capabilities.iter().find(|capability| capability.name == name);
            let found = found.unwrap_or_else(|| panic!("{name} is not reported: {capabilities:?}"));
            (found.available, found.reason.as_str())
        };
        for (name, said) in [
            (
                "batched copies",
                "ACL 1.13.0 has no aclrtMemcpyBatch, CANN 8.5 (ACL 1.16) has: a stream copies",
            ),
            (
                "notifies",
                "aclrtNotifyBatchReset, CANN 8.5 (ACL 1.16) has: calls that need notifies are refused",
            ),
            ("arguments in host memory", "kernels are launched with lists of arguments"),
            ("host functions", "aclrtLaunchHostFunc, CANN 8.5"),
        ] {
            let (available, reason) = reported(name);
            assert!(!available && reason.contains(said), "{name}: {reason}");
        }
        assert!(
            reported("device memory").0
                && reported("registered host memory").1.contains("by aclrtHostRegister;")
        );
        // Two forms of the same call: 8 bytes and 128.
        assert!(reported("sharing").1.contains("no second generation"));
    });
}

#[test]
fn s3_older_cann_maps_devices_by_the_visible_list() {
    run_on(A3, &[("CANN", "8.1"), ("DEVICES", "4"), ("=ASCEND_RT_VISIBLE_DEVICES", "3,1")], || {
        let seen = |index: u32| device(index).0.identity().unwrap();
        assert_ne!(format!("{:?}", seen(0)), format!("{:?}", seen(1)));
        let libraries = ascend_acl_sys::Libraries::open(
            &ascend_acl_sys::Search::default().explicit(super::simulator::file()),
        );
        let libraries = libraries.unwrap();
        assert_eq!([0, 1].map(|user| libraries.logical_of_user(user).unwrap()), [3, 1]);
        assert_eq!(libraries.user_of_logical(3).unwrap(), 0);
        assert!(libraries.user_of_logical(2).unwrap_err().to_string().contains("logical device 2"));
        assert!(libraries.super_node_of_user(0).is_some(), "the runtime library says it");
    });
}
