// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How C programs say which TLS the store has: in one text, in contents of key and password, in the
//! configuration of big memory, or for the servers that are made by hand.

use std::ffi::c_char;

use mf_abi::smem::{Decrypter, TlsConfig, TlsOptions};
use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_tls::Access;
use mf_tls::{ConfigPaths, OptionPaths, TlsFiles};

use crate::boundary::{array_text, bytes, present, text};
use crate::decrypter;
use crate::process::{PROCESS, prepare};

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
    // SAFETY: as above.
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
            // SAFETY: as above.
            let library = unsafe { optional_text(op, "the decrypter library", decrypter_library) }?;
            if !library.is_empty() {
                files = files.decrypt(decrypter::from_library(library)?);
            }
            Access { certificates: Some(files), ..Access::default() }
        }
    };
    *lock(&PROCESS.server_access) = Some(access);
    Ok(())
}

/// # Safety
/// Every string of `options` is null or a C string.
pub(crate) unsafe fn files_of_options(operation: &'static str, options: &TlsOptions) -> Result<TlsFiles> {
    // SAFETY: passed on to the caller.
    let field = |name, pointer| unsafe { optional_text(operation, name, pointer) };
    TlsFiles::from_options(&OptionPaths {
        top_path: field("tls_top_path", options.tls_top_path)?,
        cert: field("tls_cert", options.tls_cert)?,
        crl_path: field("tls_crl_path", options.tls_crl_path)?,
        ca_path: field("tls_ca_path", options.tls_ca_path)?,
        ca_file: field("tls_ca_file", options.tls_ca_file)?,
        crl_file: field("tls_crl_file", options.tls_crl_file)?,
        private_key: field("tls_private_key", options.tls_private_key)?,
        private_key_password: field("tls_private_key_password", options.tls_private_key_password)?,
    })
}

/// # Safety
/// As [`text`].
unsafe fn optional_text<'a>(operation: &'static str, name: &str, pointer: *const c_char) -> Result<&'a str> {
    if pointer.is_null() {
        return Ok("");
    }
    // SAFETY: passed on to the caller.
    unsafe { text(operation, name, pointer) }
}

/// The certificates that a `smem_tls_config` describes; none when it is switched off.
pub(crate) fn of_config(operation: &'static str, config: &TlsConfig) -> Result<Option<TlsFiles>> {
    if config.enable == 0 {
        return Ok(None);
    }
    const NAMES: [&str; 7] =
        ["caPath", "crlPath", "certPath", "keyPath", "keyPassPath", "packagePath", "decrypterLibPath"];
    let arrays = [
        &config.ca_path,
        &config.crl_path,
        &config.cert_path,
        &config.key_path,
        &config.key_pass_path,
        &config.package_path,
        &config.decrypter_lib_path,
    ];
    let mut texts = [""; 7];
    for ((text, name), array) in texts.iter_mut().zip(NAMES).zip(arrays) {
        *text = array_text(operation, name, array)?;
    }
    let [ca_path, crl_path, cert_path, key_path, key_pass_path, package_path, library] = texts;
    if !package_path.is_empty() {
        tracing::info!(packagePath = package_path, "packagePath is ignored: no OpenSSL is used");
    }
    let mut files =
        TlsFiles::from_config(&ConfigPaths { ca_path, crl_path, cert_path, key_path, key_pass_path })?;
    if !library.is_empty() {
        files = files.decrypt(decrypter::from_library(library)?);
    }
    Ok(Some(files))
}
