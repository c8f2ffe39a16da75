// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Channels between two endpoints.
//!
//! Each end listens under a name made of both endpoints, the channel's name and a number for equal ones, and
//! connects to the other end's name. The names end with their process.

use std::ffi::{CStr, c_char, c_void};
use std::os::fd::OwnedFd;
use std::sync::{Arc, LazyLock, OnceLock};

use ascend_acl_sys::raw::types::{EndpointDesc, HCOMM_CHANNEL_MAGIC_WORD, HcommChannelDesc};

use super::endpoints::{Endpoint, EndpointName};
use super::threads::{ENGINES, pointer};
use super::{MOST, entries, expect, not_null, translate};
use crate::acl::arguments::{give, read};
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::hash;
use crate::hccl::code;
use crate::machine::machine;

crate::exports! {
    /// Creates channels and begins to connect them.
    fn HcommChannelCreate(
        endpoint: *mut c_void, engine: i32, descs: *mut HcommChannelDesc, num: u32, channels: *mut u64,
    ) = create;
    /// Destroys channels.
    fn HcommChannelDestroy(channels: *const u64, num: u32) = destroy;
    /// Returns the status of channels: 0 connected, 1 connecting.
    fn HcommChannelGetStatus(channels: *const u64, num: u32, status: *mut i32) = statuses;
}

/// Size of the first version of a description.
const FIRST_SIZE: usize = std::mem::offset_of!(HcommChannelDesc, qos);
/// Longest name of a channel.
const MOST_OF_A_NAME: usize = 191;
/// Channels with equal endpoints and name, at most.
const MOST_EQUAL: u32 = 1024;

static CHANNELS: LazyLock<HandleTable<Channel>> = LazyLock::new(|| HandleTable::new("channel"));

/// One end of a channel.
pub(super) struct Channel {
    /// Handle of its endpoint.
    pub(super) endpoint: usize,
    /// The other endpoint.
    pub(super) peer: EndpointName,
    /// Name of the other end's listener.
    other: String,
    connected: OnceLock<()>,
    _listener: OwnedFd,
}

impl Channel {
    /// The channel behind a handle.
    ///
    /// # Errors
    /// `HCCL_E_PARA` for an unknown one.
    pub(super) fn from_handle(handle: u64) -> Outcome<Arc<Self>> {
        CHANNELS.get(pointer(handle), code::PARA)
    }

    /// Returns true once both ends exist.
    pub(super) fn is_connected(&self) -> Outcome<bool> {
        if self.connected.get().is_none() && translate(machine())?.session.has_listener(&self.other) {
            // Another thread may have seen it first.
            let _ = self.connected.set(());
        }
        Ok(self.connected.get().is_some())
    }
}

/// Channels of an endpoint.
pub(super) fn count(endpoint: usize) -> usize {
    CHANNELS.all().iter().filter(|channel| channel.endpoint == endpoint).count()
}

unsafe fn create(
    endpoint: *mut c_void,
    engine: i32,
    descs: *mut HcommChannelDesc,
    count: u32,
    channels: *mut u64,
) -> Outcome {
    let own = Endpoint::from_handle(endpoint)?;
    not_null(descs, "descs")?;
    not_null(channels, "channels")?;
    expect(ENGINES.contains(&engine), || format!("invalid engine {engine}: must be 0 to 5"))?;
    expect(count > 0 && count <= MOST, || format!("{count} channels: must be 1 to {MOST}"))?;
    let mut made = Vec::new();
    let mut at = descs.cast::<u8>().cast_const();
    let outcome = (0..count).try_for_each(|_| {
        // SAFETY: not null; the program passes `num` descriptions, each as long as its header says.
        let (wanted, bytes) = unsafe { Wanted::read(at) }?;
        at = at.wrapping_add(bytes);
        let channel = open(endpoint.addr(), &own.name, &wanted)?;
        made.push(CHANNELS.insert_with(|_| channel).0);
        Ok(())
    });
    if let Err(fault) = outcome {
        made.iter().for_each(|handle| _ = CHANNELS.remove(*handle, code::PARA));
        return Err(fault);
    }
    for (index, handle) in made.into_iter().enumerate() {
        // SAFETY: not null; the program has room for `num` handles.
        unsafe { give(channels.wrapping_add(index), handle.addr() as u64) }?;
    }
    Ok(())
}

/// A channel that a program wants.
struct Wanted {
    peer: EndpointName,
    name: Vec<u8>,
}

impl Wanted {
    /// Reads a description, as much as its header covers, and returns its size, too.
    ///
    /// # Safety
    /// A description is at `at`.
    unsafe fn read(at: *const u8) -> Outcome<(Self, usize)> {
        // SAFETY: a description begins with these words.
        let [version, magic, size, _] = unsafe { read(at.cast::<[u32; 4]>()) };
        expect(magic == HCOMM_CHANNEL_MAGIC_WORD, || {
            format!("the header has {magic:#x} in place of {HCOMM_CHANNEL_MAGIC_WORD:#x}")
        })?;
        let size = size as usize;
        expect(version > 0 && size >= FIRST_SIZE, || {
            format!("a description of version {version} with {size} bytes: it has {FIRST_SIZE} at least")
        })?;
        let field = at.wrapping_add(std::mem::offset_of!(HcommChannelDesc, remoteEndpoint));
        // SAFETY: within the bytes that the header covers.
        let peer = unsafe { read(field.cast::<[u8; size_of::<EndpointDesc>()]>()) };
        let mut name = Vec::new();
        if size >= size_of::<HcommChannelDesc>() {
            let field = at.wrapping_add(std::mem::offset_of!(HcommChannelDesc, channelName));
            // SAFETY: within the bytes that the header covers.
            let text = unsafe { read(field.cast::<*const c_char>()) };
            if !text.is_null() {
                // SAFETY: not null; the program passes a C string.
                name = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
            }
        }
        expect(name.len() <= MOST_OF_A_NAME, || {
            format!("a channel's name of {} bytes: at most {MOST_OF_A_NAME}", name.len())
        })?;
        Ok((Self { peer: EndpointName::of(&peer), name }, size))
    }
}

/// Makes this process's end.
fn open(endpoint: usize, own: &EndpointName, wanted: &Wanted) -> Outcome<Channel> {
    let session = &translate(machine())?.session;
    let between = |from: &EndpointName, to: &EndpointName| {
        hash::fnv1a(from.hash().rotate_left(1) ^ to.hash(), wanted.name.iter().copied())
    };
    let (here, there) = (between(own, &wanted.peer), between(&wanted.peer, own));
    for number in 0..MOST_EQUAL {
        if let Some(listener) = translate(session.listen(&format!("hcomm/{here:016x}-{number}")))? {
            return Ok(Channel {
                endpoint,
                peer: wanted.peer,
                other: format!("hcomm/{there:016x}-{number}"),
                connected: OnceLock::new(),
                _listener: listener,
            });
        }
    }
    Err(Fault::new(
        code::PARA,
        format_args!("there are {MOST_EQUAL} channels between these endpoints with this name"),
    ))
}

unsafe fn destroy(channels: *const u64, count: u32) -> Outcome {
    // SAFETY: null is refused; the program passes `num` handles.
    let channels = unsafe { entries(channels, count, "channels") }?;
    channels.iter().try_for_each(|channel| CHANNELS.remove(pointer(*channel), code::PARA).map(drop))
}

unsafe fn statuses(channels: *const u64, count: u32, status: *mut i32) -> Outcome {
    not_null(status, "status")?;
    // SAFETY: null is refused; the program passes `num` handles.
    let channels = unsafe { entries(channels, count, "channels") }?;
    for (index, channel) in channels.into_iter().enumerate() {
        let found = number(Channel::from_handle(channel)?.is_connected()?);
        // SAFETY: not null; the program has room for `num` numbers.
        unsafe { give(status.wrapping_add(index), found) }?;
    }
    Ok(())
}

/// Assumed: numbers of the status of a channel.
fn number(is_connected: bool) -> i32 {
    i32::from(!is_connected)
}

/// Refuses copies on a channel that is not connected yet.
///
/// # Errors
/// `HCCL_E_UNAVAIL`.
pub(super) fn check_connected(channel: &Channel) -> Outcome {
    let is_connected = channel.is_connected()?;
    ensure(is_connected, code::UNAVAILABLE, || "the channel is not connected yet".to_owned())
}
