// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Place of this process in its job: the address of the job, and the rank.

use std::net::SocketAddr;
use std::os::fd::BorrowedFd;

use mf_base::mpi::{self, Communicator};
use mf_base::os::interface;
use mf_base::settings::settings;
use mf_base::{Error, Kind, Rank, Result};
use mf_bootstrap::Bootstrap;
use mf_job::Config;
use mf_shmem::cann::address::{Address, is_own};
use mf_shmem::cann::attributes::{Attributes, copy_readable};
use mf_shmem::cann::codes::bad_value;
use mf_shmem::cann::environment::{Mode, port};
use mf_store::{Server, ServerOptions, Timing};
use mf_tls::Access;

use super::{tls, uids};

/// A place in a job.
pub(super) struct JobPlace {
    pub(super) config: Config,
    /// A store that was started for it.
    pub(super) server: Option<Server>,
    /// The store of a unique id that was made here.
    pub(super) made_here: Option<SocketAddr>,
}

impl JobPlace {
    pub(super) fn new(config: Config) -> Self {
        Self { config, server: None, made_here: None }
    }
}

/// Returns the place by attributes.
///
/// # Errors
/// `InvalidParam` they give none · errors of the mode.
pub(super) fn find(
    op: &'static str,
    mode: Mode,
    attributes: &Attributes,
    instance: u64,
    generation: uids::Form,
) -> Result<JobPlace> {
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

fn by_id(op: &'static str, attributes: &Attributes, known: Config, form: uids::Form) -> Result<JobPlace> {
    let id = uids::read(op, attributes.comm_args, form)?;
    let rank = Rank(attributes.my_pe.cast_unsigned());
    let place = Bootstrap::from_unique_id(&id, Some(rank), attributes.n_pes.cast_unsigned())?;
    let made_here = uids::is_made_here(id.address()).then(|| id.address());
    let config = known.place(&place)?.served_here(made_here.is_some());
    Ok(JobPlace { made_here, ..JobPlace::new(config) })
}

fn by_address(
    op: &'static str,
    address: &Address,
    attributes: &Attributes,
    known: Config,
    instance: u64,
) -> Result<JobPlace> {
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
        return Ok(JobPlace::new(config));
    }
    let server = serve_on(op, attributes.socket, at, n_pes)?;
    Ok(JobPlace { config: config.served_here(true), server: Some(server), made_here: None })
}

/// The store of the job on a socket that the program has bound.
fn serve_on(op: &'static str, socket: i32, at: SocketAddr, n_pes: u32) -> Result<Server> {
    let unusable = || Error::new(Kind::NotConnected, op).with("sockFd", socket);
    // SAFETY: not -1; it is used for the next call only, in which the kernel checks it.
    let socket = unsafe { BorrowedFd::borrow_raw(socket) }.try_clone_to_owned();
    let socket = socket.map_err(|error| unusable().what("sockFd is not a socket").source(error))?;
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

fn by_mpi(op: &'static str, attributes: &Attributes, known: Config) -> Result<JobPlace> {
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
            // In MPICH a handle has four bytes.
            let is_read = copy_readable(address, &mut handle)
                || copy_readable(address, handle.get_mut(..4).unwrap_or_default());
            if !is_read {
                return Err(Error::invalid(op, "comm_args leads to no communicator"));
            }
            // SAFETY: the caller passes the address of an MPI_Comm.
            unsafe { Communicator::from_handle(usize::from_ne_bytes(handle)) }?
        }
    };
    let mut found = Bootstrap::from_loaded_mpi(communicator, None)?.ok_or_else(none)?;
    found.bootstrap.rank = Some(Rank(attributes.my_pe.cast_unsigned()));
    found.bootstrap.world_size = attributes.n_pes.cast_unsigned();
    let config = known.place(&found.bootstrap)?.device(found.bootstrap.device());
    Ok(JobPlace { server: found.server.take(), ..JobPlace::new(config) })
}
