// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The file that the table is written to, anew from time to time, by a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::Condvar;
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::os::descriptor;
use mf_base::os::per_process::PerProcess;
use mf_base::os::thread::spawn;
use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};

use super::text::table;

/// Bounds of `MF_TRACE_INTERVAL`.
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(3600);

/// The file in use, and the thread that writes it.
struct Writer {
    path: PathBuf,
    is_ending: bool,
    thread: Option<JoinHandle<()>>,
}

static WRITER: PerProcess<Option<Writer>> = PerProcess::new(None);
static ENDS: Condvar = Condvar::new();

/// Writes the file, and begins to do so from time to time.
///
/// # Errors
/// `InUse` another file is written · `Failed` it cannot be written, or there is no thread.
pub(super) fn start(op: &'static str, path: PathBuf) -> Result<()> {
    let interval = settings()?.trace_interval;
    if !(SHORTEST..=LONGEST).contains(&interval) {
        return Err(Error::invalid(op, "MF_TRACE_INTERVAL is out of its range")
            .with("value", format!("{interval:?}"))
            .hint("100 ms to 1 h"));
    }
    let path = if path.is_dir() { path.join(format!("ptracer_{}.txt", std::process::id())) } else { path };
    let mut writer = WRITER.lock();
    if let Some(present) = writer.as_ref() {
        if present.path == path {
            return Ok(());
        }
        return Err(Error::new(Kind::InUse, op)
            .what("the tracer writes to another file already")
            .with("file", present.path.display())
            .hint("ptracer_uninit ends it"));
    }
    save(op, &path)?;
    let thread = spawn("mf-tracer", move || write_from_time_to_time(interval)).map_err(|error| {
        Error::new(Kind::Failed, op).what("the thread of the tracer does not start").source(error)
    })?;
    *writer = Some(Writer { path, is_ending: false, thread: Some(thread) });
    Ok(())
}

/// Writes the file for the last time. Without a file, does nothing.
///
/// # Errors
/// `Failed` the file cannot be written.
pub(super) fn end() -> Result<()> {
    let thread = match WRITER.lock().as_mut() {
        Some(writer) => {
            writer.is_ending = true;
            writer.thread.take()
        }
        None => return Ok(()),
    };
    ENDS.notify_all();
    // Another call that ends it at the same time has the thread, and takes the writer away.
    let Some(thread) = thread else { return Ok(()) };
    // A panic of the thread does not matter: the file is written below in any case.
    let _ = thread.join();
    let writer = WRITER.take();
    writer.map_or(Ok(()), |writer| save("tracer uninit", &writer.path))
}

fn write_from_time_to_time(interval: Duration) {
    loop {
        let writer = WRITER.lock();
        if writer.as_ref().is_none_or(|writer| writer.is_ending) {
            return;
        }
        // A wait that ends early writes early.
        let writer = writer.wait(&ENDS, interval);
        let path = match writer.as_ref() {
            Some(writer) if !writer.is_ending => writer.path.clone(),
            _ => return,
        };
        drop(writer);
        if let Err(error) = save("tracer", &path) {
            tracing::warn!("{error}");
        }
    }
}

/// Readers see the table of one moment: a file beside it is written and takes its place.
fn save(op: &'static str, path: &Path) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    descriptor::write(&beside, table().as_bytes()).and_then(|()| std::fs::rename(&beside, path)).map_err(
        |error| {
            // The rest of it is useless; a failed removal is no further error.
            let _ = std::fs::remove_file(&beside);
            Error::new(Kind::Failed, op)
                .what("the file of the tracer cannot be written")
                .with("file", path.display())
                .source(error)
        },
    )
}
