// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An allocator that counts what each thread takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Allocations of this thread, and their bytes.
    static TAKEN: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn note(bytes: usize) {
    // A thread that ends counts no more.
    let _ = TAKEN.try_with(|taken| {
        let (count, sum) = taken.get();
        taken.set((count + 1, sum + bytes));
    });
}

// SAFETY: all is done by the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: by our caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: by our caller.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        note(bytes);
        // SAFETY: by our caller.
        unsafe { System.realloc(at, layout, bytes) }
    }
}

/// Returns the calling thread's allocations during a call: their number and bytes.
pub(crate) fn counted(call: impl FnOnce()) -> (usize, usize) {
    let before = TAKEN.get();
    call();
    let after = TAKEN.get();
    (after.0 - before.0, after.1 - before.1)
}

#[test]
fn allocations_are_counted() {
    let (count, bytes) = counted(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!((count, bytes), (1, 100));
}
