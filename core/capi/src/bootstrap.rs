// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx.h`: jobs without a URL: members get a unique id, or MPI has started them.

use std::ffi::{c_char, c_void};

use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind, Rank, Result};
use mf_bootstrap::{Bootstrap, UniqueId};
use mf_store::Server;

use crate::boundary::text;
use crate::part::{self, Part};
use crate::startup::prepare;

/// State of this process for jobs without a URL.
#[derive(Default)]
struct Hosted {
    /// Stores of unique ids that were made here.
    servers: Vec<Server>,
    /// The place by MPI, once for all tenants.
    by_mpi: Option<Bootstrap>,
}

impl Hosted {
    const fn new() -> Self {
        Self { servers: Vec::new(), by_mpi: None }
    }

    /// No tenant is left: the stores end with their last clients.
    fn linger(self) {
        self.servers.into_iter().for_each(Server::linger);
    }
}

static HOSTED: PerProcess<Hosted> = PerProcess::new(Hosted::new());

/// The part of hosted stores: they linger once no part is a member of a job.
pub(crate) struct HostedStores;

impl Part for HostedStores {
    fn name(&self) -> &'static str {
        "hosted stores"
    }

    fn release(&self, _ended: &'static str) {
        if !part::is_any_member() {
            HOSTED.take().linger();
        }
    }
}

pub(crate) unsafe fn mfx_unique_id_create(
    op: &'static str,
    ip: *const c_char,
    id: *mut c_void,
    capacity: u64,
) -> Result<()> {
    prepare()?;
    let needed = UniqueId::COMPACT_BYTES;
    if capacity < needed as u64 {
        return Err(Error::new(Kind::BufferTooSmall, op).with("needed", needed).with("capacity", capacity));
    }
    let ip = if ip.is_null() {
        None
    } else {
        // SAFETY: the caller passes a C string.
        let text = unsafe { text(op, "the address", ip) }?;
        Some(text.parse().map_err(|_| {
            Error::invalid(op, "the address is not numeric")
                .with("address", format!("\"{}\"", text.escape_debug()))
        })?)
    };
    let (made, server) = UniqueId::create(ip)?;
    let compact = made.to_compact();
    HOSTED.lock().servers.push(server);
    // SAFETY: not null; the caller passes `capacity` writable bytes, which are enough, and a fresh array does
    // not overlap them.
    unsafe { std::ptr::copy_nonoverlapping(compact.as_ptr(), id.cast(), compact.len()) };
    Ok(())
}

/// Returns the place of a process that has a unique id.
pub(crate) fn by_id(id: &[u8], rank: Option<Rank>, world_size: u32) -> Result<Bootstrap> {
    let id = UniqueId::parse(id)?;
    let place = Bootstrap::from_unique_id(&id, rank, world_size)?;
    let hosted = HOSTED.lock();
    let own = hosted.servers.iter().find(|server| server.address() == id.address());
    Ok(match own {
        Some(server) => place.beside(server),
        None => place,
    })
}

/// Returns the place by MPI. It is queried once: a second tenant is the same member.
pub(crate) fn by_mpi(op: &'static str) -> Result<Bootstrap> {
    let known = HOSTED.lock().by_mpi.clone();
    if let Some(place) = known {
        return Ok(place);
    }
    let mut found = Bootstrap::from_loaded_mpi(None, None)?.ok_or_else(|| {
        Error::new(Kind::NotStarted, op)
            .what("this program has loaded no MPI, or has not initialised it")
            .hint("call MPI_Init first, or hand over a unique id")
    })?;
    let mut hosted = HOSTED.lock();
    hosted.servers.extend(found.server.take());
    Ok(hosted.by_mpi.insert(found.bootstrap.clone()).clone())
}
