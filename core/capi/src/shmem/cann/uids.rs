// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Unique ids: one PE makes one, with a store behind it, and the program gives it to the others.
//!
//! | generation | bytes | written here |
//! |---|---|---|
//! | G0 | 64 | version, 57 bytes of the id at 4 |
//! | G1 | 128 | the same |
//! | since G2 | 136 | version, two numbers, 57 bytes of the id at 12, zeros |
//!
//! One symbol served the first two, so it writes no more than 64 bytes.

use std::ffi::c_int;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::sync::Mutex;

use mf_base::os::descriptor;
use mf_base::os::interface::{Interface, interfaces};
use mf_base::os::per_process::PerProcess;
use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_bootstrap::UniqueId;
use mf_shmem::cann::address::Address;
use mf_shmem::cann::attributes::{check_limits, copy_readable};
use mf_shmem::cann::codes::INNER_ERROR;
use mf_shmem::cann::environment::variable;
use mf_store::Server;

use super::attributes::{fill as fill_attributes, own_object};
use super::types::{InitAttr, Uniqueid};
use crate::boundary::present;
use crate::startup::prepare;

/// Layout of the id in its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    First,
    Today,
}

/// Bytes of the objects.
const OF_G0: usize = 64;
const OF_TODAY: usize = 136;
const VERSION_OF_G0: u32 = 0x1_0040;
const VERSION_OF_G1: u32 = 0x1_0080;
const VERSION_OF_TODAY: u32 = 0x1_0088;

impl Form {
    fn offset(self) -> usize {
        match self {
            Self::First => 4,
            Self::Today => 12,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::First => Self::Today,
            Self::Today => Self::First,
        }
    }
}

/// Stores of ids that were made here and that no instance has begun by yet.
static MADE: PerProcess<Vec<Server>> = PerProcess::new(Vec::new());

/// Copies of ids that attributes point to. They are kept, as programs keep attributes.
static KEPT: Mutex<Vec<&'static [u8; OF_TODAY]>> = Mutex::new(Vec::new());

/// Returns true if this process created the store of the id.
pub(super) fn is_made_here(address: SocketAddr) -> bool {
    MADE.lock().iter().any(|server| server.address() == address)
}

/// The store of an id that was made here.
pub(super) fn take(address: SocketAddr) -> Option<Server> {
    let mut made = MADE.lock();
    let index = made.iter().position(|server| server.address() == address)?;
    Some(made.swap_remove(index))
}

/// Reads the id that attributes point to.
///
/// # Errors
/// `InvalidParam` missing or damaged id.
pub(super) fn read(op: &'static str, address: usize, form: Form) -> Result<UniqueId> {
    let mut bytes = [0; UniqueId::COMPACT_BYTES];
    let mut at = |form: Form| {
        let is_read = copy_readable(address.wrapping_add(form.offset()), &mut bytes);
        let unreadable =
            || Error::invalid(op, "the unique id cannot be read").with("address", format!("{address:#x}"));
        is_read.then_some(()).ok_or_else(unreadable).and_then(|()| UniqueId::parse(&bytes))
    };
    // A program may get the id by one generation's function and use it by another's.
    at(form).or_else(|wrong| at(form.other()).map_err(|_| wrong))
}

/// Makes an id and its store.
fn make(op: &'static str) -> Result<[u8; UniqueId::COMPACT_BYTES]> {
    prepare()?;
    let (id, server) = match variable("SHMEM_UID_SESSION_ID") {
        Some(text) => {
            let address = Address::parse_session(op, &text)?;
            let socket = bound(SocketAddr::new(address.resolve(op)?, address.port));
            let socket = socket.map_err(|error| {
                Error::invalid(op, "the address of SHMEM_UID_SESSION_ID cannot be had")
                    .with("SHMEM_UID_SESSION_ID", &text)
                    .source(error)
                    .code_of_family(INNER_ERROR)
            })?;
            UniqueId::create_on(socket)
        }
        None => UniqueId::create(interface_address(op)?),
    }
    .map_err(|error| error.code_of_family(INNER_ERROR))?;
    MADE.lock().push(server);
    Ok(id.to_compact())
}

/// A socket that is bound to an address.
fn bound(address: SocketAddr) -> std::io::Result<OwnedFd> {
    Ok(descriptor::listen_tcp(address)?.into())
}

/// The address of the interface that the variable asks for; none: the one on the route to others.
fn interface_address(op: &'static str) -> Result<Option<IpAddr>> {
    let text = variable("SHMEM_UID_SOCK_IFNAME").or_else(|| variable("SHMEM_UID_SOCK_IFNAM"));
    let Some(text) = text else { return Ok(None) };
    let (prefix, family) = text.split_once(':').unwrap_or((&text, ""));
    if prefix.is_empty() || prefix.len() > 21 {
        return Err(Error::invalid(op, "SHMEM_UID_SOCK_IFNAME names no interface")
            .with("SHMEM_UID_SOCK_IFNAME", format!("\"{}\"", text.escape_debug()))
            .hint(
                "the beginning of a name, at most 21 characters, perhaps with :inet4 or :inet6 behind it",
            ));
    }
    let is_of_family = |ip: IpAddr| match family {
        "inet4" => ip.is_ipv4(),
        "inet6" => ip.is_ipv6(),
        _ => true,
    };
    let is_usable = |one: &Interface| {
        let is_link_local = matches!(one.address, IpAddr::V6(ip) if ip.is_unicast_link_local());
        one.is_up && !is_link_local && one.name.starts_with(prefix) && is_of_family(one.address)
    };
    let usable: Vec<Interface> = interfaces()?.into_iter().filter(is_usable).collect();
    // Loopback counts where its name was asked for, and nothing else has it.
    let best = usable.iter().min_by_key(|one| (one.is_loopback, one.address.is_ipv6()));
    best.map(|one| Some(one.address)).ok_or_else(|| {
        Error::invalid(op, "no interface that is up has this name and an address")
            .with("SHMEM_UID_SOCK_IFNAME", &text)
            .code_of_family(INNER_ERROR)
    })
}

/// Keeps a copy of the id's object, and gives its address. The object may be shorter than the longest.
fn keep(op: &'static str, id: *const Uniqueid, form: Form) -> Result<*const u8> {
    let from = id.expose_provenance();
    let mut bytes = [0; OF_TODAY];
    let length = form.offset() + UniqueId::COMPACT_BYTES;
    if !copy_readable(from, bytes.get_mut(..length).unwrap_or_default()) {
        return Err(Error::invalid(op, "the unique id cannot be read").with("address", format!("{id:p}")));
    }
    let mut kept = lock(&KEPT);
    if let Some(known) = kept.iter().find(|known| ***known == bytes) {
        return Ok(known.as_ptr());
    }
    let copy: &'static [u8; OF_TODAY] = Box::leak(Box::new(bytes));
    kept.push(copy);
    Ok(copy.as_ptr())
}

fn version_of(id: *const Uniqueid) -> u32 {
    let mut bytes = [0; 4];
    copy_readable(id.expose_provenance(), &mut bytes);
    u32::from_ne_bytes(bytes)
}

pub(crate) unsafe fn aclshmemx_get_uniqueid(op: &'static str, uid: *mut Uniqueid) -> Result<c_int> {
    let uid = present(op, "uid", uid)?;
    let mut object = [0; OF_TODAY];
    fill(&mut object, Form::Today, VERSION_OF_TODAY, &make(op)?);
    // SAFETY: not null; the caller passes an object of 136 bytes.
    unsafe { std::ptr::copy_nonoverlapping(object.as_ptr(), uid.cast(), object.len()) };
    Ok(0)
}

pub(crate) unsafe fn shmem_get_uniqueid(op: &'static str, uid: *mut Uniqueid) -> Result<c_int> {
    let uid = present(op, "uid", uid)?;
    let version = if version_of(uid) == VERSION_OF_G1 { VERSION_OF_G1 } else { VERSION_OF_G0 };
    let mut object = [0; OF_G0];
    fill(&mut object, Form::First, version, &make(op)?);
    // SAFETY: not null; the caller passes an object of at least 64 bytes.
    unsafe { std::ptr::copy_nonoverlapping(object.as_ptr(), uid.cast(), object.len()) };
    Ok(0)
}

/// Writes version and id to their places.
fn fill(object: &mut [u8], form: Form, version: u32, id: &[u8]) {
    let content = version.to_ne_bytes().into_iter().chain(std::iter::repeat_n(0, form.offset() - 4));
    for (to, from) in object.iter_mut().zip(content.chain(id.iter().copied())) {
        *to = from;
    }
}

pub(crate) unsafe fn aclshmemx_set_attr_uniqueid_args(
    op: &'static str,
    my_pe: c_int,
    n_pes: c_int,
    local_mem_size: i64,
    uid: *mut Uniqueid,
    aclshmem_attr: *mut InitAttr,
) -> Result<c_int> {
    let uid = present(op, "uid", uid)?;
    let object = present(op, "aclshmem_attr", aclshmem_attr)?;
    let bytes = local_mem_size.cast_unsigned();
    check_limits(op, my_pe, n_pes, bytes)?;
    let kept = keep(op, uid, Form::Today)?;
    // SAFETY: not null; the caller passes an object of its generation.
    unsafe { fill_attributes(object, my_pe, n_pes, bytes, kept) };
    Ok(0)
}

pub(crate) unsafe fn shmemx_set_attr_uniqueid_args(
    op: &'static str,
    my_rank: c_int,
    n_ranks: c_int,
    local_mem_size: i64,
    uid: *const Uniqueid,
    shmem_attr: *mut *mut InitAttr,
) -> Result<c_int> {
    let uid = present(op, "uid", uid)?;
    let to = present(op, "shmem_attr", shmem_attr)?;
    let bytes = local_mem_size.cast_unsigned();
    let kept = keep(op, uid, Form::First)?;
    let object = own_object(op, my_rank, n_ranks, bytes, None)?;
    // SAFETY: the object is the library's, of the newest generation.
    unsafe { fill_attributes(object, my_rank, n_ranks, bytes, kept) };
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { to.write(object) };
    Ok(0)
}

/// Checks the version of a first-generation id, and reads it.
///
/// # Errors
/// `InvalidParam` it is another one, or damaged.
pub(super) fn read_first(op: &'static str, uid: *const Uniqueid) -> Result<UniqueId> {
    let version = version_of(uid);
    if version != VERSION_OF_G0 && version != VERSION_OF_G1 {
        return Err(
            Error::invalid(op, "the unique id has another version").with("version", format!("{version:#x}"))
        );
    }
    read(op, uid.expose_provenance(), Form::First)
}
