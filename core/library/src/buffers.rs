// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffers of two processes by address and port, and their control channel (`mfx_hmc.h`).

use std::ffi::{CStr, c_void};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::Duration;

use mf_abi::smem::{HmcBufferHandle, HmcBufferInfo, HmcCommHandle};
use mf_base::Result;

use crate::call::{call, value};
use crate::library::{Library, library};

/// Memory of one kind and device, which is allocated and copied.
#[derive(Clone, Copy)]
pub struct Memory {
    library: &'static Library,
    device: i32,
    kind: i32,
}

impl Memory {
    /// Memory of a kind (`MFX_HMC_*`) on a device.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_memory_check`.
    pub fn open(device: i32, kind: i32) -> Result<Self> {
        let library = library()?;
        let mut resolved = 0;
        call!(library, mfx_hmc_memory_check(device, kind, &raw mut resolved))?;
        Ok(Self { library, device, kind: resolved })
    }

    /// Its kind, which is never `MFX_HMC_DEFAULT`.
    pub fn kind(&self) -> i32 {
        self.kind
    }

    /// Allocates so many bytes.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_memory_allocate`.
    pub fn allocate(&self, bytes: u64) -> Result<*mut u8> {
        let mut address = std::ptr::null_mut();
        let place = &raw mut address;
        call!(self.library, mfx_hmc_memory_allocate(self.device, self.kind, bytes, 0, place))?;
        Ok(address.cast())
    }

    /// Frees what [`allocate`](Self::allocate) gave.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_memory_free`.
    pub fn free(&self, address: *mut u8) -> Result<()> {
        call!(self.library, mfx_hmc_memory_free(self.device, self.kind, address.cast::<c_void>()))
    }

    /// Copies in a direction (`MFX_HMC_TO_DEVICE` and its like).
    ///
    /// # Errors
    /// Errors of `mfx_hmc_memory_copy`.
    ///
    /// # Safety
    /// Both ends have so many bytes and do not overlap, and nothing else uses them meanwhile.
    pub unsafe fn copy(&self, to: *mut u8, from: *const u8, bytes: u64, direction: u32) -> Result<()> {
        let (to, from) = (to.cast::<c_void>(), from.cast::<c_void>());
        call!(self.library, mfx_hmc_memory_copy(self.device, self.kind, to, from, bytes, direction))
    }
}

/// A buffer. Dropping it gives the buffer up.
pub struct Buffer {
    library: &'static Library,
    handle: HmcBufferHandle,
    info: HmcBufferInfo,
}

impl Buffer {
    /// Creates a buffer of so many bytes.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_buffer_create`.
    pub fn create(device: i32, kind: i32, bytes: u64) -> Result<Self> {
        let (library, mut handle) = (library()?, std::ptr::null_mut());
        call!(library, mfx_hmc_buffer_create(device, kind, bytes, &raw mut handle))?;
        let mut info = MaybeUninit::<HmcBufferInfo>::uninit();
        call!(library, mfx_hmc_buffer_info(handle, info.as_mut_ptr()))?;
        // SAFETY: filled by the call before, which did not fail.
        Ok(Self { library, handle, info: unsafe { info.assume_init() } })
    }

    /// Its memory.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_memory_check`.
    pub fn memory(&self) -> Result<Memory> {
        Memory::open(self.info.device, self.info.resolved)
    }

    /// The kind of its memory, which is never `MFX_HMC_DEFAULT`.
    pub fn memory_kind(&self) -> i32 {
        self.info.resolved
    }

    /// Its length.
    pub fn bytes(&self) -> u64 {
        self.info.bytes
    }

    /// The address of its first byte.
    pub fn base(&self) -> *mut u8 {
        self.info.address.cast()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        value!(self.library, mfx_hmc_buffer_destroy(self.handle));
    }
}

/// A communicator over a buffer. Dropping it ends its connections.
pub struct Communicator<'b> {
    library: &'static Library,
    handle: HmcCommHandle,
    _buffer: &'b Buffer,
}

/// A peer: its address, its port, and the kind of the connection (`MFX_HMC_RDMA`, `MFX_HMC_UCX`).
#[derive(Clone, Copy)]
pub struct At {
    /// Its address in numbers.
    pub ip: &'static CStr,
    /// The dialled port; 0 for a peer that dialled.
    pub port: u16,
    /// The kind of the connection.
    pub conn: i32,
}

/// Ranges of a put or get.
#[derive(Clone, Copy)]
pub struct Ranges {
    /// Offset in the own buffer.
    pub local: u64,
    /// Offset in the peer's.
    pub remote: u64,
    /// Their length.
    pub bytes: u64,
}

impl<'b> Communicator<'b> {
    /// Creates a communicator with one channel.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_comm_create`.
    pub fn create(buffer: &'b Buffer) -> Result<Self> {
        let (library, mut handle) = (buffer.library, std::ptr::null_mut());
        call!(library, mfx_hmc_comm_create(buffer.handle, 1, &raw mut handle))?;
        Ok(Self { library, handle, _buffer: buffer })
    }

    /// Lets others connect.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_comm_listen`.
    pub fn listen(&self, at: At) -> Result<()> {
        call!(self.library, mfx_hmc_comm_listen(self.handle, at.ip.as_ptr(), at.port, at.conn))
    }

    /// Connects to a listener.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_comm_connect`.
    pub fn connect(&self, at: At) -> Result<()> {
        call!(self.library, mfx_hmc_comm_connect(self.handle, at.ip.as_ptr(), at.port, at.conn))
    }

    /// Returns true if there is a connection.
    pub fn is_connected(&self, at: At) -> bool {
        value!(self.library, mfx_hmc_comm_check(self.handle, at.ip.as_ptr(), at.port, at.conn)) == 0
    }

    /// Copies to the peer's buffer, or from it.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_put` and `mfx_hmc_get`.
    #[inline]
    pub fn copy(&self, at: At, ranges: Ranges, is_put: bool) -> Result<()> {
        let (ip, Ranges { local, remote, bytes }) = (black_box(at.ip.as_ptr()), ranges);
        if is_put {
            call!(self.library, mfx_hmc_put(self.handle, ip, at.port, local, remote, bytes, at.conn))
        } else {
            call!(self.library, mfx_hmc_get(self.handle, ip, at.port, local, remote, bytes, at.conn))
        }
    }

    /// Starts a put; returns its id.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_put_nb`.
    pub fn start_put(&self, at: At, ranges: Ranges) -> Result<u64> {
        let (ip, Ranges { local, remote, bytes }) = (at.ip.as_ptr(), ranges);
        let mut id = 0;
        let place = &raw mut id;
        call!(self.library, mfx_hmc_put_nb(self.handle, ip, at.port, local, remote, bytes, at.conn, place))?;
        Ok(id)
    }

    /// Waits for a started put.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_wait`.
    pub fn wait(&self, id: u64) -> Result<()> {
        call!(self.library, mfx_hmc_wait(self.handle, id))
    }

    /// Sends data of a kind of memory as a stream.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_send_data`.
    ///
    /// # Safety
    /// The data has so many bytes of this kind.
    pub unsafe fn send_data(&self, at: At, data: *const u8, bytes: u64, kind: i32) -> Result<()> {
        let (ip, data) = (at.ip.as_ptr(), data.cast::<c_void>());
        call!(self.library, mfx_hmc_send_data(self.handle, ip, at.port, data, bytes, kind, at.conn))
    }

    /// Receives a stream into memory of a kind.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_recv_data`.
    ///
    /// # Safety
    /// The memory has so many bytes of this kind, and nothing else uses them meanwhile.
    pub unsafe fn recv_data(&self, at: At, data: *mut u8, bytes: u64, kind: i32) -> Result<()> {
        let (ip, data, none) = (at.ip.as_ptr(), data.cast::<c_void>(), std::ptr::null_mut());
        call!(self.library, mfx_hmc_recv_data(self.handle, ip, at.port, data, bytes, kind, at.conn, none))
    }
}

impl Drop for Communicator<'_> {
    fn drop(&mut self) {
        value!(self.library, mfx_hmc_comm_destroy(self.handle));
    }
}

/// The control channel of this process. Dropping it stops listening and ends all connections.
pub struct Control {
    library: &'static Library,
}

impl Control {
    /// The channel, without listener and connections.
    ///
    /// # Errors
    /// `Failed` there is no library.
    pub fn open() -> Result<Self> {
        Ok(Self { library: library()? })
    }

    /// Listens at a port and at a socket file.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_ctrl_start`.
    pub fn listen(&self, ip: &CStr, port: u16, path: &CStr) -> Result<()> {
        call!(self.library, mfx_hmc_ctrl_start(ip.as_ptr(), port, path.as_ptr()))
    }

    /// Connects to rank `peer` as rank `own`.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_ctrl_connect_tcp`.
    pub fn connect_tcp(&self, peer: u32, ip: &CStr, port: u16, own: u32) -> Result<()> {
        call!(self.library, mfx_hmc_ctrl_connect_tcp(peer, ip.as_ptr(), port, own))
    }

    /// The same at a socket file.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_ctrl_connect_uds`.
    pub fn connect_unix(&self, peer: u32, path: &CStr, own: u32) -> Result<()> {
        call!(self.library, mfx_hmc_ctrl_connect_uds(peer, path.as_ptr(), own))
    }

    /// Returns true if there is a connection to the peer.
    pub fn has(&self, peer: u32) -> bool {
        value!(self.library, mfx_hmc_ctrl_has(peer)) == 1
    }

    /// Sends an integer.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_ctrl_send`.
    pub fn send(&self, peer: u32, number: u64) -> Result<()> {
        let payload = (&raw const number).cast::<c_void>();
        call!(self.library, mfx_hmc_ctrl_send(peer, INTEGER, 0, payload, 8))
    }

    /// Receives an integer.
    ///
    /// # Errors
    /// Errors of `mfx_hmc_ctrl_recv_into`.
    pub fn receive(&self, peer: u32, timeout: Duration) -> Result<u64> {
        let mut number = 0u64;
        let place = (&raw mut number).cast::<c_void>();
        let timeout = i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX);
        call!(self.library, mfx_hmc_ctrl_recv_into(peer, timeout, INTEGER, place, 8))?;
        Ok(number)
    }
}

/// The type of messages with an integer.
const INTEGER: u16 = 1;

impl Drop for Control {
    fn drop(&mut self) {
        value!(self.library, mfx_hmc_ctrl_stop());
        value!(self.library, mfx_hmc_ctrl_close_all());
    }
}
