// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of the host as tasks of streams.
//!
//! Newer releases run host functions on a thread of CANN (`aclrtLaunchHostFunc`). CANN 8.1 has
//! `aclrtLaunchCallback`: the function waits until the thread that the stream is subscribed to calls
//! `aclrtProcessReport`. This crate starts one such polling thread per context, with the first host function.
//! A stream that the program has subscribed to its own thread stays with that thread.
//!
//! ```text
//!   launch_host_function ── aclrtLaunchCallback ──► stream ... its turn ──► aclrtProcessReport (our thread): calls it
//!           └─ stream not subscribed: aclrtSubscribeReport, once more
//! ```

use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use mf_base::sync::lock;

use super::{Acl, Context, Stream, call};
use crate::loader::{Capability, Library};
use crate::raw::types::*;
use crate::{AclError, Class, Result};

/// Timeout of one poll, in milliseconds.
const ASK_MS: i32 = 1000;

/// Pause between polls while CANN reports no subscribed stream although some are listed: they ended without a
/// report.
const REST: Duration = Duration::from_millis(50);

/// The threads of this process, by context.
static THREADS: LazyLock<Mutex<HashMap<Context, Arc<Thread>>>> = LazyLock::new(Mutex::default);

/// A thread that calls functions for the streams of a context.
struct Thread {
    /// Result of `pthread_self` in the thread.
    number: u64,
    /// The streams that were subscribed for it, by handle.
    streams: Mutex<HashSet<usize>>,
    changed: Condvar,
}

impl Thread {
    fn streams(&self) -> MutexGuard<'_, HashSet<usize>> {
        lock(&self.streams)
    }

    /// Asks for functions until the context is gone.
    fn serve(&self, process: Process) {
        loop {
            let streams = self.streams();
            let idle = |streams: &mut HashSet<usize>| streams.is_empty();
            drop(self.changed.wait_while(streams, idle).unwrap_or_else(PoisonError::into_inner));
            // SAFETY: the signature matches the header, and the library is never unloaded. The caller of the
            // launch vouched for the callbacks.
            match unsafe { process(ASK_MS) } {
                ACL_SUCCESS | ACL_ERROR_RT_REPORT_TIMEOUT | ACL_ERROR_WAIT_CALLBACK_TIMEOUT => {}
                ACL_ERROR_RT_THREAD_SUBSCRIBE | ACL_ERROR_THREAD_NOT_SUBSCRIBE => {
                    let rest = self.changed.wait_timeout(self.streams(), REST);
                    drop(rest.unwrap_or_else(PoisonError::into_inner));
                }
                _ => return,
            }
        }
    }
}

/// `aclrtProcessReport`.
type Process = unsafe extern "C" fn(i32) -> aclError;

fn threads() -> MutexGuard<'static, HashMap<Context, Arc<Thread>>> {
    lock(&THREADS)
}

impl Acl {
    /// Queues a function of the host. A thread of the runtime, or of this crate where the runtime has none,
    /// calls it; the stream waits for it. It must not call ACL.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// `function` may be called with `argument` on another thread, once, when its turn comes; it does not
    /// unwind.
    pub unsafe fn launch_host_function(
        &self,
        stream: Stream,
        function: unsafe extern "C" fn(*mut c_void),
        argument: *mut c_void,
    ) -> Result<()> {
        if self.origin.can(Capability::HostFunctions) {
            return call!(self, aclrtLaunchHostFunc(stream.as_raw(), Some(function), argument));
        }
        let launch = || {
            call!(self, aclrtLaunchCallback(Some(function), argument, ACL_CALLBACK_BLOCK, stream.as_raw()))
        };
        match launch() {
            Err(error) if is_unsubscribed(&error) => {
                self.subscribe(stream)?;
                launch()
            }
            done => done,
        }
    }

    /// Has the thread of the current context serve the stream.
    fn subscribe(&self, stream: Stream) -> Result<()> {
        let context = self.context()?;
        let thread = self.thread_of(context)?;
        call!(self, aclrtSubscribeReport(thread.number, stream.as_raw()))?;
        thread.streams().insert(stream.as_raw().addr());
        thread.changed.notify_all();
        Ok(())
    }

    /// Returns true if a thread of this crate runs the functions of the stream.
    pub(super) fn is_serving(&self, stream: Stream) -> bool {
        let handle = stream.as_raw().addr();
        !self.origin.can(Capability::HostFunctions)
            && threads().values().any(|thread| thread.streams().contains(&handle))
    }

    /// Ends that, before the stream ends; the current context may be any.
    pub(super) fn unsubscribe(&self, stream: Stream) {
        if self.origin.can(Capability::HostFunctions) {
            return;
        }
        let served = threads()
            .values()
            .find(|thread| thread.streams().remove(&stream.as_raw().addr()))
            .map(|thread| thread.number);
        if let Some(number) = served {
            // CANN's status is ignored: the stream ends in any case.
            let _ = call!(self, aclrtUnSubscribeReport(number, stream.as_raw()));
        }
    }

    /// The thread of a context, which is started when it is not there.
    fn thread_of(&self, context: Context) -> Result<Arc<Thread>> {
        let mut threads = threads();
        if let Some(thread) = threads.get(&context) {
            return Ok(Arc::clone(thread));
        }
        let (Ok(enter), Ok(process)) = (&self.table.aclrtSetCurrentContext, &self.table.aclrtProcessReport)
        else {
            return Err(AclError::missing(&self.origin, "aclrtProcessReport"));
        };
        let (enter, process) = (*enter, *process);
        let (sender, receiver) = mpsc::sync_channel(1);
        let spawned = std::thread::Builder::new().name("acl-functions".to_owned()).spawn(move || {
            // SAFETY: as in `serve`; the context is alive, because the caller of `thread_of` has it current.
            if unsafe { enter(context.as_raw()) } != ACL_SUCCESS {
                return;
            }
            // SAFETY: has no preconditions.
            let number = unsafe { libc::pthread_self() };
            let thread = Arc::new(Thread { number, streams: Mutex::default(), changed: Condvar::new() });
            if sender.send(Arc::clone(&thread)).is_ok() {
                thread.serve(process);
            }
            let mut threads = self::threads();
            if threads.get(&context).is_some_and(|other| Arc::ptr_eq(other, &thread)) {
                threads.remove(&context);
            }
        });
        let failed =
            |text: String| AclError::refused(Library::Acl, "aclrtProcessReport", Class::OutOfResources, text);
        spawned.map_err(|error| failed(format!("no thread for functions of the host: {error}")))?;
        let thread = receiver.recv().map_err(|_| failed("its thread cannot enter the context".to_owned()))?;
        threads.insert(context, Arc::clone(&thread));
        Ok(thread)
    }
}

fn is_unsubscribed(error: &AclError) -> bool {
    let code = error.code().unwrap_or_default();
    [ACL_ERROR_RT_STREAM_NO_CB_REG, ACL_ERROR_RT_STREAM_SUBSCRIBE, ACL_ERROR_STREAM_NOT_SUBSCRIBE]
        .contains(&code)
}
