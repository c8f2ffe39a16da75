// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A launch as it is asked for: checked at the call, queued, and its arguments made ready when its turn has
//! come.

use std::sync::Arc;

use super::arguments::Image;
use super::attributes::{Attributes, Engine};
use super::binary::Function;
use super::resident::Resident;
use super::{launch, limits};
use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome, ensure};
use crate::memory::transfer::{self, Initiator};
use crate::stream::Stream;

/// Blocks that a launch can have.
pub const MOST_BLOCKS: u32 = 65_535;

/// Launch request of a program.
pub struct Request {
    /// The kernel.
    pub function: Arc<Function>,
    /// Number of blocks.
    pub blocks: u32,
    /// Launch attributes.
    pub attributes: Attributes,
    /// With what.
    pub arguments: Source,
}

/// Source of the arguments.
pub enum Source {
    /// The call.
    Given(Image),
    /// Device memory, when the kernel starts: address and size.
    Device(u64, usize),
}

/// Queues a launch.
///
/// # Errors
/// 107000 for a number of blocks that cannot be · 107044 for another context's kernel · the stream's own.
pub fn issue(stream: &Arc<Stream>, request: Request) -> Outcome {
    ensure((1..=MOST_BLOCKS).contains(&request.blocks), acl::RT_PARAM_INVALID, || {
        format!("{} blocks; a launch has 1 to {MOST_BLOCKS}", request.blocks)
    })?;
    request.function.check_context(stream.context)?;
    let engine = request.engine();
    let cores = limits::of_stream(stream, engine)?;
    if request.is_all_at_once() && request.blocks > cores {
        return Err(too_many_at_once(request.blocks, cores, engine));
    }
    stream.push_again("kernel launch", move |running| launch::run(&request, cores, running))
}

/// Assumed: blocks that must run at once and never can are refused by the call, as a wrong argument.
fn too_many_at_once(blocks: u32, cores: u32, engine: Engine) -> Fault {
    Fault::new(
        acl::RT_PARAM_INVALID,
        format_args!("{blocks} blocks are to run at once, and there are {cores} {engine:?} cores"),
    )
}

impl Request {
    pub(super) fn engine(&self) -> Engine {
        self.attributes.engine.unwrap_or_else(|| self.function.kind.engine())
    }

    pub(super) fn is_all_at_once(&self) -> bool {
        self.attributes.all_at_once.unwrap_or(self.function.all_at_once)
    }
}

/// The arguments in memory that a kernel can read, their size, and the device memory that they point to.
pub(super) fn prepare(source: &Source, device: &Device) -> Outcome<(Vec<u64>, usize, Option<Resident>)> {
    let bytes = match source {
        Source::Given(image) => image.bytes.len(),
        Source::Device(_, bytes) => *bytes,
    };
    let mut memory = vec![0_u64; bytes.div_ceil(8).max(1)];
    let at: *mut u8 = memory.as_mut_ptr().cast();
    let mut data = None;
    match source {
        Source::Given(image) => {
            // SAFETY: the memory has room for so many bytes and has no other user yet.
            unsafe { std::ptr::copy_nonoverlapping(image.bytes.as_ptr(), at, bytes) };
            if !image.pointers.is_empty() {
                let resident = Resident::allocate(device.physical, bytes as u64)?;
                for (slot, target) in &image.pointers {
                    // Slots were checked to be whole when the launch was issued.
                    if let Some(slot) = memory.get_mut(slot / 8) {
                        *slot = resident.address() + *target as u64;
                    }
                }
                // SAFETY: both have so many bytes, and nothing else knows the new memory.
                unsafe { std::ptr::copy_nonoverlapping(memory.as_ptr().cast(), resident.view(), bytes) };
                data = Some(resident);
            }
        }
        Source::Device(address, _) => {
            // SAFETY: the memory has room for so many bytes.
            unsafe { transfer::read(Initiator::Core(device.physical), *address, at, bytes as u64) }
                .map_err(transfer::in_task)?;
        }
    }
    Ok((memory, bytes, data))
}
