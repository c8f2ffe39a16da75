// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who serves the operations of others: the memory of this process, under keys.

use mf_base::{Error, MemKind, Result};
use serde::{Deserialize, Serialize};

use super::Peer;
use crate::device::Mover;
use crate::space::Access;

/// Names the segments that one member contributes to one pool, from join to leave. Random: a peer with an
/// old key reaches nothing, and no key is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SegmentKey(pub u64);

/// A piece of memory behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is made of, and so whether the processor may touch it.
    pub kind: MemKind,
    /// Whether the processor may touch it.
    pub is_host_memory: bool,
    /// Its address, the same in every process.
    pub address: u64,
    /// Its length.
    pub bytes: u64,
}

/// Where a range lies.
#[derive(Clone, Copy)]
pub enum Spot<'a> {
    /// Host memory. Other threads and processes change it at any time: never a reference, never a slice.
    Host(*mut u8),
    /// Memory of an accelerator: only this mover touches it.
    Device {
        /// The address as the accelerator knows it.
        address: u64,
        /// What copies.
        mover: &'a dyn Mover,
    },
}

/// This process, as the network reaches it. Called by the threads of transports, and by threads that drive
/// them while they wait; never with a lock of the transport held.
pub trait Target: Send + Sync {
    /// Lets `touch` use `bytes` at `address` under `key`, when there is such memory now; during the call it
    /// stays mapped. `touch` must not block beyond one copy or one call to a socket that does not wait:
    /// a caller that wants to take the memory away waits for it.
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

    /// A message of a peer. Must not block.
    fn message(&self, from: Peer, message: &[u8]);

    /// A connection to `peer` broke and could not be made again. Must not block.
    fn lost(&self, peer: Peer, reason: &Error);
}
