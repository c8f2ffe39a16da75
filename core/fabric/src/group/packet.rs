// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Packets between the leaders of hosts.

use mf_net::NETWORK_MESSAGE_BYTES_MAX;

/// Mailbox, operation, length of the members' bytes, offset, step, kind, cause or tag.
pub(super) const HEAD_BYTES: usize = 8 + 4 + 8 + 4 + 1 + 1 + 2;
/// Most payload of a packet.
pub(super) const PAYLOAD_BYTES_MAX: usize = NETWORK_MESSAGE_BYTES_MAX - HEAD_BYTES;

/// Content of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// A part of the blocks of a step.
    Blocks {
        /// Number of the step.
        step: u8,
        /// The members' call, as in the arrival word.
        tag: u16,
        /// Number of bytes that each member contributes.
        length: u64,
        /// Offset of this part in the step's bytes.
        offset: u32,
    },
    /// The group has failed.
    Failed {
        /// The cause, and the member that it names.
        cause: u16,
    },
    /// The sender has left the group; its earlier packets are valid.
    Left,
}

/// The head of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// Of the receiver.
    pub(super) mailbox: u64,
    /// Number of the exchange, wraps.
    pub(super) operation: u32,
    pub(super) body: Body,
}

impl Head {
    /// The packet.
    pub(super) fn write(&self, payload: &[u8]) -> Vec<u8> {
        let (kind, step, tag, length, offset) = match self.body {
            Body::Blocks { step, tag, length, offset } => (0, step, tag, length, offset),
            Body::Failed { cause } => (1, 0, cause, 0, 0),
            Body::Left => (2, 0, 0, 0, 0),
        };
        let mut bytes = Vec::with_capacity(HEAD_BYTES + payload.len());
        bytes.extend(self.mailbox.to_le_bytes());
        bytes.extend(self.operation.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend([step, kind]);
        bytes.extend(tag.to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Parses a packet. Returns `None` if malformed.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (mailbox, rest) = bytes.split_first_chunk()?;
        let (operation, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let ([step, kind], rest) = rest.split_first_chunk()?;
        let (tag, payload) = rest.split_first_chunk()?;
        let tag = u16::from_le_bytes(*tag);
        let body = match kind {
            0 => Body::Blocks {
                step: *step,
                tag,
                length: u64::from_le_bytes(*length),
                offset: u32::from_le_bytes(*offset),
            },
            1 => Body::Failed { cause: tag },
            2 => Body::Left,
            _ => return None,
        };
        let head =
            Self { mailbox: u64::from_le_bytes(*mailbox), operation: u32::from_le_bytes(*operation), body };
        Some((head, payload))
    }
}

#[cfg(test)]
mod tests {
    use super::super::failure::Cause;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn packets_survive_encoding() {
        for body in [
            Body::Blocks { step: 3, tag: 2, length: 1 << 40, offset: 77 },
            Body::Failed { cause: Cause::Lost.pack(9) },
            Body::Left,
        ] {
            let head = Head { mailbox: u64::MAX - 1, operation: 5, body };
            assert_eq!(Head::read(&head.write(b"abc")), Some((head, &b"abc"[..])));
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Head::read(&bytes);
        }
    }
}
