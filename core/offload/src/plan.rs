// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Models of the operations: pure functions from arrays to pieces.
//!
//! Arrays are read through [`Arrays`], a few thousand elements at a time, so that a wrong count fails at the
//! end of the mapped memory instead of exhausting this process.

use mf_base::{Error, Result};

use crate::operation::{Header, Operation, Table};

/// Elements that one read of an array takes at most.
const BATCH: u64 = 64 << 10;
/// Most components of a key-value exchange.
const COMPONENTS_MAX: i64 = 4;
/// Words of a component.
const COMPONENT_WORDS: usize = 9;
/// Most pieces of one operation: 24 GiB of their descriptions.
const PIECES_MAX: usize = 1 << 30;
/// Direction from the accelerator to the host; all other values are the opposite one.
const TO_HOST: i64 = 2;

/// Reader of argument arrays.
pub(crate) trait Arrays {
    /// Reads so many bytes at `address`; `name` is the argument's.
    ///
    /// # Errors
    /// `InvalidParam` they are not readable.
    fn read(&self, name: &'static str, address: u64, bytes: u64) -> Result<Vec<u8>>;
}

/// One copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) bytes: u64,
}

/// Result of a model.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Copies; none has 0 bytes.
    pub(crate) spans: Vec<Span>,
    /// Words to write at an address, after the copies.
    pub(crate) words: Option<(u64, Vec<u8>)>,
}

impl Plan {
    fn add(&mut self, from: u64, to: u64, bytes: u64) {
        if bytes > 0 {
            self.spans.push(Span { from, to, bytes });
        }
    }
}

/// Plans an operation.
///
/// # Errors
/// `InvalidParam` an array is not readable, or the operation has no defined result; errors of `arrays`.
pub(crate) fn plan(operation: &Operation, table: Option<&Table>, arrays: &impl Arrays) -> Result<Plan> {
    match *operation {
        Operation::Sparse { sources, destinations, lengths, count } => {
            let count = u64::from(one_u32(arrays, "sizePtr", count)?);
            let mut plan = Plan::default();
            batches(count, |first, now| {
                let from = u64s(arrays, "srcPtr", sources, first, now)?;
                let to = u64s(arrays, "dstPtr", destinations, first, now)?;
                let bytes = u32s(arrays, "lenPtr", lengths, first, now)?;
                plan.spans.reserve(from.len());
                for ((from, to), bytes) in from.into_iter().zip(to).zip(bytes) {
                    plan.add(from, to, u64::from(bytes));
                }
                Ok(())
            })?;
            Ok(plan)
        }
        Operation::GroupPack { sources, destinations, lengths, count, groups, packed } => {
            let count = u64::from(one_u32(arrays, "numLocalExpertPtr", count)?);
            let (mut kept, mut words) = (Vec::new(), Vec::new());
            batches(count, |first, now| {
                let from = u64s(arrays, "srcPtr", sources, first, now)?;
                let bytes = u32s(arrays, "lenPtr", lengths, first, now)?;
                let groups = u64s(arrays, "groupListPtr", groups, first, now)?;
                let pieces = from.into_iter().zip(bytes).zip(groups);
                for ((from, bytes), group) in pieces.filter(|(_, group)| *group != 0) {
                    kept.push((from, u64::from(bytes)));
                    words.extend_from_slice(&group.to_ne_bytes());
                }
                Ok(())
            })?;
            let mut plan = Plan { words: Some((packed, words)), ..Plan::default() };
            let mut pieces = kept.iter();
            batches(kept.len() as u64, |first, now| {
                let to = u64s(arrays, "dstPtr", destinations, first, now)?;
                // The destinations first: a zip that ends takes one more element of its first iterator.
                for (to, (from, bytes)) in to.into_iter().zip(&mut pieces) {
                    plan.add(*from, to, *bytes);
                }
                Ok(())
            })?;
            Ok(plan)
        }
        Operation::KvExchange { meta, header } => exchange(meta, header, arrays),
        Operation::EntryGather { destination, ids, count } => {
            let Some(table) = table else { return Err(no_table(operation)) };
            let count = u64::from(one_u32(arrays, "countPtr", count)?);
            let (bytes, rows) = (u64::from(table.entry_bytes), u64::from(table.rows_per_slot).max(1));
            let mut plan = Plan::default();
            batches(count, |first, now| {
                let ids = u64s(arrays, "idsPtr", ids, first, now)?;
                for (id, place) in ids.into_iter().map(|id| id & u64::from(u32::MAX)).zip(first..) {
                    // Below 2^32 slots and entries, so that only the sum with an address may wrap.
                    let offset = table.stride.wrapping_mul(id / rows).wrapping_add(id % rows * bytes);
                    plan.add(table.base.wrapping_add(offset), destination.wrapping_add(place * bytes), bytes);
                }
                Ok(())
            })?;
            Ok(plan)
        }
    }
}

/// The table that an entry gather needs is not registered.
#[cold]
pub(crate) fn no_table(operation: &Operation) -> Error {
    Error::invalid(operation.name(), "no entry table is registered")
        .hint("call register_entry_table after initialize")
}

fn exchange(meta: u64, header: Header, arrays: &impl Arrays) -> Result<Plan> {
    const OP: &str = "offload kv exchange copy";
    let head_words = u64::from(header.words());
    let head = i64s(arrays, "metaPtr", meta, 0, head_words)?;
    let [components, pages, page_tokens, direction, device_indices, host_indices, ..] = head[..] else {
        return Ok(Plan::default());
    };
    let components = components.min(COMPONENTS_MAX);
    let mut plan = Plan::default();
    if components <= 0 || pages <= 0 {
        return Ok(plan);
    }
    if page_tokens <= 0 {
        return Err(Error::invalid(OP, "invalid page size in metaPtr")
            .with("page_size", page_tokens)
            .hint("tokens of a page, at least 1"));
    }
    let words = components.unsigned_abs() * COMPONENT_WORDS as u64;
    let components = i64s(arrays, "metaPtr", meta, head_words, words)?;
    let (pages, page_tokens) = (pages.unsigned_abs(), page_tokens.unsigned_abs());
    let indices = [("device indices", device_indices), ("host indices", host_indices)];
    let [devices, hosts] = indices.map(|(name, list)| page_numbers(arrays, name, list, pages, page_tokens));
    let (devices, hosts) = (devices?, hosts?);
    for component in components.chunks_exact(COMPONENT_WORDS) {
        let &[device_base, host_base, device_layer, device_page, host_page, host_layer, width, low, high] =
            component
        else {
            continue;
        };
        let (Ok(width), Ok(layers)) = (u64::try_from(width), usize::try_from(high.saturating_sub(low)))
        else {
            continue;
        };
        if width == 0 || layers == 0 {
            continue;
        }
        let more = layers.checked_mul(devices.len()).and_then(|more| more.checked_add(plan.spans.len()));
        if more.is_none_or(|all| all > PIECES_MAX) {
            return Err(Error::invalid(OP, "too many pieces in metaPtr")
                .with("layers", layers)
                .with("pages", pages)
                .with("most", PIECES_MAX));
        }
        for (device, host) in devices.iter().zip(&hosts) {
            for layer in low..high {
                let place = |base: i64, layers: i64, pages: i64, page: i64| {
                    let offset = layer.wrapping_mul(layers).wrapping_add(page.wrapping_mul(pages));
                    base.wrapping_add(offset).cast_unsigned()
                };
                let device = place(device_base, device_layer, device_page, *device);
                let host = place(host_base, host_layer, host_page, *host);
                let (from, to) = if direction == TO_HOST { (device, host) } else { (host, device) };
                plan.add(from, to, width);
            }
        }
    }
    Ok(plan)
}

/// Reads the page numbers of a list of token indices: the first token of each page has it.
fn page_numbers(
    arrays: &impl Arrays,
    name: &'static str,
    list: i64,
    pages: u64,
    page_tokens: u64,
) -> Result<Vec<i64>> {
    let (list, step) = (list.cast_unsigned(), page_tokens.checked_mul(8));
    let mut numbers = Vec::new();
    let per_read = (BATCH / page_tokens).max(1);
    let mut first = 0;
    while first < pages {
        let now = per_read.min(pages - first);
        // From the first token of the first page to the first token of the last one.
        let begin = step.and_then(|step| first.checked_mul(step)?.checked_add(list));
        let bytes = step.and_then(|step| (now - 1).checked_mul(step)?.checked_add(8));
        let (Some(begin), Some(bytes), Some(step)) = (begin, bytes, step) else {
            return Err(Error::invalid("offload kv exchange copy", format!("{name} exceed all addresses")));
        };
        let read = arrays.read(name, begin, bytes)?;
        let step = usize::try_from(step).unwrap_or(usize::MAX);
        let firsts = read.chunks(step).filter_map(|page| page.first_chunk::<8>());
        let page_tokens = page_tokens.cast_signed();
        numbers.extend(firsts.map(|token| i64::from_ne_bytes(*token) / page_tokens));
        first += now;
    }
    Ok(numbers)
}

/// Calls `work` with first element and number of elements of each batch.
fn batches(count: u64, mut work: impl FnMut(u64, u64) -> Result<()>) -> Result<()> {
    let mut first = 0;
    while first < count {
        let now = (count - first).min(BATCH);
        work(first, now)?;
        first += now;
    }
    Ok(())
}

fn one_u32(arrays: &impl Arrays, name: &'static str, address: u64) -> Result<u32> {
    Ok(u32s(arrays, name, address, 0, 1)?.first().copied().unwrap_or(0))
}

/// Reads a range of elements, of `N` bytes each.
fn elements<const N: usize>(
    arrays: &impl Arrays,
    name: &'static str,
    address: u64,
    first: u64,
    count: u64,
) -> Result<Vec<[u8; N]>> {
    let width = N as u64;
    let begin = first.checked_mul(width).and_then(|offset| address.checked_add(offset));
    let bytes = count.checked_mul(width);
    let (Some(begin), Some(bytes)) = (begin, bytes) else {
        return Err(Error::invalid("offload", format!("{name} exceeds all addresses"))
            .with("address", format!("{address:#x}"))
            .with("elements", count));
    };
    Ok(arrays.read(name, begin, bytes)?.as_chunks().0.to_vec())
}

/// Reads addresses, or other words of 8 bytes.
fn u64s(arrays: &impl Arrays, name: &'static str, address: u64, first: u64, count: u64) -> Result<Vec<u64>> {
    Ok(elements(arrays, name, address, first, count)?.into_iter().map(u64::from_ne_bytes).collect())
}

fn i64s(arrays: &impl Arrays, name: &'static str, address: u64, first: u64, count: u64) -> Result<Vec<i64>> {
    Ok(elements(arrays, name, address, first, count)?.into_iter().map(i64::from_ne_bytes).collect())
}

fn u32s(arrays: &impl Arrays, name: &'static str, address: u64, first: u64, count: u64) -> Result<Vec<u32>> {
    Ok(elements(arrays, name, address, first, count)?.into_iter().map(u32::from_ne_bytes).collect())
}

#[cfg(test)]
mod tests;
