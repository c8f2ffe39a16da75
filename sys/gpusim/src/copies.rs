// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies. The calling thread performs synchronous ones, after the work on the default stream.

use std::ffi::c_void;
use std::ptr::with_exposed_provenance_mut;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::contexts::current;
use crate::lock::lock;
use crate::machine::{Machine, machine};
use crate::settings::settings;
use crate::state::block::Block;
use crate::streams::stream;

/// A copy that is checked. Device memory stays until it is done.
struct Copy {
    to: usize,
    from: usize,
    bytes: usize,
    held: Vec<Arc<Block>>,
    /// Bytes of a pageable source at the time the copy was queued.
    kept: Option<Vec<u8>>,
}

impl Copy {
    fn run(self) {
        let start = Instant::now();
        let from = self.kept.as_ref().map_or(self.from, |kept| kept.as_ptr().expose_provenance());
        // SAFETY: device ends were checked and are held; host ends are valid by the program's word.
        unsafe {
            libc::memmove(
                with_exposed_provenance_mut(self.to),
                with_exposed_provenance_mut::<c_void>(from),
                self.bytes,
            )
        };
        drop(self.held);
        if let Some(speed) = settings().bytes_per_second {
            let takes = Duration::from_secs_f64(self.bytes as f64 / speed as f64);
            std::thread::sleep(takes.saturating_sub(start.elapsed()));
        }
    }
}

/// A direction with its addresses.
#[derive(Clone, Copy)]
pub(crate) enum Ends {
    Up { device: u64, host: *const c_void },
    Down { host: *mut c_void, device: u64 },
    Across { to: u64, from: u64 },
}

fn host(machine: &Machine, address: *const c_void, bytes: usize) -> Outcome<usize> {
    let at = address.expose_provenance();
    if at == 0 || machine.is_device(at as u64, bytes) { Err(Code::InvalidValue) } else { Ok(at) }
}

/// Checks both ends; also says whether a host end is pageable.
fn checked(vendor: Vendor, ends: Ends, bytes: usize) -> Outcome<(Copy, bool)> {
    let place = current(vendor)?;
    let machine = lock(machine());
    let own = |address| {
        let blocks = machine.blocks_of(vendor, address, bytes)?;
        if blocks.iter().all(|block| block.is_open_to(place)) { Ok(blocks) } else { Err(Code::InvalidValue) }
    };
    // Plain memory of another device is reached by copies between devices.
    let either = |address| {
        let blocks = machine.blocks_of(vendor, address, bytes)?;
        let may = |block: &Arc<Block>| block.made.is_none() || block.is_open_to(place);
        if blocks.iter().all(may) { Ok(blocks) } else { Err(Code::InvalidValue) }
    };
    let reach = |blocks: &[Arc<Block>], address| {
        blocks.first().map_or(0, |block| block.reach(address).expose_provenance())
    };
    let pageable = |at: usize| !machine.is_pinned(vendor, at as u64, bytes);
    let (to, from, held, is_pageable) = match ends {
        Ends::Up { device, host: from } => {
            let (blocks, from) = (own(device)?, host(&machine, from, bytes)?);
            (reach(&blocks, device), from, blocks, pageable(from))
        }
        Ends::Down { host: to, device } => {
            let (blocks, to) = (own(device)?, host(&machine, to, bytes)?);
            (to, reach(&blocks, device), blocks, pageable(to))
        }
        Ends::Across { to, from } => {
            let (a, b) = (either(to)?, either(from)?);
            (reach(&a, to), reach(&b, from), [a, b].concat(), false)
        }
    };
    Ok((Copy { to, from, bytes, held, kept: None }, is_pageable))
}

/// A copy by the calling thread; between devices by the default stream, and done later.
pub(crate) fn now(vendor: Vendor, ends: Ends, bytes: usize) -> Outcome {
    let (copy, _) = checked(vendor, ends, bytes)?;
    let default = stream(vendor, std::ptr::null_mut())?;
    if let Ends::Across { .. } = ends {
        default.put(Box::new(move || copy.run()));
    } else {
        default.wait();
        copy.run();
    }
    Ok(())
}

/// A copy on a stream.
pub(crate) fn on(vendor: Vendor, handle: *mut c_void, ends: Ends, bytes: usize) -> Outcome {
    let (mut copy, is_pageable) = checked(vendor, ends, bytes)?;
    let queue = stream(vendor, handle)?;
    if is_pageable && matches!(ends, Ends::Up { .. }) {
        let mut kept = vec![0_u8; bytes];
        // SAFETY: the source is readable by the program's word, and the other end is new.
        unsafe { libc::memcpy(kept.as_mut_ptr().cast(), with_exposed_provenance_mut(copy.from), bytes) };
        copy.kept = Some(kept);
    }
    queue.put(Box::new(move || copy.run()));
    if is_pageable && matches!(ends, Ends::Down { .. }) {
        queue.wait();
    }
    Ok(())
}

/// Sets memory of the current device on a stream.
pub(crate) fn fill(vendor: Vendor, handle: *mut c_void, address: u64, value: u8, bytes: usize) -> Outcome {
    let place = current(vendor)?;
    let blocks = lock(machine()).blocks_of(vendor, address, bytes)?;
    if !blocks.iter().all(|block| block.is_open_to(place)) {
        return Err(Code::InvalidValue);
    }
    stream(vendor, handle)?.put(Box::new(move || {
        let Some(to) = blocks.first().map(|block| block.reach(address).cast::<c_void>()) else { return };
        // Zeroes take no memory, where whole pages are set.
        // SAFETY: a range of the blocks, which are held.
        if value == 0 && unsafe { libc::madvise(to, bytes, libc::MADV_REMOVE) } == 0 {
            return;
        }
        // SAFETY: a range of the blocks, which are held.
        unsafe { libc::memset(to, i32::from(value), bytes) };
    }));
    Ok(())
}
