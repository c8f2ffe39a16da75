// SPDX-License-Identifier: Apache-2.0 OR MIT
//! First-fit search for a place that is free in all members. Pure, with checked arithmetic, and bounded by a
//! deadline.

use std::ops::Range;
use std::time::Instant;

use mf_base::MemKind;

use super::records::{Free, FreeRanges};
use super::{ALIGN, Shape};

/// Returns bases for both windows that are free in every member and used by no pool; 0 for an absent window.
/// Returns `None` if no place is free, or if the deadline passes.
pub(super) fn find_bases(
    free: &[Free],
    mut used: Vec<Range<u64>>,
    shape: Shape,
    deadline: Instant,
) -> Option<[u64; 2]> {
    let of = |kind: MemKind| free.iter().map(|free| free[kind.index()].clone()).collect::<Vec<FreeRanges>>();
    let [device_bytes, host_bytes] = MemKind::ALL.map(|kind| shape.window_bytes(kind));
    let (device_bytes, host_bytes) = (device_bytes?, host_bytes?);
    let both_bytes = device_bytes.checked_add(host_bytes)?;
    if free.iter().all(|[device, host]| device == host)
        && let Some(base) = first_fit(&of(MemKind::Device), &used, both_bytes, deadline)
    {
        let at = |bytes: u64, base: u64| if bytes == 0 { 0 } else { base };
        return Some([at(device_bytes, base), at(host_bytes, base.checked_add(device_bytes)?)]);
    }
    let mut bases = [0; 2];
    for (kind, bytes) in std::iter::zip(MemKind::ALL, [device_bytes, host_bytes]) {
        if bytes > 0 {
            let base = first_fit(&of(kind), &used, bytes, deadline)?;
            bases[kind.index()] = base;
            used.push(base..base.checked_add(bytes)?);
        }
    }
    Some(bases)
}

/// Returns the first range of `bytes` that is free in every member and used by no pool. The order of
/// preference is the first member's.
pub(super) fn first_fit(
    free: &[FreeRanges],
    used: &[Range<u64>],
    bytes: u64,
    deadline: Instant,
) -> Option<u64> {
    let (first, others) = free.split_first()?;
    let mut common = gaps(&[]);
    for ranges in others {
        if Instant::now() >= deadline {
            return None;
        }
        common = intersection(&common, &merged(ranges.iter().map(|(start, end)| *start..*end)));
    }
    let common = intersection(&common, &gaps(&merged(used.iter().cloned())));
    for &(start, end) in first {
        if Instant::now() >= deadline {
            return None;
        }
        let from = common.partition_point(|range| range.end <= start);
        for range in common.get(from..)?.iter().take_while(|range| range.start < end) {
            let at = range.start.max(start).checked_next_multiple_of(ALIGN)?;
            if at.checked_add(bytes).is_some_and(|behind| behind <= range.end.min(end)) {
                return Some(at);
            }
        }
    }
    None
}

/// Merges ranges into ascending ones that neither overlap nor touch.
fn merged(ranges: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut ranges: Vec<_> = ranges.filter(|range| !range.is_empty()).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Returns the gaps between ascending ranges.
fn gaps(ranges: &[Range<u64>]) -> Vec<Range<u64>> {
    let starts = std::iter::once(0).chain(ranges.iter().map(|range| range.end));
    let ends = ranges.iter().map(|range| range.start).chain([u64::MAX]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
}

/// Returns the intersection of two lists of ascending ranges.
fn intersection(one: &[Range<u64>], other: &[Range<u64>]) -> Vec<Range<u64>> {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut both = Vec::new();
    while let (Some(a), Some(b)) = (one.peek(), other.peek()) {
        let range = a.start.max(b.start)..a.end.min(b.end);
        if a.end < b.end {
            one.next();
        } else {
            other.next();
        }
        if !range.is_empty() {
            both.push(range);
        }
    }
    both
}
