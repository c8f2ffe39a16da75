// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolver: the trait by which transfers locate both ends of a copy.

use std::sync::Arc;

use mf_base::sync::rcu::{ReadGuard, ReadSection};
use mf_base::{Error, Rank, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Locality, RawStream, Transfer};
use mf_net::Member;
use mf_transport::{Atomic, SegmentKey, Width};

use crate::space::PoolPlace;

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
    Own(PoolPlace),
    /// Another member's, mapped as long as a read section runs in which it was resolved.
    Lent(PoolPlace),
}

/// A range that is mapped in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Here {
    /// The processor's or the accelerator's.
    pub locality: Locality,
    /// Owner of the memory.
    pub memory: Memory,
}

/// A located end of a copy: a [`Resolver`] makes it once, and it is passed on to the route and to the copy.
#[derive(Clone, Copy)]
pub enum End<'s> {
    /// Mapped in this process.
    Here(Here),
    /// In the memory of this member, under its key and the same address; valid as long as the section lasts.
    There(&'s Arc<Member>),
}

/// A piece between two ends that are mapped here.
#[derive(Clone, Copy, Debug)]
pub struct LocalPiece {
    /// Addresses and length.
    pub piece: Piece,
    /// The source.
    pub from: Here,
    /// The destination.
    pub to: Here,
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

/// Locates addresses. Thread-safe.
pub trait Resolver {
    /// The same resolver, kept alive with all that it resolves to and is not lent, for work that is done
    /// later.
    type Share: Resolver + Send + 'static;

    /// Locates `bytes` at `address` for this access: a source is read, a destination written. Returns `None`
    /// if not acceptable, for the reason in [`refusal`](Self::refusal). May ask other processes about an
    /// unknown range.
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
    fn came_back(&self, member: (Rank, SegmentKey), error: &Error) -> bool;

    /// Copies pieces between memory that is mapped here, located in this section.
    ///
    /// # Errors
    /// Errors of the device that copies.
    ///
    /// # Safety
    /// Private ends are valid until the copy is done.
    unsafe fn local_copy(&self, section: &ReadGuard, pieces: &[LocalPiece], mode: Mode) -> Result<()>;

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
    /// Returns the place in the pool; `None` for memory of the program.
    pub(crate) fn place(self) -> Option<PoolPlace> {
        match self.memory {
            Memory::Private => None,
            Memory::Own(place) | Memory::Lent(place) => Some(place),
        }
    }

    /// Returns true if it is mapped only as long as the section lasts.
    pub(super) fn is_lent(self) -> bool {
        matches!(self.memory, Memory::Lent(_))
    }

    /// Returns true if it must be probed before a transport touches it.
    pub(super) fn is_doubtful<R: Resolver>(self, resolver: &R) -> bool {
        self.memory == Memory::Private && self.locality == Locality::Host && !resolver.is_checked()
    }
}

impl AsRef<Piece> for LocalPiece {
    fn as_ref(&self) -> &Piece {
        &self.piece
    }
}

impl LocalPiece {
    /// Returns the copy as a mover takes it.
    pub(crate) fn transfer(&self) -> Transfer {
        Transfer { piece: self.piece, from: self.from.locality, to: self.to.locality }
    }

    /// Returns true if an end is an accelerator's memory.
    pub(crate) fn is_on_device(&self) -> bool {
        self.from.locality == Locality::Device || self.to.locality == Locality::Device
    }
}
