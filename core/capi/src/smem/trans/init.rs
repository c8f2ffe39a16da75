// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_trans.h`: configuration, init and uninit, making and ending endpoints.

use std::ffi::{c_char, c_void};
use std::net::Ipv4Addr;

use mf_abi::smem::{TransConfig, TransHandle};
use mf_base::os::descriptor;
use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Result};
use mf_smem::trans::{Endpoint, Options};

use super::config::{EarlyConfig, NextConfig, Wanted, defaults, early_defaults};
use super::era::{self, Era, is_number, mixed, mixed_init};
use super::state::{Context, STATE, endpoint, unknown};
use crate::boundary::text;
use crate::part;
use crate::smem::store::servers::smem_create_config_store;
use crate::smem::trans::memory::none_null;
use crate::startup::prepare;

pub(crate) unsafe fn smem_trans_config_init(op: &'static str, config: *mut TransConfig) -> Result<()> {
    era::note_config(STATE.current().is_some());
    if era::is_february_2026()? {
        // SAFETY: not null; the caller passes a structure of February 2026, as the setting says.
        unsafe { config.cast::<EarlyConfig>().write(early_defaults(op)) };
    } else {
        // SAFETY: not null; the caller passes a struct of this size, or the longer one of the next release.
        unsafe { config.write(defaults(op)) };
    }
    Ok(())
}

/// `config`: of release 1.3; the device's number of the next release.
pub(crate) unsafe fn smem_trans_init(op: &'static str, config: *const TransConfig) -> Result<()> {
    prepare()?;
    let wanted = era::of_init(op, config.addr())?;
    STATE.begin(op, || {
        match wanted {
            Era::Next => check_device(config.addr())?,
            // SAFETY: an address, as its era says; the caller passes an initialised struct that nobody
            // changes meanwhile.
            Era::Release13 => Wanted::of_release(op, unsafe { &*config })?.check(op)?,
            Era::February2026 => {
                // SAFETY: the same.
                Wanted::of_february_2026(unsafe { &*config.cast() }).check(op)?;
            }
        }
        Ok(Context(Owner::current(), wanted))
    })?;
    match STATE.context(op)?.1 {
        begun if begun != wanted => Err(mixed_init(op, begun, wanted)),
        _ => Ok(()),
    }
}

/// Refuses a device that this machine lacks, where it has any.
fn check_device(number: usize) -> Result<()> {
    // Only the device is checked.
    Options::new("", "").device(u16::try_from(number).ok()).check_device()
}

pub(crate) fn smem_trans_uninit(op: &'static str, _flags: u32) -> Result<()> {
    part::end(op, part::TRANSFERS);
    Ok(())
}

/// Release 1.3: `url`, `name`, `config`; the next release: its configuration, flags, nothing.
pub(crate) unsafe fn smem_trans_create(
    op: &'static str,
    url: *const c_char,
    name: *const c_char,
    config: *const TransConfig,
) -> Result<TransHandle> {
    let context = STATE.context(op).map_err(|error| match error.kind() {
        Kind::NotInit if STATE.current().is_none() => error.as_kind(Kind::InvalidParam),
        _ => error,
    })?;
    let begun = context.1;
    if begun == Era::Next {
        if !name.is_null() && !is_number(name.addr()) {
            return Err(mixed(op, begun, "1.3"));
        }
        // SAFETY: not null, as the row demands; the caller passes an initialised struct of this release that
        // nobody changes meanwhile.
        let wanted = Wanted::of_next(op, unsafe { &*url.cast::<NextConfig>() })?;
        return STATE.publish(op, Endpoint::listen(wanted.options(op, "", "")?, wanted.url)?);
    }
    if is_number(name.addr()) {
        return Err(mixed(op, begun, "next"));
    }
    none_null(op, [(name.cast(), "the name of the endpoint"), (config.cast(), "the configuration")])?;
    let wanted = match begun {
        // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
        Era::February2026 => Wanted::of_february_2026(unsafe { &*config.cast() }),
        // SAFETY: the same.
        Era::Release13 | Era::Next => Wanted::of_release(op, unsafe { &*config })?,
    };
    // SAFETY: the caller passes a C string.
    let name = unsafe { text(op, "the name of the endpoint", name) }?;
    if wanted.starts_store {
        // SAFETY: the caller passes a C string.
        unsafe { smem_create_config_store(op, url, 0) }?;
    }
    // SAFETY: the caller passes a C string.
    let options = wanted.options(op, unsafe { text(op, "the store URL", url) }?, name)?;
    STATE.publish(op, Endpoint::create(options)?)
}

pub(crate) fn smem_trans_destroy(op: &'static str, handle: TransHandle, _flags: u32) -> Result<()> {
    let is_one = STATE.end_object(op, handle)?;
    if is_one { Ok(()) } else { Err(unknown(op, handle)) }
}

/// The next release: the endpoint, and room for its port; February 2026: room for a text, and its length.
pub(crate) unsafe fn smem_trans_get_rpc_port(
    op: &'static str,
    handle: TransHandle,
    port: *mut u16,
) -> Result<()> {
    if era::is_february_2026()? {
        // SAFETY: the caller passes so many bytes.
        return unsafe { write_free_port(op, handle.cast(), port.addr()) };
    }
    if is_number(port.addr()) {
        return Err(Error::invalid(op, "the place of the port is a number, and no address")
            .with("number", port.addr())
            .hint("a program of February 2026 runs with MF_SMEM_ABI=2026.02"));
    }
    none_null(op, [(port.cast_const().cast(), "the place of the port")])?;
    let number = endpoint(op, handle)?.port().ok_or_else(|| {
        Error::invalid(op, "the endpoint meets others at a store, and has no port of its own")
    })?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { port.write(number) };
    Ok(())
}

/// Writes the number of a free port as text, for the name of an endpoint.
///
/// # Safety
/// There are `bytes` writable bytes at `place`.
unsafe fn write_free_port(op: &'static str, place: *mut c_void, bytes: usize) -> Result<()> {
    let failed =
        |error: std::io::Error| Error::new(Kind::NoResources, op).what("no port is free").source(error);
    let listener = descriptor::listen_tcp((Ipv4Addr::UNSPECIFIED, 0)).map_err(failed)?;
    let text = format!("{}\0", listener.local_addr().map_err(failed)?.port());
    if place.is_null() || bytes < text.len() {
        return Err(Error::invalid(op, "the text of a port needs more room")
            .with("bytes", bytes)
            .with("needed", text.len()));
    }
    // SAFETY: the caller passes so many bytes, and the text is not longer.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), place.cast::<u8>(), text.len()) };
    Ok(())
}
