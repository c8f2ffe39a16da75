// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_trans.h`: configuration, init and uninit, making and ending endpoints.

use std::ffi::c_char;
use std::time::Duration;

use mf_abi::smem::{
    BmDataOpType, SMEM_TLS_PATH_SIZE, SMEM_TRANS_SENDER, SMEMB_DATA_OP_HOST_TCP, SMEMB_DATA_OP_SDMA,
    TlsConfig, TransConfig, TransHandle,
};
use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Result};
use mf_net::choice::EngineSet;
use mf_smem::trans::{Endpoint, Options, Role};
use mf_tcp::nic::ListenPatterns;

use super::state::{Context, STATE, unknown};
use crate::boundary::{array_text, text};
use crate::built_in_kernels::built_in;
use crate::startup::prepare;
use crate::{part, tls_options};

/// The engine that a configuration asks for by default.
fn default_engine(op: &'static str) -> BmDataOpType {
    let has_accelerator = part::devices(op).is_ok_and(|devices| devices.accelerator().is_some());
    if has_accelerator { SMEMB_DATA_OP_SDMA } else { SMEMB_DATA_OP_HOST_TCP }
}

pub(crate) unsafe fn smem_trans_config_init(op: &'static str, config: *mut TransConfig) -> Result<()> {
    let none = [0; SMEM_TLS_PATH_SIZE];
    let defaults = TransConfig {
        role: SMEM_TRANS_SENDER,
        init_timeout: 120,
        device_id: u32::MAX,
        flags: 0,
        data_op_type: default_engine(op),
        nic: [0; 64],
        hcom_tls_config: TlsConfig {
            enable: 0,
            ca_path: none,
            crl_path: none,
            cert_path: none,
            key_path: none,
            key_pass_path: none,
            package_path: none,
            decrypter_lib_path: none,
        },
    };
    // SAFETY: not null; the caller passes a struct of this size.
    unsafe { config.write(defaults) };
    Ok(())
}

pub(crate) unsafe fn smem_trans_init(op: &'static str, config: *const TransConfig) -> Result<()> {
    prepare()?;
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    STATE.begin(op, || {
        check(op, config)?;
        Ok(Context(Owner::current()))
    })
}

pub(crate) fn smem_trans_uninit(op: &'static str, _flags: u32) -> Result<()> {
    part::end(op, part::TRANSFERS);
    Ok(())
}

/// Refuses what no endpoint could be made of.
fn check(op: &'static str, config: &TransConfig) -> Result<(Role, Option<u16>)> {
    let role = Role::from_number(op, config.role)?;
    ListenPatterns::parse(array_text(op, "nic", &config.nic)?)?;
    if config.init_timeout == 0 {
        return Err(Error::invalid(op, "initTimeout is 0").hint("1 second or more"));
    }
    let device = match config.device_id {
        u32::MAX => None,
        index => Some(
            u16::try_from(index).map_err(|_| Error::invalid(op, "unknown device").with("deviceId", index))?,
        ),
    };
    Ok((role, device))
}

pub(crate) unsafe fn smem_trans_create(
    op: &'static str,
    url: *const c_char,
    name: *const c_char,
    config: *const TransConfig,
) -> Result<TransHandle> {
    // SAFETY: the caller passes a C string.
    let url = unsafe { text(op, "the store URL", url) }?;
    // SAFETY: the caller passes a C string.
    let name = unsafe { text(op, "the name of the endpoint", name) }?;
    // SAFETY: not null; the caller passes an initialised struct that nobody changes meanwhile.
    let config = unsafe { &*config };
    STATE.context(op).map_err(|error| match error.kind() {
        Kind::NotInit if STATE.current().is_none() => error.as_kind(Kind::InvalidParam),
        _ => error,
    })?;
    let (role, device) = check(op, config)?;
    let options = Options::new(url, name)
        .role(role)
        .init_timeout(Duration::from_secs(u64::from(config.init_timeout)))
        .nic(array_text(op, "nic", &config.nic)?)
        .certificates(tls_options::of_config(op, &config.hcom_tls_config)?)
        .device(device)
        .kernels(built_in);
    // Programs of others may leave the number as it was.
    let engines = EngineSet::from_any_bits(config.data_op_type);
    let options = match config.data_op_type == default_engine(op) {
        // Nobody need have chosen it.
        true => options.engines_by_default(engines),
        false => options.engines(engines),
    };
    STATE.publish(op, Endpoint::create(options)?)
}

pub(crate) fn smem_trans_destroy(op: &'static str, handle: TransHandle, _flags: u32) -> Result<()> {
    let is_one = STATE.end_object(op, handle)?;
    if is_one { Ok(()) } else { Err(unknown(op, handle)) }
}
