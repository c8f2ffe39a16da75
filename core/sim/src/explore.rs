// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Runs of many seeds, until one fails; then its schedule is shrunk.

use std::cell::Cell;
use std::fmt::{self, Display};
use std::future::Future;
use std::sync::Once;

use crate::choice::{Schedule, Source};
use crate::rank::Rank;
use crate::run::{Cause, Run, drive};
use crate::shrink::shrink;
use crate::world::World;

/// Most choices that the text of a failure lists.
const LISTED: usize = 40;

/// A failing run, shrunk. `Display` writes all of it: reason, seed, choices, trace.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Kind of the failure.
    pub cause: Cause,
    /// Reason, with the rank.
    pub reason: String,
    /// Seed of the run that failed first: `World::run` repeats it.
    pub seed: u64,
    /// Trace of the run of this seed.
    pub trace: String,
    /// Shortest schedule that was found: `World::replay` runs it.
    pub schedule: Schedule,
    /// Reason of the shrunk run.
    pub shrunk_reason: String,
    /// Trace of the shrunk run: time, rank, operation, effect.
    pub shrunk_trace: String,
    /// Number of choices before shrinking.
    pub choices: usize,
    /// Number of runs until the failure, this one included.
    pub runs: u64,
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {} fails: {}", self.seed, self.reason)?;
        writeln!(
            f,
            "shrunk from {} to {} choices: {}",
            self.choices,
            self.schedule.len(),
            self.shrunk_reason
        )?;
        for choice in self.schedule.described().iter().take(LISTED) {
            writeln!(f, "  {choice}")?;
        }
        if self.schedule.len() > LISTED {
            writeln!(f, "  and {} more", self.schedule.len() - LISTED)?;
        }
        writeln!(f, "schedule: {}", self.schedule)?;
        write!(f, "{}", self.shrunk_trace)
    }
}

impl std::error::Error for Failure {}

impl World {
    /// Runs the program of each rank once, with the choices of `seed`, and traces it. The same program, world
    /// and seed give the same trace, byte for byte.
    ///
    /// `program` is called once for each rank; the future that it returns is the rank. The run fails when
    /// one returns an error or panics, and when one does not return before the horizon.
    pub fn run<T, E, P, F>(&self, seed: u64, program: P) -> Run<T>
    where
        P: Fn(Rank) -> F,
        F: Future<Output = Result<T, E>> + 'static,
        T: 'static,
        E: Display,
    {
        drive(self, Source::Seed(seed), true, &program)
    }

    /// Runs the program of each rank once, with the choices of `schedule`, and traces it.
    pub fn replay<T, E, P, F>(&self, schedule: &Schedule, program: P) -> Run<T>
    where
        P: Fn(Rank) -> F,
        F: Future<Output = Result<T, E>> + 'static,
        T: 'static,
        E: Display,
    {
        drive(self, Source::schedule(schedule), true, &program)
    }

    /// Runs the program with each seed until a run fails or `check` refuses one. Returns the number of runs.
    ///
    /// `check` sees runs in which no rank has failed; it judges memory, store and returned values. The
    /// failing run is shrunk with at most `World::shrink_runs` further runs. Messages of panics are not
    /// printed meanwhile, on this thread only.
    ///
    /// # Errors
    /// The first failure.
    pub fn explore<T, E, P, F, C>(
        &self,
        seeds: impl IntoIterator<Item = u64>,
        program: P,
        check: C,
    ) -> Result<u64, Box<Failure>>
    where
        P: Fn(Rank) -> F,
        F: Future<Output = Result<T, E>> + 'static,
        T: 'static,
        E: Display,
        C: Fn(&Run<T>) -> Result<(), String>,
    {
        let _quiet = Quiet::begin();
        let judge = |run: &Run<T>| match run.failure() {
            Some((cause, text)) => Some((cause, text.to_owned())),
            None => check(run).err().map(|text| (Cause::Check, text)),
        };
        let mut runs = 0;
        for seed in seeds {
            runs += 1;
            let run = drive(self, Source::Seed(seed), false, &program);
            let Some((cause, reason)) = judge(&run) else { continue };
            let traced = drive(self, Source::Seed(seed), true, &program);
            let again = judge(&traced);
            if again.as_ref() != Some(&(cause, reason.clone())) || traced.schedule() != run.schedule() {
                return Err(Box::new(nondeterministic(seed, runs, &reason, again, &traced)));
            }
            let shortest = shrink(run.schedule().clone(), self.shrink_runs, |candidate| {
                let run = drive(self, Source::schedule(candidate), false, &program);
                judge(&run).filter(|(found, _)| *found == cause).map(|_| run.schedule().clone())
            });
            let shrunk = drive(self, Source::schedule(&shortest), true, &program);
            let shrunk_reason = judge(&shrunk).map_or_else(|| reason.clone(), |(_, text)| text);
            return Err(Box::new(Failure {
                cause,
                reason,
                seed,
                trace: traced.trace(),
                choices: run.schedule().len(),
                schedule: shortest,
                shrunk_reason,
                shrunk_trace: shrunk.trace(),
                runs,
            }));
        }
        Ok(runs)
    }
}

fn nondeterministic<T>(
    seed: u64,
    runs: u64,
    reason: &str,
    again: Option<(Cause, String)>,
    run: &Run<T>,
) -> Failure {
    let again = again.map_or("passed".to_owned(), |(_, text)| format!("failed with {text:?}"));
    Failure {
        cause: Cause::Nondeterministic,
        reason: format!(
            "a run failed with {reason:?}, and {again} when it was repeated: the program depends on something \
             that is not simulated (a clock, the order of a hash table, random numbers, values of earlier runs)"
        ),
        seed,
        trace: run.trace(),
        choices: run.schedule().len(),
        schedule: run.schedule().clone(),
        shrunk_reason: "not shrunk".into(),
        shrunk_trace: run.trace(),
        runs,
    }
}

thread_local! {
    static IS_QUIET: Cell<u32> = const { Cell::new(0) };
}

/// Mutes panics of this thread: a failing schedule panics again and again while it shrinks.
struct Quiet;

impl Quiet {
    fn begin() -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let print = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                if IS_QUIET.get() == 0 {
                    print(info);
                }
            }));
        });
        IS_QUIET.set(IS_QUIET.get() + 1);
        Self
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        IS_QUIET.set(IS_QUIET.get() - 1);
    }
}
