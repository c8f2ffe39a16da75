// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shareable handles of the driver.

use std::ptr::null_mut;

use ascend_sim::hal::share::*;

use super::*;
use crate::isolated::{self, Board};
use crate::sharing::{introduce, on_server, own_pid, pid_of};
use crate::virtual_memory::{A2, A5, both, both_crews, copy_on_stream, each, num, read, set, write};

fn try_export(handle: Handle, type_: i32, flags: u64) -> (i32, MemShareHandle) {
    let mut share = MemShareHandle { share_info: [7; 128] };
    (code!(halMemExportToShareableHandleV2(handle, type_, flags, &raw mut share)), share)
}

pub(super) fn export(handle: Handle) -> MemShareHandle {
    let (code, share) = try_export(handle, FABRIC, 0);
    assert_eq!(code, 0);
    share
}

fn try_import(share: MemShareHandle) -> (i32, Handle) {
    try_import_for(0, share)
}

pub(super) fn try_import_for(device: u32, share: MemShareHandle) -> (i32, Handle) {
    let (mut share, mut handle) = (share, 7 as Handle);
    (code!(halMemImportFromShareableHandleV2(FABRIC, &raw mut share, device, &raw mut handle)), handle)
}

/// The server and the number in a handle.
pub(super) fn parts(share: MemShareHandle) -> (u32, u64) {
    let (mut share, mut server, mut number) = (share, 7, 7);
    ok!(halMemTransShareableHandle(FABRIC, &raw mut share, &raw mut server, &raw mut number));
    (server, number)
}

pub(super) fn set_open(number: u64, flag: u32) -> i32 {
    code!(halMemShareHandleSetAttribute(number, 0, ShareHandleAttr { enableFlag: flag, rsv: [0; 8] }))
}

fn allow(number: u64, list: &[i32]) -> i32 {
    let mut list = list.to_vec();
    code!(halMemSetPidToShareableHandle(number, list.as_mut_ptr(), num(list.len())))
}

pub(super) fn take_share(board: &Board, name: &str) -> MemShareHandle {
    MemShareHandle { share_info: board.take(name).try_into().unwrap() }
}

#[test]
fn s62_a_process_imports_its_own_export() {
    both(|| {
        set(0);
        let (start, handle) = mapped(STEP, hbm(0));
        assert_eq!(write(start, b"own"), 0);
        let share = export(handle);
        let (code, again) = try_import(share);
        assert_eq!(code, 0);
        assert_ne!(again, handle);
        let other = reserve(STEP, 0x2a00_4000_0000, REMOTE);
        assert_eq!(map(other, STEP, again), 0);
        assert_eq!(read(other, 3).unwrap(), b"own");
        // It still counts as an import: not adjacent to local memory, and not exported again.
        let both = reserve(2 * STEP, 0, 1);
        assert_eq!(map(both, STEP, handle), 0);
        assert_eq!(map(both.wrapping_byte_add(STEP), STEP, again), INVALID_VALUE);
        assert_eq!(try_export(again, FABRIC, 0).0, INVALID_VALUE);
        assert_eq!((release(handle), unmap(start)), (0, 0));
        assert_eq!(read(other, 3).unwrap(), b"own");
        // With the handle went its export.
        assert_eq!(try_import(share), (INVALID_HANDLE, 7 as Handle));
    });
}

#[test]
fn s62_export_and_import_check_their_arguments() {
    isolated::run(&[("DEVICES", "1")], || {
        let handle = create(STEP, hbm(0));
        assert_eq!(try_export(null_mut(), FABRIC, 0).0, INVALID_VALUE);
        assert_eq!(try_export(8 as Handle, FABRIC, 0).0, INVALID_HANDLE);
        assert_eq!(try_export(handle, 2, 0).0, INVALID_VALUE);
        assert_eq!(try_export(handle, FABRIC, 2).0, INVALID_VALUE);
        assert_eq!(code!(halMemExportToShareableHandleV2(handle, FABRIC, 0, null_mut())), INVALID_VALUE);
        let mut number = 7;
        assert_eq!(code!(halMemExportToShareableHandle(handle, FABRIC, 0, &raw mut number)), NOT_SUPPORT);
        assert_eq!(code!(halMemExportToShareableHandle(handle, 0, 0, null_mut())), INVALID_VALUE);
        let (mut share, mut imported) = (export(handle), 7 as Handle);
        assert_eq!(try_export(handle, FABRIC, 0).0, INVALID_VALUE);
        let import =
            |share, device, handle| code!(halMemImportFromShareableHandleV2(FABRIC, share, device, handle));
        assert_eq!(import(null_mut(), 0, &raw mut imported), INVALID_VALUE);
        assert_eq!(import(&raw mut share, 0, null_mut()), INVALID_VALUE);
        assert_eq!(import(&raw mut share, 1, &raw mut imported), INVALID_DEVICE);
        assert_eq!(try_import(MemShareHandle { share_info: [3; 128] }).0, INVALID_HANDLE);
        assert_eq!(code!(halMemImportFromShareableHandle(5, 0, &raw mut imported)), INVALID_HANDLE);
        assert_eq!(code!(halMemImportFromShareableHandle(5, 0, null_mut())), INVALID_VALUE);
        assert_eq!(imported.addr(), 7);
    });
}

#[test]
fn s62_the_driver_makes_fabric_handles_on_every_product() {
    each(1, &[&[A2], &[A5]], |_, _| {
        let memory = create(STEP, hbm(0));
        let (code, share) = try_export(memory, FABRIC, 1);
        assert_eq!(code, 0);
        // The driver lets a process import its own exports.
        assert_eq!(try_import(share).0, 0);
    });
}

#[test]
fn s62_handles_of_8_bytes() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let mut number = 0;
            ok!(halMemExportToShareableHandle(create(STEP, hbm(0)), 0, 0, &raw mut number));
            assert_eq!(allow(number, &[]), INVALID_VALUE);
            assert_eq!(allow(number, &[pid_of(board, 1)]), 0);
            board.post("first", &number.to_le_bytes());
            let (code, share) = try_export(create(STEP, hbm(0)), 0, 1);
            assert_eq!((code, &share.share_info[8..]), (0, &[0; 120][..]));
            board.post("second", &share.share_info[..8]);
            board.take("done");
        } else {
            for name in ["first", "second"] {
                let number = u64::from_le_bytes(board.take(name).try_into().unwrap());
                let mut handle = null_mut();
                ok!(halMemImportFromShareableHandle(number, 0, &raw mut handle));
                assert_eq!(release(handle), 0);
            }
            board.post("done", b"");
        }
    });
}

#[test]
fn s64_a_handle_without_whitelist() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            let share = export(create(STEP, hbm(0)));
            board.post("handle", &share.share_info);
            board.take("refused");
            let (server, number) = parts(share);
            assert_eq!(server, 0);
            assert_eq!(set_open(number, 1), 0);
            assert_eq!(allow(number, &[1]), NOT_PERMITTED);
            board.post("open", b"");
            board.take("imported");
            assert_eq!(set_open(number, 0), 0);
            board.post("closed", b"");
            board.take("done");
        } else {
            let share = take_share(board, "handle");
            assert_eq!(try_import(share), (NOT_PERMITTED, 7 as Handle));
            // Only the exporter opens it.
            assert_eq!(set_open(parts(share).1, 1), NOT_PERMITTED);
            board.post("refused", b"");
            board.take("open");
            assert_eq!(try_import(share).0, 0);
            board.post("imported", b"");
            board.take("closed");
            assert_eq!(try_import(share).0, NOT_PERMITTED);
            board.post("done", b"");
        }
    });
}

#[test]
fn s64_open_attribute_must_precede_the_whitelist() {
    isolated::run(&[], || {
        let number = parts(export(create(STEP, hbm(0)))).1;
        assert_eq!(allow(number, &[own_pid()]), 0);
        assert_eq!(set_open(number, 1), NOT_PERMITTED);
        assert_eq!(set_open(number + 1, 1), INVALID_HANDLE);
        let other = parts(export(create(STEP, hbm(0)))).1;
        assert_eq!(set_open(other, 2), INVALID_VALUE);
        let attribute = ShareHandleAttr { enableFlag: 1, rsv: [0; 8] };
        assert_eq!(code!(halMemShareHandleSetAttribute(other, 1, attribute)), INVALID_VALUE);
    });
}

#[test]
fn s64_handle_decomposition_checks_its_arguments() {
    isolated::run(&[], || {
        let (mut share, mut server, mut number) = (export(create(STEP, hbm(0))), 7, 7);
        let mut apart =
            |type_, share, server| code!(halMemTransShareableHandle(type_, share, server, &raw mut number));
        assert_eq!(apart(0, &raw mut share, &raw mut server), NOT_SUPPORT);
        assert_eq!(apart(2, &raw mut share, &raw mut server), INVALID_VALUE);
        assert_eq!(apart(FABRIC, null_mut(), &raw mut server), INVALID_VALUE);
        assert_eq!(apart(FABRIC, &raw mut share, null_mut()), INVALID_VALUE);
        let mut nonsense = MemShareHandle { share_info: [1; 128] };
        assert_eq!(apart(FABRIC, &raw mut nonsense, &raw mut server), INVALID_HANDLE);
        assert_eq!((server, number), (7, 7));
    });
}

#[test]
fn s63_imported_memory_in_a_remote_range_needs_no_rights() {
    both_crews(2, |rank, board| {
        set(0);
        if rank == 0 {
            let (start, handle) = mapped(STEP, hbm(0));
            assert_eq!(write(start, b"remote"), 0);
            let share = export(handle);
            assert_eq!(set_open(parts(share).1, 1), 0);
            board.post("handle", &share.share_info);
            board.take("done");
        } else {
            let share = take_share(board, "handle");
            let (ours, _) = mapped(STEP, hbm(0));
            let remote = reserve(STEP, 0x2a00_4000_0000, REMOTE);
            assert_eq!(map(remote, STEP, try_import(share).1), 0);
            assert_eq!(copy_on_stream(ours, remote, 6), 0);
            assert_eq!(read(ours, 6).unwrap(), b"remote");
            // Elsewhere it does.
            let plain = reserve(STEP, 0, 1);
            assert_eq!(map(plain, STEP, try_import(share).1), 0);
            assert_ne!(copy_on_stream(ours, plain, 6), 0);
            board.post("done", b"");
        }
    });
}

#[test]
fn s64_handles_name_the_server() {
    isolated::crew(2, &[], |rank, board| {
        on_server(rank);
        set(0);
        let share = export(create(STEP, hbm(0)));
        assert_eq!(set_open(parts(share).1, 1), 0);
        board.post(&format!("handle-{rank}"), &share.share_info);
        let theirs = take_share(board, &format!("handle-{}", 1 - rank));
        assert_eq!(parts(theirs).0, num::<u32>(1 - rank));
        assert_eq!(try_import(theirs).0, 0);
        board.meet("done", rank, 2);
    });
}
