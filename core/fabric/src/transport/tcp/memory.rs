// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is done to the memory of this process for others: stores, loads, atomics.

use mf_base::{Error, Result};

use crate::device::{Locality, Mover, Transfer};
use crate::engine::{self, Piece};
use crate::transport::{Atomic, Spot};

const OP: &str = "tcp serve";

/// Copies private memory to a spot. Aligned words are stored whole.
pub(super) fn store(bytes: &[u8], spot: Spot<'_>) -> Result<()> {
    match spot {
        Spot::Host(to) => {
            // SAFETY: the target vouches for the spot during its call; the source is private memory.
            unsafe { engine::copy(bytes.as_ptr(), to, bytes.len()) };
            Ok(())
        }
        Spot::Device { address, mover } => to_device(mover, bytes.as_ptr(), address, bytes.len()),
    }
}

/// Copies `bytes` bytes at `from` to the device.
pub(super) fn to_device(mover: &dyn Mover, from: *const u8, address: u64, bytes: usize) -> Result<()> {
    let piece = Piece { src: from, dst: address as *mut u8, bytes: bytes as u64 };
    // SAFETY: the target vouches for the spot during its call, and our callers for their buffer.
    unsafe { mover.copy(&[Transfer { piece, from: Locality::Host, to: Locality::Device }]) }
}

/// Copies `bytes` bytes of the device to `to`.
pub(super) fn from_device(mover: &dyn Mover, address: u64, to: *mut u8, bytes: usize) -> Result<()> {
    let piece = Piece { src: address as *const u8, dst: to, bytes: bytes as u64 };
    // SAFETY: the target vouches for the spot during its call, and our callers for their buffer.
    unsafe { mover.copy(&[Transfer { piece, from: Locality::Device, to: Locality::Host }]) }
}

fn host(spot: &Spot<'_>, bytes: u64) -> Result<*mut u8> {
    match spot {
        Spot::Host(at) if (*at as u64).is_multiple_of(bytes) => Ok(*at),
        Spot::Host(at) => {
            Err(Error::invalid(OP, "the word is not aligned").with("address", format!("{at:p}")))
        }
        Spot::Device { address, .. } => Err(Error::invalid(OP, "atomics and signals are for host memory")
            .with("address", format!("{address:#x}"))
            .hint("put the word into a host segment")),
    }
}

/// Does an atomic; gives the old value.
pub(super) fn atomic(atomic: &Atomic, spot: Spot<'_>) -> Result<u64> {
    let at = host(&spot, atomic.width.bytes())?;
    // SAFETY: aligned, mapped during the target's call, and only changed by atomics meanwhile.
    Ok(unsafe { atomic.apply(at) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::{AtomicKind, SignalKind, Width};

    #[test]
    fn atomics_of_both_widths_give_the_old_value() {
        let mut word = 5u64;
        let at: *mut u64 = &raw mut word;
        let ask = |kind, width, operand, compare| {
            atomic(&Atomic { kind, width, operand, compare }, Spot::Host(at.cast())).unwrap()
        };
        assert_eq!(ask(AtomicKind::Add, Width::W64, u64::MAX, 0), 5);
        assert_eq!(ask(AtomicKind::CompareSwap, Width::W64, 1 << 40, 4), 4);
        assert_eq!(ask(AtomicKind::Or, Width::W32, 6, 0), 0);
        assert_eq!(ask(AtomicKind::Xor, Width::W32, 2, 0), 6);
        assert_eq!(ask(AtomicKind::And, Width::W64, !4, 0), (1 << 40) | 4);
        assert_eq!(ask(AtomicKind::Swap, Width::W64, 7, 0), 1 << 40);
        assert_eq!(ask(AtomicKind::CompareSwap, Width::W32, 1, 8), 7);
        assert_eq!(ask(AtomicKind::Fetch, Width::W32, 9, 9), 7);
        let signal = |kind: SignalKind, width, at| atomic(&kind.atomic(width, 3), Spot::Host(at));
        signal(SignalKind::Add, Width::W64, at.cast()).unwrap();
        assert_eq!(ask(AtomicKind::Fetch, Width::W64, 0, 0), 10);
        let high = at.cast::<u8>().wrapping_add(4);
        assert!(signal(SignalKind::Set, Width::W64, high).is_err());
        signal(SignalKind::Set, Width::W32, high).unwrap();
        assert_eq!(ask(AtomicKind::Fetch, Width::W64, 0, 0), (3 << 32) | 10);
    }
}
