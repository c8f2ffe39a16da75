// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The simulator's own interface.

use std::ffi::{CStr, CString};
use std::ptr::null_mut;

use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::control::*;

use crate::calls::*;
use crate::isolated;

fn count(kind: &str) -> u64 {
    let kind = CString::new(kind).unwrap();
    queried!(ascsim_count(kind.as_ptr()))
}

#[test]
fn probe_reports_its_machine() {
    // SAFETY: a text for ever.
    let text = unsafe { CStr::from_ptr(ascsim_version()) }.to_str().unwrap();
    assert!(text.starts_with("ascend-sim "));
    let header = include_str!("../../../include/ascend_sim.h");
    assert!(header.contains(&format!("#define ASCSIM_API_VERSION {}\n", ascsim_api_version())));
}

#[test]
fn the_header_names_every_function() {
    let header = include_str!("../../../include/ascend_sim.h");
    let source = include_str!("../../../src/control.rs");
    let mut names: Vec<_> =
        source.split("fn ascsim_").skip(1).map(|rest| rest.split('(').next().unwrap()).collect();
    names.sort_unstable();
    let mut declared: Vec<_> = header
        .lines()
        .filter(|line| line.ends_with(");"))
        .map(|line| line.split("ascsim_").nth(1).unwrap().split('(').next().unwrap())
        .collect();
    declared.sort_unstable();
    assert_eq!(names, declared);
}

#[test]
fn failed_stream_reports_at_the_next_synchronisation() {
    isolated::run(&[], || {
        let stream = a_stream();
        ok!(ascsim_fail_stream(stream, 100_003, c"no kernel".as_ptr()));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 100_003);
        let text = last_error();
        assert!(text.contains("no kernel"), "{text}");
        ok!(aclrtSynchronizeStream(stream));
        ok!(ascsim_fail_stream(null_mut(), 100_003, c"no kernel".as_ptr()));
        assert_eq!(code!(aclrtSynchronizeStream(null_mut())), 100_003);
        assert_eq!(code!(ascsim_fail_stream(stream, 0, c"no kernel".as_ptr())), 100_000);
        assert_eq!(code!(ascsim_fail_stream(stream, 1, std::ptr::null())), 100_000);
    });
}

#[test]
fn a_paused_device_runs_nothing() {
    isolated::run(&[], || {
        let stream = a_stream();
        let notes = Notes::default();
        ok!(ascsim_pause_device(0));
        notes.add_in(stream, 1);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 20)), 507046);
        assert_eq!(notes.count(), 0);
        ok!(ascsim_resume_device(0));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(notes.count(), 1);
        assert_eq!(code!(ascsim_pause_device(8)), 107001);
    });
}

#[test]
fn limits_hold_for_all_processes() {
    isolated::crew(2, &[], |rank, board| {
        ok!(aclrtSetDevice(0));
        if rank == 0 {
            ok!(ascsim_set_memory_limit(0, 16 << 20));
            ok!(ascsim_set_pool_limit(0, 0, 3));
            board.post("limited", b"");
        }
        board.take("limited");
        assert_eq!(code!(aclrtMalloc(nowhere(), 16 << 20, 0)), 207001);
        board.meet("default streams", rank, 2);
        if rank == 0 {
            made!(aclrtCreateStream());
            assert_eq!(code!(aclrtCreateStream(nowhere())), 207008);
        }
        board.meet("done", rank, 2);
        assert_eq!(code!(ascsim_set_pool_limit(0, 3, 1)), 100000);
    });
}

#[test]
fn the_clock_is_set_forward() {
    isolated::run(&[], || {
        let stream = a_stream();
        let gate = Gate::default();
        gate.hold(stream);
        let waiter = std::thread::spawn({
            let stream = SharedHandle::new(stream);
            move || {
                ok!(aclrtSetDevice(0));
                code!(aclrtSynchronizeStreamWithTimeout(stream.get(), 3_600_000))
            }
        });
        // It may not have begun to wait at the first time.
        eventually("an hour passes", || {
            ok!(ascsim_advance_clock(3_600_000_000_000));
            waiter.is_finished()
        });
        assert_eq!(waiter.join().unwrap(), 507046);
        gate.open();
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn objects_are_counted_by_kind() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let before = ["stream", "event", "context", "allocation", "host-allocation"].map(count);
        assert_eq!(before, [1, 0, 1, 0, 0]);
        let stream = made!(aclrtCreateStream());
        let event = made!(aclrtCreateEvent());
        let memory = made!(aclrtMalloc(64, 0));
        let host = made!(aclrtMallocHost(64));
        assert_eq!(["stream", "event", "allocation", "host-allocation"].map(count), [2, 1, 1, 1]);
        eventually("the listener has its name", || count("thread") > 0);
        let threads = count("thread");
        push(stream, || ());
        ok!(aclrtSynchronizeStream(stream));
        // Threads get their names a moment after they start.
        eventually("the stream has a thread", || count("thread") > threads);
        ok!(aclrtDestroyStream(stream));
        ok!(aclrtDestroyEvent(event));
        ok!(aclrtFree(memory));
        ok!(aclrtFreeHost(host));
        assert_eq!(["stream", "event", "context", "allocation", "host-allocation"].map(count), before);
        eventually("the stream's thread ends", || count("thread") == threads);
        for other in ["physical", "reservation", "mapping", "binary", "ipc", "notify", "host-registration"] {
            assert_eq!(count(other), 0, "{other}");
        }
        assert!(count("descriptor") > 0, "the machine itself");
        assert_eq!(code!(ascsim_count(c"dragon".as_ptr(), nowhere())), 100000);
        assert_eq!(code!(ascsim_count(c"stream".as_ptr(), null_mut())), 100000);
    });
}
