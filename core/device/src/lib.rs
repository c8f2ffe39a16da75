// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Devices: sources of memory, its mapping into an address space, and the movers of its bytes.
//!
//! A process uses a set of devices ([`Devices`]): host memory, and any number of accelerators, also of
//! several vendors. A device has two halves:
//!
//! * [`Device`]: memory for this process alone ([`Device::allocate_buffer`]) and copies ([`Device::mover`]).
//!   Every accelerator has it, and it is enough for buffers of transfers.
//! * [`AddressWindows`]: physical memory mapped at chosen addresses, shared with other members. Devices that
//!   have it ([`Device::windows`]) serve pools.
//!
//! Each kind of memory of a pool is served by one device of the set ([`Devices::for_kind`]):
//!
//! * [`host`]: sealed memory files. Serves host memory always, and device memory on a machine without an
//!   accelerator, so that programs written for one run unchanged. The processor copies.
//! * an accelerator: serves device memory that the processor must never touch. Its [`Mover`] does every copy
//!   with an end in such memory, and [`Device::expose`] makes host memory of the pool reachable for it. The
//!   common part of all accelerators is `vmm`; [`ascend`] is the first of them. [`gpu`] has other vendors:
//!   all for buffers, and for pools the ones with drivers that map memory at chosen addresses.
//! * [`mod@choose`]: selection of the devices of a process.
//!
//! From memory to addresses: [`AddressWindows::allocate`] or, for the memory of another member,
//! [`Memory::share`] there and [`AddressWindows::adopt`] here; [`AddressWindows::reserve`] returns a
//! [`Window`]; [`Window::map`] puts a part of the memory into it.
//!
//! [`engine`] copies between addresses that are mapped in this process. It knows no device.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "memory of accelerators, calls into their drivers, copies of raw addresses")]

mod access;
pub mod ascend;
pub mod choose;
pub mod engine;
pub mod exceptions;
pub mod gpu;
pub mod host;
pub mod kernels;
mod mover;
mod set;
mod sharing;
mod vmm;

use std::any::Any;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use mf_base::{Error, Kind, MemKind, Result};
use serde::{Deserialize, Serialize};

pub use access::Access;
pub use choose::{Choice, Report, choose};
pub use mover::{Lane, Locality, Mover, RawStream, StreamEnd, Transfer, Word};
pub use set::{DeviceId, Devices};
pub use sharing::{Exported, Imported};

/// Identity of a member, which others need before they may share their memory with it. Opaque to the pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The family of the device; members of different families cannot share device memory.
    pub device: String,
    /// The process as the device's driver counts it.
    pub process: i32,
    /// The device's number in its fabric; 0 if there is no fabric.
    pub unit: u32,
}

/// One piece of a segment's memory, as it travels to another member.
#[derive(Debug)]
pub struct Share {
    /// Its length in bytes.
    pub bytes: u64,
    /// True if it can never shrink, no matter which process holds it.
    pub sealed: bool,
    /// The token that the receiver turns into memory.
    pub token: Token,
}

/// The means to map a piece of memory in another process.
#[derive(Debug)]
pub enum Token {
    /// A descriptor of the operating system.
    Descriptor(OwnedFd),
    /// A handle of the device's driver, at most [`HANDLE_BYTES_MAX`] bytes.
    Handle(Vec<u8>),
}

impl Token {
    /// The same once more, to be sent to another process.
    ///
    /// # Errors
    /// `NoResources` out of descriptors.
    pub fn duplicate(&self) -> Result<Self> {
        match self {
            Token::Descriptor(descriptor) => duplicate(descriptor.as_fd()).map(Token::Descriptor),
            Token::Handle(handle) => Ok(Token::Handle(handle.clone())),
        }
    }

    /// The handle of a driver.
    ///
    /// # Errors
    /// `InvalidParam` it is a descriptor.
    fn handle(&self) -> Result<&[u8]> {
        match self {
            Token::Handle(handle) => Ok(handle),
            Token::Descriptor(_) => Err(Error::invalid(
                "device memory",
                "a member sent a descriptor where the handle of a driver was expected",
            )),
        }
    }

    /// The descriptor.
    ///
    /// # Errors
    /// `InvalidParam` it is a handle.
    fn descriptor(&self) -> Result<BorrowedFd<'_>> {
        match self {
            Token::Descriptor(descriptor) => Ok(descriptor.as_fd()),
            Token::Handle(_) => Err(Error::invalid(
                "device memory",
                "a member sent the handle of a driver where a descriptor was expected",
            )),
        }
    }
}

fn duplicate(descriptor: BorrowedFd<'_>) -> Result<OwnedFd> {
    descriptor.try_clone_to_owned().map_err(|e| {
        Error::new(Kind::NoResources, "share memory").what("a descriptor could not be duplicated").source(e)
    })
}

/// Longest handle in bytes.
pub const HANDLE_BYTES_MAX: usize = 160;

/// Memory of one segment. Dropping it gives up this handle; existing mappings stay until their window unmaps
/// them.
pub trait Memory: Any + Send + Sync {
    /// Its size in bytes.
    fn bytes(&self) -> u64;

    /// Bytes of the pages it should be made of when the processor touches it in advance; 0: the processor
    /// never touches it.
    fn page_bytes(&self) -> u64;

    /// Returns the same memory, longer: its contents stay, the receiver stays valid. Dropping the result
    /// without using it undoes the growth as far as the device can.
    ///
    /// # Errors
    /// `OutOfMemory`, `NoResources` as when allocating.
    fn grown(&self, bytes: u64) -> Result<Box<dyn Memory>>;

    /// Returns the number of pieces that [`share`](Memory::share) returns.
    fn share_count(&self) -> usize {
        1
    }

    /// Returns the tokens that `peer` needs to map it, in order; authorises that peer.
    ///
    /// # Errors
    /// `NoResources` out of descriptors · `Failed` the driver refuses.
    fn share(&self, peer: &Identity) -> Result<Vec<Share>>;
}

/// Addresses reserved for one window of a pool. Dropping it unmaps everything and gives the addresses back;
/// they must not be accessed any more then.
pub trait Window: Send + Sync {
    /// The first address.
    fn base(&self) -> u64;

    /// The length in bytes.
    fn bytes(&self) -> u64;

    /// Maps `range` of `memory` at `offset` bytes into the window. The part is not mapped yet, and begins and
    /// ends where pieces of the memory do.
    ///
    /// # Errors
    /// `OutOfMemory` · `InvalidParam` outside the window or the memory, or memory of another device ·
    /// `Failed` memory of another member that the driver does not hand out, with its reason.
    ///
    /// # Safety
    /// Nobody accesses that part of the window while the call runs.
    unsafe fn map(&self, offset: u64, memory: &dyn Memory, range: Range<u64>) -> Result<()>;

    /// Unmaps all mappings between `offset` and `offset + bytes`; there may be none.
    ///
    /// # Errors
    /// `InvalidParam` outside the window.
    ///
    /// # Safety
    /// Nobody accesses that part of the window during the call or after it.
    unsafe fn unmap(&self, offset: u64, bytes: u64) -> Result<()>;

    /// Makes a mapped part be in core files, where it can be.
    ///
    /// # Errors
    /// `InvalidParam` outside the window.
    fn include_in_dumps(&self, offset: u64, bytes: u64) -> Result<()> {
        let _ = (offset, bytes);
        Ok(())
    }

    /// Takes the pages of a mapped part from one NUMA node as they are touched.
    ///
    /// # Errors
    /// `InvalidParam` for a node that the machine does not have, or outside the window.
    fn bind_to_node(&self, offset: u64, bytes: u64, node: u32) -> Result<()> {
        let _ = (offset, bytes, node);
        Ok(())
    }
}

/// Memory of a device that belongs to no pool: buffers of transfers, operands of kernels. Dropping it gives
/// it back.
pub trait Buffer: Send + Sync {
    /// The first address, a multiple of 64.
    fn address(&self) -> u64;

    /// The length in bytes.
    fn bytes(&self) -> u64;
}

/// A feature of a device, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability {
    /// Name of the capability.
    pub name: &'static str,
    /// True if the device has it.
    pub available: bool,
    /// Why, or why not.
    pub reason: String,
}

/// One device of a kind, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Its number.
    pub index: u32,
    /// Memory that is free, in bytes.
    pub free_bytes: u64,
    /// All its memory, in bytes.
    pub total_bytes: u64,
    /// Links to others, by number and name.
    pub links: Vec<(u32, &'static str)>,
}

/// A source of memory that this process uses, with its mover.
pub trait Device: Send + Sync {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// Describes it for people: chip, versions, and whether it is simulated.
    fn describe(&self) -> String {
        self.name().to_owned()
    }

    /// Returns its number among the devices of its kind in this process: opening the same one twice yields
    /// two of these.
    fn number(&self) -> u32 {
        0
    }

    /// Makes it the current device of the calling thread, if that has none. For programs that select no
    /// device themselves and call the device's runtime then.
    fn become_current(&self) {}

    /// All devices of its kind that this process sees, itself among them, for people.
    fn units(&self) -> Vec<Unit> {
        Vec::new()
    }

    /// Returns the identity of this process towards members that share its memory.
    ///
    /// # Errors
    /// `Failed` the driver does not report it.
    fn identity(&self) -> Result<Identity>;

    /// Returns its capabilities, present and missing.
    fn capabilities(&self) -> Vec<Capability> {
        Vec::new()
    }

    /// New memory of `bytes` (not 0), for this process alone and with any content.
    ///
    /// # Errors
    /// `OutOfMemory` · `Failed` the device makes memory for pools only.
    fn allocate_buffer(&self, bytes: u64) -> Result<Box<dyn Buffer>> {
        Err(Error::new(Kind::Failed, "device memory")
            .what("this device makes memory for pools only")
            .with("device", self.name())
            .with("bytes", bytes))
    }

    /// Returns the mover for memory that the processor must not touch; `None`: the processor copies.
    fn mover(&self) -> Option<&dyn Mover> {
        None
    }

    /// Returns the loader of kernels; `None`: the device runs no kernels.
    fn kernels(&self) -> Option<&dyn kernels::Kernels> {
        None
    }

    /// Makes host memory that has just become a part of a pool reachable for this device.
    ///
    /// # Errors
    /// Only when the device cannot copy from and to this memory at all; the memory does not become a part
    /// then.
    ///
    /// # Safety
    /// The range is mapped for reading and writing until [`conceal`](Device::conceal) was called with the
    /// same range.
    unsafe fn expose(&self, address: u64, bytes: u64) -> Result<()> {
        let _ = (address, bytes);
        Ok(())
    }

    /// Ends [`expose`](Device::expose) of exactly this range. No copy uses it any more.
    fn conceal(&self, address: u64, bytes: u64) {
        let _ = (address, bytes);
    }

    /// Returns its other half: memory at chosen addresses.
    ///
    /// # Errors
    /// `Failed` with the reason that it has none.
    fn windows(&self) -> Result<&dyn AddressWindows> {
        Err(Error::new(Kind::Failed, "device memory")
            .what("this device maps no memory at chosen addresses, so no pool can use it")
            .with("device", self.name()))
    }
}

/// Memory of the caller that becomes a part of new memory: a whole mapping of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenBlock {
    /// Its offset in the new memory.
    pub offset: u64,
    /// Its address; a multiple of the granule.
    pub address: u64,
    /// Its length; a multiple of the granule.
    pub bytes: u64,
    /// The handle by which other processes import it; `None`: the device makes one.
    pub fabric_handle: Option<FabricHandle>,
}

/// Handle of a block of device memory for processes of a super node.
pub type FabricHandle = [u8; 128];

/// Physical memory mapped at chosen addresses, and shared with other processes: a pool's view of a device.
pub trait AddressWindows: Send + Sync {
    /// Sizes of segments of this kind are multiples of this many bytes, and this a multiple of 2 MiB.
    fn granule_bytes(&self, kind: MemKind) -> u64;

    /// Returns the addresses at which windows of this kind may lie, best first. For an accelerator: for
    /// device memory the only possible ones, for host memory the ones that it can reach; empty: no
    /// preference.
    fn address_ranges(&self, kind: MemKind) -> &[Range<u64>];

    /// Returns addresses beside the pools', each of which can be reserved as one window for data that kernels
    /// look for at fixed places: first the present place, then the one of older kernels. Empty: the device
    /// runs no kernels.
    fn fixed_addresses(&self) -> &'static [Range<u64>] {
        &[]
    }

    /// Reserves `bytes` at exactly `base`, which is a multiple of 1 GiB where the window is an accelerator's.
    /// The window holds segments of `stride` bytes, each of one member only: an accelerator may have to
    /// reserve them one by one.
    ///
    /// # Errors
    /// `InUse` the range is taken in this process · `OutOfMemory` names the limit that forbids it ·
    /// `InvalidParam` the device cannot use this range at all.
    fn reserve(&self, kind: MemKind, base: u64, bytes: u64, stride: u64) -> Result<Box<dyn Window>>;

    /// New memory of `bytes` zeroes.
    ///
    /// # Errors
    /// `OutOfMemory`, `NoResources`, with the limit that was met.
    fn allocate(&self, kind: MemKind, bytes: u64) -> Result<Box<dyn Memory>>;

    /// As [`allocate`](Self::allocate), with blocks of the caller in it, which keep their contents.
    ///
    /// # Errors
    /// `InvalidParam` a block is not made of whole granules · `Failed` the device cannot use a block, or no
    /// memory of the caller at all.
    fn allocate_around(&self, kind: MemKind, bytes: u64, given: &[GivenBlock]) -> Result<Box<dyn Memory>> {
        match given {
            [] => self.allocate(kind, bytes),
            _ => Err(Error::new(Kind::Failed, "device memory")
                .what("this device takes no memory of the caller into a pool")),
        }
    }

    /// Adopts the memory of another member, as it shared it. Pieces may be imported only when they are
    /// mapped.
    ///
    /// # Errors
    /// `InvalidParam` if it is not as announced.
    fn adopt(&self, kind: MemKind, shares: Vec<Share>) -> Result<Box<dyn Memory>>;
}
