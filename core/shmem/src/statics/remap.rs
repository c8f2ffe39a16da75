// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exchange of the pages of static data for pages of a memory file.

use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd};

use mf_base::Result;
use mf_base::os::memfile::MemFile;
use mf_base::os::process::page_bytes;
use mf_base::os::remap_pages;
use mf_base::settings::Switch;
use mf_fabric::space::layout::GRANULE_BYTES;

use super::elf::Part;
use super::span;

/// Creates a file with the contents of the parts, and maps it over them. After an error they are unchanged.
///
/// # Errors
/// `OutOfMemory`, `NoResources`.
pub(super) fn share(parts: &[Part]) -> Result<MemFile> {
    let whole = span(parts);
    let bytes = (whole.end - whole.start).next_multiple_of(GRANULE_BYTES);
    let file = MemFile::create("mf-static-data", bytes, Switch::Off)?;
    for part in parts {
        for range in contents(part) {
            // SAFETY: mapped and readable, as the headers of the program say.
            unsafe { remap_pages::copy_to_file(range.clone(), &file, range.start - whole.start) }?;
        }
    }
    for (index, Part { range, is_executable, .. }) in parts.iter().enumerate() {
        let offset = range.start - whole.start;
        // SAFETY: whole pages of variables of the main program, of which the file has a copy. No other
        // thread writes there: none knows them before `main`, and a child that has been forked has one.
        let mapped = unsafe { remap_pages::replace_pages(range.clone(), &file, offset, *is_executable) };
        if let Err(error) = mapped {
            for Part { range, is_executable, .. } in &parts[..index] {
                let (range, offset) = (range.clone(), range.start - whole.start);
                // SAFETY: as above; these are pages of the file since a moment ago.
                unsafe { remap_pages::make_private(range, file.as_fd().as_raw_fd(), offset, *is_executable) };
            }
            return Err(error);
        }
    }
    Ok(file)
}

/// Returns the ranges of a part that may not be zero: from the file of the program, and written since.
fn contents(part: &Part) -> Vec<Range<u64>> {
    let Range { start, end } = part.range;
    let behind = part.file_end.next_multiple_of(page_bytes()).clamp(start, end);
    // All of it, if the kernel does not report touched pages.
    let (file, all) = (start..behind, behind..end);
    let touched = remap_pages::present(all.clone()).unwrap_or_else(|_| std::iter::once(all).collect());
    std::iter::once(file).chain(touched).filter(|range| !range.is_empty()).collect()
}
