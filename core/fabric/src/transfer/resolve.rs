// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What an address is: the one question that transfers ask.

use std::sync::Arc;

use mf_base::sync::pin::{Inside, Pinned};
use mf_base::{Error, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Devices, Locality};

use super::{Member, Mode};
use crate::transport::{Atomic, SegmentKey, Width};

/// To whom a range belongs that is mapped here.
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
    /// Whether the processor may touch it.
    pub locality: Locality,
    /// Whose it is.
    pub memory: Memory,
}

/// What a range is.
#[derive(Clone, Copy)]
pub enum End<'s> {
    /// Mapped in this process.
    Here(Here),
    /// In the memory of another process, under the member's key and the same address.
    There {
        /// Whose, and how it is reached; valid as long as the section lasts.
        member: &'s Arc<Member>,
        /// Whether its processor may touch it.
        locality: Locality,
    },
}

/// What was refused.
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

/// Knows what addresses are. Thread-safe.
pub trait Resolver {
    /// The same resolver, kept alive with all that it resolves to and is not lent, for work that is done
    /// later.
    type Share: Resolver + Send + 'static;

    /// What `bytes` at `address` are for this access: a source is read, a destination written. `None`: not
    /// acceptable, for a reason that [`refusal`](Self::refusal) gives. May ask others when nothing is known
    /// of the range yet.
    ///
    /// # Errors
    /// Why it cannot be found out, or the member cannot be reached.
    fn resolve<'s>(
        &'s self,
        section: Inside<'s>,
        address: u64,
        bytes: u64,
        access: Access,
    ) -> Result<Option<End<'s>>>;

    /// Why something is not acceptable.
    fn refusal(&self, wanted: Wanted<'_>) -> Error;

    /// The devices of this process.
    fn devices(&self) -> &Devices;

    /// A share; `None` while it ends.
    fn share(&self) -> Option<Self::Share>;

    /// Returns true if the caller has found [`Private`](Memory::Private) memory mapped as the copy needs it.
    fn is_checked(&self) -> bool {
        false
    }

    /// Whether the member of this rank that had this key refused something because it has left since, and
    /// takes part again under another key: then it may be tried once more.
    fn came_back(&self, member: (mf_base::Rank, SegmentKey), error: &Error) -> bool;

    /// Copies pieces that are mapped here, and were resolved in this section.
    ///
    /// # Errors
    /// Those of the device that copies.
    ///
    /// # Safety
    /// Private ends are valid until the copy is done.
    unsafe fn copy_here(&self, section: &Pinned, pieces: &[Piece], mode: Mode) -> Result<()>;

    /// Changes a word of an accelerator's memory that is another member's and mapped here, as it was resolved
    /// in this section: by asking the process that owns it, so that all changes have one order. Waits outside
    /// of the section. Unless a resolver knows how, such a word is refused.
    ///
    /// # Errors
    /// Those of the owner, and of asking it.
    fn change_lent(&self, _: &Pinned, address: u64, atomic: Atomic) -> Result<u64> {
        Err(self.refusal(Wanted::Word { address, width: atomic.width }))
    }

    /// Copies pieces later, on a thread that may wait in a section.
    ///
    /// # Errors
    /// Those of the queue.
    fn queue(&self, pieces: &[Piece]) -> Result<()>;
}

impl Here {
    /// Returns true if it must be probed before a transport touches it.
    pub(super) fn is_doubtful<R: Resolver>(self, resolver: &R) -> bool {
        self.memory == Memory::Private && self.locality == Locality::Host && !resolver.is_checked()
    }
}

/// Both ends of a piece; `None` when one of them is not acceptable.
pub(super) fn ends<'s, R: Resolver>(
    resolver: &'s R,
    section: &'s Pinned,
    piece: &Piece,
) -> Result<Option<(End<'s>, End<'s>)>> {
    if piece.bytes == 0 || piece.src.is_null() || piece.dst.is_null() {
        return Ok(None);
    }
    let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
    let Some(from) = resolver.resolve(section.inside(), src, piece.bytes, Access::Read)? else {
        return Ok(None);
    };
    let to = resolver.resolve(section.inside(), dst, piece.bytes, Access::Write)?;
    Ok(to.map(|to| (from, to)))
}
