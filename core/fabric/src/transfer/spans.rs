// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Puts and gets of pieces.

use mf_device::engine::Piece;
use mf_net::{Member, Operation, Span};

/// The put or get of one piece.
pub(super) fn span(piece: &Piece, is_put: bool) -> Span {
    let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
    let (local, address) = if is_put { (piece.src.cast_mut(), dst) } else { (piece.dst, src) };
    Span { local, address, bytes: piece.bytes }
}

/// The put or get of some spans.
pub(super) fn carrying<'a>(member: &Member, spans: &'a [Span], is_put: bool) -> Operation<'a> {
    let key = member.key;
    if is_put { Operation::Put { key, spans } } else { Operation::Get { key, spans } }
}
