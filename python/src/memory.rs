// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool of big memory as the two Python classes share it: calls and codes, no exceptions.
//!
//! The native object is held by an [`Object`], which destroys it. Views of its segment have mappings of their
//! own.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mf_abi::smem::{
    BatchCopyParams, BatchCopyResult, BmHandle, CopyParams, GroupEventFn, MFX_BM_COPY_AT_ONCE,
    MFX_BM_NOT_AT_ONCE, SMEM_INVALID_PARAM,
};
use pyo3::prelude::*;

use crate::buffer::Pin;
use crate::evaluation::Evaluate as _;
use crate::fork::Generation;
use crate::library::Functions;
use crate::lock::lock;
use crate::{callbacks, failure, interrupts, number};

/// From this many bytes on a copy lets other Python threads run, wherever it goes.
const DETACH_FROM_BYTES: usize = 64 << 10;

/// The native object; destroyed with the last holder unless it is borrowed or belongs to the parent process.
pub(crate) struct Object {
    functions: &'static Functions,
    handle: AtomicPtr<c_void>,
    is_owned: bool,
    made: Generation,
    event_handler: AtomicUsize,
}

impl Drop for Object {
    fn drop(&mut self) {
        let event_handler = self.event_handler.swap(0, Ordering::Relaxed);
        if self.is_owned && !self.made.is_inherited() {
            let handle = self.handle.load(Ordering::Relaxed).expose_provenance();
            let destroy = || {
                // SAFETY: the library checks handles itself; this one is ours and destroyed once.
                unsafe { (self.functions.smem_bm_destroy)(ptr::with_exposed_provenance_mut(handle)) };
            };
            // Destroying waits for running copies and for callbacks, which may want the GIL.
            Python::attach(|py| py.detach(destroy));
        }
        callbacks::remove_handler(event_handler);
    }
}

/// A pool, joined or not.
pub(crate) struct Memory {
    functions: &'static Functions,
    /// NULL once destroyed.
    handle: AtomicPtr<c_void>,
    made: Generation,
    object: Mutex<Option<Arc<Object>>>,
    /// Buffers of asynchronous copies, kept until the next wait.
    pending: Mutex<Vec<Pin>>,
}

impl Memory {
    /// Wraps `handle`, which is destroyed with this object only when it `is_owned`.
    pub(crate) fn new(functions: &'static Functions, handle: BmHandle, is_owned: bool) -> Self {
        let made = Generation::now();
        let object = Object {
            functions,
            handle: AtomicPtr::new(handle),
            is_owned,
            made,
            event_handler: AtomicUsize::new(0),
        };
        Self {
            functions,
            handle: AtomicPtr::new(handle),
            made,
            object: Mutex::new(Some(Arc::new(object))),
            pending: Mutex::new(Vec::new()),
        }
    }

    /// The native handle; NULL, which every function refuses, once destroyed or in a forked child.
    #[inline]
    pub(crate) fn handle(&self) -> BmHandle {
        if self.is_inherited() { ptr::null_mut() } else { self.handle.load(Ordering::Relaxed) }
    }

    /// When it was made.
    pub(crate) fn made(&self) -> Generation {
        self.made
    }

    /// True if this object came from the parent process.
    #[inline]
    pub(crate) fn is_inherited(&self) -> bool {
        self.made.is_inherited()
    }

    /// The native object, or none after `destroy`.
    pub(crate) fn object(&self) -> Option<Arc<Object>> {
        lock(&self.object).clone()
    }

    /// Runs `call` with the handle and without the GIL.
    fn waiting(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&'static Functions, BmHandle) -> i32 + Send,
    ) -> PyResult<i32> {
        let functions = self.functions;
        let handle = self.handle().expose_provenance();
        interrupts::code(py, || call(functions, ptr::with_exposed_provenance_mut(handle)))
    }

    pub(crate) fn join(&self, py: Python<'_>, flags: u32) -> PyResult<i32> {
        // SAFETY: the library checks the handle.
        self.waiting(py, |f, handle| unsafe { (f.smem_bm_join)(handle, flags) })
    }

    pub(crate) fn leave(&self, py: Python<'_>, flags: u32) -> PyResult<i32> {
        // SAFETY: the library checks the handle.
        self.waiting(py, |f, handle| unsafe { (f.smem_bm_leave)(handle, flags) })
    }

    pub(crate) fn extend(&self, py: Python<'_>, kind: u32, bytes: u64) -> PyResult<i32> {
        // SAFETY: the library checks handle, kind and size.
        self.waiting(py, |f, handle| unsafe { (f.smem_bm_extend_local_mem)(handle, kind, bytes) })
    }

    /// As [`extend`](Self::extend), with a code of its own for a size that does not fit.
    pub(crate) fn extend_or_explain(&self, py: Python<'_>, kind: u32, bytes: u64) -> PyResult<i32> {
        // SAFETY: the library checks handle, kind and size.
        self.waiting(py, |f, handle| unsafe { (f.mfx_bm_extend)(handle, kind, bytes) })
    }

    pub(crate) fn register(&self, py: Python<'_>, address: u64, bytes: u64) -> PyResult<i32> {
        // SAFETY: the library checks the handle; registering reads and writes nothing at the address.
        self.waiting(py, |f, handle| unsafe { (f.smem_bm_register_user_mem)(handle, address, bytes) })
    }

    pub(crate) fn unregister(&self, py: Python<'_>, address: u64) -> PyResult<i32> {
        // SAFETY: the library checks handle and address.
        self.waiting(py, |f, handle| unsafe { (f.smem_bm_unregister_user_mem)(handle, address) })
    }

    /// Waits for every queued copy, then lets the buffers go that they used.
    pub(crate) fn wait(&self, py: Python<'_>) -> PyResult<i32> {
        let finished = std::mem::take(&mut *lock(&self.pending));
        // SAFETY: the library checks the handle.
        let code = self.waiting(py, |f, handle| unsafe { (f.smem_bm_wait)(handle) });
        if code.is_err() {
            // The wait was left, and the copies may still run.
            self.keep_until_wait(finished);
        }
        code
    }

    /// Keeps `pins` alive until the next wait.
    pub(crate) fn keep_until_wait(&self, pins: impl IntoIterator<Item = Pin>) {
        lock(&self.pending).extend(pins);
    }

    /// Destroys the native object.
    pub(crate) fn destroy(&self) {
        let object = lock(&self.object).take();
        self.handle.store(ptr::null_mut(), Ordering::Relaxed);
        drop(object);
        let finished = std::mem::take(&mut *lock(&self.pending));
        drop(finished);
    }

    pub(crate) fn local_bytes(&self, kind: u32) -> u64 {
        // SAFETY: the library checks handle and kind.
        unsafe { (self.functions.smem_bm_get_local_mem_size_by_mem_type)(self.handle(), kind) }
    }

    /// The address of a rank's segment, or 0.
    pub(crate) fn address(&self, kind: u32, rank: u16) -> usize {
        // SAFETY: the library checks handle, kind and rank.
        unsafe { (self.functions.smem_bm_ptr_by_mem_type)(self.handle(), kind, rank) }.addr()
    }

    pub(crate) fn rank_of(&self, gva: usize) -> u32 {
        // SAFETY: the library checks the handle and only compares the address.
        unsafe {
            (self.functions.smem_bm_get_rank_id_by_gva)(self.handle(), ptr::with_exposed_provenance_mut(gva))
        }
    }

    /// The local address of a pool address: code and address.
    pub(crate) fn local_address(&self, gva: usize, kind: u32) -> (i32, usize) {
        let mut va = ptr::null_mut();
        let gva = ptr::with_exposed_provenance_mut(gva);
        // SAFETY: the library checks handle, address and kind, and writes one pointer to `va`.
        let code = unsafe { (self.functions.smem_bm_gva_to_va)(self.handle(), gva, kind, &raw mut va) };
        (code, if code == 0 { va.expose_provenance() } else { 0 })
    }

    /// Maps the segment of a rank once more: code, address and length. None: the own.
    pub(crate) fn map(&self, kind: u32, rank: Option<u32>) -> (&'static Functions, i32, usize, u64) {
        let (mut address, mut bytes) = (ptr::null_mut(), 0u64);
        let (place, length) = (&raw mut address, &raw mut bytes);
        let code = match rank {
            // SAFETY: the library checks handle and kind, and writes an address and a length.
            None => unsafe { (self.functions.mfx_bm_map)(self.handle(), kind, place, length) },
            Some(rank) => {
                let map = self.functions.mfx_bm_map_member;
                // SAFETY: the library checks handle, kind and rank, and writes an address and a length.
                unsafe { map(self.handle(), rank, kind, place, length) }
            }
        };
        (self.functions, code, address.expose_provenance(), bytes)
    }

    /// Changes a word of the pool; gives its old value.
    pub(crate) fn atomic(&self, py: Python<'_>, word: Word, compare: u64) -> PyResult<(i32, u64)> {
        let mut old = 0;
        let code = self.waiting(py, |f, handle| {
            let address = ptr::with_exposed_provenance_mut(word.address);
            let Word { width, kind, value, .. } = word;
            // SAFETY: the library checks the rest; the result lives through the call.
            unsafe { (f.mfx_bm_atomic)(handle, address, width, kind, value, compare, &raw mut old) }
        });
        code.map(|code| (code, old))
    }

    /// Copies a piece to the pool, then changes a word behind it.
    pub(crate) fn put_signal(&self, py: Python<'_>, piece: Piece, signal: Word) -> PyResult<i32> {
        self.waiting(py, |f, handle| {
            let to = ptr::with_exposed_provenance_mut(piece.dst);
            let from = ptr::with_exposed_provenance(piece.src);
            let word = ptr::with_exposed_provenance_mut(signal.address);
            let Word { width, kind, value, .. } = signal;
            // SAFETY: the source is pinned through the call; the library checks the rest.
            unsafe { (f.mfx_bm_put_signal)(handle, to, from, piece.bytes as u64, word, width, kind, value) }
        })
    }

    /// Ranks that are in the pool now.
    pub(crate) fn members(&self, capacity: u32) -> (i32, Vec<u32>) {
        let mut ranks = vec![0u32; capacity as usize];
        let mut count = 0u32;
        // SAFETY: `ranks` has room for `capacity` numbers; the library checks the handle.
        let code = unsafe {
            (self.functions.mfx_bm_members)(self.handle(), ranks.as_mut_ptr(), capacity, &raw mut count)
        };
        ranks.truncate(count as usize);
        (code, ranks)
    }

    /// Counters of copies, and members of the pool, as JSON.
    pub(crate) fn stats_json(&self, py: Python<'_>) -> PyResult<String> {
        // SAFETY: the library checks the handle.
        let text = unsafe { (self.functions.mfx_bm_stats_json)(self.handle()) };
        failure::text(py, text)
    }

    /// Replaces the handler of joins and leaves.
    pub(crate) fn set_event_handler(&self, py: Python<'_>, handler: Option<Py<PyAny>>) -> PyResult<i32> {
        let Some(object) = self.object() else { return Ok(SMEM_INVALID_PARAM) };
        let number = handler.map_or(0, callbacks::add_handler);
        let callback = (number != 0).then_some(callbacks::group_event as GroupEventFn);
        let code = self.waiting(py, move |f, handle| {
            // SAFETY: the callback is a function of ours; the context is a number that it resolves.
            unsafe {
                (f.smem_bm_set_group_event_handler)(handle, callback, ptr::without_provenance_mut(number))
            }
        });
        let is_set = matches!(code, Ok(0));
        let unused = if is_set { object.event_handler.swap(number, Ordering::Relaxed) } else { number };
        callbacks::remove_handler(unused);
        code
    }

    /// Copies; the addresses are the caller's promise, as in the C interface.
    ///
    /// A few mapped bytes are copied with the GIL, since releasing it costs more. Any call that waits
    /// releases it: for another host, or for room in the queue, which a thread makes that may log, which may
    /// need the GIL.
    #[inline]
    pub(crate) fn copy(
        &self,
        py: Python<'_>,
        piece: Piece,
        kind: u32,
        flags: u32,
        stream: usize,
    ) -> PyResult<i32> {
        // The flag is for internal use: a Python caller gets the copy, or an error.
        let flags = flags & !MFX_BM_COPY_AT_ONCE;
        if piece.bytes < DETACH_FROM_BYTES {
            let at_once = flags | MFX_BM_COPY_AT_ONCE;
            let code = copy(self.functions, self.handle(), piece, kind, at_once, stream);
            if code != MFX_BM_NOT_AT_ONCE {
                return Ok(code);
            }
        }
        self.slow_path(py, piece, kind, flags, stream)
    }

    #[cold]
    #[inline(never)]
    fn slow_path(&self, py: Python<'_>, piece: Piece, kind: u32, flags: u32, stream: usize) -> PyResult<i32> {
        self.waiting(py, |functions, handle| copy(functions, handle, piece, kind, flags, stream))
    }

    /// Copies many pieces; the three lists have the same length.
    pub(crate) fn copy_batch(
        &self,
        py: Python<'_>,
        batch: Batch,
        kind: u32,
        flags: u32,
        stream: usize,
    ) -> PyResult<i32> {
        let Ok(batch_size) = u32::try_from(batch.bytes.len()) else { return Ok(SMEM_INVALID_PARAM) };
        self.waiting(py, move |f, handle| {
            let mut sources: Vec<*mut c_void> = pointers(&batch.src);
            let mut destinations: Vec<*mut c_void> = pointers(&batch.dst);
            let mut params = BatchCopyParams {
                sources: sources.as_mut_ptr(),
                destinations: destinations.as_mut_ptr(),
                data_sizes: batch.bytes.as_ptr(),
                batch_size,
                stream: ptr::with_exposed_provenance_mut(stream),
            };
            // SAFETY: the three arrays have `batch_size` elements and live through the call, after which the
            // library does not read them; the addresses in them are as in `copy`.
            unsafe { (f.smem_bm_copy_batch)(handle, &raw mut params, kind, flags) }
        })
    }

    /// Copies each of several ranges, independent of failures of the others. Returns the code of the call and
    /// of each range.
    pub(crate) fn copy_each(
        &self,
        py: Python<'_>,
        batch: Batch,
        kind: u32,
        flags: u32,
    ) -> PyResult<(i32, Vec<i32>)> {
        let Ok(batch_size) = u32::try_from(batch.bytes.len()) else {
            return Ok((SMEM_INVALID_PARAM, Vec::new()));
        };
        let mut codes = vec![0; batch.bytes.len()];
        let to = &mut codes;
        let code = self.waiting(py, move |f, handle| {
            let mut sources: Vec<*mut c_void> = pointers(&batch.src);
            let mut destinations: Vec<*mut c_void> = pointers(&batch.dst);
            let mut params = BatchCopyParams {
                sources: sources.as_mut_ptr(),
                destinations: destinations.as_mut_ptr(),
                data_sizes: batch.bytes.as_ptr(),
                batch_size,
                stream: ptr::null_mut(),
            };
            let mut result = BatchCopyResult { results: to.as_mut_ptr(), batch_size };
            let (params, result) = (&raw mut params, &raw mut result);
            // SAFETY: the arrays have `batch_size` elements and live through the call, after which the
            // library does not use them; the addresses in them are as in `copy`.
            unsafe { (f.smem_bm_copy_batch_partial_succeed)(handle, params, kind, flags, result) }
        })?;
        Ok((code, codes))
    }

    /// Copies rows.
    pub(crate) fn copy_rows(&self, py: Python<'_>, rows: Rows, kind: u32, flags: u32) -> PyResult<i32> {
        self.waiting(py, move |f, handle| {
            let Rows { src, spitch, dest, dpitch, width, height } = rows;
            let (src, dest) = (ptr::with_exposed_provenance(src), ptr::with_exposed_provenance_mut(dest));
            // SAFETY: the addresses are as in `copy`.
            unsafe { (f.smem_bm_copy_2d)(handle, src, spitch, dest, dpitch, width, height, kind, flags) }
        })
    }
}

#[inline]
fn copy(
    functions: &'static Functions,
    handle: BmHandle,
    piece: Piece,
    kind: u32,
    flags: u32,
    stream: usize,
) -> i32 {
    let mut params = CopyParams {
        src: ptr::with_exposed_provenance(piece.src),
        dest: ptr::with_exposed_provenance_mut(piece.dst),
        data_size: piece.bytes,
        stream: ptr::with_exposed_provenance_mut(stream),
    };
    // SAFETY: `params` lives through the call; handle and pool addresses are checked by the library, and
    // private addresses are the caller's to vouch for.
    unsafe { (functions.smem_bm_copy)(handle, &raw mut params, kind, flags) }
}

fn pointers(addresses: &[usize]) -> Vec<*mut c_void> {
    addresses.iter().map(|&address| ptr::with_exposed_provenance_mut(address)).collect()
}

/// One copy.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) src: usize,
    pub(crate) dst: usize,
    pub(crate) bytes: usize,
}

/// A word of the pool, and how it changes.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    pub(crate) address: usize,
    pub(crate) width: u32,
    pub(crate) kind: u32,
    pub(crate) value: u64,
}

/// Many copies.
pub(crate) struct Batch {
    src: Vec<usize>,
    dst: Vec<usize>,
    bytes: Vec<u64>,
}

impl Batch {
    /// The first `count` copies of three lists; none when a list is shorter than that.
    pub(crate) fn new(
        mut src: Vec<usize>,
        mut dst: Vec<usize>,
        mut bytes: Vec<u64>,
        count: usize,
    ) -> Option<Self> {
        if src.len() < count || dst.len() < count || bytes.len() < count {
            return None;
        }
        src.truncate(count);
        dst.truncate(count);
        bytes.truncate(count);
        Some(Self { src, dst, bytes })
    }
}

/// Rows of bytes, a pitch apart.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    src: usize,
    spitch: u64,
    dest: usize,
    dpitch: u64,
    width: u64,
    height: u64,
}

impl Rows {
    /// Parameters from the attributes of a Python object.
    pub(crate) fn of(params: &Bound<'_, PyAny>) -> PyResult<Self> {
        let address = |name: &str| number::address(&params.needed(name)?);
        let size = |name: &str| number::size(&params.needed(name)?);
        Ok(Self {
            src: address("src")?,
            spitch: size("spitch")?,
            dest: address("dest")?,
            dpitch: size("dpitch")?,
            width: size("width")?,
            height: size("height")?,
        })
    }
}
