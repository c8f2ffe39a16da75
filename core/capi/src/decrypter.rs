// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Passwords of private keys, decrypted by code of the caller: a callback, or a shared library that is opened
//! for it.
//!
//! All get cipher text, its length and a buffer, and return 0 when they are done. They differ in the last
//! argument:
//!
//! | function | last argument | length of the plain text |
//! |---|---|---|
//! | callback ([`DecryptFn`]) | address of a length: the room when called | written there by the callback |
//! | callback with a context ([`AccDecryptFn`]) | the room, by value | up to the terminating zero byte |
//! | `DecryptPassword` of a library ([`LibraryFunction`]) | the room, by value | up to the terminating zero byte |
//!
//! The buffer is wiped.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use mf_abi::smem::{AccDecryptFn, DecryptFn};
use mf_base::os::descriptor;
use mf_base::{Error, Result};
use mf_tls::Decrypt;

use crate::boundary::call_program;

const OP: &str = "decrypt password";

/// The function in a decrypter library.
const SYMBOL: &[u8] = b"DecryptPassword\0";

/// Bytes that a password may have, at least.
const CAPACITY: usize = 4096;

/// `DecryptPassword` of a decrypter library.
type LibraryFunction = unsafe extern "C-unwind" fn(
    cipher: *const c_char,
    cipher_len: usize,
    plain: *mut c_char,
    plain_len: i32,
) -> c_int;

/// Wraps a callback without a context.
///
/// # Safety
/// `handler` may be called from any thread, at any time until the process ends, and keeps to its buffer.
pub(crate) unsafe fn from_handler(handler: DecryptFn) -> Decrypt {
    Arc::new(move |cipher| {
        call(cipher, |cipher, buffer| {
            let mut length = buffer.len();
            // SAFETY: `cipher` and `buffer` are valid for their lengths during the call; the caller of
            // `from_handler` vouches for the function.
            let code = call_program("smem_decrypt_handler", || unsafe {
                handler(cipher.as_ptr().cast(), cipher.len(), buffer.as_mut_ptr().cast(), &raw mut length)
            });
            (code, Some(length))
        })
    })
}

/// Wraps a callback with a context.
///
/// # Safety
/// `callback` may be called from any thread as long as the result lives, and keeps to its buffer.
pub(crate) unsafe fn from_callback(callback: AccDecryptFn, context: usize) -> Decrypt {
    Arc::new(move |cipher| {
        call(cipher, |cipher, buffer| {
            let context = std::ptr::with_exposed_provenance_mut(context);
            // SAFETY: `cipher` and `buffer` are valid for their lengths during the call; the caller of
            // `from_callback` vouches for the function.
            let code = call_program("smem_decrypt_cb", || unsafe {
                callback(context, cipher.as_ptr().cast(), cipher.len(), buffer.as_mut_ptr(), buffer.len())
            });
            (code, buffer.iter().position(|byte| *byte == 0))
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
    let library = descriptor::reserving(|| unsafe { libloading::Library::new(path) })
        .map_err(|error| unusable("the decrypter library cannot be opened").source(error))?;
    // SAFETY: the interface prescribes this type for the name.
    let function = *unsafe { library.get::<LibraryFunction>(SYMBOL) }
        .map_err(|error| unusable("the decrypter library has no DecryptPassword").source(error))?;
    let library = Arc::new(library);
    Ok(Arc::new(move |cipher| {
        let open = Arc::clone(&library);
        let plain = call(cipher, |cipher, buffer| {
            let room = i32::try_from(buffer.len()).unwrap_or(i32::MAX);
            // SAFETY: `cipher` is valid for its length and `buffer` for `room` bytes during the call, and the
            // library is open.
            let code = call_program("DecryptPassword", || unsafe {
                function(cipher.as_ptr().cast(), cipher.len(), buffer.as_mut_ptr().cast(), room)
            });
            (code, buffer.iter().position(|byte| *byte == 0))
        });
        drop(open);
        plain
    }))
}

/// Gives cipher text and a buffer to `decrypt`, and takes as many bytes of the buffer as it says.
///
/// The cipher text is followed by a zero byte that does not count in its length, for functions that take it
/// as a C string.
fn call(cipher: &[u8], decrypt: impl FnOnce(&[u8], &mut [u8]) -> (c_int, Option<usize>)) -> Result<Vec<u8>> {
    let terminated = [cipher, &[0]].concat();
    let mut buffer = vec![0_u8; CAPACITY.max(cipher.len() + 1)];
    let cipher = terminated.get(..cipher.len()).unwrap_or_default();
    let (code, length) = decrypt(cipher, &mut buffer);
    let result = match length.map(|length| buffer.get(..length)) {
        _ if code != 0 => Err(Error::invalid(OP, "the decrypter failed").with("code", code)),
        Some(Some(plain)) => Ok(plain.to_vec()),
        Some(None) => Err(Error::invalid(OP, "the decrypter reports more bytes than its buffer has")
            .with("length", length.unwrap_or_default())
            .with("capacity", buffer.len())),
        None => Err(Error::invalid(OP, "the decrypter ended its text with no zero byte")
            .with("capacity", buffer.len())),
    };
    wipe(&mut buffer);
    result
}

/// Overwrites with writes that the compiler must not leave out.
fn wipe(buffer: &mut [u8]) {
    for byte in buffer {
        // SAFETY: a valid reference of its own.
        unsafe { std::ptr::write_volatile(byte, 0) };
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// A decrypter as programs bring it along: the length is a number, and the text ends with a zero byte.
    const LIBRARY: &str = r#"
        #include <stddef.h>
        #include <stdint.h>
        #include <string.h>
        int DecryptPassword(const char *cipher, size_t cipher_length, char *plain, int32_t plain_length)
        {
            size_t i;
            if (plain_length < 0 || (size_t)plain_length <= cipher_length) return 7;
            if (cipher_length == 4 && memcmp(cipher, "full", 4) == 0) {
                memset(plain, 'x', (size_t)plain_length);
                return 0;
            }
            if (strlen(cipher) != cipher_length) return 8;
            for (i = 0; i < cipher_length; i++) plain[i] = (char)(cipher[i] - 1);
            plain[cipher_length] = 0;
            return cipher_length == 0 ? 9 : 0;
        }
    "#;

    #[test]
    fn library_decrypter_takes_capacity_by_value_and_returns_a_string() {
        let folder = std::env::temp_dir().join(format!("mf-decrypter-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, library) = (folder.join("decrypter.c"), folder.join("libdecrypter.so"));
        std::fs::write(&source, LIBRARY).unwrap();
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let compiled = Command::new(compiler)
            .args(["-shared", "-fPIC", "-o"])
            .args([&library, &source])
            .output()
            .expect("a C compiler is needed: apt-get install gcc libc6-dev");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let decrypt = from_library(library.to_str().unwrap()).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(decrypt(b"tfdsfu").unwrap(), b"secret");
        assert_eq!(decrypt(&[b'b'; 5000]).unwrap(), [b'a'; 5000]);
        assert!(decrypt(b"").unwrap_err().to_string().contains("code 9"));
        assert!(decrypt(b"full").unwrap_err().to_string().contains("no zero byte"));
    }

    #[test]
    fn callback_decrypter_takes_and_sets_length_by_pointer() {
        unsafe extern "C-unwind" fn half(
            cipher: *const c_char,
            cipher_len: usize,
            plain: *mut c_char,
            plain_len: *mut usize,
        ) -> c_int {
            // SAFETY: the caller passes a length of its own.
            let length = unsafe { &mut *plain_len };
            assert!(*length > cipher_len);
            // SAFETY: both buffers are that long.
            unsafe { std::ptr::copy_nonoverlapping(cipher, plain, cipher_len / 2) };
            *length = if cipher_len == 3 { *length + 1 } else { cipher_len / 2 };
            0
        }
        // SAFETY: it keeps to its buffers.
        let decrypt = unsafe { from_handler(half) };
        assert_eq!(decrypt(b"se\0cretxxx").unwrap(), b"se\0cr");
        assert!(decrypt(b"abc").unwrap_err().to_string().contains("more bytes than its buffer"));
    }

    #[test]
    fn unusable_libraries_are_named() {
        let why = |path: &str| from_library(path).err().unwrap().to_string();
        assert!(why("/nowhere/lib.so").contains("cannot be opened: library /nowhere/lib.so"));
        assert!(why("libc.so.6").contains("no DecryptPassword"));
    }
}
