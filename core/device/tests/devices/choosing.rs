// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Selection of a process's device, and the reports about it.

use std::path::Path;
use std::sync::Arc;

use mf_base::settings::{DeviceChoice, Switch};
use mf_base::{Kind, MemKind, Result};
use mf_device::host::HostDevice;
use mf_device::{Devices, Report, choose};

use super::simulator::{A3, acl, file, run_on};
use super::suite::Rig;

fn pick(choice: DeviceChoice, index: u32) -> Result<(Devices, Report)> {
    choose(choice, index, Arc::new(HostDevice::new(Switch::Off)))
}

/// A folder laid out as an installation with the simulator as its CANN.
fn installation(name: &str) -> std::path::PathBuf {
    let home = std::env::temp_dir().join(format!("mf-devices-{}-{name}", std::process::id()));
    std::fs::create_dir_all(home.join("lib64")).unwrap();
    for library in ["libascendcl.so", "libascend_hal.so"] {
        std::os::unix::fs::symlink(file(), home.join("lib64").join(library)).unwrap();
    }
    home
}

fn set(name: &str, value: &Path) {
    // SAFETY: the test runs alone in its process, and no other thread reads the environment.
    unsafe { std::env::set_var(name, value) };
}

#[test]
fn choice_none_searches_for_no_library() {
    let (devices, report) = pick(DeviceChoice::None, 0).unwrap();
    assert!(devices.accelerator().is_none());
    assert!(report.lines[0].contains("no accelerator is searched for"), "{report:?}");
}

#[test]
fn auto_without_cann_uses_host_memory_and_reports_the_search() {
    run_on(A3, &[], || {
        set("ASCEND_HOME_PATH", Path::new("/nowhere"));
        let (devices, report) = pick(DeviceChoice::Auto, 3).unwrap();
        assert!(devices.accelerator().is_none());
        let text = report.lines.join("\n");
        for part in ["/nowhere/lib64/libascendcl.so", "loader path", "host memory stands in"] {
            assert!(text.contains(part), "{text}");
        }
        let error = pick(DeviceChoice::Ascend, 0).map(drop).unwrap_err();
        assert_eq!(error.kind(), Kind::NotExist);
        assert!(error.to_string().contains("/nowhere/lib64/libascendcl.so"), "{error}");
    });
}

#[test]
fn auto_uses_the_installed_library_and_ascend_no_simulator() {
    run_on(A3, &[("DEVICES", "4")], || {
        let home = installation("auto");
        set("ASCEND_HOME_PATH", &home);
        let (devices, report) = pick(DeviceChoice::Auto, 3).unwrap();
        assert_eq!(devices.accelerator().unwrap().name(), "ascend");
        assert!(report.lines.join("\n").contains("simulated"), "{report:?}");
        let error = pick(DeviceChoice::Ascend, 0).map(drop).unwrap_err();
        assert!(error.to_string().contains("MF_DEVICE=sim"), "{error}");
        for choice in [DeviceChoice::Auto, DeviceChoice::Sim] {
            let error = pick(choice, 4).map(drop).unwrap_err();
            assert_eq!(error.kind(), Kind::NotExist);
            assert!(error.to_string().contains("devices 4"), "{error}");
        }
        pick(DeviceChoice::Sim, 0).unwrap().0.accelerator().unwrap();
        std::fs::remove_dir_all(home).unwrap();
    });
}

#[test]
fn broken_installation_means_host_memory_or_an_error() {
    run_on(A3, &[], || {
        let home = installation("half");
        std::fs::remove_file(home.join("lib64/libascendcl.so")).unwrap();
        std::fs::write(home.join("lib64/libascendcl.so"), "not a library").unwrap();
        set("ASCEND_HOME_PATH", &home);
        let (devices, report) = pick(DeviceChoice::Auto, 0).unwrap();
        assert!(devices.accelerator().is_none());
        assert!(report.lines.join("\n").contains("not a shared library"), "{report:?}");
        let error = pick(DeviceChoice::Ascend, 0).map(drop).unwrap_err();
        assert!(error.to_string().contains("not a shared library"), "{error}");
        // The simulator beside the program is another matter.
        pick(DeviceChoice::Sim, 0).unwrap().0.accelerator().unwrap();
        std::fs::remove_dir_all(home).unwrap();
    });
}

#[test]
fn machine_with_cann_and_no_device_uses_host_memory() {
    run_on(A3, &[("DEVICES", "0")], || {
        let home = installation("none");
        set("ASCEND_HOME_PATH", &home);
        let (devices, report) = pick(DeviceChoice::Auto, 0).unwrap();
        assert!(devices.accelerator().is_none());
        assert!(report.lines.join("\n").contains("CANN sees no device"), "{report:?}");
        let error = pick(DeviceChoice::Sim, 0).map(drop).unwrap_err();
        assert!(error.to_string().contains("npu-smi"), "{error}");
        std::fs::remove_dir_all(home).unwrap();
    });
}

#[test]
fn acl_initialised_by_other_code_is_used_unchanged() {
    run_on(A3, &[], || {
        acl().init(None).unwrap();
        pick(DeviceChoice::Sim, 0).unwrap();
        drop(pick(DeviceChoice::Sim, 1).unwrap());
        assert!(acl().init(None).unwrap_err().is_repeated());
    });
}

#[test]
fn two_accelerators_in_one_process_each_copy_their_memory() {
    run_on(A3, &[("DEVICES", "2")], || {
        let open = |index| pick(DeviceChoice::Sim, index).unwrap().0;
        let second = open(1);
        let set = open(0).with(Arc::clone(second.accelerator().unwrap()));
        let mut buffers = Vec::new();
        for (id, device) in set.iter().skip(1) {
            let buffer = device.allocate_buffer(4096).unwrap();
            let rig = Rig(Arc::clone(device));
            rig.write(buffer.address(), &[id.index() as u8; 4096]);
            buffers.push((rig, buffer));
        }
        for (index, (rig, buffer)) in buffers.iter().enumerate() {
            assert_eq!(rig.read(buffer.address(), 4096), vec![index as u8 + 1; 4096]);
        }
        // Pools use the first one, unless another is chosen.
        let [first, other] = [&set.clone(), &set.clone().serving(set.iter().nth(2).unwrap().0)]
            .map(|set| set.for_kind(MemKind::Device).identity().unwrap());
        assert_eq!(first.device, other.device);
        drop(buffers);
    });
}
