// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bridge for `tracing` events of the library inside a C or Python program.
//!
//! The Rust crates only emit `tracing` events. A Rust program installs its own subscriber. The C library
//! installs a bridge ([`install`]) in its own copy of `tracing`: events at or above the level go to the
//! callback that the program has set ([`set_sink`]), or else to a file of this process ([`to_directory`]), to
//! standard output ([`to_stdout`]) or to standard error. No lock is held while the callback runs. Events that
//! the callback itself causes on its thread do not go to the callback again: a callback with failing calls of
//! its own would be called for its own failures without end.
//!
//! ```text
//! 2026-01-31T12:00:00.123Z warn pid 4711 rank 3 mf_store::server: a connection was refused, peer
//! 10.0.0.7:4444
//! ```
//! A line of standard error is one system call, so that lines of several processes do not mix. The callback
//! gets the text from `pid` on, without the end of line: it gets time and level separately.
//!
//! One event is one line, with any content of its fields ([`escaped`]). Warnings that others can provoke have
//! a limit ([`warn_limited!`](crate::warn_limited)).

mod file;
mod limit;
mod line;
mod sanitize;

use std::cell::Cell;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64, Ordering};
use std::time::SystemTime;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

pub use file::to_directory;
pub use limit::Limit;
pub use line::set_rank;
pub use sanitize::{escaped, without_password};

/// A receiver of log lines: level (0 debug, 1 info, 2 warn, 3 error, 4 trace) and text without a newline.
pub type Sink = fn(level: i32, text: &str);

static SINK: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static IS_ON_STDOUT: AtomicBool = AtomicBool::new(false);
static LEVEL: AtomicI32 = AtomicI32::new(2);

thread_local! {
    /// True while this thread runs the sink.
    static IS_IN_SINK: Cell<bool> = const { Cell::new(false) };
}

/// Sends further lines to `sink` instead of standard error.
pub fn set_sink(sink: Sink) {
    // Release pairs with the acquire in `deliver`: the sink sees everything its installer wrote before.
    SINK.store(sink as *mut (), Ordering::Release);
}

/// Sends further lines to where they went without [`set_sink`]. A thread may still be in the sink.
pub fn clear_sink() {
    SINK.store(std::ptr::null_mut(), Ordering::Release);
}

/// Sends further lines to standard output, unless there is a sink.
pub fn to_stdout() {
    IS_ON_STDOUT.store(true, Ordering::Relaxed);
}

/// Sets the lowest level that is logged, in the numbering of the C interface; 5 logs nothing.
pub fn set_level(level: i32) {
    LEVEL.store(level, Ordering::Relaxed);
    tracing::callsite::rebuild_interest_cache();
}

/// Installs the bridge as the subscriber of this copy of `tracing`; a second call changes nothing.
pub fn install() {
    // An error means that a subscriber is installed already, which then keeps its place.
    let _ = tracing::subscriber::set_global_default(Bridge { next_span: AtomicU64::new(1) });
}

/// Returns the severity of a level: larger is worse. The C numbering puts trace last.
const fn severity(c_level: i32) -> i32 {
    match c_level {
        4 => -1,
        _ => c_level,
    }
}

fn c_level(level: &Level) -> i32 {
    match *level {
        Level::ERROR => 3,
        Level::WARN => 2,
        Level::INFO => 1,
        Level::DEBUG => 0,
        Level::TRACE => 4,
    }
}

/// The subscriber that turns events into lines.
struct Bridge {
    next_span: AtomicU64,
}

impl Subscriber for Bridge {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && severity(c_level(metadata.level())) >= severity(LEVEL.load(Ordering::Relaxed))
    }

    /// Lets a disabled event cost a load and a comparison; without a hint it costs a call of
    /// [`enabled`](Self::enabled).
    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(match LEVEL.load(Ordering::Relaxed) {
            4 => LevelFilter::TRACE,
            0 => LevelFilter::DEBUG,
            1 => LevelFilter::INFO,
            2 => LevelFilter::WARN,
            3 => LevelFilter::ERROR,
            level if level < 0 => LevelFilter::TRACE,
            _ => LevelFilter::OFF,
        })
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(self.next_span.fetch_add(1, Ordering::Relaxed).max(1))
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        let target = event.metadata().target();
        let text = format!("{} {target}: {}{}", line::process_name(), line.message, line.fields);
        deliver(c_level(event.metadata().level()), &escaped(&text));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Message and fields of one event.
#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, ", {name} {value:?}"),
        };
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = match field.name() {
            "message" => write!(self.message, "{value}"),
            name => write!(self.fields, ", {name} {value}"),
        };
    }
}

fn deliver(level: i32, text: &str) {
    let sink = SINK.load(Ordering::Acquire);
    if sink.is_null() || IS_IN_SINK.get() {
        let line = line::line(SystemTime::now(), level, text);
        // A closed standard error is no reason to fail.
        let _ = match IS_ON_STDOUT.load(Ordering::Relaxed) {
            true => std::io::stdout().write_all(line.as_bytes()),
            false if file::write(&line) => Ok(()),
            false => std::io::stderr().write_all(line.as_bytes()),
        };
        return;
    }
    // SAFETY: the only non-null values ever stored are `Sink` function pointers (see `set_sink`), and
    // function pointers are never freed.
    let sink = unsafe { std::mem::transmute::<*mut (), Sink>(sink) };
    IS_IN_SINK.set(true);
    let _leave = Leave;
    sink(level, text);
}

/// Leaves the sink, also when it panics.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        IS_IN_SINK.set(false);
    }
}
