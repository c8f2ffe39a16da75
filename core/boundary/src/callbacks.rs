// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of functions that the program gave to the library.
//!
//! A C++ exception cannot pass through the library: the frames between the callback and the handler hold
//! locks and borrow memory of other threads. So a callback is `noexcept` in the sense of C++, and one that
//! throws ends the process with a message that names it. A callback that returns pays nothing for this.

use std::io::Write;

/// Calls a function of the program; `name` is its type in the headers. If a C++ exception leaves it, the
/// process ends with a message on standard error.
#[inline]
pub fn call_program<R>(name: &'static str, call: impl FnOnce() -> R) -> R {
    let leaving = Leaving(name);
    let result = call();
    std::mem::forget(leaving);
    result
}

/// Dropped only where the callback is left by unwinding.
struct Leaving(&'static str);

impl Drop for Leaving {
    #[cold]
    fn drop(&mut self) {
        // A panic of a callback in Rust: the panic boundary takes it.
        if std::thread::panicking() {
            return;
        }
        let name = self.0;
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("unnamed");
        // Not as a log line: the callback may be the logger.
        let _ = writeln!(
            std::io::stderr().lock(),
            "memfabric: an exception left the callback {name} on the thread {thread}: callbacks must not throw; \
             the process ends"
        );
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_callbacks_return_results_and_propagate_panics() {
        assert_eq!(call_program("seven_cb", || 7), 7);
        assert!(std::panic::catch_unwind(|| call_program("panics_cb", || panic!("as asked"))).is_err());
    }
}
