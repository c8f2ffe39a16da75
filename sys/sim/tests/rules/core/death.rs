// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes are killed wherever they happen to be; survivors find everything in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ascend_sim::session::{Location, Pool, Sort};

use super::session::{GIB, HBM, UNKNOWN, free, offer, session};
use crate::calls::eventually;
use crate::isolated::{self, Board};

const DEVICE: Location = Location::Device(0);
const VICTIMS: usize = 6;
const ROUNDS: u32 = 10;

/// A child of this process that does `work` until it is killed.
struct Victim(libc::pid_t);

impl Victim {
    /// Before this process uses the machine: a fork of one that does could not.
    fn start(work: impl Fn(u64), turns: &AtomicU64) -> Self {
        // SAFETY: all other threads of this process only wait, so the child is unrestricted.
        match unsafe { libc::fork() } {
            0 => {
                // SAFETY: as above. When the parent dies the child goes, too.
                unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
                let mut turn = 0;
                while catch_unwind(AssertUnwindSafe(|| work(turn))).is_ok() {
                    turn += 1;
                    turns.fetch_add(1, Ordering::SeqCst);
                }
                // SAFETY: ends this process at once.
                unsafe { libc::_exit(1) }
            }
            child => Self(child),
        }
    }

    fn kill(&self) {
        // SAFETY: the child was not waited for yet, so the number is its.
        unsafe { libc::kill(self.0, libc::SIGKILL) };
        let mut status = 0;
        // SAFETY: as above.
        unsafe { libc::waitpid(self.0, &raw mut status, 0) };
        assert!(libc::WIFSIGNALED(status), "a victim failed before its time");
    }
}

/// A number that children share.
fn shared() -> &'static AtomicU64 {
    let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh mapping.
    let page = unsafe { libc::mmap(std::ptr::null_mut(), 4096, access, flags, -1, 0) };
    assert_ne!(page, libc::MAP_FAILED);
    // SAFETY: the page stays for the life of the process, is aligned, zero, and used as this number only.
    unsafe { AtomicU64::from_ptr(page.cast()) }
}

/// Kills victims after various times, in a process that is no member: in every other round while they are
/// still finding the machine, in the others when they are at work.
fn slaughter(board: &Board, work: impl Fn(u64)) {
    let turns = shared();
    for round in 0..ROUNDS {
        let before = turns.load(Ordering::SeqCst);
        let victims: Vec<_> = (0..VICTIMS).map(|_| Victim::start(&work, turns)).collect();
        if round % 2 == 1 {
            eventually("they are at work", || turns.load(Ordering::SeqCst) > before + 10);
        }
        for (index, victim) in (0..).zip(&victims) {
            // At another moment of its work each time.
            std::thread::sleep(Duration::from_micros(u64::from(round * 400 + index * 310)));
            victim.kill();
        }
    }
    board.post("all dead", b"");
}

#[test]
fn s7_accounting_stays_correct_when_writers_die() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            slaughter(board, |turn| {
                let _claim = session().claim(DEVICE, 1 << (turn % 20));
                let _numbers =
                    [Pool::Stream, Pool::Event, Pool::Notify].map(|pool| session().number(1, pool));
            });
            return;
        }
        while !board.has("all dead") {
            // Now and then this process has the lock when another is killed, and in reverse.
            let _own = session().claim(DEVICE, 4096);
            session().number(1, Pool::Stream).unwrap();
        }
        eventually("all is given back", || session().claim(DEVICE, GIB).is_ok());
        assert_eq!(free(), GIB);
        for pool in [Pool::Stream, Pool::Notify] {
            let size = if pool == Pool::Stream { 1984 } else { 8192 };
            let all: Vec<_> = (0..size).map(|_| session().number(1, pool).unwrap().value).collect();
            assert!(all.into_iter().all(|number| number == 0), "the lowest is free again each time");
            let held: Vec<_> = (0..size).map(|_| session().number(1, pool).unwrap()).collect();
            assert!(held.iter().map(|number| number.value).eq(0..size));
        }
    });
}

#[test]
fn s7_exporters_may_die_while_others_fetch() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            slaughter(board, |turn| {
                let claim = session().claim(DEVICE, 4096).ok();
                let published = session().publish(offer(claim)).unwrap();
                board.post("number", &published.number.to_le_bytes());
                // Importers find it for another time each turn.
                std::thread::sleep(Duration::from_micros(turn % 300));
            });
            return;
        }
        let mut fetched = 0;
        while !board.has("all dead") {
            if !board.has("number") {
                continue;
            }
            let number = u64::from_le_bytes(board.take("number").try_into().unwrap());
            match session().fetch(Sort::Memory, number, None, UNKNOWN) {
                Ok(object) => {
                    fetched += 1;
                    assert_eq!(object.facts[5], u64::MAX);
                }
                Err(fault) => assert_eq!(fault.code, UNKNOWN, "{}", fault.text),
            }
        }
        assert!(fetched > 0, "some lived long enough");
        eventually("all is given back", || session().claim(DEVICE, GIB).is_ok());
    });
}

#[test]
fn s7_importers_may_die_while_they_fetch() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            let number = u64::from_le_bytes(board.take("number").try_into().unwrap());
            slaughter(board, |_| drop(session().fetch(Sort::Memory, number, None, UNKNOWN).unwrap()));
            return;
        }
        let published = session().publish(offer(session().claim(DEVICE, GIB).ok())).unwrap();
        board.post("number", &published.number.to_le_bytes());
        board.take("all dead");
        assert_eq!(free(), 0);
        drop(published);
        eventually("no dead importer holds it", || session().claim(DEVICE, GIB).is_ok());
    });
}

#[test]
fn s7_creators_may_die_while_others_join() {
    isolated::crew(2, &[HBM], |rank, board| {
        if rank == 0 {
            // Usually a victim is alone: it creates the machine, joins it or finds it dying.
            slaughter(board, |_| {
                let _claim = session().claim(DEVICE, GIB / 1024).unwrap();
                // It may be killed while it holds this, too.
                std::thread::sleep(Duration::from_millis(1));
            });
            return;
        }
        board.take("all dead");
        eventually("all is given back", || session().claim(DEVICE, GIB).is_ok());
    });
}
