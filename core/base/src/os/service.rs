// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Service threads: threads that other threads depend on.
//!
//! The standard library ends a thread that panics without telling the others. A service thread fails its
//! service instead: operations in flight end with an error that names the thread and the panic
//! ([`Panicked`]), and later calls are refused ([`Health`]). Where a panic concerns one connection or one
//! operation only, the loop [catches](catch) it and ends only that.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;

use super::thread;
use crate::sync::lock;
use crate::{Error, Kind, Result};

/// A panic that was caught: on which thread, and its text.
#[derive(Clone, Debug)]
pub struct Panicked(Arc<(String, String)>);

impl Panicked {
    /// The error of an operation that needs the thread.
    #[cold]
    pub fn error(&self, operation: &'static str) -> Error {
        Error::new(Kind::Failed, operation)
            .what(self.to_string())
            .hint("this is a bug of the library: report it with the text of the panic; restart the process")
    }
}

impl std::fmt::Display for Panicked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (thread, panic) = &*self.0;
        write!(f, "the thread {thread} of this process panicked: {panic}")
    }
}

/// Calls `run`; a panic of it is logged.
///
/// # Errors
/// The panic.
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let text = (payload.downcast_ref::<&str>().copied())
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("a payload that is not a text");
        let thread = std::thread::current().name().unwrap_or("unnamed").to_owned();
        tracing::error!(thread, panic = text, "a service thread panicked");
        Panicked(Arc::new((thread, text.to_owned())))
    })
}

/// Health of a service. Locks nothing.
#[derive(Debug, Default)]
pub struct Health(OnceLock<Panicked>);

impl Health {
    /// A service that works.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Marks the service as failed. The first panic stays.
    pub fn fail(&self, panicked: &Panicked) {
        let _later = self.0.set(panicked.clone());
    }

    /// The panic that ended the service.
    pub fn failure(&self) -> Option<&Panicked> {
        self.0.get()
    }

    /// Refuses an operation of a service that has failed.
    ///
    /// # Errors
    /// `Failed` names the thread and its panic.
    pub fn check(&self, operation: &'static str) -> Result<()> {
        self.0.get().map_or(Ok(()), |panicked| Err(panicked.error(operation)))
    }
}

/// Starts a [thread](thread::spawn) that others wait for. If `run` panics, `failed` is called on the thread,
/// after the values of `run` were dropped: it fails the service and wakes its users.
///
/// # Errors
/// See [`thread::spawn`].
pub fn spawn(
    name: &str,
    run: impl FnOnce() + Send + 'static,
    failed: impl FnOnce(&Panicked) + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    thread::spawn(name, move || {
        if let Err(panicked) = catch(run) {
            failed(&panicked);
        }
    })
}

/// The thread that panics at its next [`turn`].
static INJECTED: Mutex<Option<String>> = Mutex::new(None);
static IS_INJECTED: AtomicBool = AtomicBool::new(false);

/// Begins a turn of a service thread's loop: the point where tests inject a panic.
#[inline]
pub fn turn() {
    if IS_INJECTED.load(Ordering::Relaxed) {
        injected();
    }
}

#[cold]
fn injected() {
    let mut injected = lock(&INJECTED);
    if injected.is_some() && injected.as_deref() == std::thread::current().name() {
        *injected = None;
        IS_INJECTED.store(false, Ordering::Relaxed);
        drop(injected);
        std::panic::resume_unwind(Box::new("injected by a test"));
    }
}

/// Makes the next thread of that name panic at its next [`turn`]: for tests.
#[doc(hidden)]
pub fn inject_panic(thread: &str) {
    *lock(&INJECTED) = Some(thread.to_owned());
    IS_INJECTED.store(true, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_panic_fails_the_service_with_the_thread_and_the_text() {
        let (fails, failed) = channel();
        let thread = spawn(
            "mf-test-service",
            || loop {
                turn();
                std::thread::yield_now();
            },
            move |panicked| fails.send(panicked.clone()).unwrap(),
        )
        .unwrap();
        inject_panic("mf-test-service");
        let panicked = failed.recv().unwrap();
        thread.join().unwrap();
        let health = Health::new();
        health.check("test").unwrap();
        health.fail(&panicked);
        let error = health.check("test").unwrap_err();
        assert_eq!(error.kind(), Kind::Failed);
        let text = error.to_string();
        assert!(text.contains("mf-test-service") && text.contains("injected by a test"), "{text}");
    }

    #[test]
    fn formatted_texts_of_panics_are_kept() {
        let number = 7;
        let panicked = catch(|| assert_eq!(number, 8, "the number is {number}")).unwrap_err();
        assert!(panicked.error("test").to_string().contains("the number is 7"));
        assert_eq!(catch(|| 7).unwrap(), 7);
    }
}
