// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contents that encode where a byte belongs: byte `at` of the stream `seed`.

fn word(seed: u64, index: u64) -> [u8; 8] {
    let mut x = seed.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)).to_le_bytes()
}

/// Fills `bytes` with the stream `seed`, from its beginning.
pub fn fill(seed: u64, bytes: &mut [u8]) {
    for (index, chunk) in (0..).zip(bytes.chunks_mut(8)) {
        chunk.copy_from_slice(&word(seed, index)[..chunk.len()]);
    }
}

/// The first `length` bytes of the stream `seed`.
pub fn stream(seed: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    fill(seed, &mut bytes);
    bytes
}

/// First position of `bytes` that differs from the stream `seed`.
pub fn mismatch(seed: u64, bytes: &[u8]) -> Option<usize> {
    let chunk =
        (0..).zip(bytes.chunks(8)).find(|(index, chunk)| word(seed, *index)[..chunk.len()] != **chunk);
    let (index, chunk) = chunk?;
    let expected = word(seed, index);
    let inside = chunk.iter().zip(expected).position(|(found, expected)| *found != expected)?;
    Some(usize::try_from(index).ok()? * 8 + inside)
}

/// A number that two contents share only when they are equal (FNV-1a, 64 bits).
pub fn digest(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
