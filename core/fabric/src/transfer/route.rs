// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Route of a copy: the mover of the bytes, chosen from both located ends.

use std::sync::Arc;

use mf_base::Result;
use mf_base::sync::rcu::ReadGuard;
use mf_device::engine::Piece;
use mf_device::{Access, Locality};
use mf_net::Member;

use super::resolve::{End, Here, Memory, Resolver, Wanted};

/// The mover of the bytes.
pub(super) enum Route<'s> {
    /// Between mapped memory: a device of this process.
    Local { from: Here, to: Here },
    /// Between host memory here and a member: its transport.
    Remote(RemoteCopy<'s>),
    /// Between an accelerator's memory here and a member: its transport, in chunks through host memory.
    Staged { member: &'s Arc<Member>, is_put: bool },
    /// Between two members: the process of the source.
    Between { from: &'s Arc<Member>, to: &'s Arc<Member> },
    /// The same, where the process of the source does not reach the destination's: this process.
    Relay { from: &'s Arc<Member>, to: &'s Arc<Member> },
}

/// A put or a get between host memory here and a member.
#[derive(Clone, Copy)]
pub(super) struct RemoteCopy<'s> {
    pub(super) member: &'s Arc<Member>,
    pub(super) here: Here,
    pub(super) is_put: bool,
}

impl<'s> Route<'s> {
    /// Resolves both ends of a piece, and chooses its route.
    ///
    /// # Errors
    /// The refusal of the piece · errors of the resolver.
    pub(super) fn of<R: Resolver>(resolver: &'s R, section: &'s ReadGuard, piece: &Piece) -> Result<Self> {
        let refused = || resolver.refusal(Wanted::Piece(piece));
        if piece.bytes == 0 || piece.src.is_null() || piece.dst.is_null() {
            return Err(refused());
        }
        let end = |address: usize, access| {
            let end = resolver.resolve(section.section(), address as u64, piece.bytes, access)?;
            end.ok_or_else(refused)
        };
        let from = end(piece.src.addr(), Access::Read)?;
        let to = end(piece.dst.addr(), Access::Write)?;
        Self::choose(from, to).ok_or_else(refused)
    }

    /// Chooses the route between two ends; `None` if both are memory of the program.
    pub(super) fn choose(from: End<'s>, to: End<'s>) -> Option<Self> {
        let towards = |member, here: Here, is_put| match here.locality {
            Locality::Host => Self::Remote(RemoteCopy { member, here, is_put }),
            Locality::Device => Self::Staged { member, is_put },
        };
        match (from, to) {
            (End::Here(from), End::Here(to)) => {
                let is_private = from.memory == Memory::Private && to.memory == Memory::Private;
                (!is_private).then_some(Self::Local { from, to })
            }
            (End::Here(here), End::There(member)) => Some(towards(member, here, true)),
            (End::There(member), End::Here(here)) => Some(towards(member, here, false)),
            (End::There(from), End::There(to)) => Some(match from.address_of(to) {
                Some(_) => Self::Between { from, to },
                None => Self::Relay { from, to },
            }),
        }
    }
}
