// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that a kernel binary may call: the table of `ascend_sim_kernel.h`.
//!
//! Every function speaks of the block that the calling thread runs. None of them unwinds into the binary.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::abi::{Host, VERSION, Visitor};
use super::block::{self, Block, running};
use crate::config::Kernels;
use crate::machine::machine;
use crate::memory::Access;
use crate::memory::region::regions;
use crate::memory::transfer::{Initiator, with_view};

static HOST: Host = Host {
    version: VERSION,
    #[expect(clippy::cast_possible_truncation, reason = "the table is far smaller")]
    bytes: size_of::<Host>() as u32,
    block_index,
    block_count,
    core_count,
    ub_bytes,
    dynamic_ub_bytes,
    device,
    kernel_name,
    seed,
    is_strict,
    report_fault,
    is_cancelled,
    progress,
    sync_all,
    extent,
    translate,
    visit,
    name_address,
    is_eager,
    block,
    enter,
    leave,
    launch,
    waits,
};

/// The table.
pub fn host() -> *const Host {
    &raw const HOST
}

/// Runs `body` on the calling thread's block; `otherwise` on a thread that runs none, or when the simulator
/// fails.
fn with<T: Copy>(otherwise: T, body: impl FnOnce(&Block) -> T) -> T {
    catch_unwind(AssertUnwindSafe(|| running(|block| block.map_or(otherwise, body)))).unwrap_or(otherwise)
}

extern "C" fn block_index() -> u32 {
    with(0, |block| block.launch.block_offset().wrapping_add(block.index))
}

extern "C" fn block_count() -> u32 {
    with(0, |block| block.launch.blocks())
}

extern "C" fn core_count() -> u32 {
    with(0, |block| block.launch.cores())
}

extern "C" fn ub_bytes() -> u64 {
    with(0, |_| machine().map_or(0, |machine| machine.product.ub_bytes))
}

extern "C" fn dynamic_ub_bytes() -> u64 {
    with(0, |block| block.launch.dynamic_ub_bytes().into())
}

extern "C" fn device() -> u32 {
    with(0, |block| block.launch.device().user)
}

extern "C" fn kernel_name() -> *const c_char {
    with(std::ptr::null(), |block| block.launch.function().c_name().as_ptr())
}

extern "C" fn seed() -> u64 {
    with(0, |block| block.launch.seed())
}

extern "C" fn is_strict() -> c_int {
    with(0, |_| machine().map_or(0, |machine| machine.config.strict.into()))
}

unsafe extern "C" fn report_fault(text: *const c_char, code: i32) {
    with((), |block| {
        let text = if text.is_null() {
            "the kernel reported a fault without a text".into()
        } else {
            // SAFETY: the binary passes a string that ends with 0.
            unsafe { CStr::from_ptr(text) }.to_string_lossy()
        };
        block.launch.report(block.index, &text, code);
    });
}

extern "C" fn is_cancelled() -> c_int {
    // A thread without a launch has nothing to go on with.
    with(1, |block| block.launch.is_cancelled().into())
}

extern "C" fn progress() {
    with((), |block| block.launch.progress());
}

extern "C" fn sync_all() -> c_int {
    with(1, |block| block.launch.sync_all().into())
}

extern "C" fn extent(address: u64) -> u64 {
    with(0, |_| {
        let region = regions().ok().and_then(|regions| regions.find(address));
        region.map_or(0, |region| region.range.end - address)
    })
}

extern "C" fn translate(address: u64, bytes: u64, access: c_int) -> *mut c_void {
    let null = std::ptr::null_mut();
    with(null, |block| with_view(by(block), address, bytes, rights(access), <*mut u8>::cast).unwrap_or(null))
}

unsafe extern "C" fn visit(
    address: u64,
    bytes: u64,
    access: c_int,
    body: Option<Visitor>,
    context: *mut c_void,
) -> c_int {
    with(1, |block| {
        let Some(body) = body else { return 1 };
        let visited = with_view(by(block), address, bytes, rights(access), |at| {
            // SAFETY: the binary's own function, with the context that it passed and memory that is held
            // meanwhile.
            unsafe { body(at.cast(), context) }
        });
        visited.is_err().into()
    })
}

unsafe extern "C" fn name_address(address: u64, text: *mut c_char, bytes: usize) -> usize {
    with(0, |_| {
        let name = name_of(address);
        if !text.is_null() && bytes > 0 {
            let length = name.len().min(bytes - 1);
            // SAFETY: the binary passes room for `bytes` bytes, and `length` is less.
            unsafe { std::ptr::copy_nonoverlapping(name.as_ptr(), text.cast(), length) };
            // SAFETY: `length` is less than the room of `bytes` bytes.
            let end = unsafe { text.add(length) };
            // SAFETY: `end` is inside the room of `bytes` bytes.
            unsafe { end.write(0) };
        }
        name.len()
    })
}

extern "C" fn is_eager() -> c_int {
    with(0, |_| machine().map_or(0, |machine| (machine.config.kernels == Kernels::Eager).into()))
}

extern "C" fn block() -> *mut c_void {
    with(std::ptr::null_mut(), |block| std::ptr::from_ref(block).cast_mut().cast())
}

unsafe extern "C" fn enter(block: *mut c_void) {
    if !block.is_null() {
        // SAFETY: the binary passes what `block` said, and that block's call has not returned.
        unsafe { block::enter(block.cast_const().cast()) };
    }
}

extern "C" fn leave() {
    block::leave();
}

extern "C" fn launch() -> u64 {
    with(0, |block| block.launch.number())
}

unsafe extern "C" fn waits(what: *const c_char) {
    with((), |block| {
        // SAFETY: the binary passes a string that ends with 0, or null.
        let what = (!what.is_null()).then(|| unsafe { CStr::from_ptr(what) }.to_string_lossy().into_owned());
        block.launch.waits(block.index, what);
    });
}

fn name_of(address: u64) -> String {
    let region = regions().ok().and_then(|regions| regions.find(address));
    match region {
        None => format!("{address:#x}, which is in no memory that a device knows"),
        Some(region) => format!(
            "{address:#x}, byte {} of {} at {:#x}, {:?} on {:?}",
            address - region.range.start,
            region.range.end - region.range.start,
            region.range.start,
            region.kind,
            region.location
        ),
    }
}

fn by(block: &Block) -> Initiator {
    Initiator::Core(block.launch.device().physical)
}

fn rights(access: c_int) -> Access {
    if access & 2 == 0 { Access::Read } else { Access::ReadWrite }
}
