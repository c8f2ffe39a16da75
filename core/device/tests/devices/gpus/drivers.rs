// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Drivers that are damaged, incomplete or absent.

use super::*;

/// Opens the driver in a folder, in which the simulator has been changed.
fn opened(folder: &Path, vendor: Vendor, change: impl FnOnce(&mut Vec<u8>)) -> Result<Driver, String> {
    let mut bytes = std::fs::read(links().join(vendor.files()[0])).unwrap();
    change(&mut bytes);
    std::fs::write(folder.join(vendor.files()[0]), bytes).unwrap();
    Driver::open(vendor, &Search::default().explicit(folder)).map_err(|error| error.to_string())
}

/// Takes a function out of the simulator.
fn hide(bytes: &mut [u8], name: &str) {
    let wanted = [b"\0", name.as_bytes(), b"\0"].concat();
    let at = bytes.windows(wanted.len()).position(|part| part == wanted).unwrap();
    bytes[at + 1] = b'_';
}

#[test]
fn damaged_and_incomplete_drivers_are_refused_with_a_reason() {
    let base = std::env::temp_dir().join(format!("mf-gpu-names-{}", std::process::id()));
    for vendor in Vendor::ALL {
        for name in gpu_sys::operations::required(vendor) {
            let folder = base.join(name);
            std::fs::create_dir_all(&folder).unwrap();
            let hidden = opened(&folder, vendor, |bytes| hide(bytes, name));
            let text = hidden.expect_err(name);
            assert!(text.contains(name), "{name}: {text}");
            std::fs::remove_dir_all(folder).unwrap();
        }
        let folder = base.join("cut");
        std::fs::create_dir_all(&folder).unwrap();
        let cut = opened(&folder, vendor, |bytes| bytes.truncate(20_000)).unwrap_err();
        assert!(cut.contains("not a shared library"), "{cut}");
    }
    std::fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_driver_without_a_function_for_pools_serves_buffers() {
    let folder = std::env::temp_dir().join(format!("mf-gpu-pools-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let driver = opened(&folder, Vendor::Nvidia, |bytes| hide(bytes, "cuMemSetAccess")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let gpu = Gpu::open(&Arc::new(driver), 0).unwrap();
    let reason = gpu.windows().map(drop).unwrap_err().to_string();
    assert!(reason.contains("cuMemSetAccess"), "{reason}");
    assert!(gpu.allocate_buffer(100).is_ok());
}

#[test]
fn an_absent_vendor_has_a_reason() {
    isolated::run(&[("=LD_LIBRARY_PATH", "/nonexistent")], || {
        for found in gpu::report() {
            match found.driver {
                Ok(_) => println!("{} is on this machine: not tested", found.vendor),
                Err(reason) => {
                    assert!(reason.contains(found.vendor.files()[0]), "{reason}");
                    assert!(found.is_absent && !found.searched[0].is_empty());
                    let error = gpu::open(found.vendor, 0).err().unwrap();
                    assert_eq!(error.kind(), Kind::NotExist);
                    assert!(error.to_string().contains("not there"), "{error}");
                }
            }
        }
    });
}
