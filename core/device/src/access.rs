// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kinds of access to a range of memory.

/// Kind of access of a copy to a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
}
