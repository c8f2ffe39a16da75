// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory between processes: shareable handles, keys, and the end of one of the processes.

mod export;
mod import;
mod keys;
mod lifetime;

use std::ffi::c_void;
use std::time::{Duration, Instant};

use ascend_sim::acl::virtual_memory::*;
use ascend_sim::machine::machine;

use crate::isolated::Board;
use crate::virtual_memory::*;

const SOME_MEMORY: (&str, &str) = ("HBM_BYTES", "16777216");

pub(crate) fn own_pid() -> i32 {
    machine().unwrap().session.own_process()
}

/// Posts to the others of a crew which process this is.
pub(crate) fn introduce(board: &Board, rank: usize) {
    board.post(&format!("pid-{rank}"), &own_pid().to_le_bytes());
}

pub(crate) fn pid_of(board: &Board, rank: usize) -> i32 {
    i32::from_le_bytes(board.take(&format!("pid-{rank}")).try_into().unwrap())
}

/// Places this process on another server, before it uses the simulator.
pub(crate) fn on_server(server: usize) {
    // SAFETY: no other thread of this test reads the environment.
    unsafe { std::env::set_var("ASCEND_SIM_SERVER", server.to_string()) };
}

pub(crate) fn die() -> ! {
    // SAFETY: ends this process.
    unsafe { libc::raise(libc::SIGKILL) };
    unreachable!("killed")
}

/// Waits until the process with this id has ended, reaped or not.
pub(crate) fn wait_until_dead(pid: i32) {
    let end = Instant::now() + Duration::from_secs(60);
    let lives = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The state stands behind the name, which is in parentheses.
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
    };
    while lives() {
        assert!(Instant::now() < end, "process {pid} lives on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Exports for all processes; the 8 bytes of the handle.
fn export(handle: *mut c_void) -> u64 {
    let (code, number) = try_export(handle, 1);
    assert_eq!(code, 0);
    number
}

fn try_export(handle: *mut c_void, flags: u64) -> (i32, u64) {
    let mut number = 7;
    (code!(aclrtMemExportToShareableHandle(handle, 0, flags, &raw mut number)), number)
}

fn try_export_fabric(handle: *mut c_void, flags: u64) -> (i32, [u8; 128]) {
    let mut bytes = [7; 128];
    (code!(aclrtMemExportToShareableHandleV2(handle, flags, 2, bytes.as_mut_ptr().cast())), bytes)
}

fn try_import(number: u64) -> (i32, *mut c_void) {
    let mut handle = 7 as *mut c_void;
    (code!(aclrtMemImportFromShareableHandle(number, 0, &raw mut handle)), handle)
}

fn import(number: u64) -> *mut c_void {
    let (code, handle) = try_import(number);
    assert_eq!(code, 0);
    handle
}

fn try_import_fabric(bytes: &[u8]) -> (i32, *mut c_void) {
    let (mut bytes, mut handle) = (bytes.to_vec(), 7 as *mut c_void);
    let code = code!(aclrtMemImportFromShareableHandleV2(bytes.as_mut_ptr().cast(), 2, 0, &raw mut handle));
    (code, handle)
}

fn allow(number: u64, list: &[i32]) -> i32 {
    let mut list = list.to_vec();
    code!(aclrtMemSetPidToShareableHandle(number, list.as_mut_ptr(), list.len()))
}

fn post_number(board: &Board, name: &str, number: u64) {
    board.post(name, &number.to_le_bytes());
}

fn take_number(board: &Board, name: &str) -> u64 {
    u64::from_le_bytes(board.take(name).try_into().unwrap())
}

/// Maps an imported block, with rights for device 0.
fn map_imported(bytes: usize, handle: *mut c_void) -> *mut c_void {
    let start = reserve(bytes);
    assert_eq!(map(start, bytes, handle), 0);
    assert_eq!(grant(start, bytes, 0, 3), 0);
    start
}

/// Waits until so much memory can be had, then gives it back.
fn wait_until_free(bytes: usize) {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        match try_create(bytes, hbm(0)) {
            (0, handle) => return assert_eq!(free(handle), 0),
            (code, _) => assert_eq!(code, 207_001),
        }
        assert!(Instant::now() < end, "{} of {bytes} bytes are free", free_bytes(0));
        std::thread::sleep(Duration::from_millis(1));
    }
}
