// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_config_store_set_backend_op`: a table of C functions as a [`Backend`].

use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use mf_abi::smem::{BackendOps, NameOperation, PrefixGetContext};
use mf_base::Result;
use mf_bootstrap::backend::{self, Backend, Fault, Fill, Provider};

use crate::boundary::{call_program, null};
use crate::startup::prepare;

/// Room for a value in the first try; a record of ours has far less.
const USUAL_VALUE_BYTES: usize = 1024;
/// Number of tries for a value that grows meanwhile.
const TRIES: usize = 16;
/// Largest value that is asked for again.
const MAX_VALUE_BYTES: u64 = 64 << 20;

pub(crate) unsafe fn smem_config_store_set_backend_op(
    op: &'static str,
    operations: *const BackendOps,
) -> Result<()> {
    // SAFETY: not null; the caller passes a struct of this size that nobody changes meanwhile.
    let operations = unsafe { operations.read() };
    let entries = Entries::all(&operations).ok_or_else(|| null(op, "an entry of the table"))?;
    prepare()?;
    backend::register(Arc::new(entries));
    Ok(())
}

/// A table without gaps.
#[derive(Clone, Copy)]
struct Entries {
    distributed: unsafe extern "C-unwind" fn(u32) -> bool,
    create: unsafe extern "C-unwind" fn(*const c_char, *const c_char, u32, *mut *mut c_void) -> i32,
    destroy: unsafe extern "C-unwind" fn(*mut c_void),
    put: unsafe extern "C-unwind" fn(*mut c_void, *const c_char, *const c_void, u64, u32) -> i32,
    get: unsafe extern "C-unwind" fn(*mut c_void, *const c_char, *mut c_void, u64, u32, *mut u64) -> i32,
    prefix_get: unsafe extern "C-unwind" fn(*mut c_void, *const PrefixGetContext, u32) -> i32,
    remove: NameOperation,
    lock: NameOperation,
    try_lock: NameOperation,
    unlock: NameOperation,
}

impl Entries {
    fn all(table: &BackendOps) -> Option<Self> {
        Some(Self {
            distributed: table.distributed?,
            create: table.create?,
            destroy: table.destroy?,
            put: table.put?,
            get: table.get?,
            prefix_get: table.prefix_get?,
            remove: table.remove?,
            lock: table.lock?,
            try_lock: table.try_lock?,
            unlock: table.unlock?,
        })
    }
}

impl Provider for Entries {
    fn open(&self, name: &str, prefix: &str) -> Result<Arc<dyn Backend>, Fault> {
        let (name, prefix) = (c_name(name)?, c_name(prefix)?);
        let mut handle = std::ptr::null_mut();
        // SAFETY: both texts and the place for the handle live through the call; the program vouches for its
        // function.
        check(call_program("create of smem_conf_store_backend_op_t", || unsafe {
            (self.create)(name.as_ptr(), prefix.as_ptr(), 0, &raw mut handle)
        }))?;
        Ok(Arc::new(BackendTable { entries: *self, handle: Handle(handle) }))
    }
}

/// Handle from the program's `create`.
struct Handle(*mut c_void);

// SAFETY: the interface says that the functions of a backend may be called from any thread.
unsafe impl Send for Handle {}
// SAFETY: the interface says that the functions of a backend may be called from any thread.
unsafe impl Sync for Handle {}

struct BackendTable {
    entries: Entries,
    handle: Handle,
}

impl Drop for BackendTable {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` and is used by nobody after this.
        call_program("destroy of smem_conf_store_backend_op_t", || unsafe {
            (self.entries.destroy)(self.handle.0);
        });
    }
}

impl BackendTable {
    fn by_name(&self, called: &'static str, operation: NameOperation, name: &str) -> Result<(), Fault> {
        let name = c_name(name)?;
        // SAFETY: the handle is open and the text lives through the call.
        check(call_program(called, || unsafe { operation(self.handle.0, name.as_ptr(), 0) }))
    }
}

impl Backend for BackendTable {
    fn distributed(&self) -> bool {
        // SAFETY: takes no pointer.
        call_program("distributed of smem_conf_store_backend_op_t", || unsafe {
            (self.entries.distributed)(0)
        })
    }

    fn put(&self, key: &str, value: &[u8]) -> Result<(), Fault> {
        let key = c_name(key)?;
        let bytes = value.len() as u64;
        // SAFETY: the handle is open; key and value live through the call, and the length is the value's.
        check(call_program("put of smem_conf_store_backend_op_t", || unsafe {
            (self.entries.put)(self.handle.0, key.as_ptr(), value.as_ptr().cast(), bytes, 0)
        }))
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, Fault> {
        let key = c_name(key)?;
        let mut value = vec![0u8; USUAL_VALUE_BYTES];
        for _ in 0..TRIES {
            let mut size = 0u64;
            let capacity = value.len() as u64;
            // SAFETY: the handle is open; the text, the room of `capacity` bytes and the size live through
            // the call.
            let outcome = check(call_program("get of smem_conf_store_backend_op_t", || unsafe {
                (self.entries.get)(
                    self.handle.0,
                    key.as_ptr(),
                    value.as_mut_ptr().cast(),
                    capacity,
                    0,
                    &raw mut size,
                )
            }));
            match outcome {
                Ok(()) if size <= capacity => {
                    value.truncate(usize::try_from(size).map_err(|_| Fault::Internal)?);
                    return Ok(value);
                }
                // Said or not, it is too small. It may have grown since, so this may come more than once.
                Ok(()) | Err(Fault::TooSmall) if size > capacity && size <= MAX_VALUE_BYTES => {
                    value.resize(usize::try_from(size).map_err(|_| Fault::Internal)?, 0);
                }
                Ok(()) | Err(Fault::TooSmall) => return Err(Fault::TooSmall),
                Err(fault) => return Err(fault),
            }
        }
        Err(Fault::TooSmall)
    }

    fn prefix_get(&self, prefix: &str, marker: &str, fill: Fill<'_>) -> Result<(), Fault> {
        let (prefix, marker) = (c_name(prefix)?, c_name(marker)?);
        let mut walk = Walk { fill };
        let context = PrefixGetContext {
            prefix: prefix.as_ptr(),
            marker: marker.as_ptr(),
            context: (&raw mut walk).cast(),
            fill: on_entry,
        };
        // SAFETY: the handle is open, and all that the context points to lives through the call.
        check(call_program("prefix_get of smem_conf_store_backend_op_t", || unsafe {
            (self.entries.prefix_get)(self.handle.0, &raw const context, 0)
        }))
    }

    fn remove(&self, key: &str) -> Result<(), Fault> {
        self.by_name("remove of smem_conf_store_backend_op_t", self.entries.remove, key)
    }

    fn lock(&self, name: &str) -> Result<(), Fault> {
        self.by_name("lock of smem_conf_store_backend_op_t", self.entries.lock, name)
    }

    fn try_lock(&self, name: &str) -> Result<(), Fault> {
        self.by_name("try_lock of smem_conf_store_backend_op_t", self.entries.try_lock, name)
    }

    fn unlock(&self, name: &str) -> Result<(), Fault> {
        self.by_name("unlock of smem_conf_store_backend_op_t", self.entries.unlock, name)
    }
}

struct Walk<'a> {
    fill: Fill<'a>,
}

/// Called by the program's `prefix_get` for each entry.
unsafe extern "C" fn on_entry(
    key: *const c_char,
    value: *const c_void,
    size: u64,
    context: *mut c_void,
) -> bool {
    if key.is_null() || context.is_null() || (value.is_null() && size > 0) {
        return false;
    }
    // SAFETY: the context is the `Walk` of the call in progress, which nothing else uses meanwhile.
    let walk = unsafe { &mut *context.cast::<Walk<'_>>() };
    // SAFETY: not null; the program passes a C string.
    let key = unsafe { CStr::from_ptr(key) };
    let (Ok(key), Ok(size)) = (key.to_str(), isize::try_from(size)) else { return true };
    let value = match size.unsigned_abs() {
        0 => &[],
        // SAFETY: not null, of a possible length, and the program passes so many readable bytes.
        size => unsafe { std::slice::from_raw_parts(value.cast::<u8>(), size) },
    };
    catch_unwind(AssertUnwindSafe(|| (walk.fill)(key, value))).unwrap_or(false)
}

fn c_name(name: &str) -> Result<CString, Fault> {
    CString::new(name).map_err(|_| Fault::Invalid)
}

fn check(code: i32) -> Result<(), Fault> {
    if code == 0 { Ok(()) } else { Err(Fault::from_code(code)) }
}
