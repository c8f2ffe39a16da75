// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffer for gathered data, on the stack if small.

use std::mem::MaybeUninit;

/// Bytes of an allgather.
pub(crate) struct GatherBuffer {
    few: [MaybeUninit<u8>; Self::FEW],
    many: Vec<u8>,
}

impl GatherBuffer {
    const FEW: usize = 1024;

    pub(crate) const fn new() -> Self {
        Self { few: [MaybeUninit::uninit(); Self::FEW], many: Vec::new() }
    }

    /// Returns a buffer of so many bytes.
    pub(crate) fn bytes(&mut self, bytes: usize) -> &mut [u8] {
        if bytes <= Self::FEW {
            let few = self.few.as_mut_ptr().cast::<u8>();
            // SAFETY: room for so many bytes.
            unsafe { few.write_bytes(0, bytes) };
            // SAFETY: they were just written.
            unsafe { std::slice::from_raw_parts_mut(few, bytes) }
        } else {
            self.many.resize(bytes, 0);
            &mut self.many
        }
    }
}
