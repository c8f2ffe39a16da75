// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kinds of memory that a copy requires at its ends.

/// Required kind of memory of an end of a copy. Without an accelerator host memory acts as device memory, and
/// all local sides are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Memory of this process; includes addresses inside the pool where they are mapped.
    Local,
    /// As `Local`, and host memory.
    LocalHost,
    /// As `Local`, and device memory.
    LocalDevice,
    /// An address in the pool.
    Global,
    /// Either; at least one end must be in the pool.
    Any,
}
