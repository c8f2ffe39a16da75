// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The sequence by which upstream builds global addresses, per process and per kind of memory: reserve for
//! remote memory, create, export for the fabric, take the handle apart, no whitelist, map at the own slot,
//! import the own handle again; then, when all have joined, connect, import every peer and map it at its
//! slot. Every slot has the same address in every process.

use std::ptr::null_mut;

use ascend_sim::acl::memcpy::*;
use ascend_sim::rt::*;

use super::share::{export, parts, set_open, take_share, try_import_for};
use super::*;
use crate::isolated::{self, Board};
use crate::sharing::on_server;
use crate::virtual_memory::{A5, both_crews, each, num, read, set, write};

const SLOT: usize = GIB;
const SIZE: usize = 2;

/// The slots of a kind of memory, as one process has them.
struct Slots {
    base: usize,
    own: [Handle; 2],
    peer: Handle,
}

fn slot(base: usize, rank: usize) -> *mut c_void {
    (base + rank * SLOT) as *mut c_void
}

fn join(kind: &str, base: usize, prop: drv_mem_prop, device: u32, rank: usize, board: &Board) -> Slots {
    let bytes = SLOT;
    let start = reserve(SIZE * SLOT, base, REMOTE);
    assert_eq!(start.addr(), base);
    let handle = create(bytes, prop);
    let share = export(handle);
    let (_, number) = parts(share);
    assert_eq!(set_open(number, 1), 0);
    assert_eq!(map(slot(base, rank), bytes, handle), 0);
    let (code, again) = try_import_for(device, share);
    assert_eq!(code, 0);
    board.post(&format!("{kind}-{rank}"), &share.share_info);
    let (code, peer) = try_import_for(device, take_share(board, &format!("{kind}-{}", 1 - rank)));
    assert_eq!(code, 0);
    assert_eq!(map(slot(base, 1 - rank), bytes, peer), 0);
    Slots { base, own: [handle, again], peer }
}

fn leave(slots: &Slots) {
    for rank in 0..SIZE {
        assert_eq!(unmap(slot(slots.base, rank)), 0);
    }
    for handle in slots.own.into_iter().chain([slots.peer]) {
        assert_eq!(release(handle), 0);
    }
    assert_eq!(free_address(slots.base as *mut c_void), 0);
}

fn run(rank: usize, board: &Board) {
    // Each rank has a separate device: of its server, or all of one.
    let device = if std::env::var("ASCEND_SIM_SERVER").is_ok() { 0 } else { num(rank) };
    set(device as i32);
    if std::env::var("ASCEND_SIM_SERVER").is_err() {
        let mut status = 0;
        ok!(rtEnableP2P(device, 1 - device, 0));
        ok!(rtGetP2PStatus(device, 1 - device, &raw mut status));
        assert_eq!(status, 1);
    }
    let hbm = join("hbm", 0x2a00_4000_0000, hbm(device), device, rank, board);
    let dram = join("dram", 0x2b00_4000_0000, dram(), device, rank, board);
    for (kind, slots) in [("hbm", &hbm), ("dram", &dram)] {
        let peer = 1 - rank;
        let tail = SLOT - 64;
        // Into the peer's slot; it finds it in its own.
        let words = format!("{kind} from {rank}");
        assert_eq!(write(slot(slots.base, peer).wrapping_byte_add(tail), words.as_bytes()), 0);
        board.meet(&format!("put-{kind}"), rank, SIZE);
        let expected = format!("{kind} from {peer}");
        let own = slot(slots.base, rank).wrapping_byte_add(tail);
        assert_eq!(read(own, expected.len()).unwrap(), expected.as_bytes());
        // From slot to slot on the device.
        let far = slot(slots.base, peer);
        ok!(aclrtMemcpy(far, 64, own, 64, 3));
        board.meet(&format!("copied-{kind}"), rank, SIZE);
        let words = format!("{kind} from {rank}");
        assert_eq!(read(slot(slots.base, rank), words.len()).unwrap(), words.as_bytes());
    }
    // The processor sees host memory at the very same addresses.
    let own: *const [u8; 11] = slot(dram.base, rank).cast_const().cast();
    // SAFETY: mapped above, and all have written.
    assert_eq!(unsafe { own.read() }, *format!("dram from {rank}").as_bytes().first_chunk().unwrap());
    board.meet("read", rank, SIZE);
    leave(&hbm);
    leave(&dram);
    board.meet("left", rank, SIZE);
    let mut value = null_mut();
    assert_ne!(code!(halMemAddressReserve(&raw mut value, SLOT, 0, null_mut(), REMOTE)), 0);
}

#[test]
fn s63_global_addresses_as_upstream_builds_them() {
    both_crews(SIZE, run);
}

#[test]
fn s63_global_addresses_on_the_950() {
    each(SIZE, &[&[A5]], run);
}

#[test]
fn s63_global_addresses_across_servers() {
    isolated::crew(SIZE, &[], |rank, board| {
        on_server(rank);
        run(rank, board);
    });
}
