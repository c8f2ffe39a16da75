// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Elections over a table in memory, in virtual time; and one keeper thread.

use std::sync::mpsc::channel;

use super::*;
use crate::backend::table::Table;

const LEASE: Duration = Duration::from_secs(5);

struct Node {
    directory: Arc<Directory>,
    address: SocketAddr,
}

impl Node {
    fn new(table: &Table, number: u16) -> Self {
        let directory = Directory::of_owner(Arc::new(table.clone()), LEASE, u64::from(number));
        Self { directory, address: SocketAddr::from(([127, 0, 0, 1], 5000 + number)) }
    }

    fn campaign(&self, now: Instant) -> Campaign {
        self.directory.campaign(now, self.address).unwrap()
    }

    fn win(&self, now: Instant) -> Leadership {
        match self.campaign(now) {
            Campaign::Won(leadership) => leadership,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn first_candidate_leads_and_others_follow() {
    let (table, now) = (Table::new(true), Instant::now());
    let (one, two) = (Node::new(&table, 1), Node::new(&table, 2));
    assert_eq!(two.directory.find(now).unwrap(), None);
    assert_eq!(one.win(now).term(), 1);
    assert!(matches!(two.campaign(now), Campaign::Follow { address, term: 1 } if address == one.address));
    assert_eq!(two.directory.find(now).unwrap(), Some((one.address, 1)));
    assert!(table.rows.lock().unwrap().locks.is_empty(), "the lock was given back");
    assert_eq!(table.text("LEADER").unwrap(), "1 term 1 beat 1 owner 0000000000000001 at 127.0.0.1:5001");
}

#[test]
fn silent_leader_is_replaced_after_a_lease_and_notified() {
    let (table, start) = (Table::new(true), Instant::now());
    let (one, two) = (Node::new(&table, 1), Node::new(&table, 2));
    let mut first = one.win(start);
    assert!(matches!(two.campaign(start), Campaign::Follow { .. }));
    one.directory.beat(start + LEASE / 2, &mut first).unwrap();
    assert!(matches!(two.campaign(start + LEASE), Campaign::Follow { .. }), "it beat since");
    assert!(matches!(two.campaign(start + LEASE * 2 - Duration::from_millis(1)), Campaign::Follow { .. }));
    let mut second = two.win(start + LEASE * 2);
    assert_eq!(second.term(), 2);
    // The sleeper wakes up between its check and its write: the successor writes its own again.
    one.directory.renew_for_test(&mut first);
    two.directory.beat(start + LEASE * 2, &mut second).unwrap();
    assert!(table.text("LEADER").unwrap().contains("term 2"));
    assert_eq!(one.directory.beat(start + LEASE * 2, &mut first), Err(Loss::Replaced { term: 2 }));
}

#[test]
fn resignation_lets_the_next_leader_win_at_once() {
    let (table, now) = (Table::new(true), Instant::now());
    let (one, two) = (Node::new(&table, 1), Node::new(&table, 2));
    let first = one.win(now);
    assert!(matches!(two.campaign(now), Campaign::Follow { .. }));
    one.directory.resign(&first);
    assert_eq!(two.win(now).term(), 2, "the term goes on for a process that saw the first");
}

#[test]
fn a_lock_without_an_election_is_released_by_force() {
    let (table, start) = (Table::new(true), Instant::now());
    table.try_lock(ELECTION).unwrap();
    let node = Node::new(&table, 1);
    let mut now = start;
    let mut pauses = Vec::new();
    let leadership = loop {
        match node.campaign(now) {
            Campaign::Again(pause) => {
                now += pause;
                pauses.push(pause);
            }
            Campaign::Won(leadership) => break leadership,
            Campaign::Follow { .. } => panic!("there is no leader"),
        }
    };
    assert_eq!(leadership.term(), 1);
    assert!(now - start >= LEASE * LOCK_LEASES);
    assert!(pauses.iter().all(|pause| (FIRST_PAUSE..=LONGEST_PAUSE).contains(pause)), "{pauses:?}");
    assert!(pauses.last() > pauses.first(), "they grow");
}

#[test]
fn colliding_candidates_back_off_for_different_times() {
    let pauses: std::collections::BTreeSet<Duration> = (0..64).map(|owner| pause(6, owner)).collect();
    assert!(pauses.len() > 32, "{pauses:?}");
}

#[test]
fn backend_failure_is_reported_and_ends_the_leadership_in_time() {
    let (table, start) = (Table::new(true), Instant::now());
    let node = Node::new(&table, 1);
    let mut held = node.win(start);
    table.rows.lock().unwrap().broken = Some(Fault::Internal);
    let error = node.directory.find(start).unwrap_err();
    assert!(error.to_string().contains("failed to read"), "{error}");
    node.directory.beat(start + LEASE / 2, &mut held).unwrap();
    let late = start + LEASE / 5 * 4;
    assert_eq!(node.directory.beat(late, &mut held), Err(Loss::Silenced { fault: Fault::Internal }));
}

#[test]
fn private_table_ignores_stale_leader_entry() {
    let (table, now) = (Table::new(false), Instant::now());
    table.put(LEADER, b"1 term 8 beat 3 owner 00000000000000ff at 10.0.0.1:5000").unwrap();
    let node = Node::new(&table, 1);
    assert_eq!(node.directory.find(now).unwrap(), None);
    node.win(now);
    assert_eq!(node.directory.find(now).unwrap().unwrap().0, node.address);
    assert!(table.rows.lock().unwrap().locks.is_empty());
}

#[test]
fn foreign_leader_entry_is_overwritten() {
    let (table, now) = (Table::new(true), Instant::now());
    table.put(LEADER, b"\xff\xfe").unwrap();
    let node = Node::new(&table, 1);
    assert_eq!(node.directory.find(now).unwrap(), None);
    assert_eq!(node.win(now).term(), 1);
}

#[test]
fn keeper_sends_heartbeats_reports_its_end_and_resigns() {
    let table = Table::new(true);
    // Long compared with the delays of threads on a busy machine.
    let lease = Duration::from_millis(500);
    let directory = Directory::of_owner(Arc::new(table.clone()), lease, 1);
    let Campaign::Won(held) = directory.campaign(Instant::now(), "127.0.0.1:5001".parse().unwrap()).unwrap()
    else {
        panic!("nobody else leads");
    };
    let (reported, end) = channel();
    let keeper =
        Keeper::start(Arc::clone(&directory), held, move |loss| reported.send(loss).unwrap()).unwrap();
    let beat = || Record::parse(table.text(LEADER).unwrap().as_bytes()).unwrap().beat;
    while beat() < 4 {
        assert!(keeper.is_leading(), "{:?}", end.try_recv());
        std::thread::yield_now();
    }
    assert!(keeper.is_leading());
    table.put(LEADER, b"1 term 9 beat 1 owner 0000000000000002 at 127.0.0.1:5002").unwrap();
    assert_eq!(end.recv().unwrap(), Loss::Replaced { term: 9 });
    assert!(!keeper.is_leading());
    drop(keeper);
    assert!(table.text(LEADER).unwrap().contains("term 9"), "another's record stays");

    table.remove(LEADER).unwrap();
    let directory = Directory::of_owner(Arc::new(table.clone()), lease, 3);
    let Campaign::Won(held) = directory.campaign(Instant::now(), "127.0.0.1:5003".parse().unwrap()).unwrap()
    else {
        panic!("nobody else leads");
    };
    Keeper::start(directory, held, |_| panic!("nobody took it")).unwrap().resign();
    assert_eq!(table.text(LEADER), None);
}
