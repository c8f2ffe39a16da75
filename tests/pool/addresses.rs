// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses of pools, and conflicts with existing mappings.

use mf_base::Kind;
use mf_tests::job::{answers, each};
use mf_tests::{Mem, Member, Order, PoolSizes};

use super::jobs::{MIB, SMALL, all_reach_all, all_reach_all_in, has_accelerator, host_only, job};

const GIB: u64 = 1 << 30;
/// The candidate regions that are tried first and second.
const FIRST_REGION: u64 = 0x2800_0000_0000;
const FIRST_REGION_END: u64 = 0x5000_0000_0000;
const SECOND_REGION: u64 = 0x1100_0000_0000;

fn base(member: &mut Member) -> u64 {
    member.number(&Order::Address(0, Mem::Host, 0))
}

#[test]
fn addresses_are_equal_in_all_ranks_before_joining() {
    let job = job(3);
    let mut members = job.members(0..3);
    for (member, host) in members.iter_mut().zip([0, 2, 8]) {
        let sizes = PoolSizes { host: host * MIB, device: 0, max_host: 8 * MIB, max_device: 4 * MIB };
        member.ok(&Order::Create(0, sizes));
    }
    for member in &mut members {
        let start = member.number(&Order::Address(0, Mem::Device, 0));
        for rank in 0..3 {
            // Device memory first; each rank's place is as large as the maximum, for any contribution.
            let device = member.number(&Order::Address(0, Mem::Device, rank));
            assert_eq!(device, start + u64::from(rank) * 4 * MIB);
            let host = member.number(&Order::Address(0, Mem::Host, rank));
            let host_start = match has_accelerator() {
                false => start + 3 * 4 * MIB,
                // Wherever the accelerator can have it.
                true => member.number(&Order::Address(0, Mem::Host, 0)),
            };
            assert_eq!(host, host_start + u64::from(rank) * 8 * MIB);
        }
        member
            .refused(&Order::Address(0, Mem::Host, 3))
            .expect(Kind::InvalidParam, &["rank 3", "world_size 3"]);
    }
    for mem in Mem::ALL {
        let address = |member: &mut Member| member.number(&Order::Address(0, mem, 0));
        let bases: Vec<u64> = members.iter_mut().map(address).collect();
        assert!(bases.iter().all(|base| *base == bases[0]), "{bases:x?}");
    }
    job.finish(members);
}

#[test]
fn addresses_occupied_before_init_move_the_pool_for_all() {
    for (start, end, expected) in [
        (FIRST_REGION, FIRST_REGION + GIB, FIRST_REGION + GIB),
        (FIRST_REGION, FIRST_REGION_END, SECOND_REGION),
    ] {
        let job = job(3);
        let mut members: Vec<Member> = (0..3).map(|rank| job.process(&format!("rank {rank}"))).collect();
        members[1].ok(&Order::Occupy(start, end - start));
        for (rank, member) in (0..).zip(&mut members) {
            member.send(&Order::Init(job.init(rank)));
        }
        answers(&mut members);
        each(&mut members, &Order::Create(0, host_only(4 * MIB)));
        each(&mut members, &Order::Join(0));
        for member in &mut members {
            assert_eq!(base(member), expected);
        }
        all_reach_all_in(Mem::Host, &mut members, &[0, 1, 2]);
        job.finish(members);
    }
}

#[test]
fn addresses_occupied_between_init_and_create_are_avoided() {
    let job = job(2);
    let mut members = job.members(0..2);
    members[0].ok(&Order::Occupy(FIRST_REGION, GIB));
    for member in &mut members {
        member.ok(&Order::Create(0, SMALL));
    }
    each(&mut members, &Order::Join(0));
    assert_eq!(base(&mut members[0]), base(&mut members[1]));
    all_reach_all(&mut members, &[0, 1]);
    job.finish(members);
}

#[test]
fn occupied_addresses_of_a_late_joiner_are_named() {
    let job = job(3);
    let mut members = job.members(0..2);
    each(&mut members, &Order::Create(0, SMALL));
    each(&mut members, &Order::Join(0));
    // The window of which the kernel knows.
    let first = if has_accelerator() { Mem::Host } else { Mem::Device };
    let start = members[0].number(&Order::Address(0, first, 0));
    let mut late = job.process("rank 2");
    late.ok(&Order::Occupy(start + 4 * MIB, MIB));
    late.ok(&Order::Init(job.init(2)));
    let range = format!("{:#x}-{:#x}", start + 4 * MIB, start + 5 * MIB);
    late.refused(&Order::Create(0, SMALL)).expect(Kind::InUse, &[&range, &format!("base {start:#x}")]);
    all_reach_all(&mut members, &[0, 1]);
    // Another pool finds room beside it.
    let mut all = members;
    all.push(late);
    each(&mut all, &Order::Create(1, SMALL));
    each(&mut all, &Order::Join(1));
    job.finish(all);
}

#[test]
fn preferred_base_is_used_by_all_members() {
    let mut job = job(2);
    job.set("MF_ADDRESS_BASE", "0x310000000000");
    let mut members = job.pool(host_only(2 * MIB));
    for member in &mut members {
        assert_eq!(base(member), 0x3100_0000_0000);
    }
    job.finish(members);
}

#[test]
fn mismatched_sizes_are_reported_with_both_values() {
    let job = job(2);
    let mut members = job.members(0..2);
    members[0].ok(&Order::Create(0, host_only(4 * MIB)));
    members[1].refused(&Order::Create(0, host_only(6 * MIB))).expect(Kind::InvalidParam, &["4 MiB", "6 MiB"]);
    members[1].ok(&Order::Create(0, host_only(4 * MIB)));
    each(&mut members, &Order::Join(0));
    all_reach_all_in(Mem::Host, &mut members, &[0, 1]);
    job.finish(members);
}
