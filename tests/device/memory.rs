// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which memory the accelerator knows, where its windows lie, and with whom it is shared.

use mf_base::{Kind, MemKind, Rank};
use mf_device::Mover;
use mf_fabric::pool::{Mode, Side};
use mf_tests::pattern;

use super::pools::{
    MIB, alone, copy, device, devices, holds, host, members, members_with, options, piece, put, two,
};
use super::scripted::{RANGE, ScriptedDevice, Site};

const GIB: u64 = 1 << 30;

#[test]
fn host_segments_are_exposed_and_concealed_before_removal() {
    let (member, pool) = alone();
    let start = host(&pool, 0).0;
    assert_eq!(member.device.exposed().into_iter().collect::<Vec<_>>(), [(start, 2 * MIB)]);
    pool.extend(MemKind::Host, 2 * MIB).unwrap();
    let both = [(start, 2 * MIB), (start + 2 * MIB, 2 * MIB)];
    assert_eq!(member.device.exposed().into_iter().collect::<Vec<_>>(), both);
    // Leaving and coming back changes nothing about it.
    pool.leave().unwrap();
    pool.join().unwrap();
    assert_eq!(member.device.exposed().len(), 2);
    drop(pool);
    member.left_nothing();
}

#[test]
fn registered_memory_is_withdrawn_from_the_mover_with_the_pool() {
    let (member, pool) = alone();
    let buffer = [0u8; 64];
    let address = buffer.as_ptr().addr() as u64;
    let known = |bytes| member.device.registered().get(&(address, bytes)).copied();
    pool.register(address, 64).unwrap();
    pool.register(address, 64).unwrap();
    assert_eq!(known(64), Some(1));
    assert_eq!(pool.register(address, 32).unwrap_err().kind(), Kind::Failed);
    // Another pool of the process has registrations of its own, and takes them with it.
    let mut second = options(1, [2 * MIB, 0], [2 * MIB, 0]);
    second.id = 1;
    let second = member.open(&second).unwrap();
    second.register(address, 64).unwrap();
    assert_eq!(known(64), Some(2));
    drop(second);
    assert_eq!(known(64), Some(1));
    pool.unregister(address).unwrap();
    pool.unregister(address).unwrap();
    assert_eq!(known(64), None);
    // Memory of the pool is no business of the mover's.
    pool.register(host(&pool, 0).0, 4096).unwrap();
    pool.register(device(&pool, 0, 0).0, 4096).unwrap();
    assert!(member.device.registered().is_empty());
    pool.unregister(host(&pool, 0).0).unwrap();
    member.device.fail(Site::Register, 0);
    assert!(pool.register(address, 64).unwrap_err().to_string().contains("Register"));
    pool.register(address, 32).unwrap();
    assert_eq!(known(32), Some(1));
    drop(pool);
    member.left_nothing();
}

#[test]
fn windows_lie_in_the_device_range_at_equal_addresses() {
    let far = RANGE.start + 64 * GIB..RANGE.end;
    let ranges = [vec![far.clone()], Vec::new()];
    let all = vec![ScriptedDevice::default(), ScriptedDevice::default().with_ranges(ranges)];
    let members = members_with(all);
    let pools: Vec<_> = members.iter().map(|member| member.device_pool(2, 2 * MIB, 2 * MIB)).collect();
    for pool in &pools {
        assert_eq!(device(pool, 0, 0).0, far.start);
        assert_eq!(pool.layout().bases(), [far.start, 0]);
    }
    put(&pools[0], device(&pools[0], 1, 0), 4096, 1).unwrap();
    assert!(holds(&pools[1], device(&pools[1], 1, 0), 4096, 1));
}

#[test]
fn host_windows_are_reachable_by_the_accelerator() {
    let reachable = 0x3000_0000_0000..0x3100_0000_0000;
    let device = ScriptedDevice::default().with_ranges([vec![RANGE], vec![reachable.clone()]]);
    let member = members_with(vec![device]).remove(0);
    let pool = member.open(&options(1, [2 * MIB; 2], [2 * MIB; 2])).unwrap();
    assert_eq!(pool.layout().bases(), [RANGE.start, reachable.start]);
}

#[test]
fn preferred_base_is_used_if_the_device_supports_it() {
    for (preferred, expected) in [
        (RANGE.start + 10 * GIB, [RANGE.start + 10 * GIB, RANGE.start + 11 * GIB]),
        (0x3400_0000_0000, [RANGE.start, 0x3400_0000_0000]),
    ] {
        let member = members(1).remove(0);
        let mut options = options(1, [2 * MIB; 2], [2 * MIB; 2]);
        options.preferred_base = Some(preferred);
        mf_fabric::space::agree::publish_free(&*member.store, &devices(&member.device), Some(preferred))
            .unwrap();
        let pool = member.open(&options).unwrap();
        assert_eq!(pool.layout().bases(), expected, "{:x?}", pool.layout().bases());
    }
}

#[test]
fn occupied_device_addresses_move_pools_and_refuse_late_joiners() {
    let members = members(2);
    let start = RANGE.start;
    members[0].device.occupy(start..start + 4096).unwrap();
    let first = members[0].device_pool(2, 2 * MIB, 2 * MIB);
    assert_eq!(device(&first, 0, 0).0, start + GIB);
    members[1].device.occupy(start + GIB..start + GIB + 4096).unwrap();
    let error = members[1].open(&options(2, [2 * MIB, 0], [2 * MIB, 0])).err().unwrap();
    assert_eq!(error.kind(), Kind::InUse);
    let text = error.to_string();
    assert!(text.contains("taken_by") && text.contains("other members use these addresses"), "{text}");
}

#[test]
fn members_without_common_addresses_get_an_error() {
    let part = |start: u64| {
        let range = RANGE.start + start * GIB..RANGE.start + (start + 2) * GIB;
        [vec![range], Vec::new()]
    };
    let all =
        vec![ScriptedDevice::default().with_ranges(part(0)), ScriptedDevice::default().with_ranges(part(4))];
    let members = members_with(all);
    let error = members[0].open(&options(2, [2 * MIB, 0], [2 * MIB, 0])).err().unwrap();
    assert_eq!(error.kind(), Kind::NoResources);
    assert!(error.to_string().contains("free in all members"), "{error}");
}

#[test]
fn sizes_are_multiples_of_the_devices_granule() {
    let device = ScriptedDevice::default().with_granule(8 * MIB);
    let member = members_with(vec![device]).remove(0);
    for (own, max) in [([2 * MIB, 0], [8 * MIB, 0]), ([8 * MIB, 0], [12 * MIB, 0])] {
        let error = member.open(&options(1, own, max)).err().unwrap();
        assert_eq!(error.kind(), Kind::InvalidParam);
        assert!(error.to_string().contains("multiples of 8 MiB"), "{error}");
    }
    // Host memory has its own.
    let pool = member.open(&options(1, [8 * MIB, 2 * MIB], [16 * MIB, 4 * MIB])).unwrap();
    assert!(pool.extend(MemKind::Device, 2 * MIB).unwrap_err().to_string().contains("multiple of 8 MiB"));
    pool.extend(MemKind::Device, 8 * MIB).unwrap();
    pool.extend(MemKind::Host, 2 * MIB).unwrap();
}

#[test]
fn a_contribution_of_too_many_pieces_is_refused() {
    let (members, pools) = two(2 * MIB, 600 * MIB);
    let mut pieces = 1;
    let error = loop {
        match pools[0].extend(MemKind::Device, 2 * MIB) {
            Ok(()) => pieces += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((error.kind(), pieces), (Kind::NoResources, 250));
    assert!(error.to_string().contains("larger steps"), "{error}");
    // All of them fit one announcement.
    pools[1].leave().unwrap();
    pools[1].join().unwrap();
    put(&pools[1], device(&pools[1], 0, 499 * MIB), MIB, 1).unwrap();
    assert!(holds(&pools[0], device(&pools[0], 0, 499 * MIB), MIB, 1));
    // A pool's thread holds a share of it while it unmaps the other's pieces; destroying waits for the
    // thread.
    pools.iter().for_each(|pool| pool.destroy());
    drop(pools);
    members.iter().for_each(|member| member.left_nothing());
}

#[test]
fn members_with_different_devices_are_refused_naming_both() {
    let members = members_with(vec![ScriptedDevice::of("apples"), ScriptedDevice::of("pears")]);
    let first = members[0].device_pool(2, 2 * MIB, 2 * MIB);
    let second = members[1].open(&options(2, [2 * MIB, 0], [2 * MIB, 0])).unwrap();
    let error = second.join().unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    let text = error.to_string();
    for part in ["apples", "pears", "rank 0", "MF_DEVICE"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(first.members(), [Rank(0)]);
}

#[test]
fn pool_without_device_memory_copies_device_memory_of_the_caller() {
    let member = members(1).remove(0);
    let pool = member.open(&options(1, [0, 2 * MIB], [0, 2 * MIB])).unwrap();
    pool.join().unwrap();
    // The caller's device memory: another pool's serves.
    let mut lending = options(1, [2 * MIB, 0], [2 * MIB, 0]);
    lending.id = 1;
    let lender = member.open(&lending).unwrap();
    lender.join().unwrap();
    put(&lender, device(&lender, 0, 0), 4096, 9).unwrap();
    let (local, there) = (device(&lender, 0, 0).as_ptr(), host(&pool, 0).as_ptr());
    member.device.take_calls();
    copy(&pool, piece(local, there, 4096), (Side::LocalDevice, Side::Global), Mode::Sync).unwrap();
    copy(&pool, piece(local, there, 4096), (Side::Any, Side::Any), Mode::Sync).unwrap();
    assert_eq!(member.device.take_calls(), ["copy", "copy"]);
    assert!(holds(&pool, host(&pool, 0), 4096, 9));
    let refused = copy(&pool, piece(local, there, 4096), (Side::LocalHost, Side::Global), Mode::Sync);
    assert_eq!(refused.unwrap_err().kind(), Kind::InvalidParam);
    assert!(pool.is_host_memory(host(&pool, 0)));
    assert!(!lender.is_host_memory(device(&lender, 0, 0)) && !pool.is_host_memory(device(&lender, 0, 0)));
    drop((pool, lender));
    member.left_nothing();
}

#[test]
fn device_and_host_addresses_are_distinguished() {
    let (member, pool) = alone();
    let content = pattern::stream(0, 8);
    let locality = |address: u64| member.device.locality(address);
    assert_ne!(locality(device(&pool, 0, 0).0), locality(content.as_ptr().addr() as u64));
}
