// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Encoding of a call on the heap, and comparison between PEs.

use std::fmt;

use mf_base::{Error, Result};

/// Bytes of an encoded call.
pub(super) const CALL_BYTES: usize = 32;

/// Stands for an address at which no block begins.
pub(super) const FOREIGN: u64 = u64::MAX;

/// Kind of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Operation {
    /// Bytes.
    Malloc = 1,
    /// Number and bytes of elements.
    Calloc = 2,
    /// Alignment and bytes.
    Align = 3,
    /// Offset of the block, and bytes.
    Realloc = 4,
    /// Offset of the block.
    Free = 5,
}

/// A call on the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    operation: u64,
    arguments: [u64; 2],
    /// Digest of all calls before.
    history: u64,
}

impl Call {
    pub(super) fn new(operation: Operation, arguments: [u64; 2], history: u64) -> Self {
        Self { operation: operation as u64, arguments, history }
    }

    pub(super) fn encode(&self) -> [u8; CALL_BYTES] {
        let words = [self.operation, self.arguments[0], self.arguments[1], self.history];
        let mut bytes = [0; CALL_BYTES];
        for (part, word) in bytes.chunks_exact_mut(8).zip(words) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Self {
        let mut words = [0; 4];
        for (word, part) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = part.try_into().map_or(0, u64::from_le_bytes);
        }
        let [operation, first, second, history] = words;
        Self { operation, arguments: [first, second], history }
    }

    /// Returns the digest of this call and all before it.
    pub(super) fn digest(&self) -> u64 {
        // Detects accidental mismatches; PEs do not try to deceive each other.
        let [first, second] = self.arguments;
        [self.operation, first, second].into_iter().fold(self.history, |digest, word| {
            let mixed = (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.arguments;
        let block = |f: &mut fmt::Formatter<'_>| match first {
            FOREIGN => f.write_str("no block"),
            offset => write!(f, "block at {offset:#x}"),
        };
        match self.operation {
            1 => write!(f, "malloc of {first} bytes"),
            2 => write!(f, "calloc of {first} × {second} bytes"),
            3 => write!(f, "align to {first} of {second} bytes"),
            4 => {
                f.write_str("realloc of ")?;
                block(f)?;
                write!(f, " to {second} bytes")
            }
            5 => {
                f.write_str("free of ")?;
                block(f)
            }
            other => write!(f, "unknown call {other}"),
        }
    }
}

/// Compares the calls of all PEs, in their order.
///
/// # Errors
/// `InvalidParam` a call differs from PE 0's; the first such PE is named. The same on all PEs.
pub(super) fn compare(operation: &'static str, all: &[u8]) -> Result<()> {
    let mut calls = all.chunks_exact(CALL_BYTES);
    let Some(first) = calls.next() else { return Ok(()) };
    let Some((pe, other)) = (1..).zip(calls).find(|(_, call)| *call != first) else { return Ok(()) };
    Err(differs(operation, pe, Call::decode(other), Call::decode(first)))
}

#[cold]
fn differs(operation: &'static str, pe: u32, other: Call, first: Call) -> Error {
    let error = |what: &str| Error::invalid(operation, what).with("pe", pe);
    if (other.operation, other.arguments) == (first.operation, first.arguments) {
        return error("the symmetric heaps differ since an earlier call that failed on some PEs only")
            .hint("end the library on all PEs, and begin it again");
    }
    error("PEs make different calls on the symmetric heap, which is unchanged")
        .with("call", other)
        .with("call_of_pe_0", first)
        .hint("all PEs make the same calls with equal arguments in the same order")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_pe_is_named() {
        let malloc = |bytes| Call::new(Operation::Malloc, [bytes, 0], 7);
        let all = |calls: &[Call]| calls.iter().flat_map(Call::encode).collect::<Vec<u8>>();
        compare("test", &all(&[malloc(64); 3])).unwrap();
        compare("test", &[]).unwrap();
        let error = compare("test", &all(&[malloc(64), malloc(64), malloc(65)])).unwrap_err();
        assert_eq!(error.fact("pe"), Some("2"));
        assert_eq!(error.fact("call"), Some("malloc of 65 bytes"));
        assert_eq!(error.fact("call_of_pe_0"), Some("malloc of 64 bytes"));
        let free = |offset| Call::new(Operation::Free, [offset, 0], 7);
        let error = compare("test", &all(&[free(128), free(FOREIGN)])).unwrap_err();
        assert_eq!(error.fact("call"), Some("free of no block"));
        let late = Call::new(Operation::Malloc, [64, 0], malloc(1).digest());
        let error = compare("test", &all(&[malloc(64), late])).unwrap_err();
        assert!(error.to_string().contains("earlier call"), "{error}");
        assert_ne!(malloc(1).digest(), malloc(2).digest());
    }
}
