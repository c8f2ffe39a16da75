// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers out of the bytes of an input.

/// The rest of an input; zeros behind its end.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number of 8 bytes.
    pub fn wide(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// Mostly small, sometimes near a border, sometimes anything.
    pub fn number(&mut self) -> usize {
        let number = match self.byte() {
            0..=199 => self.byte().into(),
            kind @ 200..=229 => (1u64 << (kind - 200) * 2).wrapping_add(self.byte().into()).wrapping_sub(4),
            230..=239 => (i64::MAX as u64).wrapping_sub(self.byte().into()).wrapping_add(2),
            240..=249 => u64::MAX.wrapping_sub(self.byte().into()),
            _ => self.wide(),
        };
        number as usize
    }

    /// As many bytes as the next one says, or are left.
    pub fn bytes(&mut self) -> &'a [u8] {
        let count = usize::from(self.byte()).min(self.0.len());
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }
}
