// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Configurations of endpoints, as three releases lay them out.

use std::ffi::c_char;
use std::mem::offset_of;
use std::time::Duration;

use mf_abi::smem::{
    BmDataOpType, SMEM_TRANS_SENDER, SMEMB_DATA_OP_HOST_TCP, SMEMB_DATA_OP_SDMA, TlsConfig, TransConfig,
    TransRole,
};
use mf_base::{Error, Result};
use mf_net::choice::EngineSet;
use mf_smem::trans::{Options, Role};
use mf_tcp::nic::ListenPatterns;

use crate::boundary::array_text;
use crate::built_in_kernels::built_in;
use crate::{part, tls_options};

/// Fields at the beginning of all configurations.
#[repr(C)]
#[derive(Clone, Copy)]
struct Head {
    role: TransRole,
    init_timeout: u32,
    device_id: u32,
    flags: u32,
    data_op_type: BmDataOpType,
}

/// The configuration of the next release; its first 84 bytes equal release 1.3. Provisional.
#[repr(C)]
pub(super) struct NextConfig {
    head: Head,
    nic: [c_char; 64],
    url: [c_char; 64],
    hcom_tls_config: TlsConfig,
}

/// The configuration of February 2026.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct EarlyConfig {
    head: Head,
    start_config_server: u8,
}

const _: () = assert!(size_of::<NextConfig>() == 1944 && size_of::<TransConfig>() == 1880);
const _: () = assert!(offset_of!(NextConfig, nic) == offset_of!(TransConfig, nic));
const _: () = assert!(offset_of!(NextConfig, url) == offset_of!(TransConfig, hcom_tls_config));
const _: () = assert!(size_of::<EarlyConfig>() == 24);

/// The engine that a configuration asks for by default.
fn default_engine(op: &'static str) -> BmDataOpType {
    let has_accelerator = part::devices(op).is_ok_and(|devices| devices.accelerator().is_some());
    if has_accelerator { SMEMB_DATA_OP_SDMA } else { SMEMB_DATA_OP_HOST_TCP }
}

fn default_head(op: &'static str) -> Head {
    Head {
        role: SMEM_TRANS_SENDER,
        init_timeout: 120,
        device_id: u32::MAX,
        flags: 0,
        data_op_type: default_engine(op),
    }
}

/// The defaults of release 1.3.
pub(super) fn defaults(op: &'static str) -> TransConfig {
    let Head { role, init_timeout, device_id, flags, data_op_type } = default_head(op);
    let (nic, hcom_tls_config) = ([0; 64], tls_options::OFF);
    TransConfig { role, init_timeout, device_id, flags, data_op_type, nic, hcom_tls_config }
}

/// The defaults of February 2026.
pub(super) fn early_defaults(op: &'static str) -> EarlyConfig {
    EarlyConfig { head: default_head(op), start_config_server: 0 }
}

/// A configuration of any release.
pub(super) struct Wanted<'a> {
    head: Head,
    nic: &'a str,
    tls: Option<&'a TlsConfig>,
    /// Address at which the endpoint is met: of the next release.
    pub(super) url: &'a str,
    /// A store is to be started first: of February 2026.
    pub(super) starts_store: bool,
}

impl<'a> Wanted<'a> {
    pub(super) fn of_release(op: &'static str, config: &'a TransConfig) -> Result<Self> {
        let TransConfig { role, init_timeout, device_id, flags, data_op_type, .. } = *config;
        let head = Head { role, init_timeout, device_id, flags, data_op_type };
        let (nic, tls) = (array_text(op, "nic", &config.nic)?, Some(&config.hcom_tls_config));
        Ok(Self { head, nic, tls, url: "", starts_store: false })
    }

    pub(super) fn of_next(op: &'static str, config: &'a NextConfig) -> Result<Self> {
        let (nic, url) = (array_text(op, "nic", &config.nic)?, array_text(op, "url", &config.url)?);
        Ok(Self { head: config.head, nic, tls: Some(&config.hcom_tls_config), url, starts_store: false })
    }

    pub(super) fn of_february_2026(config: &EarlyConfig) -> Self {
        let starts_store = config.start_config_server != 0;
        Self { head: config.head, nic: "", tls: None, url: "", starts_store }
    }

    /// Refuses a configuration that no endpoint can be made of.
    ///
    /// # Errors
    /// `InvalidParam` names the field.
    pub(super) fn check(&self, op: &'static str) -> Result<()> {
        Role::from_number(op, self.head.role)?;
        ListenPatterns::parse(self.nic)?;
        if self.head.init_timeout == 0 {
            return Err(Error::invalid(op, "initTimeout is 0").hint("1 second or more"));
        }
        self.device(op).map(drop)
    }

    fn device(&self, op: &'static str) -> Result<Option<u16>> {
        match self.head.device_id {
            u32::MAX => Ok(None),
            index => u16::try_from(index)
                .map(Some)
                .map_err(|_| Error::invalid(op, "unknown device").with("deviceId", index)),
        }
    }

    /// Returns the options of an endpoint of this name at this store.
    ///
    /// # Errors
    /// As [`check`](Self::check), and `InvalidParam` invalid certificates.
    pub(super) fn options(&self, op: &'static str, url: &str, name: &str) -> Result<Options> {
        self.check(op)?;
        let certificates = self.tls.map(|config| tls_options::of_config(op, config)).transpose()?.flatten();
        let options = Options::new(url, name)
            .role(Role::from_number(op, self.head.role)?)
            .init_timeout(Duration::from_secs(u64::from(self.head.init_timeout)))
            .nic(self.nic)
            .certificates(certificates)
            .device(self.device(op)?)
            .kernels(built_in);
        // Programs of others may leave the number as it was.
        let engines = EngineSet::from_any_bits(self.head.data_op_type);
        Ok(match self.head.data_op_type == default_engine(op) {
            // Nobody need have chosen it.
            true => options.engines_by_default(engines),
            false => options.engines(engines),
        })
    }
}
