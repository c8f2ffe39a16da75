// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TLS of config stores: by one text, by contents of key and password, or for servers that a program starts.

use std::ffi::c_char;
use std::sync::Mutex;

use mf_abi::smem::{Decrypter, TlsOptions};
use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_tls::Access;
use mf_tls::TlsFiles;

use crate::boundary::{bytes, present};
use crate::decrypter;
use crate::startup::prepare;
use crate::tls_options::{files_of_options, optional_text};

/// Credentials of servers that start later. `None` until the program sets them.
static SERVER_ACCESS: Mutex<Option<Access>> = Mutex::new(None);

/// Returns the credentials of servers that the program starts.
pub(super) fn server_access() -> Access {
    lock(&SERVER_ACCESS).clone().unwrap_or_default()
}

pub(crate) unsafe fn smem_set_conf_store_tls(
    op: &'static str,
    enable: bool,
    info: *const c_char,
    info_len: u32,
) -> Result<()> {
    prepare()?;
    if !enable {
        return mf_tls::configure(false, None);
    }
    present(op, "tls_info", info)?;
    // SAFETY: the caller passes so many readable bytes.
    let info = unsafe { bytes(op, "tls_info", info.cast(), u64::from(info_len)) }?;
    // Some callers count the terminator.
    let info = info.strip_suffix(b"\0").unwrap_or(info);
    let info = str::from_utf8(info).map_err(|_| Error::invalid(op, "tls_info is not UTF-8"))?;
    mf_tls::configure(true, Some(TlsFiles::from_info(info)?))
}

pub(crate) unsafe fn smem_set_config_store_tls_key(
    op: &'static str,
    key: *const c_char,
    key_len: u32,
    password: *const c_char,
    password_len: u32,
    handler: Decrypter,
) -> Result<()> {
    prepare()?;
    // SAFETY: the caller passes so many readable bytes.
    let key = unsafe { bytes(op, "the key", key.cast(), u64::from(key_len)) }?;
    // SAFETY: the caller passes so many readable bytes.
    let password = unsafe { bytes(op, "the password", password.cast(), u64::from(password_len)) }?;
    // SAFETY: the interface asks for a function that any thread may call until the process ends.
    let decrypt = handler.map(|handler| unsafe { decrypter::from_handler(handler) });
    mf_tls::configure_key(key.to_vec(), password.to_vec(), decrypt);
    Ok(())
}

pub(crate) unsafe fn smem_config_store_set_tls(
    op: &'static str,
    options: *const TlsOptions,
    _tls_library: *const c_char,
    decrypter_library: *const c_char,
) -> Result<()> {
    prepare()?;
    // SAFETY: null, or a struct of this size that nobody changes meanwhile.
    let options = unsafe { options.as_ref() };
    let access = match options.filter(|options| options.enable_tls != 0) {
        None => Access { plaintext: true, ..Access::default() },
        Some(options) => {
            // SAFETY: the caller passes C strings or null.
            let mut files = unsafe { files_of_options(op, options) }?;
            // SAFETY: the caller passes a C string or null.
            let library = unsafe { optional_text(op, "the decrypter library", decrypter_library) }?;
            if !library.is_empty() {
                files = files.decrypt(decrypter::from_library(library)?);
            }
            Access { certificates: Some(files), ..Access::default() }
        }
    };
    *lock(&SERVER_ACCESS) = Some(access);
    Ok(())
}
