// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A launch as it runs.
//!
//! The stream's thread leads: it starts blocks as cores come free and watches until the last has ended. It
//! ends the launch early when a block reports a fault, when the stream is aborted, when the launch ran longer
//! than it may, and when none of its blocks gets on for the machine's limit. Blocks that wait for each other
//! and do not all fit on the cores come to that: it is not detected, and does not hang either.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::lock;

use super::attributes::Engine;
use super::binary::Function;
use super::block::Block;
use super::cores::{self, Cores};
use super::request::{Request, prepare};
use super::resident::Resident;
use super::threads;
use crate::clock::{self, Deadline};
use crate::codes::acl;
use crate::config::Schedule;
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::stream::{Running, timeouts};

/// Grace period of the blocks of a lost launch.
const GRACE: Duration = Duration::from_secs(2);

/// Waits that a timeout reports at most.
const WAITS_SHOWN: usize = 8;

/// Number of the next launch.
static LAUNCHES: AtomicU64 = AtomicU64::new(1);

/// Threads that were given up and have not returned since.
static GIVEN_UP: AtomicUsize = AtomicUsize::new(0);

/// The task of a launch.
pub(super) fn run(request: &Request, width: u32, running: &Running) -> Outcome {
    let machine = machine()?;
    let total = request.attributes.timeout;
    let at_once = if request.is_all_at_once() { request.blocks } else { 1 };
    let engine = request.engine();
    let launch = Arc::new(Launch::new(request, width, running)?);
    let mut watch = Watch {
        running,
        stall: total.or_else(timeouts::execute),
        total,
        seen: 0,
        since: clock::now(),
        started: None,
    };
    let led = launch
        .start_all(&mut watch, at_once, engine.cores(machine.product))
        .and_then(|()| launch.wait_all(&mut watch));
    led.inspect_err(|_| launch.give_up())
}

/// Counts the abandoned threads that have not returned.
pub fn given_up() -> usize {
    GIVEN_UP.load(Ordering::Relaxed)
}

/// A launch that runs.
pub struct Launch {
    function: Arc<Function>,
    device: Arc<Device>,
    blocks: u32,
    block_offset: u32,
    width: u32,
    engine: Engine,
    dynamic_ub_bytes: u32,
    seed: u64,
    number: u64,
    pool: Arc<Cores>,
    /// Only ever seen through its pointer: kernels read it.
    arguments: Vec<u64>,
    argument_bytes: usize,
    _data: Option<Resident>,
    state: Mutex<LaunchState>,
    changed: Condvar,
    synced: Condvar,
    is_cancelled: AtomicBool,
    progress: AtomicU64,
}

#[derive(Default)]
struct LaunchState {
    running: BTreeSet<u32>,
    started: u32,
    fault: Option<Fault>,
    in_sync: u32,
    sync_round: u64,
    /// Wait reasons of block threads, by block and thread.
    waits: BTreeMap<(u32, u64), String>,
}

/// Conditions checked by the leader.
struct Watch<'a> {
    running: &'a Running,
    /// Longest time without progress of any block, and longest run; `None` for no limit.
    stall: Option<Duration>,
    total: Option<Duration>,
    seen: u64,
    since: Duration,
    started: Option<Duration>,
}

impl Launch {
    fn new(request: &Request, width: u32, running: &Running) -> Outcome<Self> {
        let device = Arc::clone(&running.device);
        let engine = request.engine();
        let number = LAUNCHES.fetch_add(1, Ordering::Relaxed);
        let (arguments, argument_bytes, data) = prepare(&request.arguments, &device)?;
        Ok(Self {
            blocks: request.blocks,
            block_offset: request.attributes.block_offset,
            width,
            engine,
            dynamic_ub_bytes: request.attributes.dynamic_ub_bytes,
            seed: seed(number)?,
            number,
            pool: cores::of_device(device.physical, engine),
            function: Arc::clone(&request.function),
            device,
            arguments,
            argument_bytes,
            _data: data,
            state: Mutex::default(),
            changed: Condvar::new(),
            synced: Condvar::new(),
            is_cancelled: AtomicBool::new(false),
            progress: AtomicU64::new(1),
        })
    }

    fn start_all(self: &Arc<Self>, watch: &mut Watch<'_>, at_once: u32, all: u32) -> Outcome {
        let turn = self.pool.queue();
        let order = order(self.blocks, self.seed);
        for blocks in order.chunks(at_once as usize) {
            loop {
                self.check(watch)?;
                let state = lock(&self.state);
                if state.running.len() + blocks.len() <= self.width as usize {
                    drop(state);
                    if turn.take(at_once, all) {
                        break;
                    }
                } else {
                    drop(clock::wait_slice(&self.changed, state, Deadline::NEVER));
                }
            }
            watch.started.get_or_insert_with(clock::now);
            let mut owed = at_once;
            for &index in blocks {
                owed -= 1;
                self.start(index).inspect_err(|_| self.pool.give_back(owed))?;
            }
        }
        Ok(())
    }

    /// Starts a block on a core that was taken for it.
    fn start(self: &Arc<Self>, index: u32) -> Outcome {
        {
            let mut state = lock(&self.state);
            state.running.insert(index);
            state.started += 1;
        }
        self.progress();
        threads::run(Block { launch: Arc::clone(self), index }).inspect_err(|_| self.leave(index))
    }

    fn wait_all(&self, watch: &mut Watch<'_>) -> Outcome {
        loop {
            self.check(watch)?;
            let state = lock(&self.state);
            if state.running.is_empty() {
                return state.fault.clone().map_or(Ok(()), Err);
            }
            drop(clock::wait_slice(&self.changed, state, Deadline::NEVER));
        }
    }

    /// Refuses to go on when the launch is lost.
    fn check(&self, watch: &mut Watch<'_>) -> Outcome {
        let state = lock(&self.state);
        if let Some(fault) = &state.fault {
            return Err(fault.clone());
        }
        if watch.running.is_cancelled() {
            return Err(Fault::new(acl::STREAM_ABORT, format_args!("{} was aborted", self.title())));
        }
        let now = clock::now();
        let seen = self.progress.load(Ordering::Relaxed);
        if seen != watch.seen || state.running.is_empty() {
            (watch.seen, watch.since) = (seen, now);
        }
        let (limit, what) = match (watch.total, watch.started, watch.stall) {
            (Some(total), Some(started), _) if now - started > total => (total, "ran longer than"),
            (_, _, Some(stall)) if now - watch.since > stall => (stall, "did not get on for"),
            _ => return Ok(()),
        };
        Err(Fault::new(
            self.engine.timeout_code(),
            format_args!("{} {what} {limit:?}: {}", self.title(), self.standing(&state)),
        ))
    }

    fn standing(&self, state: &LaunchState) -> String {
        let waiting = self.blocks - state.started;
        let mut text = format!(
            "{} of {} blocks run, {} of them wait in a barrier of all",
            state.running.len(),
            self.blocks,
            state.in_sync
        );
        if waiting > 0 {
            text += &format!("; {waiting} more wait for one of the {} cores", self.width);
        }
        for ((block, _), what) in state.waits.iter().take(WAITS_SHOWN) {
            text += &format!("; block {block} waits {what}");
        }
        if let Some(more) = state.waits.len().checked_sub(WAITS_SHOWN).filter(|more| *more > 0) {
            text += &format!("; and {more} more");
        }
        text
    }

    /// Asks the blocks to return, and abandons those that do not.
    fn give_up(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        let end = Instant::now() + GRACE;
        let mut state = lock(&self.state);
        self.synced.notify_all();
        while !state.running.is_empty() && Instant::now() < end {
            state = clock::wait_slice(&self.changed, state, Deadline::NEVER);
        }
        let lost = std::mem::take(&mut state.running).len();
        GIVEN_UP.fetch_add(lost, Ordering::Relaxed);
        self.pool.give_back(u32::try_from(lost).unwrap_or(u32::MAX));
    }

    /// Runs the kernel on the calling thread.
    pub(super) fn call(&self) {
        let arguments: *const c_void = self.arguments.as_ptr().cast();
        // SAFETY: the entry belongs to the code that `function` keeps loaded, and the arguments outlive the
        // call, because the caller holds this launch.
        unsafe { (self.function.entry())(arguments, self.argument_bytes) };
    }

    /// A block's call has returned.
    pub(super) fn block_ended(&self, index: u32) {
        self.progress();
        self.leave(index);
    }

    fn leave(&self, index: u32) {
        let mut state = lock(&self.state);
        state.waits.retain(|(block, _), _| *block != index);
        if state.running.remove(&index) {
            self.pool.give_back(1);
            self.changed.notify_all();
        } else {
            GIVEN_UP.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Ends the launch with a fault of a block; the first counts.
    pub(super) fn report(&self, index: u32, text: &str, code: i32) {
        let code = if code == 0 { self.engine.exception_code() } else { code };
        let fault =
            Fault::new(code, format_args!("{}, block {index} of {}: {text}", self.title(), self.blocks));
        let mut state = lock(&self.state);
        if state.fault.is_none() {
            print_as_log(&fault);
            state.fault = Some(fault);
        }
        self.is_cancelled.store(true, Ordering::Release);
        self.changed.notify_all();
        self.synced.notify_all();
    }

    /// Waits until every block is here. Whether the launch was lost instead.
    pub(super) fn sync_all(&self) -> bool {
        self.progress();
        let mut state = lock(&self.state);
        state.in_sync += 1;
        let round = state.sync_round;
        if state.in_sync == self.blocks {
            state.in_sync = 0;
            state.sync_round += 1;
            self.synced.notify_all();
            return self.is_cancelled();
        }
        while state.sync_round == round {
            if self.is_cancelled() {
                return true;
            }
            state = clock::wait_slice(&self.synced, state, Deadline::NEVER);
        }
        false
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    pub(super) fn progress(&self) {
        self.progress.fetch_add(1, Ordering::Relaxed);
    }

    /// Sets the wait reason of the calling block thread; `None` clears it.
    pub(super) fn waits(&self, index: u32, what: Option<String>) {
        let mut state = lock(&self.state);
        let key = (index, thread_number());
        match what {
            Some(what) => state.waits.insert(key, what),
            None => state.waits.remove(&key),
        };
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn function(&self) -> &Function {
        &self.function
    }

    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn blocks(&self) -> u32 {
        self.blocks
    }

    pub(super) fn block_offset(&self) -> u32 {
        self.block_offset
    }

    pub(super) fn cores(&self) -> u32 {
        self.width
    }

    pub(super) fn dynamic_ub_bytes(&self) -> u32 {
        self.dynamic_ub_bytes
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    fn title(&self) -> String {
        format!("kernel {} on device {}", self.function.name(), self.device.user)
    }
}

/// Prints a fault on standard output if `ASCEND_SLOG_PRINT_TO_STDOUT` is 1, as CANN prints its log: programs
/// often print only the number of an error.
fn print_as_log(fault: &Fault) {
    if std::env::var_os("ASCEND_SLOG_PRINT_TO_STDOUT").is_some_and(|value| value == "1") {
        // A closed standard output changes nothing.
        let _ = writeln!(std::io::stdout(), "error: {} [{}]", fault.text, fault.code);
    }
}

/// A number of the calling thread.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}

/// A seed for a launch; 0 when nothing is to be random.
fn seed(launch: u64) -> Outcome<u64> {
    Ok(match machine()?.config.schedule {
        Schedule::Random(seed) => (seed ^ launch.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1),
        Schedule::Fifo | Schedule::Slow(_) => 0,
    })
}

/// The order in which blocks start.
fn order(blocks: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..blocks).collect();
    let mut state = seed;
    if seed != 0 {
        for index in (1..order.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            #[expect(clippy::cast_possible_truncation, reason = "the remainder is an index")]
            let other = (state % (index as u64 + 1)) as usize;
            order.swap(index, other);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn seed_shuffles_blocks_deterministically() {
        assert_eq!(order(4, 0), [0, 1, 2, 3]);
        let mut shuffled = order(100, 7);
        assert_eq!(shuffled, order(100, 7));
        assert_ne!(shuffled, order(100, 8));
        shuffled.sort_unstable();
        assert_eq!(shuffled, order(100, 0));
    }
}
