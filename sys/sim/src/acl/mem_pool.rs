// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pools of device memory: allocations and releases that a stream puts in order.
//!
//! A freed piece is available to its own stream at once, because later work of that stream is ordered behind
//! the free, and to all others when the stream has reached the free. The pool then keeps free pieces up to
//! its threshold.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex};

use ascend_acl_sys::raw::types as raw;
use mf_base::sync::lock;

use super::arguments::{give, give_handle, not_null, not_zero};
use super::memory::pointer;
use crate::codes::acl;
use crate::context::stream_of;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::machine::machine;
use crate::memory::heap::{self, Request};
use crate::memory::{PageSize, RegionKind};
use crate::session::Location;

/// Sizes are rounded up to this, so that pieces fit again.
const UNIT: u64 = 512;

crate::exports! {
    /// Makes a pool on a device.
    fn aclrtMemPoolCreate(memPool: *mut *mut c_void, poolProps: *const raw::aclrtMemPoolProps) = create;
    /// Ends the handle; the pool goes with the last piece that comes back.
    fn aclrtMemPoolDestroy(memPool: *mut c_void) => destroy(memPool);
    /// Sets an attribute.
    fn aclrtMemPoolSetAttr(memPool: *mut c_void, attr: u32, value: *mut c_void) = set_attribute;
    /// An attribute.
    fn aclrtMemPoolGetAttr(memPool: *mut c_void, attr: u32, value: *mut c_void) = attribute;
    /// Allocates memory for later work of the stream.
    fn aclrtMemPoolMallocAsync(
        ptr: *mut *mut c_void, size: usize, memPool: *mut c_void, stream: *mut c_void,
    ) = allocate;
    /// Gives memory back when the stream gets there.
    fn aclrtMemPoolFreeAsync(ptr: *mut c_void, stream: *mut c_void) => free(ptr, stream);
    /// Releases free memory until so much is left.
    fn aclrtMemPoolTrimTo(memPool: *mut c_void, minBytesToKeep: usize)
        => pool(memPool).map(|pool| lock(&pool.state).trim(minBytesToKeep as u64));
}

static POOLS: LazyLock<HandleTable<Pool>> = LazyLock::new(|| HandleTable::new("memory pool"));
/// Pool of the piece at a start address. A pool lives as long as its pieces.
static PIECES: LazyLock<Mutex<HashMap<u64, Arc<Pool>>>> = LazyLock::new(Mutex::default);

struct Pool {
    /// Physical number.
    device: u32,
    /// 0: no limit.
    limit: u64,
    state: Mutex<PoolState>,
}

/// A piece that is not in use.
struct Free {
    start: u64,
    bytes: u64,
    /// The stream that gave it back, until it has got there.
    pending: Option<usize>,
}

#[derive(Default)]
struct PoolState {
    used: HashMap<u64, u64>,
    free: Vec<Free>,
    /// Settings of the three optional kinds of reuse. They are stored only.
    reuse: [i32; 3],
    threshold: u64,
    /// Bytes, and the most there were, of all pieces and of those in use.
    reserved: (u64, u64),
    in_use: (u64, u64),
    /// The handle is gone.
    ended: bool,
}

impl PoolState {
    /// Releases pieces that are free for all until `keep` bytes are left.
    fn trim(&mut self, keep: u64) {
        while self.reserved.0 > keep
            && let Some(place) = self.free.iter().position(|free| free.pending.is_none())
        {
            let free = self.free.swap_remove(place);
            self.reserved.0 -= free.bytes;
            lock(&PIECES).remove(&free.start);
            // A reset of the device may have been faster; then it is gone already.
            let _ = heap::free(free.start, RegionKind::Pooled);
        }
    }

    fn note_use(&mut self, start: u64, bytes: u64) {
        self.used.insert(start, bytes);
        self.in_use.0 += bytes;
        self.in_use.1 = self.in_use.1.max(self.in_use.0);
    }

    /// The smallest free piece that fits and that `stream` may use.
    fn reused(&mut self, bytes: u64, stream: usize) -> Option<u64> {
        let fits = |free: &Free| {
            free.bytes >= bytes && free.bytes <= bytes * 2 && free.pending.is_none_or(|by| by == stream)
        };
        let places = self.free.iter().enumerate().filter(|(_, free)| fits(free));
        let (place, _) = places.min_by_key(|(_, free)| free.bytes)?;
        let Free { start, bytes, .. } = self.free.swap_remove(place);
        self.note_use(start, bytes);
        Some(start)
    }
}

/// Counts the pools.
pub(crate) fn count() -> usize {
    POOLS.count()
}

fn pool(handle: *const c_void) -> Outcome<Arc<Pool>> {
    not_null(handle, "memPool")?;
    POOLS.get(handle, acl::RT_PARAM_INVALID)
}

unsafe fn create(out: *mut *mut c_void, props: *const raw::aclrtMemPoolProps) -> Outcome {
    not_null(out, "memPool")?;
    not_null(props, "poolProps")?;
    // SAFETY: checked for null; valid by the interface's contract.
    let props = unsafe { props.read_unaligned() };
    let wanted = (props.allocType, props.handleType, props.location.type_);
    let known = (
        raw::ACL_MEM_ALLOCATION_TYPE_PINNED,
        raw::ACL_MEM_HANDLE_TYPE_NONE,
        raw::ACL_MEM_LOCATION_TYPE_DEVICE,
    );
    ensure(wanted == known, acl::FEATURE_NOT_SUPPORT, || {
        format!("a pool of (allocation, handle, location) {wanted:?}; there are pools of {known:?}")
    })?;
    let user = i32::try_from(props.location.id).unwrap_or(i32::MAX);
    let device = machine()?.devices.get(user)?.physical;
    let state = PoolState { reuse: [1; 3], ..PoolState::default() };
    let (handle, _) =
        POOLS.insert_with(|_| Pool { device, limit: props.maxSize as u64, state: Mutex::new(state) });
    // SAFETY: checked for null above.
    unsafe { give_handle(out, handle.addr()) }
}

fn destroy(handle: *mut c_void) -> Outcome {
    not_null(handle, "memPool")?;
    let pool = POOLS.remove(handle, acl::RT_PARAM_INVALID)?;
    let mut state = lock(&pool.state);
    state.ended = true;
    state.trim(0);
    Ok(())
}

/// A number that the program passes by address: 4 bytes for the choices of reuse, 8 for sizes.
enum Value {
    Choice(usize),
    Threshold,
    Size(fn(&mut PoolState) -> &mut (u64, u64), bool),
}

fn value_of(attribute: u32) -> Outcome<Value> {
    Ok(match attribute {
        raw::ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES => Value::Choice(0),
        raw::ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC => Value::Choice(1),
        raw::ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES => Value::Choice(2),
        raw::ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD => Value::Threshold,
        raw::ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT => Value::Size(|state| &mut state.reserved, false),
        raw::ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH => Value::Size(|state| &mut state.reserved, true),
        raw::ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT => Value::Size(|state| &mut state.in_use, false),
        raw::ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH => Value::Size(|state| &mut state.in_use, true),
        other => return Err(Fault::new(acl::INVALID_PARAM, format_args!("unknown attribute attr={other}"))),
    })
}

unsafe fn set_attribute(handle: *mut c_void, attribute: u32, value: *mut c_void) -> Outcome {
    not_null(value, "value")?;
    let pool = pool(handle)?;
    let mut state = lock(&pool.state);
    match value_of(attribute)? {
        // SAFETY: checked for null; it points to a number of this size by the interface's contract.
        Value::Choice(place) => state.reuse[place] = unsafe { value.cast::<i32>().read_unaligned() },
        // SAFETY: checked for null; this attribute has 8 bytes by the interface.
        Value::Threshold => state.threshold = unsafe { value.cast::<u64>().read_unaligned() },
        Value::Size(size, true) => {
            // SAFETY: checked for null; this attribute has 8 bytes by the interface.
            let new = unsafe { value.cast::<u64>().read_unaligned() };
            ensure(new == 0, acl::INVALID_PARAM, || {
                format!("a highest value can be set to 0, not to {new}")
            })?;
            let (now, most) = size(&mut state);
            *most = *now;
        }
        Value::Size(_, false) => {
            return Err(Fault::new(acl::INVALID_PARAM, format_args!("attr={attribute} can only be read")));
        }
    }
    Ok(())
}

unsafe fn attribute(handle: *mut c_void, attribute: u32, value: *mut c_void) -> Outcome {
    not_null(value, "value")?;
    let pool = pool(handle)?;
    let mut state = lock(&pool.state);
    let size = match value_of(attribute)? {
        // SAFETY: checked for null; it has room for a number of this size by the interface's contract.
        Value::Choice(place) => return unsafe { give(value.cast(), state.reuse[place]) },
        Value::Threshold => state.threshold,
        Value::Size(size, false) => size(&mut state).0,
        Value::Size(size, true) => size(&mut state).1,
    };
    // SAFETY: checked for null; these attributes have 8 bytes by the interface.
    unsafe { give(value.cast(), size) }
}

unsafe fn allocate(out: *mut *mut c_void, bytes: usize, handle: *mut c_void, stream: *mut c_void) -> Outcome {
    not_null(out, "ptr")?;
    not_zero(bytes, "size")?;
    let pool = pool(handle)?;
    let stream = stream_of(stream)?;
    ensure(stream.device.physical == pool.device, acl::STREAM_CONTEXT, || {
        format!("the pool is of device {}, the stream of {}", pool.device, stream.device.physical)
    })?;
    let too_much = || Fault::new(acl::MEMORY_ALLOCATION, format_args!("{bytes} bytes from a pool"));
    let bytes = (bytes as u64).checked_next_multiple_of(UNIT).ok_or_else(too_much)?;
    let mut state = lock(&pool.state);
    let start = match state.reused(bytes, stream.handle) {
        Some(start) => start,
        None => {
            let reserved = state.reserved.0.checked_add(bytes).ok_or_else(too_much)?;
            ensure(pool.limit == 0 || reserved <= pool.limit, acl::MEMORY_ALLOCATION, || {
                format!("the pool would have {reserved} bytes, its limit is {}", pool.limit)
            })?;
            let start = heap::allocate(request(pool.device, bytes))?;
            state.reserved = (reserved, state.reserved.1.max(reserved));
            state.note_use(start, bytes);
            lock(&PIECES).insert(start, Arc::clone(&pool));
            start
        }
    };
    // SAFETY: checked for null; valid by the interface's contract.
    unsafe { give(out, pointer(start)) }
}

fn request(device: u32, bytes: u64) -> Request {
    Request {
        location: Location::Device(device),
        kind: RegionKind::Pooled,
        bytes,
        accounted: bytes,
        page: PageSize::Normal,
        grants: Vec::new(),
    }
}

fn free(address: *mut c_void, stream: *mut c_void) -> Outcome {
    not_null(address, "ptr")?;
    let stream = stream_of(stream)?;
    let start = address.addr() as u64;
    let unknown =
        || Fault::new(acl::RT_PARAM_INVALID, format_args!("no piece of a pool starts at {start:#x}"));
    let pool = lock(&PIECES).get(&start).cloned().ok_or_else(unknown)?;
    let handle = stream.handle;
    {
        let mut state = lock(&pool.state);
        let bytes = state.used.remove(&start).ok_or_else(unknown)?;
        state.in_use.0 -= bytes;
        state.free.push(Free { start, bytes, pending: Some(handle) });
    }
    let back = Return { pool, start, handle };
    stream.push("pool free", move |_| {
        drop(back);
        Ok(())
    })
}

/// A piece that is being given back. It arrives also when its task is dropped: nothing before it runs then.
struct Return {
    pool: Arc<Pool>,
    start: u64,
    handle: usize,
}

impl Drop for Return {
    fn drop(&mut self) {
        let mut state = lock(&self.pool.state);
        // It may be in use again, by the same stream.
        let own = |free: &&mut Free| free.start == self.start && free.pending == Some(self.handle);
        if let Some(free) = state.free.iter_mut().find(own) {
            free.pending = None;
        }
        let keep = if state.ended { 0 } else { state.threshold };
        state.trim(keep);
    }
}
