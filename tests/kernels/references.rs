// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Results of kernels, bit for bit, for every number of ranks and under every schedule.

use mf_tests::kernels::{Case, Direction, Op, Order, Ranks, Type, Work};
use mf_tests::skip;

use super::{MIB, PROGRAM, has_kernels, lists};

/// Runs all cases in a job of so many ranks.
fn all(ranks: u32, knobs: &[(&str, &str)]) {
    if !has_kernels("kernels against their references") {
        return;
    }
    let mut job = Ranks::start(PROGRAM, ranks, 16 * MIB, knobs);
    job.run(lists::all(ranks));
    job.finish();
}

/// Runs a few cases on each of several machines.
fn few(ranks: u32, machines: &[&[(&str, &str)]]) {
    if !has_kernels("kernels on several machines") {
        return;
    }
    for knobs in machines {
        eprintln!("{ranks} ranks: {knobs:?}");
        let mut job = Ranks::start(PROGRAM, ranks, 4 * MIB, knobs);
        // Objects are not where kernels expect them; the log has a line when one is made.
        let is_blind = knobs.iter().any(|(_, value)| value.starts_with("Ascend950"));
        if is_blind {
            skip("kernels that meet, on a 950", "its addresses cannot be chosen, so there is no meta area");
        }
        job.run(lists::few().into_iter().filter(|case| case.work.is_local() || !is_blind));
        job.finish();
    }
}

#[test]
fn one_rank_alone() {
    all(1, &[]);
}

#[test]
fn two_ranks() {
    all(2, &[]);
}

#[test]
fn three_ranks_with_instructions_at_random() {
    all(3, &[("SCHEDULE", "random(7)")]);
}

#[test]
fn four_ranks_without_the_checks() {
    all(4, &[("KERNELS", "eager")]);
}

#[test]
fn eight_ranks() {
    few(8, &[&[], &[("SCHEDULE", "random(1)")]]);
}

#[test]
fn many_schedules() {
    // With fewer of them in a hurry: as many as the pools are tried with.
    let seeds: u64 = std::env::var("MF_TEST_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(20);
    for seed in 1..=seeds {
        few(2, &[&[("SCHEDULE", &format!("random({seed})"))]]);
    }
}

#[test]
fn all_products_and_alias_addressing() {
    few(2, &[&[("SOC", "Ascend910B3")], &[("SOC", "Ascend950PR_957c")], &[("ADDR", "alias")]]);
}

#[test]
fn every_core_at_once() {
    if !has_kernels("kernels on all cores") {
        return;
    }
    let mut job = Ranks::start(PROGRAM, 2, 4 * MIB, &[]);
    let (kind, op) = (Type::F32, Op::Sum);
    for work in [
        Work::Copy { bytes: 100_003, direction: Direction::Get },
        Work::Allgather { bytes: 10_007 },
        Work::TwoShot { count: 5_003, kind, op },
        // More blocks than there is to do.
        Work::OneShot { count: 3, kind, op },
        Work::Shift { bytes: 5, by: 1 },
    ] {
        job.run([Case::new(work, 48)]);
    }
    job.each(&Order::Barriers(job.object(), 3, 48, None));
    job.finish();
}

#[test]
fn sixteen_mib_of_fp16_over_eight_ranks() {
    if !has_kernels("allreduce of 16 MiB") {
        return;
    }
    let mut job = Ranks::start(PROGRAM, 8, 40 * MIB, &[("KERNELS", "eager")]);
    let (kind, op) = (Type::F16, Op::Sum);
    job.run([Case::new(Work::TwoShot { count: 8 << 20, kind, op }, 2)]);
    job.finish();
}

#[test]
fn no_rank_leaves_the_barrier_before_all_arrive() {
    if !has_kernels("the barrier of ranks") {
        return;
    }
    for ranks in [1, 2, 3, 5] {
        let mut job = Ranks::start(PROGRAM, ranks, 2 * MIB, &[]);
        job.each(&Order::Barriers(job.object(), 20, 2, None));
        for late in 0..ranks {
            job.each(&Order::Barriers(job.object(), 2, 3, Some(late)));
        }
        // Another object begins anew.
        job.renew();
        job.each(&Order::Barriers(job.object(), 5, 1, None));
        job.finish();
    }
}

#[test]
fn every_library_kernel_is_tested_and_documented() {
    let guide = include_str!("../../docs/kernels.md");
    // Kernels with lists of addresses are run, and compared with models, by
    // python/tests/test_offload_npu.py and tests/trans/quantised.rs.
    let elsewhere = [
        "mf_barrier",
        "mf_offload_sparse_copy",
        "mf_offload_group_pack_copy",
        "mf_offload_kv_exchange_copy",
        "mf_offload_entry_gather",
        "mf_quantise_pieces",
    ];
    let run: Vec<&str> = lists::few().iter().map(|case| case.work.kernel()).chain(elsewhere).collect();
    for kernel in mf_device_kernels::table() {
        assert!(run.contains(&&*kernel.name), "{} is run nowhere", kernel.name);
        assert!(
            guide.contains(&format!("| `{}` |", kernel.name)),
            "{} is not in docs/kernels.md",
            kernel.name
        );
    }
}

#[test]
fn matmul_is_correct_whichever_rank_is_late() {
    if !has_kernels("products with late ranks") {
        return;
    }
    // Under every schedule each rank is late once, with other shapes than under the others.
    for (turns, schedule) in [(0..3, "fifo"), (3..6, "random(1)"), (6..9, "random(2)")] {
        let mut job = Ranks::start(PROGRAM, 3, 4 * MIB, &[("SCHEDULE", schedule)]);
        for turn in turns {
            let work = Work::Matmul { m: 200, k: 300 - turn, n: 260 + turn };
            let case = Case::new(work, 2).seed(turn as u64);
            job.run([case.late(u32::try_from(turn % 3).unwrap()), case]);
        }
        job.finish();
    }
}
