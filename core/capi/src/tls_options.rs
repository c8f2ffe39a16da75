// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Certificates from the TLS structs of C.

use std::ffi::c_char;

use mf_abi::smem::{SMEM_TLS_PATH_SIZE, TlsConfig, TlsOptions};
use mf_base::Result;
use mf_tls::{ConfigPaths, OptionPaths, TlsFiles};

use crate::boundary::{array_text, text};
use crate::decrypter;

const NO_PATH: [c_char; SMEM_TLS_PATH_SIZE] = [0; SMEM_TLS_PATH_SIZE];

/// The default of `smem_tls_config`: switched off.
pub(crate) const OFF: TlsConfig = TlsConfig {
    enable: 0,
    ca_path: NO_PATH,
    crl_path: NO_PATH,
    cert_path: NO_PATH,
    key_path: NO_PATH,
    key_pass_path: NO_PATH,
    package_path: NO_PATH,
    decrypter_lib_path: NO_PATH,
};

/// # Safety
/// Every string of `options` is null or a C string.
pub(crate) unsafe fn files_of_options(operation: &'static str, options: &TlsOptions) -> Result<TlsFiles> {
    // SAFETY: the caller passes a C string or null.
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
pub(crate) unsafe fn optional_text<'a>(
    operation: &'static str,
    name: &str,
    pointer: *const c_char,
) -> Result<&'a str> {
    if pointer.is_null() {
        return Ok("");
    }
    // SAFETY: the caller passes a C string or null.
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
