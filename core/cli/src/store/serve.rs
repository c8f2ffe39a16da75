// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store itself, in a process of its own.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_bootstrap::StoreUrl;
use mf_library::store::StoreServer;
use mf_program::output;
use mf_program::signals;
use rustix::process::Signal;

use super::OPERATION;
use crate::job_store::{self, JobStore, Leader, NO_LIMIT};

/// Limit of the start of a store; with a backend it includes an election.
const START_LIMIT: Duration = Duration::from_secs(60);
/// Limit of the first answer of an etcd cluster.
const REACH_LIMIT: Duration = Duration::from_secs(5);

/// Run a config store until SIGINT or SIGTERM.
///
/// The URL says where to listen; 0.0.0.0 is every address of this machine. Prints one line when it can be
/// reached. Members find it by its URL, with start_store false or
/// startConfigStoreServer false. Without a secret in MF_JOB_SECRET or MF_JOB_SECRET_FILE, and without
/// certificates, it only listens on the loopback.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store serve tcp://127.0.0.1:5570
  MF_JOB_SECRET_FILE=/run/job.secret mf store serve tcp://10.0.0.1:5570 --world-size 64
  mf store serve tcp://10.0.0.1:5570,10.0.0.2:5570 --standby     (on 10.0.0.2)
  mf store serve etcd://10.0.0.9:2379/job    (on several machines: one is elected, the others stand by)")]
pub(super) struct Args {
    #[command(flatten)]
    store: super::StoreArg,
    /// Number of ranks of the job, 1 to 16384; default: from the first member.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(mf_base::MAX_WORLD_SIZE)))]
    world_size: Option<u32>,
    /// Do not wait for members of a store that ran here before.
    #[arg(long)]
    skip_recover: bool,
    /// Start only when the stores at the earlier addresses of the URL do not answer.
    #[arg(long)]
    standby: bool,
}

pub(super) fn main(args: &Args) -> Result<u8> {
    let url = StoreUrl::parse(&args.store.url(OPERATION)?)?;
    // The process elected in etcd leads, and all others stand by.
    let stands_by = args.standby || matches!(url, StoreUrl::Etcd { .. });
    if args.standby && !matches!(&url, StoreUrl::Tcp { addresses } if addresses.len() > 1) {
        return Err(Error::invalid(OPERATION, "a standby needs a URL with several addresses")
            .with("url", url)
            .hint("for example tcp://10.0.0.1:5570,10.0.0.2:5570, the same for all members and standbys"));
    }
    // Before any other thread starts, so that the signals come to this one and nowhere else.
    block_signals();
    let (is_up, signals) = await_signals()?;
    let world_size = args.world_size.unwrap_or(0);
    let (text, is_skipped) = (url.to_string(), args.skip_recover);
    let serving = if stands_by {
        let limit = if args.standby { NO_LIMIT } else { REACH_LIMIT };
        let store = JobStore::stand_by(&text, world_size, is_skipped, limit, START_LIMIT)?;
        report(&store.leader()?);
        store.watch_leader(|leader| report(&leader))?;
        Serving::Elected(store)
    } else {
        let (server, place) = job_store::serve(&text, world_size, is_skipped, START_LIMIT)?;
        output::print(&format!("the store listens at {place}\n"))?;
        Serving::Here(server)
    };
    if std::mem::replace(&mut *lock(&is_up), true) {
        // One has come already, and ends the program.
        std::thread::park();
    }
    let signal = signals.recv().map_err(|_| Error::new(Kind::Failed, OPERATION).what("no signal comes"))?;
    let name = if signal == Signal::INT { "SIGINT" } else { "SIGTERM" };
    output::note(&format!("mf: the store ends, {name}"));
    let close = move || drop(serving);
    if signal == Signal::INT {
        signals::set_last_steps(close);
        return Ok(signals::code_of(signal.as_raw()));
    }
    // The ordinary end of a service.
    close();
    Ok(0)
}

/// The store of this process. Dropping it ends its service here.
enum Serving {
    Here(#[expect(dead_code, reason = "held")] StoreServer),
    Elected(#[expect(dead_code, reason = "held")] JobStore),
}

/// Prints the leader.
fn report(leader: &Leader) {
    let line = if leader.here {
        format!("the store listens at {}, term {}\n", leader.place, leader.term)
    } else {
        format!("standing by, the store at {} leads\n", leader.place)
    };
    // A closed standard output is no reason to end: the store goes on.
    let _ = output::print(&line);
}

/// The signals that end a store.
const ENDS: [Signal; 2] = [Signal::INT, Signal::TERM];

fn end_signals() -> libc::sigset_t {
    // SAFETY: a set of signals is plain data.
    let mut set: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set is ours.
    unsafe { libc::sigemptyset(&raw mut set) };
    for signal in ENDS {
        // SAFETY: the set is ours, and the signals exist.
        unsafe { libc::sigaddset(&raw mut set, signal.as_raw()) };
    }
    set
}

fn block_signals() {
    let set = end_signals();
    // SAFETY: the set is initialised; the mask of this thread is for this program to set.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) };
}

/// A thread that takes the signals: until the flag is set, the first ends the program; from then on it is
/// handed on.
fn await_signals() -> Result<(Arc<Mutex<bool>>, Receiver<Signal>)> {
    let (sender, receiver) = channel();
    let is_up = Arc::new(Mutex::new(false));
    let flag = Arc::clone(&is_up);
    let run = move || {
        let Ok(signal) = wait_for_signal() else { return };
        if !std::mem::replace(&mut *lock(&flag), true) {
            signals::end_by(signal);
        }
        // Its receiver waits, or the program has ended otherwise.
        let _ = sender.send(signal);
    };
    std::thread::Builder::new().name("mf-signals".to_owned()).spawn(run).map_err(|error| {
        Error::new(Kind::NoResources, OPERATION).what("no thread can be started").source(error)
    })?;
    Ok((is_up, receiver))
}

/// Blocks until one of the signals comes.
fn wait_for_signal() -> Result<Signal> {
    let set = end_signals();
    let mut number = 0;
    // SAFETY: the set is initialised, and the number is ours.
    let failed = unsafe { libc::sigwait(&raw const set, &raw mut number) };
    if failed != 0 {
        return Err(Error::new(Kind::Failed, OPERATION)
            .what("signals cannot be waited for")
            .with("errno", failed));
    }
    Ok(if number == Signal::INT.as_raw() { Signal::INT } else { Signal::TERM })
}
