// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Puts, gets, fences, signals, atomics.

use mf_sim::{Atomic, Comparison, ErrorKind, Pool, Rank, Result, Signal, World};

use super::{LIMIT, all_pass, one_fails};

const FLAG: u64 = 64;

async fn joined(rank: &Rank) -> Result<Pool> {
    let pool = rank.open_pool(128).await?;
    rank.barrier("joined", LIMIT).await?;
    Ok(pool)
}

/// Rank 0 writes by `write`; rank 1 waits for the flag and must see the data.
fn write_then_flag<F>(
    write: impl Fn(Pool) -> F + Copy + 'static,
) -> impl Fn(Rank) -> std::pin::Pin<Box<dyn Future<Output = Result<()>>>>
where
    F: Future<Output = Result<()>>,
{
    move |rank: Rank| {
        Box::pin(async move {
            let pool = joined(&rank).await?;
            if rank.number() == 0 {
                write(pool).await?;
            } else {
                let own = pool.local_address();
                pool.wait_until(own + FLAG, Comparison::Equal, 1, LIMIT).await?;
                assert_eq!(pool.read(own, 64).await?, [7; 64]);
            }
            Ok(())
        })
    }
}

fn worlds() -> World {
    World::new(2).delays(0.02, super::MILLI).losses(0.02, super::MILLI).stalls(0.02, super::MILLI)
}

#[test]
fn put_that_returned_is_visible() {
    all_pass(
        &worlds(),
        write_then_flag(|pool| async move {
            pool.put(&[7; 64], pool.address(1)).await?;
            pool.atomic(pool.address(1) + FLAG, Atomic::Swap(1)).await.map(|_| ())
        }),
    );
}

#[test]
fn started_put_may_be_behind_a_later_flag() {
    let failure = one_fails(
        &World::new(2),
        write_then_flag(|pool| async move {
            pool.put_nbi(&[7; 64], pool.address(1)).await?;
            pool.put_nbi(&1u64.to_le_bytes(), pool.address(1) + FLAG).await
        }),
    );
    assert!(failure.schedule.len() <= 2, "{failure}");
}

#[test]
fn fence_orders_started_puts_and_atomics() {
    all_pass(
        &worlds(),
        write_then_flag(|pool| async move {
            pool.put_nbi(&[7; 64], pool.address(1)).await?;
            pool.fence().await;
            pool.put_nbi(&1u64.to_le_bytes(), pool.address(1) + FLAG).await
        }),
    );
    all_pass(
        &worlds(),
        write_then_flag(|pool| async move {
            pool.put_nbi(&[7; 64], pool.address(1)).await?;
            pool.fence().await;
            pool.atomic(pool.address(1) + FLAG, Atomic::Add(1)).await.map(|_| ())
        }),
    );
}

#[test]
fn fence_does_not_order_writes_to_different_ranks() {
    // Rank 2 sees the flag, and reads the data of rank 1 too early.
    let failure = one_fails(&World::new(3), |rank: Rank| async move {
        let pool = joined(&rank).await?;
        let done = pool.local_address() + FLAG;
        match rank.number() {
            0 => {
                pool.put_nbi(&[7; 64], pool.address(1)).await?;
                pool.fence().await;
                pool.put_nbi(&1u64.to_le_bytes(), pool.address(2) + FLAG).await?;
            }
            1 => {
                pool.wait_until(done, Comparison::Equal, 1, LIMIT).await?;
            }
            _ => {
                pool.wait_until(done, Comparison::Equal, 1, LIMIT).await?;
                assert_eq!(pool.read(pool.address(1), 64).await?, [7; 64]);
                pool.atomic(pool.address(1) + FLAG, Atomic::Swap(1)).await?;
            }
        }
        Ok(())
    });
    assert!(failure.reason.starts_with("rank 2: assertion"), "{failure}");
}

#[test]
fn quiet_completes_started_puts() {
    all_pass(
        &worlds(),
        write_then_flag(|pool| async move {
            pool.put_nbi(&[7; 64], pool.address(1)).await?;
            pool.quiet().await?;
            pool.put_nbi(&1u64.to_le_bytes(), pool.address(1) + FLAG).await
        }),
    );
}

#[test]
fn signal_is_behind_its_data() {
    all_pass(
        &worlds(),
        write_then_flag(|pool| async move {
            let signal = Signal::set(pool.address(1) + FLAG, 1);
            pool.put_signal(&[7; 64], pool.address(1), signal).await
        }),
    );
    all_pass(
        &worlds(),
        write_then_flag(|pool| async move {
            let signal = Signal::add(pool.address(1) + FLAG, 1);
            pool.put_signal_nbi(&[7; 64], pool.address(1), signal).await
        }),
    );
}

#[test]
fn read_may_see_a_concurrent_put_in_part() {
    let failure = one_fails(&World::new(2), |rank: Rank| async move {
        let pool = joined(&rank).await?;
        if rank.number() == 0 {
            pool.put(&[7; 64], pool.address(1)).await?;
        } else {
            let bytes = pool.read(pool.local_address(), 64).await?;
            assert!(bytes == [0; 64] || bytes == [7; 64], "torn");
        }
        Ok(())
    });
    assert_eq!(failure.shrunk_reason, "rank 1: torn");
    assert!(failure.schedule.to_string().contains("split:0>1"), "{failure}");
}

#[test]
fn atomics_of_all_ranks_add_up() {
    all_pass(&World::new(4).losses(0.05, super::MILLI), |rank: Rank| async move {
        let pool = joined(&rank).await?;
        for _ in 0..5 {
            pool.atomic(pool.address(2) + FLAG, Atomic::Add(1)).await?;
        }
        rank.barrier("added", LIMIT).await?;
        assert_eq!(pool.atomic(pool.address(2) + FLAG, Atomic::Fetch).await?, 20);
        // No rank ends, and takes its memory along, while others read it.
        rank.barrier("read", LIMIT).await
    });
}

#[test]
fn bad_arguments_are_refused_and_nothing_is_written() {
    let run = World::new(2).run(1, |rank: Rank| async move {
        assert_eq!(rank.open_pool(0).await.unwrap_err().kind(), ErrorKind::InvalidParam);
        let pool = joined(&rank).await?;
        assert_eq!(rank.open_pool(8).await.unwrap_err().kind(), ErrorKind::RepeatInvoke);
        let other = pool.address(1 - rank.number());
        let error = pool.put(&[1; 16], other + 120).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParam);
        assert!(error.to_string().contains("invalid range of 16 bytes at 0x78"), "{error}");
        for (address, signal) in [(other, other + 4), (other, pool.local_address()), (0, other)] {
            let error = pool.put_signal(&[1; 8], address, Signal::set(signal, 1)).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidParam, "{error}");
        }
        assert_eq!(pool.atomic(other + 4, Atomic::Fetch).await.unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(rank.notify(2, b"").await.unwrap_err().kind(), ErrorKind::InvalidParam);
        rank.barrier("tried", LIMIT).await?;
        pool.leave().await;
        assert_eq!(pool.read(other, 8).await.unwrap_err().kind(), ErrorKind::NotStarted);
        rank.open_pool(128).await?;
        Ok::<(), mf_sim::Error>(())
    });
    assert_eq!(run.failure(), None, "{}", run.trace());
    assert_eq!(run.memory(0), Some(vec![0; 128]));
}

#[test]
fn wait_for_a_word_of_another_rank_ends() {
    all_pass(&worlds(), |rank: Rank| async move {
        let pool = joined(&rank).await?;
        let word = pool.address(1) + FLAG;
        if rank.number() == 0 {
            assert_eq!(pool.wait_until(word, Comparison::GreaterOrEqual, 3, LIMIT).await?, 3);
        } else {
            pool.atomic(word, Atomic::Swap(3)).await?;
        }
        rank.barrier("seen", LIMIT).await
    });
}

#[test]
fn wait_for_a_word_times_out_with_its_value() {
    let run = World::new(1).run(1, |rank: Rank| async move {
        let pool = rank.open_pool(64).await?;
        pool.wait_until(pool.local_address(), Comparison::NotEqual, 0, LIMIT).await
    });
    let (_, reason) = run.failure().unwrap();
    assert!(reason.contains("the word is 0 after 10000000.000 us"), "{reason}");
    assert!(reason.contains("(Timeout)"), "{reason}");
}
