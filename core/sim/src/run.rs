// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Driver of the engine for programs in Rust: one future a task, polled when the engine says so.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use crate::choice::{Schedule, Source};
use crate::engine::{Engine, Next, OpId, TaskId};
use crate::error::Result;
use crate::op::{Op, Value};
use crate::rank::Rank;
use crate::world::{Nanos, World};

type Job = Pin<Box<dyn Future<Output = ()>>>;

/// The world as the handles of a run see it.
pub(crate) struct Shared {
    pub(crate) engine: RefCell<Engine>,
    pub(crate) ranks: u32,
    /// The task that runs.
    current: Cell<TaskId>,
    spawned: RefCell<Vec<(TaskId, Job)>>,
    things: RefCell<BTreeMap<TypeId, Rc<dyn Any>>>,
    /// Program that ended badly: the rank and the reason.
    failed: RefCell<Option<(u32, Cause, String)>>,
}

impl Shared {
    pub(crate) fn thing<T: Default + 'static>(&self) -> Rc<T> {
        let mut things = self.things.borrow_mut();
        let thing = things.entry(TypeId::of::<T>()).or_insert_with(|| Rc::new(T::default()));
        Rc::clone(thing).downcast().unwrap_or_default()
    }

    pub(crate) fn spawn(&self, rank: u32, job: Job) -> TaskId {
        let task = self.engine.borrow_mut().spawn(rank);
        self.spawned.borrow_mut().push((task, job));
        task
    }

    pub(crate) fn fail(&self, rank: u32, cause: Cause, text: String) {
        self.failed.borrow_mut().get_or_insert((rank, cause, text));
    }
}

/// An operation as a future.
pub(crate) struct Call {
    shared: Rc<Shared>,
    rank: u32,
    state: CallState,
}

enum CallState {
    New(Option<(Op, Option<Nanos>)>),
    Waiting(OpId),
    Over,
}

impl Call {
    pub(crate) fn new(shared: &Rc<Shared>, rank: u32, op: Op, limit: Option<Nanos>) -> Self {
        Self { shared: Rc::clone(shared), rank, state: CallState::New(Some((op, limit))) }
    }
}

impl Future for Call {
    type Output = Result<Value>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let task = self.shared.current.get();
        let rank = self.rank;
        match &mut self.state {
            CallState::New(op) => {
                if let Some((op, limit)) = op.take() {
                    let id = self.shared.engine.borrow_mut().begin(rank, task, op, limit);
                    self.state = CallState::Waiting(id);
                }
                Poll::Pending
            }
            CallState::Waiting(id) => {
                let id = *id;
                let mut engine = self.shared.engine.borrow_mut();
                let outcome = engine.take(id);
                if outcome.is_none() {
                    engine.follow(id, task);
                }
                drop(engine);
                match outcome {
                    Some(outcome) => {
                        self.state = CallState::Over;
                        Poll::Ready(outcome)
                    }
                    None => Poll::Pending,
                }
            }
            CallState::Over => Poll::Pending,
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if let CallState::Waiting(id) = self.state
            && let Ok(mut engine) = self.shared.engine.try_borrow_mut()
        {
            engine.abandon(id);
        }
    }
}

/// Kind of a failed run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The program of a rank panicked.
    Panicked,
    /// The program of a rank returned an error.
    Failed,
    /// The check of the run refused it.
    Check,
    /// A rank did not return before the world's bounds.
    Unfinished,
    /// The same choices gave another run: the program uses a clock, a hash table or its own random numbers.
    Nondeterministic,
}

/// End of the program of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<T> {
    /// It returned this.
    Returned(T),
    /// It returned an error, which failed the run; or it panicked.
    Failed(String),
    /// Its rank died.
    Died,
    /// The run ended before it. The text names the operations that it waits for.
    Unfinished(String),
}

/// A run that is over.
pub struct Run<T> {
    ends: Vec<End<T>>,
    failure: Option<(Cause, String)>,
    schedule: Schedule,
    shared: Rc<Shared>,
}

impl<T> Run<T> {
    /// Returns the end of each rank's program, by rank.
    pub fn ends(&self) -> &[End<T>] {
        &self.ends
    }

    /// Returns the values of the programs that returned, with their ranks.
    pub fn returned(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.ends).filter_map(|(rank, end)| match end {
            End::Returned(value) => Some((rank, value)),
            _ => None,
        })
    }

    /// Returns the reason if the run has failed: a panic, an error, or a rank that did not return.
    pub fn failure(&self) -> Option<(Cause, &str)> {
        self.failure.as_ref().map(|(cause, text)| (*cause, text.as_str()))
    }

    /// Returns the choices of the run, for `World::replay`.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the trace; empty for runs of `World::explore`.
    pub fn trace(&self) -> String {
        self.shared.engine.borrow().trace().to_owned()
    }

    /// Returns the simulated time that the run took.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.shared.engine.borrow().now())
    }

    /// Returns the memory of `rank` at the end; `None` if it died or left the pool.
    pub fn memory(&self, rank: u32) -> Option<Vec<u8>> {
        self.shared.engine.borrow().memory(rank).map(<[u8]>::to_vec)
    }

    /// Returns the value of a key of the store at the end.
    pub fn key(&self, key: &str) -> Option<Vec<u8>> {
        self.shared.engine.borrow().key(key).map(<[u8]>::to_vec)
    }

    /// Returns the things that programs share by `Rank::shared`, for checks.
    pub fn shared<S: Default + 'static>(&self) -> Rc<S> {
        self.shared.thing()
    }
}

/// Waker of a task: for futures that wait for something else than an operation.
struct TaskWaker {
    task: TaskId,
    woken: Arc<Mutex<Vec<TaskId>>>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.woken.lock().unwrap_or_else(PoisonError::into_inner).push(self.task);
    }
}

/// Runs a program once.
pub(crate) fn drive<T, E, P, F>(world: &World, source: Source, tracing: bool, program: &P) -> Run<T>
where
    P: Fn(Rank) -> F,
    F: Future<Output = std::result::Result<T, E>> + 'static,
    T: 'static,
    E: Display,
{
    let shared = Rc::new(Shared {
        engine: RefCell::new(Engine::new(world, source, tracing)),
        ranks: world.ranks,
        current: Cell::new(0),
        spawned: RefCell::default(),
        things: RefCell::default(),
        failed: RefCell::default(),
    });
    let values: Rc<RefCell<Vec<Option<T>>>> = Rc::new(RefCell::new((0..world.ranks).map(|_| None).collect()));
    let mut jobs: Vec<Option<Job>> = (0..world.ranks)
        .map(|rank| {
            let (place, shared) = (Rc::clone(&values), Rc::clone(&shared));
            let body = catch_unwind(AssertUnwindSafe(|| program(Rank::new(&shared, rank))));
            let job: Job = Box::pin(async move {
                match body {
                    Err(panic) => shared.fail(rank, Cause::Panicked, panic_text(panic.as_ref())),
                    Ok(body) => match body.await {
                        Ok(value) => {
                            if let Some(place) = place.borrow_mut().get_mut(rank as usize) {
                                *place = Some(value);
                            }
                        }
                        Err(error) => shared.fail(rank, Cause::Failed, error.to_string()),
                    },
                }
            });
            Some(job)
        })
        .collect();
    let bound = poll_all(&shared, &mut jobs);
    let values = std::mem::take(&mut *values.borrow_mut());
    let failed = shared.failed.borrow().clone();
    let engine = shared.engine.borrow();
    let end = |(rank, value): (u32, Option<T>)| match (value, &failed) {
        (Some(value), _) => End::Returned(value),
        (None, Some((of, _, text))) if *of == rank => End::Failed(text.clone()),
        _ if engine.has_died(rank) => End::Died,
        _ => End::Unfinished(engine.waits_for(rank)),
    };
    let ends: Vec<_> = (0..world.ranks).zip(values).map(end).collect();
    let failure = match failed {
        Some((rank, cause, text)) => Some((cause, format!("rank {rank}: {text}"))),
        None => (0..).zip(&ends).find_map(|(rank, end): (u32, _)| match end {
            End::Unfinished(waits) => Some((Cause::Unfinished, unfinished(rank, waits, bound))),
            _ => None,
        }),
    };
    let schedule = engine.schedule();
    drop(engine);
    // Futures of dead and unfinished ranks: their destructors see a world that stands still.
    drop(jobs);
    Run { ends, failure, schedule, shared }
}

fn unfinished(rank: u32, waits: &str, bound: Option<&str>) -> String {
    let waits = if waits.is_empty() { "something outside of the simulation" } else { waits };
    format!("rank {rank} did not return: it waits for {waits}; {}", bound.unwrap_or("nothing more happens"))
}

/// Polls tasks in the engine's order until the run ends; returns the bound that ended it.
fn poll_all(shared: &Rc<Shared>, jobs: &mut Vec<Option<Job>>) -> Option<&'static str> {
    let woken: Arc<Mutex<Vec<TaskId>>> = Arc::default();
    loop {
        let next = shared.engine.borrow_mut().advance();
        let task = match next {
            Next::Run(task, _) => task,
            Next::End(bound) => return bound,
        };
        let Some(Some(job)) = jobs.get_mut(task) else { continue };
        shared.current.set(task);
        let waker = Waker::from(Arc::new(TaskWaker { task, woken: Arc::clone(&woken) }));
        let polled = catch_unwind(AssertUnwindSafe(|| job.as_mut().poll(&mut Context::from_waker(&waker))));
        if !matches!(polled, Ok(Poll::Pending)) {
            if let Some(place) = jobs.get_mut(task) {
                *place = None;
            }
            if let Err(panic) = polled {
                let rank = shared.engine.borrow().rank_of(task).unwrap_or_default();
                shared.fail(rank, Cause::Panicked, panic_text(panic.as_ref()));
            }
            if shared.failed.borrow().is_none() {
                shared.engine.borrow_mut().end_task(task);
            }
        }
        if let Some((rank, _, text)) = &*shared.failed.borrow() {
            shared.engine.borrow_mut().note(*rank, &format!("fails: {text}"));
            return None;
        }
        for (task, job) in shared.spawned.borrow_mut().drain(..) {
            jobs.resize_with(task.max(jobs.len()), || None);
            jobs.push(Some(job));
        }
        let woken = std::mem::take(&mut *woken.lock().unwrap_or_else(PoisonError::into_inner));
        for task in woken {
            shared.engine.borrow_mut().wake(task);
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text").to_owned()
}
