// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Number of CANN calls for a copy: its overhead beyond the copy itself, on any machine.

use std::fs;

use mf_device::Locality;

use super::simulator::{A3, acl, device, run_on};
use super::suite::{KIND, at, map, transfer};

fn calls(of: impl FnOnce()) -> Vec<String> {
    let path = std::env::var("ASCEND_SIM_TRACE").unwrap();
    let start = fs::metadata(&path).unwrap().len() as usize;
    of();
    let trace = fs::read_to_string(&path).unwrap();
    let lines = trace[start..].lines();
    lines
        .map(|line| line.split_once("\"call\":\"").unwrap().1.split_once('"').unwrap().0.to_owned())
        .collect()
}

#[test]
fn copy_makes_a_bounded_number_of_acl_calls() {
    let trace = std::env::temp_dir().join(format!("mf-devices-calls-{}", std::process::id()));
    run_on(A3, &[("TRACE", trace.to_str().unwrap())], || {
        let rig = device(0);
        let granule = rig.granule();
        let window = rig.windows().reserve(KIND, rig.base(0), granule, granule).unwrap();
        let memory = rig.windows().allocate(KIND, granule).unwrap();
        map(&*window, 0, &*memory, 0..granule);
        acl().set_device(0).unwrap();
        let mover = rig.mover();
        let source = [1u8; 64];
        let address = source.as_ptr().addr() as u64;
        let into = |from| transfer(source.as_ptr(), from, at(window.base()), Locality::Device, 8);
        // SAFETY: the window is mapped and the buffer lives.
        let one = || unsafe { mover.copy(&[into(mover.locality(address))]) }.unwrap();
        assert_eq!(calls(one), ["aclrtPointerGetAttributes", "aclrtGetCurrentContext", "aclrtMemcpy"]);
        mover.register(address, 64).unwrap();
        assert_eq!(calls(one), ["aclrtGetCurrentContext", "aclrtMemcpy"]);
        // SAFETY: the window is mapped, and the buffer lives to the end of the test.
        let many = || unsafe { mover.copy(&[into(Locality::Host); 100]) }.unwrap();
        assert_eq!(calls(many), ["aclrtGetCurrentContext", "aclrtMemcpyBatch"]);
        let lane = mover.lane().unwrap();
        // SAFETY: the window is mapped, and the lane is waited for while the buffer lives.
        let queue = || unsafe { lane.enqueue(&[into(Locality::Host)]) }.unwrap();
        queue();
        assert_eq!(calls(queue), ["aclrtGetCurrentContext", "aclrtMemcpyAsync"]);
        let wait = || lane.wait().unwrap();
        assert_eq!(calls(wait), ["aclrtGetCurrentContext", "aclrtSynchronizeStreamWithTimeout"]);
        mover.unregister(address, 64);
    });
    // Made by the child.
    let _ = fs::remove_file(trace);
}
