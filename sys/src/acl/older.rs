// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State for the older kernel calls: the bytes of binaries loaded from memory, which CANN may read as long as
//! they are loaded, and argument lists, which no call releases, so that each is reused for every launch of
//! its kernel.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{LazyLock, Mutex, MutexGuard};

use mf_base::sync::lock;

use super::{Binary, Function};
use crate::Result;
use crate::raw::types::{aclrtArgsHandle, aclrtBinary, aclrtParamHandle};

/// The bytes of a binary and CANN's name for them.
pub(super) struct Image {
    handle: aclrtBinary,
    /// Never changed: CANN has their address.
    _bytes: Box<[u8]>,
}

// SAFETY: the handle is a plain value that CANN takes from any thread.
unsafe impl Send for Image {}

impl Image {
    /// Copies the bytes and loads them with `create`. Returns `None` if `create` returns null.
    pub(super) fn from_data(
        data: &[u8],
        create: impl FnOnce(*const c_void, usize) -> aclrtBinary,
    ) -> Option<Self> {
        let bytes: Box<[u8]> = data.into();
        let handle = create(bytes.as_ptr().cast(), bytes.len());
        (!handle.is_null()).then_some(Self { handle, _bytes: bytes })
    }

    /// CANN's name.
    pub(super) fn handle(&self) -> aclrtBinary {
        self.handle
    }
}

/// A list with one value.
#[derive(Clone, Copy)]
pub(super) struct List {
    /// The list.
    pub(super) handle: aclrtArgsHandle,
    /// The value in it.
    pub(super) value: aclrtParamHandle,
}

// SAFETY: the handles are plain values that CANN takes from any thread; one thread at a time uses a list.
unsafe impl Send for List {}

#[derive(Default)]
struct Kept {
    /// By binary.
    images: HashMap<Binary, Image>,
    /// By kernel and bytes of the value.
    lists: HashMap<(Function, usize), List>,
}

fn kept() -> MutexGuard<'static, Kept> {
    static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);
    lock(&KEPT)
}

/// Keeps the bytes of a loaded binary.
pub(super) fn keep(binary: Binary, image: Image) {
    kept().images.insert(binary, image);
}

/// Prepares the unload of a binary: returns its bytes and drops all argument lists, since its kernels end
/// with it.
pub(super) fn forget(binary: Binary) -> Option<Image> {
    let mut kept = kept();
    kept.lists.clear();
    kept.images.remove(&binary)
}

/// Runs `work` with the argument list for launches of this kernel with this many bytes, and keeps the list
/// that it returns. One launch at a time, because a list holds one value. A list is dropped after a failure.
pub(super) fn with_list(
    function: Function,
    bytes: usize,
    work: impl FnOnce(Option<List>) -> Result<List>,
) -> Result<()> {
    let mut kept = kept();
    let key = (function, bytes);
    let list = work(kept.lists.remove(&key))?;
    kept.lists.insert(key, list);
    Ok(())
}
