// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Address table of the current instance, for fast paths.

use std::sync::atomic::{AtomicPtr, Ordering};

use mf_shmem::World;
use mf_shmem::fast_path::AddressTable;

/// The empty table, without an instance.
static NONE: AddressTable = AddressTable::new();

/// Address table of the current instance, which owns it.
static SHOWN: AtomicPtr<AddressTable> = AtomicPtr::new((&raw const NONE).cast_mut());

/// Publishes the address table of a world, or the empty one.
pub(super) fn show(world: Option<&World>) {
    let table = world.map_or(&raw const NONE, |world| std::ptr::from_ref(world.table()));
    SHOWN.store(table.cast_mut(), Ordering::Release);
}

/// Returns the address table of the current instance, or the empty one.
#[inline(always)]
pub(super) fn current_table() -> &'static AddressTable {
    // SAFETY: `NONE`, or the table of a world that lives until its instance begins again; a program must not
    // call while another thread ends and begins the instance.
    unsafe { &*SHOWN.load(Ordering::Acquire) }
}
