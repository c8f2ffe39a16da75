// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Target: serves the operations of others on the memory of this process, under keys.

use std::os::fd::OwnedFd;

use mf_base::{Error, Kind, MemKind, Result};
use mf_device::{Access, Mover};
use serde::{Deserialize, Serialize};

use crate::Peer;

/// Names the segments that one member contributes to one pool, from join to leave. Random: a peer with an old
/// key reaches no memory, and no key is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SegmentKey(pub u64);

/// A piece of memory behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Kind of memory.
    pub kind: MemKind,
    /// True if the processor may touch it.
    pub is_host_memory: bool,
    /// Its address, the same in every process.
    pub address: u64,
    /// Its length.
    pub bytes: u64,
}

/// Place of a range.
#[derive(Clone, Copy)]
pub enum Spot<'a> {
    /// Host memory. Other threads and processes change it at any time: never a reference, never a slice.
    Host(*mut u8),
    /// Host memory that the program made, and may have unmapped since: never touched by the processor, only
    /// by the kernel ([`mf_base::os::guarded`]), which reports a [`hole`].
    Program(*mut u8),
    /// Memory of an accelerator: only this mover touches it.
    Device {
        /// The address in the accelerator's address space.
        address: u64,
        /// The mover.
        mover: &'a dyn Mover,
    },
}

/// Address and bytes.
pub type Range = (u64, u64);

/// Most ranges of one [`Target::read_all`].
pub const RANGES_MAX: usize = 32;

/// A range that a peer on this host may use without asking again, until it is
/// [revoked](crate::Transport::revoke).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its first address.
    pub start: u64,
    /// The first address behind it.
    pub end: u64,
    /// Backing of the range.
    pub backing: Backing,
}

/// Backing of a granted range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Backing {
    /// Private memory of this process.
    Private,
    /// A memory file.
    File(InFile),
    /// Device memory that [`Target::device`] has a key for, under this number, which is never used again.
    Device(u64),
    /// Memory that other transports reach: not to be asked for again.
    Elsewhere,
}

/// A place in a memory file of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFile {
    /// Names the file, for [`Target::file`]; never used again.
    pub id: u64,
    /// Bytes from its start.
    pub offset: u64,
}

/// This process, as the network reaches it. Called by the threads of transports, and by threads that drive
/// them while they wait; never with a lock of the transport held.
pub trait Target: Send + Sync {
    /// Lets `touch` use `bytes` at `address` under `key`, if there is such memory now; during the call it
    /// stays mapped. `touch` must not block beyond one copy or one nonblocking call to a socket: a caller
    /// that wants to take the memory away waits for it.
    ///
    /// # Errors
    /// `NotConnected` no contributor under this key (any more) · `InvalidParam` not inside one segment.
    /// `touch` was not called then.
    fn access(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()>;

    /// Lets `touch` read several ranges under one key, at most [`RANGES_MAX`], in one call; as
    /// [`access`](Target::access).
    ///
    /// # Errors
    /// As there; `NotExist` each range must be accessed alone. `touch` was not called then.
    fn read_all(&self, key: SegmentKey, ranges: &[Range], touch: &mut dyn FnMut(&[Spot<'_>])) -> Result<()> {
        let _ = (key, touch);
        Err(not_together(ranges.len()))
    }

    /// Returns a grant that a peer on this host may use without asking again, for an access to `bytes` at
    /// `address`; it covers all of them. Puts a few others that may be requested next into `more`. Must not
    /// block.
    ///
    /// # Errors
    /// As [`access`](Target::access) · `NotExist` there is such memory, reached by other transports only.
    fn grant(&self, key: SegmentKey, address: u64, bytes: u64, _more: &mut Vec<Grant>) -> Result<Grant> {
        let _ = key;
        Err(not_granted(address, bytes))
    }

    /// Returns the file of a grant, to be mapped by a peer.
    ///
    /// # Errors
    /// `NotExist` the file is unknown, or was freed · `NoResources` out of descriptors.
    fn file(&self, key: SegmentKey, id: u64) -> Result<(OwnedFd, u64)> {
        let _ = key;
        Err(no_file(id))
    }

    /// The key of device memory of a grant, to be [imported](mf_device::Mover::import) by a peer.
    ///
    /// # Errors
    /// `NotExist` it is not shared any more.
    fn device(&self, key: SegmentKey, id: u64) -> Result<Vec<u8>> {
        let _ = key;
        Err(no_file(id))
    }

    /// A message of a peer. Must not block.
    fn message(&self, from: Peer, message: &[u8]);

    /// A connection to `peer` broke and could not be made again. Must not block.
    fn lost(&self, peer: Peer, reason: &Error);
}

/// Returns the error of registered memory that is not mapped as the access needs it.
#[cold]
pub fn hole(access: Access, address: u64, bytes: u64) -> Error {
    let what = match access {
        Access::Read => "registered memory cannot be read in the process that registered it",
        Access::Write => "registered memory cannot be written in the process that registered it",
    };
    Error::invalid("remote access", what)
        .with("address", format_args!("{address:#x}"))
        .with("bytes", bytes)
        .hint("it was unmapped or protected after it was registered: unregister memory before it is freed")
}

/// Returns the error of memory that processes of the host do not reach by a grant.
#[cold]
pub fn not_granted(address: u64, bytes: u64) -> Error {
    Error::new(Kind::NotExist, "remote access")
        .what("this memory is not granted to processes of the host")
        .with("address", format!("{address:#x}"))
        .with("bytes", bytes)
}

/// Returns the error of ranges that cannot be read in one call.
#[cold]
pub fn not_together(ranges: usize) -> Error {
    Error::new(Kind::NotExist, "remote access")
        .what("each range must be accessed alone")
        .with("ranges", ranges)
}

/// Returns the error of an unknown or freed memory file, or device memory.
#[cold]
pub fn no_file(id: u64) -> Error {
    Error::new(Kind::NotExist, "remote access").what("no such memory file").with("file", id)
}
