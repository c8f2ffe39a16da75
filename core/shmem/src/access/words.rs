// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Changes of words in symmetric memory through which PEs meet.

use std::sync::atomic::{AtomicU16, Ordering};

use mf_base::Result;
use mf_device::engine::Piece;
use mf_fabric::transfer::Until;
use mf_transport::{Atomic, AtomicKind, Width};

use super::Access;
use crate::context::Direction;
use crate::space::PeAddress;

impl Access<'_> {
    /// Adds to an aligned word of 8 bytes at PE `pe`; for a remote PE the addition is only started.
    ///
    /// # Errors
    /// Errors of [`atomic_update`](Self::atomic_update).
    pub(crate) fn add(&self, own: *const u8, value: u64, pe: i32) -> Result<()> {
        let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: value, compare: 0 };
        self.atomic_update(own, atomic, pe)
    }

    /// Writes an aligned part of 2 bytes of a word at PE `pe`.
    ///
    /// # Errors
    /// Errors of [`resolve`](Self::resolve).
    pub(crate) fn write_half(
        &self,
        operation: &'static str,
        own: *const u8,
        value: u16,
        pe: i32,
    ) -> Result<()> {
        match self.resolve(operation, own, 2, pe)? {
            PeAddress::Mapped(half) => {
                // SAFETY: mapped until the world ends, and aligned; other accesses to these two bytes are
                // atomic, too, or copies that do not tear them.
                let half = unsafe { AtomicU16::from_ptr(half.cast()) };
                half.store(value, Ordering::Release);
                Ok(())
            }
            PeAddress::Remote(address) => {
                let bytes = value.to_ne_bytes();
                let piece = Piece {
                    src: bytes.as_ptr().cast_mut(),
                    dst: address.as_ptr(),
                    bytes: bytes.len() as u64,
                };
                // SAFETY: the bytes outlive the call, which waits until they may be changed.
                unsafe {
                    self.context.remote_copy(self.space.pe().pool(), Direction::Put, &piece, Until::Reusable)
                }
            }
        }
    }
}
