// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN as this device uses it: its errors as ours, and the few calls that need more than their arguments.
//!
//! All calls act on the context of the calling thread; the caller sees to that
//! ([`super::runtime::Runtime::run`]).

use std::ffi::c_void;
use std::sync::Arc;

use ascend_acl_sys::acl::{Batch, BatchError, CopyKind, Location, Stream};
use ascend_acl_sys::raw::types as abi;
use ascend_acl_sys::{Acl, AclError, Class, Hal, Libraries, LoadError};
use mf_base::{Error, Gva, Kind, Result, Retry};

use crate::{Locality, Transfer};

const OP: &str = "ascend device";

/// The loaded libraries.
#[derive(Clone)]
pub(super) struct Cann(Arc<Libraries>);

impl Cann {
    pub(super) fn new(libraries: &Arc<Libraries>) -> Self {
        Self(Arc::clone(libraries))
    }

    pub(super) fn libraries(&self) -> &Libraries {
        &self.0
    }

    #[inline]
    pub(super) fn acl(&self) -> &Acl {
        self.0.acl()
    }

    pub(super) fn hal(&self) -> Result<&Hal, &LoadError> {
        self.0.hal()
    }

    /// Returns true if ACL exports this function.
    pub(super) fn has(&self, function: &str) -> bool {
        self.acl().origin().has(function)
    }

    /// Returns the simulator's self-description; `None` on hardware.
    pub(super) fn simulator(&self) -> Option<&str> {
        self.acl().origin().simulator()
    }

    /// Lets this thread, which is one of ours, wait for the device while the program captures a stream.
    pub(super) fn relax_this_thread(&self) {
        let Ok(exchange) = self.libraries().optional().aclmdlRICaptureThreadExchangeMode() else { return };
        let mut mode = abi::ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
        // SAFETY: the mode is a local variable.
        let code = unsafe { exchange(&raw mut mode) };
        if code != abi::ACL_SUCCESS {
            tracing::debug!(code, "a thread of ours is held by captures of the program");
        }
    }

    /// Copies synchronously.
    ///
    /// # Safety
    /// The ends are as the transfer describes, readable and writable.
    #[inline]
    pub(super) unsafe fn copy(&self, transfer: &Transfer) -> Result<()> {
        let bytes = length(transfer.piece.bytes);
        let (dst, src) = (transfer.piece.dst.cast(), transfer.piece.src.cast());
        // SAFETY: the caller vouches for both ends, which are as the transfer describes.
        unsafe { self.acl().memcpy(dst, bytes, src, bytes, kind_of(transfer)) }.or_refused()
    }

    /// Puts a copy with an end in device memory on a stream.
    ///
    /// # Safety
    /// As [`copy`](Self::copy), until the stream has done it.
    pub(super) unsafe fn copy_on(&self, stream: Stream, transfer: &Transfer) -> Result<()> {
        let bytes = length(transfer.piece.bytes);
        let (dst, src) = (transfer.piece.dst.cast(), transfer.piece.src.cast());
        // SAFETY: the caller vouches for both ends until the stream has done it.
        unsafe { self.acl().memcpy_async(dst, bytes, src, bytes, kind_of(transfer), stream) }.or_refused()
    }

    /// Does the first transfers, at most [`BATCH`], in one call; all go in one direction between host memory
    /// and `device`.
    ///
    /// # Safety
    /// As [`copy`](Self::copy), for each; destinations do not overlap.
    pub(super) unsafe fn copy_batch(
        &self,
        device: u32,
        direction: Direction,
        transfers: &[Transfer],
    ) -> Result<(), BatchError> {
        let mut lists = Lists::from_transfers(transfers);
        let count = transfers.len().min(BATCH);
        let (src, dst) = match direction {
            Direction::ToDevice => (Location::Host, Location::Device(device)),
            Direction::ToHost => (Location::Device(device), Location::Host),
        };
        let mut attributes =
            [abi::aclrtMemcpyBatchAttr { dstLoc: dst.into(), srcLoc: src.into(), rsv: Default::default() }];
        let mut batch = Batch {
            dsts: &mut lists.dsts[..count],
            capacities: &mut lists.capacities[..count],
            srcs: &mut lists.srcs[..count],
            bytes: &mut lists.bytes[..count],
            attributes: &mut attributes,
            attribute_starts: &mut [0],
        };
        // SAFETY: the caller vouches for the ends of each transfer, and that destinations do not overlap.
        unsafe { self.acl().memcpy_batch(&mut batch) }
    }
}

/// The most copies of one call.
pub(super) const BATCH: usize = 128;

/// The copies of one call as CANN wants them; on the stack, because the copy path does not allocate.
struct Lists {
    dsts: [*mut c_void; BATCH],
    srcs: [*mut c_void; BATCH],
    bytes: [usize; BATCH],
    /// Room at each destination, which the call takes as a second list.
    capacities: [usize; BATCH],
}

impl Lists {
    fn from_transfers(transfers: &[Transfer]) -> Self {
        let none = std::ptr::null_mut();
        let mut lists =
            Self { dsts: [none; BATCH], srcs: [none; BATCH], bytes: [0; BATCH], capacities: [0; BATCH] };
        for (i, Transfer { piece, .. }) in transfers.iter().take(BATCH).enumerate() {
            lists.dsts[i] = piece.dst.cast();
            lists.srcs[i] = piece.src.cast_mut().cast();
            lists.bytes[i] = length(piece.bytes);
            lists.capacities[i] = lists.bytes[i];
        }
        lists
    }
}

/// The direction of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From host memory to the device.
    ToDevice,
    /// From the device to host memory.
    ToHost,
}

impl Direction {
    /// Returns the direction of all transfers, if batches support it.
    pub(super) fn common(transfers: &[Transfer]) -> Option<Self> {
        let direction = |transfer: &Transfer| match (transfer.from, transfer.to) {
            (Locality::Host, Locality::Device) => Some(Direction::ToDevice),
            (Locality::Device, Locality::Host) => Some(Direction::ToHost),
            _ => None,
        };
        let first = direction(transfers.first()?)?;
        transfers.iter().all(|transfer| direction(transfer) == Some(first)).then_some(first)
    }
}

/// Makes CANN's refusals errors of ours.
pub(crate) trait OrRefused<T> {
    /// The answer, or the refusal with function, code, name and CANN's own text.
    fn or_refused(self) -> Result<T>;
}

impl<T> OrRefused<T> for ascend_acl_sys::Result<T> {
    #[inline]
    fn or_refused(self) -> Result<T> {
        self.map_err(refused)
    }
}

/// CANN's refusal as an error of ours.
#[cold]
#[expect(clippy::needless_pass_by_value, reason = "the error becomes ours")]
pub(super) fn refused(error: AclError) -> Error {
    let mut ours = Error::new(kind(error.class()), OP)
        .what(format!("CANN refused a call: {}", error.class().text()))
        .with("function", error.function());
    if let Some(code) = error.code() {
        ours = ours.with("code", code);
    }
    if let Some(name) = error.name() {
        ours = ours.with("name", name);
    }
    if !error.text().is_empty() {
        ours = ours.with("text", error.text().split_whitespace().collect::<Vec<_>>().join(" "));
    }
    match error.class() {
        Class::PeerFault => ours.retry(Retry::Later),
        Class::Aborted | Class::Busy => ours.retry(Retry::Later),
        Class::NoContext | Class::NotInitialized => {
            ours.hint("was the device reset, or ACL finalised, while a pool was in use?")
        }
        Class::NotSupported | Class::MissingFunction => ours.hint("mf info lists what this device can do"),
        _ => ours,
    }
}

/// Maps a class of refusals to a kind of error for the caller of a pool. Wrong arguments are the device's own
/// fault, not the caller's.
fn kind(class: Class) -> Kind {
    match class {
        Class::OutOfMemory => Kind::OutOfMemory,
        Class::OutOfResources => Kind::NoResources,
        Class::TimedOut => Kind::Timeout,
        Class::NoDevice => Kind::NotExist,
        Class::PeerFault => Kind::NotConnected,
        _ => Kind::Failed,
    }
}

#[inline]
fn kind_of(transfer: &Transfer) -> CopyKind {
    match (transfer.from, transfer.to) {
        (Locality::Host, Locality::Host) => CopyKind::HostToHost,
        (Locality::Host, Locality::Device) => CopyKind::HostToDevice,
        (Locality::Device, Locality::Host) => CopyKind::DeviceToHost,
        (Locality::Device, Locality::Device) => CopyKind::DeviceToDevice,
    }
}

/// An address as CANN takes it; the processor never follows it.
#[inline]
pub(super) fn pointer(address: u64) -> *mut c_void {
    Gva(address).as_ptr().cast()
}

#[inline]
pub(super) fn length(bytes: u64) -> usize {
    const { assert!(size_of::<usize>() == size_of::<u64>(), "address spaces of 64 bits only") };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the line above refuses machines where it could truncate"
    )]
    let bytes = bytes as usize;
    bytes
}
