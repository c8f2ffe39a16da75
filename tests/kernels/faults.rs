// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ranks that die, do not come, or pass invalid arguments: launches end with an error that names the rank and
//! the cause, and the rest goes on.

use std::time::Duration;

use mf_base::Kind;
use mf_tests::kernels::{Argument, Case, Direction, Launch, Order, Ranks, Work};

use super::{MIB, PROGRAM, has_kernels};

const SHIFT: Work = Work::Shift { bytes: 1_001, by: 1 };

fn barrier(object: u32) -> Launch {
    Launch::new("mf_barrier", [Argument::U32(object)]).blocks(2)
}

/// A job, and a moment of work in it.
fn at_work(ranks: u32, control: Option<Duration>) -> Ranks {
    let mut job = Ranks::start_with_timeout(PROGRAM, ranks, 4 * MIB, &[], control);
    job.run([Case::new(SHIFT, 2)]);
    job
}

/// The host still reaches the memory of a rank that lives.
fn reach(job: &mut Ranks, from: usize, to: u32) {
    let object = job.object();
    let text = format!("from {from} to {to}").into_bytes();
    job.ok(from, Order::Put(object, to, 5, text.clone()));
    job.ok(usize::try_from(to).unwrap(), Order::Await(object, to, 5, text));
}

#[test]
fn rank_dying_while_kernels_wait_for_it_is_named() {
    if !has_kernels("deaths in kernels") {
        return;
    }
    for victim in [2, 0] {
        let mut job = at_work(3, None);
        let object = job.object();
        let others: Vec<usize> = (0..3).filter(|rank| *rank != victim).collect();
        for rank in &others {
            job.ok(*rank, Order::Start(object, barrier(object)));
        }
        job.members[victim].kill();
        for rank in &others {
            let failure = job.one(*rank, Order::End).unwrap_err();
            failure.expect(Kind::NotConnected, &[&format!("rank {victim}")]);
        }
        reach(&mut job, others[0], u32::try_from(others[1]).unwrap());
    }
}

#[test]
fn rank_dying_inside_a_kernel_blocks_no_other_rank() {
    if !has_kernels("deaths in kernels") {
        return;
    }
    let mut job = at_work(3, None);
    let object = job.object();
    // Both wait for rank 0.
    for rank in [1, 2] {
        job.ok(rank, Order::Start(object, barrier(object)));
    }
    job.members[2].kill();
    for (rank, order) in [(0, Order::Launch(object, barrier(object))), (1, Order::End)] {
        // It may have notified the others in time of its arrival.
        if let Err(failure) = job.one(rank, order) {
            failure.expect(Kind::NotConnected, &["rank 2"]);
        }
    }
    reach(&mut job, 0, 1);
}

#[test]
fn missing_rank_is_named_at_the_timeout() {
    if !has_kernels("time limits of kernels") {
        return;
    }
    let mut job = at_work(3, Some(Duration::from_secs(2)));
    let object = job.object();
    job.ok(0, Order::Start(object, barrier(object)));
    let failure = job.one(2, Order::Launch(object, barrier(object))).unwrap_err();
    failure.expect(Kind::Timeout, &["rank 1"]);
    job.one(0, Order::End).unwrap_err().expect(Kind::Timeout, &["rank"]);
    // The object's barrier is out of step; another object is not.
    job.renew();
    job.run([Case::new(SHIFT, 3)]);
    job.finish();
}

#[test]
fn kernel_exceeding_its_time_limit_is_aborted() {
    if !has_kernels("time limits of kernels") {
        return;
    }
    let mut job = at_work(2, None);
    let object = job.object();
    let failure = job.one(0, Order::Launch(object, barrier(object).timeout_ms(300))).unwrap_err();
    failure.expect(Kind::Timeout, &["mf_barrier"]);
    job.renew();
    job.run([Case::new(SHIFT, 2)]);
    job.finish();
}

#[test]
fn object_is_destroyed_after_its_kernels() {
    if !has_kernels("destroying under a kernel") {
        return;
    }
    let mut job = at_work(2, None);
    let object = job.object();
    let content = vec![7; 64];
    let (to, from, bytes) = (Argument::U64(4096), Argument::U64(0), Argument::U64(64));
    let shift = Launch::new("mf_shift", [Argument::U32(object), to, from, bytes, Argument::U32(1)]).blocks(2);
    job.ok(0, Order::Put(object, 0, 0, content.clone()));
    job.ok(0, Order::Start(object, shift.clone()));
    // It runs, and ends when rank 1 has come.
    job.ok(1, Order::Await(object, 1, 4096, content));
    job.members[0].send(&mf_tests::Order::Kernel(Box::new(Order::Destroy(object))));
    job.ok(1, Order::Launch(object, shift));
    job.members[0].answer().expect("it is destroyed when the kernel has ended");
    job.ok(0, Order::End);
    job.ok(1, Order::Destroy(object));
    job.each(&Order::Create(object + 1, 2 * MIB));
    job.each(&Order::Run(object + 1, Case::new(SHIFT, 2)));
    job.finish();
}

#[test]
fn invalid_launches_are_reported_and_the_job_goes_on() {
    if !has_kernels("wrong launches") {
        return;
    }
    let mut job = at_work(2, None);
    let object = job.object();
    let copy =
        |to: Argument, from: Argument, bytes: u64| Launch::new("mf_copy", [to, from, Argument::U64(bytes)]);
    let (here, there) = (Argument::In(0, 0), Argument::In(1, 0));
    let many = vec![
        Argument::U32(object),
        Argument::U64(0),
        Argument::U64(512),
        Argument::U64(64),
        Argument::U32(1),
    ];
    let refusals = [
        (Launch::new("mf_nothing", []), Kind::NotExist, "mf_nothing"),
        (Launch::new("mf_copy", [here, there]), Kind::InvalidParam, "argument"),
        (copy(here, there, 1).blocks(0), Kind::InvalidParam, "block"),
        (Launch::new("mf_shift", many).blocks(10_000), Kind::Failed, "blocks"),
        // Behind the last rank's part, and nowhere at all.
        (copy(here, Argument::In(1, 1 << 40), 64), Kind::Failed, "mf_copy"),
        (copy(Argument::U64(64), here, 64), Kind::Failed, "mf_copy"),
    ];
    for (launch, kind, text) in refusals {
        job.one(0, Order::Launch(object, launch)).unwrap_err().expect(kind, &[text]);
        job.run([Case::new(Work::Copy { bytes: 777, direction: Direction::Put }, 2)]);
    }
    job.run([Case::new(SHIFT, 2)]);
    job.finish();
}
