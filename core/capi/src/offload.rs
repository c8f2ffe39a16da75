// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_offload_*`: the pool of offload of this process, and its operations.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use mf_abi::smem::{MFX_DEFAULT_STREAM, OFFLOAD_SCENE_LOCAL, OFFLOAD_SCENE_SHARED, OffloadConfig};
use mf_base::os::per_process::PerProcess;
use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_device::{Devices, RawStream};
use mf_offload::{Config, Header, Operation, Pool, Scene};

use crate::boundary::array_text;
use crate::built_in_kernels::for_target;
use crate::part::Part;
use crate::startup::prepare;

/// Most devices of a machine; interfaces of other releases pass the number in one byte.
const DEVICES: u32 = 256;

/// The pool of this process.
static POOL: PerProcess<Option<Arc<Pool>>> = PerProcess::new(None);
/// Held while it is made or ended, which takes its time; operations read the pool meanwhile.
static CHANGING: Mutex<()> = Mutex::new(());

/// The part of offload.
pub(crate) struct Offload;

impl Part for Offload {
    fn name(&self) -> &'static str {
        "offload"
    }

    fn is_member(&self) -> bool {
        current().is_some_and(|pool| pool.is_shared())
    }

    fn devices(&self, _op: &'static str) -> Option<Devices> {
        current().map(|pool| pool.devices().clone())
    }
}

fn current() -> Option<Arc<Pool>> {
    POOL.lock().clone()
}

fn pool(op: &'static str) -> Result<Arc<Pool>> {
    current().ok_or_else(|| {
        Error::new(Kind::NotInit, op).what("offload is not initialised").hint("call initialize first")
    })
}

pub(crate) unsafe fn mfx_offload_init(_op: &'static str, config: *const OffloadConfig) -> Result<()> {
    prepare()?;
    let _changing = lock(&CHANGING);
    if current().is_some() {
        return Ok(());
    }
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = wanted(unsafe { &*config })?;
    let made = Pool::open(&config, &|target| for_target(target))?;
    *POOL.lock() = Some(Arc::new(made));
    Ok(())
}

fn wanted(config: &OffloadConfig) -> Result<Config> {
    const OP: &str = "offload init";
    let scene = match config.scene {
        OFFLOAD_SCENE_LOCAL => Scene::Local,
        OFFLOAD_SCENE_SHARED => Scene::Shared,
        other => {
            return Err(Error::invalid(OP, "unknown scene").with("scene", other).hint("LOCAL 0, SHARED 1"));
        }
    };
    Ok(Config {
        device: config.device_id,
        reserve_bytes: config.reserve_size,
        alloc_bytes: config.alloc_size,
        world_size: config.world_size,
        rank: config.rank_id,
        scene,
        store_url: array_text(OP, "store_url", &config.store_url)?.to_owned(),
        local_world_size: config.local_world_size,
        timeout: settings()?.offload_timeout,
    })
}

pub(crate) fn mfx_offload_uninit(_op: &'static str) -> Result<()> {
    let _changing = lock(&CHANGING);
    let ended = POOL.lock().take();
    // Behind the lock of the pool: ending waits for streams.
    drop(ended);
    Ok(())
}

pub(crate) fn mfx_offload_malloc(op: &'static str, size: u64, _flags: u64) -> Result<u64> {
    pool(op)?.allocate(size)
}

pub(crate) fn mfx_offload_free(op: &'static str, address: u64, _flags: u64) -> Result<()> {
    pool(op)?.free(address)
}

pub(crate) unsafe fn mfx_offload_get_dva(op: &'static str, address: u64, result: *mut u64) -> Result<()> {
    let found = pool(op)?.device_address(address)?;
    // SAFETY: not null; the caller passes room for an address.
    unsafe { result.write(found) };
    Ok(())
}

pub(crate) unsafe fn mfx_offload_sparse_copy(
    op: &'static str,
    sources: u64,
    destinations: u64,
    lengths: u64,
    count: u64,
    device: u32,
    stream: *mut c_void,
) -> Result<()> {
    let operation = Operation::Sparse { sources, destinations, lengths, count };
    // SAFETY: the caller vouches for memory and stream.
    unsafe { run(op, &operation, device, stream) }
}

pub(crate) unsafe fn mfx_offload_group_pack_copy(
    op: &'static str,
    sources: u64,
    destinations: u64,
    lengths: u64,
    count: u64,
    groups: u64,
    packed: u64,
    device: u32,
    stream: *mut c_void,
) -> Result<()> {
    let operation = Operation::GroupPack { sources, destinations, lengths, count, groups, packed };
    // SAFETY: the caller vouches for memory and stream.
    unsafe { run(op, &operation, device, stream) }
}

pub(crate) unsafe fn mfx_offload_kv_exchange_copy(
    op: &'static str,
    meta: u64,
    header_words: u32,
    device: u32,
    stream: *mut c_void,
) -> Result<()> {
    let headers = [Header::Words8, Header::Words6];
    let header = headers.into_iter().find(|header| header.words() == header_words).ok_or_else(|| {
        Error::invalid(op, "unknown length of the header").with("words", header_words).hint("8, or 6")
    })?;
    // SAFETY: the caller vouches for memory and stream.
    unsafe { run(op, &Operation::KvExchange { meta, header }, device, stream) }
}

pub(crate) fn mfx_offload_register_entry_table(op: &'static str, entry_bytes: u32, rows: u32) -> Result<()> {
    pool(op)?.register_table(entry_bytes, rows)
}

pub(crate) unsafe fn mfx_offload_entry_gather(
    op: &'static str,
    destination: u64,
    ids: u64,
    count: u64,
    device: u32,
    stream: *mut c_void,
) -> Result<()> {
    let operation = Operation::EntryGather { destination, ids, count };
    // SAFETY: the caller vouches for memory and stream.
    unsafe { run(op, &operation, device, stream) }
}

/// Runs an operation in this call if the stream is null, else on that stream of the pool's accelerator.
///
/// # Safety
/// As [`Pool::run`].
unsafe fn run(op: &'static str, operation: &Operation, device: u32, stream: *mut c_void) -> Result<()> {
    let pool = pool(op)?;
    let stream = match stream.addr() {
        0 => None,
        MFX_DEFAULT_STREAM => Some(RawStream(std::ptr::null_mut())),
        _ => Some(RawStream(stream)),
    };
    if stream.is_some() {
        check_device(op, &pool, device)?;
    }
    // SAFETY: the caller vouches for memory and stream.
    unsafe { pool.run(operation, stream) }
}

fn check_device(op: &'static str, pool: &Pool, device: u32) -> Result<()> {
    if device >= DEVICES {
        return Err(Error::invalid(op, "invalid device number").with("device", device).hint("0 to 255"));
    }
    match pool.devices().accelerator() {
        Some(accelerator) if accelerator.number() != device => {
            Err(Error::invalid(op, "the pool is of another device")
                .with("device", device)
                .with("device_of_pool", accelerator.number())
                .hint("set device_id of the configuration to the device of the stream"))
        }
        _ => Ok(()),
    }
}
