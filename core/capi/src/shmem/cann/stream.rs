// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations in the order of a stream: of ACL, where the process has an accelerator, else of ours.
//!
//! Null names the default stream of the calling thread's context, or where the thread has no device one
//! stream of the process.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_device::RawStream;
use mf_shmem::{Element, HostStream, Stream as Order, World};

use super::instances::{self, Instance};
use super::signal::changed;
use super::team::team_for_barrier;
use super::types::{Handle, Stream, Team};
use super::wait::condition;
use crate::boundary::present;

/// Time limit of a wait for a stream of the library.
const PATIENCE: Duration = Duration::from_secs(120);

/// Streams of ours by their handles, from 1.
static STREAMS: Mutex<BTreeMap<usize, Arc<HostStream>>> = Mutex::new(BTreeMap::new());

/// The stream that null names.
fn default_stream() -> Arc<HostStream> {
    static DEFAULT: OnceLock<Arc<HostStream>> = OnceLock::new();
    Arc::clone(DEFAULT.get_or_init(HostStream::new))
}

/// Returns the library's stream of a handle.
///
/// # Errors
/// `InvalidParam` unknown stream.
fn own_stream(op: &'static str, stream: Stream) -> Result<Arc<HostStream>> {
    if stream.is_null() {
        return Ok(default_stream());
    }
    lock(&STREAMS).get(&stream.addr()).cloned().ok_or_else(|| {
        Error::invalid(op, "unknown stream")
            .with("stream", format!("{:#x}", stream.addr()))
            .hint("pass null, or a stream of aclshmemx_stream_create that is not destroyed; nothing was done")
    })
}

fn order(op: &'static str, world: &World, stream: Stream) -> Result<Order> {
    let is_of_runtime =
        if stream.is_null() { world.has_stream_of_this_thread() } else { world.takes_device_memory() };
    if is_of_runtime { Ok(Order::Device(RawStream(stream))) } else { own_stream(op, stream).map(Order::Host) }
}

/// The current instance, and the order of a stream.
fn begin(op: &'static str, stream: Stream) -> Result<(&'static Instance, Order)> {
    let instance = instances::get(op)?;
    Ok((instance, order(op, &instance.world, stream)?))
}

pub(crate) unsafe fn aclshmemx_putmem_on_stream(
    op: &'static str,
    dst: *mut c_void,
    src: *mut c_void,
    bytes: usize,
    pe: c_int,
    stream: Stream,
) -> Result<()> {
    let (instance, order) = begin(op, stream)?;
    // SAFETY: the caller vouches for local memory and the stream until the stream has done the work.
    unsafe { instance.kept_world_of(dst.cast()).put_on(&order, dst.cast(), src.cast(), bytes, pe) }
}

pub(crate) unsafe fn aclshmemx_getmem_on_stream(
    op: &'static str,
    dst: *mut c_void,
    src: *mut c_void,
    bytes: usize,
    pe: c_int,
    stream: Stream,
) -> Result<()> {
    let (instance, order) = begin(op, stream)?;
    // SAFETY: the caller vouches for local memory and the stream until the stream has done the work.
    unsafe { instance.kept_world_of(src.cast()).get_on(&order, dst.cast(), src.cast(), bytes, pe) }
}

pub(crate) unsafe fn aclshmemx_signal_op_on_stream(
    op: &'static str,
    sig_addr: *mut i32,
    signal: i32,
    sig_op: c_int,
    pe: c_int,
    stream: Stream,
) -> Result<()> {
    let signal = changed(op, sig_addr.cast::<u8>().cast_const(), signal, sig_op)?;
    let (instance, order) = begin(op, stream)?;
    // SAFETY: the caller vouches for local memory and the stream until the stream has done the work.
    unsafe { instance.kept_world_of(sig_addr.cast()).signal_on(&order, signal, pe) }
}

#[allow(clippy::too_many_arguments, reason = "those of the interface")]
pub(crate) unsafe fn aclshmemx_putmem_signal_on_stream(
    op: &'static str,
    dst: *mut c_void,
    src: *mut c_void,
    bytes: usize,
    sig_addr: *mut c_void,
    signal: i32,
    sig_op: c_int,
    pe: c_int,
    stream: Stream,
) -> Result<()> {
    // Nothing is done where the signal is refused.
    let change = changed(op, sig_addr.cast::<u8>().cast_const(), signal, sig_op)?;
    let (instance, order) = begin(op, stream)?;
    // SAFETY: the caller vouches for local memory and the stream until the stream has done the work.
    unsafe { instance.kept_world_of(sig_addr.cast()).check_signal_on(&order, &change, pe) }?;
    // SAFETY: the caller vouches for local memory and the stream until the stream has done the work.
    unsafe { aclshmemx_putmem_on_stream(op, dst, src, bytes, pe, stream) }?;
    // SAFETY: the caller vouches for local memory and the stream until the stream has done the work.
    unsafe { aclshmemx_signal_op_on_stream(op, sig_addr.cast(), signal, sig_op, pe, stream) }
}

pub(crate) unsafe fn aclshmemx_signal_wait_until_on_stream(
    op: &'static str,
    sig_addr: *mut i32,
    cmp: c_int,
    cmp_val: i32,
    stream: Stream,
) -> Result<()> {
    let condition = condition::<i32>(op, cmp)?;
    let (instance, order) = begin(op, stream)?;
    let world = instance.kept_world_of(sig_addr.cast());
    // SAFETY: the caller vouches for local memory and the stream until the stream has done the work.
    unsafe { world.wait_on(&order, sig_addr.cast(), condition, cmp_val.to_bits()) }
}

pub(crate) unsafe fn aclshmemx_quiet_on_stream(op: &'static str, stream: Stream) -> Result<()> {
    let (instance, order) = begin(op, stream)?;
    // SAFETY: the caller keeps the stream alive until it has done the work.
    instance.worlds().try_for_each(|world| unsafe { world.quiet_on(&order) })
}

/// # Safety
/// The stream is alive until it has done it.
unsafe fn meet_on(op: &'static str, team: Team, stream: Stream, completes: bool) -> Result<()> {
    let (_, order) = begin(op, stream)?;
    let Some((instance, team)) = team_for_barrier(op, team)? else { return Ok(()) };
    if completes && let Some(second) = instance.worlds().nth(1) {
        // SAFETY: the caller keeps the stream alive until it has done the work.
        unsafe { second.quiet_on(&order) }?;
    }
    // SAFETY: the caller keeps the stream alive until it has done the work.
    unsafe { instance.world.sync_on(&order, team, completes) }
}

pub(crate) unsafe fn aclshmemx_barrier_on_stream(op: &'static str, team: Team, stream: Stream) -> Result<()> {
    // SAFETY: the caller keeps the stream alive until it has done the work.
    unsafe { meet_on(op, team, stream, true) }
}

pub(crate) unsafe fn aclshmemx_barrier_all_on_stream(op: &'static str, stream: Stream) -> Result<()> {
    // SAFETY: the caller keeps the stream alive until it has done the work.
    unsafe { meet_on(op, 0, stream, true) }
}

pub(crate) unsafe fn aclshmemx_sync_on_stream(op: &'static str, team: Team, stream: Stream) -> Result<()> {
    // SAFETY: the caller keeps the stream alive until it has done the work.
    unsafe { meet_on(op, team, stream, false) }
}

pub(crate) unsafe fn aclshmemx_sync_all_on_stream(op: &'static str, stream: Stream) -> Result<()> {
    // SAFETY: the caller keeps the stream alive until it has done the work.
    unsafe { meet_on(op, 0, stream, false) }
}

/// Waits for pending network operations, then for the handle's team.
pub(crate) unsafe fn aclshmemx_handle_wait(op: &'static str, handle: Handle, stream: Stream) -> Result<()> {
    // SAFETY: the caller keeps the stream alive until it has done the work.
    unsafe { meet_on(op, handle.team_id, stream, true) }
}

pub(crate) unsafe fn aclshmemx_stream_create(op: &'static str, stream: *mut Stream) -> Result<c_int> {
    let to = present(op, "stream", stream)?;
    if instances::current().is_some_and(|instance| instance.world.takes_device_memory()) {
        return Err(Error::invalid(op, "this process has an accelerator, whose streams are to be used")
            .hint("aclrtCreateStream makes one"));
    }
    let mut streams = lock(&STREAMS);
    let handle = (1..).find(|handle| !streams.contains_key(handle)).unwrap_or(usize::MAX);
    streams.insert(handle, HostStream::new());
    // SAFETY: not null; the caller passes room for a stream.
    unsafe { to.write(std::ptr::without_provenance_mut(handle)) };
    Ok(0)
}

pub(crate) fn aclshmemx_stream_synchronize(op: &'static str, stream: Stream) -> Result<c_int> {
    own_stream(op, stream)?.synchronize(Instant::now() + PATIENCE).map(|()| 0)
}

pub(crate) fn aclshmemx_stream_destroy(op: &'static str, stream: Stream) -> Result<c_int> {
    own_stream(op, stream)?;
    if lock(&STREAMS).remove(&stream.addr()).is_none() {
        return Err(Error::invalid(op, "the stream that null names stays"));
    }
    Ok(0)
}

pub(crate) use {
    aclshmemx_barrier_all_on_stream as shmemx_barrier_all_on_stream,
    aclshmemx_barrier_on_stream as shmemx_barrier_on_stream,
    aclshmemx_getmem_on_stream as shmemx_getmem_on_stream, aclshmemx_handle_wait as shmem_handle_wait,
};
