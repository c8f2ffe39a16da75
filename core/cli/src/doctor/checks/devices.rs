// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN, the driver and the simulator: results of the project's own loader.

use std::path::PathBuf;
use std::sync::Arc;

use ascend_acl_sys::{Libraries, LoadError, Search};
use mf_base::settings::{DeviceChoice, Settings, Switch};
use mf_device::host::HostDevice;
use mf_device::{choose, gpu};

use super::super::finding::Finding;

/// DevicesFacts about devices.
#[derive(Clone, Debug)]
pub(in super::super) struct DevicesFacts {
    /// `MF_DEVICE`.
    pub(in super::super) choice: DeviceChoice,
    /// The accelerator that pools would use, as text (`None`: host memory), or the reason why the requested
    /// one is unavailable.
    pub(in super::super) accelerator: Result<Option<String>, String>,
    /// ACL: the opened library, or the error, with a distinct case for "not installed".
    pub(in super::super) acl: Result<String, Lack>,
    /// The other libraries of the installation that cannot be used, each with its reason.
    pub(in super::super) lacking: Vec<String>,
    /// Nodes of NPUs in `/dev`, and the ones that this user may not open.
    pub(in super::super) nodes: Vec<String>,
    pub(in super::super) closed: Vec<String>,
    /// The simulator's library beside this program.
    pub(in super::super) simulator: Option<PathBuf>,
    /// GPUs of other vendors: the driver and how many there are, or why not, by vendor.
    pub(in super::super) gpus: Vec<(&'static str, Result<String, Lack>)>,
}

/// Why a library cannot be used.
#[derive(Clone, Debug)]
pub(in super::super) struct Lack {
    pub(in super::super) reason: String,
    /// Not installed, as opposed to damaged, too old or of another architecture.
    pub(in super::super) is_absent: bool,
}

/// Opens the libraries, as a member does.
pub(in super::super) fn gather(settings: &Settings) -> DevicesFacts {
    let (mut acl, mut lacking) =
        (Err(Lack { reason: "MF_DEVICE=none".to_owned(), is_absent: true }), Vec::new());
    if settings.device != DeviceChoice::None {
        match Libraries::open(&Search::from_environment()) {
            Ok(libraries) => {
                let origin = libraries.acl().origin();
                let version = origin.version().map_or_else(String::new, |version| format!(" {version}"));
                let kind = origin
                    .simulator()
                    .map_or_else(String::new, |version| format!(", the simulator {version}"));
                acl = Ok(format!("ACL{version}{kind}: {}", origin.file().display()));
                let others = [libraries.hal().err(), libraries.hccl().err(), libraries.rt().err()];
                lacking = others.into_iter().flatten().map(LoadError::to_string).collect();
            }
            Err(error) => acl = Err(Lack { reason: error.to_string(), is_absent: error.is_absent() }),
        }
    }
    let opened = choose(settings.device, 0, Arc::new(HostDevice::new(Switch::Auto)));
    let accelerator = opened.map_err(|error| error.to_string());
    let accelerator = accelerator.map(|(devices, _)| devices.accelerator().map(|device| device.describe()));
    let nodes = nodes();
    let is_closed = |node: &&String| {
        std::fs::File::open(node).is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
    };
    let closed = nodes.iter().filter(is_closed).cloned().collect();
    DevicesFacts {
        choice: settings.device,
        accelerator,
        acl,
        lacking,
        closed,
        nodes,
        simulator: crate::sim::simulator_path(),
        gpus: gpu::report().into_iter().map(gpus).collect(),
    }
}

fn gpus(found: gpu::Found) -> (&'static str, Result<String, Lack>) {
    let what = format!("{}; {} GPUs", found.describe(), found.units().len());
    let (name, is_absent) = (found.vendor.name(), found.is_absent);
    (name, found.driver.map(|_| what).map_err(|reason| Lack { reason, is_absent }))
}

/// `/dev/davinci0` and so on.
fn nodes() -> Vec<String> {
    let entries = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let number = name.strip_prefix("davinci")?;
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| format!("/dev/{name}"))
    };
    let mut nodes: Vec<String> = entries.filter_map(name).collect();
    nodes.sort();
    nodes
}

const ENVIRONMENT: &str =
    "source /usr/local/Ascend/ascend-toolkit/set_env.sh; mf info shows every file that was tried";

/// Findings about devices.
pub(in super::super) fn diagnose(facts: &DevicesFacts) -> Vec<Finding> {
    let mut findings = Vec::new();
    match &facts.accelerator {
        Ok(Some(text)) => findings.push(Finding::ok(format!("device memory is that of {text}"))),
        Ok(None) if facts.choice == DeviceChoice::None => {
            findings.push(Finding::ok("MF_DEVICE=none: host memory stands in for device memory"));
        }
        Ok(None) => {}
        Err(reason) => findings.push(Finding::error(
            reason,
            match facts.choice {
                DeviceChoice::Sim => "mf sim DIR, then source DIR/set_env.sh; or MF_DEVICE=auto",
                DeviceChoice::Cuda => "install NVIDIA's driver, or MF_DEVICE=auto",
                _ => "install or source CANN (set_env.sh), or MF_DEVICE=auto",
            },
        )),
    }
    match &facts.acl {
        Ok(text) => findings.push(Finding::ok(text)),
        Err(lack) if !lack.is_absent => {
            findings.push(Finding::error(
                format!("CANN is installed and cannot be used: {}", lack.reason),
                ENVIRONMENT,
            ));
        }
        Err(lack) if !facts.nodes.is_empty() && facts.choice != DeviceChoice::None => {
            findings.push(Finding::error(
                format!(
                    "{} NPUs are here ({}), and no CANN: {}",
                    facts.nodes.len(),
                    facts.nodes.join(", "),
                    lack.reason
                ),
                ENVIRONMENT,
            ));
        }
        Err(lack) if matches!(facts.accelerator, Ok(None)) && facts.choice != DeviceChoice::None => {
            findings.push(Finding::note(format!(
                "no accelerator, host memory stands in for device memory: {}",
                lack.reason
            )));
        }
        Err(_) => {}
    }
    for reason in &facts.lacking {
        findings.push(Finding::note(format!("a part of CANN is not used: {reason}")).remedy(ENVIRONMENT));
    }
    if !facts.closed.is_empty() {
        findings.push(Finding::error(
            format!("this user may not open {}", facts.closed.join(", ")),
            "usermod -aG HwHiAiUser $USER, then log in again; docker: --device and --group-add",
        ));
    }
    findings.extend(facts.gpus.iter().map(|(name, found)| match found {
        Ok(what) => Finding::ok(what),
        Err(lack) if lack.is_absent => Finding::note(format!("no GPU by {name}: {}", lack.reason)),
        Err(lack) => Finding::warning(
            format!("a driver is installed and no GPU can be used by {name}: {}", lack.reason),
            "install the vendor's driver again; mf info --json lists every file that was tried",
        ),
    }));
    findings.push(match &facts.simulator {
        Some(file) => Finding::ok(format!("the simulator is {}", file.display())),
        None => Finding::note("the simulator's library is not beside this program")
            .remedy("only for MF_DEVICE=sim and mf sim: scripts/install PREFIX, or cargo build --release -p ascend-sim"),
    });
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Note, Warning};
    use super::super::super::finding::severities;
    use super::*;

    #[test]
    fn device_findings_follow_requested_and_present_devices() {
        let absent = || Err(Lack { reason: "not there".to_owned(), is_absent: true });
        let broken = || Err(Lack { reason: "too old".to_owned(), is_absent: false });
        let none = || DevicesFacts {
            choice: DeviceChoice::Auto,
            accelerator: Ok(None),
            acl: absent(),
            lacking: Vec::new(),
            nodes: Vec::new(),
            closed: Vec::new(),
            simulator: Some("/lib/libascend_sim.so".into()),
            gpus: Vec::new(),
        };
        let nodes = || vec!["/dev/davinci0".to_owned()];
        let npu = || DevicesFacts {
            accelerator: Ok(Some("an NPU".to_owned())),
            acl: Ok("ACL 1.14".to_owned()),
            nodes: nodes(),
            ..none()
        };
        let gpus = vec![("cuda", Ok("cuda; 1 GPUs".to_owned())), ("hip", absent()), ("musa", broken())];
        let table: [(DevicesFacts, &[Severity]); 10] = [
            (none(), &[Note, Good]),
            (DevicesFacts { gpus, ..none() }, &[Note, Good, Note, Warning, Good]),
            (DevicesFacts { simulator: None, ..none() }, &[Note, Note]),
            (DevicesFacts { choice: DeviceChoice::None, nodes: nodes(), ..none() }, &[Good, Good]),
            (
                DevicesFacts {
                    choice: DeviceChoice::Ascend,
                    accelerator: Err("no NPU".to_owned()),
                    ..none()
                },
                &[Hinders, Good],
            ),
            (DevicesFacts { nodes: nodes(), ..none() }, &[Hinders, Good]),
            (DevicesFacts { acl: broken(), ..none() }, &[Hinders, Good]),
            (npu(), &[Good, Good, Good]),
            (DevicesFacts { lacking: vec!["libhccl.so".to_owned()], ..npu() }, &[Good, Good, Note, Good]),
            (DevicesFacts { closed: nodes(), ..npu() }, &[Good, Good, Hinders, Good]),
        ];
        for (facts, expected) in table {
            assert_eq!(severities(&diagnose(&facts)), expected, "{facts:?}");
        }
    }
}
