// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CRC-32C (Castagnoli) of private memory.

/// The checksum of `bytes`.
pub(super) fn crc32c(bytes: &[u8]) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if std::arch::is_x86_feature_detected!("sse4.2") {
        // SAFETY: the processor has the instruction, as was asked just now.
        return unsafe { by_instruction(bytes) };
    }
    by_table(bytes)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "sse4.2")]
fn by_instruction(bytes: &[u8]) -> u32 {
    use std::arch::x86_64::{_mm_crc32_u8, _mm_crc32_u64};
    let (words, rest) = bytes.as_chunks::<8>();
    let mut sum = u64::from(u32::MAX);
    for word in words {
        sum = _mm_crc32_u64(sum, u64::from_le_bytes(*word));
    }
    // The upper half is zero.
    let mut sum = u32::try_from(sum).unwrap_or(0);
    for byte in rest {
        sum = _mm_crc32_u8(sum, *byte);
    }
    !sum
}

const TABLE: [u32; 256] = {
    let mut table = [0u32; 256];
    let mut i = 0u32;
    while i < 256 {
        let mut sum = i;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 };
            bit += 1;
        }
        table[i as usize] = sum;
        i += 1;
    }
    table
};

fn by_table(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        let [low, ..] = sum.to_le_bytes();
        sum = sum >> 8 ^ TABLE.get(usize::from(low ^ byte)).copied().unwrap_or(0);
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_and_both_ways_agree() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(by_table(b"123456789"), 0xe306_9283);
        let bytes: Vec<u8> = (0..1000u32).map(|i| i.to_le_bytes()[0].wrapping_mul(31)).collect();
        for length in 0..100 {
            assert_eq!(crc32c(&bytes[..length * 7]), by_table(&bytes[..length * 7]));
        }
    }
}
