// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Work that is too long or too quick to be ordered step by step.

mod all_pairs;
mod churn;
mod coming_back;
mod crowd;
mod growth;
mod words;

use mf_base::MemKind;
use mf_smem::bm::{Context, Pool};
use mf_tests::{Answer, Failure};

/// Runs the scenario `name` with its numbers, on pool 0.
pub(crate) fn run(name: &str, numbers: &[u64], context: &Context, pool: &Pool) -> Result<Answer, Failure> {
    match (name, numbers) {
        ("all pairs", &[large]) => all_pairs::run(context, pool, large),
        ("churn", &[rounds, seed]) => churn::run(context, pool, rounds, seed),
        ("come and go", &[rounds]) => coming_back::come_and_go(context, pool, rounds),
        ("use who comes and goes", &[rank]) => coming_back::use_memory_of(context, pool, rank),
        ("crowd", &[rounds]) => crowd::run(context, pool, rounds),
        ("grow", &[steps]) => growth::grow(context, pool, steps),
        ("watch growth", &[]) => growth::watch(context, pool),
        ("words", &[each]) => words::run(context, pool, each),
        _ => Err(Failure::wrong(format!("there is no scenario {name} {numbers:?}"))),
    }
    .map(|()| Answer::Done)
}

/// The kind of memory that a scenario with one kind works on: host memory, unless the pool has none.
fn subject(pool: &Pool) -> MemKind {
    if pool.local_bytes(MemKind::Host) > 0 { MemKind::Host } else { MemKind::Device }
}
