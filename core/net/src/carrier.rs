// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Carrier: opens the transports of a process for one of its memberships, by its settings.
//!
//! The first membership opens the engines of the process and the last one closes them.

use std::net::SocketAddr;
use std::sync::Arc;

use mf_base::os::interface;
use mf_base::settings::{Settings, Switch};
use mf_base::{Kind, Rank, Result, warn_limited};
use mf_tcp::nic::{self, ListenPatterns};
use mf_transport::{JobId, Peer, Target, Transport};

use crate::choice::{Engine, Machine};
use crate::cma::{self, Cma};
use crate::decorators::fault::{Faulty, Rule};
use crate::decorators::trace::Traced;
use crate::decorators::watched::Watched;
use crate::engines::Engines;
use crate::ucx::{self, Ucx};
use crate::{Absent, Directory, Network, Opened};

/// One member's options for the carrier.
#[derive(Clone, Copy, Debug)]
pub struct JobOptions<'a> {
    /// The store was reached by the loopback interface, so all members are on this host.
    pub is_loopback: bool,
    /// Listening address in the syntax of `MF_NIC`; empty: any address that others may reach.
    pub nic: &'a str,
    /// Controls encryption of connections.
    pub tls: Switch,
    /// The rest: `MF_SHM`, `MF_TRANSPORTS`, `MF_NET_*`.
    pub settings: &'a Settings,
}

impl JobOptions<'_> {
    /// Returns true if all members are on this host for sure, and map each other's memory.
    fn needs_no_network(&self) -> bool {
        self.is_loopback && self.settings.shared_memory
    }
}

/// Returns the listening addresses of `nic`. `None`, with a log line: this host has no such address, and
/// needs no network.
fn addresses(options: &JobOptions<'_>, rank: Rank) -> Result<Option<Vec<SocketAddr>>> {
    let patterns = ListenPatterns::parse(options.nic)?;
    match nic::choose(&patterns, &interface::interfaces()?, (rank != NO_RANK).then_some(rank)) {
        Ok(listen) => Ok(Some(listen)),
        Err(error) if error.kind() == Kind::NotExist && options.needs_no_network() => {
            warn_limited!("{error}; all members are on this host, so it is not used");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Makes this process reachable for the job of `directory`; returns `None` if all members are on this
/// host for sure and map each other's memory. A process without a rank listens at a free port.
///
/// # Errors
/// `InvalidParam` names the options that cannot be met · `InUse` a port is taken · `NotExist` no transport
/// opens · errors of the directory.
pub fn join(directory: &Arc<dyn Directory>, options: &JobOptions<'_>) -> Result<Option<Arc<Network>>> {
    if options.needs_no_network() && (options.nic.is_empty() || addresses(options, NO_RANK)?.is_none()) {
        return Ok(None);
    }
    open(directory, options, false).map(Some)
}

/// Like [`join`], for a process that registers memory: it is always reachable, and on its own host also by
/// the transport cma.
///
/// # Errors
/// As [`join`].
pub fn join_registering(directory: &Arc<dyn Directory>, options: &JobOptions<'_>) -> Result<Arc<Network>> {
    open(directory, options, true)
}

/// A process that others reach without a common directory.
#[derive(Clone, Copy)]
pub struct Alone {
    /// Its number, never used again.
    pub session: u64,
    /// Secret common to all processes that reach each other.
    pub token: [u8; 32],
}

/// As [`join_registering`], for a process without a directory: see [`Network::start_alone`].
///
/// # Errors
/// As [`join`], but for the directory.
pub fn open_alone(alone: &Alone, options: &JobOptions<'_>) -> Result<Arc<Network>> {
    let job = JobId::of(&alone.token);
    let me = Peer { job, rank: NO_RANK.0, session: alone.session };
    let open = opener(options, NO_RANK, alone.token, true)?;
    Network::start_alone(me, options.settings.net_timeout, open)
}

fn open(directory: &Arc<dyn Directory>, options: &JobOptions<'_>, registers: bool) -> Result<Arc<Network>> {
    let member = directory.membership();
    let open = opener(options, member.rank, member.token, registers)?;
    Network::start(directory, options.settings.net_timeout, open)
}

/// Returns the function that opens the transports of a process.
fn opener<'a>(
    options: &JobOptions<'a>,
    rank: Rank,
    token: [u8; 32],
    registers: bool,
) -> Result<impl FnOnce(Peer, &Arc<dyn Target>) -> Result<Opened> + use<'a>> {
    let (settings, tls) = (options.settings, options.tls);
    let listen = match (options.is_loopback, options.nic.is_empty()) {
        (true, true) => None,
        _ => addresses(options, rank)?,
    };
    // A member that reaches the store there reaches this process there, too.
    let listen = listen.unwrap_or_else(|| vec![SocketAddr::from((interface::loopback(), 0))]);
    if !options.is_loopback && listen.iter().all(|address| address.ip().is_loopback()) {
        tracing::warn!(
            "this host has no address that others reach, so members on other hosts cannot copy to or from this one; \
             is its network up?"
        );
    }
    let decorations = Decorations::parse(settings)?;
    let machine = Machine::here(None, settings.shared_memory, &settings.transports)?;
    let engines = Engines::current()?;
    Ok(move |me: Peer, target: &Arc<dyn Target>| {
        let (mut transports, mut absent): (Vec<Arc<dyn Transport>>, Vec<Absent>) = Default::default();
        if machine.transports.contains(&Engine::Tcp) {
            transports.push(engines.tcp.get(mf_tcp::Engine::start)?.join(mf_tcp::Options {
                me,
                token,
                listen,
                tls,
                checksum: settings.net_checksum,
                connections: settings.net_connections,
                target: Arc::downgrade(target),
            })?);
        } else {
            absent.push(Absent { name: "tcp", reason: LEFT_OUT.to_owned() });
        }
        match open_ucx(&engines, &machine, settings, (me, target)) {
            Ok(ucx) => transports.push(ucx),
            Err(reason) => absent.push(Absent { name: "ucx", reason }),
        }
        match registers.then(|| open_cma(&machine, token, settings, (me, target))) {
            Some(Ok(cma)) => transports.push(cma),
            Some(Err(reason)) => absent.push(Absent { name: "cma", reason }),
            None => {}
        }
        Ok((transports.into_iter().map(|transport| decorations.put_around(transport)).collect(), absent))
    })
}

/// Rank of a member without one.
const NO_RANK: Rank = Rank(u32::MAX);

const LEFT_OUT: &str = "MF_TRANSPORTS leaves it out";

/// Opens UCX if it pays, or if it is requested; the error has the reason if not.
fn open_ucx(
    engines: &Engines,
    machine: &Machine,
    settings: &Settings,
    (me, target): (Peer, &Arc<dyn Target>),
) -> std::result::Result<Arc<Ucx>, String> {
    if !machine.transports.contains(&Engine::Ucx) {
        return Err(LEFT_OUT.to_owned());
    }
    let is_named = settings.transports.split(',').any(|name| name.trim() == Engine::Ucx.as_str());
    if !is_named && !machine.has_rdma() {
        // It costs threads and memory, and over TCP our own transport is faster.
        return Err(
            "no RDMA device is active here; name ucx in MF_TRANSPORTS to use it all the same".to_owned()
        );
    }
    let engine = engines.ucx.get(|| ucx::Engine::start(None));
    engine.and_then(|engine| engine.join(me, Arc::downgrade(target))).map_err(|error| error.to_string())
}

/// Opens the transport for memory of processes of this host; the error has the reason if it fails.
fn open_cma(
    machine: &Machine,
    token: [u8; 32],
    settings: &Settings,
    (me, target): (Peer, &Arc<dyn Target>),
) -> std::result::Result<Arc<Cma>, String> {
    if !machine.transports.contains(&Engine::Cma) {
        return Err(LEFT_OUT.to_owned());
    }
    if !settings.shared_memory {
        return Err("MF_SHM is false: processes of this host use the network".to_owned());
    }
    let timeout = settings.net_timeout;
    Cma::open(cma::Options { me, token, timeout, target: Arc::downgrade(target) })
        .map_err(|error| error.to_string())
}

/// Decorators of every transport: counting by peer, and the ones enabled by settings.
struct Decorations {
    faults: Vec<Rule>,
    counts: bool,
    traces: bool,
}

impl Decorations {
    fn parse(settings: &Settings) -> Result<Self> {
        let faults = Rule::parse_list(&settings.net_faults)?;
        Ok(Self { faults, counts: settings.net_metrics, traces: settings.net_trace })
    }

    /// Faults inside, so that their effects are counted and traced.
    fn put_around(&self, transport: Arc<dyn Transport>) -> Arc<dyn Transport> {
        let mut outer = transport;
        if !self.faults.is_empty() {
            let faulty = Faulty::new(outer, FAULT_SEED);
            self.faults.iter().for_each(|rule| faulty.add(*rule));
            tracing::warn!("operations over {} are harmed by rules: MF_NET_FAULTS is set", faulty.name());
            outer = faulty;
        }
        // Always, since a job may be viewed at any time; it costs a load while nothing is asked for.
        outer = if self.counts { Watched::with_table(outer) } else { Watched::new(outer) };
        if self.traces {
            outer = Traced::new(outer);
        }
        outer
    }
}

/// Random seed, fixed so that a run with rules can be repeated.
const FAULT_SEED: u64 = 1;
