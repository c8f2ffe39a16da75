// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx.h`: jobs whose members need no URL: they are handed a unique id, or MPI has started them.

use std::ffi::{c_char, c_void};

use mf_abi::smem::{BmConfig, ShmConfig};
use mf_base::{Error, Kind, Rank, Result};
use mf_job::Config;
use mf_store::{Bootstrap, Server, UniqueId};

use crate::boundary::{bytes, text};
use crate::process::{PROCESS, prepare};
use crate::smem::{bm, shm};

/// What this process does for jobs without a URL.
#[derive(Default)]
pub(crate) struct Hosted {
    /// Stores of unique ids that were made here.
    servers: Vec<Server>,
    /// The place by MPI, once for all tenants.
    by_mpi: Option<Bootstrap>,
}

impl Hosted {
    pub(crate) const fn new() -> Self {
        Self { servers: Vec::new(), by_mpi: None }
    }

    /// No tenant is left: the stores end with their last clients.
    pub(crate) fn linger(self) {
        self.servers.into_iter().for_each(Server::linger);
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
    PROCESS.hosted.lock().servers.push(server);
    // SAFETY: not null; the caller passes `capacity` writable bytes, which are enough, and a fresh array does
    // not overlap them.
    unsafe { std::ptr::copy_nonoverlapping(compact.as_ptr(), id.cast(), compact.len()) };
    Ok(())
}

pub(crate) unsafe fn mfx_bm_init_unique_id(
    op: &'static str,
    id: *const c_void,
    id_bytes: u64,
    world_size: u32,
    device: u16,
    config: *const BmConfig,
) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    let rank = (config.auto_ranking == 0).then_some(Rank(config.rank_id));
    // SAFETY: the caller passes so many readable bytes.
    let place = by_id(unsafe { bytes(op, "the id", id, id_bytes) }?, rank, world_size)?;
    init_bm(op, config, device, || Ok(place))
}

pub(crate) unsafe fn mfx_shm_init_unique_id(
    op: &'static str,
    id: *const c_void,
    id_bytes: u64,
    world_size: u32,
    rank: u32,
    device: u16,
    config: *mut ShmConfig,
) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    // SAFETY: the caller passes so many readable bytes.
    let place = by_id(unsafe { bytes(op, "the id", id, id_bytes) }?, Some(Rank(rank)), world_size)?;
    init_shm(op, config, device, || Ok(place))
}

pub(crate) unsafe fn mfx_bm_init_mpi(op: &'static str, device: u16, config: *const BmConfig) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    init_bm(op, unsafe { &*config }, device, || by_mpi(op))
}

pub(crate) unsafe fn mfx_shm_init_mpi(op: &'static str, device: u16, config: *mut ShmConfig) -> Result<()> {
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    init_shm(op, unsafe { &*config }, device, || by_mpi(op))
}

fn init_bm(
    op: &'static str,
    config: &BmConfig,
    device: u16,
    place: impl FnOnce() -> Result<Bootstrap>,
) -> Result<()> {
    let known = Config::new("", 0).device(device);
    bm::init::init(op, config.unified_address_space != 0, || {
        bm::init::wanted(op, config, known)?.place(&place()?)
    })
}

fn init_shm(
    op: &'static str,
    config: &ShmConfig,
    device: u16,
    place: impl FnOnce() -> Result<Bootstrap>,
) -> Result<()> {
    let known = Config::new("", 0).device(device);
    shm::init::init(op, || shm::init::wanted(config, known).place(&place()?))
}

/// The place of a process that was handed an id.
fn by_id(id: &[u8], rank: Option<Rank>, world_size: u32) -> Result<Bootstrap> {
    let id = UniqueId::parse(id)?;
    let place = Bootstrap::from_unique_id(&id, rank, world_size)?;
    let hosted = PROCESS.hosted.lock();
    let own = hosted.servers.iter().find(|server| server.address() == id.address());
    Ok(match own {
        Some(server) => place.beside(server),
        None => place,
    })
}

/// The place that MPI gives, which is asked once: a second tenant is the same member.
fn by_mpi(op: &'static str) -> Result<Bootstrap> {
    let known = PROCESS.hosted.lock().by_mpi.clone();
    if let Some(place) = known {
        return Ok(place);
    }
    let mut found = Bootstrap::from_loaded_mpi(None, None)?.ok_or_else(|| {
        Error::new(Kind::NotStarted, op)
            .what("this program has loaded no MPI, or has not initialised it")
            .hint("call MPI_Init first, or hand over a unique id")
    })?;
    let mut hosted = PROCESS.hosted.lock();
    hosted.servers.extend(found.server.take());
    Ok(hosted.by_mpi.insert(found.bootstrap.clone()).clone())
}
