// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error of a malformed frame.

use std::fmt;

/// Reason that a frame is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) &'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
