// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of the program in streams: S54.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use ascend_sim::acl::callback::*;
use ascend_sim::acl::contexts::*;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::stream::report::this_thread;

use crate::calls::*;
use crate::isolated;

const NO_BLOCK: u32 = 0;
const BLOCK: u32 = 1;

/// Counts calls.
unsafe extern "C" fn count(counter: *mut c_void) {
    // SAFETY: every test passes the address of a counter that lives as long as the process.
    unsafe { &*counter.cast::<AtomicU32>() }.fetch_add(1, Ordering::SeqCst);
}

fn counter() -> (&'static AtomicU32, Handle) {
    let counter: &'static AtomicU32 = Box::leak(Box::default());
    (counter, std::ptr::from_ref(counter).cast_mut().cast())
}

/// A thread that processes reports until it has to end.
struct Processor {
    thread: u64,
    end: Arc<AtomicBool>,
    join: Option<std::thread::JoinHandle<()>>,
}

impl Processor {
    fn start() -> Self {
        let (send, receive) = std::sync::mpsc::channel();
        let end = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&end);
        let join = std::thread::spawn(move || {
            send.send(this_thread()).unwrap();
            while !ends.load(Ordering::SeqCst) {
                let code = code!(aclrtProcessReport(1));
                assert!([0, 107012, 507012].contains(&code), "{code}");
            }
        });
        Self { thread: receive.recv().unwrap(), end, join: Some(join) }
    }
}

impl Drop for Processor {
    fn drop(&mut self) {
        self.end.store(true, Ordering::SeqCst);
        self.join.take().unwrap().join().unwrap();
    }
}

#[test]
fn s54_callbacks_run_on_the_subscribed_thread() {
    static THREAD: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn note_thread(_: *mut c_void) {
        // SAFETY: has no preconditions.
        THREAD.store(unsafe { libc::gettid() }.cast_unsigned(), Ordering::SeqCst);
    }
    isolated::run(&[], || {
        let stream = a_stream();
        ok!(aclrtSubscribeReport(this_thread(), stream));
        ok!(aclrtLaunchCallback(Some(note_thread), null_mut(), NO_BLOCK, stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(THREAD.load(Ordering::SeqCst), 0, "only when the thread processes reports");
        ok!(aclrtProcessReport(-1));
        // SAFETY: has no preconditions.
        assert_eq!(THREAD.load(Ordering::SeqCst), unsafe { libc::gettid() }.cast_unsigned());
        assert_eq!(code!(aclrtProcessReport(5)), 507012);
        ok!(aclrtUnSubscribeReport(this_thread(), stream));
        assert_eq!(code!(aclrtProcessReport(5)), 107012);
    });
}

#[test]
fn s54_only_blocking_callbacks_hold_the_stream() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (counter, address) = counter();
        ok!(aclrtSubscribeReport(this_thread(), stream));
        let notes = Notes::default();
        ok!(aclrtLaunchCallback(Some(count), address, NO_BLOCK, stream));
        notes.add_in(stream, 1);
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!((notes.count(), counter.load(Ordering::SeqCst)), (1, 0));
        ok!(aclrtLaunchCallback(Some(count), address, BLOCK, stream));
        notes.add_in(stream, 2);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 10)), 507046);
        assert_eq!(notes.count(), 1);
        eventually("both ran", || {
            // Nothing may have arrived yet.
            let _ = code!(aclrtProcessReport(10));
            counter.load(Ordering::SeqCst) == 2
        });
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(notes.all(), [1, 2]);
    });
}

#[test]
fn s54_invalid_arguments_are_rejected() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (_, address) = counter();
        assert_eq!(code!(aclrtLaunchCallback(Some(count), address, BLOCK, stream)), 107015);
        assert_eq!(code!(aclrtLaunchCallback(None, address, BLOCK, stream)), 100000);
        assert_eq!(code!(aclrtLaunchHostFunc(stream, None, address)), 100000);
        assert_eq!(code!(aclrtProcessReport(0)), 100000);
        assert_eq!(code!(aclrtProcessReport(-2)), 100000);
        assert_eq!(code!(aclrtProcessReport(1)), 107012);
        assert_eq!(code!(aclrtUnSubscribeReport(this_thread(), stream)), 107011);
        ok!(aclrtSubscribeReport(this_thread(), stream));
        assert_eq!(code!(aclrtSubscribeReport(1, stream)), 107011);
        assert_eq!(code!(aclrtUnSubscribeReport(1, stream)), 107012);
        assert_eq!(code!(aclrtLaunchCallback(Some(count), address, 2, stream)), 100000);
    });
}

#[test]
fn s54_one_thread_serves_several_streams() {
    isolated::run(&[("SCHEDULE", "random(3)")], || {
        let processor = Processor::start();
        ok!(aclrtSetDevice(0));
        let streams: Vec<_> = (0..4).map(|_| made!(aclrtCreateStream())).collect();
        let (counter, address) = counter();
        for stream in &streams {
            ok!(aclrtSubscribeReport(processor.thread, *stream));
        }
        for round in 0..50 {
            for stream in &streams {
                ok!(aclrtLaunchCallback(Some(count), address, round % 2, *stream));
            }
        }
        ok!(aclrtSynchronizeDevice());
        eventually("all ran", || counter.load(Ordering::SeqCst) == 200);
        // Destroying a stream ends its subscription.
        for stream in streams {
            ok!(aclrtDestroyStream(stream));
        }
    });
}

#[test]
fn s54_held_stream_fails_when_its_thread_exits() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (counter, address) = counter();
        ok!(aclrtSubscribeReport(this_thread(), stream));
        ok!(aclrtLaunchCallback(Some(count), address, BLOCK, stream));
        ok!(aclrtUnSubscribeReport(this_thread(), stream));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 107015);
        assert_eq!(counter.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn s54_host_functions_hold_the_stream() {
    static RELEASED: AtomicBool = AtomicBool::new(false);
    unsafe extern "C" fn wait(counter: *mut c_void) {
        eventually("it is released", || RELEASED.load(Ordering::SeqCst));
        // SAFETY: passed on.
        unsafe { count(counter) };
    }
    isolated::run(&[], || {
        let stream = a_stream();
        let (counter, address) = counter();
        let notes = Notes::default();
        ok!(aclrtLaunchHostFunc(stream, Some(wait), address));
        notes.add_in(stream, 1);
        assert_eq!(code!(aclrtSynchronizeStreamWithTimeout(stream, 10)), 507046);
        assert_eq!(notes.count(), 0);
        RELEASED.store(true, Ordering::SeqCst);
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!((counter.load(Ordering::SeqCst), notes.count()), (1, 1));
    });
}

#[test]
fn s54_host_functions_of_a_context_share_a_thread() {
    static THREADS: std::sync::Mutex<Vec<i32>> = std::sync::Mutex::new(Vec::new());
    unsafe extern "C" fn note_thread(_: *mut c_void) {
        // SAFETY: has no preconditions.
        THREADS.lock().unwrap().push(unsafe { libc::gettid() });
    }
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        for _ in 0..3 {
            let stream = made!(aclrtCreateStream());
            ok!(aclrtLaunchHostFunc(stream, Some(note_thread), null_mut()));
        }
        ok!(aclrtSynchronizeDevice());
        let context = made!(aclrtCreateContext(0));
        ok!(aclrtLaunchHostFunc(null_mut(), Some(note_thread), null_mut()));
        ok!(aclrtSynchronizeStream(null_mut()));
        ok!(aclrtDestroyContext(context));
        let threads = THREADS.lock().unwrap().clone();
        assert!(
            threads[0] == threads[1] && threads[0] == threads[2] && threads[0] != threads[3],
            "{threads:?}"
        );
        // SAFETY: has no preconditions.
        assert!(!threads.contains(&unsafe { libc::gettid() }));
    });
}

static ANSWERS: [AtomicI32; 3] = [const { AtomicI32::new(-1) }; 3];
unsafe extern "C" fn call_back_in(stream: *mut c_void) {
    ANSWERS[0].store(code!(aclrtSynchronizeStream(null_mut())), Ordering::SeqCst);
    ANSWERS[1].store(code!(aclrtMalloc(nowhere(), 4096, 0)), Ordering::SeqCst);
    ANSWERS[2].store(code!(aclrtLaunchHostFunc(stream, Some(nothing), null_mut())), Ordering::SeqCst);
}

unsafe extern "C" fn nothing(_: *mut c_void) {}

fn answers() -> [i32; 3] {
    [0, 1, 2].map(|index: usize| ANSWERS[index].load(Ordering::SeqCst))
}

#[test]
fn s54_callbacks_must_not_call_the_runtime() {
    isolated::run(&[], || {
        let stream = a_stream();
        ok!(aclrtLaunchHostFunc(stream, Some(call_back_in), stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(answers(), [207000; 3]);
        ok!(aclrtSubscribeReport(this_thread(), stream));
        ANSWERS.iter().for_each(|answer| answer.store(-1, Ordering::SeqCst));
        ok!(aclrtLaunchCallback(Some(call_back_in), stream, NO_BLOCK, stream));
        ok!(aclrtProcessReport(-1));
        assert_eq!(answers(), [207000; 3]);
        // Afterwards the thread may.
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s54_callbacks_may_call_the_runtime_without_strict_mode() {
    isolated::run(&[("STRICT", "0")], || {
        let stream = a_stream();
        ok!(aclrtSubscribeReport(this_thread(), stream));
        ok!(aclrtLaunchCallback(Some(call_back_in), null_mut(), NO_BLOCK, stream));
        ok!(aclrtProcessReport(-1));
        assert_eq!(answers(), [0; 3]);
    });
}

#[test]
fn s54_aborting_does_not_wait_for_a_callback() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (counter, address) = counter();
        ok!(aclrtSubscribeReport(this_thread(), stream));
        ok!(aclrtLaunchCallback(Some(count), address, BLOCK, stream));
        ok!(aclrtStreamAbort(stream));
        ok!(aclrtSynchronizeStream(stream));
        assert!(counter.load(Ordering::SeqCst) == 0);
    });
}

#[test]
fn s44_callbacks_of_a_force_destroyed_stream_do_not_run() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (counter, address) = counter();
        let gate = Gate::default();
        gate.hold(stream);
        ok!(aclrtSubscribeReport(this_thread(), stream));
        ok!(aclrtLaunchCallback(Some(count), address, NO_BLOCK, stream));
        ok!(aclrtLaunchHostFunc(stream, Some(count), address));
        ok!(aclrtDestroyStreamForce(stream));
        gate.open();
        assert_eq!(code!(aclrtProcessReport(5)), 107012);
        ok!(aclrtSynchronizeDevice());
        assert_eq!(counter.load(Ordering::SeqCst), 0);
    });
}
