// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collectives, checked.
//!
//! Every rank of a communicator issues the same collectives in the same order, each as a task of a stream;
//! buffers are device addresses, and counts are elements.

use std::ffi::{CStr, c_void};

use crate::acl::{Stream, call, handles, library};
use crate::loader::Library;
use crate::raw::hccl::HcclTable;
use crate::raw::types::*;
use crate::{AclError, Result};

library! {
    /// The functions of `libhccl.so`.
    Hccl of HcclTable
}

handles! {
    /// A communicator; a plain value, as the handles of [`crate::acl`].
    Comm(HcclComm);
}

/// Type of the elements of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[expect(missing_docs, reason = "the names say it")]
pub enum DataType {
    I8 = HCCL_DATA_TYPE_INT8,
    I16 = HCCL_DATA_TYPE_INT16,
    I32 = HCCL_DATA_TYPE_INT32,
    I64 = HCCL_DATA_TYPE_INT64,
    U8 = HCCL_DATA_TYPE_UINT8,
    U16 = HCCL_DATA_TYPE_UINT16,
    U32 = HCCL_DATA_TYPE_UINT32,
    U64 = HCCL_DATA_TYPE_UINT64,
    F16 = HCCL_DATA_TYPE_FP16,
    F32 = HCCL_DATA_TYPE_FP32,
    F64 = HCCL_DATA_TYPE_FP64,
    BF16 = HCCL_DATA_TYPE_BFP16,
}

/// Operator of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ReduceOp {
    Sum = HCCL_REDUCE_SUM,
    Product = HCCL_REDUCE_PROD,
    Max = HCCL_REDUCE_MAX,
    Min = HCCL_REDUCE_MIN,
}

impl Hccl {
    /// Turns the status of a raw function of [`table`](Self::table) into a result.
    ///
    /// # Errors
    /// `code` is not success.
    #[inline]
    pub fn check(&self, function: &'static str, code: i32) -> Result<()> {
        if code == HCCL_SUCCESS { Ok(()) } else { Err(self.failure(function, code)) }
    }

    #[cold]
    fn failure(&self, function: &'static str, code: i32) -> AclError {
        AclError::new(Library::Hccl, function, code, self.text_of(code).unwrap_or_default())
    }

    /// HCCL's text for a result; the function is optional.
    fn text_of(&self, code: i32) -> Option<String> {
        let function = self.table.HcclGetErrorString.as_ref().ok()?;
        // SAFETY: the function takes any number.
        let text = unsafe { function(code) };
        if text.is_null() {
            return None;
        }
        // SAFETY: HCCL gives a C string that lives as long as the library.
        Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }

    /// Makes the root info, on one rank, to be sent to all ranks. Needs a device.
    ///
    /// # Errors
    /// HCCL's.
    pub fn root_info(&self) -> Result<Box<HcclRootInfo>> {
        let mut info = Box::new(HcclRootInfo::default());
        call!(self, HcclGetRootInfo(&raw mut *info))?;
        Ok(info)
    }

    /// Forms a communicator. **Collective**: returns when all `ranks` came, or after `HCCL_CONNECT_TIMEOUT`
    /// seconds. Needs a device.
    ///
    /// # Errors
    /// [`TimedOut`](crate::Class::TimedOut) · HCCL's.
    pub fn init(&self, ranks: u32, info: &HcclRootInfo, rank: u32) -> Result<Comm> {
        let mut comm = std::ptr::null_mut();
        call!(self, HcclCommInitRootInfo(ranks, &raw const *info, rank, &raw mut comm))?;
        Ok(Comm::new(comm))
    }

    /// Gathers `count` elements of every rank, on every rank, in the order of ranks. **Collective.**
    ///
    /// # Errors
    /// HCCL's.
    ///
    /// # Safety
    /// `count` elements at `send` may be read, and as many times the number of ranks at `receive` be written,
    /// until the task is done.
    pub unsafe fn all_gather(
        &self,
        send: *mut c_void,
        receive: *mut c_void,
        count: u64,
        kind: DataType,
        comm: Comm,
        stream: Stream,
    ) -> Result<()> {
        call!(self, HcclAllGather(send, receive, count, kind as u32, comm.0, stream.as_raw()))
    }

    /// Combines `count` elements of all ranks, on every rank; `send` and `receive` may be the same.
    /// **Collective.**
    ///
    /// # Errors
    /// HCCL's.
    ///
    /// # Safety
    /// `count` elements at `send` may be read and at `receive` be written until the task is done.
    #[expect(clippy::too_many_arguments, reason = "they are those of the collective")]
    pub unsafe fn all_reduce(
        &self,
        send: *mut c_void,
        receive: *mut c_void,
        count: u64,
        kind: DataType,
        op: ReduceOp,
        comm: Comm,
        stream: Stream,
    ) -> Result<()> {
        call!(self, HcclAllReduce(send, receive, count, kind as u32, op as u32, comm.0, stream.as_raw()))
    }

    /// Copies `count` elements of the root to every rank. **Collective.**
    ///
    /// # Errors
    /// HCCL's.
    ///
    /// # Safety
    /// `count` elements at `buffer` may be read on the root, and be written elsewhere, until the task is
    /// done.
    pub unsafe fn broadcast(
        &self,
        buffer: *mut c_void,
        count: u64,
        kind: DataType,
        root: u32,
        comm: Comm,
        stream: Stream,
    ) -> Result<()> {
        call!(self, HcclBroadcast(buffer, count, kind as u32, root, comm.0, stream.as_raw()))
    }

    /// Lets a stream wait until the stream of every rank came here. **Collective.**
    ///
    /// # Errors
    /// HCCL's.
    pub fn barrier(&self, comm: Comm, stream: Stream) -> Result<()> {
        call!(self, HcclBarrier(comm.0, stream.as_raw()))
    }

    /// The failure of a collective that runs or ran.
    ///
    /// # Errors
    /// It, or that HCCL cannot be asked; the function is optional.
    pub fn async_error(&self, comm: Comm) -> Result<()> {
        let mut result = HCCL_SUCCESS;
        call!(self, HcclGetCommAsyncError(comm.0, &raw mut result))?;
        self.check("HcclGetCommAsyncError", result)
    }

    /// Ends a communicator and waits for nothing.
    ///
    /// # Errors
    /// HCCL's.
    ///
    /// # Safety
    /// The communicator is not used again, and no queued task does.
    pub unsafe fn destroy(&self, comm: Comm) -> Result<()> {
        call!(self, HcclCommDestroy(comm.0))
    }
}
