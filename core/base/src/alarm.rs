// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Alarms: lasting faults, reported to the program when they begin and when they end.
//!
//! Code that detects such a fault calls [`raise`] and keeps the [`Raised`] as long as the fault lasts. The
//! program is notified of each [`Code`] once, when the first fault of that code begins, and again when the
//! last one has ended. Handlers set later are notified of faults that last already. They are called without a
//! lock held, from any thread.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::sync::lock;

/// Kind of a lasting fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A certificate of this process expires soon or has expired.
    CertificateExpiry,
    /// The store does not answer, and the member searches for it.
    StoreLost,
}

impl Code {
    /// The number of the alarm in the C interface.
    pub const fn number(self) -> u16 {
        match self {
            Code::CertificateExpiry => 1,
            Code::StoreLost => 2,
        }
    }
}

/// Called when a fault begins, with its text.
pub type RaiseFn = Arc<dyn Fn(Code, &str) + Send + Sync>;
/// Called when all faults of a code have ended.
pub type ResumeFn = Arc<dyn Fn(Code) + Send + Sync>;

/// Callbacks of the program for alarms.
#[derive(Clone)]
pub struct Handlers {
    /// A fault begins.
    pub raise: RaiseFn,
    /// All faults of this code have ended.
    pub resume: ResumeFn,
}

impl std::fmt::Debug for Handlers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handlers").finish_non_exhaustive()
    }
}

/// Faults that last at this moment, and the handlers.
#[derive(Debug, Default)]
struct Registry {
    handlers: Option<Handlers>,
    /// Number of lasting faults of each code, and the text of the first.
    lasting: BTreeMap<Code, (usize, String)>,
}

impl Registry {
    /// The handler to call, if this is the first fault of its code.
    fn raise(&mut self, code: Code, text: &str) -> Option<Handlers> {
        let (count, _) = self.lasting.entry(code).or_insert_with(|| (0, text.to_owned()));
        *count += 1;
        if *count == 1 { self.handlers.clone() } else { None }
    }

    /// The handler to call, if this was the last fault of its code.
    fn resume(&mut self, code: Code) -> Option<Handlers> {
        let (count, _) = self.lasting.get_mut(&code)?;
        *count = count.saturating_sub(1);
        if *count > 0 {
            return None;
        }
        self.lasting.remove(&code);
        self.handlers.clone()
    }
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { handlers: None, lasting: BTreeMap::new() });

/// A fault that lasts until this is dropped.
#[derive(Debug)]
#[must_use = "the alarm ends when this is dropped"]
pub struct Raised(Code);

impl Drop for Raised {
    fn drop(&mut self) {
        let handlers = lock(&REGISTRY).resume(self.0);
        if let Some(handlers) = handlers {
            (handlers.resume)(self.0);
        }
    }
}

/// A fault of this `code` begins.
pub fn raise(code: Code, text: &str) -> Raised {
    let handlers = lock(&REGISTRY).raise(code, text);
    if let Some(handlers) = handlers {
        (handlers.raise)(code, text);
    }
    Raised(code)
}

/// Replaces the handlers, and notifies them of the faults that last already.
pub fn set_handlers(handlers: &Handlers) {
    let lasting: Vec<(Code, String)> = {
        let mut registry = lock(&REGISTRY);
        registry.handlers = Some(handlers.clone());
        registry.lasting.iter().map(|(code, (_, text))| (*code, text.clone())).collect()
    };
    for (code, text) in lasting {
        (handlers.raise)(code, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alarm_is_raised_by_the_first_fault_and_cleared_after_the_last() {
        let mut registry = Registry::default();
        let handlers = Handlers { raise: Arc::new(|_, _| {}), resume: Arc::new(|_| {}) };
        registry.handlers = Some(handlers);
        assert!(registry.raise(Code::StoreLost, "one").is_some());
        assert!(registry.raise(Code::StoreLost, "two").is_none());
        assert!(registry.raise(Code::CertificateExpiry, "other").is_some());
        assert!(registry.resume(Code::StoreLost).is_none());
        assert!(registry.resume(Code::StoreLost).is_some());
        assert!(registry.resume(Code::StoreLost).is_none());
        assert_eq!(registry.lasting.len(), 1);
    }

    #[test]
    fn late_handlers_receive_active_alarms() {
        let received = Arc::new(Mutex::new(Vec::new()));
        let raised = raise(Code::StoreLost, "gone");
        let (begins, ends) = (Arc::clone(&received), Arc::clone(&received));
        set_handlers(&Handlers {
            raise: Arc::new(move |code, text| {
                begins.lock().unwrap().push(format!("{} {text}", code.number()));
            }),
            resume: Arc::new(move |code| {
                ends.lock().unwrap().push(code.number().to_string());
            }),
        });
        drop(raised);
        // Other tests of this process may raise the other code meanwhile.
        let mine: Vec<_> =
            received.lock().unwrap().iter().filter(|text| text.starts_with('2')).cloned().collect();
        assert_eq!(mine, ["2 gone", "2"]);
    }
}
