// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HCCL: S75 to S79.

mod arguments;
mod collectives;
mod failures;
mod groups;
mod init;
mod messages;
mod reductions;
mod unequal;

use std::ffi::c_void;
use std::ptr::null_mut;

use ascend_acl_sys::raw::types::HcclRootInfo;
use ascend_sim::hccl::*;

use crate::isolated::{self, Board};
use crate::program::{call, last_error, set_device, stream, wait};

const PARA: i32 = 1;
const PTR: i32 = 2;
const MEMORY: i32 = 3;
const NOT_SUPPORT: i32 = 5;
const TIMEOUT: i32 = 9;
const RUNTIME: i32 = 15;
const REMOTE: i32 = 21;

const INT8: u32 = 0;
const INT32: u32 = 2;
const FP16: u32 = 3;
const FP32: u32 = 4;
const INT64: u32 = 5;
const BFP16: u32 = 11;
const SUM: u32 = 0;
const PROD: u32 = 1;
const MAX: u32 = 2;
const MIN: u32 = 3;

/// A root info of this process.
fn root_info() -> HcclRootInfo {
    let mut info = HcclRootInfo::default();
    assert_eq!(call!(HcclGetRootInfo(&raw mut info)), 0, "{}", last_error());
    info
}

/// The root info of rank 0, which carries it to the others.
fn carried(rank: usize, board: &Board, name: &str) -> HcclRootInfo {
    if rank == 0 {
        let info = root_info();
        board.post(name, &info.internal.map(i8::cast_unsigned));
    }
    let bytes = board.take(name);
    let mut info = HcclRootInfo::default();
    assert_eq!(bytes.len(), 4108);
    for (to, from) in info.internal.iter_mut().zip(bytes) {
        *to = from.cast_signed();
    }
    info
}

fn number(rank: usize) -> u32 {
    u32::try_from(rank).unwrap()
}

/// Makes a communicator, or returns why not.
fn try_init(ranks: u32, info: &HcclRootInfo, rank: u32) -> Result<*mut c_void, i32> {
    let mut comm = null_mut();
    match call!(HcclCommInitRootInfo(ranks, info, rank, &raw mut comm)) {
        0 => Ok(comm),
        code => Err(code),
    }
}

fn init(ranks: u32, info: &HcclRootInfo, rank: u32) -> *mut c_void {
    try_init(ranks, info, rank).unwrap_or_else(|code| panic!("{code}: {}", last_error()))
}

/// Rank in a separate process, with a communicator of all ranks and a stream.
struct Rank<'a> {
    own: usize,
    size: usize,
    board: &'a Board,
    comm: *mut c_void,
    stream: *mut c_void,
}

impl Rank<'_> {
    /// Returns the code of a wait for the stream.
    fn wait(&self) -> i32 {
        wait(self.stream)
    }

    /// Returns the error of the communicator.
    fn error(&self) -> i32 {
        let mut code = -1;
        assert_eq!(call!(HcclGetCommAsyncError(self.comm, &raw mut code)), 0);
        code
    }

    fn meet(&self, name: &str) {
        self.board.meet(name, self.own, self.size);
    }
}

/// Ends this process as an accident would.
fn die() {
    let own = i32::try_from(std::process::id()).unwrap();
    // SAFETY: it ends this very process.
    unsafe { libc::kill(own, libc::SIGKILL) };
}

/// Runs `body` in `size` processes, each a rank with a separate device.
fn ranks(size: usize, knobs: &[(&str, &str)], body: impl FnOnce(&Rank<'_>)) {
    isolated::crew(size, knobs, |own, board| {
        set_device(i32::try_from(own).unwrap());
        let info = carried(own, board, "root");
        let comm = init(number(size), &info, number(own));
        let rank = Rank { own, size, board, comm, stream: stream() };
        body(&rank);
        // No rank leaves before all have finished their waits.
        rank.meet("end");
    });
}
