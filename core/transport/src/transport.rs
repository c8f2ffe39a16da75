// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The traits of a transport and of its route to one peer.

use std::sync::Arc;
use std::time::Instant;

use mf_base::sync::rcu::ReadSection;
use mf_base::{Result, interrupt};
use mf_device::{Locality, Mover};

use crate::interruptible_wait::{InterruptibleWait, Left};
use crate::target::{Region, SegmentKey};
use crate::{Capabilities, Completion, Deadlines, InPlace, Operation, Peer, Span};

/// Longest message of [`Transport::send`], in bytes.
pub const MESSAGE_BYTES_MAX: usize = 16 << 10;

/// A transport's route to a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The path, for people: addresses, interface, devices.
    pub path: String,
    /// False if others on the path can read the data.
    pub encrypted: bool,
    /// Higher is better; comparable between transports.
    pub score: u32,
}

/// Carries operations to other processes. Thread-safe; all calls from any thread.
pub trait Transport: Send + Sync {
    /// Its name: `tcp`, `ucx`.
    fn name(&self) -> &'static str;

    /// Returns its capabilities.
    fn capabilities(&self) -> Capabilities;

    /// Returns the address by which others reach this process; opaque to all but the same transport, at most
    /// 8 KiB. **Local.**
    fn address(&self) -> Vec<u8>;

    /// Introduces `peer` by its address. Opens no connection: idle pairs have none. A second call for the
    /// same peer replaces the address. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` when the address is not one of this transport · `NotConnected` with the reason why it
    /// can never reach the peer.
    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()>;

    /// Returns its route to `peer`, or the reason that it cannot reach it. Opens no connection. **Local.**
    ///
    /// # Errors
    /// `NotConnected`.
    fn reach(&self, peer: Peer) -> Result<Reach>;

    /// Forgets a peer that has ended: ends its connections, and all operations in flight to it with
    /// `NotConnected`; it is not introduced any more. **Local.** Does not block.
    fn forget(&self, peer: Peer);

    /// Opens connections for requests from `peer`, and keeps one: the peer may not be able to connect here. A
    /// second call does nothing. Returns at once; failures are retried for about a minute. Ends with
    /// [`forget`](Transport::forget), at either end. Transports within a host have nothing to do.
    ///
    /// # Errors
    /// `NotConnected` the peer is not introduced.
    fn lend(&self, peer: Peer) -> Result<()> {
        let _ = peer;
        Ok(())
    }

    /// Uses connections that the other end [lends](Transport::lend) for requests to `peer`; this process
    /// connects by itself if none comes. **Local.**
    ///
    /// # Errors
    /// `NotConnected` the peer is not introduced.
    fn borrow(&self, peer: Peer) -> Result<()> {
        let _ = peer;
        Ok(())
    }

    /// Makes memory of this process reachable under `key`; a second call with the same key replaces it, or,
    /// when it fails, leaves it unchanged. Returns the description that peers pass to
    /// [`attach`](Transport::attach); at most 8 KiB, often empty. **Local.**
    ///
    /// # Errors
    /// `NoResources` the network card's resources are used up · `Failed` with its reason.
    ///
    /// # Safety
    /// The regions are mapped until [`conceal`](Transport::conceal) has returned.
    unsafe fn expose(&self, key: SegmentKey, regions: &[Region]) -> Result<Vec<u8>>;

    /// Ends [`expose`](Transport::expose): when it returns no input from the network touches that memory.
    fn conceal(&self, key: SegmentKey);

    /// Revokes peers' [grants](crate::Target::grant) under `key` that the target does not grant any more:
    /// when it returns no access relies on them. Transports that ask for each access have nothing to do.
    ///
    /// # Errors
    /// `Timeout` names a process that hangs in the middle of an access: the memory must stay.
    fn revoke(&self, key: SegmentKey, deadline: Instant) -> Result<()> {
        let _ = (key, deadline);
        Ok(())
    }

    /// Notifies that a [file](crate::Target::file) of a grant is freed: peers unmap it. Does not wait for
    /// them.
    fn file_gone(&self, _id: u64) {}

    /// Attaches the description of memory that `peer` exposed under `key`. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` when the description is not one of this transport.
    fn attach(&self, peer: Peer, key: SegmentKey, description: &[u8]) -> Result<()>;

    /// Ends [`attach`](Transport::attach).
    fn detach(&self, peer: Peer, key: SegmentKey);

    /// Returns the route to a peer that was introduced, for any number of operations. Opens no connection.
    /// **Local.**
    ///
    /// # Errors
    /// `NotConnected` the peer is not introduced or has ended.
    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>>;

    /// Up to so many bytes in sum, the source of a put or of a signal's data may be reused as soon as
    /// [`PeerRoute::post`] has returned without an error. 0: never.
    fn eager_bytes(&self) -> u64;

    /// Returns true if the kernel, which reports holes, reads and writes long ranges of the caller's memory
    /// on a route with this [`reach`](Self::reach). Else the processor does, and every page must be there.
    fn finds_holes(&self, reach: &Reach) -> bool {
        let _ = reach;
        false
    }

    /// Starts one operation, as [`PeerRoute::post`] of the [`route`](Transport::route).
    ///
    /// # Errors
    /// As both.
    ///
    /// # Safety
    /// As [`PeerRoute::post`].
    unsafe fn post(
        &self,
        peer: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.route(peer)?.post(operation, completion, deadline) }
    }

    /// Waits until no operation is pending on `completion`, and returns its first error. The calling thread
    /// may drive the connections meanwhile. Operations have their own deadlines, so this ends.
    ///
    /// # Errors
    /// The first error of the operations since the last time; `Timeout` names the peers.
    fn wait(&self, completion: &Completion) -> Result<()>;

    /// Waits like [`wait`](Self::wait), and may be interrupted by the program; `left` selects the fate of the
    /// operations then. A transport that cannot end them early waits for their deadlines.
    ///
    /// # Errors
    /// As [`wait`](Self::wait) · `Interrupted`.
    fn wait_interruptible(&self, completion: &Completion, left: Left) -> Result<()> {
        match left {
            Left::End => self.wait(completion),
            // They are driven by other threads.
            Left::Stay if InterruptibleWait::by_program().sleep(completion) => completion.outcome(),
            Left::Stay => Err(interrupt::error("transport wait")),
        }
    }

    /// Sends a message of 1 to [`MESSAGE_BYTES_MAX`] bytes to [`Target::message`](crate::Target::message) of
    /// `peer`. Messages to one peer arrive in the order of the calls. Returns when the network has taken it;
    /// blocks only while the send queue is full.
    ///
    /// # Errors
    /// As [`PeerRoute::post`]. An `Ok` does not prove arrival.
    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()>;

    /// Waits until all operations that were posted to `peer` before, or to all peers, have ended; their
    /// errors stay with their completions.
    ///
    /// # Errors
    /// `Timeout` names the peers that are not done.
    fn flush(&self, peer: Option<Peer>, deadline: Instant) -> Result<()>;

    /// Ends all connections and threads; all operations in flight end with `NotConnected`. A second call does
    /// nothing.
    fn close(&self);

    /// Open connections and bytes of memory that the transport holds now, for people and tests.
    fn usage(&self) -> Usage {
        Usage::default()
    }
}

/// One peer, as a transport reaches it: resolved once, and kept by the caller that posts. Thread-safe.
///
/// When the peer is forgotten or the transport closed the route refuses with `NotConnected`; after another
/// introduction [`Transport::route`] gives a new one.
pub trait PeerRoute: Send + Sync {
    /// Returns its peer.
    fn peer(&self) -> Peer;

    /// Starts `operation`. Every part counts on `completion` from before this returns, until it ended, well
    /// or not; an error that is returned is not counted there. Blocks only while the send queue is full, at
    /// most until `deadline`, which also ends the operation itself, with `Timeout`. **One-sided.**
    ///
    /// # Errors
    /// `NotConnected` the peer has ended · `Timeout` the queue stayed full · `InvalidParam` an operation
    /// outside of its [`capabilities`](Transport::capabilities), misaligned words, empty lists, strides
    /// shorter than a block. Nothing was started then.
    ///
    /// # Safety
    /// Every local range is valid, for reading or writing as the operation needs, until the completion has
    /// counted it as ended; the source of a put of at most [`Transport::eager_bytes`] until this returns.
    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()>;

    /// Flushes operations that are held back until the reply of an earlier one takes them along. Does not
    /// wait.
    fn push(&self) {}

    /// Fast path: does one short put or get without a wait, inside the caller's section, if its grant is
    /// cached. Returns `None` if nothing was done.
    ///
    /// # Errors
    /// As [`copy_now`](Self::copy_now).
    ///
    /// # Safety
    /// As [`copy_now`](Self::copy_now).
    unsafe fn copy_at_once(
        &self,
        _section: ReadSection<'_>,
        _key: SegmentKey,
        _span: &Span,
        _is_put: bool,
    ) -> Option<Result<()>> {
        None
    }

    /// Returns the cached mapping of the range of so many bytes at an address, for callers that copy there
    /// again: see [`InPlace`]. `None`: it is not mapped, or unknown yet. Copies by it are not counted, so a
    /// decorator that measures returns `None`.
    fn in_place(&self, _section: ReadSection<'_>, _key: SegmentKey, _range: (u64, u64)) -> Option<InPlace> {
        None
    }

    /// Passes a put of a few bytes to the owner of `key`, which handles it itself: memory that it knows, or a
    /// special address. Waits for its answer. Returns `None` if this route does not support it, and nothing
    /// was done.
    ///
    /// # Errors
    /// As a put.
    fn put_by_owner(
        &self,
        _key: SegmentKey,
        _address: u64,
        _bytes: &[u8],
        _deadline: Instant,
    ) -> Option<Result<()>> {
        None
    }

    /// Does a put or a get synchronously, if the calling thread can do it; done and visible on return.
    /// `device`: the mover for an end in device memory; `None`: this process has no accelerator. Returns
    /// `None` if this route does not support it; parts may have been copied.
    ///
    /// # Errors
    /// As a posted operation; `piece` in the error is the index of the span.
    ///
    /// # Safety
    /// Every local range is valid, for reading or writing as the operation needs, until this returns.
    unsafe fn copy_now(
        &self,
        _key: SegmentKey,
        _spans: &[Span],
        _is_put: bool,
        _deadlines: Deadlines,
        _device: Option<OnDevice<'_>>,
    ) -> Option<Result<()>> {
        None
    }
}

/// The accelerator of the process that copies.
#[derive(Clone, Copy)]
pub struct OnDevice<'a> {
    /// The mover.
    pub mover: &'a dyn Mover,
    /// Locality of all local ranges.
    pub local: Locality,
}

/// Resources held by a transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Connections that are open, incoming ones included.
    pub connections: usize,
    /// Memory of buffers and tables, in bytes.
    pub bytes: usize,
    /// Threads.
    pub threads: usize,
}
