// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every synchronisation in the kernels is needed: with any single one left out, a run fails or computes
//! something wrong.
//!
//! The emulation notes which calls of synchronisation a run meets (`ASCEND_SIM_SITES`), and leaves out the
//! given one (`ASCEND_SIM_LEAVE_OUT=FILE:LINE`). Hazards inside a core are found under any schedule; between
//! ranks only wrong data shows, so a pass under the first schedule is tried again with late ranks and other
//! seeds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mf_tests::kernels::{Case, Direction, Op, Order, Ranks, Type, Work};
use mf_tests::{Answer, Failure};

use super::{MIB, PROGRAM, has_kernels};

/// Three: the barrier of ranks has then more than one round.
const RANKS: u32 = 3;
/// Jobs at a time: most of the time they wait for what will never come.
const JOBS: usize = 6;
/// A rank that is left waiting gives up after that.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Cores that wait for each other for ever are ended after that.
const LONGEST_S: u64 = 10;
/// Schedules, tried until every call was missed. In `fifo` a core's cache keeps its lines, so that missing
/// cleans are noticed.
const SCHEDULES: [&str; 4] = ["random(1)", "fifo", "random(2)", "random(3)"];

/// Trials for some kernels.
enum Trial {
    Cases(Vec<Case>),
    Barriers,
}

/// The calls that a trial meets, as `FILE:LINE NAME`, and what noticed that one was left out. A call in a
/// header counts as needed once any kernel has missed it.
#[derive(Default)]
struct Findings {
    met: BTreeMap<usize, BTreeSet<String>>,
    noticed: BTreeMap<String, String>,
}

impl Findings {
    fn missing(&self) -> BTreeSet<&String> {
        self.met.values().flatten().filter(|site| !self.noticed.contains_key(*site)).collect()
    }

    fn table(&self) -> String {
        let mut text = String::from("left out | noticed by\n");
        for site in self.met.values().flatten().collect::<BTreeSet<_>>() {
            let found = self.noticed.get(site).map_or("NOBODY", |found| &**found).replace('\n', " ");
            let found: String = found.chars().take(200).collect();
            let _ = writeln!(text, "{site} | {found}");
        }
        text
    }
}

#[test]
fn removing_any_synchronisation_is_detected() {
    if !has_kernels("kernels with a synchronisation left out") {
        return;
    }
    let trials = trials();
    let findings = Mutex::new(Findings::default());
    for schedule in SCHEDULES {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..JOBS {
                scope.spawn(|| work_off(&trials, &next, schedule, &findings));
            }
        });
        if findings.lock().unwrap().missing().is_empty() {
            break;
        }
    }
    let findings = findings.into_inner().unwrap();
    eprintln!("{}", findings.table());
    assert!(findings.noticed.len() > 20, "few synchronisations were met");
    let missing = findings.missing();
    assert!(missing.is_empty(), "left out without notice: {missing:#?}");
}

/// A job that takes the next trial until none is left.
fn work_off(trials: &[Trial], next: &AtomicUsize, schedule: &str, findings: &Mutex<Findings>) {
    let knobs = [("SCHEDULE", schedule), ("OP_TIMEOUT", "3")];
    let mut job = Ranks::start_with_timeout(PROGRAM, RANKS, 16 * MIB, &knobs, Some(TIMEOUT));
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(trial) = trials.get(number) else { break };
        let known = findings.lock().unwrap().met.get(&number).cloned();
        let met = known.unwrap_or_else(|| sites(&mut job, trial));
        findings.lock().unwrap().met.insert(number, met.clone());
        for site in met {
            if findings.lock().unwrap().noticed.contains_key(&site) {
                continue;
            }
            if let Some(found) = miss(&mut job, trial, &site) {
                findings.lock().unwrap().noticed.insert(site, format!("{schedule}: {found}"));
            }
        }
    }
    job.finish();
}

/// The calls that a run meets.
fn sites(job: &mut Ranks, trial: &Trial) -> BTreeSet<String> {
    let file = std::env::temp_dir().join(format!("mf-sites-{}-{}", std::process::id(), job.job().port()));
    let variable = |value: Option<String>| Order::Environment("ASCEND_SIM_SITES".to_owned(), value);
    job.each(&variable(Some(file.display().to_string())));
    attempt(job, trial).expect("it is right with all of them");
    job.each(&variable(None));
    let lines = std::fs::read_to_string(&file).unwrap_or_default();
    let _ = std::fs::remove_file(&file);
    lines.lines().filter(|site| !is_only_form(site)).map(str::to_owned).collect()
}

/// True if the site is `PipeBarrier<PIPE_ALL>` as the last statement of a kernel of the library or of the
/// function with its TPipe. Only super kernels need it: no work follows, or the end of TPipe waits.
fn is_only_form(site: &str) -> bool {
    const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../device-kernels/kernels");
    let Some((file, rest)) = site.split_once(':') else { return false };
    let line: usize = rest.split(' ').next().and_then(|line| line.parse().ok()).unwrap_or(usize::MAX);
    let source = std::fs::read_to_string(std::path::Path::new(KERNELS).join(file)).unwrap_or_default();
    let lines: Vec<&str> = source.lines().collect();
    let ends_a_kernel = lines.get(line + 1).is_some_and(|next| next.starts_with("MF_KERNEL"));
    let body = lines.iter().take(line).rev().take_while(|before| **before != "{");
    let ends_a_pipe = body.into_iter().any(|statement| statement.contains("AscendC::TPipe "));
    lines.get(line) == Some(&"}") && (ends_a_kernel || ends_a_pipe)
}

/// Runs without the call at `site`; what showed that it was missing.
fn miss(job: &mut Ranks, trial: &Trial, site: &str) -> Option<String> {
    let place = site.split(' ').next().unwrap_or(site).to_owned();
    let variable = |value: Option<String>| Order::Environment("ASCEND_SIM_LEAVE_OUT".to_owned(), value);
    job.each(&variable(Some(place)));
    let found = attempt(job, trial).err();
    job.each(&variable(None));
    if found.is_some() {
        job.renew();
    }
    found.map(|failure| failure.text)
}

/// Runs everything; the first failure that is no mere consequence of another rank's.
fn attempt(job: &mut Ranks, trial: &Trial) -> Result<(), Failure> {
    let object = job.object();
    match trial {
        Trial::Cases(cases) => {
            for case in cases {
                // Once with a late rank each: what waits for it must wait.
                for late in [None, Some(0), Some(1), Some(RANKS - 1)] {
                    first_failure(job.tried(&Order::Run(object, Case { late, ..*case })))?;
                }
            }
            Ok(())
        }
        Trial::Barriers => [None, Some(0), Some(1), Some(RANKS - 1)]
            .into_iter()
            .try_for_each(|late| first_failure(job.tried(&Order::Barriers(object, 3, 2, late)))),
    }
}

fn first_failure(answers: Vec<Result<Answer, Failure>>) -> Result<(), Failure> {
    let mut failures: Vec<Failure> = answers.into_iter().filter_map(Result::err).collect();
    // The ranks that waited report a timeout; the cause has the better text.
    failures.sort_by_key(|failure| failure.code == mf_base::Kind::Timeout.code());
    failures.into_iter().next().map_or(Ok(()), Err)
}

/// More blocks than a machine for tests has cores, so that they get on at different times.
fn cases(work: impl IntoIterator<Item = Work>) -> Trial {
    Trial::Cases(
        (1..)
            .zip(work)
            .map(|(seed, work)| Case::new(work, 5).seed(seed).skewed(1, 3).within_s(LONGEST_S))
            .collect(),
    )
}

/// Several rounds of every buffer.
const LARGE: usize = 1_000_001;

/// All kernels.
fn trials() -> Vec<Trial> {
    let direction = Direction::Put;
    vec![
        cases([
            Work::Copy { bytes: LARGE, direction },
            Work::CopyStrided { rows: 4_200, row_bytes: 201, dst_gap: 3, src_gap: 40, direction },
        ]),
        cases([Work::Gather { count: 5_301, row_bytes: 133, table: 900, direction: Direction::Get }]),
        cases([Work::Scatter { count: 5_301, row_bytes: 133, table: 6_000, direction }]),
        cases([Work::Quantise { count: LARGE / 8, unit: 500, kind: Type::F16, has_factors: true }]),
        Trial::Barriers,
        cases([Work::Shift { bytes: LARGE, by: 1 }]),
        cases([Work::AllToAll { bytes: LARGE / 2 }]),
        cases([Work::Allgather { bytes: LARGE / 2 }]),
        cases([
            Work::ReduceScatter { count: LARGE / 8, kind: Type::F16, op: Op::Sum },
            Work::ReduceScatter { count: LARGE / 16, kind: Type::F32, op: Op::Max },
        ]),
        cases([
            Work::OneShot { count: LARGE / 8, kind: Type::Bf16, op: Op::Sum },
            Work::OneShot { count: LARGE / 16, kind: Type::F32, op: Op::Max },
        ]),
        cases([
            Work::TwoShot { count: LARGE / 4, kind: Type::F16, op: Op::Sum },
            Work::TwoShot { count: LARGE / 8, kind: Type::F32, op: Op::Max },
        ]),
        Trial::Cases(vec![Case::new(Work::Matmul { m: 200, k: 300, n: 260 }, 2).within_s(LONGEST_S)]),
    ]
}
