// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The knobs of the simulated machine: `ASCEND_SIM_*` in the environment, which overrides a file of `NAME =
//! value` lines named by `ASCEND_SIM_CONFIG`. An invalid name or value is refused: a silently ignored knob
//! would make a test meaningless.
//!
//! | name | value | default |
//! |---|---|---|
//! | `SOC` | SoC name; decides the capabilities of the devices | `Ascend910_9382` |
//! | `CANN` | release to pass for, with its functions: `8.1`, `8.3`, `8.5`, `9.0`, `9.1`, `9.2`, `next` | `9.1` |
//! | `DEVICES` | devices of each server | 8 |
//! | `HBM_BYTES` | HBM of each device; sizes take K, M, G, T | by SoC |
//! | `HOST_BYTES` | host memory of each server that the device side hands out | 1T |
//! | `SERVER` | number of the server on which this process runs | 0 |
//! | `SESSION` | name of the machine; processes with the same one share it | `default` |
//! | `TOPOLOGY` | which devices reach which: see [`topology`] | by SoC |
//! | `SCHEDULE` | order of streams: `fifo`, `random` or `random(SEED)`, `slow(MICROSECONDS)` | `fifo` |
//! | `SEED` | seed of `random` without one | 0 |
//! | `FILL` | byte that fresh memory is filled with, or `off` | 0xCD |
//! | `KEEP_BYTES` | host memory that allocations leave available: a larger request is out of memory | 0 |
//! | `KERNELS` | how kernels run that are compiled from Ascend C: `checked` or `eager` | `checked` |
//! | `SITES`, `LEAVE_OUT` | for tests of such kernels, which read them themselves: a file that lists the calls that synchronise; the one to leave out, `FILE:LINE` | none |
//! | `ADDR` | device addresses: `same` or `alias` | `same` |
//! | `STRICT` | refuse also what hardware tolerates: 1 or 0 | 1 |
//! | `OP_TIMEOUT` | longest run of a kernel, in seconds | 10 |
//! | `LATENCY_US`, `GBPS` | what copies cost: see [`cost`] | nothing |
//! | `FAULTS` | faults to inject: see [`crate::faults`] | none |
//! | `TRACE` | file for one JSON line a call | none |
//! | `CONFIG` | file with these settings, only in the environment | none |

pub mod cost;
mod machine_settings;
mod source;
pub mod topology;
mod value;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use crate::codes::acl;
use crate::device_ids::{MOST_DEVICES, MOST_OF_A_SERVER};
use crate::fault::{Fault, Outcome};
use crate::product::Product;
use crate::release::Release;
use cost::Cost;
pub use machine_settings::MachineSettings;
use topology::Topology;
pub(crate) use value::{call, plain};

/// Every knob, without prefix.
const NAMES: [&str; 22] = [
    "SOC",
    "CANN",
    "DEVICES",
    "HBM_BYTES",
    "HOST_BYTES",
    "SERVER",
    "SESSION",
    "TOPOLOGY",
    "SCHEDULE",
    "SEED",
    "FILL",
    "KEEP_BYTES",
    "KERNELS",
    "SITES",
    "LEAVE_OUT",
    "ADDR",
    "STRICT",
    "OP_TIMEOUT",
    "LATENCY_US",
    "GBPS",
    "FAULTS",
    "TRACE",
];

/// Order in which ready tasks of different streams run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// As soon as they can.
    Fifo,
    /// After pauses drawn from this seed, so that streams overtake each other.
    Random(u64),
    /// Each task only after this pause.
    Slow(Duration),
}

/// Execution mode of kernels compiled from Ascend C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernels {
    /// Their pipes run apart, and every access is checked.
    Checked,
    /// Each call at once.
    Eager,
}

/// Relation of device addresses to the processor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressing {
    /// The memory itself.
    Same,
    /// Device addresses are inaccessible to the program; the simulator maps the memory at different
    /// addresses.
    Alias,
}

/// The knobs.
#[derive(Clone, Debug)]
pub struct Config {
    /// SoC name.
    pub soc: String,
    /// The release to pass for.
    pub release: &'static Release,
    /// Number of devices of each server.
    pub devices: u32,
    /// HBM of each device, in bytes.
    pub hbm_bytes: u64,
    /// Host memory that the device side may hand out (VMM on the host), in bytes.
    pub host_bytes: u64,
    /// The simulated server on which this process runs.
    pub server: u32,
    /// Name of the simulated machine; processes with the same one share it.
    pub session: String,
    /// Which devices reach which.
    pub topology: Topology,
    /// Schedule of the streams.
    pub schedule: Schedule,
    /// Fill byte of fresh memory; `None` for zero pages.
    pub fill: Option<u8>,
    /// So many bytes of the host's memory stay available.
    pub keep_bytes: u64,
    /// Execution mode of kernels.
    pub kernels: Kernels,
    /// Device addresses.
    pub addressing: Addressing,
    /// Also refuse what hardware tolerates.
    pub strict: bool,
    /// Longest run of a kernel.
    pub op_timeout: Duration,
    /// Simulated cost of copies.
    pub cost: Cost,
    /// Faults to inject, as written.
    pub faults: String,
    /// File for the call trace.
    pub trace: Option<PathBuf>,
    /// Names that were set, without prefix; the others may follow the machine.
    pub explicit: BTreeSet<&'static str>,
}

impl Config {
    /// The knobs of this process.
    ///
    /// # Errors
    /// 100000 for an invalid name or value · 100003, 100006 for the file.
    pub fn from_environment() -> Outcome<Self> {
        let found = source::environment()?;
        Self::read(|name| found.get(name).cloned())
    }

    /// The knobs that `look` finds, by name without prefix.
    ///
    /// # Errors
    /// 100000 for an invalid value.
    pub fn read(look: impl Fn(&str) -> Option<String>) -> Outcome<Self> {
        let value = value::Reader(&look);
        let soc = value.text("SOC", "Ascend910_9382");
        let product = Product::named(&soc)?;
        let devices = value::small(value.number("DEVICES", 8, 0..=u64::from(MOST_OF_A_SERVER))?);
        let server = value::small(value.number("SERVER", 0, 0..=u64::from(MOST_DEVICES))?);
        check_server(server, devices)?;
        let topology = value.text("TOPOLOGY", "");
        let seed = value.number("SEED", 0, 0..=u64::MAX)?;
        Ok(Self {
            release: read_release(&value)?,
            devices,
            hbm_bytes: value.size("HBM_BYTES", product.hbm_bytes)?,
            host_bytes: value.size("HOST_BYTES", 1 << 40)?,
            server,
            session: value.text("SESSION", "default"),
            topology: Topology::parse(&topology, product.line)?,
            schedule: value.schedule("SCHEDULE", seed)?,
            fill: value.fill("FILL", Some(0xCD))?,
            keep_bytes: value.size("KEEP_BYTES", 0)?,
            kernels: match value.choice("KERNELS", &["checked", "eager"])? {
                1 => Kernels::Eager,
                _ => Kernels::Checked,
            },
            addressing: match value.choice("ADDR", &["same", "alias"])? {
                1 => Addressing::Alias,
                _ => Addressing::Same,
            },
            strict: value.choice("STRICT", &["1", "0"])? == 0,
            op_timeout: Duration::from_secs(value.number("OP_TIMEOUT", 10, 0..=86_400)?),
            cost: Cost::parse(&value.text("LATENCY_US", ""), &value.text("GBPS", ""))?,
            faults: value.text("FAULTS", ""),
            trace: look("TRACE").map(PathBuf::from),
            explicit: NAMES.into_iter().filter(|name| look(name).is_some()).collect(),
            soc,
        })
    }

    /// Returns the settings that the processes of a machine share.
    pub(crate) fn machine_settings(&self) -> MachineSettings {
        MachineSettings {
            soc: self.soc.clone(),
            devices: self.devices,
            hbm_bytes: self.hbm_bytes,
            host_bytes: self.host_bytes,
            topology: self.topology.text().to_owned(),
        }
    }

    /// Checks that this process may join a machine with these settings: settings that it has not set are
    /// taken over.
    ///
    /// # Errors
    /// 100000 when it set something else.
    pub fn agrees_with(&self, machine: &MachineSettings) -> Outcome {
        let own = self.machine_settings();
        let pairs = [
            ("SOC", own.soc, machine.soc.clone()),
            ("DEVICES", own.devices.to_string(), machine.devices.to_string()),
            ("HBM_BYTES", own.hbm_bytes.to_string(), machine.hbm_bytes.to_string()),
            ("HOST_BYTES", own.host_bytes.to_string(), machine.host_bytes.to_string()),
            ("TOPOLOGY", own.topology, machine.topology.clone()),
        ];
        for (name, own, machine) in pairs {
            if self.explicit.contains(name) && own != machine {
                return Err(Fault::new(
                    acl::INVALID_PARAM,
                    format_args!(
                        "ASCEND_SIM_{name}={own}, but the machine {} was made with {machine}; use another \
                         ASCEND_SIM_SESSION, or the same settings in all its processes",
                        self.session
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Takes over the settings of the process that created the machine.
    ///
    /// # Errors
    /// 100000 if this process does not understand them.
    pub fn adopt(&mut self, machine: MachineSettings) -> Outcome {
        let MachineSettings { soc, devices, hbm_bytes, host_bytes, topology } = machine;
        self.topology = Topology::parse(&topology, Product::named(&soc)?.line)?;
        (self.soc, self.devices) = (soc, devices);
        (self.hbm_bytes, self.host_bytes) = (hbm_bytes, host_bytes);
        check_server(self.server, self.devices)
    }
}

/// Returns the release of this process: the setting, or the default if the settings are invalid, which is
/// reported when the machine is joined.
pub fn release_of_process() -> &'static Release {
    static RELEASE: OnceLock<&Release> = OnceLock::new();
    RELEASE.get_or_init(|| release().unwrap_or(&Release::ALL[0]))
}

/// Reads only the release, for use before the machine is joined.
fn release() -> Outcome<&'static Release> {
    let found = source::environment()?;
    read_release(&value::Reader(&|name: &str| found.get(name).cloned()))
}

fn read_release<F: Fn(&str) -> Option<String>>(value: &value::Reader<'_, F>) -> Outcome<&'static Release> {
    let place = value.choice("CANN", &Release::NAMES)?;
    Ok(Release::ALL.get(place).unwrap_or(&Release::ALL[0]))
}

fn check_server(server: u32, devices: u32) -> Outcome {
    if u64::from(server + 1) * u64::from(devices.max(1)) <= u64::from(MOST_DEVICES) {
        return Ok(());
    }
    let why = format!("with {devices} devices a server, a machine of {MOST_DEVICES} has fewer servers");
    Err(refuse("SERVER", &server.to_string(), why))
}

/// A refusal of a setting.
fn refuse(name: &str, value: &str, why: impl std::fmt::Display) -> Fault {
    Fault::new(acl::INVALID_PARAM, format_args!("ASCEND_SIM_{name}={value}: {why}"))
}
