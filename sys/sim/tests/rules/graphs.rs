// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Graphs that are captured from streams.

use std::ffi::c_void;
use std::ptr::null_mut;

use ascend_sim::acl::devices::*;
use ascend_sim::acl::events::*;
use ascend_sim::acl::graph::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::acl::values::*;

use crate::calls::*;
use crate::isolated;

const GLOBAL: u32 = 0;
const THREAD_LOCAL: u32 = 1;
const RELAXED: u32 = 2;
const D2D: u32 = 3;

fn memory() -> *mut c_void {
    let address = made!(aclrtMalloc(64, 0));
    ok!(aclrtMemset(address, 64, 0, 64));
    address
}

fn first_byte(address: *mut c_void) -> u8 {
    let mut byte = 0_u8;
    ok!(aclrtMemcpy((&raw mut byte).cast(), 1, address, 1, 2));
    byte
}

fn status(stream: *mut c_void) -> (u32, *mut c_void) {
    let (mut status, mut graph) = (9, null_mut());
    ok!(aclmdlRICaptureGetInfo(stream, &raw mut status, &raw mut graph));
    (status, graph)
}

fn stream() -> *mut c_void {
    made!(aclrtCreateStream())
}

#[test]
fn captured_graph_runs_only_on_each_execution() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let (stream, one, other) = (stream(), memory(), memory());
        assert_eq!(status(stream), (0, null_mut()));
        ok!(aclmdlRICaptureBegin(stream, GLOBAL));
        ok!(aclrtMemcpyAsync(other, 64, one, 64, D2D, stream));
        ok!(aclrtMemsetAsync(one, 64, 5, 64, stream));
        ok!(aclrtValueWrite(other.wrapping_byte_add(8), 77, 0, stream));
        let (active, early) = status(stream);
        assert!(active == 1 && !early.is_null());
        assert_eq!(code!(aclmdlRIExecuteAsync(early, stream)), 107026);
        let mut graph = null_mut();
        ok!(aclmdlRICaptureEnd(stream, &raw mut graph));
        assert_eq!((graph, status(stream).0), (early, 0));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!((first_byte(one), first_byte(other)), (0, 0), "nothing has run");

        ok!(aclmdlRIExecuteAsync(graph, stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!((first_byte(one), first_byte(other)), (5, 0));
        assert_eq!(first_byte(other.wrapping_byte_add(8)), 77);
        ok!(aclrtMemset(one, 64, 9, 64));
        ok!(aclmdlRIExecute(graph, -1));
        assert_eq!((first_byte(one), first_byte(other)), (5, 9));
        // Issued executions run to their end.
        ok!(aclmdlRIExecuteAsync(graph, stream));
        ok!(aclmdlRIDestroy(graph));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(first_byte(other), 5);
        assert_eq!(code!(aclmdlRIExecuteAsync(graph, stream)), 107000);
        assert_eq!(code!(aclmdlRIDestroy(graph)), 107000);
    });
}

#[test]
fn single_run_tasks_are_rejected_by_name_and_end_the_capture() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let (stream, at) = (stream(), memory());
        let event: *mut c_void = made!(aclrtCreateEvent());
        let mut pageable = [0_u8; 64];
        let here: *mut c_void = (&raw mut pageable).cast();
        type Call<'a> = &'a dyn Fn() -> i32;
        let calls: [(&str, i32, Call<'_>); 4] = [
            ("event record", 207000, &|| code!(aclrtRecordEvent(event, stream))),
            ("memcpy", 207000, &|| code!(aclrtMemcpyAsync(at, 64, here, 64, 1, stream))),
            ("memcpy", 207000, &|| code!(aclrtMemcpyAsync(here, 64, at, 64, 2, stream))),
            ("wait for the stream", 107027, &|| code!(aclrtSynchronizeStream(stream))),
        ];
        for (name, code, call) in calls {
            ok!(aclmdlRICaptureBegin(stream, RELAXED));
            assert_eq!(call(), code, "{name}");
            let text = last_error();
            assert!(text.contains(name) && text.contains("cannot be captured"), "{text}");
            assert_eq!(status(stream).0, 2);
            assert_eq!(code!(aclrtMemsetAsync(at, 64, 1, 64, stream)), 507903);
            let mut graph = here;
            assert_eq!(code!(aclmdlRICaptureEnd(stream, &raw mut graph)), 507903);
            assert!(graph.is_null() && last_error().contains(name));
            assert_eq!(status(stream).0, 0);
        }
        ok!(aclrtMemsetAsync(at, 64, 3, 64, stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(first_byte(at), 3, "the stream works as before");
    });
}

#[test]
fn capture_mode_restricts_device_waits() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let (stream, at) = (stream(), memory());
        let here = || code!(aclrtMemset(at, 64, 1, 64));
        let elsewhere = || {
            let at = at.addr();
            let other = std::thread::spawn(move || {
                ok!(aclrtSetDevice(0));
                code!(aclrtMemset(std::ptr::with_exposed_provenance_mut(at), 64, 1, 64))
            });
            other.join().unwrap()
        };
        at.expose_provenance();
        for (mode, own, others) in [(GLOBAL, 107030, 107030), (THREAD_LOCAL, 107030, 0), (RELAXED, 0, 0)] {
            ok!(aclmdlRICaptureBegin(stream, mode));
            assert_eq!((here(), elsewhere()), (own, others), "mode {mode}");
            let mut exchanged = RELAXED;
            ok!(aclmdlRICaptureThreadExchangeMode(&raw mut exchanged));
            assert_eq!((exchanged, here()), (GLOBAL, 0));
            ok!(aclmdlRICaptureThreadExchangeMode(&raw mut exchanged));
            assert_eq!(exchanged, RELAXED);
            let mut graph = null_mut();
            ok!(aclmdlRICaptureEnd(stream, &raw mut graph));
            ok!(aclmdlRIDestroy(graph));
            assert_eq!((here(), elsewhere()), (0, 0));
        }
    });
}

#[test]
fn invalid_graph_calls_are_refused() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let stream = stream();
        let mut graph = null_mut();
        assert_eq!(code!(aclmdlRICaptureBegin(null_mut(), GLOBAL)), 107031);
        assert_eq!(code!(aclmdlRICaptureBegin(stream, 3)), 100000);
        assert_eq!(code!(aclmdlRICaptureEnd(stream, &raw mut graph)), 107029);
        assert_eq!(code!(aclmdlRICaptureEnd(stream, null_mut())), 100000);
        assert_eq!(code!(aclmdlRIExecuteAsync(null_mut(), stream)), 100000);
        assert_eq!(code!(aclmdlRIExecute(null_mut(), -1)), 100000);
        let mut mode = 7;
        assert_eq!(code!(aclmdlRICaptureThreadExchangeMode(&raw mut mode)), 100000);
        ok!(aclmdlRICaptureBegin(stream, THREAD_LOCAL));
        assert_eq!(code!(aclmdlRICaptureBegin(stream, GLOBAL)), 107027);
        let number = stream.addr();
        let code = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            let mut graph = null_mut();
            code!(aclmdlRICaptureEnd(std::ptr::without_provenance_mut(number), &raw mut graph))
        });
        assert_eq!(code.join().unwrap(), 107038);
        // The capture goes with its stream, and its graph with it.
        let (_, early) = status(stream);
        ok!(aclrtDestroyStream(stream));
        assert_eq!(code!(aclmdlRIDestroy(early)), 107000);
        ok!(aclrtSynchronizeDevice());
    });
}
