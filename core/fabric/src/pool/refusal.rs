// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reasons of refused copies, worked out after the refusal.

use mf_base::{ByteLen, Error, Kind, MemKind, Retry};
use mf_device::Access;
use mf_device::engine::Piece;

use super::directory::RemoteMembers;
use super::segments::Segments;
use super::side::Side;
use super::stage::MemberStage;
use crate::space::{PoolPlace, Presence};

const OP: &str = "copy";

/// The reason that a range in the pool cannot be used.
pub(super) enum Obstacle {
    /// Its owner is in this state.
    Owner(Presence),
    /// The owner takes part, with a segment of so many bytes.
    EndAt(u64),
}

/// State that explains refusals.
pub(super) struct Refusals<'a> {
    pub(super) segments: &'a Segments,
    pub(super) stage: &'a MemberStage,
    pub(super) remote: &'a RemoteMembers,
}

impl Refusals<'_> {
    /// Returns the error of a refused copy.
    #[cold]
    #[inline(never)]
    pub(super) fn of_piece(&self, piece: &Piece, sides: (Side, Side)) -> Error {
        let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
        let bad = |what: &str| {
            Error::invalid(OP, what)
                .with("src", format!("{src:#x}"))
                .with("dst", format!("{dst:#x}"))
                .with("bytes", piece.bytes)
                .with("pool", self.segments.me.id)
        };
        if src == 0 || dst == 0 {
            return bad("source or destination is null");
        }
        if piece.bytes == 0 {
            return bad("the size is 0");
        }
        if !self.stage.is_joined() {
            return self.segments.me.not_joined(OP);
        }
        for (name, address, side, access) in
            [("source", src, sides.0, Access::Read), ("destination", dst, sides.1, Access::Write)]
        {
            let Some(place) = self.segments.layout.locate(address) else {
                if side == Side::Global {
                    return bad(&format!("the {name} must be an address in the pool"))
                        .with("device_window", self.window_text(MemKind::Device))
                        .with("host_window", self.window_text(MemKind::Host));
                }
                if !self.segments.layout.clears(address, piece.bytes) {
                    return bad(&format!("the {name} runs into the pool or over the end of memory"));
                }
                continue;
            };
            let obstacle = self.find_obstacle(place, piece.bytes, access);
            // A member that has left meanwhile has dropped its list of members.
            if !self.stage.is_joined() {
                return self.segments.me.not_joined(OP);
            }
            match obstacle {
                None => {}
                Some(Obstacle::Owner(presence)) => return self.segments.me.unreachable(place.rank, presence),
                Some(Obstacle::EndAt(present)) => {
                    return bad(&format!("the {name} does not lie inside one segment"))
                        .with("rank", place.rank)
                        .with("kind", place.kind)
                        .with("offset", place.offset)
                        .with("segment", ByteLen(present))
                        .hint("split the copy at the end of the segment, or extend it");
                }
            }
        }
        if self.segments.layout.locate(src).or(self.segments.layout.locate(dst)).is_some() {
            // Refused, and acceptable a moment later.
            return Error::new(Kind::NotConnected, OP)
                .what("a member left, joined or grew while the copy was refused")
                .with("pool", self.segments.me.id)
                .retry(Retry::Later);
        }
        bad("neither source nor destination is an address in the pool")
    }

    /// Returns the reason that a range in the pool cannot be used now; `None` if it can be used by now.
    pub(super) fn find_obstacle(&self, place: PoolPlace, bytes: u64, access: Access) -> Option<Obstacle> {
        let (presence, present) = self.segment_presence(place);
        let is_usable = match presence {
            Presence::Joined => true,
            Presence::Dead => access == Access::Read && present > 0,
            Presence::Absent | Presence::Left => false,
        };
        if !is_usable {
            return Some(Obstacle::Owner(presence));
        }
        let fits = place.offset < present && bytes <= present - place.offset;
        (!fits).then_some(Obstacle::EndAt(present))
    }

    fn window_text(&self, kind: MemKind) -> String {
        let range = self.segments.layout.range(kind);
        if range.is_empty() {
            return "none".to_owned();
        }
        format!("{} at {:#x}", ByteLen(range.end - range.start), range.start)
    }

    /// Returns the presence of a segment's owner and the length of the segment.
    fn segment_presence(&self, place: PoolPlace) -> (Presence, u64) {
        self.remote.segment_presence(place, &self.segments.extents)
    }
}
