// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get of arrays, contiguous or with strides.
//!
//! Elements of any type are copied as bytes: `shmem_putmem` and its like, and with strides the functions of a
//! size.

use std::ffi::{c_int, c_void};

use pyo3::prelude::*;

use super::kind::Element;
use super::operand::{Operand, Pair, check_kinds, check_room, invalid};
use super::rows::{Row, find, frequent, sized};
use super::{Handle, pending};
use crate::shmem::function::made;

/// Copies up to so many bytes keep the GIL, where the memory of the PE is mapped.
const KEEPS_GIL: usize = 64 << 10;
/// SHMEM_CTX_DEFAULT.
pub(super) const DEFAULT_CONTEXT: usize = 1;

/// A context, as functions of C take it.
#[derive(Clone, Copy)]
pub(super) struct Context(pub(super) usize);

impl Context {
    #[inline]
    pub(super) fn of(given: Option<&Bound<'_, Handle>>) -> Self {
        Self(given.map_or(DEFAULT_CONTEXT, |handle| handle.get().number))
    }

    #[inline]
    pub(super) fn handle(self) -> *mut c_void {
        std::ptr::without_provenance_mut(self.0)
    }
}

/// The symmetric object of a call, at a PE.
#[derive(Clone, Copy)]
pub(super) struct RemoteObject {
    pub(super) address: usize,
    pub(super) bytes: usize,
    pub(super) pe: c_int,
    pub(super) context: Context,
}

impl RemoteObject {
    /// True if it is mapped here, so that an access to it is complete on return.
    #[inline]
    pub(super) fn is_mapped(self) -> PyResult<bool> {
        // On another context PEs have other numbers.
        if self.context.0 != DEFAULT_CONTEXT {
            return Ok(false);
        }
        let ptr = find::<_, ()>(frequent::ptr)?;
        // SAFETY: any address and any PE may be asked about.
        Ok(!unsafe { ptr(std::ptr::with_exposed_provenance(self.address), self.pe) }.is_null())
    }

    /// Makes a call that accesses it, which may wait where it is not mapped.
    #[inline]
    pub(super) fn access<R: Send>(self, py: Python<'_>, call: impl FnMut() -> R + Send) -> PyResult<R> {
        let keeps_gil = self.bytes <= KEEPS_GIL && self.is_mapped()?;
        made(py, false, keeps_gil, call)
    }

    /// As [`access`](Self::access), of which `used` is in use until the next quiet.
    #[inline]
    pub(super) fn start(
        self,
        py: Python<'_>,
        used: &Bound<'_, PyAny>,
        call: impl FnMut() + Send,
    ) -> PyResult<()> {
        let is_mapped = self.is_mapped()?;
        if !is_mapped {
            pending::keep(self.context.0, used);
        }
        made(py, false, is_mapped && self.bytes <= KEEPS_GIL, call)
    }
}

/// An address for C. A number, passed to a call without the GIL.
pub(super) fn pointer(address: usize) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(address)
}

/// Target and source of a call, as they were given.
struct Call<'a, 'py> {
    target: &'a Bound<'py, PyAny>,
    source: &'a Bound<'py, PyAny>,
    pe: c_int,
    context: Context,
}

impl Call<'_, '_> {
    /// Copies with this function where both sides are contiguous, else with strides. `is_put`: the target is
    /// symmetric, else the source; `is_nbi`: the local side is in use until a quiet.
    #[inline]
    fn make<R>(&self, whole: R, is_put: bool, is_nbi: bool, size: Option<usize>) -> PyResult<()>
    where
        R: Row<(), Of = Copying>,
    {
        let py = self.target.py();
        let (target, source) = (Operand::new("target", self.target)?, Operand::new("source", self.source)?);
        check_kinds(&target, &source)?;
        let pair = Pair::new(py, &target, &source, size)?;
        let place = self.place(&target, &source, is_put, &pair)?;
        let Pair { count, strides } = pair;
        if let Some([dst, sst]) = strides {
            return self.with_strides(place, (&target, &source), is_put, [dst, sst], count);
        }
        let copy = find::<R, ()>(whole)?;
        let (to, from, bytes) = (target.address, source.address, count * target.kind.bytes());
        let (context, pe) = (self.context, self.pe);
        let copies = move || {
            // SAFETY: both sides have so many bytes, which was checked; they belong to the arguments of the
            // call, or to objects kept until the quiet.
            unsafe { copy(context.handle(), pointer(to), pointer(from), bytes, pe) }
        };
        if is_nbi {
            place.start(py, if is_put { self.source } else { self.target }, copies)
        } else {
            place.access(py, copies)
        }
    }

    /// The symmetric side, checked; and that the local one may be written.
    #[inline]
    fn place(&self, target: &Operand, source: &Operand, is_put: bool, pair: &Pair) -> PyResult<RemoteObject> {
        if is_put {
            target.check_symmetric(self.target, pair.count, pair.target_stride())?;
        } else {
            source.check_symmetric(self.source, pair.count, pair.source_stride())?;
            target.check_writable(self.target.py())?;
        }
        Ok(RemoteObject {
            address: if is_put { target.address } else { source.address },
            bytes: pair.count * target.kind.bytes(),
            pe: self.pe,
            context: self.context,
        })
    }

    fn with_strides(
        &self,
        place: RemoteObject,
        (target, source): (&Operand, &Operand),
        is_put: bool,
        [dst, sst]: [isize; 2],
        count: usize,
    ) -> PyResult<()> {
        let (to, from, bytes) = (target.address, source.address, target.kind.bytes());
        let (context, pe) = (self.context, self.pe);
        // Elements without a function of their size are copied as two elements of the largest size.
        if bytes > 16 {
            let (copy, times) = (of_blocks(is_put)?, bytes / 16);
            let [dst, sst] = [dst, sst].map(|stride| stride * times.cast_signed());
            return place.access(self.target.py(), move || {
                // SAFETY: both sides have the elements at these distances, which was checked, and belong to
                // the arguments.
                unsafe { copy(context.handle(), pointer(to), pointer(from), dst, sst, times, count, pe) }
            });
        }
        let copy = match bytes {
            1 => strided::<[u8; 1]>(is_put)?,
            2 => strided::<[u8; 2]>(is_put)?,
            4 => strided::<[u8; 4]>(is_put)?,
            8 => strided::<[u8; 8]>(is_put)?,
            _ => strided::<[u8; 16]>(is_put)?,
        };
        place.access(self.target.py(), move || {
            // SAFETY: both sides have the elements at these distances, which was checked, and stay during the
            // call.
            unsafe { copy(context.handle(), pointer(to), pointer(from), dst, sst, count, pe) }
        })
    }

    /// The call with the caller's distances, multiplied by the arrays' own.
    fn make_with_strides(&self, is_put: bool, [tst, sst]: [isize; 2], size: Option<usize>) -> PyResult<()> {
        let py = self.target.py();
        if tst < 1 || sst < 1 {
            return Err(invalid(
                py,
                &format!("the strides {tst} and {sst} are not 1 at least; nothing was done"),
            ));
        }
        let (target, source) = (Operand::new("target", self.target)?, Operand::new("source", self.source)?);
        check_kinds(&target, &source)?;
        let count = size.unwrap_or_else(|| source.count.div_ceil(sst.unsigned_abs()));
        let stride = |operand: &Operand, step: isize| {
            let span = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(step.unsigned_abs()));
            let needed = span.and_then(|span| span.checked_add(usize::from(count > 0)));
            check_room(py, operand, needed.unwrap_or(usize::MAX))?;
            let own = operand.stride().ok_or_else(|| operand.not_contiguous(py))?;
            // Of one element or none it says nothing, and may be anything.
            Ok::<_, PyErr>(if count > 1 { own * step } else { 1 })
        };
        let strides = [stride(&target, tst)?, stride(&source, sst)?];
        let pair = Pair { count, strides: Some(strides) };
        let place = self.place(&target, &source, is_put, &pair)?;
        self.with_strides(place, (&target, &source), is_put, strides, count)
    }
}

type Copying = unsafe extern "C" fn(*mut c_void, *mut c_void, *const c_void, usize, c_int);
type Strided = unsafe extern "C" fn(*mut c_void, *mut c_void, *const c_void, isize, isize, usize, c_int);
type OfBlocks =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *const c_void, isize, isize, usize, usize, c_int);

fn strided<T: Element>(is_put: bool) -> PyResult<Strided> {
    if is_put { find::<_, T>(sized::ctx_iput) } else { find::<_, T>(sized::ctx_iget) }
}

fn of_blocks(is_put: bool) -> PyResult<OfBlocks> {
    if is_put { find::<_, [u8; 16]>(sized::ctx_ibput) } else { find::<_, [u8; 16]>(sized::ctx_ibget) }
}

macro_rules! copies {
    ($($(#[doc = $doc:literal])* $name:ident = $row:ident, $is_put:literal, $is_nbi:literal;)*) => { $(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = (target, source, pe, size=None, ctx=None))]
        pub(super) fn $name(
            target: &Bound<'_, PyAny>,
            source: &Bound<'_, PyAny>,
            pe: c_int,
            size: Option<usize>,
            ctx: Option<&Bound<'_, Handle>>,
        ) -> PyResult<()> {
            let context = Context::of(ctx);
            Call { target, source, pe, context }.make(frequent::$row, $is_put, $is_nbi, size)
        }
    )* };
}

copies! {
    /// Copies the elements of `source`, or the first `size`, to `target` of a PE. On return `source` may be
    /// changed.
    put = ctx_putmem, true, false;
    /// Copies the elements of `source` of a PE, or the first `size`, to `target`. On return they are there.
    get = ctx_getmem, false, false;
    /// As put; `source` may be changed, and the elements are there, when the context is quiet.
    put_nbi = ctx_putmem_nbi, true, true;
    /// As get; the elements are there when the context is quiet.
    get_nbi = ctx_getmem_nbi, false, true;
}

macro_rules! strides {
    ($($(#[doc = $doc:literal])* $name:ident = $is_put:literal;)*) => { $(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = (target, source, pe, tst=1, sst=1, size=None, ctx=None))]
        pub(super) fn $name(
            target: &Bound<'_, PyAny>,
            source: &Bound<'_, PyAny>,
            pe: c_int,
            tst: isize,
            sst: isize,
            size: Option<usize>,
            ctx: Option<&Bound<'_, Handle>>,
        ) -> PyResult<()> {
            let context = Context::of(ctx);
            Call { target, source, pe, context }.make_with_strides($is_put, [tst, sst], size)
        }
    )* };
}

strides! {
    /// Copies `size` elements of `source`, `sst` apart, to `target` of a PE, `tst` apart.
    iput = true;
    /// Copies `size` elements of `source` of a PE, `sst` apart, to `target`, `tst` apart.
    iget = false;
}
