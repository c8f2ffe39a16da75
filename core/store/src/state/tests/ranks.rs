// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of rank assignment: order and time.

use super::*;

fn from(address: [u8; 4], device: u16, world_size: u32) -> Arrival {
    let mut arrival = arrival(world_size, None);
    arrival.address = IpAddr::V4(address.into());
    arrival.join.device = device;
    arrival
}

#[test]
fn complete_world_is_ordered_by_address_device_arrival() {
    let mut bench = Bench::new(5);
    for (session, arrival) in [
        (1, from([10, 0, 0, 2], 1, 5)),
        (2, from([10, 0, 0, 2], 0, 5)),
        (3, from([9, 0, 0, 1], 7, 5)),
        (4, from([10, 0, 0, 2], 0, 5)),
    ] {
        assert_eq!(bench.arrive(session, arrival), []);
    }
    let actions = bench.arrive(5, from([10, 0, 0, 10], 0, 5));
    assert_eq!(welcomed(&actions), [(3, 0), (2, 1), (4, 2), (1, 3), (5, 4)]);
    assert_eq!(bench.machine.next_deadline(), None);
}

#[test]
fn among_equals_the_process_of_the_store_is_first() {
    let mut bench = Bench::new(2);
    bench.arrive(1, from([10, 0, 0, 1], 0, 2));
    let mut host = from([10, 0, 0, 1], 0, 2);
    host.join.hosts_store = true;
    let actions = bench.arrive(2, host);
    assert_eq!(welcomed(&actions), [(2, 0), (1, 1)]);
}

#[test]
fn world_of_size_1_is_complete_at_once() {
    assert_eq!(welcomed(&Bench::new(1).join(1, None)), [(1, 0)]);
}

#[test]
fn incomplete_world_forms_after_a_quiet_window() {
    let mut bench = Bench::new(4);
    bench.arrive(1, from([10, 0, 0, 2], 0, 4));
    bench.now += WINDOW_US - 1;
    bench.arrive(2, from([10, 0, 0, 1], 0, 4));
    // The second one has opened the window anew.
    assert_eq!(bench.machine.next_deadline(), Some(bench.now + WINDOW_US));
    assert_eq!(bench.event(Event::Tick), []);
    assert_eq!(welcomed(&bench.tick()), [(2, 0), (1, 1)]);
    // From now on the next free rank, at once.
    assert_eq!(welcomed(&bench.join(3, None)), [(3, 2)]);
}

/// Insists on the complete world.
fn ordered(address: [u8; 4], device: u16, world_size: u32) -> Arrival {
    let mut arrival = from(address, device, world_size);
    arrival.join.wish = RankRequest::Ordered;
    arrival.join.timeout_us = 120 * SECOND_US;
    arrival
}

#[test]
fn ordered_ranks_wait_for_the_complete_world() {
    let mut bench = Bench::new(4);
    for (link, address, device) in [(1, [10, 0, 0, 2], 1), (2, [10, 0, 0, 2], 0), (3, [10, 0, 0, 9], 0)] {
        assert_eq!(bench.arrive(link, ordered(address, device, 4)), []);
        assert_eq!(welcomed(&bench.pass(35 * SECOND_US)), []);
    }
    let actions = bench.arrive(4, ordered([10, 0, 0, 1], 3, 4));
    assert_eq!(welcomed(&actions), [(4, 0), (2, 1), (1, 2), (3, 3)]);
    // A later newcomer takes the rank of a member that has left, at once.
    assert_eq!(bench.arrive(5, ordered([10, 0, 0, 7], 0, 4)), []);
    assert_eq!(welcomed(&bench.end(2, Cause::Lost)), [(5, 1)]);
    bench.end(4, Cause::Lost);
    assert_eq!(welcomed(&bench.arrive(6, ordered([10, 0, 0, 99], 0, 4))), [(6, 0)]);
}

#[test]
fn world_timeout_counts_the_missing_ranks() {
    let mut bench = Bench::new(5);
    bench.join(1, Some(4));
    for link in [2, 3] {
        let mut arrival = ordered([10, 0, 0, 2], 0, 5);
        arrival.join.host = format!("h{link}");
        assert_eq!(bench.arrive(link, arrival), []);
    }
    let late = refused(&bench.pass(120 * SECOND_US));
    assert_eq!(late.len(), 2);
    for (_, kind, text) in late {
        assert_eq!(kind, Kind::Timeout);
        assert!(text.contains("2 of 5 ranks did not join within 120.000 s"), "{text}");
        assert!(text.contains("by host: a 1, h2 1, h3 1"), "{text}");
    }
    assert_eq!(bench.machine.next_deadline(), None);
}

#[test]
fn ordered_members_join_when_the_world_is_complete() {
    let mut bench = Bench::new(3);
    bench.arrive(1, ordered([10, 0, 0, 3], 0, 3));
    bench.arrive(2, from([10, 0, 0, 9], 0, 3));
    // The second one does not wait longer than the window; the first one does, and a further easy one comes
    // at once.
    assert_eq!(welcomed(&bench.pass(WINDOW_US)), [(2, 0)]);
    assert_eq!(welcomed(&bench.pass(SECOND_US)), []);
    assert_eq!(welcomed(&bench.arrive(3, ordered([10, 0, 0, 1], 0, 3))), [(3, 1), (1, 2)]);
}

#[test]
fn departed_members_of_an_incomplete_world_are_not_counted() {
    let mut bench = Bench::new(2);
    bench.arrive(1, ordered([10, 0, 0, 3], 0, 2));
    bench.end(1, Cause::Lost);
    assert_eq!(bench.arrive(2, ordered([10, 0, 0, 2], 0, 2)), []);
    assert_eq!(welcomed(&bench.arrive(3, ordered([10, 0, 0, 1], 0, 2))), [(3, 0), (2, 1)]);
}

#[test]
fn the_next_job_of_a_store_waits_for_its_world_again() {
    let mut bench = Bench::new(0);
    for job in 0..2 {
        let (first, second) = (job * 2 + 1, job * 2 + 2);
        assert_eq!(bench.arrive(first, ordered([10, 0, 0, 3], 0, 2)), []);
        assert_eq!(welcomed(&bench.pass(5 * SECOND_US)), []);
        let given = welcomed(&bench.arrive(second, ordered([10, 0, 0, 1], 0, 2)));
        assert_eq!(given, [(second, 0), (first, 1)]);
        bench.end(first, Cause::Left);
        bench.end(second, Cause::Left);
    }
}

proptest::proptest! {
    #[test]
    fn ordered_ranks_do_not_depend_on_arrival_order(
        members in proptest::collection::vec((0u8..4, 0u16..3, 0u64..3 * SECOND_US), 1..12)
    ) {
        let world = u32::try_from(members.len()).unwrap();
        let mut bench = Bench::new(world);
        let mut given = Vec::new();
        for (link, (address, device, pause)) in (1..).zip(&members) {
            given.extend(welcomed(&bench.pass(*pause)));
            proptest::prop_assert!(given.is_empty());
            given.extend(welcomed(&bench.arrive(link, ordered([10, 0, 0, *address], *device, world))));
        }
        let mut order: Vec<_> = (1..).zip(&members).map(|(link, (a, d, _))| (*a, *d, link)).collect();
        order.sort_unstable();
        let wanted: Vec<(LinkId, u32)> = order.into_iter().map(|(_, _, link)| link).zip(0..).collect();
        proptest::prop_assert_eq!(given, wanted);
    }
}

#[test]
fn free_ranks_are_reused_in_a_circle() {
    let mut bench = Bench::new(4);
    for session in 1..=4 {
        bench.join(session, None);
    }
    bench.end(2, Cause::Lost);
    bench.end(4, Cause::Left);
    assert_eq!(welcomed(&bench.join(5, None)), [(5, 1)]);
    bench.end(1, Cause::Left);
    assert_eq!(welcomed(&bench.join(6, None)), [(6, 3)]);
    assert_eq!(welcomed(&bench.join(7, None)), [(7, 0)]);
}

#[test]
fn overflow_waits_for_free_ranks_in_fifo_order() {
    let mut bench = Bench::new(2);
    bench.join(1, None);
    bench.join(2, None);
    assert_eq!(bench.join(3, None), []);
    assert_eq!(bench.join(4, None), []);
    assert_eq!(welcomed(&bench.end(2, Cause::Lost)), [(3, 1)]);
    assert_eq!(welcomed(&bench.end(1, Cause::Lost)), [(4, 0)]);
}

#[test]
fn overflow_times_out_reporting_that_all_ranks_are_taken() {
    let mut bench = Bench::with_members(2);
    bench.join(3, None);
    let (session, kind, text) = refused(&bench.tick()).remove(0);
    assert_eq!((session, kind), (3, Kind::Timeout));
    assert!(text.contains("all 2 ranks are taken") && text.contains("10.000 s"), "{text}");
    assert_eq!(bench.machine.next_deadline(), None);
}

#[test]
fn leaver_is_removed_from_the_rank_queue() {
    let mut bench = Bench::with_members(1);
    bench.join(2, None);
    bench.join(3, None);
    bench.end(2, Cause::Lost);
    assert_eq!(welcomed(&bench.end(1, Cause::Lost)), [(3, 0)]);
}

#[test]
fn taken_rank_is_duplicated_and_free_again_after_its_end() {
    let mut bench = Bench::with_members(2);
    let (_, kind, text) = refused(&bench.join(3, Some(1))).remove(0);
    assert_eq!(kind, Kind::Duplicated);
    assert!(text.contains("rank 1 is taken by rank 1 (host a, pid 7)"), "{text}");
    bench.end(2, Cause::Lost);
    assert_eq!(welcomed(&bench.join(4, Some(1))), [(4, 1)]);
}

#[test]
fn wrong_worlds_and_ranks_are_refused_with_numbers() {
    let mut bench = Bench::with_members(4);
    for (arrival, parts) in [
        (arrival(0, None), ["0", "1 to 1024"]),
        (arrival(1025, None), ["1025", "1 to 1024"]),
        (arrival(8, None), ["8 here", "4 in the store"]),
        (arrival(4, Some(4)), ["rank 4", "4 ranks"]),
    ] {
        let (_, kind, text) = refused(&bench.arrive(9, arrival)).remove(0);
        assert_eq!(kind, Kind::InvalidParam);
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn first_member_decides_the_world_until_all_leave() {
    let mut bench = Bench::new(0);
    assert_eq!(welcomed(&bench.arrive(1, arrival(3, Some(2)))), [(1, 2)]);
    assert_eq!(refused(&bench.arrive(2, arrival(4, None)))[0].1, Kind::InvalidParam);
    bench.end(1, Cause::Left);
    assert_eq!(welcomed(&bench.arrive(3, arrival(1, None))), [(3, 0)]);
}

#[test]
fn given_and_automatic_ranks_share_a_world() {
    let mut bench = Bench::new(3);
    bench.join(1, None);
    bench.join(2, Some(0));
    // The last free rank but one is waited for: the world completes with the third member.
    assert_eq!(welcomed(&bench.join(3, None)), [(1, 1), (3, 2)]);
}

#[test]
fn short_timeouts_within_the_window_still_get_a_rank() {
    let mut bench = Bench::new(4);
    let mut hasty = arrival(4, None);
    hasty.join.timeout_us = 10;
    bench.arrive(1, hasty);
    assert_eq!(welcomed(&bench.tick()), [(1, 0)]);
}

#[test]
fn thousand_members_form_one_world() {
    let mut bench = Bench::new(1024);
    for session in 1..1024 {
        assert_eq!(bench.join(session, None), []);
    }
    let ranks: Vec<u32> = welcomed(&bench.join(1024, None)).into_iter().map(|(_, rank)| rank).collect();
    assert_eq!(ranks, (0..1024).collect::<Vec<u32>>());
}

fn prefer(world_size: u32, rank: u32) -> Arrival {
    let mut arrival = arrival(world_size, None);
    arrival.join.wish = RankRequest::Prefer(rank);
    arrival
}

#[test]
fn restarted_member_gets_its_old_rank_if_it_is_free() {
    let mut bench = Bench::with_members(3);
    bench.end(2, Cause::Lost);
    bench.end(3, Cause::Lost);
    assert_eq!(welcomed(&bench.arrive(4, prefer(3, 2))), [(4, 2)]);
    // Taken: any other.
    assert_eq!(welcomed(&bench.pass(WINDOW_US)), []);
    bench.arrive(5, prefer(3, 2));
    assert_eq!(welcomed(&bench.pass(WINDOW_US)), []);
    assert_eq!(bench.machine.members.count(), 3);
    assert_eq!(refused(&bench.arrive(6, prefer(3, 3)))[0].1, Kind::InvalidParam);
}

#[test]
fn names_of_hosts_cannot_forge_lines() {
    let mut bench = Bench::new(1);
    let mut forger = arrival(1, None);
    forger.join.host = "node\n1.0 error forged\u{1b}[2J".to_owned();
    bench.arrive(1, forger);
    let names: Vec<String> = bench.machine.members.iter().map(|(_, session)| session.name()).collect();
    assert!(names[0].contains("node\\n1.0 error forged\\u{1b}[2J"), "{names:?}");
    assert!(!names[0].contains(char::is_control), "{names:?}");
}

#[test]
fn latecomers_are_put_next_to_their_host() {
    let mut bench = Bench::new(8);
    let on = |host: &str| {
        let mut arrival = arrival(8, None);
        arrival.join.host = host.to_owned();
        arrival
    };
    for (link, host) in [(1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "b"), (6, "c"), (7, "c"), (8, "c")] {
        bench.arrive(link, on(host));
    }
    // a a b b b c c c; the circle is at its beginning.
    for link in [2, 5, 8] {
        bench.end(link, Cause::Lost);
    }
    assert_eq!(welcomed(&bench.arrive(9, on("c"))), [(9, 7)]);
    assert_eq!(welcomed(&bench.arrive(10, on("b"))), [(10, 4)]);
    bench.end(3, Cause::Lost);
    // The rank before the run is as good as the rank after it.
    assert_eq!(welcomed(&bench.arrive(11, on("b"))), [(11, 2)]);
    assert_eq!(welcomed(&bench.arrive(12, on("d"))), [(12, 1)]);
}
