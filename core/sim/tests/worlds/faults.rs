// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Deaths, cuts, losses, clocks.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use mf_sim::{Atomic, Comparison, End, ErrorKind, Rank, Result, Schedule, World};

use super::{LIMIT, MILLI, all_pass};

/// A schedule in which rank 1 dies before its third operation, with closed connections or silently.
fn death(silent: bool) -> Schedule {
    let silent = if silent { " death-silent:0:0=1" } else { "" };
    format!("death:0:0=2 death-step:0:0=3{silent}").parse().unwrap()
}

/// Rank 0 writes to rank 1, which is dead by then; returns the error's rank and the time that it took.
async fn write_to_the_dead(rank: Rank) -> Result<Option<(Option<u32>, Duration)>> {
    let pool = rank.open_pool(64).await?;
    rank.barrier("joined", LIMIT).await?;
    if rank.number() == 1 {
        rank.sleep(LIMIT * 100).await;
        return Ok(None);
    }
    rank.sleep(MILLI).await;
    let begun = rank.now();
    let error = pool.put(b"hello", pool.address(1)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotConnected, "{error}");
    assert!(error.to_string().contains("rank 1 has died"), "{error}");
    Ok(Some((error.rank(), rank.now() - begun)))
}

#[test]
fn put_to_a_dead_rank_fails_and_names_it() {
    let world = World::new(2).deaths(1);
    for (silent, at_least, at_most) in [(false, Duration::ZERO, MILLI), (true, 4 * MILLI * 1000, LIMIT)] {
        let run = world.replay(&death(silent), write_to_the_dead);
        assert_eq!(run.failure(), None, "{}", run.trace());
        assert_eq!(run.ends()[1], End::Died);
        let End::Returned(Some((Some(1), took))) = run.ends()[0] else { panic!("{}", run.trace()) };
        assert!(at_least <= took && took <= at_most, "{took:?}");
        assert_eq!(run.memory(1), None);
    }
}

#[test]
fn barrier_without_a_dead_rank_names_it_for_all() {
    let run = World::new(3).deaths(1).replay(&death(true), |rank: Rank| async move {
        rank.pause().await;
        rank.pause().await;
        let error = rank.barrier("meet", LIMIT).await.unwrap_err();
        Ok::<_, mf_sim::Error>((error.kind(), error.rank(), error.message().to_owned()))
    });
    let texts: Vec<_> = run.returned().map(|(_, end)| end.clone()).collect();
    assert_eq!(texts.len(), 2, "{}", run.trace());
    assert_eq!(texts[0], texts[1]);
    let (kind, rank, text) = &texts[0];
    assert_eq!((*kind, *rank), (ErrorKind::Timeout, Some(1)));
    assert_eq!(text, "store barrier \"meet\": 1 of 3 members are missing: rank 1 (lost)");
}

#[test]
fn writes_of_a_dead_rank_land_or_are_lost() {
    // Rank 0 dies after it has started a put; both ends of that are seen, and never a part of a word.
    let world = World::new(2).deaths(1).mortal([0]).death_steps(5);
    let seen: Rc<Cell<(u32, u32)>> = Rc::default();
    let count = Rc::clone(&seen);
    let check = move |run: &mf_sim::Run<()>| {
        let memory = run.memory(1).ok_or("no memory")?;
        let (landed, lost) = count.get();
        let died = run.ends()[0] == End::Died;
        match u64::from_le_bytes(memory[..8].try_into().unwrap()) {
            7 => count.set((landed + u32::from(died), lost)),
            0 if died => count.set((landed, lost + 1)),
            word => return Err(format!("{word}")),
        }
        Ok(())
    };
    let program = |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        if rank.number() == 0 {
            rank.sleep(MILLI).await;
            pool.put_nbi(&7u64.to_le_bytes(), pool.address(1)).await?;
            pool.quiet().await?;
        } else {
            rank.sleep(MILLI * 3).await;
        }
        Ok::<(), mf_sim::Error>(())
    };
    world.explore(0..500, program, check).unwrap_or_else(|failure| panic!("{failure}"));
    let (landed, lost) = seen.get();
    assert!(landed > 0 && lost > 0, "{landed} landed, {lost} lost");
}

#[test]
fn put_that_timed_out_has_no_effect_later() {
    // Rank 1 is cut off before the put and connected again long after its deadline.
    let world = World::new(2).cuts(1, Duration::from_secs(4)).request_limit(MILLI * 100);
    let schedule: Schedule = "cut:0:0=2 cut-start:0:0=1 cut-length:0:0=30".parse().unwrap();
    let run = world.replay(&schedule, |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        if rank.number() == 0 {
            rank.sleep(MILLI * 100).await;
            let error = pool.put(&[1; 8], pool.address(1)).await.unwrap_err();
            assert_eq!((error.kind(), error.rank()), (ErrorKind::Timeout, Some(1)), "{error}");
        }
        rank.sleep(LIMIT).await;
        Ok::<(), mf_sim::Error>(())
    });
    assert_eq!(run.failure(), None, "{}", run.trace());
    assert_eq!(run.memory(1), Some(vec![0; 64]), "{}", run.trace());
    assert!(run.trace().contains("rank 1 is cut off for"), "{}", run.trace());
}

#[test]
fn rank_that_is_cut_off_for_a_lease_loses_its_session() {
    let world = World::new(2).cuts(1, Duration::from_secs(20)).session_lease(Duration::from_secs(2));
    let schedule: Schedule = "cut:0:0=2 cut-start:0:0=1 cut-length:0:0=40".parse().unwrap();
    let run = world.replay(&schedule, |rank: Rank| async move {
        let store = rank.store();
        if rank.number() == 1 {
            store.set("mine", b"1", mf_sim::Lifetime::Session).await?;
        }
        rank.sleep(Duration::from_secs(30)).await;
        if rank.number() == 1 {
            let error = store.get("mine").await.unwrap_err();
            assert_eq!((error.kind(), error.rank()), (ErrorKind::NotConnected, Some(1)), "{error}");
        } else {
            assert_eq!(store.get("mine").await?, None);
            assert_eq!(store.members().await?, [0]);
        }
        Ok::<(), mf_sim::Error>(())
    });
    assert_eq!(run.failure(), None, "{}", run.trace());
}

#[test]
fn faults_of_all_kinds_delay_but_lose_nothing() {
    let world = World::new(3)
        .losses(0.1, MILLI * 200)
        .delays(0.1, MILLI * 50)
        .stalls(0.1, MILLI * 50)
        .cuts(2, Duration::from_secs(1))
        .clock_skew(LIMIT);
    all_pass(&world, |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        rank.barrier("joined", LIMIT * 6).await?;
        let next = pool.address((rank.number() + 1) % 3);
        pool.put_nbi(&9u64.to_le_bytes(), next + 8).await?;
        pool.fence().await;
        pool.atomic(next, Atomic::Swap(1)).await?;
        pool.wait_until(pool.local_address(), Comparison::Equal, 1, LIMIT * 6).await?;
        assert_eq!(pool.read(pool.local_address() + 8, 8).await?, 9u64.to_le_bytes());
        rank.barrier("done", LIMIT * 6).await
    });
}

#[test]
fn programs_survive_deaths_of_any_rank() {
    // Each rank puts to all others; only puts to dead ranks fail.
    let world = World::new(4).deaths(2).death_steps(12);
    let program = |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        rank.sleep(MILLI).await;
        let mut gone = Vec::new();
        for other in 0..4 {
            match pool.put(&[1; 8], pool.address(other)).await {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::NotConnected => gone.extend(error.rank()),
                Err(error) => return Err(error),
            }
        }
        Ok(gone)
    };
    let most = Rc::new(Cell::new(0));
    let seen = Rc::clone(&most);
    let check = move |run: &mf_sim::Run<Vec<u32>>| {
        let dead: Vec<u32> = (0..4).filter(|rank| run.ends()[*rank as usize] == End::Died).collect();
        seen.set(seen.get().max(dead.len()));
        let wrong = run.returned().find(|(_, gone)| gone.iter().any(|rank| !dead.contains(rank)));
        wrong.map_or(Ok(()), |(rank, gone)| Err(format!("rank {rank}: {gone:?} of {dead:?}")))
    };
    world.explore(0..500, program, check).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(most.get(), 2);
}
