// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys of allocations.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use ascend_acl_sys::raw::types::aclrtServerPid;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::ipc::*;
use ascend_sim::acl::memory::*;
use ascend_sim::census;

use super::*;
use crate::calls::eventually;
use crate::isolated;
use crate::virtual_memory::*;

fn malloc(bytes: usize) -> *mut c_void {
    let mut p = null_mut();
    assert_eq!(code!(aclrtMalloc(&raw mut p, bytes, 0)), 0);
    p
}

type Key = [u8; 65];

fn try_key(start: *mut c_void, bytes: usize, flags: u64) -> (i32, Key) {
    let mut key = [7; 65];
    (code!(aclrtIpcMemGetExportKey(start, bytes, key.as_mut_ptr().cast(), 65, flags)), key)
}

fn key(start: *mut c_void, bytes: usize) -> Key {
    let (code, key) = try_key(start, bytes, 1);
    assert_eq!(code, 0);
    key
}

fn open(key: &[u8], flags: u64) -> (i32, *mut c_void) {
    let mut start = 7 as *mut c_void;
    (code!(aclrtIpcMemImportByKey(&raw mut start, key.as_ptr().cast(), flags)), start)
}

fn close(key: &[u8]) -> i32 {
    code!(aclrtIpcMemClose(key.as_ptr().cast()))
}

fn allow_key(key: &Key, list: &[i32]) -> i32 {
    let mut list = list.to_vec();
    code!(aclrtIpcMemSetImportPid(key.as_ptr().cast(), list.as_mut_ptr(), list.len()))
}

#[test]
fn s37_a_key_checks_its_arguments() {
    isolated::run(&[], || {
        set(0);
        let start = malloc(STEP);
        let mut key: Key = [7; 65];
        let place: *mut c_char = key.as_mut_ptr().cast();
        assert_eq!(code!(aclrtIpcMemGetExportKey(null_mut(), STEP, place, 65, 0)), 100_000);
        assert_eq!(code!(aclrtIpcMemGetExportKey(start, 0, place, 65, 0)), 100_000);
        assert_eq!(code!(aclrtIpcMemGetExportKey(start, STEP, null_mut(), 65, 0)), 100_000);
        assert_eq!(code!(aclrtIpcMemGetExportKey(start, STEP, place, 64, 0)), 100_000);
        assert_eq!(code!(aclrtIpcMemGetExportKey(start, STEP, place, 65, 2)), 100_000);
        assert_eq!(try_key(start.wrapping_byte_add(4096), STEP, 0), (107_000, [7; 65]));
        let (mapping, _) = mapped(STEP, 0);
        assert_eq!(try_key(mapping, STEP, 0).0, 107_000);
        assert_eq!(try_key((&raw mut key).cast(), 8, 0).0, 107_000);
        let mut host = null_mut();
        assert_eq!(code!(aclrtMallocHost(&raw mut host, STEP)), 0);
        assert_eq!(try_key(host, STEP, 0).0, 107_000);
        let (code, key) = try_key(start.wrapping_byte_add(4096), STEP - 4096, 0);
        assert_eq!(code, 0);
        let end = key.iter().position(|byte| *byte == 0).unwrap();
        assert!(end > 0 && key[..end].iter().all(|byte| byte.is_ascii_graphic()));
    });
}

#[test]
fn s37_bytes_behind_a_key_are_shared() {
    both_crews(2, |rank, board| {
        set(0);
        // Large and small, from the start and from within.
        for (round, (bytes, from, part)) in
            [(4 * STEP, 0, 4 * STEP), (4 * STEP, 5000, 70_000), (1000, 0, 1000), (1000, 100, 8)]
                .into_iter()
                .enumerate()
        {
            if rank == 0 {
                let start = malloc(bytes);
                let data = pattern(0..bytes);
                assert_eq!(write(start, &data), 0);
                let inside = start.wrapping_byte_add(from);
                let key = key(inside, part);
                board.post(&format!("key-{round}"), &key);
                post_number(board, &format!("address-{round}"), inside.addr() as u64);
                board.take(&format!("written-{round}"));
                assert_eq!(read(inside, 4).unwrap(), b"echo");
                assert_eq!(close(&key), 0);
            } else {
                let key = board.take(&format!("key-{round}"));
                let (code, start) = open(&key, 0);
                assert_eq!(code, 0);
                assert_ne!(start.addr() as u64, take_number(board, &format!("address-{round}")));
                let data = pattern(from..from + part);
                assert!(read(start, part).unwrap() == data);
                assert_eq!(read(start.wrapping_byte_add(part), 1), Err(107_000));
                assert_eq!(read(start.wrapping_byte_sub(1), 1), Err(107_000));
                assert_eq!(write(start, b"echo"), 0);
                assert_eq!(close(&key), 0);
                assert_eq!(read(start, 1), Err(107_000));
                board.post(&format!("written-{round}"), b"");
            }
        }
    });
}

#[test]
fn s37_addresses_differ_from_import_to_import() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            board.post("key", &key(malloc(STEP), STEP));
            board.take("done");
        } else {
            let key = board.take("key");
            let mut seen = std::collections::HashSet::new();
            for _ in 0..8 {
                seen.insert(open(&key, 0).1);
                assert_eq!(close(&key), 0);
            }
            assert!(seen.len() > 4);
            board.post("done", b"");
        }
    });
}

#[test]
fn s37_a_key_is_opened_once_and_closed_once() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            let key = key(malloc(STEP), STEP);
            // Assumed: not by its own process.
            assert_eq!(open(&key, 0), (107_000, 7 as *mut c_void));
            board.post("key", &key);
            board.take("closed");
            assert_eq!(close(&key), 0);
            assert_eq!(close(&key), 507_022);
            board.post("gone", b"");
        } else {
            let key = board.take("key");
            assert_eq!(code!(aclrtIpcMemImportByKey(null_mut(), key.as_ptr().cast(), 0)), 100_000);
            assert_eq!(open(&key, 2), (100_000, 7 as *mut c_void));
            assert_eq!(close(&key), 507_022);
            assert_eq!(open(&key, 0).0, 0);
            assert_eq!(open(&key, 0), (507_022, 7 as *mut c_void));
            assert_eq!(close(&key), 0);
            assert_eq!(close(&key), 507_022);
            board.post("closed", b"");
            board.take("gone");
            assert_eq!(open(&key, 0), (507_022, 7 as *mut c_void));
        }
    });
}

#[test]
fn s37_malformed_key_is_unknown() {
    isolated::run(&[], || {
        set(0);
        for text in [&b"\0"[..], b"hello\0", &[b'x'; 65], b"ascend-sim-ipc-memory-key-1-2\0"] {
            assert_eq!(open(text, 0), (507_022, 7 as *mut c_void));
            assert_eq!(close(text), 507_022);
        }
        let mut wrong = key(malloc(STEP), STEP);
        let end = wrong.iter().position(|byte| *byte == 0).unwrap();
        wrong[end - 1] = if wrong[end - 1] == b'0' { b'1' } else { b'0' };
        assert_eq!(open(&wrong, 0).0, 507_022);
        assert_eq!(close(&wrong), 507_022);
        assert_eq!(code!(aclrtIpcMemClose(std::ptr::null())), 100_000);
    });
}

#[test]
fn s37_import_by_an_unlisted_process() {
    isolated::crew(3, &[], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let (code, key) = try_key(malloc(STEP), STEP, 0);
            assert_eq!(code, 0);
            assert_eq!(allow_key(&key, &[]), 107_000);
            assert_eq!(allow_key(&key, &[pid_of(board, 1)]), 0);
            board.post("key", &key);
        } else {
            let key: Key = board.take("key").try_into().unwrap();
            assert_eq!(open(&key, 0).0, if rank == 1 { 0 } else { 207_006 });
            assert_eq!(allow_key(&key, &[own_pid()]), 507_022);
        }
        board.meet("end", rank, 3);
    });
}

#[test]
fn s37_open_key_refuses_a_whitelist() {
    isolated::run(&[], || {
        set(0);
        assert_eq!(allow_key(&key(malloc(STEP), STEP), &[1]), 207_006);
    });
}

#[test]
fn s37_another_device_needs_peer_access() {
    each(2, &[&[A2], &[A3]], |rank, board| {
        set(num(rank));
        if rank == 0 {
            let start = malloc(STEP);
            assert_eq!(write(start, b"peer"), 0);
            board.post("key", &key(start, STEP));
            board.take("done");
        } else {
            let key = board.take("key");
            assert_eq!(open(&key, 0), (107_000, 7 as *mut c_void));
            let (code, start) = open(&key, 1);
            assert_eq!(code, 0);
            let (ours, _) = mapped(STEP, 1);
            assert_eq!(copy_on_stream(ours, start, 4), 0);
            assert_eq!(read(ours, 4).unwrap(), b"peer");
            board.post("done", b"");
        }
    });
}

#[test]
fn s37_an_importer_outlives_the_exporters_key() {
    isolated::crew(2, &[SOME_MEMORY], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let start = malloc(8 * MIB);
            assert_eq!(write(start, b"lent"), 0);
            let key = key(start, 8 * MIB);
            board.post("key", &key);
            board.take("opened");
            assert_eq!(close(&key), 0);
            assert_eq!(code!(aclrtFree(start)), 0);
            assert_eq!(try_create(8 * MIB, hbm(0)).0, 207_001);
            board.post("closed", b"");
            board.take("done");
            wait_until_free(16 * MIB);
        } else {
            let key = board.take("key");
            let (_, start) = open(&key, 0);
            board.post("opened", b"");
            board.take("closed");
            assert_eq!(read(start, 4).unwrap(), b"lent");
            assert_eq!(close(&key), 0);
            board.post("done", b"");
        }
    });
}

#[test]
fn s37_an_importer_outlives_a_killed_exporter() {
    isolated::crew(2, &[SOME_MEMORY], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let start = malloc(8 * MIB);
            assert_eq!(write(start, b"lent"), 0);
            board.post("key", &key(start, 8 * MIB));
            board.take("opened");
            die();
        }
        let key = board.take("key");
        let (_, start) = open(&key, 0);
        board.post("opened", b"");
        wait_until_dead(pid_of(board, 0));
        assert_eq!(read(start, 4).unwrap(), b"lent");
        assert_eq!(close(&key), 0);
        assert_eq!(open(&key, 0).0, 507_022);
        wait_until_free(16 * MIB);
    });
}

#[test]
fn s37_keys_work_on_one_server_unless_others_are_named() {
    isolated::crew(2, &[], |rank, board| {
        on_server(rank);
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let key = key(malloc(STEP), STEP);
            board.post("open", &key);
            let start = malloc(STEP);
            assert_eq!(write(start, b"named"), 0);
            let (_, key) = try_key(start, STEP, 0);
            let mut pids = [pid_of(board, 1)];
            let mut named = aclrtServerPid { sdid: 1 << 22, pid: pids.as_mut_ptr(), num: 1 };
            let name = |named: *mut aclrtServerPid, count| {
                code!(aclrtIpcMemImportPidInterServer(key.as_ptr().cast(), named, count))
            };
            assert_eq!(name(null_mut(), 1), 100_000);
            assert_eq!(name(&raw mut named, 0), 100_000);
            // The right process on the wrong server.
            named.sdid = 2 << 22;
            assert_eq!(name(&raw mut named, 1), 0);
            board.post("named", &key);
            board.take("refused");
            named.sdid = 1 << 22;
            assert_eq!(name(&raw mut named, 1), 0);
            board.post("again", b"");
            board.take("done");
        } else {
            assert_eq!(open(&board.take("open"), 1).0, 507_022);
            let key = board.take("named");
            assert_eq!(open(&key, 1).0, 507_022);
            board.post("refused", b"");
            board.take("again");
            let (code, start) = open(&key, 1);
            assert_eq!(code, 0);
            assert_eq!(read(start, 5).unwrap(), b"named");
            board.post("done", b"");
        }
    });
}

#[test]
fn s37_attributes_are_of_own_keys() {
    isolated::run(&[], || {
        set(0);
        let key = key(malloc(STEP), STEP);
        let attribute = |key: &[u8], kind, value| code!(aclrtIpcMemSetAttr(key.as_ptr().cast(), kind, value));
        assert_eq!(attribute(&key, 0, 0), 0);
        assert_eq!(attribute(&key, 0, 1), 0);
        assert_eq!(attribute(&key, 0, 2), 107_000);
        assert_eq!(attribute(&key, 1, 0), 100_000);
        assert_eq!(attribute(b"nonsense\0", 0, 0), 507_022);
    });
}

#[test]
fn s5_a_reset_closes_the_keys_of_the_device() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        let left = || ["ipc", "descriptor", "allocation"].map(|kind| census::count(kind).unwrap());
        let before = left();
        if rank == 0 {
            let key = key(malloc(STEP), STEP);
            board.post("key", &key);
            board.take("reset");
            ok!(aclrtResetDevice(0));
            set(0);
            assert_eq!(close(&key), 507_022);
        } else {
            let key = board.take("key");
            let (code, start) = open(&key, 0);
            assert_eq!(code, 0);
            ok!(aclrtResetDevice(0));
            set(0);
            assert_eq!(read(start, 1), Err(107_000));
            assert_eq!(close(&key), 507_022);
            assert_eq!(open(&key, 0).0, 0);
            assert_eq!(close(&key), 0);
            board.post("reset", b"");
        }
        eventually("all that was handed out is given back", || left() == before);
    });
}

#[test]
fn s37_shared_slot_is_not_reused_while_others_map_it() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            let start = malloc(1000);
            assert_eq!(write(start, b"lent"), 0);
            let key = key(start, 1000);
            board.post("key", &key);
            board.take("opened");
            ok!(aclrtFree(start));
            // More than the arena of small allocations has room for.
            for _ in 0..200_000 {
                let other = malloc(1000);
                assert_ne!(other, start);
                ok!(aclrtFree(other));
            }
            board.post("freed", b"");
            board.take("done");
        } else {
            let key = board.take("key");
            let (_, start) = open(&key, 0);
            board.post("opened", b"");
            board.take("freed");
            assert_eq!(read(start, 4).unwrap(), b"lent");
            board.post("done", b"");
        }
    });
}
