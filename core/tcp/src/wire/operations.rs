// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Encoding of signals, atomics and copies between others in frames.

use mf_transport::{Atomic, AtomicKind, JobId, Peer, SignalKind, Width};

use crate::malformed::Malformed;

/// Bytes of the payload of a copy before the address.
pub(super) const COPY_FIXED: usize = 36;

/// Encodes a signal for a header.
pub(crate) const fn signal_detail(kind: SignalKind, width: Width) -> u16 {
    let kind = match kind {
        SignalKind::Set => 0,
        SignalKind::Add => 1,
    };
    match width {
        Width::W64 => kind,
        Width::W32 => kind | 2,
    }
}

/// By their numbers.
pub(super) const ATOMICS: [AtomicKind; 7] = [
    AtomicKind::Add,
    AtomicKind::And,
    AtomicKind::Or,
    AtomicKind::Xor,
    AtomicKind::Swap,
    AtomicKind::CompareSwap,
    AtomicKind::Fetch,
];

/// Encodes an atomic for a header.
pub(crate) fn atomic_detail(atomic: &Atomic) -> u16 {
    let kind = ATOMICS.iter().position(|kind| *kind == atomic.kind).unwrap_or(0);
    let width = match atomic.width {
        Width::W32 => 0,
        Width::W64 => 1,
    };
    u16::try_from(kind << 1 | width).unwrap_or(0)
}

/// Decodes the atomic of a header; `None` if unknown.
pub(super) fn atomic_of(detail: u16) -> Option<(AtomicKind, Width)> {
    let kind = ATOMICS.get(usize::from(detail >> 1))?;
    Some((*kind, if detail & 1 == 0 { Width::W32 } else { Width::W64 }))
}

/// The payload of a copy: the peer that gets the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopyOrder {
    pub(crate) to_peer: Peer,
    pub(crate) to_key: u64,
    pub(crate) to_address: u64,
    /// Time limit in microseconds.
    pub(crate) microseconds: u64,
    pub(crate) transport_address: Vec<u8>,
}

impl CopyOrder {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(COPY_FIXED + self.transport_address.len());
        bytes.extend_from_slice(&self.to_peer.rank.to_le_bytes());
        for field in [self.to_peer.session, self.to_key, self.to_address, self.microseconds] {
            bytes.extend_from_slice(&field.to_le_bytes());
        }
        bytes.extend_from_slice(&self.transport_address);
        bytes
    }

    /// Reads one from a member of `job`, in which the other one is, too.
    pub(crate) fn decode(job: JobId, bytes: &[u8]) -> Result<Self, Malformed> {
        let (fixed, transport_address) =
            bytes.split_at_checked(COPY_FIXED).ok_or(Malformed("length of a copy"))?;
        let mut rank = [0u8; 4];
        rank.copy_from_slice(fixed.get(..4).ok_or(Malformed("length of a copy"))?);
        Ok(Self {
            to_peer: Peer { job, rank: u32::from_le_bytes(rank), session: number(fixed, 4) },
            to_key: number(fixed, 12),
            to_address: number(fixed, 20),
            microseconds: number(fixed, 28),
            transport_address: transport_address.to_vec(),
        })
    }
}

/// Decodes a number at an offset; 0 if it is cut.
pub(super) fn number(bytes: &[u8], at: usize) -> u64 {
    let mut value = [0u8; 8];
    if let Some(field) = bytes.get(at..at + 8) {
        value.copy_from_slice(field);
    }
    u64::from_le_bytes(value)
}
