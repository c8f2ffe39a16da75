// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A job of ranks that run kernels, on a simulated machine of its own.

use std::time::Duration;

use super::case::Case;
use super::order::Order as KernelOrder;
use crate::member::Member;
use crate::order::{Answer, Failure, Order};
use crate::{Job, accelerator, deadline};

/// Devices of the machine; ranks beyond share them.
const DEVICES: u32 = 8;
/// Longest that a rank takes for one order: cores are few, and careful runs slow.
const TIMEOUT: Duration = Duration::from_secs(120);
/// File with the kernels to run, instead of the library's.
pub const FILE_VARIABLE: &str = "MF_TEST_KERNELS";
/// The object that all work on.
pub const OBJECT: u32 = 0;

/// The ranks of a job. Dropping it kills them.
pub struct Ranks {
    /// The ranks, in order.
    pub members: Vec<Member>,
    job: Job,
    bytes: u64,
    object: u32,
}

impl Ranks {
    /// A job of `world` ranks of `program`, with an object of `bytes` per rank, with these knobs of the
    /// simulator (named without the prefix `ASCEND_SIM_`).
    #[track_caller]
    pub fn start(program: &str, world: u32, bytes: u64, knobs: &[(&str, &str)]) -> Self {
        Self::start_with_timeout(program, world, bytes, knobs, None)
    }

    /// The same with ranks that wait so long for each other.
    #[track_caller]
    pub fn start_with_timeout(
        program: &str,
        world: u32,
        bytes: u64,
        knobs: &[(&str, &str)],
        control: Option<Duration>,
    ) -> Self {
        let mut job = Job::new(program, world);
        accelerator::give(&mut job, accelerator::SIMULATOR);
        job.set("ASCEND_SIM_DEVICES", &DEVICES.to_string());
        if let Ok(file) = std::env::var(FILE_VARIABLE) {
            job.set(FILE_VARIABLE, &file);
        }
        for (knob, value) in knobs {
            job.set(&format!("ASCEND_SIM_{knob}"), value);
        }
        let members = (0..world)
            .map(|rank| {
                let mut member = job.process(&format!("rank {rank}"));
                let mut init = job.init(rank);
                if let Some(control) = control {
                    init.control_ms = u64::try_from(control.as_millis()).unwrap();
                }
                let device = u16::try_from(rank % DEVICES).unwrap();
                member.send(&Order::Kernel(Box::new(KernelOrder::Init(init, device))));
                member
            })
            .collect();
        let mut ranks = Self { members, job, bytes, object: OBJECT };
        let answers = ranks.answers();
        ranks.all_well(answers);
        ranks.each(&KernelOrder::Create(OBJECT, bytes));
        ranks
    }

    /// Number of ranks.
    pub fn world(&self) -> u32 {
        u32::try_from(self.members.len()).unwrap()
    }

    /// The number of the object.
    pub fn object(&self) -> u32 {
        self.object
    }

    /// Orders the same of all at the same time; all must succeed.
    #[track_caller]
    pub fn each(&mut self, order: &KernelOrder) -> Vec<Answer> {
        let answers = self.tried(order);
        self.all_well(answers)
    }

    /// Orders the same of all at the same time.
    #[track_caller]
    pub fn tried(&mut self, order: &KernelOrder) -> Vec<Result<Answer, Failure>> {
        let order = Order::Kernel(Box::new(order.clone()));
        for member in &mut self.members {
            member.send(&order);
        }
        self.answers()
    }

    /// Runs cases, one after the other, which must be right in every rank.
    #[track_caller]
    pub fn run(&mut self, cases: impl IntoIterator<Item = Case>) {
        for case in cases {
            self.each(&KernelOrder::Run(self.object, case));
        }
    }

    /// Replaces the object by a new one, without state of earlier failures.
    #[track_caller]
    pub fn renew(&mut self) {
        self.each(&KernelOrder::Destroy(self.object));
        // Another number, to avoid ranks still busy with the old one.
        self.object = (self.object + 1) % 64;
        self.each(&KernelOrder::Create(self.object, self.bytes));
    }

    /// Sends an order to one rank, which must succeed.
    #[track_caller]
    pub fn ok(&mut self, rank: usize, order: KernelOrder) -> Answer {
        let answers = vec![self.one(rank, order)];
        self.all_well(answers).remove(0)
    }

    /// Sends an order to one rank.
    #[track_caller]
    pub fn one(&mut self, rank: usize, order: KernelOrder) -> Result<Answer, Failure> {
        self.members[rank].send(&Order::Kernel(Box::new(order)));
        self.members[rank].answer_within(TIMEOUT)
    }

    /// Ends in order: nothing may be left.
    #[track_caller]
    pub fn finish(mut self) {
        for answer in self.each(&KernelOrder::Finish) {
            assert_eq!(answer, Answer::Remains(Vec::new()), "something is left over");
        }
        for member in std::mem::take(&mut self.members) {
            member.dismiss();
        }
    }

    /// The job.
    pub fn job(&self) -> &Job {
        &self.job
    }

    #[track_caller]
    fn answers(&mut self) -> Vec<Result<Answer, Failure>> {
        self.members.iter_mut().map(|member| member.answer_within(TIMEOUT.max(deadline::limit()))).collect()
    }

    #[track_caller]
    fn all_well(&self, answers: Vec<Result<Answer, Failure>>) -> Vec<Answer> {
        let failures: Vec<String> = answers
            .iter()
            .enumerate()
            .filter_map(|(rank, answer)| Some(format!("rank {rank}: {}", answer.as_ref().err()?.text)))
            .collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        answers.into_iter().map(|answer| answer.unwrap()).collect()
    }
}
