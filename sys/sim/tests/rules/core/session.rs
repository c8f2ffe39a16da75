// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Budgets, numbers and objects of several processes, and leftovers of dead ones.

use std::io::{Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use ascend_sim::codes::acl;
use ascend_sim::machine::machine;
use ascend_sim::session::{Location, Offer, Pool, Session, Sort};

use crate::calls::eventually;
use crate::isolated::{self, Board};

pub(crate) const GIB: u64 = 1 << 30;
pub(crate) const HBM: (&str, &str) = ("HBM_BYTES", "1073741824");
pub(crate) const UNKNOWN: i32 = 4711;

pub(crate) fn session() -> &'static Session {
    &machine().unwrap().session
}

pub(crate) fn free() -> u64 {
    session().budget(Location::Device(0)).unwrap().0
}

fn file(text: &str) -> Arc<OwnedFd> {
    let file = rustix::fs::memfd_create("test", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
    std::fs::File::from(file.try_clone().unwrap()).write_all(text.as_bytes()).unwrap();
    Arc::new(file)
}

fn content(file: OwnedFd) -> String {
    let mut file = std::fs::File::from(file);
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

pub(crate) fn offer(claim: Option<Arc<ascend_sim::session::Claim>>) -> Offer {
    let facts = [1, 2, 3, 4, 5, u64::MAX];
    Offer { sort: Sort::Memory, file: file("hello"), claim, facts, open: true, fabric: false }
}

pub(crate) fn die() -> ! {
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
    unreachable!()
}

pub(crate) fn post_number(board: &Board, name: &str, number: u64) {
    board.post(name, &number.to_le_bytes());
}

pub(crate) fn take_number(board: &Board, name: &str) -> u64 {
    u64::from_le_bytes(board.take(name).try_into().unwrap())
}

#[test]
fn s7_processes_share_the_budget_of_a_device() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            let claim = session().claim(Location::Device(0), GIB / 2).unwrap();
            board.post("claimed", b"");
            board.take("seen");
            drop(claim);
            board.post("dropped", b"");
        } else {
            board.take("claimed");
            assert_eq!(session().budget(Location::Device(0)).unwrap(), (GIB / 2, GIB));
            let refused = session().claim(Location::Device(0), GIB / 2 + 1).unwrap_err();
            assert_eq!(refused.code, acl::MEMORY_ALLOCATION);
            assert!(refused.text.contains("536870912 of 1073741824 bytes free"), "{}", refused.text);
            assert_eq!(session().budget(Location::Device(1)).unwrap().0, GIB);
            board.post("seen", b"");
            board.take("dropped");
            assert_eq!(free(), GIB);
        }
    });
}

#[test]
fn s7_killed_process_returns_memory_and_numbers() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            let _claim = session().claim(Location::Device(0), GIB).unwrap();
            let _all: Vec<_> = (0..1984).map(|_| session().number(0, Pool::Stream).unwrap()).collect();
            board.post("claimed", b"");
            board.take("die");
            die();
        }
        board.take("claimed");
        assert_eq!(free(), 0);
        assert_eq!(session().number(0, Pool::Stream).unwrap_err().code, acl::NO_STREAM);
        board.post("die", b"");
        // A member that finds something used up collects from the dead.
        eventually("the dead give it back", || session().claim(Location::Device(0), GIB).is_ok());
        eventually("the dead give it back", || session().number(0, Pool::Stream).is_ok());
        assert_eq!(session().number(0, Pool::Stream).unwrap().value, 0);
    });
}

#[test]
fn s7_numbers_are_unique_across_processes_and_reused() {
    isolated::crew(4, &[], |rank, board| {
        let own: Vec<_> = (0..100).map(|_| session().number(1, Pool::Notify).unwrap()).collect();
        let text: Vec<String> = own.iter().map(|number| number.value.to_string()).collect();
        board.post(&format!("own-{rank}"), text.join(" ").as_bytes());
        let mut all = std::collections::BTreeSet::new();
        for other in 0..4 {
            let text = String::from_utf8(board.take(&format!("own-{other}"))).unwrap();
            all.extend(text.split(' ').map(|number| number.parse::<u32>().unwrap()));
        }
        assert!(all.into_iter().eq(0..400));
        board.meet("seen", rank, 4);
        drop(own);
        board.meet("dropped", rank, 4);
        assert!(session().number(1, Pool::Notify).unwrap().value < 4);
    });
}

#[test]
fn s7_pools_have_the_sizes_of_the_hardware() {
    isolated::run(&[], || {
        let pools = [
            (Pool::Stream, 1984, acl::NO_STREAM),
            (Pool::Event, 65536, acl::NO_EVENT),
            (Pool::Notify, 8192, acl::NO_NOTIFY),
        ];
        for (pool, size, code) in pools {
            let all: Vec<_> = (0..size).map(|_| session().number(2, pool).unwrap()).collect();
            assert_eq!(session().number(2, pool).unwrap_err().code, code);
            assert!(session().number(3, pool).is_ok(), "another device has its own");
            drop(all);
            session().set_pool_limit(2, pool, 1).unwrap();
            let _one = session().number(2, pool).unwrap();
            assert_eq!(session().number(2, pool).unwrap_err().code, code);
        }
        assert_eq!(session().number(8, Pool::Stream).unwrap_err().code, acl::INVALID_DEVICEID);
    });
}

#[test]
fn s7_fetched_object_carries_its_properties() {
    isolated::crew(2, &[], |rank, board| {
        if rank == 0 {
            let published = session().publish(offer(None)).unwrap();
            post_number(board, "number", published.number);
            post_number(board, "secret", published.secret);
            board.take("fetched");
            drop(published);
            board.post("dropped", b"");
            board.take("done");
        } else {
            let (number, secret) = (take_number(board, "number"), take_number(board, "secret"));
            let fetched = session().fetch(Sort::Memory, number, Some(secret), UNKNOWN).unwrap();
            assert_eq!(content(fetched.file), "hello");
            assert_eq!(fetched.facts, [1, 2, 3, 4, 5, u64::MAX]);
            assert_ne!(fetched.exporter, session().own_process());
            assert!(session().fetch(Sort::Memory, number, None, UNKNOWN).is_ok());
            for (sort, number, secret) in [
                (Sort::Event, number, Some(secret)),
                (Sort::Memory, number + 1, Some(secret)),
                (Sort::Memory, number, Some(secret ^ 1)),
                (Sort::Memory, 0, None),
                (Sort::Memory, u64::MAX, None),
            ] {
                assert_eq!(session().fetch(sort, number, secret, UNKNOWN).unwrap_err().code, UNKNOWN);
            }
            board.post("fetched", b"");
            board.take("dropped");
            assert_eq!(session().fetch(Sort::Memory, number, None, UNKNOWN).unwrap_err().code, UNKNOWN);
            board.post("done", b"");
        }
    });
}

#[test]
fn s7_a_process_fetches_its_own_objects() {
    isolated::run(&[HBM], || {
        let claim = session().claim(Location::Device(0), GIB).unwrap();
        let mut own = offer(Some(claim));
        own.open = false;
        let published = session().publish(own).unwrap();
        let fetched = session().fetch(Sort::Memory, published.number, None, UNKNOWN).unwrap();
        assert_eq!(fetched.exporter, session().own_process());
        assert_eq!(content(fetched.file), "hello");
        drop(published);
        assert_eq!(free(), 0);
        drop(fetched.claim);
        assert_eq!(free(), GIB);
    });
}

#[test]
fn s7_memory_stays_accounted_for_while_an_importer_holds_it() {
    isolated::crew(3, &[HBM], |rank, board| match rank {
        0 => {
            let claim = session().claim(Location::Device(0), GIB).unwrap();
            let published = session().publish(offer(Some(claim))).unwrap();
            post_number(board, "number", published.number);
            board.take("held-1");
            board.take("held-2");
            board.post("dying", b"");
            die();
        }
        1 => {
            let number = take_number(board, "number");
            let first = session().fetch(Sort::Memory, number, None, UNKNOWN).unwrap();
            let second = session().fetch(Sort::Memory, number, None, UNKNOWN).unwrap();
            board.post("held-1", b"");
            board.take("dying");
            eventually("the dead give it back", || {
                session().fetch(Sort::Memory, number, None, UNKNOWN).is_err()
            });
            assert_eq!(free(), 0);
            drop(first);
            assert_eq!(free(), 0);
            drop(second);
            assert_eq!(free(), 0, "the third process holds it still");
            board.post("let-go", b"");
            eventually("the dead give it back", || session().claim(Location::Device(0), GIB).is_ok());
        }
        _ => {
            let number = take_number(board, "number");
            let _held = session().fetch(Sort::Memory, number, None, UNKNOWN).unwrap();
            board.post("held-2", b"");
            board.take("let-go");
            die();
        }
    });
}

#[test]
fn s7_only_listed_processes_import_closed_objects() {
    isolated::crew(3, &[], |rank, board| {
        board.post(&format!("process-{rank}"), session().own_process().to_string().as_bytes());
        if rank == 0 {
            let mut closed = offer(None);
            closed.open = false;
            let published = session().publish(closed).unwrap();
            let friend = String::from_utf8(board.take("process-1")).unwrap().parse().unwrap();
            published.allow(&[friend]).unwrap();
            post_number(board, "number", published.number);
            board.take("done-1");
            board.take("done-2");
            let open = session().publish(offer(None)).unwrap();
            assert_eq!(open.allow(&[friend]).unwrap_err().code, acl::NO_PERMISSION);
        } else {
            let number = take_number(board, "number");
            let fetched = session().fetch(Sort::Memory, number, None, UNKNOWN);
            match rank {
                1 => assert!(fetched.is_ok()),
                _ => assert_eq!(fetched.unwrap_err().code, acl::NO_PERMISSION),
            }
            board.post(&format!("done-{rank}"), b"");
        }
    });
}

#[test]
fn s7_only_fabric_offers_cross_servers() {
    isolated::crew(2, &[], |rank, board| {
        // SAFETY: this process has one thread yet.
        unsafe { std::env::set_var("ASCEND_SIM_SERVER", rank.to_string()) };
        if rank == 0 {
            let local = session().publish(offer(None)).unwrap();
            let mut fabric = offer(None);
            fabric.fabric = true;
            let fabric = session().publish(fabric).unwrap();
            post_number(board, "local", local.number);
            post_number(board, "fabric", fabric.number);
            board.take("done");
        } else {
            let local =
                session().fetch(Sort::Memory, take_number(board, "local"), None, UNKNOWN).unwrap_err();
            assert_eq!(local.code, UNKNOWN);
            assert!(local.text.contains("server 0 and good only there; this is server 1"), "{}", local.text);
            let fabric = session().fetch(Sort::Memory, take_number(board, "fabric"), None, UNKNOWN).unwrap();
            assert_eq!(fabric.server, 0);
            board.post("done", b"");
        }
    });
}

#[test]
fn s7_two_servers_have_separate_budgets() {
    isolated::crew(2, &[HBM, ("HOST_BYTES", "1G")], |rank, board| {
        // SAFETY: this process has one thread yet.
        unsafe { std::env::set_var("ASCEND_SIM_SERVER", rank.to_string()) };
        let number = u32::try_from(rank).unwrap() * 4096;
        let _own = [Location::Device(number), Location::Host(number)]
            .map(|location| session().claim(location, GIB).unwrap());
        board.meet("claimed", rank, 2);
        assert_eq!(session().budget(Location::Device(number)).unwrap(), (0, GIB));
        assert_eq!(session().budget(Location::Device(number + 1)).unwrap(), (GIB, GIB));
        assert!(
            session().claim(Location::Host(number + 1), 1).is_err(),
            "the nodes of a host have one budget"
        );
        board.meet("seen", rank, 2);
    });
}
