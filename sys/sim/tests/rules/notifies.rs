// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifies and values: S52 and S53.

use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use ascend_acl_sys::raw::types::{aclrtCntNotifyRecordInfo, aclrtCntNotifyWaitInfo};
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::notify::*;
use ascend_sim::acl::streams::*;
use ascend_sim::acl::values::*;
use ascend_sim::clock;
use ascend_sim::memory::Initiator;
use ascend_sim::memory::transfer::{load_word, store_word};

use crate::calls::*;
use crate::isolated;

fn seconds(seconds: u64) -> std::time::Duration {
    std::time::Duration::from_secs(seconds)
}

#[test]
fn s52_a_notify_is_a_flag() {
    isolated::run(&[], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let notify = made!(aclrtCreateNotify(0));
        let notes = Notes::default();
        ok!(aclrtWaitAndResetNotify(notify, two, 0));
        notes.add_in(two, 1);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(two, 10)), 507046);
        // Recording a set notify has no effect, so that two records count once.
        ok!(aclrtRecordNotify(notify, one));
        ok!(aclrtSynchronizeStream(two));
        ok!(aclrtRecordNotify(notify, one));
        ok!(aclrtRecordNotify(notify, one));
        ok!(aclrtSynchronizeStream(one));
        ok!(aclrtWaitAndResetNotify(notify, two, 0));
        notes.add_in(two, 2);
        ok!(aclrtSynchronizeStream(two));
        ok!(aclrtWaitAndResetNotify(notify, two, 0));
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(two, 10)), 507046);
        assert_eq!(notes.all(), [1, 2]);
        ok!(aclrtStreamAbort(two));
    });
}

/// Two streams that hand a turn to and fro.
fn turns() {
    let streams = [a_stream(), made!(aclrtCreateStream())];
    let notifies = [made!(aclrtCreateNotify(0)), made!(aclrtCreateNotify(0))];
    let notes = Notes::default();
    ok!(aclrtRecordNotify(notifies[0], streams[0]));
    for turn in 0..100_u32 {
        let own = turn as usize % 2;
        ok!(aclrtWaitAndResetNotify(notifies[own], streams[own], 30));
        notes.add_in(streams[own], turn);
        ok!(aclrtRecordNotify(notifies[1 - own], streams[own]));
    }
    ok!(aclrtSynchronizeDevice());
    assert_eq!(notes.all(), (0..100).collect::<Vec<_>>());
}

under_random_schedules! { turns:
    s52_turns_under_schedule_1 21
    s52_turns_under_schedule_2 22
    s52_turns_under_schedule_3 23
}

#[test]
fn s52_a_timeout_is_an_error_of_the_stream() {
    isolated::run(&[], || {
        let stream = a_stream();
        let notify = made!(aclrtCreateNotify(0));
        ok!(aclrtWaitAndResetNotify(notify, stream, 1000));
        let notes = Notes::default();
        notes.add_in(stream, 1);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 10)), 507046);
        eventually("the wait began and ended", || {
            clock::advance(seconds(400));
            queried!(aclrtStreamQuery(stream)) == 0
        });
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107019);
        assert_eq!(notes.all(), [1], "the stream continues");
        // With 0 it waits for ever.
        ok!(aclrtWaitAndResetNotify(notify, stream, 0));
        clock::advance(seconds(1_000_000));
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 20)), 507046);
        ok!(aclrtRecordNotify(notify, null_mut()));
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s52_several_are_reset_at_once() {
    isolated::run(&[], || {
        let stream = a_stream();
        let mut notifies: Vec<_> = (0..3).map(|_| made!(aclrtCreateNotify(0))).collect();
        for notify in &notifies {
            ok!(aclrtRecordNotify(*notify, stream));
        }
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(code!(aclrtNotifyBatchReset(notifies.as_mut_ptr(), 0)), 100000);
        assert_eq!(code!(aclrtNotifyBatchReset(null_mut(), 3)), 100000);
        ok!(aclrtNotifyBatchReset(notifies.as_mut_ptr(), 2));
        ok!(aclrtWaitAndResetNotify(notifies[2], stream, 0));
        ok!(aclrtSynchronizeStream(stream));
        ok!(aclrtWaitAndResetNotify(notifies[1], stream, 0));
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 10)), 507046);
        ok!(aclrtStreamAbort(stream));
    });
}

#[test]
fn s52_notify_ids_are_reused() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let notify = made!(aclrtCreateNotify(0));
        let id: u32 = queried!(aclrtGetNotifyId(notify));
        ok!(aclrtDestroyNotify(notify));
        assert_eq!(code!(aclrtDestroyNotify(notify)), 107000);
        assert_eq!(code!(aclrtGetNotifyId(notify, nowhere())), 107000);
        let again = made!(aclrtCreateNotify(0));
        assert_eq!(queried!(aclrtGetNotifyId(again)), id);
        assert_eq!(code!(aclrtCreateNotify(nowhere(), 2)), 100000);
        assert_eq!(code!(aclrtCreateNotify(null_mut(), 0)), 100000);
    });
}

#[test]
fn s52_a_fresh_notify_is_clear() {
    isolated::run(&[], || {
        let stream = a_stream();
        let notify = made!(aclrtCreateNotify(0));
        ok!(aclrtRecordNotify(notify, stream));
        ok!(aclrtSynchronizeStream(stream));
        ok!(aclrtDestroyNotify(notify));
        let again = made!(aclrtCreateNotify(0));
        ok!(aclrtWaitAndResetNotify(again, stream, 0));
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 10)), 507046);
        ok!(aclrtStreamAbort(stream));
    });
}

fn id_of(notify: Handle) -> [u8; 4] {
    let id: u32 = queried!(aclrtGetNotifyId(notify));
    id.to_le_bytes()
}

fn own_process() -> [u8; 4] {
    let process: i32 = queried!(aclrtDeviceGetBareTgid());
    process.to_le_bytes()
}

fn key_of(notify: Handle, flags: u64) -> Vec<u8> {
    let mut key = [0x7f; 65];
    ok!(aclrtNotifyGetExportKey(notify, key.as_mut_ptr().cast(), key.len(), flags));
    CStr::from_bytes_until_nul(&key).unwrap().to_bytes_with_nul().to_vec()
}

fn import(key: &[u8], flags: u64) -> Result<Handle, i32> {
    let mut notify = null_mut();
    match code!(aclrtNotifyImportByKey(&raw mut notify, key.as_ptr().cast::<c_char>(), flags)) {
        0 => Ok(notify),
        code => {
            assert!(notify.is_null(), "untouched on failure");
            Err(code)
        }
    }
}

#[test]
fn s52_across_processes() {
    isolated::crew(2, &[("DEVICES", "2")], |rank, board| {
        if rank == 0 {
            let stream = a_stream();
            let notify = made!(aclrtCreateNotify(0));
            board.post("key", &key_of(notify, 2));
            board.post("id", &id_of(notify));
            for turn in 0..3 {
                ok!(aclrtWaitAndResetNotify(notify, stream, 40));
                ok!(aclrtSynchronizeStream(stream));
                board.post(&format!("turn-{turn}"), b"");
            }
            ok!(aclrtDestroyNotify(notify));
            board.post("destroyed", b"");
            board.take("recorded");
            // Later records by the importer do not affect a notify created since.
            let next = made!(aclrtCreateNotify(0));
            ok!(aclrtWaitAndResetNotify(next, stream, 0));
            assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 20)), 507046);
            ok!(aclrtStreamAbort(stream));
        } else {
            ok!(aclrtSetDevice(1));
            let stream = made!(aclrtCreateStream());
            let key = board.take("key");
            let notify = import(&key, 2).unwrap();
            assert_eq!(id_of(notify), *board.take("id"));
            assert_eq!(code!(aclrtWaitAndResetNotify(notify, stream, 1)), 107000, "only its owner waits");
            assert_eq!(
                code!(aclrtNotifyGetExportKey(notify, nowhere::<[c_char; 65]>().cast(), 65, 0)),
                107000
            );
            let done = |record: &dyn Fn()| {
                record();
                ok!(aclrtSynchronizeStream(stream));
            };
            // Records that follow at once may fall together, so each waits for its answer.
            for turn in 0..3 {
                done(&|| ok!(aclrtRecordNotify(notify, stream)));
                board.take(&format!("turn-{turn}"));
            }
            board.take("destroyed");
            done(&|| ok!(aclrtRecordNotify(notify, stream)));
            assert_eq!(import(&key, 0), Err(507022), "what was destroyed is not imported");
            ok!(aclrtDestroyNotify(notify));
            assert_eq!(code!(aclrtRecordNotify(notify, stream)), 107000);
            board.post("recorded", b"");
        }
    });
}

#[test]
fn s52_only_named_processes_may_import() {
    isolated::crew(3, &[], |rank, board| {
        ok!(aclrtSetDevice(0));
        if rank == 0 {
            let notify = made!(aclrtCreateNotify(0));
            let mut friend = [i32::from_le_bytes(board.take("friend").try_into().unwrap())];
            assert_eq!(code!(aclrtNotifySetImportPid(notify, friend.as_mut_ptr(), 1)), 107000, "no key yet");
            let key = key_of(notify, 0);
            assert_eq!(code!(aclrtNotifySetImportPid(notify, friend.as_mut_ptr(), 0)), 100000);
            ok!(aclrtNotifySetImportPid(notify, friend.as_mut_ptr(), 1));
            board.post("key", &key);
        } else if rank == 1 {
            board.post("friend", &own_process());
            import(&board.take("key"), 0).unwrap();
        } else {
            assert_eq!(import(&board.take("key"), 0), Err(207006));
        }
        board.meet("end", rank, 3);
    });
}

#[test]
fn s52_keys() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let notify = made!(aclrtCreateNotify(0));
        let room: *mut c_char = nowhere::<[c_char; 65]>().cast();
        assert_eq!(code!(aclrtNotifyGetExportKey(notify, room, 64, 0)), 107000);
        assert_eq!(code!(aclrtNotifyGetExportKey(notify, room, 0, 0)), 100000);
        assert_eq!(code!(aclrtNotifyGetExportKey(notify, null_mut(), 65, 0)), 100000);
        assert_eq!(code!(aclrtNotifyGetExportKey(notify, room, 65, 1)), 100000);
        let key = key_of(notify, 2);
        assert_eq!(key, key_of(notify, 2), "asked again");
        assert_eq!(import(&key, 1), Err(100000));
        assert_eq!(import(b"no such key\0", 0), Err(507022));
        let mut forged = key.clone();
        forged[31] ^= 1;
        assert_eq!(import(&forged, 0), Err(507022));
        import(&key, 0).unwrap();
    });
}

#[test]
fn s52_the_key_of_a_dead_process_is_void() {
    isolated::crew(2, &[], |rank, board| {
        ok!(aclrtSetDevice(0));
        if rank == 0 {
            board.post("key", &key_of(made!(aclrtCreateNotify(0)), 2));
            board.take("imported");
            // SAFETY: ends this process.
            unsafe { libc::raise(libc::SIGKILL) };
        }
        let key = board.take("key");
        let notify = import(&key, 0).unwrap();
        board.post("imported", b"");
        eventually("the key is void", || import(&key, 0) == Err(507022));
        // Earlier imports still work.
        ok!(aclrtRecordNotify(notify, null_mut()));
        ok!(aclrtSynchronizeStream(null_mut()));
    });
}

#[test]
fn s52_a_dropped_notify_is_injected() {
    isolated::run(&[("FAULTS", "drop-notify@1")], || {
        let stream = a_stream();
        let notify = made!(aclrtCreateNotify(0));
        ok!(aclrtRecordNotify(notify, null_mut()));
        ok!(aclrtWaitAndResetNotify(notify, stream, 0));
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 10)), 507046);
        ok!(aclrtRecordNotify(notify, null_mut()));
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s52_counting_notifies_are_of_the_950_alone() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtCntNotifyCreate(nowhere(), 0)), 207000);
        assert!(last_error().contains("counting"));
    });
}

#[test]
fn s52_counting_notifies() {
    isolated::run(&[("SOC", "Ascend950PR_9579")], || {
        let (one, two) = (a_stream(), made!(aclrtCreateStream()));
        let notify = made!(aclrtCntNotifyCreate(0));
        let _: u32 = queried!(aclrtCntNotifyGetId(notify));
        assert_eq!(code!(aclrtRecordNotify(notify, one)), 107000, "another sort of handle");
        let record = |mode, value| {
            let mut info = aclrtCntNotifyRecordInfo { mode, value };
            code!(aclrtCntNotifyRecord(notify, one, &raw mut info))
        };
        let wait = |mode, value, clear| {
            let mut info = aclrtCntNotifyWaitInfo { mode, value, isClear: clear, ..Default::default() };
            code!(aclrtCntNotifyWaitWithTimeout(notify, two, &raw mut info))
        };
        let check = |passes: bool, what: &str| {
            let code = code!(aclrtSynchronizeStreamWithTimeout(two, if passes { -1 } else { 10 }));
            assert_eq!(code, if passes { 0 } else { 507046 }, "{what}");
            ok!(aclrtStreamAbort(two));
        };
        assert_eq!(record(3, 0), 100000);
        assert_eq!(wait(5, 0, 0), 100000);
        // The count after each record, by what passes.
        for (mode, value, count) in [(0, 5, 5), (1, 3, 8), (2, 3, 11), (4, 9, 9)] {
            assert_eq!(record(mode, value), 0);
            ok!(aclrtSynchronizeStream(one));
            let cases = [
                (0, count + 1, true),
                (0, count, false),
                (1, count, true),
                (1, count + 1, false),
                (2, count - 1, true),
                (2, count, false),
                (3, count, true),
                (3, count + 1, false),
                (4, count, true),
                (4, count | 0x100, false),
            ];
            for (mode, value, does) in cases {
                assert_eq!(wait(mode, value, 0), 0);
                check(does, &format!("count {count}, mode {mode}, value {value}"));
            }
        }
        assert_eq!(wait(1, 9, 1), 0);
        check(true, "reached");
        assert_eq!(wait(1, 0, 0), 0);
        check(true, "cleared by the wait");
        assert_eq!(record(0, 7), 0);
        ok!(aclrtCntNotifyReset(notify, one));
        ok!(aclrtSynchronizeStream(one));
        assert_eq!(wait(1, 0, 0), 0);
        check(true, "reset");
        ok!(aclrtCntNotifyDestroy(notify));
        assert_eq!(code!(aclrtCntNotifyDestroy(notify)), 107000);
    });
}

fn word() -> Handle {
    let word = made!(aclrtMalloc(4096, 0));
    store_word(Initiator::Host, word.addr() as u64, 0).unwrap();
    word
}

fn put(word: Handle, value: u64) {
    store_word(Initiator::Host, word.addr() as u64, value).unwrap();
}

fn values_are_written_and_waited_for() {
    let (one, two) = (a_stream(), made!(aclrtCreateStream()));
    let word = word();
    let notes = Notes::default();
    for turn in 1..=40_u64 {
        let note = u32::try_from(turn).unwrap();
        ok!(aclrtValueWait(word, 2 * turn - 1, 1, two));
        notes.add_in(two, note);
        ok!(aclrtValueWrite(word, 2 * turn, 0, two));
        ok!(aclrtValueWrite(word, 2 * turn - 1, 0, one));
        ok!(aclrtValueWait(word, 2 * turn, 0, one));
    }
    ok!(aclrtSynchronizeDevice());
    assert_eq!(notes.all(), (1..=40).collect::<Vec<_>>());
    assert_eq!(load_word(Initiator::Host, word.addr() as u64).unwrap(), 80);
}

under_random_schedules! { values_are_written_and_waited_for:
    s53_turns_under_schedule_1 31
    s53_turns_under_schedule_2 32
}

#[test]
fn s53_turns_without_cpu_access_to_device_memory() {
    isolated::run(&[("ADDR", "alias")], values_are_written_and_waited_for);
}

#[test]
fn s53_value_comparisons_follow_their_condition() {
    isolated::run(&[], || {
        let stream = a_stream();
        let word = word();
        let cases = [
            (0, 5, 6, false),
            (0, 5, 5, true),
            (0, 6, 5, true),
            (0, 3, u64::MAX, true),
            (1, 6, 5, false),
            (1, 5, 5, true),
            (2, 4, 3, false),
            (2, 6, 3, true),
            (3, u64::MAX, 0, false),
            (3, u64::MAX - 1, 0, true),
        ];
        for (flag, stored, value, passes) in cases {
            put(word, stored);
            ok!(aclrtValueWait(word, value, flag, stream));
            let code = code!(aclrtSynchronizeStreamWithTimeout(stream, if passes { -1 } else { 10 }));
            assert_eq!(code, if passes { 0 } else { 507046 }, "flag {flag}, {stored:#x} and {value:#x}");
            ok!(aclrtStreamAbort(stream));
        }
    });
}

#[test]
fn s53_invalid_arguments_are_rejected() {
    isolated::run(&[], || {
        let stream = a_stream();
        let word = word();
        assert_eq!(code!(aclrtValueWait(word, 0, 4, stream)), 100000);
        assert_eq!(code!(aclrtValueWrite(word, 0, 1, stream)), 100000);
        assert_eq!(code!(aclrtValueWrite(null_mut(), 0, 0, stream)), 100000);
        let odd = word.wrapping_byte_add(4);
        assert_eq!(code!(aclrtValueWrite(odd, 0, 0, stream)), 107008);
        assert_eq!(code!(aclrtValueWait(odd, 0, 0, stream)), 107008);
        // An address that is no memory is an error of the task, not a crash.
        ok!(aclrtFree(word));
        ok!(aclrtValueWrite(word, 1, 0, stream));
        assert_ne!(code!(aclrtSynchronizeStream(stream)), 0);
    });
}
