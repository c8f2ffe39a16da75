// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The loop that supervises the ranks: processes, pipes, signals and the clock.
//!
//! One thread, one `poll`. Every rank leads a process group of its own, so that its children are reached as
//! well; a rank that ended is reaped only after the rest of its group was killed, because until then the
//! number of the group cannot be given to another.

mod start;

use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;
use std::time::{Duration, Instant};

use mf_base::{Error, Result};
use mf_program::signals;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::environment::Words;
use super::guard::Guard;
use super::hosts::Hosts;
use super::line_prefix::Lines;
use super::logs::Logs;
use super::output::Outlet;
use super::state::{Action, Ending, Event, Job as State};
use super::{Args, OPERATION, environment};
use start::{allow_descriptors, start};

/// Bytes of one read.
const READ_BYTES: usize = 64 << 10;
/// Reads after a rank's end, for the rest of its pipes.
const LAST_READS: usize = 32;

/// A stream of a rank: 0 its standard output, 1 its standard error.
struct Stream {
    fd: OwnedFd,
    lines: Lines,
    /// The same for the rank's file, without the prefix.
    logged: Lines,
}

/// End of a job.
pub(super) struct Ended {
    pub(super) code: u8,
    /// It has failed by itself: no signal and no reader that went away has ended it.
    pub(super) may_restart: bool,
}

struct Rank {
    child: Child,
    pid: Pid,
    streams: [Option<Stream>; 2],
}

struct Supervisor<'a> {
    ranks: Vec<Rank>,
    guard: &'a Guard,
    logs: Option<&'a mut Logs>,
    /// Hosts that end the job together with this one.
    hosts: Option<&'a Hosts>,
    /// The rank in the job of the first rank here.
    first: u32,
    state: State,
    outlets: [Outlet; 2],
    grace: Duration,
    grace_ends: Option<Instant>,
    settling: Duration,
    /// A signal that waits for ranks to settle.
    held: Option<(Instant, Signal)>,
    words: Words,
}

/// Descriptors that `poll` found ready: streams to read (rank, stream), outlets to write, and news of other
/// hosts.
#[derive(Default)]
struct Ready {
    others: bool,
    streams: Vec<(usize, usize)>,
    outlets: Vec<usize>,
}

/// Starts all ranks of `job`, waits for them and returns how the job ended.
pub(super) fn run(
    job: &environment::Job,
    args: &Args,
    signal_pipe: &OwnedFd,
    guard: &Guard,
    logs: Option<&mut Logs>,
    hosts: Option<&Hosts>,
) -> Result<Ended> {
    let outlets = [Outlet::new(std::io::stdout())?, Outlet::new(std::io::stderr())?];
    allow_descriptors(job.ranks);
    let mut ranks = Vec::new();
    for rank in 0..job.ranks {
        match start(job, &args.command, rank, !args.no_prefix, guard) {
            Ok(started) => ranks.push(started),
            Err(code_or_error) => {
                end_all(&mut ranks, guard);
                return code_or_error.map(|code| Ended { code, may_restart: false });
            }
        }
    }
    let (grace, first) = (args.grace, job.global(0));
    let state = State::new(ranks.len());
    let (settling, words) = (job.settling, job.words);
    let supervisor = Supervisor {
        ranks,
        guard,
        logs,
        hosts,
        first,
        state,
        outlets,
        grace,
        grace_ends: None,
        settling,
        held: None,
        words,
    };
    supervisor.watch(signal_pipe)
}

/// Ends ranks that were started although the job as a whole could not.
fn end_all(ranks: &mut [Rank], guard: &Guard) {
    for rank in ranks.iter() {
        let _ = rustix::process::kill_process_group(rank.pid, Signal::KILL);
        guard.forget(rank.pid);
    }
    for rank in ranks {
        let _ = rank.child.wait();
    }
}

impl Supervisor<'_> {
    fn watch(mut self, signal_pipe: &OwnedFd) -> Result<Ended> {
        loop {
            self.reap();
            let over = self.state.finished();
            if let Some(code) = over
                && self.outlets.iter().all(Outlet::is_empty)
            {
                return Ok(Ended { code, may_restart: !self.state.is_stopping() });
            }
            let ready = self.poll(signal_pipe)?;
            for signal in signals::take(signal_pipe) {
                if signal == Signal::CHILD {
                    continue;
                }
                if let Some(code) = over {
                    // All ranks have ended and only a reader that does not read keeps us here.
                    return Ok(Ended { code, may_restart: false });
                }
                self.handle(Event::Asked(signal));
                self.report(signals::code_of(signal.as_raw()));
            }
            if let Some((why, code)) = self.hosts.filter(|_| ready.others).and_then(Hosts::news)
                && over.is_none()
                && !self.state.is_ending()
            {
                let text = format!("{}: {why}; ending the ranks of this host\n", self.words.command);
                self.outlets[1].push(text.as_bytes());
                self.handle(Event::Elsewhere { code });
            }
            for (rank, stream) in ready.streams {
                self.read(rank, stream);
            }
            for outlet in ready.outlets {
                if !self.outlets[outlet].write() {
                    self.handle(Event::OutputClosed);
                }
            }
            if let Some((_, signal)) = self.held.take_if(|(when, _)| *when <= Instant::now()) {
                self.send(signal);
            }
            if self.grace_ends.is_some_and(|end| end <= Instant::now()) {
                self.grace_ends = None;
                self.handle(Event::GraceOver);
            }
        }
    }

    /// Waits until something can be done.
    fn poll(&self, signal_pipe: &OwnedFd) -> Result<Ready> {
        let mut polled = vec![PollFd::new(signal_pipe, PollFlags::IN)];
        if let Some(hosts) = self.hosts {
            polled.push(PollFd::from_borrowed_fd(hosts.fd(), PollFlags::IN));
        }
        let mut writers = Vec::new();
        for (number, outlet) in self.outlets.iter().enumerate() {
            if let Some((fd, flags)) = outlet.interest() {
                polled.push(PollFd::from_borrowed_fd(fd, flags));
                writers.push(number);
            }
        }
        let mut readers = Vec::new();
        for (number, rank) in self.ranks.iter().enumerate() {
            for (which, stream) in rank.streams.iter().enumerate() {
                if let Some(stream) = stream
                    && self.outlets[which].has_room()
                {
                    polled.push(PollFd::from_borrowed_fd(stream.fd.as_fd(), PollFlags::IN));
                    readers.push((number, which));
                }
            }
        }
        let next = self.grace_ends.into_iter().chain(self.held.map(|(when, _)| when)).min();
        let timeout = next.map(|end| end.saturating_duration_since(Instant::now()));
        let timeout = timeout.and_then(|left| Timespec::try_from(left + Duration::from_millis(1)).ok());
        match rustix::event::poll(&mut polled, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(Ready::default()),
            Err(errno) => return Err(Error::os(OPERATION, errno)),
        }
        let mut ready: Vec<bool> = polled.iter().skip(1).map(|fd| !fd.revents().is_empty()).collect();
        let others = self.hosts.is_some() && ready.remove(0);
        let (ready_writers, ready_readers) = ready.split_at(writers.len());
        Ok(Ready {
            others,
            streams: readers
                .into_iter()
                .zip(ready_readers)
                .filter_map(|(item, ready)| ready.then_some(item))
                .collect(),
            outlets: writers
                .into_iter()
                .zip(ready_writers)
                .filter_map(|(item, ready)| ready.then_some(item))
                .collect(),
        })
    }

    /// Reads once from a stream. True when there may be more.
    fn read(&mut self, rank: usize, which: usize) -> bool {
        let Some(stream) = &mut self.ranks[rank].streams[which] else { return false };
        let mut bytes = [0u8; READ_BYTES];
        let (mut out, mut logged) = (Vec::new(), Vec::new());
        let more = match rustix::io::read(&stream.fd, &mut bytes) {
            Ok(count) if count > 0 => {
                stream.lines.push(&bytes[..count], &mut out);
                if self.logs.is_some() {
                    stream.logged.push(&bytes[..count], &mut logged);
                }
                true
            }
            Err(Errno::AGAIN) => false,
            Err(Errno::INTR) => true,
            Ok(_) | Err(_) => {
                stream.lines.finish(&mut out);
                stream.logged.finish(&mut logged);
                self.ranks[rank].streams[which] = None;
                false
            }
        };
        self.outlets[which].push(&out);
        self.log(rank, &logged);
        more
    }

    fn log(&mut self, rank: usize, lines: &[u8]) {
        if let Some(logs) = self.logs.as_deref_mut().filter(|_| !lines.is_empty()) {
            logs.write(rank, lines);
        }
    }

    /// Reaps ended ranks, kills the rest of their groups, reads their last output.
    fn reap(&mut self) {
        for number in 0..self.ranks.len() {
            if !self.state.is_alive(number) {
                continue;
            }
            let pid = self.ranks[number].pid;
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let Ok(Some(status)) = rustix::process::waitid(WaitId::Pid(pid), options) else { continue };
            // The rank is not reaped yet, so the number of its group still is its own.
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
            self.guard.forget(pid);
            let _ = self.ranks[number].child.wait();
            for which in 0..2 {
                for _ in 0..LAST_READS {
                    if !self.read(number, which) {
                        break;
                    }
                }
                if let Some(mut stream) = self.ranks[number].streams[which].take() {
                    // A process that left the group still holds the pipe; we do not wait for that.
                    let (mut out, mut logged) = (Vec::new(), Vec::new());
                    stream.lines.finish(&mut out);
                    stream.logged.finish(&mut logged);
                    self.outlets[which].push(&out);
                    self.log(number, &logged);
                }
            }
            let ending = match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Ending::Code(code),
                (None, signal) => Ending::Signal(signal.unwrap_or(0)),
            };
            self.handle(Event::Ended { rank: number, ending });
        }
    }

    fn handle(&mut self, event: Event) {
        // One that was killed has not notified the others.
        let may_settle =
            matches!(event, Event::Ended { ending: Ending::Code(_), .. }) && !self.settling.is_zero();
        for action in self.state.handle(event) {
            match action {
                Action::Send(signal) if may_settle => {
                    self.held = Some((Instant::now() + self.settling, signal));
                }
                Action::Send(signal) => self.send(signal),
                Action::StartGrace => self.grace_ends = Some(Instant::now() + self.grace),
                Action::Report { rank, ending } => {
                    let others = if self.ranks.len() > 1 { "; ending the others" } else { "" };
                    let Words { command, rank: one } = self.words;
                    let rank = self.first as usize + rank;
                    let text = format!("{command}: {one} {rank} {}{others}\n", ending.text());
                    self.outlets[1].push(text.as_bytes());
                    self.report(ending.exit_code());
                }
                Action::ReportKill { alive } => {
                    let Words { command, rank } = self.words;
                    let text = format!("{command}: killing {alive} {rank}s that did not end\n");
                    self.outlets[1].push(text.as_bytes());
                }
            }
        }
    }

    /// The other hosts end the job, too.
    fn report(&self, code: u8) {
        self.hosts.iter().for_each(|hosts| hosts.fail(code));
    }

    fn send(&self, signal: Signal) {
        for (number, rank) in self.ranks.iter().enumerate() {
            if self.state.is_alive(number) {
                // A rank that ended and is not reaped yet takes the signal without effect.
                let _ = rustix::process::kill_process_group(rank.pid, signal);
            }
        }
    }
}
