// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Decides what happens to a job: events in, actions out, no processes and no clock.
//!
//! A job *runs* until a rank fails or a signal asks it to stop; then the others are stopped (`SIGTERM`, or
//! the very signal that was asked for) and the job is *stopping*; when its time is over, or a second request
//! comes, everything left is *killed*. The exit code comes from the first failed rank; a stopped job without
//! failed ranks has the code of the signal.

use mf_program::signals::code_of;
use rustix::process::Signal;

/// Exit of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It exited with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
}

impl Ending {
    /// The exit code that a shell would report.
    pub(super) fn exit_code(self) -> u8 {
        match self {
            Ending::Code(code) => u8::try_from(code & 0xff).unwrap_or(u8::MAX),
            Ending::Signal(number) => code_of(number),
        }
    }

    /// In words.
    pub(super) fn text(self) -> String {
        match self {
            Ending::Code(code) => format!("exited with code {code}"),
            Ending::Signal(number) => match Signal::from_named_raw(number) {
                Some(signal) => {
                    // The type calls them Signal::KILL and Signal::ABORT, the manuals SIGKILL and SIGABRT.
                    let name = format!("{signal:?}").replace("Signal::", "SIG").replace('"', "");
                    let name =
                        name.replace("ABORT", "ABRT").replace("ALARM", "ALRM").replace("CHILD", "CHLD");
                    format!("was ended by {name} (signal {number})")
                }
                None => format!("was ended by signal {number}"),
            },
        }
    }
}

/// Events of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A rank ended.
    Ended { rank: usize, ending: Ending },
    /// The job is asked to stop, with this signal.
    Asked(Signal),
    /// The job has failed on another host, with this exit code.
    Elsewhere { code: u8 },
    /// There is no reader of the output any more.
    OutputClosed,
    /// The grace period that [`Action::StartGrace`] began is over.
    GraceOver,
}

/// Actions for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Send a signal to all ranks that are alive.
    Send(Signal),
    /// Send [`Event::GraceOver`] after the grace period.
    StartGrace,
    /// Report to the user that this rank failed first.
    Report { rank: usize, ending: Ending },
    /// Report to the user that this many ranks did not end in time and are killed.
    ReportKill { alive: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Running,
    Stopping,
    Killing,
}

/// A job with the state of its ranks.
#[derive(Debug)]
pub(super) struct Job {
    alive: Vec<bool>,
    phase: Phase,
    first_failure: Option<u8>,
    asked: Option<u8>,
}

impl Job {
    /// A job of `ranks` running ranks.
    pub(super) fn new(ranks: usize) -> Self {
        Self { alive: vec![true; ranks], phase: Phase::Running, first_failure: None, asked: None }
    }

    /// True if `rank` has not ended.
    pub(super) fn is_alive(&self, rank: usize) -> bool {
        self.alive.get(rank).copied().unwrap_or(false)
    }

    /// The exit code, once all ranks have ended.
    pub(super) fn finished(&self) -> Option<u8> {
        let over = self.alive.iter().all(|alive| !alive);
        over.then(|| self.first_failure.or(self.asked).unwrap_or(0))
    }

    /// True if its ranks are being ended.
    pub(super) fn is_ending(&self) -> bool {
        self.phase != Phase::Running
    }

    /// True if it was asked to stop, or has lost its reader.
    pub(super) fn is_stopping(&self) -> bool {
        self.asked.is_some()
    }

    /// Takes an event.
    pub(super) fn handle(&mut self, event: Event) -> Vec<Action> {
        match event {
            Event::Ended { rank, ending } => self.ended(rank, ending),
            Event::Asked(signal) => self.on_stop_request(code_of(signal.as_raw()), signal),
            Event::Elsewhere { code } if self.phase == Phase::Running => {
                self.first_failure.get_or_insert(code);
                self.stop(Signal::TERM)
            }
            Event::Elsewhere { .. } => Vec::new(),
            Event::OutputClosed => self.on_stop_request(mf_program::output::CLOSED_PIPE, Signal::TERM),
            Event::GraceOver if self.phase == Phase::Stopping => self.kill(),
            Event::GraceOver => Vec::new(),
        }
    }

    fn ended(&mut self, rank: usize, ending: Ending) -> Vec<Action> {
        if !self.is_alive(rank) {
            return Vec::new();
        }
        self.alive[rank] = false;
        if ending == Ending::Code(0) || self.first_failure.is_some() {
            return Vec::new();
        }
        self.first_failure = Some(ending.exit_code());
        if self.phase != Phase::Running {
            return Vec::new();
        }
        let mut actions = vec![Action::Report { rank, ending }];
        actions.extend(self.stop(Signal::TERM));
        actions
    }

    fn on_stop_request(&mut self, code: u8, signal: Signal) -> Vec<Action> {
        self.asked.get_or_insert(code);
        match self.phase {
            Phase::Running => self.stop(signal),
            Phase::Stopping => self.kill(),
            Phase::Killing => Vec::new(),
        }
    }

    fn stop(&mut self, signal: Signal) -> Vec<Action> {
        self.phase = Phase::Stopping;
        if self.count_alive() == 0 { Vec::new() } else { vec![Action::Send(signal), Action::StartGrace] }
    }

    fn kill(&mut self) -> Vec<Action> {
        self.phase = Phase::Killing;
        match self.count_alive() {
            0 => Vec::new(),
            alive => vec![Action::ReportKill { alive }, Action::Send(Signal::KILL)],
        }
    }

    fn count_alive(&self) -> usize {
        self.alive.iter().filter(|alive| **alive).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(rank: usize, ending: Ending) -> Event {
        Event::Ended { rank, ending }
    }

    #[test]
    fn success_of_all_ranks_exits_with_zero() {
        let mut job = Job::new(2);
        assert!(job.handle(ended(1, Ending::Code(0))).is_empty());
        assert_eq!(job.finished(), None);
        assert!(job.handle(ended(0, Ending::Code(0))).is_empty());
        assert_eq!(job.finished(), Some(0));
    }

    #[test]
    fn first_failure_ends_the_others_and_names_the_code() {
        let mut job = Job::new(3);
        let ending = Ending::Code(7);
        assert_eq!(
            job.handle(ended(1, ending)),
            [Action::Report { rank: 1, ending }, Action::Send(Signal::TERM), Action::StartGrace]
        );
        assert!(job.handle(ended(0, Ending::Signal(15))).is_empty());
        assert_eq!(
            job.handle(Event::GraceOver),
            [Action::ReportKill { alive: 1 }, Action::Send(Signal::KILL)]
        );
        assert!(job.handle(ended(2, Ending::Signal(9))).is_empty());
        assert_eq!(job.finished(), Some(7));
    }

    #[test]
    fn a_failure_on_another_host_ends_the_ranks_of_this_one() {
        let mut job = Job::new(2);
        assert!(job.handle(ended(1, Ending::Code(0))).is_empty());
        let elsewhere = Event::Elsewhere { code: 7 };
        assert_eq!(job.handle(elsewhere), [Action::Send(Signal::TERM), Action::StartGrace]);
        assert!(job.is_ending() && job.handle(elsewhere).is_empty());
        assert!(job.handle(ended(0, Ending::Signal(15))).is_empty());
        assert_eq!((job.finished(), job.is_stopping()), (Some(7), false));
    }

    #[test]
    fn death_by_signal_is_128_plus_its_number() {
        let mut job = Job::new(1);
        job.handle(ended(0, Ending::Signal(9)));
        assert_eq!(job.finished(), Some(137));
    }

    #[test]
    fn first_signal_is_forwarded_and_a_second_one_kills() {
        let mut job = Job::new(2);
        assert_eq!(job.handle(Event::Asked(Signal::INT)), [Action::Send(Signal::INT), Action::StartGrace]);
        assert_eq!(
            job.handle(Event::Asked(Signal::INT)),
            [Action::ReportKill { alive: 2 }, Action::Send(Signal::KILL)]
        );
        assert!(job.handle(Event::Asked(Signal::INT)).is_empty());
        job.handle(ended(0, Ending::Signal(9)));
        job.handle(ended(1, Ending::Signal(9)));
        assert_eq!(job.finished(), Some(137));
    }

    #[test]
    fn stopped_job_exits_with_the_signal_code() {
        let mut job = Job::new(1);
        job.handle(Event::Asked(Signal::TERM));
        job.handle(ended(0, Ending::Code(0)));
        assert_eq!(job.finished(), Some(143));
    }

    #[test]
    fn grace_expiry_after_the_end_changes_nothing() {
        let mut job = Job::new(1);
        assert!(job.handle(Event::GraceOver).is_empty());
        job.handle(Event::Asked(Signal::TERM));
        job.handle(ended(0, Ending::Code(0)));
        assert!(job.handle(Event::GraceOver).is_empty());
    }

    #[test]
    fn repeated_end_of_a_rank_counts_once() {
        let mut job = Job::new(2);
        job.handle(ended(0, Ending::Code(1)));
        assert!(job.handle(ended(0, Ending::Code(2))).is_empty());
        assert!(job.handle(ended(9, Ending::Code(2))).is_empty());
        job.handle(ended(1, Ending::Code(0)));
        assert_eq!(job.finished(), Some(1));
    }

    #[test]
    fn closed_output_stops_the_job_quietly() {
        let mut job = Job::new(1);
        assert_eq!(job.handle(Event::OutputClosed), [Action::Send(Signal::TERM), Action::StartGrace]);
        job.handle(ended(0, Ending::Code(0)));
        assert_eq!(job.finished(), Some(141));
    }
}
