// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_bm.h`: making pools and all that concerns a pool, apart from copies.

use std::ffi::c_void;
use std::os::fd::BorrowedFd;
use std::sync::Arc;

use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_smem::bm::{EngineSet, GroupEvent, Pool, PoolOptions};

use crate::abi::{BmCreateOption, BmHandle, CREATE_WITH_SHM, NUMA_AUTO, NUMA_MASK, PERFORMANCE_MODE};
use crate::boundary::{array_text, code, not_null, null, value};
use crate::process::{POOLS, context, number, pool};

const LOCAL_DEVICE: u32 = 0;
const LOCAL_HOST: u32 = 1;
const DEVICE: u32 = 2;
const HOST: u32 = 3;

type GroupEventCallback = extern "C" fn(handle: BmHandle, rank: u32, event: u32, context: *mut c_void);

/// The window that a memory type names; local types name none.
pub(crate) fn window(operation: &'static str, mem_type: u32) -> Result<MemKind> {
    match mem_type {
        DEVICE => Ok(MemKind::Device),
        HOST => Ok(MemKind::Host),
        _ => Err(Error::invalid(operation, "the memory type names no window of the pool")
            .with("type", mem_type)
            .hint("SMEM_MEM_TYPE_DEVICE (2) or SMEM_MEM_TYPE_HOST (3)")),
    }
}

/// Gives a pool its handle.
fn publish(pool: Pool) -> Result<BmHandle> {
    let pool = Arc::new(pool);
    let handle = POOLS.insert(Arc::clone(&pool)).ok_or_else(|| {
        pool.destroy();
        Error::new(Kind::NoResources, "bm create").what("this process has 64 pools already")
    })?;
    Ok(std::ptr::without_provenance_mut(usize::try_from(handle.0).unwrap_or(0)))
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_create(
    id: u32,
    _member_size: u32,
    data_op: u32,
    local_dram_size: u64,
    local_hbm_size: u64,
    flags: u32,
) -> BmHandle {
    const OP: &str = "bm create";
    value(OP, std::ptr::null_mut(), || {
        let context = context(OP)?;
        let engines = EngineSet::from_bits(OP, data_op)?;
        let options = PoolOptions::new(id).host(local_dram_size).device(local_hbm_size).engines(engines);
        publish(context.create(on_node(options, flags))?)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_bm_create2(id: u32, option: *const BmCreateOption) -> BmHandle {
    const OP: &str = "bm create2";
    value(OP, std::ptr::null_mut(), || {
        not_null(OP, "the option", option)?;
        let context = context(OP)?;
        // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
        let option = unsafe { &*option };
        let engines = EngineSet::from_bits(OP, option.data_op_type)?;
        let tag = array_text(OP, "tag", &option.tag)?;
        let tag_rules = array_text(OP, "tagOpInfo", &option.tag_op_info)?;
        if option.local_dram_size > option.max_dram_size || option.local_hbm_size > option.max_hbm_size {
            return Err(Error::invalid(OP, "a local size is larger than its maximum")
                .with("localDRAMSize", option.local_dram_size)
                .with("maxDramSize", option.max_dram_size)
                .with("localHBMSize", option.local_hbm_size)
                .with("maxHbmSize", option.max_hbm_size));
        }
        let mut options = PoolOptions::new(id)
            .host(option.local_dram_size)
            .max_host(option.max_dram_size)
            .device(option.local_hbm_size)
            .max_device(option.max_hbm_size)
            .engines(engines)
            .tag(tag)
            .tag_rules(tag_rules);
        if option.flags & CREATE_WITH_SHM != 0 {
            options = options.host_descriptor(duplicate(OP, option.dram_shm_fd)?);
        }
        publish(context.create(on_node(options, option.flags))?)
    })
}

/// The NUMA node that the create flags ask for.
fn on_node(options: PoolOptions, flags: u32) -> PoolOptions {
    match flags & NUMA_MASK {
        node if flags & PERFORMANCE_MODE != 0 && node != NUMA_AUTO => options.numa_node(node),
        _ => options,
    }
}

fn duplicate(operation: &'static str, descriptor: i32) -> Result<std::os::fd::OwnedFd> {
    let bad = || Error::invalid(operation, "dramShmFd is not an open descriptor").with("fd", descriptor);
    if descriptor < 0 {
        return Err(bad());
    }
    // SAFETY: borrowed only for the duplication, which fails for a number that is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    borrowed.try_clone_to_owned().map_err(|error| bad().source(error))
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_destroy(handle: BmHandle) {
    const OP: &str = "bm destroy";
    code(OP, || {
        if let Some(pool) = POOLS.get(number(handle)) {
            // What is the parent's of a forked child is not the child's to destroy.
            pool.check_process(OP)?;
        }
        if let Some(pool) = POOLS.remove(number(handle)) {
            pool.destroy();
        }
        Ok(())
    });
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_join(handle: BmHandle, _flags: u32) -> i32 {
    const OP: &str = "bm join";
    code(OP, || pool(OP, handle, Kind::NotInit)?.join())
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_leave(handle: BmHandle, _flags: u32) -> i32 {
    const OP: &str = "bm leave";
    code(OP, || pool(OP, handle, Kind::NotInit)?.leave())
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_extend_local_mem(handle: BmHandle, mem_type: u32, size: u64) -> i32 {
    const OP: &str = "bm extend";
    code(OP, || {
        let (pool, window) = (pool(OP, handle, Kind::InvalidParam)?, window(OP, mem_type)?);
        // Upstream's code for a size that does not fit is that of any failure; mfx_bm_extend tells it apart.
        pool.extend(window, size).map_err(|error| match error.kind() {
            Kind::InvalidParam => error.as_kind(Kind::Failed),
            _ => error,
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn mfx_bm_extend(handle: BmHandle, mem_type: u32, size: u64) -> i32 {
    const OP: &str = "bm extend";
    code(OP, || pool(OP, handle, Kind::InvalidParam)?.extend(window(OP, mem_type)?, size))
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_get_local_mem_size_by_mem_type(handle: BmHandle, mem_type: u32) -> u64 {
    const OP: &str = "bm local size";
    value(OP, 0, || Ok(pool(OP, handle, Kind::InvalidParam)?.local_bytes(window(OP, mem_type)?)))
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_ptr_by_mem_type(handle: BmHandle, mem_type: u32, peer: u16) -> *mut c_void {
    const OP: &str = "bm address";
    value(OP, std::ptr::null_mut(), || {
        let address =
            pool(OP, handle, Kind::InvalidParam)?.address(window(OP, mem_type)?, Rank(u32::from(peer)))?;
        Ok(address.as_ptr().cast())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn smem_bm_gva_to_va(
    handle: BmHandle,
    gva: *mut c_void,
    mem_type: u32,
    va: *mut *mut c_void,
) -> i32 {
    const OP: &str = "bm gva to va";
    code(OP, || {
        not_null(OP, "the handle", handle)?;
        not_null(OP, "the address", gva)?;
        not_null(OP, "the result", va)?;
        let pool = pool(OP, handle, Kind::InvalidParam)?;
        if !matches!(mem_type, LOCAL_DEVICE | LOCAL_HOST) {
            return Err(Error::invalid(OP, "the memory type must be a local one").with("type", mem_type));
        }
        let address = pool.local_address(Gva(gva.addr() as u64))?;
        if mem_type == LOCAL_HOST && !pool.is_host_memory(address) {
            return Err(Error::new(Kind::Failed, OP)
                .what("memory of an accelerator has no address for the processor")
                .with("address", address)
                .hint("copy it, or ask for SMEM_MEM_TYPE_LOCAL_DEVICE (0)"));
        }
        // SAFETY: not null; the caller passes room for a pointer.
        unsafe { va.write(address.as_ptr().cast()) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_register_user_mem(handle: BmHandle, address: u64, size: u64) -> i32 {
    const OP: &str = "bm register";
    code(OP, || {
        if handle.is_null() || address == 0 || size == 0 {
            return Err(null(OP, "the handle, the address or the size"));
        }
        pool(OP, handle, Kind::InvalidParam)?.register(address, size)
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_unregister_user_mem(handle: BmHandle, address: u64) -> i32 {
    const OP: &str = "bm unregister";
    code(OP, || {
        if handle.is_null() || address == 0 {
            return Err(null(OP, "the handle or the address"));
        }
        pool(OP, handle, Kind::InvalidParam)?.unregister(address)
    })
}

/// Failures come back as codes, too, cast to the type of a rank: that is what callers of this function know.
#[unsafe(no_mangle)]
extern "C" fn smem_bm_get_rank_id_by_gva(handle: BmHandle, gva: *mut c_void) -> u32 {
    const OP: &str = "bm rank by address";
    let mut rank = u32::MAX;
    let code = code(OP, || {
        let pool = pool(OP, handle, Kind::InvalidParam)?;
        rank = pool.rank_of(Gva(gva.addr() as u64)).map_or(u32::MAX, |rank| rank.0);
        Ok(())
    });
    if code == 0 { rank } else { code.cast_unsigned() }
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_set_group_event_handler(
    handle: BmHandle,
    callback: Option<GroupEventCallback>,
    user: *mut c_void,
) -> i32 {
    const OP: &str = "bm event handler";
    code(OP, || {
        let pool = pool(OP, handle, Kind::InvalidParam)?;
        let Some(callback) = callback else {
            pool.ignore_events();
            return Ok(());
        };
        let (handle, user) = (handle.expose_provenance(), user.expose_provenance());
        pool.on_event(move |rank, event| {
            let event = match event {
                GroupEvent::Join => 0,
                GroupEvent::Leave => 1,
            };
            let handle = std::ptr::with_exposed_provenance_mut(handle);
            callback(handle, rank.0, event, std::ptr::with_exposed_provenance_mut(user));
        });
        Ok(())
    })
}
