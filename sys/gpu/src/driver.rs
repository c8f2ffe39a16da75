// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The checked floor: one method an operation.
//!
//! Methods that take addresses of memory are `unsafe`, because drivers read, write and free there. The
//! caller has [selected](Driver::select) a device in the calling thread.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};

use mf_base::loader::{Report, Version};

use crate::operations::{HostFunction, NAMES, Operations, RawStream};
use crate::{Class, GpuError, Primary, Result, Vendor};

/// Length of a handle.
pub const IPC_HANDLE_BYTES: usize = 64;

/// The name of an allocation for other processes; passed by value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpcHandle(pub [u8; IPC_HANDLE_BYTES]);

/// Kinds of device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Any.
    Plain,
    /// Such that network devices reach it.
    Peerable,
}

/// What lies at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressKind {
    /// Nothing that the driver knows: memory of the program, or none.
    Unknown,
    /// Host memory that the driver has pinned.
    Pinned,
    /// Memory of the device of this number.
    Device(i32),
}

/// A stream; the default one unless made by [`Driver::stream_create`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(pub RawStream);

impl Stream {
    /// The default stream of the selected device.
    pub const DEFAULT: Stream = Stream(null_mut());
}

// SAFETY: a name; the code that uses it guarantees that the stream is valid then.
unsafe impl Send for Stream {}
// SAFETY: as for `Send`.
unsafe impl Sync for Stream {}

/// An opened driver.
#[derive(Debug)]
pub struct Driver {
    pub(crate) vendor: Vendor,
    pub(crate) operations: Operations,
    pub(crate) file: PathBuf,
    pub(crate) version: Option<Version>,
    pub(crate) simulator: Option<String>,
    pub(crate) missing: Vec<&'static str>,
    pub(crate) report: Report,
}

const MEMORY_TYPE: c_int = 2;
const DEVICE_ORDINAL: c_int = 9;
/// Host memory is pinned for all contexts, and mapped.
const PORTABLE_MAPPED: c_uint = 3;
/// A stream that does not wait for the default one.
const NON_BLOCKING: c_uint = 1;
/// Other devices reach imported memory.
const LAZY_PEER_ACCESS: c_uint = 1;

impl Driver {
    /// Whose it is.
    pub fn vendor(&self) -> Vendor {
        self.vendor
    }

    /// The file that the loader took.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The version of its interface, if it reports one.
    pub fn version(&self) -> Option<Version> {
        self.version
    }

    /// What the simulator reports of its version; none: the driver is real.
    pub fn simulator(&self) -> Option<&str> {
        self.simulator.as_deref()
    }

    /// The optional functions that it lacks.
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// Its functions.
    pub fn operations(&self) -> &Operations {
        &self.operations
    }

    /// Whether it has the functions by which processes share memory.
    pub fn can_share(&self) -> bool {
        let operations = &self.operations;
        let handles = operations.ipc_export.is_some() && operations.ipc_open.is_some();
        let words = operations.word_export.is_some() && operations.word_open.is_some();
        operations.range.is_some() && (handles || words)
    }

    /// What was tried to find it.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Initialises the driver; again is nothing.
    ///
    /// # Errors
    /// The driver's: no device, no kernel module.
    pub fn init(&self) -> Result<()> {
        // SAFETY: a plain number.
        self.check(&NAMES.init, unsafe { (self.operations.init)(0) })
    }

    /// Number of devices.
    ///
    /// # Errors
    /// The driver's.
    pub fn device_count(&self) -> Result<i32> {
        let mut count = 0;
        // SAFETY: writes one number.
        self.check(&NAMES.device_count, unsafe { (self.operations.device_count)(&raw mut count) })?;
        Ok(count)
    }

    /// The name of a device; none where the driver does not say it.
    pub fn device_name(&self, device: &Primary) -> Option<String> {
        let (narrow, wide) = (self.operations.device_name, self.operations.wide_device_name);
        text(|at, bytes| match (narrow, wide) {
            // SAFETY: writes at most so many bytes.
            (Some(name), _) => unsafe { name(at, bytes, device.device()) },
            // SAFETY: as above.
            (_, Some(name)) => unsafe { name(at, bytes.unsigned_abs(), device.wide()) },
            _ => 1,
        })
    }

    /// The address of a device on the PCI bus; none where the driver does not say it.
    pub fn bus(&self, device: &Primary) -> Option<String> {
        let (narrow, wide) = (self.operations.bus, self.operations.wide_bus);
        text(|at, bytes| match (narrow, wide) {
            // SAFETY: writes at most so many bytes.
            (Some(bus), _) => unsafe { bus(at, bytes, device.device()) },
            // SAFETY: as above.
            (_, Some(bus)) => unsafe { bus(at, bytes, device.wide()) },
            _ => 1,
        })
    }

    /// Free and total bytes of the selected device.
    ///
    /// # Errors
    /// The driver's.
    pub fn memory_info(&self) -> Result<(u64, u64)> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: writes two numbers.
        let status = unsafe { (self.operations.memory_info)(&raw mut free, &raw mut total) };
        self.check(&NAMES.memory_info, status)?;
        Ok((free as u64, total as u64))
    }

    /// Allocates memory of the selected device.
    ///
    /// # Errors
    /// The driver's: out of memory.
    pub fn allocate(&self, bytes: usize, memory: Memory) -> Result<u64> {
        let mut address = 0;
        let (names, allocate) = match (memory, self.operations.allocate_peerable) {
            (Memory::Peerable, Some(allocate)) => (&NAMES.allocate_peerable, allocate),
            _ => (&NAMES.allocate, self.operations.allocate),
        };
        // SAFETY: writes one number.
        self.check(names, unsafe { allocate(&raw mut address, bytes) })?;
        Ok(address)
    }

    /// Gives back what [`allocate`](Self::allocate) gave.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// Nobody uses the memory any more.
    pub unsafe fn free(&self, address: u64) -> Result<()> {
        // SAFETY: passed on to the caller.
        self.check(&NAMES.free, unsafe { (self.operations.free)(address) })
    }

    /// Allocates pinned host memory that every device reaches.
    ///
    /// # Errors
    /// The driver's: out of memory.
    pub fn allocate_host(&self, bytes: usize) -> Result<*mut c_void> {
        let mut address = null_mut();
        let at = &raw mut address;
        let (names, status) = match (self.operations.allocate_host, self.operations.plain_allocate_host) {
            // SAFETY: writes one pointer.
            (Some(allocate), _) => (&NAMES.allocate_host, unsafe { allocate(at, bytes, PORTABLE_MAPPED) }),
            // SAFETY: writes one pointer.
            (_, Some(allocate)) => (&NAMES.plain_allocate_host, unsafe { allocate(at, bytes) }),
            _ => return Err(self.lacks("pinned host memory")),
        };
        self.check(names, status)?;
        Ok(address)
    }

    /// Gives back what [`allocate_host`](Self::allocate_host) gave.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// Nobody uses the memory any more.
    pub unsafe fn free_host(&self, address: *mut c_void) -> Result<()> {
        // SAFETY: passed on to the caller.
        self.check(&NAMES.free_host, unsafe { (self.operations.free_host)(address) })
    }

    /// Pins memory of the program.
    ///
    /// # Errors
    /// The driver's: it is pinned already, or cannot be.
    ///
    /// # Safety
    /// The range stays mapped until [`unregister`](Self::unregister).
    pub unsafe fn register(&self, address: *mut c_void, bytes: usize) -> Result<()> {
        let register = self.operations.register.ok_or_else(|| self.lacks("pinning of host memory"))?;
        // SAFETY: passed on to the caller.
        self.check(&NAMES.register, unsafe { register(address, bytes, PORTABLE_MAPPED) })
    }

    /// Ends [`register`](Self::register).
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// No copy uses the range.
    pub unsafe fn unregister(&self, address: *mut c_void) -> Result<()> {
        let unregister = self.operations.unregister.ok_or_else(|| self.lacks("pinning of host memory"))?;
        // SAFETY: passed on to the caller.
        self.check(&NAMES.unregister, unsafe { unregister(address) })
    }

    /// Copies to the device. In place on return where the source is pageable; else see
    /// [`stream_wait`](Self::stream_wait) of the default stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The ranges are valid until the copy is done.
    pub unsafe fn to_device(&self, device: u64, host: *const c_void, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        self.check(&NAMES.to_device, unsafe { (self.operations.to_device)(device, host, bytes) })
    }

    /// Copies from the device.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device`](Self::to_device).
    pub unsafe fn to_host(&self, host: *mut c_void, device: u64, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        self.check(&NAMES.to_host, unsafe { (self.operations.to_host)(host, device, bytes) })
    }

    /// Copies between devices, or inside one. May return before it is done.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device`](Self::to_device).
    pub unsafe fn between(&self, to: u64, from: u64, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        self.check(&NAMES.between, unsafe { (self.operations.between)(to, from, bytes) })
    }

    /// As [`to_device`](Self::to_device), on a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device`](Self::to_device); the stream is alive.
    pub unsafe fn to_device_on(
        &self,
        stream: Stream,
        device: u64,
        host: *const c_void,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        let status = unsafe { (self.operations.to_device_on)(device, host, bytes, stream.0) };
        self.check(&NAMES.to_device_on, status)
    }

    /// As [`to_host`](Self::to_host), on a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device_on`](Self::to_device_on).
    pub unsafe fn to_host_on(
        &self,
        stream: Stream,
        host: *mut c_void,
        device: u64,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        let status = unsafe { (self.operations.to_host_on)(host, device, bytes, stream.0) };
        self.check(&NAMES.to_host_on, status)
    }

    /// As [`between`](Self::between), on a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// As [`to_device_on`](Self::to_device_on).
    pub unsafe fn between_on(&self, stream: Stream, to: u64, from: u64, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        let status = unsafe { (self.operations.between_on)(to, from, bytes, stream.0) };
        self.check(&NAMES.between_on, status)
    }

    /// A stream of the selected device that does not wait for the default one.
    ///
    /// # Errors
    /// The driver's.
    pub fn stream_create(&self) -> Result<Stream> {
        let flags = if self.vendor == Vendor::Cambricon { 0 } else { NON_BLOCKING };
        let mut stream = null_mut();
        // SAFETY: writes one pointer.
        let status = unsafe { (self.operations.stream_create)(&raw mut stream, flags) };
        self.check(&NAMES.stream_create, status)?;
        Ok(Stream(stream))
    }

    /// Ends a stream.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The stream is one of [`stream_create`](Self::stream_create) and is not used any more.
    pub unsafe fn stream_destroy(&self, stream: Stream) -> Result<()> {
        // SAFETY: passed on to the caller.
        self.check(&NAMES.stream_destroy, unsafe { (self.operations.stream_destroy)(stream.0) })
    }

    /// Waits until everything on the stream is done.
    ///
    /// # Errors
    /// The driver's, also those of what is on the stream.
    ///
    /// # Safety
    /// The stream is alive.
    pub unsafe fn stream_wait(&self, stream: Stream) -> Result<()> {
        // SAFETY: passed on to the caller.
        self.check(&NAMES.stream_wait, unsafe { (self.operations.stream_wait)(stream.0) })
    }

    /// Waits for everything on the selected device.
    ///
    /// # Errors
    /// The driver's, also those of what is on its streams.
    pub fn device_wait(&self) -> Result<()> {
        // SAFETY: takes nothing.
        self.check(&NAMES.device_wait, unsafe { (self.operations.device_wait)() })
    }

    /// Puts a function of the host on a stream.
    ///
    /// # Errors
    /// The driver's, or that it has no such function; the function is never called then.
    ///
    /// # Safety
    /// The stream is alive; the function may be called with the argument once, by any thread.
    pub unsafe fn host_function(
        &self,
        stream: Stream,
        function: HostFunction,
        argument: *mut c_void,
    ) -> Result<()> {
        let launch = self.operations.host_function.ok_or_else(|| self.lacks("functions on streams"))?;
        // SAFETY: passed on to the caller.
        self.check(&NAMES.host_function, unsafe { launch(stream.0, function, argument) })
    }

    /// What lies at an address. Cambricon's driver only knows whether it is an allocation; then it counts as
    /// one of `selected`, the device that the caller has selected.
    pub fn kind_of(&self, selected: &Primary, address: u64) -> AddressKind {
        let Some(attribute) = self.operations.attribute else {
            let known = self.range(address).is_ok();
            return if known { AddressKind::Device(selected.device()) } else { AddressKind::Unknown };
        };
        let (mut kind, mut device): (c_int, c_int) = (0, 0);
        // SAFETY: writes one number; the driver searches for the address.
        let status = unsafe { attribute((&raw mut kind).cast(), MEMORY_TYPE, address) };
        if status != 0 || !self.knows(kind) {
            return AddressKind::Unknown;
        }
        if !self.is_device(kind) {
            return AddressKind::Pinned;
        }
        // SAFETY: as above.
        let status = unsafe { attribute((&raw mut device).cast(), DEVICE_ORDINAL, address) };
        if status == 0 { AddressKind::Device(device) } else { AddressKind::Unknown }
    }

    /// HIP numbers kinds of memory anew from its version 6 on, and has one for what it does not know.
    fn hip_is_old(&self) -> bool {
        self.vendor == Vendor::Amd && self.version.is_some_and(|version| version.major < 6)
    }

    fn knows(&self, kind: c_int) -> bool {
        self.hip_is_old() || kind != 0
    }

    fn is_device(&self, kind: c_int) -> bool {
        kind == if self.hip_is_old() { 1 } else { 2 }
    }

    /// Base and length of the allocation around an address.
    ///
    /// # Errors
    /// The driver's: it does not know the address.
    pub fn range(&self, address: u64) -> Result<(u64, u64)> {
        let range = self.operations.range.ok_or_else(|| self.lacks("ranges of allocations"))?;
        let (mut base, mut bytes) = (0, 0);
        // SAFETY: writes two numbers; the driver searches for the address.
        self.check(&NAMES.range, unsafe { range(&raw mut base, &raw mut bytes, address) })?;
        Ok((base, bytes as u64))
    }

    /// Names the allocation that begins at an address for other processes.
    ///
    /// # Errors
    /// The driver's: it cannot be shared.
    pub fn ipc_export(&self, base: u64) -> Result<IpcHandle> {
        let mut handle = IpcHandle([0; IPC_HANDLE_BYTES]);
        if let Some(export) = self.operations.ipc_export {
            // SAFETY: writes one handle.
            self.check(&NAMES.ipc_export, unsafe { export(&raw mut handle, base) })?;
        } else {
            let export = self.operations.word_export.ok_or_else(|| self.lacks("sharing"))?;
            let mut word = 0;
            // SAFETY: writes one word.
            self.check(&NAMES.word_export, unsafe { export(&raw mut word, base) })?;
            handle.0[..8].copy_from_slice(&word.to_le_bytes());
        }
        Ok(handle)
    }

    /// Maps what another process has named, for the selected device.
    ///
    /// # Errors
    /// The driver's: the memory is gone, out of reach, or of this process.
    pub fn ipc_open(&self, handle: &IpcHandle) -> Result<u64> {
        let mut address = 0;
        if let Some(open) = self.operations.ipc_open {
            // SAFETY: writes one number; the driver checks the handle.
            let status = unsafe { open(&raw mut address, *handle, LAZY_PEER_ACCESS) };
            self.check(&NAMES.ipc_open, status)?;
        } else {
            let open = self.operations.word_open.ok_or_else(|| self.lacks("sharing"))?;
            let mut word = [0; 8];
            word.copy_from_slice(&handle.0[..8]);
            // SAFETY: as above.
            let status = unsafe { open(&raw mut address, u64::from_le_bytes(word), 0) };
            self.check(&NAMES.word_open, status)?;
        }
        Ok(address)
    }

    /// Ends [`ipc_open`](Self::ipc_open).
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// Nobody uses the memory any more.
    pub unsafe fn ipc_close(&self, address: u64) -> Result<()> {
        let (names, close) = match (self.operations.ipc_close, self.operations.word_close) {
            (Some(close), _) => (&NAMES.ipc_close, close),
            (_, Some(close)) => (&NAMES.word_close, close),
            _ => return Err(self.lacks("sharing")),
        };
        // SAFETY: passed on to the caller.
        self.check(names, unsafe { close(address) })
    }

    /// The result of a call of the function with these names.
    pub(crate) fn check(&self, names: &[&'static str; 4], status: c_int) -> Result<()> {
        if status == 0 { Ok(()) } else { Err(self.refused(names, status)) }
    }

    #[cold]
    pub(crate) fn refused(&self, names: &[&'static str; 4], code: c_int) -> GpuError {
        let mut name = null();
        let status = self.operations.error_name.map(|error_name| {
            // SAFETY: writes one pointer.
            unsafe { error_name(code, &raw mut name) }
        });
        let name = (status == Some(0) && !name.is_null()).then(|| {
            // SAFETY: the driver gave a C string that it never frees.
            unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
        });
        GpuError { vendor: self.vendor, function: names[self.vendor.index()], code, name }
    }

    /// The driver lacks what this needs.
    #[cold]
    fn lacks(&self, what: &'static str) -> GpuError {
        let code = self.vendor.code(Class::NotSupported);
        GpuError { vendor: self.vendor, function: what, code, name: Some("the driver lacks it".into()) }
    }
}

/// The text that a function writes.
fn text(write: impl FnOnce(*mut c_char, c_int) -> c_int) -> Option<String> {
    const BYTES: usize = 128;
    let mut bytes = [0_u8; BYTES];
    let status = write(bytes.as_mut_ptr().cast(), 127);
    if status != 0 {
        return None;
    }
    let text = CStr::from_bytes_until_nul(&bytes).ok()?.to_string_lossy().into_owned();
    (!text.is_empty()).then_some(text)
}
