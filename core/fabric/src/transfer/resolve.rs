// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolver: the trait by which transfers classify addresses.

use std::sync::Arc;

use mf_base::sync::rcu::{ReadGuard, ReadSection};
use mf_base::{Error, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Locality, RawStream};
use mf_net::{Atomic, Member, SegmentKey, Width};

/// Completion mode of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Done and visible on return.
    Sync,
    /// May be queued, until the resolver, and the lane, have been waited for. Between mapped memory such
    /// copies are done in the order of the calls; over a network in any.
    Async,
    /// Done when this stream of the accelerator's runtime gets there; without an accelerator on return.
    Stream(RawStream),
}

/// Owner of a range that is mapped here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The program's own, which the resolver does not manage.
    Private,
    /// This member's contribution.
    Own,
    /// Another member's, mapped as long as a read section runs in which it was resolved.
    Lent,
}

/// A range that is mapped in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Here {
    /// The processor's or the accelerator's.
    pub locality: Locality,
    /// Owner of the memory.
    pub memory: Memory,
}

/// Classification of a range.
#[derive(Clone, Copy)]
pub enum End<'s> {
    /// Mapped in this process.
    Here(Here),
    /// In the memory of another process, under the member's key and the same address.
    There {
        /// Owner and its route; valid as long as the section lasts.
        member: &'s Arc<Member>,
        /// The kind of memory there.
        locality: Locality,
    },
}

/// The refused request.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// A copy.
    Piece(&'a Piece),
    /// The change of a word.
    Word {
        /// Its address.
        address: u64,
        /// Its width.
        width: Width,
    },
}

/// Classifies addresses. Thread-safe.
pub trait Resolver {
    /// The same resolver, kept alive with all that it resolves to and is not lent, for work that is done
    /// later.
    type Share: Resolver + Send + 'static;

    /// Classifies `bytes` at `address` for this access: a source is read, a destination written. Returns
    /// `None` if not acceptable, for the reason in [`refusal`](Self::refusal). May ask other processes about
    /// an unknown range.
    ///
    /// # Errors
    /// The range cannot be resolved, or the member cannot be reached.
    fn resolve<'s>(
        &'s self,
        section: ReadSection<'s>,
        address: u64,
        bytes: u64,
        access: Access,
    ) -> Result<Option<End<'s>>>;

    /// Returns the error for a refused request.
    fn refusal(&self, wanted: Wanted<'_>) -> Error;

    /// The devices of this process.
    fn devices(&self) -> &Devices;

    /// Returns a share; `None` while the resolver ends.
    fn share(&self) -> Option<Self::Share>;

    /// Returns true if the caller has found [`Private`](Memory::Private) memory mapped as the copy needs it.
    fn is_checked(&self) -> bool {
        false
    }

    /// Returns true if the member of this rank and key refused because it has left since, and has joined
    /// again under another key: then the operation may be retried.
    fn came_back(&self, member: (mf_base::Rank, SegmentKey), error: &Error) -> bool;

    /// Copies pieces that are mapped here, and were resolved in this section.
    ///
    /// # Errors
    /// Errors of the device that copies.
    ///
    /// # Safety
    /// Private ends are valid until the copy is done.
    unsafe fn copy_local(&self, section: &ReadGuard, pieces: &[Piece], mode: Mode) -> Result<()>;

    /// Changes a word in another member's device memory that is mapped here, as it was resolved in this
    /// section, by a request to its owner, so that all changes have one order. Waits outside of the section.
    /// The default implementation refuses such words.
    ///
    /// # Errors
    /// Errors of the owner, and of the request.
    fn change_lent(&self, _: &ReadGuard, address: u64, atomic: Atomic) -> Result<u64> {
        Err(self.refusal(Wanted::Word { address, width: atomic.width }))
    }

    /// Copies pieces later, on a thread that may wait in a section.
    ///
    /// # Errors
    /// Errors of the queue.
    fn queue(&self, pieces: &[Piece]) -> Result<()>;
}

impl Here {
    /// Returns true if it must be probed before a transport touches it.
    pub(super) fn is_doubtful<R: Resolver>(self, resolver: &R) -> bool {
        self.memory == Memory::Private && self.locality == Locality::Host && !resolver.is_checked()
    }
}

/// Resolves both ends of a piece; `None` if one of them is not acceptable.
pub(super) fn ends<'s, R: Resolver>(
    resolver: &'s R,
    section: &'s ReadGuard,
    piece: &Piece,
) -> Result<Option<(End<'s>, End<'s>)>> {
    if piece.bytes == 0 || piece.src.is_null() || piece.dst.is_null() {
        return Ok(None);
    }
    let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
    let Some(from) = resolver.resolve(section.section(), src, piece.bytes, Access::Read)? else {
        return Ok(None);
    };
    let to = resolver.resolve(section.section(), dst, piece.bytes, Access::Write)?;
    Ok(to.map(|to| (from, to)))
}
