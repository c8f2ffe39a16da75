// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernel binaries and their contents.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use ascend_acl_sys::raw::types::{aclrtBinaryLoadOption, aclrtBinaryLoadOptions};

use super::{ai_cpu, taken};
use crate::acl::arguments::{MOST_ATTRIBUTES, array, give, not_null, not_zero, one_of};
use crate::arg::Arg;
use crate::boundary::call;
use crate::codes::acl;
use crate::context::current;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::kernel::binary::{BINARIES, Binary, CoreKind, Function};
use crate::kernel::interface;
use crate::kernel::library::Library;

exports! {
    /// Loads the binary in a file.
    fn aclrtBinaryLoadFromFile(
        binPath: *const c_char, options: *mut aclrtBinaryLoadOptions, binHandle: *mut *mut c_void,
    ) = load_file;
    /// Loads a binary from memory.
    fn aclrtBinaryLoadFromData(
        data: *const c_void, length: usize, options: *const aclrtBinaryLoadOptions, binHandle: *mut *mut c_void,
    ) = load_data;
    /// Ends an image of a binary.
    fn aclrtDestroyBinary(binary: *mut c_void) = destroy;
    /// Loads a binary from its image.
    fn aclrtBinaryLoad(binary: *const c_void, binHandle: *mut *mut c_void) = load_image;
    /// Ends a binary.
    fn aclrtBinaryUnLoad(binHandle: *mut c_void) = unload;
    /// The kernel with a name.
    fn aclrtBinaryGetFunction(
        binHandle: *const c_void, kernelName: *const c_char, funcHandle: *mut *mut c_void,
    ) = function;
    /// The kernel with a number.
    fn aclrtBinaryGetFunctionByEntry(binHandle: *mut c_void, funcEntry: u64, funcHandle: *mut *mut c_void)
        = function_by_entry;
    /// Returns the location of a variable of a binary.
    fn aclrtBinaryGetGlobal(
        binHandle: *mut c_void, name: *const c_char, dptr: *mut *mut c_void, size: *mut usize,
    ) = global;
    /// Name of a kernel.
    fn aclrtGetFunctionName(funcHandle: *mut c_void, maxLen: u32, name: *mut c_char) = function_name;
    /// Returns an attribute of a kernel, such as its type.
    fn aclrtGetFunctionAttribute(funcHandle: *mut c_void, attrType: u32, attrValue: *mut i64) = function_attribute;
}

/// Images of binaries that are not loaded.
static IMAGES: LazyLock<HandleTable<Vec<u8>>> = LazyLock::new(|| HandleTable::new("binary image"));

/// Takes a copy of a binary, to load it later. Null when it is refused.
///
/// # Safety
/// `data` is null or valid for reads of `dataLen` bytes.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the names are CANN's")]
pub unsafe extern "C" fn aclrtCreateBinary(data: *const c_void, dataLen: usize) -> *mut c_void {
    let mut made = std::ptr::null_mut();
    let args = || [("data", Arg::from(data)), ("dataLen", Arg::from(dataLen))];
    call("aclrtCreateBinary", args, || {
        not_null(data, "data")?;
        not_zero(dataLen, "dataLen")?;
        let image = taken(data, dataLen)?;
        made = IMAGES.insert_with(|_| image).0;
        Ok(())
    });
    made
}

unsafe fn destroy(binary: *mut c_void) -> Outcome {
    not_null(binary, "binary")?;
    IMAGES.remove(binary, acl::RT_PARAM_INVALID).map(drop)
}

unsafe fn load_file(
    path: *const c_char,
    options: *mut aclrtBinaryLoadOptions,
    handle: *mut *mut c_void,
) -> Outcome {
    not_null(path, "binPath")?;
    not_null(handle, "binHandle")?;
    // SAFETY: the caller passes a string that ends with 0.
    let path = absolute(Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes())))?;
    let kind = kind_of(options)?;
    let path = if kind == Some(CoreKind::AiCpu) { ai_cpu::library_of(&path)? } else { path };
    let binary = in_current_context(kind, || Library::from_file(&path, interface::host()))?;
    // SAFETY: checked for null above.
    unsafe { give(handle, binary) }
}

/// Makes a binary of the current context from the library that `load` loads.
fn in_current_context(
    kind: Option<CoreKind>,
    load: impl FnOnce() -> Outcome<Library>,
) -> Outcome<*mut c_void> {
    let context = current()?;
    Ok(Binary::create(kind, context.handle, Arc::clone(&context.device), load()?))
}

/// Assumed: a relative path starts at the working directory, also a bare name, which the system's loader
/// would search elsewhere.
fn absolute(path: &Path) -> Outcome<PathBuf> {
    std::path::absolute(path).map_err(|error| {
        Fault::new(acl::INVALID_FILE, format_args!("invalid path {path:?} of a binary: {error}"))
    })
}

unsafe fn load_data(
    data: *const c_void,
    length: usize,
    options: *const aclrtBinaryLoadOptions,
    handle: *mut *mut c_void,
) -> Outcome {
    not_null(data, "data")?;
    not_null(handle, "binHandle")?;
    let kind = kind_of(options)?;
    ensure(kind != Some(CoreKind::AiCpu), acl::FEATURE_NOT_SUPPORT, || {
        "AI CPU kernels from memory: the simulator has those of a file".to_owned()
    })?;
    let image = taken(data, length)?;
    let binary = in_current_context(kind, || Library::from_data(&image, interface::host()))?;
    // SAFETY: checked for null above.
    unsafe { give(handle, binary) }
}

unsafe fn load_image(binary: *const c_void, handle: *mut *mut c_void) -> Outcome {
    not_null(binary, "binary")?;
    not_null(handle, "binHandle")?;
    let image = IMAGES.get(binary, acl::RT_PARAM_INVALID)?;
    let binary = in_current_context(None, || Library::from_data(&image, interface::host()))?;
    // SAFETY: checked for null above.
    unsafe { give(handle, binary) }
}

/// Parses the load options of the kernels. Lazy loading makes no difference here.
fn kind_of(options: *const aclrtBinaryLoadOptions) -> Outcome<Option<CoreKind>> {
    const LAZY: u32 = 1;
    const MAGIC: u32 = 2;
    const AI_CPU: u32 = 3;
    if options.is_null() {
        return Ok(None);
    }
    // SAFETY: not null, so the caller passes a structure.
    let options = unsafe { options.read_unaligned() };
    if options.numOpt > 0 {
        not_null(options.options, "options->options")?;
    }
    let mut kind = None;
    let at = options.options.cast::<[u32; size_of::<aclrtBinaryLoadOption>() / 4]>();
    // SAFETY: the caller passes `numOpt` options; seen as words, because only their type says which field is
    // valid.
    let options = unsafe { array(at, options.numOpt, MOST_ATTRIBUTES, "options->options") }?;
    for [sort, value, ..] in options {
        one_of(sort, &[LAZY, MAGIC, AI_CPU], "the type of a load option")?;
        match sort {
            LAZY => ensure(value <= 1, acl::RT_PARAM_INVALID, || format!("lazy load {value} is not 0 or 1"))?,
            MAGIC => {
                let magic = CoreKind::of_magic(value).ok_or_else(|| {
                    Fault::new(
                        acl::RT_PARAM_INVALID,
                        format_args!("unknown magic {value:#x}: not a kind of kernel"),
                    )
                })?;
                kind = Some(magic);
            }
            // Assumed: 0 means kernels of a library that a JSON file names.
            _ if value == 0 => kind = Some(CoreKind::AiCpu),
            _ => {
                return Err(Fault::new(
                    acl::FEATURE_NOT_SUPPORT,
                    format_args!(
                        "AI CPU kernels of mode {value}: the simulator has those of mode 0, from a file"
                    ),
                ));
            }
        }
    }
    Ok(kind)
}

unsafe fn unload(binary: *mut c_void) -> Outcome {
    not_null(binary, "binHandle")?;
    Binary::unload(binary)
}

unsafe fn function(binary: *const c_void, name: *const c_char, handle: *mut *mut c_void) -> Outcome {
    not_null(binary, "binHandle")?;
    not_null(name, "kernelName")?;
    not_null(handle, "funcHandle")?;
    // SAFETY: the caller passes a string that ends with 0.
    let name = unsafe { CStr::from_ptr(name) };
    let found = BINARIES.get(binary, acl::RT_PARAM_INVALID)?.function(name)?;
    // SAFETY: checked for null above.
    unsafe { give(handle, found) }
}

/// Assumed: entry 7 is the kernel that the binary calls `entry_7`.
unsafe fn function_by_entry(binary: *mut c_void, entry: u64, handle: *mut *mut c_void) -> Outcome {
    not_null(binary, "binHandle")?;
    not_null(handle, "funcHandle")?;
    let name = std::ffi::CString::new(format!("entry_{entry}"))
        .map_err(|_| Fault::new(acl::INTERNAL_ERROR, "a number with a zero byte"))?;
    let found = BINARIES.get(binary, acl::RT_PARAM_INVALID)?.function(&name)?;
    // SAFETY: checked for null above.
    unsafe { give(handle, found) }
}

unsafe fn global(
    binary: *mut c_void,
    name: *const c_char,
    pointer: *mut *mut c_void,
    size: *mut usize,
) -> Outcome {
    not_null(binary, "binHandle")?;
    not_null(name, "name")?;
    not_null(pointer, "dptr")?;
    not_null(size, "size")?;
    // SAFETY: the caller passes a string that ends with 0.
    let name = unsafe { CStr::from_ptr(name) };
    let (address, bytes) = BINARIES.get(binary, acl::RT_PARAM_INVALID)?.variable(name)?;
    // SAFETY: checked for null above.
    unsafe { give(pointer, std::ptr::with_exposed_provenance_mut(crate::memory::native(address))) }?;
    // SAFETY: checked for null above.
    unsafe { give(size, crate::memory::native(bytes)) }
}

/// Assumed: a name that does not fit is refused rather than cut.
unsafe fn function_name(function: *mut c_void, most: u32, name: *mut c_char) -> Outcome {
    not_null(function, "funcHandle")?;
    not_null(name, "name")?;
    not_zero(most as usize, "maxLen")?;
    let function = Function::from_handle(function)?;
    let text = function.c_name().to_bytes_with_nul();
    ensure(text.len() <= most as usize, acl::RT_PARAM_INVALID, || {
        format!("the name {} needs {} bytes, maxLen is {most}", function.name(), text.len())
    })?;
    // SAFETY: the caller has room for `maxLen` bytes.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), name.cast(), text.len()) };
    Ok(())
}

unsafe fn function_attribute(function: *mut c_void, attribute: u32, value: *mut i64) -> Outcome {
    not_null(function, "funcHandle")?;
    not_null(value, "attrValue")?;
    one_of(attribute, &[1, 2, 3], "attrType")?;
    let function = Function::from_handle(function)?;
    let number = match attribute {
        1 => function.kind.number(),
        2 => function.ratio,
        _ => function.all_at_once.into(),
    };
    // SAFETY: checked for null above.
    unsafe { give(value, number) }
}
