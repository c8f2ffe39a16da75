// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members that run out of addresses, descriptors or memory, and many members with large windows.

use mf_base::Kind;
use mf_tests::cgroup::MemoryGroup;
use mf_tests::job::each;
use mf_tests::order::Standing;
use mf_tests::{Answer, Failure, Mem, Member, Order, PoolSizes, host, needs_shared_memory, skip};

use super::jobs::{
    MIB, SMALL, all_reach_all, all_reach_all_in, assert_all_known, has_accelerator, host_only, job,
};

const GIB: u64 = 1 << 30;

/// Skips what counts descriptors: an accelerator's memory travels without.
fn skip_with_accelerator(what: &str) -> bool {
    if has_accelerator() {
        skip(what, "the members have an accelerator");
    }
    has_accelerator()
}

#[test]
fn insufficient_address_space_is_reported_with_its_limit() {
    let job = job(2);
    let mut members = job.members(0..2);
    // 2 × 4 GiB do not fit.
    members[1].ok(&Order::LimitAddressSpace(Some(GIB)));
    members[0].ok(&Order::Create(0, host_only(4 * GIB)));
    members[0].ok(&Order::Join(0));
    for _ in 0..2 {
        members[1]
            .refused(&Order::Create(0, host_only(4 * GIB)))
            .expect(Kind::OutOfMemory, &["8 GiB", "address space (RLIMIT_AS)", "Cannot allocate memory"]);
    }
    members[0].ok(&Order::Put(0, host(0, 0), MIB, 1));
    // Without the limit, or with a smaller pool, it goes.
    members[1].ok(&Order::Create(1, SMALL));
    members[1].ok(&Order::Join(1));
    members[1].ok(&Order::LimitAddressSpace(None));
    members[1].ok(&Order::Create(0, host_only(4 * GIB)));
    members[1].ok(&Order::Join(0));
    all_reach_all_in(Mem::Host, &mut members, &[0, 1]);
    job.finish(members);
}

/// Result of joining a pool of two with so many descriptors; then the member gives everything up again.
fn way_in(member: &mut Member, orders: &[Order]) -> Option<(Order, Failure)> {
    let met = orders.iter().find_map(|order| Some((order.clone(), member.order(order).err()?)));
    assert_eq!(member.ok(&Order::Finish), Answer::Remains(Vec::new()), "something is left over");
    met
}

#[test]
fn member_without_descriptors_fails_cleanly() {
    if !needs_shared_memory("links between members") {
        return;
    }
    if skip_with_accelerator("a member without descriptors") {
        return;
    }
    let job = job(2);
    let mut members = job.members(0..1);
    members[0].ok(&Order::Create(0, SMALL));
    members[0].ok(&Order::Join(0));
    let mut poor = job.process("poor");
    let orders =
        [Order::Init(job.init(1)), Order::Create(0, SMALL), Order::Join(0), Order::Put(0, host(0, 0), 8, 1)];
    let mut met = Vec::new();
    for more in 0..20 {
        poor.ok(&Order::LimitDescriptors(Some(more)));
        let Some((order, failure)) = way_in(&mut poor, &orders) else { break };
        let wrong = format!("with {more} descriptors {order:?} failed: {}", failure.text);
        assert_eq!(failure.code, Kind::NoResources.code(), "{wrong}");
        assert!(failure.text.contains("open files"), "{wrong}");
        met.push(format!("{order:?}").split('(').next().unwrap().to_owned());
    }
    for step in ["Init", "Create", "Join"] {
        assert!(met.iter().any(|order| order == step), "{step} never failed: {met:?}");
    }
    assert!(met.len() < 20, "it never succeeds");
    // No other member was disturbed.
    members.push(poor);
    members[1].ok(&Order::Init(job.init(1)));
    members[1].ok(&Order::Create(0, SMALL));
    members[1].ok(&Order::Join(0));
    all_reach_all(&mut members, &[0, 1]);
    job.finish(members);
}

#[test]
fn store_host_without_descriptors_fails_cleanly() {
    if skip_with_accelerator("a store host without descriptors") {
        return;
    }
    let job = job(1);
    let mut poor = job.process("poor");
    let orders =
        [Order::Init(job.init(0)), Order::Create(0, SMALL), Order::Join(0), Order::Put(0, host(0, 0), 8, 1)];
    let mut failed = 0;
    for more in 0..30 {
        poor.ok(&Order::LimitDescriptors(Some(more)));
        let Some((order, failure)) = way_in(&mut poor, &orders) else { break };
        let wrong = format!("with {more} descriptors {order:?} failed: {}", failure.text);
        assert_eq!(failure.code, Kind::NoResources.code(), "{wrong}");
        failed += 1;
    }
    assert!((1..30).contains(&failed), "it failed {failed} times");
    job.finish(vec![poor]);
}

#[test]
fn member_without_descriptors_fails_joins_until_it_has_some() {
    if !needs_shared_memory("links between members") {
        return;
    }
    if skip_with_accelerator("a member without descriptors that keeps others out") {
        return;
    }
    let job = job(3);
    let mut members = job.members(0..2);
    each(&mut members, &Order::Create(0, SMALL));
    each(&mut members, &Order::Join(0));
    let mut late = job.process("rank 2");
    late.ok(&Order::Init(mf_tests::Init { control_ms: 1000, ..job.init(2) }));
    late.ok(&Order::Create(0, SMALL));
    let pid = format!("rank 1 (pid {} on ", members[1].pid());
    for (more, kind, parts) in [
        // It cannot even answer.
        (0, Kind::Timeout, ["did not answer", &pid]),
        // For the connection only, and for the connection and one of the two segments.
        (1, Kind::NoResources, ["rank 1", "descriptor"]),
        (2, Kind::NoResources, ["rank 1", "descriptor"]),
    ] {
        members[1].ok(&Order::LimitDescriptors(Some(more)));
        late.refused(&Order::Join(0)).expect(kind, &parts);
        all_reach_all(&mut members, &[0, 1]);
        members[1].ok(&Order::LimitDescriptors(None));
        late.ok(&Order::Join(0));
        members.push(late);
        all_reach_all(&mut members, &[0, 1, 2]);
        late = members.pop().unwrap();
        late.ok(&Order::Drop(0));
        late.ok(&Order::Create(0, SMALL));
    }
    members.push(late);
    job.finish(members);
}

#[test]
fn undeliverable_descriptors_are_reported_to_the_sender() {
    if !needs_shared_memory("links between members") {
        return;
    }
    let job = job(3);
    let sizes = PoolSizes { host: 2 * MIB, max_host: 8 * MIB, ..PoolSizes::default() };
    let mut members = job.members(0..2);
    each(&mut members, &Order::Create(0, sizes));
    each(&mut members, &Order::Join(0));
    // Growth: only members that could not take it are left out, and they stay members.
    members[1].ok(&Order::LimitDescriptors(Some(0)));
    members[0]
        .refused(&Order::Extend(0, Mem::Host, 2 * MIB))
        .expect(Kind::PartialFailed, &["rank 1", "SMEM_NO_RESOURCES", "descriptor"]);
    all_reach_all_in(Mem::Host, &mut members, &[0, 1]);
    members[1].refused(&Order::Put(0, host(0, 2 * MIB), 8, 1)).expect(Kind::InvalidParam, &["2 MiB"]);
    // Joining: at once, with the reason, on either side.
    let mut late = job.member(2);
    late.ok(&Order::Create(0, sizes));
    members[1].ok(&Order::LimitDescriptors(Some(1)));
    late.refused(&Order::Join(0)).expect(Kind::NoResources, &["rank 1", "descriptor"]);
    members[1].ok(&Order::LimitDescriptors(None));
    late.ok(&Order::Join(0));
    members.push(late);
    all_reach_all_in(Mem::Host, &mut members, &[0, 1, 2]);
    job.finish(members);
}

#[test]
fn member_killed_for_memory_is_noticed_and_its_data_stays() {
    if !needs_shared_memory("links between members") {
        return;
    }
    const PIECE: u64 = 4 * MIB;
    let group = match MemoryGroup::new(64 * MIB) {
        Ok(group) => group,
        Err(reason) => {
            return skip("a memory limit by control group", format!("none can be made: {reason}"));
        }
    };
    let job = job(2);
    let mut members = job.members(0..2);
    if let Err(reason) = group.add(members[1].pid()) {
        return skip("a memory limit by control group", format!("the process cannot be limited: {reason}"));
    }
    // More than its limit; that is no error before it is touched.
    each(&mut members, &Order::Create(0, host_only(256 * MIB)));
    each(&mut members, &Order::Join(0));
    // The first toucher of a page pays for it.
    for at in 0..24 {
        members[0].ok(&Order::Put(0, host(1, at * PIECE), PIECE, at));
        members[1].ok(&Order::Check(0, host(1, at * PIECE), PIECE, at));
    }
    // Now the limited one touches pages until the kernel ends it.
    members[1].send(&Order::Copy(0, host(1, 0), host(1, 24 * PIECE), 24 * PIECE));
    let status = members[1].wait_for_end();
    assert!(!status.success(), "{status}");
    members[0].ok(&Order::AwaitStanding(0, 1, Standing::Dead));
    for at in 0..24 {
        members[0].ok(&Order::Check(0, host(1, at * PIECE), PIECE, at));
    }
    members[0].refused(&Order::Put(0, host(1, 0), 8, 1)).expect(Kind::NotConnected, &["rank 1", "dead"]);
    members.truncate(1);
    job.finish(members);
}

#[test]
fn sixty_four_ranks_with_16_gib_windows_use_little_memory() {
    const WORLD: u32 = 64;
    let job = job(WORLD);
    let mut members = job.members(0..WORLD);
    each(&mut members, &Order::Create(0, host_only(16 * GIB)));
    each(&mut members, &Order::Join(0));
    assert_all_known(&mut members);
    // Far ends of far segments.
    members[0].ok(&Order::Put(0, host(63, 16 * GIB - 1000), 1000, 1));
    members[63].ok(&Order::Check(0, host(63, 16 * GIB - 1000), 1000, 1));
    members[31].ok(&Order::Copy(0, host(63, 16 * GIB - 1000), host(0, 8 * GIB + 1), 1000));
    members[0].ok(&Order::Check(0, host(0, 8 * GIB + 1), 1000, 1));
    for (rank, anonymous) in (0..).zip(each(&mut members, &Order::AnonymousKib)) {
        let Answer::Number(kib) = anonymous else { panic!("no number") };
        assert!(kib < 8 << 10, "rank {rank} has {kib} KiB of its own");
    }
    job.finish(members);
}

#[test]
fn growth_without_addresses_or_descriptors_changes_nothing() {
    if !needs_shared_memory("links between members") {
        return;
    }
    if skip_with_accelerator("growth without descriptors") {
        return;
    }
    let job = job(2);
    let sizes = PoolSizes { host: 2 * MIB, max_host: 8 * MIB, max_device: 8 * MIB, ..PoolSizes::default() };
    let mut members = job.pool(sizes);
    members[1].ok(&Order::LimitDescriptors(Some(0)));
    for mem in Mem::ALL {
        members[1].refused(&Order::Extend(0, mem, 2 * MIB)).expect(Kind::NoResources, &[]);
    }
    assert_eq!(members[1].number(&Order::LocalBytes(0, Mem::Host)), 2 * MIB);
    assert_eq!(members[1].number(&Order::LocalBytes(0, Mem::Device)), 0);
    members[0].refused(&Order::Put(0, host(1, 2 * MIB), 8, 1)).expect(Kind::InvalidParam, &["2 MiB"]);
    members[1].ok(&Order::LimitDescriptors(None));
    for mem in Mem::ALL {
        members[1].ok(&Order::Extend(0, mem, 2 * MIB));
    }
    members[0].ok(&Order::Put(0, host(1, 2 * MIB), 2 * MIB, 1));
    members[1].ok(&Order::Check(0, host(1, 2 * MIB), 2 * MIB, 1));
    job.finish(members);
}

#[test]
fn required_but_missing_huge_pages_are_reported() {
    let mut job = job(1);
    job.set("MF_HUGE_PAGES", "on");
    let mut members = job.members(0..1);
    match members[0].order(&Order::Create(0, host_only(GIB))) {
        Err(failure) => failure.expect(Kind::OutOfMemory, &["1 GiB", "huge page"]),
        Ok(_) => skip("huge pages that are not there", "this machine has them for 1 GiB"),
    }
    job.finish(members);
}
