// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lifetime of shared memory when one of the processes frees it, ends or is killed.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use ascend_sim::acl::devices::*;
use ascend_sim::acl::virtual_memory::*;
use ascend_sim::census;

use super::*;
use crate::calls::eventually;
use crate::isolated;
use crate::virtual_memory::*;

#[test]
fn s33_freed_memory_cannot_be_imported() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            // Mapped or not: the handle counts.
            let (_, handle) = mapped(STEP, 0);
            post_number(board, "handle", export(handle));
            board.take("imported");
            assert_eq!(free(handle), 0);
            board.post("freed", b"");
            board.take("done");
        } else {
            let number = take_number(board, "handle");
            let early = import(number);
            board.post("imported", b"");
            board.take("freed");
            assert_eq!(try_import(number), (107_017, 7 as *mut c_void));
            assert_eq!(map(reserve(STEP), STEP, early), 0);
            board.post("done", b"");
        }
    });
}

#[test]
fn s33_a_retained_handle_keeps_the_export() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        if rank == 0 {
            let (start, handle) = mapped(STEP, 0);
            let mut retained = null_mut();
            assert_eq!(code!(aclrtMemRetainAllocationHandle(start, &raw mut retained)), 0);
            let number = export(handle);
            assert_eq!(free(handle), 0);
            post_number(board, "handle", number);
            board.take("imported");
            assert_eq!(free(retained), 0);
            board.post("freed", b"");
            board.take("done");
        } else {
            let number = take_number(board, "handle");
            import(number);
            board.post("imported", b"");
            board.take("freed");
            assert_eq!(try_import(number).0, 107_017);
            board.post("done", b"");
        }
    });
}

#[test]
fn s27_memory_is_freed_with_the_last_holder() {
    isolated::crew(2, &[SOME_MEMORY], |rank, board| {
        set(0);
        let all = 16 * MIB;
        if rank == 0 {
            let (start, handle) = mapped(all, 0);
            post_number(board, "handle", export(handle));
            board.take("mapped");
            assert_eq!(unmap(start), 0);
            assert_eq!(free(handle), 0);
            assert_eq!((free_bytes(0), try_create(STEP, hbm(0)).0), (0, 207_001));
            board.post("freed", b"");
            board.take("unmapped");
            assert_eq!((free_bytes(0), try_create(STEP, hbm(0)).0), (0, 207_001));
            board.post("checked", b"");
            board.take("released");
            assert_eq!(free_bytes(0), all as u64);
        } else {
            let handle = import(take_number(board, "handle"));
            let start = map_imported(all, handle);
            board.post("mapped", b"");
            board.take("freed");
            assert_eq!(write(start.wrapping_byte_add(all - 5), b"still"), 0);
            assert_eq!(unmap(start), 0);
            board.post("unmapped", b"");
            board.take("checked");
            assert_eq!(free(handle), 0);
            board.post("released", b"");
        }
    });
}

#[test]
fn s27_an_importer_frees_its_handle_and_keeps_its_mapping() {
    isolated::crew(2, &[SOME_MEMORY], |rank, board| {
        set(0);
        let all = 16 * MIB;
        if rank == 0 {
            let handle = create(all, hbm(0));
            post_number(board, "handle", export(handle));
            board.take("mapped");
            assert_eq!(free(handle), 0);
            assert_eq!(free_bytes(0), 0);
            board.post("freed", b"");
            board.take("unmapped");
            assert_eq!(free_bytes(0), all as u64);
        } else {
            let handle = import(take_number(board, "handle"));
            let start = map_imported(all, handle);
            assert_eq!(free(handle), 0);
            board.post("mapped", b"");
            board.take("freed");
            assert_eq!(write(start, b"mine"), 0);
            assert_eq!(unmap(start), 0);
            board.post("unmapped", b"");
        }
    });
}

#[test]
fn s27_memory_survives_its_killed_exporter() {
    isolated::crew(2, &[SOME_MEMORY], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let (start, handle) = mapped(16 * MIB, 0);
            assert_eq!(write(start, b"testament"), 0);
            post_number(board, "handle", export(handle));
            board.take("mapped");
            die();
        }
        let number = take_number(board, "handle");
        let handle = import(number);
        let start = map_imported(16 * MIB, handle);
        board.post("mapped", b"");
        wait_until_dead(pid_of(board, 0));
        assert_eq!(read(start, 9).unwrap(), b"testament");
        assert_eq!(write(start.wrapping_byte_add(16 * MIB - 1), &[1]), 0);
        assert_eq!(try_create(STEP, hbm(0)).0, 207_001);
        // Exports of a dead process cannot be imported.
        assert_eq!(try_import(number), (107_017, 7 as *mut c_void));
        assert_eq!(unmap(start), 0);
        assert_eq!(try_create(STEP, hbm(0)).0, 207_001);
        assert_eq!(free(handle), 0);
        wait_until_free(16 * MIB);
    });
}

#[test]
fn s27_memory_of_a_killed_exporter_is_freed() {
    isolated::crew(2, &[SOME_MEMORY], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let (_, handle) = mapped(16 * MIB, 0);
            post_number(board, "handle", export(handle));
            die();
        }
        let number = take_number(board, "handle");
        wait_until_dead(pid_of(board, 0));
        assert_eq!(try_import(number), (107_017, 7 as *mut c_void));
        wait_until_free(16 * MIB);
    });
}

#[test]
fn s27_memory_of_a_killed_importer_is_freed() {
    isolated::crew(2, &[SOME_MEMORY], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank == 0 {
            let handle = create(16 * MIB, hbm(0));
            post_number(board, "handle", export(handle));
            board.take("mapped");
            assert_eq!(free(handle), 0);
            board.post("freed", b"");
            wait_until_dead(pid_of(board, 1));
            wait_until_free(16 * MIB);
        } else {
            map_imported(16 * MIB, import(take_number(board, "handle")));
            board.post("mapped", b"");
            board.take("freed");
            assert_eq!(try_create(STEP, hbm(0)).0, 207_001);
            die();
        }
    });
}

#[test]
fn s33_exporters_killed_during_import_do_no_harm() {
    const EXPORTERS: usize = 8;
    isolated::crew(EXPORTERS + 1, &[("HBM_BYTES", "67108864")], |rank, board| {
        set(0);
        introduce(board, rank);
        if rank > 0 {
            let (start, handle) = mapped(8 * MIB, 0);
            assert_eq!(write(start, &[num(rank); 16]), 0);
            post_number(board, &format!("handle-{rank}"), export(handle));
            board.take(&format!("go-{rank}"));
            // At other moments of the import.
            let end = Instant::now() + Duration::from_micros(40 * rank as u64);
            while Instant::now() < end {
                std::hint::spin_loop();
            }
            die();
        }
        for rank in 1..=EXPORTERS {
            let number = take_number(board, &format!("handle-{rank}"));
            board.post(&format!("go-{rank}"), b"");
            let mut last = loop {
                match try_import(number) {
                    (0, handle) if pid_is_alive(pid_of(board, rank)) => assert_eq!(free(handle), 0),
                    other => break other,
                }
            };
            if last.0 == 0 {
                let start = map_imported(8 * MIB, last.1);
                assert_eq!(read(start, 16).unwrap(), [num::<u8>(rank); 16]);
                assert_eq!((unmap(start), free(last.1)), (0, 0));
                wait_until_dead(pid_of(board, rank));
                last = try_import(number);
            }
            assert_eq!(last, (107_017, 7 as *mut c_void), "exporter {rank}");
        }
        wait_until_free(64 * MIB);
    });
}

fn pid_is_alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

#[test]
fn s33_processes_import_from_each_other_at_once() {
    const ROUNDS: usize = 20;
    isolated::crew(3, &[("HBM_BYTES", "268435456")], |rank, board| {
        set(0);
        for round in 0..ROUNDS {
            let (start, handle) = mapped(STEP, 0);
            assert_eq!(write(start, &[num(rank), num(round)]), 0);
            post_number(board, &format!("handle-{round}-{rank}"), export(handle));
            std::thread::scope(|scope| {
                for peer in (0..3).filter(|peer| *peer != rank) {
                    let number = take_number(board, &format!("handle-{round}-{peer}"));
                    scope.spawn(move || {
                        set(0);
                        let handle = import(number);
                        let theirs = map_imported(STEP, handle);
                        assert_eq!(read(theirs, 2).unwrap(), [num::<u8>(peer), num(round)]);
                        assert_eq!((unmap(theirs), free(handle), release(theirs)), (0, 0, 0));
                    });
                }
            });
            board.meet(&format!("round-{round}"), rank, 3);
            assert_eq!((unmap(start), free(handle), release(start)), (0, 0, 0));
        }
        board.meet("end", rank, 3);
        assert_eq!(free_bytes(0), 256 << 20);
    });
}

#[test]
fn s5_reset_releases_imports_for_the_device() {
    both_crews(2, |rank, board| {
        set(0);
        if rank == 0 {
            let (start, handle) = mapped(STEP, 0);
            assert_eq!(write(start, b"here"), 0);
            post_number(board, "handle", export(handle));
            board.take("reset");
            assert_eq!(read(start, 4).unwrap(), b"here");
            assert_eq!((unmap(start), free(handle)), (0, 0));
            assert_eq!(free_bytes(0), machine().unwrap().config.hbm_bytes);
            board.post("checked", b"");
        } else {
            set(1);
            let number = take_number(board, "handle");
            let mut handle = null_mut();
            ok!(aclrtMemImportFromShareableHandle(number, 1, &raw mut handle));
            let start = reserve(STEP);
            assert_eq!(map(start, STEP, handle), 0);
            ok!(aclrtResetDevice(1));
            set(0);
            assert_eq!((unmap(start), free(handle)), (107_000, 107_000));
            assert_eq!(release(start), 0);
            board.post("reset", b"");
            board.take("checked");
        }
    });
}

#[test]
fn s27_nothing_is_left_of_many_imports() {
    isolated::crew(2, &[], |rank, board| {
        set(0);
        let left =
            || ["physical", "reservation", "mapping", "descriptor"].map(|kind| census::count(kind).unwrap());
        if rank == 0 {
            let before = left();
            for round in 0..20 {
                let handle = create(STEP, hbm(0));
                post_number(board, &format!("handle-{round}"), export(handle));
                board.take(&format!("done-{round}"));
                assert_eq!(free(handle), 0);
            }
            eventually("all that was handed out is given back", || left() == before);
        } else {
            let before = left();
            for round in 0..20 {
                let number = take_number(board, &format!("handle-{round}"));
                let handles = [(); 4].map(|()| import(number));
                for handle in handles {
                    let start = map_imported(STEP, handle);
                    assert_eq!((free(handle), unmap(start), release(start)), (0, 0, 0));
                }
                board.post(&format!("done-{round}"), b"");
            }
            eventually("all that was handed out is given back", || left() == before);
        }
    });
}
