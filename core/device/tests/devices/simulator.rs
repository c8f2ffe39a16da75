// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The simulator as a test meets it: as the device under test, as the CANN of the program around it, and from
//! behind.

use std::ffi::{CString, c_char};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use ascend_acl_sys::{Acl, Libraries, Search};
use libloading::os::unix::Library;
use mf_base::settings::{DeviceChoice, Switch};
use mf_device::choose;
use mf_device::host::HostDevice;

use super::isolated::{self, Board};
use super::suite::Rig;

/// The products that the simulator knows, by a SoC name each.
pub(crate) const A2: &str = "Ascend910B3";
pub(crate) const A3: &str = "Ascend910_9382";
pub(crate) const A5: &str = "Ascend950PR_957c";

/// The simulator's file: Cargo puts it beside the test.
pub(crate) fn file() -> PathBuf {
    let file = std::env::current_exe().unwrap().with_file_name("libascend_sim.so");
    assert!(file.exists(), "{} is a development dependency of this crate", file.display());
    file
}

/// Runs `body` in a process of its own, on this product.
pub(crate) fn run_on(soc: &str, knobs: &[(&str, &str)], body: impl FnOnce()) {
    crew_on(soc, 1, knobs, |_, _| body());
}

/// Runs `body` in several processes, on one machine of this product. A test may do so for one product after
/// the other.
pub(crate) fn crew_on(soc: &str, size: usize, knobs: &[(&str, &str)], body: impl FnOnce(usize, &Board)) {
    // A child finds its own product in the environment, and goes past the others.
    if std::env::var("ASCEND_SIM_SOC").is_ok_and(|own| own != soc) {
        return;
    }
    let knobs: Vec<(&str, &str)> = [("SOC", soc)].into_iter().chain(knobs.iter().copied()).collect();
    isolated::crew(size, &knobs, body);
}

/// The device under test.
pub(crate) fn device(index: u32) -> Rig {
    let host = Arc::new(HostDevice::new(Switch::Off));
    let (devices, _) = choose(DeviceChoice::Sim, index, host).unwrap();
    Rig(Arc::clone(devices.accelerator().unwrap()))
}

/// CANN, for the program around the device.
pub(crate) fn acl() -> &'static Acl {
    static LIBRARIES: OnceLock<Libraries> = OnceLock::new();
    LIBRARIES.get_or_init(|| Libraries::open(&Search::default().explicit(file())).unwrap()).acl()
}

/// A page of pinned host memory.
pub(crate) fn pinned() -> *mut u8 {
    acl().malloc_host(4096).unwrap().cast()
}

/// Makes the calls of the rules fail, in the language of the simulator.
pub(crate) fn add_faults(rules: &str) {
    let rules = CString::new(rules).unwrap();
    // SAFETY: the simulator's own interface: `int ascsim_add_faults(const char *)`.
    let function =
        unsafe { library().get::<unsafe extern "C" fn(*const c_char) -> i32>(b"ascsim_add_faults") };
    // SAFETY: a text that ends with a zero.
    assert_eq!(unsafe { function.unwrap()(rules.as_ptr()) }, 0, "{:?}", acl().recent_message());
}

/// Ends that.
pub(crate) fn clear_faults() {
    // SAFETY: the simulator's own interface: `int ascsim_clear_faults(void)`.
    let function = unsafe { library().get::<unsafe extern "C" fn() -> i32>(b"ascsim_clear_faults") };
    // SAFETY: takes nothing.
    assert_eq!(unsafe { function.unwrap()() }, 0);
}

/// Returns the number of this process's objects of a kind in the simulator.
pub(crate) fn count(kind: &str) -> u64 {
    let (name, mut number) = (CString::new(kind).unwrap(), 0);
    // SAFETY: the simulator's own interface: `int ascsim_count(const char *, uint64_t *)`.
    let function =
        unsafe { library().get::<unsafe extern "C" fn(*const c_char, *mut u64) -> i32>(b"ascsim_count") };
    // SAFETY: a text that ends with a zero, and a place for the number.
    assert_eq!(unsafe { function.unwrap()(name.as_ptr(), &raw mut number) }, 0, "{kind}");
    number
}

/// Everything of this process that a failed step could leave behind, and how much HBM is taken.
pub(crate) fn census() -> Vec<(&'static str, u64)> {
    let kinds = ["context", "stream", "event", "notify", "mapping", "host-registration", "descriptor"];
    let mut census: Vec<(&str, u64)> = kinds.map(|kind| (kind, count(kind))).to_vec();
    census.push(("reserved", reserved_bytes()));
    census
}

/// Bytes of address space that belong to device windows, by the kernel's account.
fn reserved_bytes() -> u64 {
    let ranges = mf_base::os::mapping::mapped_ranges().into_iter().map(|(range, _)| range);
    let device = [20u64 << 40..24 << 40, 40 << 40..80 << 40];
    ranges
        .filter(|range| device.iter().any(|window| window.contains(&range.start)))
        .map(|range| range.end - range.start)
        .sum()
}

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    // SAFETY: the library is open already, so nothing is initialised again.
    LIBRARY.get_or_init(|| unsafe { Library::new(file()) }.unwrap())
}
