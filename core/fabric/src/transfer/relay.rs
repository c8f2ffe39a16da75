// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Relay: copies between two other members whose processes do not reach each other by the transport over
//! which the source is reached from here. Chunks are fetched by the one transport and put by the other.

use std::sync::Arc;
use std::time::Instant;

use mf_base::Result;
use mf_device::engine::Piece;
use mf_net::Member;
use mf_transport::{Completion, Left, Span};

use super::remote_copy::operation;

/// Longest chunk; while one is put the next is got.
const CHUNK_BYTES: u64 = 1 << 20;

/// Copies a piece, and waits for it.
///
/// # Errors
/// Errors of both transports; nothing is in flight then.
pub(super) fn copy(from: &Member, to: &Member, piece: &Piece, deadline: Instant) -> Result<()> {
    let chunk = usize::try_from(piece.bytes.min(CHUNK_BYTES)).unwrap_or(0);
    let mut chunks = [vec![0_u8; chunk], vec![0; chunk]].map(|chunk| (chunk, Arc::new(Completion::new())));
    let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
    let mut done = 0;
    let mut result = Ok(());
    while done < piece.bytes && result.is_ok() {
        chunks.rotate_left(1);
        let [(chunk, completion), _] = &mut chunks;
        let (local, bytes) = (chunk.as_mut_ptr(), (piece.bytes - done).min(CHUNK_BYTES));
        let post = |member: &Member, address, is_put| {
            let spans = [Span { local, address, bytes }];
            // SAFETY: the chunk is not used otherwise until its completion has been waited for: before it is
            // used again, and below.
            unsafe { member.post(&operation(member, &spans, is_put), completion, deadline) }
        };
        result = (to.transport.wait_interruptible(completion, Left::End))
            .and_then(|()| post(from, src + done, false))
            .and_then(|()| from.transport.wait_interruptible(completion, Left::End))
            .and_then(|()| post(to, dst + done, true));
        done += bytes;
    }
    // Waits for all, even if the first fails.
    chunks.iter().fold(result, |result, (_, completion)| {
        result.and(to.transport.wait_interruptible(completion, Left::End))
    })
}
