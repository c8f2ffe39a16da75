// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which bytes of a list of pieces go through which chunk of the staging buffer.

use mf_device::engine::Piece;

/// Bytes of one chunk.
pub(super) const CHUNK_BYTES: u64 = 1 << 20;

/// One range in flight: a part of a piece, and its offset in the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) piece: Piece,
    pub(super) offset: u64,
}

/// Cuts the pieces into chunks of at most `chunk_bytes`; small pieces share one.
pub(super) fn cut(pieces: &[Piece], chunk_bytes: u64) -> Vec<Vec<Part>> {
    let mut chunks = Vec::new();
    let (mut chunk, mut used) = (Vec::new(), 0);
    for piece in pieces {
        let mut done = 0;
        while done < piece.bytes {
            if used == chunk_bytes {
                chunks.push(std::mem::take(&mut chunk));
                used = 0;
            }
            let bytes = (piece.bytes - done).min(chunk_bytes - used);
            let part = Piece { src: at(piece.src.cast_mut(), done), dst: at(piece.dst, done), bytes };
            chunk.push(Part { piece: part, offset: used });
            (done, used) = (done + bytes, used + bytes);
        }
    }
    if !chunk.is_empty() {
        chunks.push(chunk);
    }
    chunks
}

/// The address so many bytes on; not necessarily one of this process.
pub(super) fn at(start: *mut u8, offset: u64) -> *mut u8 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "offsets inside the address space fit the pointer width"
    )]
    start.wrapping_add(offset as usize)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece(src: usize, dst: usize, bytes: u64) -> Piece {
        Piece { src: std::ptr::without_provenance(src), dst: std::ptr::without_provenance_mut(dst), bytes }
    }

    proptest! {
        #[test]
        fn each_byte_is_sent_once_in_full_chunks(lengths in prop::collection::vec(1u64..50, 1..20), chunk in 1u64..64) {
            let (mut start, mut pieces) = (1000, Vec::new());
            for bytes in &lengths {
                pieces.push(piece(start, start + 100_000, *bytes));
                start += usize::try_from(*bytes).unwrap();
            }
            let chunks = cut(&pieces, chunk);
            let mut next = 1000;
            for (number, parts) in chunks.iter().enumerate() {
                let mut used = 0;
                for part in parts {
                    prop_assert_eq!(part.piece.src.addr(), next);
                    prop_assert_eq!(part.piece.dst.addr(), next + 100_000);
                    prop_assert_eq!(part.offset, used);
                    used += part.piece.bytes;
                    next += usize::try_from(part.piece.bytes).unwrap();
                }
                prop_assert!(used == chunk || number + 1 == chunks.len());
            }
            prop_assert_eq!(next, start);
        }
    }
}
