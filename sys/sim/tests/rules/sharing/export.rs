// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Creating shareable handles, and naming allowed importers.

use std::ffi::c_void;
use std::ptr::null_mut;

use ascend_sim::acl::virtual_memory::*;

use super::*;
use crate::isolated;
use crate::virtual_memory::*;

#[test]
fn s31_export_checks_its_arguments() {
    isolated::run(&[], || {
        set(0);
        let handle = create(STEP, hbm(0));
        assert_eq!(code!(aclrtMemExportToShareableHandle(handle, 0, 0, null_mut())), 100_000);
        assert_eq!(try_export(null_mut(), 0), (100_000, 7));
        assert_eq!(try_export(8 as *mut c_void, 0), (107_000, 7));
        assert_eq!(try_export(handle, 2), (100_000, 7));
        let mut number = 7_u64;
        assert_eq!(code!(aclrtMemExportToShareableHandle(handle, 1, 0, &raw mut number)), 100_000);
        assert_eq!(code!(aclrtMemExportToShareableHandle(handle, 2, 0, &raw mut number)), 207_000);
        let out = (&raw mut number).cast();
        assert_eq!(code!(aclrtMemExportToShareableHandleV2(handle, 0, 0, out)), 100_000);
        assert_eq!(code!(aclrtMemExportToShareableHandleV2(handle, 0, 3, out)), 100_000);
        assert_eq!(code!(aclrtMemExportToShareableHandleV2(handle, 0, 1, null_mut())), 100_000);
        assert_eq!(number, 7);
        assert_eq!(try_export(handle, 0).0, 0);
    });
}

#[test]
fn s31_memory_is_exported_once() {
    isolated::run(&[], || {
        set(0);
        let (start, handle) = mapped(STEP, 0);
        export(handle);
        assert_eq!(try_export(handle, 1), (107_000, 7));
        assert_eq!(try_export_fabric(handle, 1), (107_000, [7; 128]));
        let mut retained = null_mut();
        assert_eq!(code!(aclrtMemRetainAllocationHandle(start, &raw mut retained)), 0);
        assert_eq!(try_export(retained, 1), (107_000, 7));
        // In reverse.
        let other = create(STEP, hbm(0));
        assert_eq!(try_export_fabric(other, 0).0, 0);
        assert_eq!(try_export(other, 0), (107_000, 7));
    });
}

#[test]
fn s31_host_memory_is_exported_for_the_fabric_alone() {
    isolated::run(&[], || {
        set(0);
        let handle = create(STEP, prop(ANY_HUGE, place(HOST, 0)));
        assert_eq!(try_export(handle, 0), (207_000, 7));
        assert_eq!(try_export_fabric(handle, 0).0, 0);
    });
}

#[test]
fn s31_imported_memory_cannot_be_exported() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            post_number(board, "handle", export(create(STEP, hbm(0))));
            board.take("done");
        } else {
            let handle = import(take_number(board, "handle"));
            assert_eq!(try_export(handle, 0), (107_000, 7));
            assert_eq!(try_export_fabric(handle, 0).0, 107_000);
            board.post("done", b"");
        }
    });
}

#[test]
fn s32_default_handle_type_is_8_bytes_as_in_the_first_calls() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            let mut bytes = [0_u8; 16];
            let out = bytes.as_mut_ptr().cast();
            assert_eq!(code!(aclrtMemExportToShareableHandleV2(create(STEP, hbm(0)), 1, 1, out)), 0);
            assert_eq!(bytes[8..], [0; 8]);
            board.post("new", &bytes[..8]);
            post_number(board, "old", export(create(STEP, hbm(0))));
            board.take("done");
        } else {
            assert_eq!(free(import(take_number(board, "new"))), 0);
            let mut old = take_number(board, "old");
            let mut handle = null_mut();
            let from = (&raw mut old).cast();
            assert_eq!(code!(aclrtMemImportFromShareableHandleV2(from, 1, 0, &raw mut handle)), 0);
            assert_eq!(code!(aclrtMemImportFromShareableHandleV2(from, 1, 1, &raw mut handle)), 100_000);
            assert_eq!(
                code!(aclrtMemImportFromShareableHandleV2(null_mut(), 1, 0, &raw mut handle)),
                100_000
            );
            assert_eq!(code!(aclrtMemImportFromShareableHandleV2(from, 1, 0, null_mut())), 100_000);
            board.post("done", b"");
        }
    });
}

#[test]
fn s32_fabric_handles_are_of_a3_alone() {
    each(1, &[&[A2], &[A5]], |_, _| {
        set(0);
        let handle = create(STEP, hbm(0));
        assert_eq!(try_export_fabric(handle, 0), (207_000, [7; 128]));
        assert_eq!(try_import_fabric(&[0; 128]).0, 207_000);
        assert_eq!(try_export(handle, 0).0, 0);
    });
}

#[test]
fn s32_fabric_handles_work_within_a_host() {
    both_crews(2, |rank, board| {
        set(0);
        if rank == 0 {
            let (start, handle) = mapped(STEP, 0);
            assert_eq!(write(start, b"fabric"), 0);
            board.post("handle", &try_export_fabric(handle, 1).1);
            board.take("done");
        } else {
            let bytes = board.take("handle");
            let (code, handle) = try_import_fabric(&bytes);
            assert_eq!(code, 0);
            assert_eq!(read(map_imported(STEP, handle), 6).unwrap(), b"fabric");
            // Every byte counts.
            for place in [0, 9, 17, 25, 40, 127] {
                let mut wrong = bytes.clone();
                wrong[place] ^= 1;
                assert_eq!(try_import_fabric(&wrong), (107_017, 7 as *mut c_void), "byte {place}");
            }
            // Nor is it a handle of the other form.
            let number = u64::from_le_bytes(bytes[8..16].try_into().unwrap());
            assert_eq!(try_import(number), (107_017, 7 as *mut c_void));
            board.post("done", b"");
        }
    });
}

#[test]
fn s32_handles_across_servers() {
    isolated::crew(2, &[], |rank, board| {
        on_server(rank);
        set(0);
        introduce(board, rank);
        if rank == 0 {
            post_number(board, "local", export(create(STEP, hbm(0))));
            let (start, handle) = mapped(STEP, 0);
            assert_eq!(write(start, b"far"), 0);
            let (code, bytes) = try_export_fabric(handle, 0);
            assert_eq!(code, 0);
            let mut list = [pid_of(board, 1)];
            let handle = bytes.as_ptr().cast_mut().cast();
            assert_eq!(code!(aclrtMemSetPidToShareableHandleV2(handle, 2, list.as_mut_ptr(), 1)), 0);
            board.post("fabric", &bytes);
            board.take("done");
            assert_eq!(read(start, 4).unwrap(), b"fare");
        } else {
            assert_eq!(try_import(take_number(board, "local")), (107_017, 7 as *mut c_void));
            let (code, handle) = try_import_fabric(&board.take("fabric"));
            assert_eq!(code, 0);
            let start = map_imported(STEP, handle);
            assert_eq!(read(start, 3).unwrap(), b"far");
            // The exporter's device has no number here, so it is the importing one's.
            let mut found = hbm(9);
            ok!(aclrtMemGetAllocationPropertiesFromHandle(handle, &raw mut found));
            assert_eq!((found.location.type_, found.location.id), (DEVICE, 0));
            assert_eq!(write(start.wrapping_byte_add(3), b"e"), 0);
            board.post("done", b"");
        }
    });
}

#[test]
fn s34_whitelists_have_1_to_65535_processes() {
    isolated::run(&[], || {
        set(0);
        let (_, number) = try_export(create(STEP, hbm(0)), 0);
        let many = vec![1; 65_536];
        assert_eq!(allow(number, &[]), 107_000);
        assert_eq!(allow(number, &many), 107_000);
        assert_eq!(allow(number, &many[1..]), 0);
        assert_eq!(code!(aclrtMemSetPidToShareableHandle(number, null_mut(), 1)), 100_000);
        let mut list = [1];
        assert_eq!(code!(aclrtMemSetPidToShareableHandleV2(null_mut(), 1, list.as_mut_ptr(), 1)), 100_000);
    });
}

#[test]
fn s34_open_handle_refuses_a_whitelist() {
    isolated::run(&[], || {
        set(0);
        assert_eq!(allow(export(create(STEP, hbm(0))), &[1]), 207_006);
    });
}

#[test]
fn s34_only_the_exporter_sets_the_whitelist() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            post_number(board, "handle", try_export(create(STEP, hbm(0)), 0).1);
            board.take("done");
        } else {
            assert_eq!(allow(take_number(board, "handle"), &[own_pid()]), 207_006);
            assert_eq!(allow(12_345, &[own_pid()]), 107_017);
            board.post("done", b"");
        }
    });
}
