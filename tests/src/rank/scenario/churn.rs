// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All ranks come and go at the same time; after each round all know the members, and no other rank can be
//! reached.

use std::collections::BTreeSet;

use mf_base::{Kind, Rank};
use mf_smem::bm::{Context, Pool};
use mf_tests::{Failure, pattern};

use super::subject;

/// Begins outside the pool. All ranks pass the same `seed`, so each knows the others' actions.
pub(super) fn run(context: &Context, pool: &Pool, rounds: u64, seed: u64) -> Result<(), Failure> {
    let (me, world) = (pool.rank(), context.world_size());
    let mut inside = BTreeSet::new();
    for round in 0..rounds {
        context.barrier("begin", world)?;
        // Each rank comes, goes, or does both so often that it ends where it began.
        let moves = |rank: u32| pattern::stream(seed + round * 1000 + u64::from(rank), 1)[0] % 4;
        for _ in 0..moves(me.0) {
            if inside.contains(&me) && pool.members().contains(&me) {
                pool.leave()?;
                inside.remove(&me);
            } else {
                pool.join()?;
                inside.insert(me);
            }
        }
        for other in (0..world).filter(|other| *other != me.0 && moves(*other) % 2 == 1) {
            if !inside.remove(&Rank(other)) {
                inside.insert(Rank(other));
            }
        }
        context.barrier("moved", world)?;
        if inside.contains(&me) {
            look_around(pool, world, &inside).map_err(|failure| Failure {
                text: format!("seed {seed}, round {round}: {}", failure.text),
                ..failure
            })?;
        }
        context.barrier("checked", world)?;
    }
    Ok(())
}

fn look_around(pool: &Pool, world: u32, inside: &BTreeSet<Rank>) -> Result<(), Failure> {
    let known: BTreeSet<Rank> = pool.members().into_iter().collect();
    if known != *inside {
        return Err(Failure::wrong(format!("{inside:?} are in, known are {known:?}")));
    }
    for rank in (0..world).map(Rank) {
        let there = pool.address(subject(pool), rank)?.add(u64::from(pool.rank().0) * 8);
        match pool.put(&[1; 8], there) {
            Ok(()) if inside.contains(&rank) => {}
            Err(error) if !inside.contains(&rank) && error.kind() == Kind::NotConnected => {}
            other => {
                return Err(Failure::wrong(format!("{inside:?} are in, a put to {rank:?} gave {other:?}")));
            }
        }
    }
    Ok(())
}
