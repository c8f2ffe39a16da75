// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attributes: the options of init, in objects of three sizes, which grew with the generations:
//!
//! | bytes | content | since |
//! |---|---|---|
//! | 0..104 | PE, number of PEs, address, heap; options: version, engines, timeouts, socket | first |
//! | 104..112 | communicator, or unique id | G1 |
//! | 112..120 | instance | v1.5 |
//!
//! The object does not contain its length, and the version field may hold any value. So objects are read by
//! the kernel, which reports the end of the memory, and at most up to the length of the called function's
//! generation. The field of the instance counts only if it is plausible.

use std::ffi::{c_char, c_int};
use std::ptr::with_exposed_provenance_mut;
use std::sync::Mutex;
use std::time::Duration;

use mf_base::os::guarded;
use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_job::Config;

use super::codes::bad_value;
use super::exports::{DataOpEngineType, InitAttr};
use super::instances;
use super::place::{Mode, variable};

/// Bytes of the objects, by generation.
pub(super) const OF_G0: usize = 104;
pub(super) const OF_G1: usize = 112;
pub(super) const OF_TODAY: usize = 120;
/// Offsets of the fields that are written here.
const HEAP_AT: usize = 72;
const ENGINE_AT: usize = 84;
const TIMEOUTS_AT: usize = 88;
const COMM_ARGS_AT: usize = 104;
const ADDRESS_AT: usize = 8;
const ADDRESS_BYTES: usize = 64;

/// Most PEs.
const MOST_PES: i32 = 16384;
/// Every engine.
const ENGINES: u32 = 15;
const DEFAULT_TIMEOUT: u32 = 120;

/// The contents of an object.
#[derive(Clone, Debug)]
pub(super) struct Attributes {
    pub(super) my_pe: i32,
    pub(super) n_pes: i32,
    address: Vec<u8>,
    pub(super) heap_bytes: u64,
    engines: u32,
    /// Seconds: init, create, control.
    timeouts: [u32; 3],
    pub(super) socket: i32,
    /// 0: none.
    pub(super) comm_args: usize,
    instance: u64,
}

impl Attributes {
    /// Reads an object, of which the caller's generation has `longest` bytes.
    ///
    /// # Errors
    /// `InvalidParam` it cannot be read.
    pub(super) fn read(op: &'static str, object: *const InitAttr, longest: usize) -> Result<Self> {
        let mut bytes = [0; OF_TODAY];
        let lengths = [OF_TODAY, OF_G1, OF_G0].into_iter().filter(|length| *length <= longest);
        let found = lengths.into_iter().find(|length| {
            bytes = [0; OF_TODAY];
            copy_readable(object.cast(), bytes.get_mut(..*length).unwrap_or_default())
        });
        if found.is_none() {
            return Err(Error::invalid(op, "the attributes cannot be read")
                .with("address", format!("{object:p}"))
                .with("bytes", OF_G0));
        }
        Ok(Self::of_bytes(&bytes))
    }

    fn of_bytes(bytes: &[u8; OF_TODAY]) -> Self {
        let word = |at: usize| {
            let part = bytes.get(at..at + 4).and_then(|part| part.try_into().ok());
            u32::from_ne_bytes(part.unwrap_or_default())
        };
        let long = |at: usize| {
            let part = bytes.get(at..at + 8).and_then(|part| part.try_into().ok());
            u64::from_ne_bytes(part.unwrap_or_default())
        };
        let address = bytes.get(ADDRESS_AT..ADDRESS_AT + ADDRESS_BYTES).unwrap_or_default();
        Self {
            my_pe: word(0).cast_signed(),
            n_pes: word(4).cast_signed(),
            address: address.to_vec(),
            heap_bytes: long(HEAP_AT),
            engines: word(ENGINE_AT),
            timeouts: [word(TIMEOUTS_AT), word(TIMEOUTS_AT + 4), word(TIMEOUTS_AT + 8)],
            socket: word(100).cast_signed(),
            comm_args: usize::try_from(long(COMM_ARGS_AT)).unwrap_or(0),
            instance: long(OF_G1),
        }
    }

    /// Returns the attributes of the library's own init, with defaults for the rest.
    pub(super) fn of_own(my_pe: i32, n_pes: i32, heap_bytes: u64) -> Self {
        Self {
            my_pe,
            n_pes,
            address: vec![0; ADDRESS_BYTES],
            heap_bytes,
            engines: 1,
            timeouts: [DEFAULT_TIMEOUT; 3],
            socket: 0,
            comm_args: 0,
            instance: 0,
        }
    }

    /// The text of the address.
    ///
    /// # Errors
    /// `InvalidParam` it is not NUL-terminated within its array, or not UTF-8.
    pub(super) fn address(&self, op: &'static str) -> Result<&str> {
        let end = self.address.iter().position(|byte| *byte == 0);
        let text = end.and_then(|end| self.address.get(..end)).and_then(|text| str::from_utf8(text).ok());
        text.ok_or_else(|| Error::invalid(op, "ip_port is no text that ends inside of its 64 bytes"))
    }

    pub(super) fn set_address(&mut self, text: &str) {
        self.address = text.as_bytes().to_vec();
        self.address.push(0);
    }

    /// Returns the instance. Its field counts if it is 0, or a possible instance where several are possible;
    /// otherwise the object ends before the field.
    pub(super) fn instance(&self, mode: Option<Mode>) -> u64 {
        let has_ports = variable("SHMEM_INSTANCE_PORT_RANGE").is_some();
        let is_possible = has_ports || matches!(mode, Some(Mode::UniqueId | Mode::Mpi));
        if self.instance == 0 || self.instance <= instances::MOST && is_possible {
            return self.instance;
        }
        tracing::debug!(
            behind = self.instance,
            "the attributes are taken to end before the instance: without SHMEM_INSTANCE_PORT_RANGE there is one"
        );
        0
    }

    /// Refuses impossible values, in the order of the interface.
    ///
    /// # Errors
    /// `InvalidParam`, with the code of the interface.
    pub(super) fn check(&self, op: &'static str) -> Result<()> {
        let of_pes = |error: Error| error.with("my_pe", self.my_pe).with("n_pes", self.n_pes);
        if self.my_pe < 0 || self.n_pes <= 0 || self.n_pes > MOST_PES {
            let what = "the number of this PE, or of PEs, is out of range";
            return Err(of_pes(bad_value(op, what)).hint(format!("PEs count from 0, at most {MOST_PES}")));
        }
        if self.my_pe >= self.n_pes {
            return Err(of_pes(Error::invalid(op, "there are not so many PEs")));
        }
        check_heap(op, self.heap_bytes)?;
        if self.timeouts[0] == 0 || self.timeouts[2] == 0 {
            return Err(bad_value(op, "a timeout is 0")
                .with("shm_init_timeout", self.timeouts[0])
                .with("control_operation_timeout", self.timeouts[2])
                .hint("1 second or more"));
        }
        if self.engines == 0 || self.engines > ENGINES {
            return Err(bad_value(op, "there is no such engine")
                .with("data_op_engine_type", format!("{:#x}", self.engines))
                .hint("bits: MTE 1, SDMA 2, ROCE 4, UDMA 8"));
        }
        Ok(())
    }

    /// With the timeouts.
    pub(super) fn timed(&self, config: Config) -> Config {
        let [init, create, control] = self.timeouts.map(|seconds| Duration::from_secs(seconds.max(1).into()));
        let create = if self.timeouts[1] == 0 { init } else { create };
        config.init_timeout(init).create_timeout(create).control_timeout(control)
    }
}

/// Copies all bytes, or says that not all of them can be read.
pub(super) fn copy_readable(from: *const u8, into: &mut [u8]) -> bool {
    guarded::read(from.expose_provenance(), into) == into.len()
}

fn check_heap(op: &'static str, bytes: u64) -> Result<()> {
    let limit = settings()?.symmetric_limit;
    if bytes == 0 || bytes > limit.0 {
        return Err(bad_value(op, "the size of the heap is out of range")
            .with("local_mem_size", bytes)
            .with("limit", limit)
            .hint("more than 0; MF_SHMEM_LIMIT sets another limit"));
    }
    Ok(())
}

/// Refuses values above a limit, before all values are known.
///
/// # Errors
/// `InvalidParam`, with the code of the interface.
pub(super) fn check_limits(op: &'static str, my_pe: i32, n_pes: i32, heap_bytes: u64) -> Result<()> {
    let limit = settings()?.symmetric_limit;
    if my_pe > MOST_PES || n_pes > MOST_PES || heap_bytes > limit.0 {
        return Err(bad_value(op, "the number of this PE, that of PEs or the heap is over its limit")
            .with("my_pe", my_pe)
            .with("n_pes", n_pes)
            .with("local_mem_size", heap_bytes)
            .hint(format!("{MOST_PES} PEs, heaps of {limit}")));
    }
    Ok(())
}

/// Writes parts of an object, each at its place.
///
/// # Safety
/// The object has these bytes.
unsafe fn write(object: *mut InitAttr, parts: &[(usize, &[u8])]) {
    for (at, bytes) in parts {
        let to = object.cast::<u8>().wrapping_add(*at);
        // SAFETY: the caller vouches for the bytes, which do not overlap the arguments.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }
}

/// Writes the values that a unique id sets.
///
/// # Safety
/// `object` is one of G1 or later.
pub(super) unsafe fn fill(object: *mut InitAttr, my_pe: i32, n_pes: i32, heap_bytes: u64, id: *const u8) {
    let (my_pe, n_pes) = (my_pe.to_ne_bytes(), n_pes.to_ne_bytes());
    let (heap, id) = (heap_bytes.to_ne_bytes(), id.expose_provenance().to_ne_bytes());
    // SAFETY: the caller vouches for an object with these fields.
    unsafe { write(object, &[(0, &my_pe), (4, &n_pes), (HEAP_AT, &heap), (COMM_ARGS_AT, &id)]) };
}

/// Writes the text of an address, at most 63 bytes of it.
///
/// # Safety
/// `object` is one of any generation.
pub(super) unsafe fn write_address(object: *mut InitAttr, text: &str) {
    let mut bytes = [0; ADDRESS_BYTES];
    for (to, from) in bytes.iter_mut().zip(text.bytes().take(ADDRESS_BYTES - 1)) {
        *to = from;
    }
    // SAFETY: the caller vouches for an object with these fields.
    unsafe { write(object, &[(ADDRESS_AT, &bytes)]) };
}

/// The object that `shmem_set_attr` hands out; 0: none yet. It is never freed.
static OWN: Mutex<usize> = Mutex::new(0);

/// The library's object with these contents, as first-generation programs get it. It has room for any
/// generation's fields.
///
/// # Errors
/// As [`check_limits`], and `InvalidParam` the address is empty or too long.
pub(super) fn own_object(
    op: &'static str,
    my_pe: i32,
    n_pes: i32,
    heap_bytes: u64,
    address: Option<&str>,
) -> Result<*mut InitAttr> {
    check_limits(op, my_pe, n_pes, heap_bytes)?;
    if address.is_some_and(|text| text.is_empty() || text.len() >= ADDRESS_BYTES) {
        return Err(bad_value(op, "ip_port is empty, or has more than 63 characters"));
    }
    let mut own = lock(&OWN);
    if *own == 0 {
        *own = Box::leak(Box::new([0u64; OF_TODAY / 8])).as_mut_ptr().expose_provenance();
    }
    let object = with_exposed_provenance_mut(*own);
    let version = (1u32 << 16) + 104;
    let mut options = Vec::new();
    for word in [version, 1, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, 0] {
        options.extend_from_slice(&word.to_ne_bytes());
    }
    // SAFETY: the object has 120 bytes, and is never freed.
    unsafe { write(object, &[(HEAP_AT + 8, &options), (OF_G1, &[0; 8])]) };
    // SAFETY: the object has 120 bytes, and is never freed.
    unsafe { write_address(object, address.unwrap_or_default()) };
    // SAFETY: the object has 120 bytes, and is never freed.
    unsafe { fill(object, my_pe, n_pes, heap_bytes, std::ptr::null()) };
    Ok(object)
}

pub(crate) unsafe fn shmem_set_attr(
    op: &'static str,
    my_rank: c_int,
    n_ranks: c_int,
    local_mem_size: u64,
    ip_port: *const c_char,
    attributes: *mut *mut InitAttr,
) -> Result<c_int> {
    let attributes = crate::boundary::present(op, "attributes", attributes)?;
    let address = match ip_port.is_null() {
        true => None,
        // SAFETY: the caller passes a C string.
        false => Some(unsafe { crate::boundary::text(op, "ip_port", ip_port) }?),
    };
    let object = own_object(op, my_rank, n_ranks, local_mem_size, address)?;
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { attributes.write(object) };
    Ok(0)
}

pub(crate) unsafe fn shmem_set_data_op_engine_type(
    op: &'static str,
    attributes: *mut InitAttr,
    value: DataOpEngineType,
) -> Result<c_int> {
    let attributes = crate::boundary::present(op, "attributes", attributes)?;
    // SAFETY: not null; the caller passes an object of its generation.
    unsafe { write(attributes, &[(ENGINE_AT, &value.to_ne_bytes())]) };
    Ok(0)
}

pub(crate) unsafe fn shmem_set_timeout(
    op: &'static str,
    attributes: *mut InitAttr,
    value: u32,
) -> Result<c_int> {
    let attributes = crate::boundary::present(op, "attributes", attributes)?;
    let value = value.to_ne_bytes();
    let parts = [0, 4, 8].map(|at| (TIMEOUTS_AT + at, &value[..]));
    // SAFETY: not null; the caller passes an object of its generation.
    unsafe { write(attributes, &parts) };
    Ok(0)
}
