// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies: at once, as tasks of streams, in two dimensions, and many in one call.

use std::ffi::c_void;
use std::fmt;

use super::{Acl, Stream, call};
use crate::loader::Library;
use crate::raw::types::*;
use crate::{AclError, Class, Result};

/// The direction of a copy. CANN takes it as advice and inspects the addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CopyKind {
    /// Between host memory.
    HostToHost = ACL_MEMCPY_HOST_TO_HOST,
    /// From host memory to a device.
    HostToDevice = ACL_MEMCPY_HOST_TO_DEVICE,
    /// From a device to host memory.
    DeviceToHost = ACL_MEMCPY_DEVICE_TO_HOST,
    /// Between devices, or within one.
    DeviceToDevice = ACL_MEMCPY_DEVICE_TO_DEVICE,
    /// CANN finds out.
    Default = ACL_MEMCPY_DEFAULT,
}

/// Many copies in one call. The first four have one entry a copy; `attributes[i]` says the places of the
/// copies from `attribute_starts[i]` on. Mutable because C has it so; CANN changes nothing.
#[derive(Debug)]
pub struct Batch<'a> {
    /// Destination of each copy.
    pub dsts: &'a mut [*mut c_void],
    /// Room at each destination.
    pub capacities: &'a mut [usize],
    /// Source of each copy.
    pub srcs: &'a mut [*mut c_void],
    /// Bytes of each.
    pub bytes: &'a mut [usize],
    /// Places of a run of copies.
    pub attributes: &'a mut [aclrtMemcpyBatchAttr],
    /// The first copy of each run; the first of all is 0.
    pub attribute_starts: &'a mut [usize],
}

/// A failed batch, and which of its copies was at fault.
#[derive(Debug)]
pub struct BatchError {
    /// The failure.
    pub error: AclError,
    /// The copy that CANN blames; nothing was copied then. `None` when it blames none.
    pub index: Option<usize>,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        self.index.map_or(Ok(()), |index| write!(f, " (copy {index} of the batch)"))
    }
}

impl std::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl Acl {
    /// Copies `bytes` from `src` to the `capacity` bytes at `dst`. Waits for no stream.
    ///
    /// # Errors
    /// [`InvalidArgument`](Class::InvalidArgument) when `bytes` exceeds `capacity` · ACL's.
    ///
    /// # Safety
    /// `bytes` at `src` may be read and at `dst` be written, and no other use of either
    /// conflicts.
    #[inline]
    pub unsafe fn memcpy(
        &self,
        dst: *mut c_void,
        capacity: usize,
        src: *const c_void,
        bytes: usize,
        kind: CopyKind,
    ) -> Result<()> {
        call!(self, aclrtMemcpy(dst, capacity, src, bytes, kind as u32))
    }

    /// Copies as a task of a stream. From and to pinned host memory the call returns at once.
    ///
    /// # Errors
    /// As [`memcpy`](Self::memcpy); failures of the task show when the stream is waited for.
    ///
    /// # Safety
    /// As [`memcpy`](Self::memcpy), until the task is done.
    #[inline]
    pub unsafe fn memcpy_async(
        &self,
        dst: *mut c_void,
        capacity: usize,
        src: *const c_void,
        bytes: usize,
        kind: CopyKind,
        stream: Stream,
    ) -> Result<()> {
        call!(self, aclrtMemcpyAsync(dst, capacity, src, bytes, kind as u32, stream.as_raw()))
    }

    /// Copies a batch, in any order.
    ///
    /// # Errors
    /// Which copy is at fault, when CANN says it.
    ///
    /// # Safety
    /// As [`memcpy`](Self::memcpy), for every copy; destinations do not overlap.
    pub unsafe fn memcpy_batch(&self, batch: &mut Batch<'_>) -> Result<(), BatchError> {
        let (count, runs) = batch.lengths("aclrtMemcpyBatch")?;
        let mut index = usize::MAX;
        let done = call!(
            self,
            aclrtMemcpyBatch(
                batch.dsts.as_mut_ptr(),
                batch.capacities.as_mut_ptr(),
                batch.srcs.as_mut_ptr(),
                batch.bytes.as_mut_ptr(),
                count,
                batch.attributes.as_mut_ptr(),
                batch.attribute_starts.as_mut_ptr(),
                runs,
                &raw mut index
            )
        );
        done.map_err(|error| BatchError::new(error, index))
    }
}

impl Batch<'_> {
    /// The number of copies and of runs, when the lists agree.
    fn lengths(&self, function: &'static str) -> Result<(usize, usize), BatchError> {
        let (count, runs) = (self.dsts.len(), self.attributes.len());
        let copies = [self.capacities.len(), self.srcs.len(), self.bytes.len()];
        if copies == [count; 3] && self.attribute_starts.len() == runs {
            return Ok((count, runs));
        }
        let text = format!(
            "the lists differ in length: {count} destinations, {} capacities, {} sources, {} sizes; {runs} attributes, {} \
             starts",
            copies[0],
            copies[1],
            copies[2],
            self.attribute_starts.len()
        );
        let error = AclError::refused(Library::Acl, function, Class::InvalidArgument, text);
        Err(BatchError { error, index: None })
    }
}

impl BatchError {
    fn new(error: AclError, index: usize) -> Self {
        Self { error, index: (index != usize::MAX).then_some(index) }
    }
}
