// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The bytes of a connection whose two ends know each other.
//!
//! Encrypted, each direction has one buffer of ciphertext and no other. Outwards plaintext is copied from
//! where it lies into the buffer, sealed there and handed to the socket. Inwards the socket fills the buffer,
//! records are opened where they lie, and their plaintext is copied to where it belongs. So a byte is moved
//! once by us in each direction, besides what the kernel does; and as source and destination may be memory
//! that others change meanwhile, fewer is not possible: a cipher must work on memory of its own.

use std::io;

use super::record::Keys;

mod receiving;
mod sending;
pub(super) mod socket;

pub(in crate::transport::tcp) use receiving::Receiving;
pub(in crate::transport::tcp) use sending::Sending;

/// What a receiving end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::transport::tcp) enum Received {
    /// So many bytes, never 0.
    Bytes(usize),
    /// Nothing has arrived.
    Nothing,
    /// The other end has closed the connection, or its host has.
    Closed,
}

/// The bytes of a connection; see the [module documentation](self).
pub(in crate::transport::tcp) struct Stream {
    sealed: Option<Box<(Sending, Receiving)>>,
}

impl Stream {
    pub(in crate::transport::tcp) fn plain() -> Self {
        Self { sealed: None }
    }

    pub(super) fn sealed(outgoing: Keys, incoming: Keys) -> Self {
        Self { sealed: Some(Box::new((Sending::new(outgoing), Receiving::new(incoming)))) }
    }

    /// The two halves of an encrypted connection, which know nothing of each other: a thread may send while
    /// another one receives. None when it is plain: then the bytes go over the socket as they are.
    pub(in crate::transport::tcp) fn split(self) -> Option<(Sending, Receiving)> {
        self.sealed.map(|halves| *halves)
    }
}

fn invalid(error: mf_base::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// A buffer that is too small; does not happen.
fn misplaced() -> io::Error {
    io::ErrorKind::InvalidInput.into()
}
