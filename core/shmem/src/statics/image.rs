// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The main program of this process, as the loader knows it.

use std::ffi::{CStr, c_int, c_void};

use mf_base::Gva;
use mf_base::os::mapping::mapped_ranges;
use mf_base::os::process::page_bytes;

use super::elf::{HEADER_BYTES, Import, Part, Program};

/// Returns true if `is_wanted` accepts a library or a symbol that the main program imports.
pub(super) fn imports(is_wanted: &dyn Fn(Import<'_>) -> bool) -> bool {
    with_main_program(|program| program.imports(is_wanted)).unwrap_or(false)
}

/// Returns the parts of its static data, and the identity of the program.
pub(super) fn of_main_program() -> Option<(Vec<Part>, String)> {
    with_main_program(|program| (program.statics(page_bytes()), program.identity()))
}

fn with_main_program<R>(found: impl FnOnce(&Program<'_>) -> R) -> Option<R> {
    let mut main: Option<(u64, Vec<u8>)> = None;
    // SAFETY: the callback matches the expected signature and uses the data only during the call.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut main).cast()) };
    let (bias, headers) = main?;
    let read = |address: u64, bytes: &mut [u8]| {
        // SAFETY: `Program` reads only ranges that are mapped and readable by its headers, and the main
        // program is never unloaded.
        unsafe { Gva(address).as_ptr().cast_const().copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
    };
    Some(found(&Program::new(bias, &headers, &read)))
}

/// Takes the first object of the loader's list, which is the main program.
unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid record for the duration of the call.
    let info = unsafe { &*info };
    let bytes = usize::from(info.dlpi_phnum) * HEADER_BYTES;
    // SAFETY: the headers are mapped as long as the object is loaded; nobody writes them.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr.cast::<u8>(), bytes) }.to_vec();
    // SAFETY: the pointer passed by `with_main_program`, not used elsewhere during the call.
    unsafe { *found.cast::<Option<(u64, Vec<u8>)>>() = Some((info.dlpi_addr, headers)) };
    1
}

/// Describes an address of this process that is not symmetric; `None` if unknown.
pub(super) fn place_of(address: Gva) -> Option<String> {
    let mapped = mapped_ranges().into_iter().find(|(range, _)| range.contains(&address.0));
    let Some((_, name)) = mapped else { return Some("no memory of this process".to_owned()) };
    match name.as_str() {
        "[stack]" => return Some("an automatic variable".to_owned()),
        "[heap]" => return Some("memory of malloc".to_owned()),
        _ => {}
    }
    let mut found = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: room for the answer; any address is allowed.
    if unsafe { libc::dladdr(address.as_ptr().cast_const().cast(), &raw mut found) } == 0
        || found.dli_fname.is_null()
    {
        return None;
    }
    // SAFETY: the name of a loaded object is a C string.
    let file = unsafe { CStr::from_ptr(found.dli_fname) }.to_string_lossy().into_owned();
    let main = with_main_program(|program| program.contains(address.0)).unwrap_or(false);
    Some(if main {
        "a constant of the main program, or a variable that is not shared".to_owned()
    } else {
        format!("in the shared library {file}, whose variables are not symmetric")
    })
}
