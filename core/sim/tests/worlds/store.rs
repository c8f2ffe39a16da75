// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Config store, cache, messages.

use std::cell::RefCell;
use std::time::Duration;

use mf_sim::{End, ErrorKind, Lifetime, Rank, Result, World};

use super::{LIMIT, MILLI, all_pass, one_fails};

#[test]
fn keys_of_all_kinds() {
    all_pass(&World::new(3).losses(0.02, MILLI), |rank: Rank| async move {
        let store = rank.store();
        store.set(&format!("from/{}", rank.number()), b"x", Lifetime::Permanent).await?;
        store.add("sum", 2).await?;
        store.append("list", b"ab").await?;
        let (won, entry) = store.compare_and_swap("first", None, b"1", Lifetime::Session).await?;
        assert_eq!(won, entry.unwrap().owner == Some(rank.number()));
        store.barrier("written", 3, LIMIT).await?;
        assert_eq!(store.list("from/").await?.len(), 3);
        assert_eq!(store.get("sum").await?.unwrap().value, b"6");
        assert_eq!(store.wait("list", LIMIT).await?, b"ababab");
        assert_eq!(store.wait("never", MILLI).await.unwrap_err().kind(), ErrorKind::Timeout);
        store.barrier("read", 0, LIMIT).await?;
        if store.delete("sum").await? {
            store.set("deleted by", &[0], Lifetime::Permanent).await?;
        }
        assert_eq!(store.add("list", 1).await.unwrap_err().kind(), ErrorKind::InvalidParam);
        let parts = store.allgather("all", 3, &[rank.number() as u8], LIMIT).await?;
        assert_eq!(parts, [(0, vec![0]), (1, vec![1]), (2, vec![2])]);
        assert_eq!(store.barrier("too many", 4, LIMIT).await.unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(store.get("sum").await?, None);
        Ok(())
    });
}

#[test]
fn lock_has_one_holder_and_rising_fencing_numbers() {
    // Ranks may die while they hold the lock: it goes to the next then.
    let world = World::new(4).deaths(2).death_steps(20).losses(0.05, MILLI);
    let program = |rank: Rank| async move {
        let store = rank.store();
        for _ in 0..3 {
            let fencing = store.lock("turn", Duration::from_secs(100)).await?;
            let last = rank.shared::<RefCell<u64>>();
            assert!(*last.borrow() < fencing, "fencing number {fencing} behind {}", last.borrow());
            *last.borrow_mut() = fencing;
            let inside = store.get("inside").await?;
            assert_eq!(inside, None, "another rank is inside");
            store.set("inside", &[1], Lifetime::Session).await?;
            rank.sleep(MILLI).await;
            store.delete("inside").await?;
            store.unlock("turn").await?;
        }
        Ok::<(), mf_sim::Error>(())
    };
    all_pass(&world, program);
}

#[test]
fn leases_end_without_renewal() {
    let run = World::new(1).run(5, |rank: Rank| async move {
        let store = rank.store();
        let lease = store.grant_lease(MILLI * 10).await?;
        store.set("leased", b"1", Lifetime::Lease(lease)).await?;
        for _ in 0..5 {
            rank.sleep(MILLI * 5).await;
            store.renew_lease(lease).await?;
        }
        assert!(store.get("leased").await?.is_some());
        rank.sleep(MILLI * 11).await;
        assert_eq!(store.get("leased").await?, None);
        assert_eq!(store.renew_lease(lease).await.unwrap_err().kind(), ErrorKind::NotExist);
        assert!(!store.revoke_lease(lease).await?);
        let late = store.set("late", b"1", Lifetime::Lease(lease)).await;
        assert_eq!(late.unwrap_err().kind(), ErrorKind::NotExist);
        let second = store.grant_lease(LIMIT).await?;
        store.set("second", b"1", Lifetime::Lease(second)).await?;
        assert!(store.revoke_lease(second).await?);
        assert_eq!(store.get("second").await?, None);
        assert_eq!(store.try_lock("l").await?.map(|number| number > 0), Some(true));
        assert_eq!(store.lock("l", LIMIT).await.unwrap_err().kind(), ErrorKind::RepeatInvoke);
        store.unlock("l").await?;
        assert_eq!(store.unlock("l").await.unwrap_err().kind(), ErrorKind::NotExist);
        Ok::<(), mf_sim::Error>(())
    });
    assert_eq!(run.failure(), None, "{}", run.trace());
}

#[test]
fn lock_that_is_held_times_out_and_names_the_holder() {
    let run = World::new(2).run(3, |rank: Rank| async move {
        if rank.number() == 0 {
            rank.store().lock("l", LIMIT).await?;
            rank.sleep(LIMIT).await;
            return Ok(None);
        }
        rank.sleep(MILLI).await;
        assert_eq!(rank.store().try_lock("l").await?, None);
        Ok::<_, mf_sim::Error>(Some(rank.store().lock("l", MILLI).await.unwrap_err().to_string()))
    });
    let End::Returned(Some(text)) = &run.ends()[1] else { panic!("{}", run.trace()) };
    assert!(text.contains("rank 0 holds it"), "{text}");
}

/// Rank 1 leases a value that rank 0 removes; `checked`: it trusts the bytes only while the lease runs.
async fn read_leased(rank: Rank, checked: bool) -> Result<()> {
    let cache = rank.cache();
    if rank.number() == 0 {
        cache.put(b"block", &[5; 32]).await?;
        rank.barrier("put", LIMIT).await?;
        rank.barrier("leased", LIMIT).await?;
        assert_eq!(
            cache.remove_unleased(b"block").await.map_err(|error| error.kind()),
            Err(ErrorKind::InUse)
        );
        assert!(cache.remove(b"block").await?);
        return rank.barrier("done", LIMIT).await;
    }
    rank.barrier("put", LIMIT).await?;
    let lease = cache.lease(b"block", MILLI * 10).await?.expect("a value");
    rank.barrier("leased", LIMIT).await?;
    rank.sleep(MILLI * 5).await;
    let bytes = lease.read().await?;
    if !checked || lease.is_valid() {
        assert_eq!(bytes, [5; 32], "the value was overwritten");
    }
    assert_eq!(lease.bytes(), 32);
    rank.barrier("done", LIMIT).await
}

#[test]
fn value_is_overwritten_after_its_lease() {
    let world = World::new(2).stalls(0.1, MILLI * 9);
    // Rank 0's removal meets a lease that is over in some worlds.
    let slow = World::new(2).stalls(0.1, MILLI * 50);
    let failure = one_fails(&slow, |rank| read_leased(rank, false));
    assert!(failure.schedule.to_string().contains("stall"), "{failure}");
    let run = world.run(0, |rank| read_leased(rank, true));
    assert_eq!(run.failure(), None, "{}", run.trace());
}

#[test]
fn values_of_the_cache_go_with_their_rank() {
    let world = World::new(2).deaths(1);
    let schedule = "death:0:0=1 death-step:0:0=2".parse().unwrap();
    let run = world.replay(&schedule, |rank: Rank| async move {
        let cache = rank.cache();
        if rank.number() == 0 {
            cache.put(b"block", b"value").await?;
            rank.sleep(LIMIT).await;
            rank.sleep(LIMIT).await;
        } else {
            rank.sleep(MILLI).await;
            assert_eq!(cache.get(b"block").await?, None);
            assert!(cache.lease(b"block", LIMIT).await?.is_none());
        }
        Ok::<(), mf_sim::Error>(())
    });
    assert_eq!(run.ends()[0], End::Died);
    assert_eq!(run.failure(), None, "{}", run.trace());
}

#[test]
fn messages_arrive_once_in_any_order() {
    let world = World::new(3).losses(0.1, MILLI);
    let program = |rank: Rank| async move {
        if rank.number() > 0 {
            for number in 0..3 {
                rank.notify(0, &[rank.number() as u8, number]).await?;
            }
            return Ok(());
        }
        let mut messages = Vec::new();
        for _ in 0..6 {
            let (from, message) = rank.receive(LIMIT).await?;
            assert_eq!(from, u32::from(message[0]));
            messages.push(message);
        }
        messages.sort();
        let all: Vec<_> = (1..3).flat_map(|from| (0..3).map(move |number| vec![from, number])).collect();
        assert_eq!(messages, all);
        assert_eq!(rank.receive(MILLI).await.unwrap_err().kind(), ErrorKind::Timeout);
        Ok(())
    };
    all_pass(&world, program);
}
