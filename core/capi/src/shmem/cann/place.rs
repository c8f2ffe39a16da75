// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Place of this process in its job: the address of the job, and the rank.

use std::net::{IpAddr, SocketAddr};
use std::os::fd::BorrowedFd;

use mf_base::mpi::{self, Communicator};
use mf_base::os::interface;
use mf_base::settings::{launcher_environment, settings};
use mf_base::{Error, Kind, Rank, Result};
use mf_job::Config;
use mf_store::rendezvous::Timing;
use mf_store::{Bootstrap, Server, ServerOptions};
use mf_tls::Access;

use super::address::{Address, DEFAULT_PORT, is_own};
use super::attributes::{Attributes, copy_readable};
use super::codes::bad_value;
use super::{tls, uids};

/// Bootstrap method, by the flags of init.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    UniqueId,
    Mpi,
    Address,
}

impl Mode {
    /// Of flags as they are since the second generation; the first of these bits that is set counts.
    pub(super) fn of(flags: u32) -> Option<Self> {
        let modes = [(8, Self::UniqueId), (2, Self::Mpi), (1, Self::Address)];
        modes.into_iter().find(|(bit, _)| flags & bit != 0).map(|(_, mode)| mode)
    }

    /// Of flags as they were in G1.
    pub(super) fn of_g1(flags: u32) -> Option<Self> {
        let modes = [(1, Self::UniqueId), (2, Self::Mpi), (4, Self::Address)];
        modes.into_iter().find(|(bit, _)| flags & bit != 0).map(|(_, mode)| mode)
    }
}

/// A place in a job.
pub(super) struct Place {
    pub(super) config: Config,
    /// A store that was started for it.
    pub(super) server: Option<Server>,
    /// The store of a unique id that was made here.
    pub(super) made_here: Option<SocketAddr>,
}

impl Place {
    pub(super) fn new(config: Config) -> Self {
        Self { config, server: None, made_here: None }
    }
}

/// Returns a variable of this family, by today's name or the name of December 2025. None if it is empty.
pub(super) fn variable(name: &str) -> Option<String> {
    let variables = launcher_environment();
    let named = |name: &str| variables.get(name).filter(|text| !text.is_empty()).cloned();
    named(name).or_else(|| named(&format!("ACL{name}")))
}

/// Returns the place by attributes.
///
/// # Errors
/// `InvalidParam` they give none · errors of the mode.
pub(super) fn of(
    op: &'static str,
    mode: Mode,
    attributes: &Attributes,
    instance: u64,
    generation: uids::Form,
) -> Result<Place> {
    let known = attributes.timed(Config::new("", 0));
    match mode {
        Mode::UniqueId => {
            if attributes.comm_args == 0 {
                return Err(Error::invalid(op, "comm_args is null, and should lead to a unique id"));
            }
            by_id(op, attributes, known, generation)
        }
        Mode::Mpi => by_mpi(op, attributes, known),
        Mode::Address => {
            let text = attributes.address(op);
            let address = text.and_then(|text| match text {
                "" => Err(Error::invalid(op, "there is neither an address in ip_port nor a unique id")),
                text => Address::parse(op, text),
            });
            match address {
                Ok(address) => by_address(op, &address, attributes, known, instance),
                // A unique id does as well.
                Err(wrong) if attributes.comm_args == 0 => Err(wrong),
                Err(wrong) => by_id(op, attributes, known, generation).map_err(|_| wrong),
            }
        }
    }
}

fn by_id(op: &'static str, attributes: &Attributes, known: Config, form: uids::Form) -> Result<Place> {
    let id = uids::read(op, attributes.comm_args, form)?;
    let rank = Rank(attributes.my_pe.cast_unsigned());
    let place = Bootstrap::from_unique_id(&id, Some(rank), attributes.n_pes.cast_unsigned())?;
    let made_here = uids::is_made_here(id.address()).then(|| id.address());
    let config = known.place(&place)?.served_here(made_here.is_some());
    Ok(Place { made_here, ..Place::new(config) })
}

/// The port of an instance.
fn port(op: &'static str, written: u16, instance: u64) -> Result<u16> {
    let range = variable("SHMEM_INSTANCE_PORT_RANGE");
    let Some(range) = range else {
        return match written {
            0 => Err(Error::invalid(op, "the port is 0 and there are no ports for instances")
                .hint("write a port, or set SHMEM_INSTANCE_PORT_RANGE=first:last")),
            written => Ok(written),
        };
    };
    if written != 0 {
        if instance == 0 {
            return Ok(written);
        }
        return Err(bad_value(op, "an instance of its own has no port of its own")
            .with("instance_id", instance)
            .with("port", written)
            .hint("write port 0: SHMEM_INSTANCE_PORT_RANGE gives each instance one"));
    }
    let parsed = range.split_once(':').and_then(|(first, last)| {
        let (first, last) = (first.trim().parse::<u16>().ok()?, last.trim().parse::<u16>().ok()?);
        (first > 1024 && first <= last).then_some((first, last))
    });
    let (first, last) = parsed.ok_or_else(|| {
        bad_value(op, "the range of ports cannot be read")
            .with("SHMEM_INSTANCE_PORT_RANGE", format!("\"{}\"", range.escape_debug()))
            .hint("first:last, 1025 to 65535")
    })?;
    let port = u16::try_from(instance).ok().and_then(|instance| first.checked_add(instance));
    port.filter(|port| *port <= last).ok_or_else(|| {
        bad_value(op, "there is no port for this instance")
            .with("instance_id", instance)
            .with("SHMEM_INSTANCE_PORT_RANGE", range)
    })
}

fn by_address(
    op: &'static str,
    address: &Address,
    attributes: &Attributes,
    known: Config,
    instance: u64,
) -> Result<Place> {
    let port = port(op, address.port, instance)?;
    let mut ip = address.resolve(op)?;
    // Without certificates and secret nothing that leaves the host is sent in clear, unless that was chosen;
    // jobs of one host meet on the loopback then.
    if !ip.is_loopback() && !tls::is_decided()? && is_own(ip) {
        ip = interface::loopback();
    }
    let at = SocketAddr::new(ip, port);
    let n_pes = attributes.n_pes.cast_unsigned();
    let config = attributes.timed(Config::new(format!("tcp://{at}"), n_pes));
    let config = config.rank(Rank(attributes.my_pe.cast_unsigned()));
    drop(known);
    if attributes.my_pe != 0 || attributes.socket <= 0 {
        return Ok(Place::new(config));
    }
    let server = serve_on(op, attributes.socket, at, n_pes)?;
    Ok(Place { config: config.served_here(true), server: Some(server), made_here: None })
}

/// The store of the job on a socket that the program has bound.
fn serve_on(op: &'static str, socket: i32, at: SocketAddr, n_pes: u32) -> Result<Server> {
    let unusable = || Error::new(Kind::NotConnected, op).with("sockFd", socket);
    // SAFETY: not -1; it is used for the next call only, in which the kernel checks it.
    let socket = unsafe { BorrowedFd::borrow_raw(socket) }.try_clone_to_owned();
    let socket = socket.map_err(|error| unusable().what("sockFd is no socket").source(error))?;
    let options = ServerOptions {
        timing: Timing::of_settings()?,
        skip_recovery: true,
        job: settings()?.job_id.clone(),
        ..ServerOptions::new(at, n_pes, Access::default().security()?)
    };
    let server = Server::start_on(socket, options)
        .map_err(|error| unusable().what("no store can be on the socket sockFd").source(error))?;
    if server.address().port() != at.port() {
        return Err(unusable()
            .what("the socket sockFd is bound to another port than ip_port names")
            .with("bound", server.address())
            .with("ip_port", at));
    }
    Ok(server)
}

fn by_mpi(op: &'static str, attributes: &Attributes, known: Config) -> Result<Place> {
    let none = || {
        bad_value(op, "this program has loaded no MPI, or has finalised it")
            .hint("link the program with MPI, or begin by an address or a unique id")
    };
    if !mpi::initialize()? {
        return Err(none());
    }
    let communicator = match attributes.comm_args {
        0 => None,
        address => {
            let mut handle = [0; 8];
            let from = std::ptr::with_exposed_provenance(address);
            // In MPICH a handle has four bytes.
            let is_read = copy_readable(from, &mut handle)
                || copy_readable(from, handle.get_mut(..4).unwrap_or_default());
            if !is_read {
                return Err(Error::invalid(op, "comm_args leads to no communicator"));
            }
            // SAFETY: the caller passes the address of an MPI_Comm.
            unsafe { Communicator::of(usize::from_ne_bytes(handle)) }?
        }
    };
    let mut found = Bootstrap::from_loaded_mpi(communicator, None)?.ok_or_else(none)?;
    found.bootstrap.rank = Some(Rank(attributes.my_pe.cast_unsigned()));
    found.bootstrap.world_size = attributes.n_pes.cast_unsigned();
    let config = known.place(&found.bootstrap)?.device(found.bootstrap.device());
    Ok(Place { server: found.server.take(), ..Place::new(config) })
}

/// Place by the environment, for incomplete attributes.
pub(super) enum Given {
    /// This PE, the number of PEs, and the whole place: by a launcher, or a job of this process alone.
    Place(i32, i32, Box<Config>),
    /// This PE, the number of PEs, and the address where they meet.
    Address(i32, i32, String),
}

/// Completes attributes by variables: the variables of this family replace values that are 0 or empty, or
/// else a launcher's; without either the job is this process alone. PEs without an address meet at the port
/// of this family on the launcher's host, or else on their own.
///
/// # Errors
/// `InvalidParam` a variable is unusable.
pub(super) fn of_environment(op: &'static str, my_pe: i32, n_pes: i32, address: &str) -> Result<Given> {
    let number = |name: &'static str| -> Result<Option<i32>> {
        let Some(text) = variable(name) else { return Ok(None) };
        text.trim().parse().map(Some).map_err(|_| {
            Error::invalid(op, "a variable is no number").with("variable", name).with("text", text)
        })
    };
    let address = Some(address.to_owned()).filter(|text| !text.is_empty()).or_else(address_of_family);
    let (own, ranks) = match n_pes {
        0 => (number("SHMEM_RANK")?.unwrap_or(my_pe), number("SHMEM_NRANKS")?),
        n_pes => (my_pe, Some(n_pes)),
    };
    if let Some(ranks) = ranks {
        return Ok(Given::Address(own, ranks, address.unwrap_or_else(default_address)));
    }
    let mut variables = launcher_environment();
    if variable("MASTER_PORT").is_none() {
        // Our own port belongs to it then.
        variables.remove("MASTER_ADDR");
    }
    let Some(place) = Bootstrap::from_launcher(&variables)? else {
        return match address {
            Some(address) => Ok(Given::Address(own, 1, address)),
            None => Ok(Given::Place(0, 1, Box::new(Config::from_launcher_or_alone()?))),
        };
    };
    let ranks = place.world_size.cast_signed();
    let rank = if own == 0 { place.rank.map(|rank| rank.0.cast_signed()) } else { Some(own) };
    match rank {
        Some(rank) if address.is_some() || place.store.is_none() => {
            Ok(Given::Address(rank, ranks, address.unwrap_or_else(default_address)))
        }
        rank => Ok(Given::Place(rank.unwrap_or(0), ranks, Box::new(Config::from_bootstrap(&place)?))),
    }
}

/// The address that variables of this family give.
fn address_of_family() -> Option<String> {
    variable("SHMEM_UID_SESSION_ID").or_else(|| {
        let host = variable("SHMEM_MASTER_ADDR")?;
        let has_port = host.rsplit_once(':').is_some_and(|(before, _)| !before.contains(':'));
        let port = variable("SHMEM_MASTER_PORT").unwrap_or_else(|| DEFAULT_PORT.to_string());
        Some(if has_port { host } else { format!("{host}:{port}") })
    })
}

/// The address of PEs that are given none.
fn default_address() -> String {
    match variable("MASTER_ADDR") {
        // With the port of this family behind it.
        Some(host) if host.contains(':') && !host.starts_with('[') => format!("[{host}]"),
        Some(host) => host,
        None => match interface::loopback() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        },
    }
}
