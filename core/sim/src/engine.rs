// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The simulated job as one state machine: operations in, events by a virtual clock, outcomes out.
//!
//! It polls nothing and knows neither futures nor coroutines: a driver (`run.rs` for Rust, the package
//! `mf_smem.sim` for Python) begins operations for its tasks, and calls [`Engine::advance`] for the task that
//! runs next. The life of an operation:
//!
//! 1. [`Engine::begin`] draws a pause and a duration, and schedules the effect behind them.
//! 2. `issue` (`effects.rs`) has the effect on memory of the caller at once, or sends messages
//!    (`network.rs`), which a latency, delays, losses and cuts hold back.
//! 3. A message arrives: `memory.rs`, `store.rs`, `cache.rs` execute it, and a reply travels back.
//! 4. `finish` keeps the outcome and wakes the task. A deadline or a death (`faults.rs`) may come first: then
//!    what is still in flight of the operation is discarded on arrival.
//!
//! Nothing depends on an address, a hash table or the host's clock, so the choices alone decide the run.

mod cache;
mod effects;
mod faults;
pub(crate) mod layout;
mod memory;
mod network;
mod store;

use std::collections::BTreeMap;

use self::cache::CacheState;
use self::layout::Target;
use self::memory::{Segment, Watcher};
use self::network::{Cut, Lane, Message, MessageId};
use self::store::StoreState;
use crate::choice::{Choices, Kind, LEVELS, Schedule, Site, Source, Spread};
use crate::error::{Error, ErrorKind};
use crate::op::{Op, Outcome, Value, shown};
use crate::trace::Trace;
use crate::world::{Nanos, World};

/// Number of a task: the ranks' own come first, then spawned ones.
pub type TaskId = usize;
/// Number of an operation.
pub type OpId = u64;

/// Next step of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Runs a task until it waits for an operation or ends. The operation that has ended, if one woke it.
    Run(TaskId, Option<OpId>),
    /// Ends the run: nothing more happens, or a bound was reached, which the text names.
    End(Option<&'static str>),
}

enum Event {
    Start { rank: u32 },
    Wake { task: TaskId, op: Option<OpId> },
    Issue { op: OpId },
    Finish { op: OpId, outcome: Outcome },
    Reply { op: OpId, from: u32, outcome: Outcome },
    Arrive { message: MessageId },
    Deadline { op: OpId },
    Die { rank: u32 },
    EndSession { rank: u32 },
    SessionCheck { rank: u32 },
    LeaseEnd { lease: u64 },
    CutChange { cut: usize, begins: bool },
}

struct Task {
    rank: u32,
    ended: bool,
    joiners: Vec<OpId>,
}

struct OpState {
    rank: u32,
    /// `None` in the background: a started put, or an abandoned operation.
    task: Option<TaskId>,
    op: Op,
    begun: Nanos,
    limit: Option<Nanos>,
    deadline: Option<(Nanos, u64)>,
    outcome: Option<Outcome>,
    /// A reply is in flight.
    answered: bool,
    is_background: bool,
    parts_left: u32,
    read: Vec<u8>,
    /// Place of its writes in the order of fences.
    lane: Option<(u32, u32)>,
}

/// Death that a rank meets before an operation.
struct Death {
    step: u64,
    delay: Nanos,
    silent: bool,
}

#[derive(Default)]
struct RankState {
    operations: u64,
    death: Option<Death>,
    dead: bool,
    /// Its peers notice its death only when its session ends.
    silent: bool,
    has_session: bool,
    skew: Nanos,
    segment: Option<Segment>,
    watchers: Vec<Watcher>,
    /// Started puts that are not complete.
    outstanding: u32,
    failure: Option<Error>,
    quiet: Vec<OpId>,
    inbox: Vec<(u32, Vec<u8>)>,
    receivers: Vec<OpId>,
    /// Operations of others that wait for this rank, which is silently dead.
    suspects: Vec<OpId>,
}

/// A simulated job.
pub struct Engine {
    world: World,
    choices: Choices,
    trace: Trace,
    now: Nanos,
    sequence: u64,
    events: u64,
    queue: BTreeMap<(Nanos, u64), Event>,
    tasks: Vec<Task>,
    /// Tasks of living ranks that have not returned.
    running: usize,
    ranks: Vec<RankState>,
    ops: BTreeMap<OpId, OpState>,
    next_op: OpId,
    lanes: BTreeMap<(u32, u32), Lane>,
    messages: BTreeMap<MessageId, Message>,
    next_message: MessageId,
    cuts: Vec<Cut>,
    store: StoreState,
    cache: CacheState,
}

impl Engine {
    /// Begins a run of `world` by the choices of `seed`.
    pub fn by_seed(world: &World, seed: u64, tracing: bool) -> Self {
        Self::new(world, Source::Seed(seed), tracing)
    }

    /// Begins a run of `world` by the choices of `schedule`.
    pub fn by_schedule(world: &World, schedule: &Schedule, tracing: bool) -> Self {
        Self::new(world, Source::schedule(schedule), tracing)
    }

    pub(crate) fn new(world: &World, source: Source, tracing: bool) -> Self {
        let mut engine = Self {
            world: world.clone(),
            choices: Choices::new(source),
            trace: Trace::new(tracing),
            now: 0,
            sequence: 0,
            events: 0,
            queue: BTreeMap::new(),
            tasks: Vec::new(),
            running: 0,
            ranks: (0..world.ranks).map(|_| RankState::default()).collect(),
            ops: BTreeMap::new(),
            next_op: 0,
            lanes: BTreeMap::new(),
            messages: BTreeMap::new(),
            next_message: 0,
            cuts: Vec::new(),
            store: StoreState::default(),
            cache: CacheState::default(),
        };
        engine.plan_faults();
        for rank in 0..world.ranks {
            let spread = engine.world.latency.1.saturating_mul(4);
            let start = engine.level(Site::one(Kind::Start, rank), Spread::Levels, spread);
            engine.tasks.push(Task { rank, ended: false, joiners: Vec::new() });
            engine.running += 1;
            engine.at(start, Event::Start { rank });
        }
        engine
    }

    /// Begins another task of `rank`.
    pub fn spawn(&mut self, rank: u32) -> TaskId {
        let task = self.tasks.len();
        self.running += usize::from(!self.is_dead(rank));
        self.tasks.push(Task { rank, ended: false, joiners: Vec::new() });
        self.at(self.now, Event::Wake { task, op: None });
        task
    }

    /// Has a task run again, without an operation that ended: something else woke it.
    pub fn wake(&mut self, task: TaskId) {
        self.at(self.now + self.world.step.0, Event::Wake { task, op: None });
    }

    /// Begins an operation of `rank` for `task`, which waits for it. `limit` bounds it; `None`: the world's.
    pub fn begin(&mut self, rank: u32, task: TaskId, op: Op, limit: Option<Nanos>) -> OpId {
        self.count_operation(rank);
        let stalls = self.world.stalls;
        let stall = self.rare(Site::one(Kind::Stall, rank), stalls.millionths, stalls.longest);
        let (shortest, longest) = self.world.step;
        let step = shortest + self.level(Site::one(Kind::Step, rank), Spread::Levels, longest - shortest);
        if stall > 0 {
            self.say(rank, || format!("pauses for {} before {}", shown(stall), op.name()));
        }
        let id = self.add_op(rank, Some(task), op, limit);
        self.at(self.now + stall + step, Event::Issue { op: id });
        id
    }

    fn add_op(&mut self, rank: u32, task: Option<TaskId>, op: Op, limit: Option<Nanos>) -> OpId {
        let id = self.next_op;
        self.next_op += 1;
        let state = OpState {
            rank,
            task,
            op,
            begun: self.now,
            limit,
            deadline: None,
            outcome: None,
            answered: false,
            is_background: task.is_none(),
            parts_left: 0,
            read: Vec::new(),
            lane: None,
        };
        self.ops.insert(id, state);
        id
    }

    /// Takes the outcome of an operation that has ended.
    pub fn take(&mut self, op: OpId) -> Option<Outcome> {
        let outcome = self.ops.get_mut(&op)?.outcome.take()?;
        self.ops.remove(&op);
        Some(outcome)
    }

    /// Notes the task that waits for an operation now.
    pub fn follow(&mut self, op: OpId, task: TaskId) {
        if let Some(state) = self.ops.get_mut(&op) {
            state.task = Some(task);
        }
    }

    /// Gives up waiting for an operation. Its effects go on; nothing waits for it any more.
    pub fn abandon(&mut self, op: OpId) {
        if let Some(state) = self.ops.get_mut(&op) {
            state.task = None;
            if state.outcome.is_some() {
                self.ops.remove(&op);
            }
        }
    }

    /// Notes that a task has returned. The rank's own task takes all others of the rank along.
    pub fn end_task(&mut self, task: TaskId) {
        let Some(state) = self.tasks.get_mut(task) else { return };
        let rank = state.rank;
        if std::mem::replace(&mut state.ended, true) || self.is_dead(rank) {
            return;
        }
        self.running -= 1;
        let joiners = self.tasks.get_mut(task).map(|state| std::mem::take(&mut state.joiners));
        for op in joiners.unwrap_or_default() {
            self.finish(op, Ok(Value::None));
        }
        if task < self.ranks.len() {
            self.say(rank, || "returns".into());
            // The process ends, and its threads with it.
            for other in self.tasks.iter_mut().filter(|other| other.rank == rank && !other.ended) {
                other.ended = true;
                self.running -= 1;
            }
        }
    }

    /// Handles events until a task runs or nothing more happens.
    pub fn advance(&mut self) -> Next {
        loop {
            // Writes in flight land, so that the memory has its last state.
            if self.running == 0 && self.messages.is_empty() {
                return Next::End(None);
            }
            let Some(((time, _), event)) = self.queue.pop_first() else { return Next::End(None) };
            if time > self.world.horizon {
                return Next::End(Some("the horizon of the world was reached"));
            }
            self.events += 1;
            if self.events > self.world.events {
                return Next::End(Some("the world's number of events was reached"));
            }
            self.now = time;
            if let Some((task, op)) = self.handle(event) {
                return Next::Run(task, op);
            }
        }
    }

    fn handle(&mut self, event: Event) -> Option<(TaskId, Option<OpId>)> {
        match event {
            // The rank's own task has its number.
            Event::Start { rank } => {
                self.rank(rank)?.has_session = true;
                self.say(rank, || "starts".into());
                return Some((rank as usize, None));
            }
            Event::Wake { task, op } => {
                let state = self.tasks.get(task)?;
                return (!state.ended && !self.is_dead(state.rank)).then_some((task, op));
            }
            Event::Issue { op } => self.issue(op),
            Event::Finish { op, outcome } => self.finish(op, outcome),
            Event::Reply { op, from, outcome } => self.reply_arrives(op, from, outcome),
            Event::Arrive { message } => self.arrive(message),
            Event::Deadline { op } => self.deadline(op),
            Event::Die { rank } => self.die(rank),
            Event::EndSession { rank } => self.end_session(rank),
            Event::SessionCheck { rank } => self.check_session(rank),
            Event::LeaseEnd { lease } => self.lease_ends(lease),
            Event::CutChange { cut, begins } => self.cut_changes(cut, begins),
        }
        None
    }

    fn at(&mut self, time: Nanos, event: Event) -> (Nanos, u64) {
        let key = (time, self.sequence);
        self.sequence += 1;
        self.queue.insert(key, event);
        key
    }

    /// Keeps the outcome of an operation and wakes its task.
    fn finish(&mut self, op: OpId, outcome: Outcome) {
        let Some(state) = self.ops.get_mut(&op) else { return };
        if state.outcome.is_some() {
            return;
        }
        if let Some(key) = state.deadline.take() {
            self.queue.remove(&key);
        }
        let (rank, task, is_background) = (state.rank, state.task, state.is_background);
        let outcome = outcome.map_err(|error| error.within(&state.op.name()));
        if self.trace.is_on() && !self.is_dead(rank) {
            let name = self.ops.get(&op).map_or(String::new(), |state| state.op.name());
            let shown = outcome.as_ref().map_or_else(|error| format!("failed: {error}"), Value::summary);
            // The name is in the text of the error already.
            let line = if outcome.is_err() { shown } else { format!("{name}: {shown}") };
            self.trace.line(self.now, Some(rank), &line);
        }
        self.close_lane(op);
        if is_background {
            self.ops.remove(&op);
            self.background_ends(rank, outcome.err());
        } else if let Some(task) = task {
            if let Some(state) = self.ops.get_mut(&op) {
                state.outcome = Some(outcome);
            }
            self.at(self.now, Event::Wake { task, op: Some(op) });
        } else {
            self.ops.remove(&op);
        }
    }

    /// Schedules the deadline of an operation that others must answer.
    fn limit(&mut self, op: OpId) {
        let limit = self.world.request_limit;
        let Some(state) = self.ops.get(&op) else { return };
        let time = state.begun.saturating_add(state.limit.unwrap_or(limit)).max(self.now);
        let key = self.at(time, Event::Deadline { op });
        if let Some(state) = self.ops.get_mut(&op) {
            state.deadline = Some(key);
        }
    }

    fn deadline(&mut self, op: OpId) {
        let Some(state) = self.ops.get(&op) else { return };
        let waited = self.now - state.begun;
        let error = match &state.op {
            Op::Store(request) => {
                let request = request.clone();
                return self.store_deadline(op, &request, waited);
            }
            Op::Put { address, .. } | Op::Get { address, .. } | Op::Atomic { address, .. } => {
                let rank = Target::of(*address).map_or(state.rank, |target| target.rank);
                Error::of_rank(
                    ErrorKind::Timeout,
                    rank,
                    format!("no answer of rank {rank} within {}", shown(waited)),
                )
            }
            Op::Notify { to, .. } => Error::of_rank(
                ErrorKind::Timeout,
                *to,
                format!("no answer of rank {to} within {}", shown(waited)),
            ),
            Op::WaitWord { address, .. } => {
                let text = self.word_shown(*address);
                Error::new(
                    ErrorKind::Timeout,
                    format!("{text} after {}: its signaller has not arrived yet", shown(waited)),
                )
            }
            _ => Error::new(ErrorKind::Timeout, format!("nothing came within {}", shown(waited))),
        };
        self.finish(op, Err(error));
    }

    fn is_dead(&self, rank: u32) -> bool {
        self.ranks.get(rank as usize).is_some_and(|state| state.dead)
    }

    fn rank(&mut self, rank: u32) -> Option<&mut RankState> {
        self.ranks.get_mut(rank as usize)
    }

    /// A time up to `longest`, in equal steps.
    fn level(&mut self, site: Site, spread: Spread, longest: Nanos) -> Nanos {
        let value = self.choices.draw(site, LEVELS, spread);
        scaled(longest, value)
    }

    /// A time up to `longest` that is 0 except with a chance.
    fn rare(&mut self, site: Site, millionths: u32, longest: Nanos) -> Nanos {
        if millionths == 0 { 0 } else { self.level(site, Spread::Rare(millionths), longest) }
    }

    fn say(&mut self, rank: u32, text: impl FnOnce() -> String) {
        if self.trace.is_on() {
            self.trace.line(self.now, Some(rank), &text());
        }
    }

    fn say_of_all(&mut self, text: impl FnOnce() -> String) {
        if self.trace.is_on() {
            self.trace.line(self.now, None, &text());
        }
    }

    /// Writes a line of the program into the trace.
    pub fn note(&mut self, rank: u32, text: &str) {
        self.say(rank, || format!("notes {text}"));
    }

    /// Draws a number below `bound` for the program of `rank`.
    pub fn draw(&mut self, rank: u32, bound: u32) -> u32 {
        self.choices.draw(Site::one(Kind::Program, rank), bound, Spread::Even)
    }

    /// Returns the time by the clock of `rank`, in nanoseconds from the begin of the run.
    pub fn time_of(&self, rank: u32) -> Nanos {
        self.now + self.ranks.get(rank as usize).map_or(0, |state| state.skew)
    }

    /// Returns the time since the begin of the run in nanoseconds.
    pub fn now(&self) -> Nanos {
        self.now
    }

    /// Returns the trace so far.
    pub fn trace(&self) -> &str {
        self.trace.text()
    }

    /// Returns the choices so far.
    pub fn schedule(&self) -> Schedule {
        Schedule { choices: self.choices.made().to_vec() }
    }

    /// Returns the rank of a task.
    pub fn rank_of(&self, task: TaskId) -> Option<u32> {
        self.tasks.get(task).map(|task| task.rank)
    }

    /// Returns true if `rank` has died.
    pub fn has_died(&self, rank: u32) -> bool {
        self.is_dead(rank)
    }

    /// Returns the memory of `rank`; `None` if it is not in the pool.
    pub fn memory(&self, rank: u32) -> Option<&[u8]> {
        self.ranks.get(rank as usize)?.segment.as_ref().map(|segment| segment.bytes.as_slice())
    }

    /// Returns the value of a key of the store.
    pub fn key(&self, key: &str) -> Option<&[u8]> {
        self.store.value(key)
    }

    /// Returns the operations that tasks of `rank` wait for, as text; empty without any.
    pub fn waits_for(&self, rank: u32) -> String {
        let waits =
            self.ops.values().filter(|op| op.rank == rank && op.task.is_some() && op.outcome.is_none());
        waits.map(|op| op.op.name()).collect::<Vec<_>>().join(", ")
    }
}

fn scaled(longest: Nanos, value: u32) -> Nanos {
    let time = u128::from(longest) * u128::from(value) / u128::from(LEVELS - 1);
    u64::try_from(time).unwrap_or(longest)
}
