// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calling exported functions, and things to put into streams.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ascend_sim::acl::devices::aclrtSetDevice;
use ascend_sim::acl::streams::aclrtCreateStream;
use ascend_sim::clock::Deadline;
use ascend_sim::context::stream_of;
use ascend_sim::fault::Fault;
use ascend_sim::last_error::take_last_error;

/// Returns the code of a call.
macro_rules! code {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        #[allow(unused_unsafe, reason = "an argument may be a call itself")]
        // SAFETY: every address passed by a test is null or points to a variable or array of the right size.
        let code = unsafe { $function($($argument),*) };
        code
    }};
}

/// Calls a function that must succeed.
macro_rules! ok {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        let code = code!($function($($argument),*));
        assert_eq!(code, 0, "{}", $crate::calls::last_error());
    }};
}

/// Calls a function that must succeed, and returns the value written to its first argument.
macro_rules! made {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        let mut made = std::ptr::null_mut();
        ok!($function(&raw mut made $(, $argument)*));
        assert!(!made.is_null());
        made
    }};
}

/// Calls a function that must succeed and gives the number that it writes to its last argument.
macro_rules! queried {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        let mut found = Default::default();
        ok!($function($($argument,)* &raw mut found));
        found
    }};
}

/// The same test under several schedules.
macro_rules! under_random_schedules {
    ($body:ident: $($name:ident $seed:literal)*) => { $(
        #[test]
        fn $name() {
            $crate::isolated::run(&[("SCHEDULE", concat!("random(", $seed, ")"))], $body);
        }
    )* };
}

pub(crate) type Handle = *mut c_void;

/// Longest wait for something that must happen.
const TIMEOUT: Duration = Duration::from_secs(40);

pub(crate) fn last_error() -> String {
    let text = take_last_error();
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a string of the simulator's, valid until the next call of this thread.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Sets device 0 and makes a stream.
pub(crate) fn a_stream() -> Handle {
    ok!(aclrtSetDevice(0));
    made!(aclrtCreateStream())
}

/// Puts work into a stream.
pub(crate) fn push(stream: Handle, work: impl FnOnce() + Send + 'static) {
    let stream = stream_of(stream).unwrap();
    stream
        .push("test", move |_| {
            work();
            Ok(())
        })
        .unwrap();
}

/// Puts a task that fails into a stream.
pub(crate) fn push_failure(stream: Handle, code: i32) {
    stream_of(stream).unwrap().push("failing test", move |_| Err(Fault::new(code, "on purpose"))).unwrap();
}

/// Holds a stream.
#[derive(Clone, Default)]
pub(crate) struct Gate {
    open: Arc<AtomicBool>,
    reached: Arc<AtomicU32>,
}

impl Gate {
    /// Lets a stream wait until the gate is open.
    pub(crate) fn hold(&self, stream: Handle) {
        let gate = self.clone();
        let stream = stream_of(stream).unwrap();
        let run = move |running: &ascend_sim::stream::Running| {
            gate.reached.fetch_add(1, Ordering::SeqCst);
            running.poll("the gate", Deadline::NEVER, || Ok(gate.open.load(Ordering::SeqCst)))
        };
        stream.push("gate", run).unwrap();
    }

    pub(crate) fn open(&self) {
        self.open.store(true, Ordering::SeqCst);
    }

    /// Waits until a stream has got here.
    pub(crate) fn wait_reached(&self) {
        eventually("a stream reaches the gate", || self.reached.load(Ordering::SeqCst) > 0);
    }
}

/// Notes of what happened, in order.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<u32>>>);

impl Notes {
    pub(crate) fn add(&self, note: u32) {
        self.0.lock().unwrap().push(note);
    }

    /// Lets a stream make a note.
    pub(crate) fn add_in(&self, stream: Handle, note: u32) {
        let notes = self.clone();
        push(stream, move || notes.add(note));
    }

    pub(crate) fn all(&self) -> Vec<u32> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// Waits until something holds.
pub(crate) fn eventually(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !holds() {
        assert!(Instant::now() < end, "it never happened that {what}");
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// A handle that threads may pass to each other.
#[derive(Clone, Copy)]
pub(crate) struct SharedHandle(usize);

impl SharedHandle {
    pub(crate) fn new(handle: Handle) -> Self {
        Self(handle.addr())
    }

    pub(crate) fn get(self) -> Handle {
        ptr::without_provenance_mut(self.0)
    }
}

/// Room for a result that must not come.
pub(crate) fn nowhere<T>() -> *mut T {
    Box::into_raw(Box::<std::mem::MaybeUninit<T>>::new_uninit()).cast()
}
