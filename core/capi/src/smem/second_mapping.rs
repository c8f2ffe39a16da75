// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Second mappings of memory of a rank, for loads and stores of the processor.
//!
//! An object unmaps its own mapping when the rank leaves, which would fault a processor that loads from it at
//! that moment. A second mapping stays until its holder unmaps it.

use std::ffi::c_void;

use mf_base::{Error, Gva, Kind, Rank, Result};

/// Maps memory of `rank`, mapped at `place`, a second time.
pub(super) fn map_again(
    op: &'static str,
    rank: Rank,
    place: Gva,
    bytes: u64,
) -> Result<(*mut c_void, usize)> {
    let length = usize::try_from(bytes).unwrap_or(usize::MAX);
    // SAFETY: an old length of 0 makes a second mapping of the pages and leaves the first alone. Should the
    // part be unmapped meanwhile, the range is private or empty, and the kernel refuses.
    let second = unsafe { libc::mremap(place.as_ptr().cast(), 0, length, libc::MREMAP_MAYMOVE) };
    if second == libc::MAP_FAILED {
        return Err(Error::new(Kind::NotConnected, op)
            .what("the part of the rank is not mapped here any more")
            .with("rank", rank)
            .with("bytes", length)
            .source(std::io::Error::last_os_error()));
    }
    Ok((second, length))
}
