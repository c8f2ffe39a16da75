// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Certificates of the connections of a job. The calls keep copies of their arguments; the next init uses
//! them, and fails if they are invalid.

use std::ffi::{c_char, c_int};
use std::sync::Mutex;

use mf_base::settings::{Switch, settings};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_shmem::cann::codes::{BOOTSTRAP_ERROR, INNER_ERROR};
use mf_shmem::cann::environment::{Mode, variable};
use mf_tls::TlsFiles;

use super::instances;
use super::types::DecryptHandler;
use crate::boundary::bytes;
use crate::decrypter;
use crate::startup::prepare;

/// Settings of the program.
#[derive(Clone)]
struct TlsSettings {
    enable: Option<bool>,
    info: Vec<u8>,
    key: Option<Key>,
}

#[derive(Clone)]
struct Key {
    key: Vec<u8>,
    password: Vec<u8>,
    handler: DecryptHandler,
}

static SETTINGS: Mutex<TlsSettings> = Mutex::new(TlsSettings { enable: None, info: Vec::new(), key: None });

/// Returns true, with a warning, if a call comes after init.
fn is_late(op: &'static str) -> bool {
    let is_late = instances::current().is_some();
    if is_late {
        tracing::warn!("{op}: it changes nothing now; call it before init");
    }
    is_late
}

pub(crate) unsafe fn aclshmemx_set_conf_store_tls(
    op: &'static str,
    enable: bool,
    tls_info: *const c_char,
    tls_info_len: u32,
) -> Result<c_int> {
    prepare()?;
    if is_late(op) {
        return Ok(0);
    }
    let info = match enable {
        false => &[][..],
        // SAFETY: the caller passes so many readable bytes.
        true => unsafe { bytes(op, "tls_info", tls_info.cast(), u64::from(tls_info_len)) }?,
    };
    let mut tls = lock(&SETTINGS);
    tls.enable = Some(enable);
    tls.info = info.strip_suffix(b"\0").unwrap_or(info).to_vec();
    Ok(0)
}

pub(crate) unsafe fn aclshmemx_set_config_store_tls_key(
    op: &'static str,
    tls_pk: *const c_char,
    tls_pk_len: u32,
    tls_pk_pw: *const c_char,
    tls_pk_pw_len: u32,
    decrypt_handler: DecryptHandler,
) -> Result<c_int> {
    prepare()?;
    if is_late(op) {
        return Ok(0);
    }
    // SAFETY: the caller passes so many readable bytes.
    let key = unsafe { bytes(op, "the key", tls_pk.cast(), u64::from(tls_pk_len)) }?;
    // SAFETY: the caller passes so many readable bytes.
    let password = unsafe { bytes(op, "the password", tls_pk_pw.cast(), u64::from(tls_pk_pw_len)) }?;
    lock(&SETTINGS).key =
        Some(Key { key: key.to_vec(), password: password.to_vec(), handler: decrypt_handler });
    Ok(0)
}

pub(crate) use {
    aclshmemx_set_conf_store_tls as shmem_set_conf_store_tls,
    aclshmemx_set_config_store_tls_key as shmem_set_config_store_tls_key,
};

/// Returns true if the variable selects plaintext.
fn is_disabled() -> bool {
    variable("SHMEM_TLS_DISABLE").is_some_and(|text| text.trim() != "0")
}

/// Returns true if the program or its environment has chosen the protection of connections.
pub(super) fn is_decided() -> Result<bool> {
    let settings = settings()?;
    let has_secret = !settings.job_secret.0.is_empty() || !settings.job_secret_file.is_empty();
    let has_said = settings.store_tls != Switch::Auto || !settings.store_tls_info.is_empty();
    Ok(has_secret || has_said || is_disabled() || lock(&SETTINGS).enable.is_some())
}

/// Applies the settings to stores that start later. The store of a unique id is there already, and encrypted
/// by the secret that the id has: plaintext is not chosen for it.
///
/// # Errors
/// `InvalidParam` names the invalid setting, with the code of the bootstrap.
pub(super) fn apply(op: &'static str, mode: Mode) -> Result<()> {
    let tls = lock(&SETTINGS).clone();
    if mode == Mode::UniqueId && (is_disabled() || tls.enable == Some(false)) {
        return Ok(());
    }
    if is_disabled() || tls.enable == Some(false) {
        return mf_tls::configure(false, None);
    }
    if let Some(Key { key, password, handler }) = tls.key {
        // SAFETY: the interface asks for a function that any thread may call until the process ends.
        let decrypt = handler.map(|handler| unsafe { decrypter::from_handler(handler) });
        mf_tls::configure_key(key, password, decrypt);
    }
    if tls.enable == Some(true) {
        let files = str::from_utf8(&tls.info)
            .map_err(|_| Error::invalid(op, "tls_info is not UTF-8"))
            .and_then(TlsFiles::from_info);
        let configured = files.and_then(|files| mf_tls::configure(true, Some(files)));
        return configured.map_err(|error| error.code_of_family(BOOTSTRAP_ERROR));
    }
    Ok(())
}

/// Gives errors of finding the other PEs their codes, and says what to do where one is about the protection
/// of connections.
pub(super) fn explain(error: Error) -> Error {
    match error.operation() {
        "store tls" => {}
        // An address that cannot be bound: no argument is wrong by itself.
        "store server" if error.family_code().is_none() && error.kind() == Kind::InvalidParam => {
            return error.code_of_family(INNER_ERROR);
        }
        _ => return error,
    }
    error.code_of_family(BOOTSTRAP_ERROR).hint(
        "call aclshmemx_set_conf_store_tls and aclshmemx_set_config_store_tls_key with certificates before init, or \
         choose plaintext: aclshmemx_set_conf_store_tls(false, NULL, 0), or SHMEM_TLS_DISABLE=1",
    )
}
