// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Name and version of the library.

/// Version of the standard: major and minor.
pub const VERSION: (u32, u32) = (1, 5);

/// Name and version of this library; shorter than 256 bytes.
pub const NAME: &str = concat!("MF OpenSHMEM ", env!("CARGO_PKG_VERSION"));
