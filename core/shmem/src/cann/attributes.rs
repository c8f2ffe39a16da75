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

use std::time::Duration;

use mf_base::os::guarded;
use mf_base::settings::settings;
use mf_base::{Error, Result};
use mf_job::Config;

use super::codes::bad_value;
use super::environment::{Mode, variable};

/// Bytes of objects of the first generation.
pub const OF_G0: usize = 104;
/// Bytes of objects of G1.
pub const OF_G1: usize = 112;
/// Bytes of objects of today.
pub const OF_TODAY: usize = 120;
/// Offset of the size of the heap.
pub const HEAP_AT: usize = 72;
/// Offset of the engines.
pub const ENGINE_AT: usize = 84;
/// Offset of the timeouts.
pub const TIMEOUTS_AT: usize = 88;
/// Offset of the communicator or unique id.
pub const COMM_ARGS_AT: usize = 104;
/// Offset of the address.
pub const ADDRESS_AT: usize = 8;
/// Room for the address.
pub const ADDRESS_BYTES: usize = 64;

/// Highest number of an instance; they count from 0.
const MOST_INSTANCE: u64 = 254;
/// Most PEs.
const MOST_PES: i32 = 16384;
/// Every engine.
const ENGINES: u32 = 15;
/// Default of each timeout in seconds.
pub const DEFAULT_TIMEOUT: u32 = 120;

/// The contents of an object.
#[derive(Clone, Debug)]
pub struct Attributes {
    /// Number of this PE.
    pub my_pe: i32,
    /// Number of PEs.
    pub n_pes: i32,
    address: Vec<u8>,
    /// Size of the heap.
    pub heap_bytes: u64,
    engines: u32,
    /// Seconds: init, create, control.
    timeouts: [u32; 3],
    /// Bound socket for the store, or 0.
    pub socket: i32,
    /// Address of a communicator or unique id, or 0.
    pub comm_args: usize,
    instance: u64,
}

impl Attributes {
    /// Reads an object, of which the caller's generation has `longest` bytes.
    ///
    /// # Errors
    /// `InvalidParam` it cannot be read.
    pub fn read(op: &'static str, object: usize, longest: usize) -> Result<Self> {
        let mut bytes = [0; OF_TODAY];
        let lengths = [OF_TODAY, OF_G1, OF_G0].into_iter().filter(|length| *length <= longest);
        let found = lengths.into_iter().find(|length| {
            bytes = [0; OF_TODAY];
            copy_readable(object, bytes.get_mut(..*length).unwrap_or_default())
        });
        if found.is_none() {
            return Err(Error::invalid(op, "the attributes cannot be read")
                .with("address", format!("{object:#x}"))
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
    pub fn of_own(my_pe: i32, n_pes: i32, heap_bytes: u64) -> Self {
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
    pub fn address(&self, op: &'static str) -> Result<&str> {
        let end = self.address.iter().position(|byte| *byte == 0);
        let text = end.and_then(|end| self.address.get(..end)).and_then(|text| str::from_utf8(text).ok());
        text.ok_or_else(|| Error::invalid(op, "ip_port is not NUL-terminated within 64 bytes"))
    }

    /// Sets the text of the address.
    pub fn set_address(&mut self, text: &str) {
        self.address = text.as_bytes().to_vec();
        self.address.push(0);
    }

    /// Returns the instance. Its field counts if a range of ports is given, if it is 0, or if it is at most
    /// 254 in a mode without ports; otherwise the object ends before the field.
    pub fn instance(&self, mode: Option<Mode>) -> u64 {
        let has_ports = variable("SHMEM_INSTANCE_PORT_RANGE").is_some();
        let is_possible = matches!(mode, Some(Mode::UniqueId | Mode::Mpi));
        if has_ports || self.instance == 0 || self.instance <= MOST_INSTANCE && is_possible {
            return self.instance;
        }
        tracing::debug!(
            behind = self.instance,
            "the attributes are taken to end before the instance: without SHMEM_INSTANCE_PORT_RANGE there is one"
        );
        0
    }

    /// Returns the engines that kernels use, as bits.
    pub fn engines(&self) -> u32 {
        self.engines
    }

    /// Refuses impossible values, in the order of the interface.
    ///
    /// # Errors
    /// `InvalidParam`, with the code of the interface.
    pub fn check(&self, op: &'static str) -> Result<()> {
        let of_pes = |error: Error| error.with("my_pe", self.my_pe).with("n_pes", self.n_pes);
        if self.my_pe < 0 || self.n_pes <= 0 || self.n_pes > MOST_PES {
            let what = "the number of this PE, or of PEs, is out of range";
            return Err(of_pes(bad_value(op, what)).hint(format!("PEs count from 0, at most {MOST_PES}")));
        }
        if self.my_pe >= self.n_pes {
            return Err(of_pes(Error::invalid(op, "my_pe is not below n_pes")));
        }
        check_instance(op, self.instance)?;
        check_heap(op, self.heap_bytes)?;
        if self.timeouts[0] == 0 || self.timeouts[2] == 0 {
            return Err(bad_value(op, "a timeout is 0")
                .with("shm_init_timeout", self.timeouts[0])
                .with("control_operation_timeout", self.timeouts[2])
                .hint("1 second or more"));
        }
        if self.engines == 0 || self.engines > ENGINES {
            return Err(bad_value(op, "unknown engine")
                .with("data_op_engine_type", format!("{:#x}", self.engines))
                .hint("bits: MTE 1, SDMA 2, ROCE 4, UDMA 8"));
        }
        Ok(())
    }

    /// With the timeouts.
    pub fn timed(&self, config: Config) -> Config {
        let [init, create, control] = self.timeouts.map(|seconds| Duration::from_secs(seconds.max(1).into()));
        let create = if self.timeouts[1] == 0 { init } else { create };
        config.init_timeout(init).create_timeout(create).control_timeout(control)
    }
}

/// Copies bytes of this process from an address. Returns false if not all can be read.
pub fn copy_readable(from: usize, into: &mut [u8]) -> bool {
    guarded::read(from, into) == into.len()
}

/// Refuses an instance above the highest, if the field is known to be one.
fn check_instance(op: &'static str, instance: u64) -> Result<()> {
    if instance > MOST_INSTANCE && variable("SHMEM_INSTANCE_PORT_RANGE").is_some() {
        return Err(bad_value(op, "the instance is out of range")
            .with("instance_id", instance)
            .hint(format!("0 to {MOST_INSTANCE}")));
    }
    Ok(())
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
pub fn check_limits(op: &'static str, my_pe: i32, n_pes: i32, heap_bytes: u64) -> Result<()> {
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
