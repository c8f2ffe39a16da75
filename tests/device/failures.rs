// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every call on the device fails once: the pool says so, changes nothing, and works when it is tried again.

use std::time::Duration;

use mf_base::{Kind, MemKind, Rank};
use mf_device::Mover;
use mf_fabric::pool::Mode;
use mf_fabric::space::Presence;
use mf_tests::deadline::wait_until;
use mf_tests::pattern;

use super::pools::{
    INSIDE, MIB, MOMENT, PUT, alone, batch, copy, device, holds, host, members, options, piece, put, two,
};
use super::scripted::Site;

#[test]
fn failed_pool_open_releases_everything() {
    for site in [Site::Reserve, Site::Allocate, Site::Map, Site::Expose] {
        let member = members(1).remove(0);
        let options = options(1, [2 * MIB; 2], [2 * MIB; 2]);
        member.device.fail(site, 0);
        let error = member.open(&options).err().unwrap();
        assert!(error.to_string().contains(&format!("{site:?}")), "{error}");
        member.left_nothing();
        // Its addresses are free again.
        let pool = member.open(&options).unwrap();
        pool.join().unwrap();
        put(&pool, device(&pool, 0, 0), 64, 1).unwrap();
        assert!(holds(&pool, device(&pool, 0, 0), 64, 1));
        drop(pool);
        member.left_nothing();
    }
}

#[test]
fn failed_mapping_during_join_names_the_member_and_the_reason() {
    // At the joiner, and at the present member.
    for (at, site) in [
        (1, Site::Share),
        (1, Site::Adopt),
        (1, Site::Map),
        (0, Site::Share),
        (0, Site::Adopt),
        (0, Site::Map),
    ] {
        let members = members(2);
        let first = members[0].device_pool(2, 2 * MIB, 2 * MIB);
        let second = members[1].open(&options(2, [2 * MIB, 0], [2 * MIB, 0])).unwrap();
        members[at].device.fail(site, 0);
        let error = second.join().unwrap_err();
        let text = error.to_string();
        assert!(text.contains("rank 0") && text.contains(&format!("{site:?}")), "{site:?} at {at}: {text}");
        // Nothing relies on it.
        assert!(wait_until(|| first.members() == [Rank(0)]), "{:?}", first.members());
        let refused = put(&first, device(&first, 1, 0), 8, 1).unwrap_err();
        assert_eq!(refused.kind(), Kind::NotConnected);
        second.join().unwrap();
        for (pool, other) in [(&first, 1), (&second, 0)] {
            put(pool, device(pool, other, 0), MIB, 5).unwrap();
            assert!(holds(pool, device(pool, other, 0), MIB, 5));
        }
        drop((first, second));
        members.iter().for_each(|member| member.left_nothing());
    }
}

#[test]
fn failed_copies_report_the_reason_and_later_ones_succeed() {
    let (member, pool) = alone();
    let content = pattern::stream(1, 4096);
    let one = piece(content.as_ptr(), device(&pool, 0, 0).as_ptr(), 4096);
    let stream = member.device.stream();
    for (site, mode) in [
        (Site::Copy, Mode::Sync),
        (Site::Lane, Mode::Async),
        (Site::Enqueue, Mode::Async),
        (Site::CopyOn, Mode::Stream(stream.raw())),
    ] {
        for many in [false, true] {
            // A lane is made only once.
            if site == Site::Lane && many {
                continue;
            }
            member.device.fail(site, 0);
            let copied = if many { batch(&pool, &[one; 2], PUT, mode) } else { copy(&pool, one, PUT, mode) };
            let error = copied.unwrap_err();
            assert!(error.to_string().contains(&format!("{site:?}")), "{error}");
            copy(&pool, one, PUT, mode).unwrap();
        }
    }
    pool.wait().unwrap();
    stream.synchronize().unwrap();
    // On the lane: the first error comes with the wait, once, and the others were done.
    member.device.fail(Site::Queued, 1);
    for offset in [0, 8192, 16384] {
        let there = device(&pool, 0, offset).as_ptr();
        copy(&pool, piece(content.as_ptr(), there, 4096), PUT, Mode::Async).unwrap();
    }
    assert!(pool.wait().unwrap_err().to_string().contains("Queued"));
    pool.wait().unwrap();
    assert!(holds(&pool, device(&pool, 0, 16384), 4096, 1));
    assert!(!holds(&pool, device(&pool, 0, 8192), 4096, 1));
    drop(pool);
    member.left_nothing();
}

#[test]
fn failed_growth_changes_nothing() {
    let (members, pools) = two(2 * MIB, 8 * MIB);
    for site in [Site::Allocate, Site::Map] {
        members[1].device.fail(site, 0);
        let error = pools[1].extend(MemKind::Device, 2 * MIB).unwrap_err();
        assert!(error.to_string().contains(&format!("{site:?}")), "{error}");
        assert_eq!(pools[1].local_bytes(MemKind::Device), 2 * MIB);
        let behind = device(&pools[0], 1, 2 * MIB);
        assert_eq!(put(&pools[0], behind, 8, 1).unwrap_err().kind(), Kind::InvalidParam);
    }
    pools[1].extend(MemKind::Device, 2 * MIB).unwrap();
    put(&pools[0], device(&pools[0], 1, MIB), 3 * MIB, 1).unwrap();
    assert!(holds(&pools[1], device(&pools[1], 1, MIB), 3 * MIB, 1));
    drop(pools);
    members.iter().for_each(|member| member.left_nothing());
}

#[test]
fn growth_failing_on_a_member_names_it_and_the_next_completes_it() {
    for (at, site) in [(0, Site::Map), (0, Site::Adopt), (1, Site::Share)] {
        let (members, pools) = two(2 * MIB, 8 * MIB);
        put(&pools[0], device(&pools[0], 1, 0), 2 * MIB, 1).unwrap();
        // The owner maps its new block first.
        members[at].device.fail(site, 0);
        let error = pools[1].extend(MemKind::Device, 2 * MIB).unwrap_err();
        assert_eq!(error.kind(), Kind::PartialFailed);
        let text = error.to_string();
        assert!(text.contains("rank 0") && text.contains(&format!("{site:?}")), "{text}");
        // The owner has the new data, the other one the old.
        put(&pools[1], device(&pools[1], 1, 2 * MIB), 2 * MIB, 2).unwrap();
        let behind = device(&pools[0], 1, 2 * MIB);
        assert_eq!(put(&pools[0], behind, 8, 1).unwrap_err().kind(), Kind::InvalidParam);
        pools[1].extend(MemKind::Device, 2 * MIB).unwrap();
        assert!(holds(&pools[0], behind, 2 * MIB, 2));
        assert!(holds(&pools[0], device(&pools[0], 1, 0), 2 * MIB, 1));
        // One copy across all three blocks.
        put(&pools[0], device(&pools[0], 1, MIB), 4 * MIB, 3).unwrap();
        assert!(holds(&pools[1], device(&pools[1], 1, MIB), 4 * MIB, 3));
        drop(pools);
        members.iter().for_each(|member| member.left_nothing());
    }
}

#[test]
fn host_memory_refused_by_the_accelerator_is_not_contributed() {
    let (member, pool) = alone();
    member.device.fail(Site::Expose, 0);
    let error = pool.extend(MemKind::Host, 2 * MIB).unwrap_err();
    assert!(error.to_string().contains("Expose"), "{error}");
    assert_eq!(pool.local_bytes(MemKind::Host), 2 * MIB);
    assert_eq!(member.device.exposed().len(), 1);
    pool.extend(MemKind::Host, 2 * MIB).unwrap();
    put(&pool, host(&pool, 2 * MIB), 2 * MIB, 1).unwrap();
    let inside = piece(host(&pool, 2 * MIB).as_ptr(), device(&pool, 0, 0).as_ptr(), 2 * MIB);
    copy(&pool, inside, INSIDE, Mode::Sync).unwrap();
    assert!(holds(&pool, device(&pool, 0, 0), 2 * MIB, 1));
    drop(pool);
    member.left_nothing();
}

#[test]
fn memory_in_use_by_the_device_is_not_unmapped() {
    let (members, pools) = two(2 * MIB, 2 * MIB);
    let content = pattern::stream(6, 1 << 20);
    members[0].device.hold(MOMENT);
    let queued = piece(content.as_ptr(), device(&pools[0], 1, 0).as_ptr(), MIB);
    copy(&pools[0], queued, PUT, Mode::Async).unwrap();
    pools[1].leave().unwrap();
    assert!(wait_until(|| pools[0].presence(Rank(1)) == Presence::Left));
    // It cannot come back as long as its earlier memory is in use here.
    let error = pools[1].join().unwrap_err();
    assert!(error.to_string().contains("does not come to an end"), "{error}");
    members.iter().for_each(|member| member.blameless());
    members[0].device.go_on();
    pools[1].join().unwrap();
    pools[0].wait().unwrap();
    assert!(holds(&pools[1], device(&pools[1], 1, 0), MIB, 6));
    assert!(members[0].device.take_calls().contains(&"quiesce"));
    drop(pools);
    members.iter().for_each(|member| member.left_nothing());
}

#[test]
fn a_pool_ends_only_after_its_copies() {
    let (members, pools) = two(2 * MIB, 2 * MIB);
    let content = pattern::stream(6, 1 << 20);
    let stream = members[0].device.stream();
    members[0].device.hold(MOMENT);
    let queued = piece(content.as_ptr(), device(&pools[0], 1, 0).as_ptr(), MIB);
    copy(&pools[0], queued, PUT, Mode::Async).unwrap();
    copy(&pools[0], queued, PUT, Mode::Stream(stream.raw())).unwrap();
    let releaser = members[0].device.clone();
    let ending = std::thread::spawn(move || {
        assert!(
            wait_until(|| releaser.take_calls().contains(&"quiesce")),
            "the end does not wait for copies"
        );
        releaser.go_on();
    });
    drop(pools);
    ending.join().unwrap();
    members.iter().for_each(|member| member.left_nothing());
}

#[test]
fn pool_memory_stays_mapped_if_the_device_never_quiesces() {
    let (members, pools) = two(2 * MIB, 2 * MIB);
    let content = pattern::stream(6, 1 << 20);
    let stream = members[0].device.stream();
    members[0].device.hold(Duration::ZERO);
    let queued = piece(content.as_ptr(), device(&pools[0], 1, 0).as_ptr(), MIB);
    copy(&pools[0], queued, PUT, Mode::Stream(stream.raw())).unwrap();
    drop(pools);
    // The copy is done after that.
    members[0].device.go_on();
    members[0].device.quiesce().unwrap();
    members.iter().for_each(|member| member.blameless());
    assert!(members[0].device.mapped_bytes() > 0);
    members[1].left_nothing();
}
