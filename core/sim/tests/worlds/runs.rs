// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Runs: the same bytes for the same seed, many ranks, tasks, bounds, programs that are not deterministic.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::process::Command;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use mf_sim::{Atomic, Cause, ErrorKind, Rank, Result, World};

use super::{LIMIT, MILLI};

/// File for the traces of a child process.
const TRACES: &str = "MF_TEST_SIM_TRACES";

fn all_faults() -> World {
    World::new(4)
        .deaths(1)
        .cuts(1, Duration::from_secs(1))
        .losses(0.1, MILLI)
        .delays(0.1, MILLI)
        .stalls(0.1, MILLI)
        .clock_skew(MILLI)
}

/// A bit of everything; errors are allowed.
async fn everything(rank: Rank) -> Result<()> {
    let pool = rank.open_pool(256).await?;
    let _ = rank.barrier("joined", LIMIT).await;
    for turn in 0..5 {
        let other = rank.choose(rank.ranks());
        let _ = pool.put_nbi(&[turn; 48], pool.address(other) + 8).await;
        pool.fence().await;
        let _ = pool.atomic(pool.address(other), Atomic::Add(1)).await;
        let _ = pool.read(pool.address((other + 1) % rank.ranks()), 64).await;
        let _ = rank.store().add("turns", 1).await;
        let _ = rank.cache().put(b"key", &[turn]).await;
    }
    let _ = pool.quiet().await;
    let _ = rank.barrier("done", LIMIT).await;
    Ok(())
}

fn traces() -> String {
    (0..30).map(|seed| all_faults().run(seed, everything).trace()).collect()
}

#[test]
fn same_seed_gives_the_same_trace_in_every_process() {
    if let Ok(file) = std::env::var(TRACES) {
        std::fs::write(file, traces()).unwrap();
        return;
    }
    let here = traces();
    assert_eq!(here, traces());
    let file = std::env::temp_dir().join(format!("mf-sim-traces-{}", std::process::id()));
    let name = "runs::same_seed_gives_the_same_trace_in_every_process";
    let child =
        Command::new(std::env::current_exe().unwrap()).args(["--exact", name]).env(TRACES, &file).status();
    let there = std::fs::read_to_string(&file);
    let _ = std::fs::remove_file(&file);
    assert!(child.unwrap().success());
    assert!(here == there.unwrap(), "another process has other traces");
    let different: BTreeSet<_> = (0..30).map(|seed| all_faults().run(seed, everything).trace()).collect();
    assert_eq!(different.len(), 30);
}

#[test]
fn schedule_of_a_seed_gives_its_trace() {
    for seed in 0..30 {
        let run = all_faults().run(seed, everything);
        assert_eq!(all_faults().replay(run.schedule(), everything).trace(), run.trace());
        let again: mf_sim::Schedule = run.schedule().to_string().parse().unwrap();
        assert_eq!(&again, run.schedule());
    }
}

#[test]
fn thousand_ranks_join_and_meet() {
    let begun = Instant::now();
    let run = World::new(1000).run(1, |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        rank.barrier("joined", LIMIT).await?;
        let next = (rank.number() + 1) % rank.ranks();
        pool.put(&u64::from(rank.number()).to_le_bytes(), pool.address(next)).await?;
        rank.barrier("written", LIMIT).await?;
        let before = pool.read(pool.local_address(), 8).await?;
        assert_eq!(before, u64::from((rank.number() + 999) % 1000).to_le_bytes());
        Ok::<_, mf_sim::Error>(rank.store().allgather("all", 0, &[1], LIMIT).await?.len())
    });
    println!("1,000 ranks met three times in {:?}", begun.elapsed());
    assert_eq!(run.failure(), None);
    assert_eq!(run.returned().filter(|(_, parts)| **parts == 1000).count(), 1000);
    assert!(run.trace().contains("store: 1000 members have met at \"written\""));
}

#[test]
fn tasks_of_a_rank_run_beside_its_program() {
    let run = World::new(2).run(4, |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        rank.barrier("joined", LIMIT).await?;
        let (other, own) = (pool.address(1 - rank.number()), rank.clone());
        let task = rank.spawn(async move {
            own.sleep(MILLI).await;
            pool.atomic(other, Atomic::Add(1)).await
        });
        rank.pause().await;
        assert_eq!(task.join().await.unwrap()?, 0);
        assert!(task.join().await.is_none());
        // Ends with the program, which does not wait for it.
        let own = rank.clone();
        rank.spawn(async move {
            loop {
                own.sleep(MILLI).await;
                if own.ranks() > 2 {
                    break;
                }
            }
        });
        rank.barrier("joined", LIMIT).await
    });
    assert_eq!(run.failure(), None, "{}", run.trace());
    assert_eq!(run.memory(0).unwrap()[0], 1);
    assert!(run.time() < LIMIT);
}

#[test]
fn future_that_something_else_wakes_goes_on() {
    // A channel of the program's own between two tasks of a rank.
    let run = World::new(1).run(1, |rank: Rank| async move {
        let place: Rc<RefCell<(Option<u32>, Option<Waker>)>> = Rc::default();
        let (sender, own) = (Rc::clone(&place), rank.clone());
        let task = rank.spawn(async move {
            own.sleep(MILLI).await;
            sender.borrow_mut().0 = Some(7);
            let waker = sender.borrow_mut().1.take();
            waker.expect("the receiver waits").wake();
        });
        let received = std::future::poll_fn(|context| {
            let mut place = place.borrow_mut();
            place.1 = Some(context.waker().clone());
            place.0.take().map_or(Poll::Pending, Poll::Ready)
        });
        assert_eq!(received.await, 7);
        task.join().await;
        Ok::<(), mf_sim::Error>(())
    });
    assert_eq!(run.failure(), None, "{}", run.trace());
}

#[test]
fn operation_that_is_given_up_ends_in_the_background() {
    let run = World::new(2).run(1, |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        rank.barrier("joined", LIMIT).await?;
        if rank.number() == 0 {
            let mut put = Box::pin(pool.put(&[3; 8], pool.address(1)));
            // Polled once, then dropped: a select that another branch has won.
            std::future::poll_fn(|context| Poll::Ready(put.as_mut().poll(context).is_ready())).await;
            drop(put);
        }
        rank.barrier("given up", LIMIT).await?;
        rank.sleep(MILLI).await;
        Ok::<(), mf_sim::Error>(())
    });
    assert_eq!(run.failure(), None, "{}", run.trace());
    assert_eq!(run.memory(1).unwrap()[..8], [3; 8]);
}

#[test]
fn program_that_waits_for_ever_is_unfinished() {
    let world = World::new(2).horizon(Duration::from_secs(100));
    let run = world.run(1, |rank: Rank| async move {
        if rank.number() == 1 {
            rank.sleep(Duration::from_secs(200)).await;
        }
        Ok::<(), mf_sim::Error>(())
    });
    let (cause, text) = run.failure().unwrap();
    assert_eq!(cause, Cause::Unfinished);
    assert!(text.contains("rank 1 did not return: it waits for sleep"), "{text}");
    let run = World::new(1).run(1, |_| std::future::pending::<Result<()>>());
    let (cause, text) = run.failure().unwrap();
    assert_eq!(cause, Cause::Unfinished);
    assert!(text.contains("something outside of the simulation"), "{text}");
    let run = World::new(1).events(1000).run(1, |rank: Rank| async move {
        loop {
            rank.pause().await;
            if rank.ranks() > 1 {
                return Ok::<(), mf_sim::Error>(());
            }
        }
    });
    assert!(run.failure().unwrap().1.contains("number of events"), "{:?}", run.failure());
}

#[test]
fn errors_and_checks_fail_a_run() {
    let refuse = |rank: Rank| async move { if rank.number() == 1 { Err("no") } else { Ok(rank.number()) } };
    let failure = World::new(3).explore(0..10, refuse, |_| Ok(())).unwrap_err();
    assert_eq!((failure.cause, failure.reason.as_str(), failure.runs), (Cause::Failed, "rank 1: no", 1));
    assert!(failure.schedule.is_empty(), "{failure}");
    let failure = World::new(2)
        .explore(
            5..10,
            |rank: Rank| async move { Ok::<_, String>(rank.choose(9)) },
            |run| {
                let sum: u32 = run.returned().map(|(_, drawn)| drawn).sum();
                if sum > 7 { Err(format!("the sum is {sum}")) } else { Ok(()) }
            },
        )
        .unwrap_err();
    assert_eq!((failure.cause, failure.shrunk_reason.as_str()), (Cause::Check, "the sum is 8"));
    assert!(failure.to_string().contains("number drawn by rank"), "{failure}");
}

#[test]
fn program_with_memory_of_earlier_runs_is_reported() {
    let runs = Cell::new(0);
    let program = |_: Rank| {
        runs.set(runs.get() + 1);
        let number = runs.get();
        async move { if number == 5 { Err("the fifth") } else { Ok(()) } }
    };
    let failure = World::new(1).explore(0..10, program, |_| Ok(())).unwrap_err();
    assert_eq!((failure.cause, failure.seed), (Cause::Nondeterministic, 4));
    assert!(failure.reason.contains("and passed when it was repeated"), "{failure}");
}

#[test]
fn errors_have_the_codes_of_the_library() {
    for (kind, code) in
        [(ErrorKind::InvalidParam, -2000), (ErrorKind::Timeout, -2004), (ErrorKind::NotConnected, -2014)]
    {
        assert_eq!(kind.code(), code);
    }
}
