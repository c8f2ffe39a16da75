// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Trace file of operations over time (`MF_TRACE_FILE`), for Chrome (`chrome://tracing`) and Perfetto: the
//! JSON array format, with one event a line.
//!
//! Copies between mapped memory and waits are bars of the thread that made them. An operation of a transport
//! goes on beside its caller, and others overlap it, so that it is a separate bar. Times are by the system's
//! clock, so that the files of several ranks fit together; the process is the rank.
//!
//! **A process that is killed.** Each write replaces the end of the array by more events and the end, in one
//! call, so that the file is a whole array at any time. Up to 16 KiB of events, or events within 200 ms of
//! the last write, are lost with the process.
//!
//! **Length.** If the file would become longer than requested, a last event notes that, and recording ends.

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use mf_base::os::descriptor;
use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind, Result};
use rustix::fs::{FlockOperation, flock};

use super::{TIMELINE, has_timeline, set};

/// Copies between mapped memory are recorded from this length on; shorter ones if they are timed anyway.
const FROM_BYTES: u64 = 4096;
/// Events wait for a write of so many bytes.
const BUFFER_BYTES: usize = 16 << 10;
/// Or until the first event so long after the last write.
const BUFFER_TIME: Duration = Duration::from_millis(200);
/// The end of the array.
const END: &str = "\n]\n";
/// Room for the last event.
const LAST_BYTES: u64 = 512;
/// Bounds of the file's length.
const LEAST_BYTES: u64 = 64 << 10;

static WRITER: PerProcess<Option<Writer>> = PerProcess::new(None);

struct Writer {
    file: File,
    rank: u32,
    /// Offset of the end of the array.
    end: u64,
    limit: u64,
    /// Events that are not written yet, each behind a comma.
    buffer: String,
    written: Instant,
    /// A moment, and the same on the system's clock in nanoseconds.
    base: (Instant, u64),
}

/// The file; dropping it writes the remaining events and closes it.
pub struct Timeline(());

impl Timeline {
    /// Begins a file, replacing an existing one. `process` is its name for people. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the length is too short · `InUse` this or another process writes to the file ·
    /// `Failed` it cannot be written.
    pub fn begin(path: &Path, most_bytes: u64, rank: u32, process: &str) -> Result<Self> {
        const OP: &str = "trace file";
        if most_bytes < LEAST_BYTES {
            return Err(Error::invalid(OP, "MF_TRACE_BYTES is too little")
                .with("bytes", most_bytes)
                .hint("64 KiB and more"));
        }
        let failed = |what: &str| Error::new(Kind::Failed, OP).what(what).with("file", path.display());
        let mut writer = WRITER.lock();
        let in_use = || {
            Error::new(Kind::InUse, OP)
                .what("another process writes to this file, or this one writes one already")
                .with("file", path.display())
                .hint("MF_TRACE_FILE with %r (the rank) or %p (the process) in it gives each its own")
        };
        if writer.is_some() {
            return Err(in_use());
        }
        let file = descriptor::open_file(OpenOptions::new().write(true).create(true).truncate(false), path);
        let file = file.map_err(|error| failed("it cannot be opened").source(error))?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(in_use());
        }
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let base = (Instant::now(), nanoseconds(unix));
        let name: String = process.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\')).collect();
        let head = format!(
            "[\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{rank},\"tid\":0,\"args\":{{\"name\":\"{name}\"}}}}"
        );
        let begun = file.set_len(0).and_then(|()| file.write_all_at(format!("{head}{END}").as_bytes(), 0));
        begun.map_err(|error| failed("it cannot be written").source(error))?;
        let (end, written) = (head.len() as u64, base.0);
        *writer = Some(Writer { file, rank, end, limit: most_bytes, buffer: String::new(), written, base });
        drop(writer);
        set(TIMELINE, true);
        Ok(Self(()))
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        set(TIMELINE, false);
        let writer = WRITER.take();
        if let Some(mut writer) = writer {
            writer.write();
        }
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Nanoseconds as microseconds.
fn micros(nanoseconds: u64) -> String {
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}

/// The calling thread, as the kernel numbers it.
fn thread() -> i32 {
    thread_local! {
        static NUMBER: Cell<i32> = const { Cell::new(0) };
    }
    if NUMBER.get() == 0 {
        NUMBER.set(rustix::thread::gettid().as_raw_nonzero().get());
    }
    NUMBER.get()
}

/// Returns true if copies of so many bytes are recorded.
#[inline]
pub(super) fn takes(bytes: u64) -> bool {
    bytes >= FROM_BYTES && has_timeline()
}

/// A copy between mapped memory.
pub(super) fn copy(name: &str, (route, peer): (&str, u32), bytes: u64, since: Instant, took: Duration) {
    record(since, |writer, start| {
        let (rank, thread, took) = (writer.rank, thread(), micros(nanoseconds(took)));
        format!(
            "{{\"name\":\"{name}\",\"cat\":\"{route}\",\"ph\":\"X\",\"ts\":{start},\"dur\":{took},\"pid\":{rank},\
             \"tid\":{thread},\"args\":{{\"bytes\":{bytes},\"peer\":{peer},\"route\":\"{route}\"}}}}"
        )
    });
}

/// A wait for other members.
pub(super) fn wait((call, route): (&str, &str), since: Instant, took: Duration) {
    record(since, |writer, start| {
        let (rank, thread, took) = (writer.rank, thread(), micros(nanoseconds(took)));
        format!(
            "{{\"name\":\"{call}\",\"cat\":\"wait\",\"ph\":\"X\",\"ts\":{start},\"dur\":{took},\"pid\":{rank},\
             \"tid\":{thread},\"args\":{{\"route\":\"{route}\"}}}}"
        )
    });
}

/// Records an operation of a transport that has ended; `code` is 0, or its error code.
pub(crate) fn operation(
    name: &str,
    (route, peer): (&str, u32),
    bytes: u64,
    code: i32,
    (since, took): (Instant, Duration),
) {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    if !has_timeline() {
        return;
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    record(since, |writer, start| {
        let (rank, thread, end) = (writer.rank, thread(), micros(writer.clock(since + took)));
        let same = format!(
            "\"name\":\"{name}\",\"cat\":\"{route}\",\"id\":{number},\"pid\":{rank},\"tid\":{thread}"
        );
        format!(
            "{{{same},\"ph\":\"b\",\"ts\":{start},\"args\":{{\"bytes\":{bytes},\"peer\":{peer},\
             \"route\":\"{route}\",\"code\":{code}}}}},\n{{{same},\"ph\":\"e\",\"ts\":{end}}}"
        )
    });
}

/// Adds an event that begins at `since`.
fn record(since: Instant, event: impl FnOnce(&Writer, String) -> String) {
    if !has_timeline() {
        return;
    }
    if let Some(writer) = WRITER.lock().as_mut() {
        let event = event(writer, micros(writer.clock(since)));
        writer.add(&event);
    }
}

impl Writer {
    /// A moment on the system's clock, in nanoseconds.
    fn clock(&self, moment: Instant) -> u64 {
        let (base, unix) = self.base;
        match moment.checked_duration_since(base) {
            Some(later) => unix.saturating_add(nanoseconds(later)),
            None => unix.saturating_sub(nanoseconds(base.saturating_duration_since(moment))),
        }
    }

    fn add(&mut self, event: &str) {
        let length = self.end + self.buffer.len() as u64 + event.len() as u64;
        if length + LAST_BYTES > self.limit {
            let (now, rank) = (micros(self.clock(Instant::now())), self.rank);
            // Writing to a String cannot fail.
            let _ = write!(
                self.buffer,
                ",\n{{\"name\":\"MF_TRACE_BYTES is reached\",\"ph\":\"i\",\"s\":\"p\",\"ts\":{now},\"pid\":{rank},\"tid\":0}}"
            );
            set(TIMELINE, false);
            self.write();
            tracing::warn!("the trace file has {} bytes and gets no more: MF_TRACE_BYTES", self.end);
            return;
        }
        self.buffer.push_str(",\n");
        self.buffer.push_str(event);
        if self.buffer.len() >= BUFFER_BYTES || self.written.elapsed() >= BUFFER_TIME {
            self.write();
        }
    }

    fn write(&mut self) {
        let events = self.buffer.len() as u64;
        self.buffer.push_str(END);
        match self.file.write_all_at(self.buffer.as_bytes(), self.end) {
            Ok(()) => self.end += events,
            Err(error) => {
                set(TIMELINE, false);
                tracing::warn!("the trace file cannot be written and gets no more: {error}");
            }
        }
        self.buffer.clear();
        self.written = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeline_file_is_valid_json_and_bounded() {
        let path = std::env::temp_dir().join(format!("mf-timeline-{}.json", std::process::id()));
        std::fs::write(&path, "what was there").unwrap();
        let (least, since) = (LEAST_BYTES, Instant::now());
        assert_eq!(Timeline::begin(&path, least - 1, 3, "p").err().unwrap().kind(), Kind::InvalidParam);
        let timeline = Timeline::begin(&path, least, 3, "rank 3 \"quoted\"").unwrap();
        assert_eq!(Timeline::begin(&path, least, 3, "p").err().unwrap().kind(), Kind::InUse);
        copy("put", ("mapped", 1), 4096, since, Duration::from_nanos(1500));
        operation("get", ("tcp", 2), 100, -2007, (since, Duration::from_micros(5)));
        wait(("group barrier", "wire"), since, Duration::from_micros(7));
        let read = |path| -> Vec<serde_json::Value> {
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
        };
        assert!(!read(&path).is_empty());
        drop(timeline);
        let events = read(&path);
        let phases: Vec<_> = events.iter().map(|event| event["ph"].as_str().unwrap()).collect();
        assert_eq!(phases, ["M", "X", "b", "e", "X"]);
        assert_eq!((&events[1]["dur"], &events[1]["args"]["bytes"]), (&1.5.into(), &4096.into()));
        assert_eq!((&events[2]["id"], &events[2]["args"]["code"]), (&events[3]["id"], &(-2007).into()));

        let timeline = Timeline::begin(&path, least, 3, "p").unwrap();
        (0..2000).for_each(|_| copy("put", ("mapped", 1), 4096, since, Duration::from_nanos(1500)));
        assert!(!takes(1 << 30));
        drop(timeline);
        assert!(read(&path).last().unwrap()["name"].as_str().unwrap().contains("MF_TRACE_BYTES"));
        let length = std::fs::metadata(&path).unwrap().len();
        assert!((least / 2..=least).contains(&length), "{length}");
        std::fs::remove_file(path).unwrap();
    }
}
