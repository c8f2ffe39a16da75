// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of an endpoint.

use std::sync::Arc;
use std::time::Duration;

use mf_base::settings::{Settings, Switch, settings};
use mf_base::{Error, Result};
use mf_device::host::HostDevice;
use mf_device::{Choice, Devices};
use mf_net::choice::{EngineSet, Machine, Request};
use mf_tls::TlsFiles;

use super::name::check_name;
use super::quant::BuiltInKernels;

/// Role of an endpoint. With any role, both sides read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing that was said.
    None,
    /// It sends.
    Sender,
    /// It receives.
    Receiver,
    /// Both.
    Both,
}

impl Role {
    /// Returns the role of a number of the C interface.
    ///
    /// # Errors
    /// `InvalidParam` unknown role.
    pub fn from_number(operation: &'static str, number: u32) -> Result<Self> {
        match number {
            0 => Ok(Self::None),
            1 => Ok(Self::Sender),
            2 => Ok(Self::Receiver),
            3 => Ok(Self::Both),
            _ => Err(Error::invalid(operation, "no such role").with("role", number).hint("0 to 3")),
        }
    }
}

/// Options of [`super::Endpoint::create`].
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) store_url: String,
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) timeout: Duration,
    pub(crate) nic: String,
    pub(crate) certificates: Option<TlsFiles>,
    pub(crate) device: Option<u16>,
    pub(crate) devices: Option<Devices>,
    pub(crate) engines: EngineSet,
    /// True if the caller has chosen them.
    pub(crate) engines_are_chosen: bool,
    pub(crate) kernels: Option<BuiltInKernels>,
}

impl Options {
    /// An endpoint of this name (`ip:port` or `[ip6]:port`) at the store of this URL, which must be there; of
    /// host memory.
    pub fn new(store_url: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            store_url: store_url.into(),
            name: name.into(),
            role: Role::Both,
            timeout: Duration::from_secs(120),
            nic: String::new(),
            certificates: None,
            device: None,
            devices: None,
            engines: EngineSet::AUTO,
            engines_are_chosen: false,
            kernels: None,
        }
    }

    /// Sets its role (default: both).
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Bounds connecting to the store (default 120 s).
    #[must_use]
    pub fn init_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the listen address for others, in the form of the setting `MF_NIC`; empty: that setting.
    #[must_use]
    pub fn nic(mut self, nic: impl Into<String>) -> Self {
        self.nic = nic.into();
        self
    }

    /// Certificates towards the store; with any, connections to other processes are encrypted, too.
    #[must_use]
    pub fn certificates(mut self, certificates: impl Into<Option<TlsFiles>>) -> Self {
        self.certificates = certificates.into();
        self
    }

    /// Sets the logical number of an accelerator, to transfer its memory too (default: none).
    #[must_use]
    pub fn device(mut self, device: impl Into<Option<u16>>) -> Self {
        self.device = device.into();
        self
    }

    /// Uses these devices, instead of `MF_DEVICE` and the number.
    #[must_use]
    pub fn devices(mut self, devices: Devices) -> Self {
        self.devices = Some(devices);
        self
    }

    /// Sets the engines for the data of transfers (default: the best). Memory that is copied in place on this
    /// host is in any case. If none of them reaches the other process, the best other that does is used, with
    /// one warning, or none with `MF_STRICT_ENGINE=1`. Notifications are not data, and use any engine that
    /// reaches the peer.
    #[must_use]
    pub fn engines(mut self, engines: EngineSet) -> Self {
        (self.engines, self.engines_are_chosen) = (engines, true);
        self
    }

    /// The same, for a default that the caller need not have chosen: nothing warns, and where this machine
    /// lacks all of them nothing is asked for.
    #[must_use]
    pub fn engines_by_default(mut self, engines: EngineSet) -> Self {
        (self.engines, self.engines_are_chosen) = (engines, false);
        self
    }

    /// Sets the library's kernels, for quantised writes of an accelerator's memory (default: none, and the
    /// processor does it).
    #[must_use]
    pub fn kernels(mut self, kernels: BuiltInKernels) -> Self {
        self.kernels = Some(kernels);
        self
    }

    /// The devices, and the engines that are asked for: a default that is lacking here asks for nothing.
    ///
    /// # Errors
    /// `NotExist` no accelerator of that number, or with `MF_STRICT_ENGINE=1` all engines that the caller has
    /// chosen are lacking here towards any process.
    pub(super) fn open_devices(&self) -> Result<(Devices, EngineSet)> {
        let settings = settings()?;
        let devices = match (&self.devices, self.device) {
            (Some(devices), _) => devices.clone(),
            (None, None) => mf_device::choose(Choice::None, 0, host(settings))?.0,
            (None, Some(index)) => mf_device::choose(settings.device, u32::from(index), host(settings))?.0,
        };
        if self.engines.is_auto() || (self.engines_are_chosen && !settings.strict_engine) {
            return Ok((devices, self.engines));
        }
        let accelerator = devices.accelerator().map(|device| device.describe());
        let machine = Machine::here(accelerator, settings.shared_memory, &settings.transports)?;
        match machine.check(&Request { engines: self.engines, ..Request::default() }) {
            Err(error) if self.engines_are_chosen => Err(error),
            Err(_) => Ok((devices, EngineSet::AUTO)),
            Ok(()) => Ok((devices, self.engines)),
        }
    }

    /// Refuses an accelerator's number that this machine lacks.
    ///
    /// # Errors
    /// `NotExist` no accelerator of that number.
    pub fn check_device(&self) -> Result<()> {
        self.open_devices().map(drop)
    }

    /// Refuses impossible options, without connecting to anything.
    ///
    /// # Errors
    /// `InvalidParam` the name or the timeout.
    pub fn check(&self, operation: &'static str) -> Result<()> {
        check_name(operation, &self.name)?;
        if self.timeout.is_zero() {
            return Err(Error::invalid(operation, "the init timeout is 0").hint("1 second or more"));
        }
        Ok(())
    }
}

fn host(settings: &Settings) -> Arc<HostDevice> {
    let huge = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
    Arc::new(HostDevice::new(huge))
}
