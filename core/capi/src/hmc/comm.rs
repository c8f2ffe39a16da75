// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Communicators by handle: connections.

use std::ffi::c_char;
use std::sync::Arc;

use mf_abi::smem::{HmcBufferHandle, HmcCommHandle};
use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Result};
use mf_hmc::communicator::{At, Communicator};
use mf_hmc::{ConnType, Status};
use mf_job::process::Handles;

use super::buffer;
use crate::boundary::text;

/// A communicator that a program made.
pub(crate) struct Opened {
    pub(crate) communicator: Communicator,
    owner: Owner,
}

impl Opened {
    /// Ends it, unless it is the parent's of this process.
    fn end(&self) {
        if self.owner.is_current() {
            self.communicator.end();
        }
    }
}

/// Communicators; programs end them at any time.
pub(super) static COMMS: Handles<Opened, 256> = Handles::new("communicator", "mfx_hmc_comm_create");

/// The communicator of a handle.
pub(crate) fn opened(op: &'static str, handle: HmcCommHandle) -> Result<Arc<Opened>> {
    let opened = COMMS.get(op, handle, Kind::InvalidParam)?;
    opened.owner.check(op, "the communicator was made by the parent of this process")?;
    Ok(opened)
}

/// The kind of connections of a number.
pub(crate) fn conn_of(op: &'static str, number: i32) -> Result<ConnType> {
    ConnType::from_number(number).ok_or_else(|| {
        Error::invalid(op, "unknown kind of connection")
            .code_of_family(Status::InvalidConfig as i32)
            .with("conn", number)
    })
}

pub(crate) unsafe fn mfx_hmc_comm_create(
    op: &'static str,
    buffer: HmcBufferHandle,
    channels: u64,
    comm: *mut HmcCommHandle,
) -> Result<()> {
    let buffer = Arc::clone(&buffer::buffer_of(op, buffer)?.buffer);
    let opened = Opened { communicator: Communicator::new(op, buffer, channels)?, owner: Owner::current() };
    let handle = COMMS.insert(op, Arc::new(opened))?;
    // SAFETY: not null; the caller passes room for a handle.
    unsafe { comm.write(handle) };
    Ok(())
}

pub(crate) fn mfx_hmc_comm_destroy(_op: &'static str, handle: HmcCommHandle) -> Result<()> {
    if let Some(opened) = COMMS.remove(handle) {
        opened.end();
    }
    Ok(())
}

pub(crate) unsafe fn mfx_hmc_comm_listen(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    conn: i32,
) -> Result<()> {
    let (opened, conn) = (opened(op, handle)?, conn_of(op, conn)?);
    // SAFETY: the caller passes a C string.
    opened.communicator.listen(op, unsafe { text(op, "the address", ip) }?, port, conn)
}

pub(crate) fn mfx_hmc_comm_stop(op: &'static str, handle: HmcCommHandle) -> Result<()> {
    opened(op, handle)?.communicator.stop(op)
}

pub(crate) unsafe fn mfx_hmc_comm_connect(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    conn: i32,
) -> Result<()> {
    let (opened, conn) = (opened(op, handle)?, conn_of(op, conn)?);
    // SAFETY: the caller passes a C string.
    opened.communicator.connect(op, unsafe { text(op, "the address", ip) }?, port, conn)
}

pub(crate) unsafe fn mfx_hmc_comm_disconnect(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    conn: i32,
) -> Result<()> {
    let (opened, conn) = (opened(op, handle)?, conn_of(op, conn)?);
    // SAFETY: the caller passes a C string.
    let ip = unsafe { text(op, "the address", ip) }?.as_bytes();
    opened.communicator.disconnect(op, At { ip, port, conn })
}

pub(crate) unsafe fn mfx_hmc_comm_check(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    port: u16,
    conn: i32,
) -> Result<()> {
    let (opened, conn) = (opened(op, handle)?, conn_of(op, conn)?);
    // SAFETY: the caller passes a C string.
    let ip = unsafe { text(op, "the address", ip) }?.as_bytes();
    opened.communicator.connection(op, At { ip, port, conn }).map(drop)
}

pub(crate) unsafe fn mfx_hmc_comm_port_of(
    op: &'static str,
    handle: HmcCommHandle,
    ip: *const c_char,
    conn: i32,
    port: *mut u16,
) -> Result<()> {
    let (opened, conn) = (opened(op, handle)?, conn_of(op, conn)?);
    // SAFETY: the caller passes a C string.
    let found = opened.communicator.port_of(op, unsafe { text(op, "the address", ip) }?, conn)?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { port.write(found) };
    Ok(())
}
