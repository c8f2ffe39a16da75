// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The one world of a process. Calls find it without a lock; begins and ends are counted.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_base::os::per_process::PerProcess;
use mf_base::settings::{Settings, TABLE as SETTINGS, settings};
use mf_base::{Error, Kind, Result, log};
use mf_boundary::repeats;
use mf_job::process::Owned;
use mf_shmem::fast_path::AddressTable;
use mf_shmem::statics::Statics;
use mf_shmem::{Options, ThreadLevel, World, info};

use crate::startup::prepare;

/// Address table of mapped memory of PEs, for fast paths.
pub(super) static MAPPED: AddressTable = AddressTable::new();

/// The world, or null. The world lives at least until the next begin.
static CURRENT: AtomicPtr<World> = AtomicPtr::new(std::ptr::null_mut());

static STATE: PerProcess<ProcessWorld> = PerProcess::new(ProcessWorld::new());

#[derive(Default)]
struct ProcessWorld {
    /// The world, or the last one that has ended.
    world: Option<Arc<World>>,
    /// Number of begins without an end.
    begun: u32,
    /// Set if the exit of the process ends the world.
    ends_at_exit: bool,
}

impl ProcessWorld {
    const fn new() -> Self {
        Self { world: None, begun: 0, ends_at_exit: false }
    }
}

/// The world; none before it begins, after its end and in a forked child.
#[inline]
pub(super) fn current() -> Option<&'static World> {
    // SAFETY: null, or the world that `STATE` keeps until the next one begins; a program that makes calls
    // while another thread of it ends the world and begins the next has no world to call.
    let world = unsafe { CURRENT.load(Ordering::Acquire).as_ref() }?;
    world.check_process("").is_ok().then_some(world)
}

/// The world.
///
/// # Errors
/// `NotInit` without a world.
#[inline]
pub(super) fn get(op: &'static str) -> Result<&'static World> {
    match current() {
        Some(world) => Ok(world),
        None => Err(not_begun(op)),
    }
}

#[cold]
#[inline(never)]
fn not_begun(op: &'static str) -> Error {
    Error::new(Kind::NotInit, op)
        .what("OpenSHMEM has not begun in this process, or has ended")
        .hint("call shmem_init first; a forked child is no PE")
}

/// Begins, or counts another begin. Returns the thread level.
///
/// # Errors
/// Errors of [`World::begin`] · `InvalidParam` a setting is unusable.
pub(super) fn begin(op: &'static str, level: ThreadLevel) -> Result<ThreadLevel> {
    let mut state = STATE.lock();
    if state.begun > 0
        && let Some(world) = current()
    {
        state.begun += 1;
        let granted = world.thread_level();
        if granted < level {
            tracing::error!(
                "{op}: thread level {} is asked for and {} was granted by the first begin; it stays",
                level.number(),
                granted.number()
            );
        }
        return Ok(granted);
    }
    // Before there are threads.
    let statics = Statics::of_process();
    prepare()?;
    let wanted = settings()?;
    if wanted.symmetric_debug.0 {
        log::set_level(0);
    }
    let world = World::begin(Options::from_env()?.statics(statics).thread_level(level).publish_in(&MAPPED))?;
    if world.my_pe() == 0 {
        print_info(wanted);
    }
    CURRENT.store(Arc::as_ptr(&world).cast_mut(), Ordering::Release);
    state.world = Some(world);
    state.begun = 1;
    Ok(level)
}

/// Prints the information that the standard's variables request from PE 0.
fn print_info(wanted: &Settings) {
    let mut text = String::new();
    if wanted.symmetric_version.0 || wanted.symmetric_info.0 {
        text += &format!("{}, OpenSHMEM {}.{}\n", info::NAME, info::VERSION.0, info::VERSION.1);
    }
    if wanted.symmetric_info.0 {
        for key in SETTINGS.iter().filter(|key| key.name.starts_with("MF_SHMEM_")) {
            let name = key.standard_name().unwrap_or(key.name);
            text += &format!("{name} (default: {:?})\n    {}\n", key.default, key.doc);
        }
    }
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// Ends a begin; the end of the first begin ends the world.
///
/// # Errors
/// `NotInit` there is no world · errors of [`World::end`]; it has ended then, too.
pub(super) fn end(op: &'static str) -> Result<()> {
    let mut state = STATE.lock();
    let world = get(op)?;
    state.begun = state.begun.saturating_sub(1);
    if state.begun > 0 {
        return Ok(());
    }
    let ended = world.end();
    CURRENT.store(std::ptr::null_mut(), Ordering::Release);
    repeats::report();
    ended
}

/// Lets the exit of the process end the world.
pub(super) fn end_at_exit() {
    extern "C" fn at_exit() {
        if current().is_some()
            && let Err(error) = end("start_pes")
        {
            tracing::error!("start_pes: {error}");
        }
    }
    let mut state = STATE.lock();
    if !std::mem::replace(&mut state.ends_at_exit, true) {
        // SAFETY: the function is one of this library, which is never unloaded.
        unsafe { libc::atexit(at_exit) };
    }
}
