// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Init, finalize and queries.

use std::ffi::{c_char, c_int};

use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};
use mf_shmem::Buffer;
use mf_shmem::cann::attributes::{self, Attributes};
use mf_shmem::cann::codes::INNER_ERROR;
use mf_shmem::cann::environment::{Mode, PlaceOfEnvironment, of_environment};

use super::attributes::write_address;
use super::place;
use super::types::{Attr, Bootstrap, InitAttr, InstanceCtx, Uniqueid};
use super::{instance_table, instances, tls, uids};
use crate::boundary::present;
use crate::startup::prepare;

/// First arguments below are flags of G1; above they are addresses of the attributes of G0.
const LOWEST_ADDRESS: usize = 4096;
/// The heap of our own init where nothing says its size; memory is taken when it is touched.
const DEFAULT_HEAP_BYTES: u64 = 16 << 30;
const NAME: &[u8] = b"ACLSHMEM v1.1.1\0";
/// The version of the interface, which has not moved with the generations.
const VERSION: (c_int, c_int) = (1, 1);
const NOT_INITIALIZED: c_int = 0;
const IS_INITIALIZED: c_int = 2;

/// Properties of the caller's generation.
pub(super) struct Caller {
    mode: Option<Mode>,
    /// Bytes of its attributes, at most.
    longest: usize,
    form: uids::Form,
}

/// Reads the buffers of the program, and adds them to the size of the heap.
type ReadBuffers<'a> = &'a dyn Fn(&mut Attributes) -> Result<Vec<Buffer>>;

pub(super) fn begin(
    op: &'static str,
    object: *const InitAttr,
    caller: &Caller,
    buffers: ReadBuffers<'_>,
) -> Result<c_int> {
    let mut table = instance_table::locked();
    prepare()?;
    let object = present(op, "the attributes", object)?;
    let mut attributes = Attributes::read(op, object.expose_provenance(), caller.longest)?;
    let id = attributes.instance(caller.mode);
    if table.has(id) {
        return Err(Error::new(Kind::RepeatInvoke, op)
            .what("this instance has begun already")
            .with("instance_id", id)
            .code_of_family(INNER_ERROR));
    }
    let buffers = buffers(&mut attributes)?;
    attributes.check(op)?;
    let mode = caller.mode.ok_or_else(|| {
        Error::invalid(op, "the flags name no method to find the other PEs")
            .hint("ACLSHMEMX_INIT_WITH_DEFAULT 1, ACLSHMEMX_INIT_WITH_MPI 2, ACLSHMEMX_INIT_WITH_UNIQUEID 8")
    })?;
    tls::apply(op, mode)?;
    let place = place::find(op, mode, &attributes, id, caller.form).map_err(tls::explain)?;
    table.begin(id, place, attributes.heap_bytes, buffers).map_err(tls::explain)?;
    Ok(0)
}

/// Returns the properties of callers of today.
pub(super) fn caller_of_today(bootstrap_flags: Bootstrap) -> Caller {
    // The upper half of the register is anything.
    let flags = u32::try_from(bootstrap_flags.0 & 0xffff_ffff).unwrap_or(0);
    Caller { mode: Mode::from_flags(flags), longest: attributes::OF_TODAY, form: uids::Form::Today }
}

fn without_buffers(_: &mut Attributes) -> Result<Vec<Buffer>> {
    Ok(Vec::new())
}

pub(crate) fn aclshmemx_init_attr(
    op: &'static str,
    bootstrap_flags: Bootstrap,
    object: *mut InitAttr,
) -> Result<c_int> {
    begin(op, object, &caller_of_today(bootstrap_flags), &without_buffers)
}

pub(crate) fn shmem_init_attr(
    op: &'static str,
    bootstrap_flags: Bootstrap,
    object: *mut InitAttr,
) -> Result<c_int> {
    let form = uids::Form::First;
    // Null attributes of G0 come with anything in the second register, and are refused as no flags are.
    if bootstrap_flags.0 == 0 || bootstrap_flags.0 >= LOWEST_ADDRESS {
        let object = std::ptr::with_exposed_provenance(bootstrap_flags.0);
        let caller = Caller { mode: Some(Mode::Address), longest: attributes::OF_G0, form };
        return begin(op, object, &caller, &without_buffers);
    }
    let flags = u32::try_from(bootstrap_flags.0).unwrap_or(0);
    let caller = Caller { mode: Mode::of_g1(flags), longest: attributes::OF_G1, form };
    begin(op, object, &caller, &without_buffers)
}

pub(crate) unsafe fn shmem_set_attr_uniqueid_args(
    op: &'static str,
    rank_id: c_int,
    nranks: c_int,
    uid: *const Uniqueid,
    attr: *mut InitAttr,
) -> Result<c_int> {
    let mut table = instance_table::locked();
    prepare()?;
    let uid = present(op, "uid", uid)?;
    let object = present(op, "attr", attr)?;
    let mut known = Attributes::read(op, object.expose_provenance(), attributes::OF_G0)?;
    if (known.my_pe, known.n_pes) != (rank_id, nranks) {
        return Err(Error::invalid(op, "shmem_set_attr said another rank, or another number of ranks")
            .with("rank", rank_id)
            .with("nranks", nranks)
            .with("rank_before", known.my_pe)
            .with("nranks_before", known.n_pes));
    }
    let id = uids::read_first(op, uid)?;
    if table.has(0) {
        return Err(Error::new(Kind::RepeatInvoke, op)
            .what("the library has begun already")
            .code_of_family(INNER_ERROR));
    }
    known.check(op)?;
    known.comm_args = uid.expose_provenance();
    let scheme = if id.address().is_ipv6() { "tcp6" } else { "tcp" };
    // SAFETY: not null; the caller passes an object of G0.
    unsafe { write_address(object, &format!("{scheme}://{}", id.address())) };
    tls::apply(op, Mode::UniqueId)?;
    let place = place::find(op, Mode::UniqueId, &known, 0, uids::Form::First).map_err(tls::explain)?;
    table.begin(0, place, known.heap_bytes, Vec::new()).map_err(tls::explain)?;
    Ok(0)
}

pub(crate) fn shmem_init(op: &'static str) -> Result<c_int> {
    begin_by_environment(op, 0, 0, 0, "", 0)
}

pub(crate) unsafe fn shmem_init_with_attr(op: &'static str, attr: *mut Attr) -> Result<c_int> {
    prepare()?;
    let attr = present(op, "attr", attr)?;
    // SAFETY: not null; the caller passes an initialised object that nobody changes meanwhile.
    let attr = unsafe { attr.read() };
    let end = attr.ip_port.iter().position(|byte| *byte == 0);
    let address = end.and_then(|end| str::from_utf8(attr.ip_port.get(..end)?).ok());
    let address =
        address.ok_or_else(|| Error::invalid(op, "ip_port is not NUL-terminated within 64 bytes"))?;
    begin_by_environment(op, attr.my_pe, attr.n_pes, attr.mem_size, address, attr.flags)
}

/// Begins with the values given; the environment replaces 0 and empty ones.
fn begin_by_environment(
    op: &'static str,
    my_pe: i32,
    n_pes: i32,
    heap_bytes: u64,
    address: &str,
    flags: u32,
) -> Result<c_int> {
    let mut table = instance_table::locked();
    prepare()?;
    if table.has(0) {
        return Err(Error::new(Kind::RepeatInvoke, op)
            .what("the library has begun already")
            .code_of_family(INNER_ERROR));
    }
    let heap_bytes = match settings()?.symmetric_size.as_str() {
        _ if heap_bytes != 0 => heap_bytes,
        "" => DEFAULT_HEAP_BYTES,
        text => mf_shmem::heap_bytes_of(text)?,
    };
    let mode = if flags == 0 { Some(Mode::Address) } else { Mode::from_flags(flags) };
    let mode = mode.ok_or_else(|| Error::invalid(op, "unknown flags").with("flags", flags))?;
    tls::apply(op, mode)?;
    let place = match of_environment(op, my_pe, n_pes, address)? {
        PlaceOfEnvironment::Place(_, _, config) if mode == Mode::Address => place::JobPlace::new(*config),
        given => {
            let (rank, ranks, address) = match given {
                PlaceOfEnvironment::Address(rank, ranks, address) => (rank, ranks, address),
                PlaceOfEnvironment::Place(rank, ranks, _) => (rank, ranks, String::new()),
            };
            let mut attributes = Attributes::of_own(rank, ranks, heap_bytes);
            attributes.set_address(&address);
            attributes.check(op)?;
            place::find(op, mode, &attributes, 0, uids::Form::Today)?
        }
    };
    table.begin(0, place, heap_bytes, Vec::new()).map_err(tls::explain)?;
    Ok(0)
}

pub(crate) fn aclshmemx_init_status(_op: &'static str) -> Result<c_int> {
    Ok(if instances::current().is_some() { IS_INITIALIZED } else { NOT_INITIALIZED })
}

pub(crate) fn aclshmem_finalize(_op: &'static str) -> Result<c_int> {
    let mut table = instance_table::locked();
    match instances::current() {
        Some(instance) => table.end(instance.id).map(|()| 0),
        None => Ok(0),
    }
}

pub(crate) fn aclshmemx_finalize(op: &'static str, instance_id: u64) -> Result<c_int> {
    let mut table = instance_table::locked();
    if !table.has(instance_id) {
        return Err(instance_table::unknown(op, instance_id));
    }
    table.end(instance_id).map(|()| 0)
}

pub(crate) fn aclshmemx_instance_ctx_get(_op: &'static str) -> Result<*mut InstanceCtx> {
    Ok(instances::current().map_or(std::ptr::null_mut(), instances::Instance::context))
}

pub(crate) fn aclshmemx_instance_ctx_set(op: &'static str, instance_id: u64) -> Result<c_int> {
    instance_table::locked().choose(op, instance_id).map(|()| 0)
}

pub(crate) fn aclshmem_my_pe(_op: &'static str) -> Result<c_int> {
    Ok(instances::current().map_or(-1, |it| it.world.my_pe().cast_signed()))
}

pub(crate) fn aclshmem_n_pes(_op: &'static str) -> Result<c_int> {
    Ok(instances::current().map_or(-1, |it| it.world.n_pes().cast_signed()))
}

pub(crate) unsafe fn aclshmem_info_get_version(
    _op: &'static str,
    major: *mut c_int,
    minor: *mut c_int,
) -> Result<()> {
    if major.is_null() || minor.is_null() {
        return Ok(());
    }
    for (to, number) in [(major, VERSION.0), (minor, VERSION.1)] {
        // SAFETY: not null; the caller passes an int.
        unsafe { to.write(number) };
    }
    Ok(())
}

pub(crate) unsafe fn aclshmem_info_get_name(_op: &'static str, name: *mut c_char) -> Result<()> {
    if !name.is_null() {
        // SAFETY: not null; the caller passes 256 bytes, and the text has fewer.
        unsafe { std::ptr::copy_nonoverlapping(NAME.as_ptr().cast(), name, NAME.len()) };
    }
    Ok(())
}

pub(crate) fn aclshmem_global_exit(op: &'static str, status: c_int) -> Result<()> {
    match instances::current() {
        Some(instance) => instance.world.global_exit(status),
        None => {
            tracing::warn!("{op}: the library has not begun; nothing ends");
            Ok(())
        }
    }
}

pub(crate) use {
    aclshmem_finalize as shmem_finalize, aclshmem_global_exit as shmem_global_exit,
    aclshmem_info_get_name as shmem_info_get_name, aclshmem_info_get_version as shmem_info_get_version,
    aclshmem_my_pe as shmem_my_pe, aclshmem_n_pes as shmem_n_pes, aclshmemx_init_status as shmem_init_status,
};
