// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Importing exports of other processes.

use std::ffi::c_void;
use std::ptr::null_mut;

use ascend_sim::acl::virtual_memory::*;

use super::*;
use crate::isolated;
use crate::virtual_memory::*;

#[test]
fn s33_import_checks_its_arguments() {
    isolated::run(&[("DEVICES", "2")], || {
        assert_eq!(try_import(1), (107_002, 7 as *mut c_void));
        set(0);
        let mut handle = 7 as *mut c_void;
        assert_eq!(code!(aclrtMemImportFromShareableHandle(1, 0, null_mut())), 100_000);
        assert_eq!(code!(aclrtMemImportFromShareableHandle(1, 2, &raw mut handle)), 107_001);
        for unknown in [0, 1, u64::MAX] {
            assert_eq!(try_import(unknown), (107_017, 7 as *mut c_void));
        }
        assert_eq!(try_import_fabric(&[0; 128]), (107_017, 7 as *mut c_void));
    });
}

#[test]
fn s33_acl_refuses_to_import_its_own_export() {
    isolated::run(&[], || {
        set(0);
        let number = export(create(STEP, hbm(0)));
        assert_eq!(try_import(number), (107_000, 7 as *mut c_void));
        let (_, bytes) = try_export_fabric(create(STEP, hbm(0)), 1);
        assert_eq!(try_import_fabric(&bytes), (107_000, 7 as *mut c_void));
    });
}

#[test]
fn s33_import_by_an_unlisted_process() {
    isolated::crew(3, &[], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let (code, number) = try_export(create(STEP, hbm(0)), 0);
            assert_eq!(code, 0);
            assert_eq!(allow(number, &[pid_of(board, 1)]), 0);
            post_number(board, "handle", number);
        } else {
            let expected = if rank == 1 { 0 } else { 207_006 };
            assert_eq!(try_import(take_number(board, "handle")).0, expected);
        }
        board.meet("imported", rank, 3);
        // Lists grow.
        if rank == 0 {
            assert_eq!(allow(take_number(board, "handle"), &[pid_of(board, 2), 1]), 0);
        }
        board.meet("allowed", rank, 3);
        if rank != 0 {
            assert_eq!(try_import(take_number(board, "handle")).0, 0);
        }
        board.meet("end", rank, 3);
    });
}

#[test]
fn s33_import_before_a_whitelist_is_refused() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            post_number(board, "handle", try_export(create(STEP, hbm(0)), 0).1);
            board.take("done");
        } else {
            assert_eq!(try_import(take_number(board, "handle")).0, 207_006);
            board.post("done", b"");
        }
    });
}

#[test]
fn s33_each_import_is_a_separate_handle() {
    both_crews(2, |rank, board| {
        set(0);
        if rank == 0 {
            let (start, handle) = mapped(STEP, 0);
            assert_eq!(write(start, b"twice"), 0);
            post_number(board, "handle", export(handle));
            board.take("done");
        } else {
            let number = take_number(board, "handle");
            let (one, two) = (import(number), import(number));
            assert_ne!(one, two);
            assert_eq!(free(one), 0);
            assert_eq!(free(one), 107_000);
            assert_eq!(read(map_imported(STEP, two), 5).unwrap(), b"twice");
            let mut found = hbm(9);
            assert_eq!(code!(aclrtMemGetAllocationPropertiesFromHandle(two, &raw mut found)), 0);
            assert_eq!((found.memAttr, found.location.id, found.location.type_), (HBM_HUGE, 0, DEVICE));
            board.post("done", b"");
        }
    });
}

#[test]
fn s30_an_imported_mapping_needs_rights() {
    both_crews(2, |rank, board| {
        set(0);
        if rank == 0 {
            let (start, handle) = mapped(STEP, 0);
            assert_eq!(write(start, &[5; 64]), 0);
            post_number(board, "handle", export(handle));
            board.take("done");
        } else {
            let handle = import(take_number(board, "handle"));
            let start = reserve(STEP);
            assert_eq!(map(start, STEP, handle), 0);
            let (ours, _) = mapped(STEP, 0);
            // Although it is memory of the very same device.
            assert_ne!(copy_on_stream(ours, start, 64), 0);
            assert_eq!(grant(start, STEP, 0, 3), 0);
            assert_eq!(copy_on_stream(ours, start, 64), 0);
            assert_eq!(read(ours, 64), Ok(vec![5; 64]));
            board.post("done", b"");
        }
    });
}

#[test]
fn s28_local_and_imported_memory_do_not_mix() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            post_number(board, "handle", export(create(STEP, hbm(0))));
            board.take("done");
        } else {
            let handle = import(take_number(board, "handle"));
            let start = reserve(2 * STEP);
            assert_eq!(map(start, STEP, create(STEP, hbm(0))), 0);
            assert_eq!(map(start.wrapping_byte_add(STEP), STEP, handle), 107_000);
            assert_eq!(unmap(start), 0);
            assert_eq!(map(start.wrapping_byte_add(STEP), STEP, handle), 0);
            assert_eq!(map(start, STEP, create(STEP, hbm(0))), 107_000);
            board.post("done", b"");
        }
    });
}
