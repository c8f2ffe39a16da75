// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host cost of enqueueing copies of CANN SHMEM on a stream, beside CANN's own copies between the same
//! addresses, on the same stream.

use std::ffi::{c_char, c_int, c_void};
use std::time::Instant;

use ascend_acl_sys::acl::{CopyKind, Stream};
use ascend_acl_sys::{Acl, AclError, Libraries, Search};
use mf_base::{Error, Kind, Result};
use mf_library::library;
use mf_measure::members::{print_value, wait_for_end, wait_for_line};
use mf_measure::turns::{Candidate, Pair, Plan, monotonic_seconds};
use mf_program::output::note;
use mf_program::ports::local_store_url;

use super::super::length;
use super::OPERATION;
use super::member::{Case, Line};

/// The first argument of init: PEs meet at the launcher's address. This one is alone.
const BY_ADDRESS: usize = 1;
/// Copies per turn: fits a stream without waiting.
const CALLS: u32 = 256;

mf_base::functions! {
    /// The measured functions of CANN SHMEM, with their arguments.
    struct Functions {
        required {
            aclshmemx_set_conf_store_tls: fn(bool, *const c_char, u32) -> i32;
            aclshmemx_init_attr: fn(usize, *mut Attributes) -> c_int;
            aclshmem_finalize: fn() -> c_int;
            aclshmem_malloc: fn(usize) -> *mut c_void;
            aclshmemx_putmem_on_stream: fn(*mut c_void, *mut c_void, usize, i32, *mut c_void);
            aclshmemx_getmem_on_stream: fn(*mut c_void, *mut c_void, usize, i32, *mut c_void);
        }
    }
}

/// `aclshmemx_init_attr_t`.
#[repr(C)]
struct Attributes {
    my_pe: c_int,
    n_pes: c_int,
    ip_port: [u8; 64],
    local_mem_size: u64,
    version: c_int,
    engine: c_int,
    timeouts: [u32; 3],
    socket: i32,
    comm_args: usize,
    instance_id: u64,
}

/// Enqueueing calls: the stream is synchronised outside the measured time.
struct Enqueued<'a, F> {
    acl: &'a Acl,
    stream: Stream,
    call: F,
}

impl<F: FnMut() -> Result<()>> Candidate<()> for Enqueued<'_, F> {
    fn run(&mut self, (): &mut (), calls: u32) -> Result<f64> {
        let start = Instant::now();
        for _ in 0..calls {
            (self.call)()?;
        }
        let took = start.elapsed().as_secs_f64();
        self.acl
            .synchronize_stream(self.stream, None)
            .map_err(|error| refused("aclrtSynchronizeStream", &error))?;
        Ok(took)
    }
}

/// In the member: measures these sizes.
pub(super) fn main(sizes: &[u64], quick: bool) -> Result<()> {
    let libraries = Libraries::open(&Search::from_environment()).map_err(|error| {
        Error::new(Kind::NotExist, OPERATION)
            .what("there is no CANN here")
            .source(error)
            .hint("on a machine without an NPU: mf sim -- mf perf shmem --on-stream")
    })?;
    let acl = libraries.acl();
    if let Some(version) = acl.origin().simulator() {
        note(&format!("{OPERATION}: simulated ({version}); the ratios mean something, the times do not"));
    }
    acl.set_device(0).map_err(|error| refused("aclrtSetDevice", &error))?;
    let resolved = Functions::resolve(library()?.loaded());
    let c = resolved.map_err(|error| Error::new(Kind::Failed, OPERATION).source(error))?;
    wait_for_line();
    let begin = monotonic_seconds();
    let largest = length(sizes.iter().copied().max().unwrap_or(8))?;
    c.begin(largest)?;
    print_value(&Line::Begun(begin, monotonic_seconds()))?;
    let block = || {
        // SAFETY: CANN SHMEM has begun.
        let block = unsafe { (c.aclshmem_malloc)(largest) };
        if block.is_null() { Err(super::failed("the symmetric heap is full")) } else { Ok(block) }
    };
    let (from, to) = (block()?, block()?);
    let stream = acl.create_stream().map_err(|error| refused("aclrtCreateStream", &error))?;
    let plan = Plan { turns: if quick { 101 } else { 401 }, calls: CALLS };
    for bytes in sizes.iter().copied() {
        let size = length(bytes)?;
        let plain = || {
            // SAFETY: two blocks of so many bytes, which live until the end.
            unsafe { acl.memcpy_async(to, size, from.cast_const(), size, CopyKind::DeviceToDevice, stream) }
                .map_err(|error| refused("aclrtMemcpyAsync", &error))
        };
        let calls = [
            ("put on stream", c.aclshmemx_putmem_on_stream),
            ("get on stream", c.aclshmemx_getmem_on_stream),
        ];
        for (operation, function) in calls {
            let own = || {
                // SAFETY: as above; the PE is this one.
                unsafe { function(to, from, size, 0, stream.as_raw()) };
                Ok(())
            };
            let mut own = Enqueued { acl, stream, call: own };
            let mut plain = Enqueued { acl, stream, call: plain };
            let pair = Some(Pair::measure(plan, &mut own, &mut plain)?);
            print_value(&Line::Case(Case { operation: operation.to_owned(), bytes, pair }))?;
        }
    }
    print_value(&Line::Done)?;
    wait_for_end();
    // SAFETY: all copies are done.
    unsafe { acl.destroy_stream(stream) }.map_err(|error| refused("aclrtDestroyStream", &error))?;
    // SAFETY: the last function of a program.
    c.check("aclshmem_finalize", unsafe { (c.aclshmem_finalize)() })?;
    Ok(())
}

impl Functions {
    /// Begins one PE with two blocks of so many bytes on its heap.
    fn begin(&self, bytes: usize) -> Result<()> {
        // SAFETY: the call takes no text.
        self.check("aclshmemx_set_conf_store_tls", unsafe {
            (self.aclshmemx_set_conf_store_tls)(false, std::ptr::null(), 0)
        })?;
        let mut ip_port = [0; 64];
        let address = local_store_url()?;
        ip_port.iter_mut().zip(address.as_bytes()).for_each(|(to, byte)| *to = *byte);
        let mut attributes = Attributes {
            my_pe: 0,
            n_pes: 1,
            ip_port,
            local_mem_size: 2 * bytes as u64 + (4 << 20),
            version: (1 << 16) + 24,
            engine: 1,
            timeouts: [120; 3],
            socket: 0,
            comm_args: 0,
            instance_id: 0,
        };
        // SAFETY: attributes of today.
        self.check("aclshmemx_init_attr", unsafe {
            (self.aclshmemx_init_attr)(BY_ADDRESS, &raw mut attributes)
        })
    }

    fn check(&self, function: &'static str, code: i32) -> Result<()> {
        library()?.check(function, code)
    }
}

fn refused(function: &'static str, error: &AclError) -> Error {
    super::failed("CANN refused").with("function", function).source(error.to_string())
}

const _: () = assert!(size_of::<Attributes>() == 120);
