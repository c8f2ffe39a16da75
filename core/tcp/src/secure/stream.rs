// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stream: the bytes of an authenticated connection.
//!
//! Encrypted, each direction has one buffer of ciphertext and no other. Outwards plaintext is copied from its
//! source into the buffer, sealed there and passed to the socket. Inwards the socket fills the buffer,
//! records are opened in place, and their plaintext is copied to its destination. So a byte is moved once by
//! us in each direction, besides the kernel's copies; and as source and destination may be memory that others
//! change meanwhile, fewer is not possible: a cipher must work on memory of its own.

use std::io;

use super::record::Keys;

mod receiving;
mod sending;
pub(super) mod socket;

pub(crate) use receiving::Receiving;
pub(crate) use sending::Sending;

/// Result of a receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// So many bytes, never 0.
    Bytes(usize),
    /// No bytes have arrived.
    Nothing,
    /// The other end has closed the connection, or its host has.
    Closed,
}

/// The bytes of a connection; see the [module documentation](self).
pub(crate) struct Stream {
    sealed: Option<Box<(Sending, Receiving)>>,
}

impl Stream {
    pub(crate) fn plain() -> Self {
        Self { sealed: None }
    }

    pub(super) fn sealed(outgoing: Keys, incoming: Keys) -> Self {
        Self { sealed: Some(Box::new((Sending::new(outgoing), Receiving::new(incoming)))) }
    }

    /// Returns the two halves of an encrypted connection, which share no state: a thread may send while
    /// another one receives. `None` if it is plain: then the bytes go over the socket unchanged.
    pub(crate) fn split(self) -> Option<(Sending, Receiving)> {
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
