// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sizes of copies: on the command line, as lengths, as segments.

use mf_base::{ByteLen, Error, Result};
use mf_program::table::figure;

/// Parses a size of the command line.
pub fn parse_size(text: &str) -> Result<u64, String> {
    match text.parse::<ByteLen>() {
        Ok(ByteLen(0)) => Err("expected at least 1 byte".to_owned()),
        Ok(ByteLen(bytes)) => Ok(bytes),
        Err(_) => Err("expected a size, for example 8, 64KiB, 1GiB".to_owned()),
    }
}

/// Converts a size to a length of memory in this process.
pub fn length(bytes: u64) -> Result<usize> {
    usize::try_from(bytes)
        .map_err(|_| Error::invalid("mf perf", "the size does not fit this machine").with("bytes", bytes))
}

/// Rounds up to the unit of segments.
pub fn segment_bytes(bytes: u64) -> u64 {
    bytes.max(1).next_multiple_of(mf_base::os::process::HUGE_PAGE_BYTES)
}

/// Shows bytes in MiB.
pub fn mib(bytes: u64) -> String {
    figure(bytes as f64 / f64::from(1 << 20))
}
