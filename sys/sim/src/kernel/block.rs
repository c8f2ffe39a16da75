// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The block that a thread runs.

use std::cell::RefCell;
use std::sync::Arc;

use super::launch::Launch;

/// A block of a launch.
pub struct Block {
    /// The launch.
    pub launch: Arc<Launch>,
    /// Its number in it, from 0.
    pub index: u32,
}

thread_local! {
    static RUNNING: RefCell<Option<Arc<Block>>> = const { RefCell::new(None) };
}

impl Block {
    /// Runs the kernel for this block on the calling thread.
    pub fn run(self) {
        let block = Arc::new(self);
        RUNNING.set(Some(Arc::clone(&block)));
        block.launch.call();
        RUNNING.set(None);
        block.launch.block_ended(block.index);
    }
}

/// Shows `look` the block that the calling thread runs.
pub fn running<T>(look: impl FnOnce(Option<&Block>) -> T) -> T {
    // Not borrowed during the look: it may call the binary, which may ask again.
    let block = RUNNING.try_with(|running| running.borrow().clone()).ok().flatten();
    look(block.as_deref())
}

/// From now on the calling thread speaks for a block that another thread runs.
///
/// # Safety
/// `block` is what [`running`] shows there, and its call has not returned.
pub unsafe fn enter(block: *const Block) {
    // SAFETY: blocks are shown out of the `Arc` of their thread, which keeps one until the call has returned.
    unsafe { Arc::increment_strong_count(block) };
    // SAFETY: the pointer is of an `Arc`, and the count made above is this one's.
    let block = unsafe { Arc::from_raw(block) };
    RUNNING.set(Some(block));
}

/// Ends what [`enter`] began.
pub fn leave() {
    RUNNING.set(None);
}
