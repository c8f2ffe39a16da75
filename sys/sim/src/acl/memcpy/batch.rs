// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many copies in one call, all from the host to devices or all back, in no promised order.
//!
//! All entries are checked before the first one is copied, so a wrong one stops them all.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use ascend_acl_sys::raw::types as raw;

use super::direction::{Direction, End};
use super::job::{self, Job};
use crate::acl::arguments::{array, give, not_null, not_zero};
use crate::codes::acl;
use crate::config::Schedule;
use crate::context::{current, stream_of};
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::Access;
use crate::memory::transfer::Initiator;

crate::exports! {
    /// Copies many pieces at once.
    fn aclrtMemcpyBatch(
        dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize,
        attrs: *mut raw::aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, failIndex: *mut usize,
    )
        // SAFETY: the program passes arrays of the given lengths.
        => unsafe { now(&Lists {
            dsts, rooms: destMaxs, srcs, sizes, count: numBatches, attributes: attrs, firsts: attrsIndexes,
            attribute_count: numAttrs,
        }, failIndex) };
    /// Copies many pieces on a stream.
    fn aclrtMemcpyBatchAsync(
        dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize,
        attrs: *mut raw::aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, failIndex: *mut usize,
        stream: *mut c_void,
    )
        // SAFETY: the program passes arrays of the given lengths.
        => unsafe { on_stream(&Lists {
            dsts, rooms: destMaxs, srcs, sizes, count: numBatches, attributes: attrs, firsts: attrsIndexes,
            attribute_count: numAttrs,
        }, failIndex, stream) };
    /// As [`aclrtMemcpyBatch`]; does not say which one is wrong.
    fn aclrtMemcpyBatchV2(
        dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize,
        attrs: *mut raw::aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize,
    )
        // SAFETY: the program passes arrays of the given lengths.
        => unsafe { copy_now(&Lists {
            dsts, rooms: destMaxs, srcs, sizes, count: numBatches, attributes: attrs, firsts: attrsIndexes,
            attribute_count: numAttrs,
        }) }.map_err(|wrong| wrong.fault);
    /// As [`aclrtMemcpyBatchAsync`]; does not say which one is wrong.
    fn aclrtMemcpyBatchAsyncV2(
        dsts: *mut *mut c_void, destMaxs: *mut usize, srcs: *mut *mut c_void, sizes: *mut usize, numBatches: usize,
        attrs: *mut raw::aclrtMemcpyBatchAttr, attrsIndexes: *mut usize, numAttrs: usize, stream: *mut c_void,
    )
        // SAFETY: the program passes arrays of the given lengths.
        => unsafe { copy_on_stream(&Lists {
            dsts, rooms: destMaxs, srcs, sizes, count: numBatches, attributes: attrs, firsts: attrsIndexes,
            attribute_count: numAttrs,
        }, stream) }.map_err(|wrong| wrong.fault);
}

/// Copies of one call, at most. Assumed.
const MOST: usize = 1 << 20;

/// The arrays of a call, as they came.
#[derive(Clone, Copy)]
struct Lists {
    dsts: *mut *mut c_void,
    rooms: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    attributes: *mut raw::aclrtMemcpyBatchAttr,
    firsts: *mut usize,
    attribute_count: usize,
}

unsafe fn now(lists: &Lists, failed: *mut usize) -> Outcome {
    not_null(failed, "failIndex")?;
    // SAFETY: the program passes arrays of the lengths in `lists`.
    let outcome = unsafe { copy_now(lists) };
    // SAFETY: checked above.
    unsafe { report(outcome, failed) }
}

unsafe fn on_stream(lists: &Lists, failed: *mut usize, stream: *mut c_void) -> Outcome {
    not_null(failed, "failIndex")?;
    // SAFETY: the program passes arrays of the lengths in `lists`.
    let outcome = unsafe { copy_on_stream(lists, stream) };
    // SAFETY: checked above.
    unsafe { report(outcome, failed) }
}

/// A refusal, and the entry that is to blame.
struct Wrong {
    entry: Option<usize>,
    fault: Fault,
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Self {
        Self { entry: None, fault }
    }
}

unsafe fn report(outcome: Result<(), Wrong>, failed: *mut usize) -> Outcome {
    let Err(wrong) = outcome else { return Ok(()) };
    // SAFETY: checked for null by the callers.
    unsafe { give(failed, wrong.entry.unwrap_or(usize::MAX)) }?;
    Err(wrong.fault)
}

unsafe fn copy_now(lists: &Lists) -> Result<(), Wrong> {
    // SAFETY: the program passes arrays of the lengths in `lists`.
    let (jobs, device) = unsafe { plan(lists) }?;
    for job in &jobs {
        job.run(Initiator::Device(device), || false)?;
    }
    Ok(())
}

unsafe fn copy_on_stream(lists: &Lists, stream: *mut c_void) -> Result<(), Wrong> {
    // SAFETY: the program passes arrays of the lengths in `lists`.
    let (jobs, _) = unsafe { plan(lists) }?;
    Ok(job::submit(&stream_of(stream)?, "memcpy batch", jobs)?)
}

/// The copies of a call, shuffled, and the current device.
unsafe fn plan(lists: &Lists) -> Result<(Vec<Job>, u32), Wrong> {
    check(lists)?;
    let device = current()?.device.physical;
    // SAFETY: the program passes arrays of the lengths in `lists`.
    let arrays = unsafe { Arrays::copy_from(lists) }?;
    check_firsts(&arrays)?;
    let mut jobs = Vec::new();
    let mut up = None;
    let mut attributes = arrays.firsts.iter().zip(&arrays.attributes).peekable();
    let mut attribute = raw::aclrtMemcpyBatchAttr::default();
    for (entry, piece) in arrays.pieces().enumerate() {
        if let Some((_, next)) = attributes.next_if(|(first, _)| **first == entry) {
            attribute = *next;
        }
        let job = look_at(piece, &attribute, device, &mut up);
        jobs.extend(job.map_err(|fault| Wrong {
            entry: Some(entry),
            fault: Fault { text: format!("entry {entry}: {}", fault.text), ..fault },
        })?);
    }
    shuffle(&mut jobs)?;
    Ok((jobs, device))
}

fn check(lists: &Lists) -> Outcome {
    not_null(lists.dsts, "dsts")?;
    not_null(lists.rooms, "destMaxs")?;
    not_null(lists.srcs, "srcs")?;
    not_null(lists.sizes, "sizes")?;
    not_zero(lists.count, "numBatches")?;
    not_null(lists.attributes, "attrs")?;
    not_null(lists.firsts, "attrsIndexes")?;
    not_zero(lists.attribute_count, "numAttrs")
}

/// The arrays of a call, copied.
struct Arrays {
    dsts: Vec<*mut c_void>,
    rooms: Vec<usize>,
    srcs: Vec<*mut c_void>,
    sizes: Vec<usize>,
    attributes: Vec<raw::aclrtMemcpyBatchAttr>,
    firsts: Vec<usize>,
}

/// One copy as it was asked for.
#[derive(Clone, Copy)]
struct Piece {
    dst: *mut c_void,
    room: usize,
    src: *mut c_void,
    bytes: usize,
}

impl Arrays {
    /// # Safety
    /// The arrays are not null and as long as the call says.
    unsafe fn copy_from(lists: &Lists) -> Outcome<Self> {
        let Lists { count, attribute_count, .. } = *lists;
        ensure(attribute_count <= count, acl::RT_PARAM_INVALID, || {
            format!("{attribute_count} attributes for {count} entries")
        })?;
        Ok(Self {
            // SAFETY: the program passes `count` entries; any bytes are a pointer.
            dsts: unsafe { array(lists.dsts, count, MOST, "dsts") }?,
            // SAFETY: the program passes `count` entries; any bytes are a number.
            rooms: unsafe { array(lists.rooms, count, MOST, "destMaxs") }?,
            // SAFETY: the program passes `count` entries; any bytes are a pointer.
            srcs: unsafe { array(lists.srcs, count, MOST, "srcs") }?,
            // SAFETY: the program passes `count` entries; any bytes are a number.
            sizes: unsafe { array(lists.sizes, count, MOST, "sizes") }?,
            // SAFETY: the program passes `attribute_count` entries; any bytes are an attribute.
            attributes: unsafe { array(lists.attributes, attribute_count, MOST, "attrs") }?,
            // SAFETY: the program passes `attribute_count` entries; any bytes are a number.
            firsts: unsafe { array(lists.firsts, attribute_count, MOST, "attrsIndexes") }?,
        })
    }

    fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        let ends = self.dsts.iter().zip(&self.srcs);
        let lengths = self.rooms.iter().zip(&self.sizes);
        ends.zip(lengths).map(|((&dst, &src), (&room, &bytes))| Piece { dst, room, src, bytes })
    }
}

/// The attributes cover all entries: the first begins at 0, each begins behind the one before.
fn check_firsts(arrays: &Arrays) -> Outcome {
    let mut next = 0;
    for (index, &first) in arrays.firsts.iter().enumerate() {
        let fits = if index == 0 { first == 0 } else { first >= next };
        ensure(fits && first < arrays.dsts.len(), acl::RT_PARAM_INVALID, || {
            format!(
                "attrsIndexes[{index}]={first}: the first is 0, each is larger than the one before and below numBatches"
            )
        })?;
        next = first + 1;
    }
    Ok(())
}

/// Checks one entry and returns its copy, or `None` if it has no bytes.
fn look_at(
    piece: Piece,
    attribute: &raw::aclrtMemcpyBatchAttr,
    device: u32,
    up: &mut Option<bool>,
) -> Outcome<Option<Job>> {
    let Piece { dst, room, src, bytes } = piece;
    let (job, kind) = super::arguments(dst, room, src, bytes, raw::ACL_MEMCPY_DEFAULT)?;
    if bytes == 0 {
        return Ok(None);
    }
    let direction = Direction::from_job(&job, kind)?;
    ensure(direction.is_up() || direction.is_down(), acl::RT_PARAM_INVALID, || {
        format!("a batch copies from the host to devices or back, not {direction:?}")
    })?;
    ensure(*up.get_or_insert(direction.is_up()) == direction.is_up(), acl::RT_PARAM_INVALID, || {
        format!("all entries of a batch go in one direction, this one goes {direction:?}")
    })?;
    check_location(attribute.srcLoc, direction.from, "srcLoc")?;
    check_location(attribute.dstLoc, direction.to, "dstLoc")?;
    job::check_end(device, job.src, job.width, Access::Read)?;
    job::check_end(device, job.dst, job.width, Access::ReadWrite)?;
    Ok(Some(job))
}

/// Checks the location given by the attribute against the address.
fn check_location(given: raw::aclrtMemLocation, end: End, name: &str) -> Outcome {
    let fits = match end {
        End::Device(physical) => {
            let user = machine()?.devices.with_physical(physical).map(|device| device.user);
            given.type_ == raw::ACL_MEM_LOCATION_TYPE_DEVICE && user.is_none_or(|user| user == given.id)
        }
        _ => matches!(given.type_, raw::ACL_MEM_LOCATION_TYPE_HOST | raw::ACL_MEM_LOCATION_TYPE_HOST_NUMA),
    };
    ensure(fits, acl::RT_PARAM_INVALID, || {
        format!("{name} says type {} id {}, but the address is {end:?} memory", given.type_, given.id)
    })
}

/// Shuffles the copies by the seed of the schedule: programs must not rely on an order.
fn shuffle(jobs: &mut [Job]) -> Outcome {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let seed = match machine()?.config.schedule {
        Schedule::Random(seed) => seed,
        Schedule::Fifo | Schedule::Slow(_) => 0,
    };
    let mut state = seed ^ CALLS.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for place in (1..jobs.len()).rev() {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let other = crate::memory::native((mixed ^ (mixed >> 31)) % (place as u64 + 1));
        jobs.swap(place, other);
    }
    Ok(())
}
