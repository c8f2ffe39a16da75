// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Joining or creating the machine.
//!
//! Every member listens under a name that contains its slot: its *listener*. A process that joins first takes
//! the name *gate*, which one process can have at a time; then it connects to all listeners. If a member
//! answers it sends the file of the machine, and the newcomer takes a slot; if there is no listener at all,
//! the newcomer makes the machine. The gate opens for the next when the newcomer has its own listener (or has
//! died).
//!
//! Why two processes never create two machines: while one process holds the gate no other joins, so the set
//! of members only shrinks. A member present after the last listener was tried was present, with the same
//! listener, all the time, and was found. Why a machine is never abandoned for a new one too early: a member
//! that was found but dies before the newcomer has joined leaves a file with the newcomer as the only member;
//! others cannot have created another one without the gate. A listener that connects but does not answer
//! belongs to a stopped process, or to a child forked around `pthread_atfork`: the newcomer refuses to start
//! and names it, rather than create a second machine. Names taken by other users are skipped; if another user
//! holds the gate, the text says so.

use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use rustix::io::Errno;

use super::books::{Books, Newcomer};
use super::fork::{self, Which};
use super::layout::{Layout, PROCESSES};
use super::listener::{self, Request};
use super::random::random;
use super::socket::{self, Names};
use crate::config::Config;
use crate::fault::{Fault, Outcome};

/// Longest wait for others that are joining.
const GATE_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest wait for the answer of one listener.
const DOOR_TIMEOUT: Duration = Duration::from_secs(10);
/// Process numbers from here on are not of the maker's namespace; the kernel's end far below.
const FOREIGN: i32 = 1 << 28;

/// A process that has joined.
pub(super) struct Membership {
    pub(super) names: Names,
    pub(super) file: OwnedFd,
    pub(super) layout: &'static Layout,
    pub(super) slot: usize,
    pub(super) incarnation: u64,
    pub(super) process: i32,
    pub(super) server: u32,
    pub(super) listener: OwnedFd,
    /// Dropped when the listener is served.
    pub(super) gate: Gate,
}

/// Joins the machine of that name, or makes it.
pub(super) fn join(config: &Config) -> Outcome<Membership> {
    let names = Names::from_session(&config.session);
    let gate = Gate::enter(&names)?;
    let (file, layout) = match find(&names)? {
        Some(file) => {
            let layout = Layout::adopt(file.as_fd())?;
            config.agrees_with(&layout.settings())?;
            (file, layout)
        }
        None => Layout::create(&config.machine_settings(), own_namespace(), random()? >> 40)?,
    };
    fork::keep(Which::Machine, file.as_fd());
    let pid = i32::try_from(std::process::id()).unwrap_or(i32::MAX);
    let at_home = layout.namespace.load(std::sync::atomic::Ordering::Relaxed) == own_namespace();
    let number = |incarnation: u64| match i32::try_from(incarnation) {
        _ if at_home => pid,
        Ok(incarnation) => FOREIGN | incarnation,
        Err(_) => FOREIGN,
    };
    let books = Books::open(layout, file.as_fd(), None)?;
    let started = started();
    if at_home && books.has(pid, started) {
        drop(books);
        // Closing it would end the lease of the other copy.
        std::mem::forget(file);
        return Err(Fault::internal(
            "another copy of the simulator is in this process already; load one, by links to one file",
        ));
    }
    let newcomer = Newcomer { server: config.server, started };
    let bind = |slot| socket::listen(&names.listener(slot)).ok();
    let (slot, incarnation, listener) = books.enter(newcomer, number, bind)?;
    drop(books);
    fork::keep(Which::Listener, listener.as_fd());
    let process = number(incarnation);
    Ok(Membership { names, file, layout, slot, incarnation, process, server: config.server, listener, gate })
}

/// The file of the machine, from any member.
fn find(names: &Names) -> Outcome<Option<OwnedFd>> {
    let mut silent = Vec::new();
    for slot in 0..PROCESSES {
        let until = Instant::now() + DOOR_TIMEOUT;
        let connection = match socket::connect(&names.listener(slot), until) {
            Ok(connection) => connection,
            Err(Errno::AGAIN) => {
                silent.push(0);
                continue;
            }
            Err(_) => continue,
        };
        let Some(peer) = socket::peer(connection.as_fd()).filter(|peer| peer.is_own_user()) else { continue };
        match listener::query(connection.as_fd(), &Request::Hello, until) {
            listener::Answer::Reply(_, Some(file)) => return Ok(Some(file)),
            listener::Answer::Reply(_, None) => {
                return Err(Fault::internal(format_args!(
                    "process {} is on this machine with another version of the simulator",
                    peer.pid
                )));
            }
            listener::Answer::Closed => {}
            listener::Answer::Silence => silent.push(peer.pid),
        }
    }
    if silent.is_empty() {
        return Ok(None);
    }
    Err(Fault::internal(format_args!(
        "processes {silent:?} are on this machine but do not answer; continue or end them, or use another ASCEND_SIM_SESSION"
    )))
}

/// The right to join or make the machine, which one process has at a time.
pub(super) struct Gate(Option<OwnedFd>);

impl Gate {
    fn enter(names: &Names) -> Outcome<Self> {
        let name = names.gate();
        let until = Instant::now() + GATE_TIMEOUT;
        let mut holder = 0;
        while Instant::now() < until {
            match socket::listen(&name) {
                Ok(gate) => {
                    fork::keep(Which::Gate, gate.as_fd());
                    return Ok(Self(Some(gate)));
                }
                Err(Errno::ADDRINUSE) => {}
                Err(errno) => {
                    return Err(Fault::internal(format_args!("cannot open a local socket: {errno}")));
                }
            }
            // There is no accept: the connection ends when the gate does.
            let waiting = socket::connect(&name, until).ok();
            match waiting.as_ref().and_then(|waiting| Some((waiting, socket::peer(waiting.as_fd())?))) {
                Some((_, peer)) if !peer.is_own_user() => {
                    return Err(Fault::internal(format_args!(
                        "another user (process {}) has taken the name {name}; use another ASCEND_SIM_SESSION",
                        peer.pid
                    )));
                }
                Some((waiting, peer)) => {
                    holder = peer.pid;
                    socket::wait(waiting.as_fd(), until);
                }
                // Taken but not listening yet, or just gone.
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        Err(Fault::internal(format_args!(
            "process {holder} has been joining the machine for {GATE_TIMEOUT:?}; continue or end it"
        )))
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        drop(self.0.take());
        fork::forget(Which::Gate);
    }
}

/// Returns an id of the process namespace; 0 if the system has none.
fn own_namespace() -> u64 {
    rustix::fs::stat("/proc/self/ns/pid").map_or(0, |facts| facts.st_ino)
}

/// When this process started, in ticks since the system did; 0 when the system does not say.
fn started() -> u64 {
    let stat = descriptor::read_text("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may contain anything; the field is the 20th after it.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_whitespace().nth(19).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}
