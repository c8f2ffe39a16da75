// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Joins over a line: members on both hosts by turns, the store with rank 0; all are started first and join
//! at the same moment.

use mf_base::Result;
use mf_measure::members::{Job, Member, values};
use mf_measure::turns::Measured;

use super::super::super::task::Task as Work;
use super::ends::Ends;
use super::member::{Joined, Task};
use super::store_url;

/// Seconds of a join: of all of it, behind the last member's call, and of its phases in the slowest member.
pub(super) struct Took {
    pub(super) all: f64,
    pub(super) phases: [f64; 3],
}

impl Took {
    pub(super) fn measured(&self, name: &str) -> Measured {
        Measured { name: name.to_owned(), seconds: vec![self.all], cpu_seconds: 0.0 }
    }
}

/// A join of so many members on the hosts of this line.
pub(super) fn measure(ends: &Ends, members: u32, environment: &[(&str, &str)]) -> Result<Took> {
    let job = Job::at(store_url())?;
    let mut started = Vec::new();
    for rank in 0..members {
        let task = Work::Line(Task::Join { members, rank });
        started.push(ends.on(rank as usize % 2, || job.start(&format!("rank {rank}"), &task, environment))?);
    }
    let ready: Vec<bool> = values(&mut started)?;
    debug_assert!(ready.iter().all(|ready| *ready));
    for member in &mut started {
        member.send("go")?;
    }
    let joined: Vec<Joined> = values(&mut started)?;
    // Rank 0 serves the store and ends last.
    started.into_iter().rev().try_for_each(Member::end)?;
    Ok(took(&joined))
}

fn took(joined: &[Joined]) -> Took {
    let most = |of: fn(&Joined) -> f64| joined.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    Took {
        all: most(|one| one.joined) - most(|one| one.begun),
        phases: [
            most(|one| one.member - one.begun),
            most(|one| one.created - one.member),
            most(|one| one.joined - one.created),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_counts_from_the_last_call() {
        let one =
            |begun: f64| Joined { begun, member: begun + 1.0, created: begun + 1.5, joined: begun + 3.0 };
        let took = took(&[one(10.0), one(10.5)]);
        assert_eq!((took.all, took.phases), (3.0, [1.0, 0.5, 1.5]));
    }
}
