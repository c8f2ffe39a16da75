// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Passwords of private keys, decrypted by code of the caller: a callback, or a shared library that is opened
//! for it.
//!
//! Both have the same shape: cipher text and its length, a buffer, and the address of a length, which holds
//! the capacity on the way in and the length of the plain text on the way out; 0 means done. The buffer is
//! wiped.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use mf_base::{Error, Result};
use mf_store::tls::Decrypt;

const OP: &str = "decrypt password";

/// The function in a decrypter library.
const SYMBOL: &[u8] = b"DecryptPassword\0";

/// Bytes that a password may have, at least.
const CAPACITY: usize = 4096;

/// `smem_decrypt_handler`, and `DecryptPassword` of a decrypter library (a C++ reference is a pointer in the
/// ABI).
pub(crate) type Handler = unsafe extern "C" fn(
    cipher: *const c_char,
    cipher_len: usize,
    plain: *mut c_char,
    plain_len: *mut usize,
) -> c_int;

/// The callback as the store wants it.
///
/// # Safety
/// `handler` may be called from any thread, at any time until the process ends, and keeps to its buffer.
pub(crate) unsafe fn from_handler(handler: Handler) -> Decrypt {
    Arc::new(move |cipher| {
        call(cipher, |plain, length| {
            // SAFETY: `cipher` and `plain` are valid for their lengths during the call; the caller of
            // `from_handler` vouches for the function.
            unsafe { handler(cipher.as_ptr().cast(), cipher.len(), plain, length) }
        })
    })
}

/// Opens a library and takes its `DecryptPassword`. The library stays open as long as the decrypter is in
/// use.
///
/// # Errors
/// `InvalidParam` names the library and why it, or the function, cannot be had.
pub(crate) fn from_library(path: &str) -> Result<Decrypt> {
    let unusable = |what: &str| Error::invalid(OP, what).with("library", path);
    // SAFETY: opening runs the library's initialisers; the caller named it as its decrypter and answers for
    // it.
    let library = unsafe { libloading::Library::new(path) }
        .map_err(|error| unusable("the decrypter library cannot be opened").source(error))?;
    // SAFETY: the type is the one that the interface prescribes for this name.
    let handler = *unsafe { library.get::<Handler>(SYMBOL) }
        .map_err(|error| unusable("the decrypter library has no DecryptPassword").source(error))?;
    let library = Arc::new(library);
    Ok(Arc::new(move |cipher| {
        let open = Arc::clone(&library);
        let plain = call(cipher, |plain, length| {
            // SAFETY: `cipher` and `plain` are valid for their lengths during the call, and the library is
            // open.
            unsafe { handler(cipher.as_ptr().cast(), cipher.len(), plain, length) }
        });
        drop(open);
        plain
    }))
}

/// Gives a buffer to `decrypt` and takes what it writes.
fn call(cipher: &[u8], decrypt: impl FnOnce(*mut c_char, *mut usize) -> c_int) -> Result<Vec<u8>> {
    let mut buffer = vec![0_u8; CAPACITY.max(cipher.len() + 1)];
    let mut length = buffer.len();
    let code = decrypt(buffer.as_mut_ptr().cast(), &raw mut length);
    let result = match buffer.get(..length) {
        _ if code != 0 => Err(Error::invalid(OP, "the decrypter failed").with("code", code)),
        None => Err(Error::invalid(OP, "the decrypter says that it wrote more than there was room for")
            .with("length", length)
            .with("capacity", buffer.len())),
        Some(plain) => Ok(plain.to_vec()),
    };
    wipe(&mut buffer);
    result
}

/// Overwrites in a way that the compiler must not leave out.
fn wipe(buffer: &mut [u8]) {
    for byte in buffer {
        // SAFETY: a valid reference of its own.
        unsafe { std::ptr::write_volatile(byte, 0) };
    }
}
