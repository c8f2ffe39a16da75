// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handles of a rank: pool, store, cache, clock, messages, tasks.

mod cache;
mod pool;
mod store;

use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

pub use self::cache::{Cache, Leased};
pub use self::pool::Pool;
pub use self::store::Store;
use crate::engine::TaskId;
use crate::error::Result;
use crate::op::{Op, Value};
use crate::run::{Call, Shared};
use crate::world::nanos;

/// A rank of a simulated job: the argument of the program. Clones are the same rank.
#[derive(Clone)]
pub struct Rank {
    shared: Rc<Shared>,
    number: u32,
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rank({})", self.number)
    }
}

impl Rank {
    pub(crate) fn new(shared: &Rc<Shared>, number: u32) -> Self {
        Self { shared: Rc::clone(shared), number }
    }

    async fn call(&self, op: Op, limit: Option<Duration>) -> Result<Value> {
        Call::new(&self.shared, self.number, op, limit.map(nanos)).await
    }

    /// Returns the number of this rank, from 0.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.shared.ranks
    }

    /// Returns the time by the clock of this rank since the begin of the run, skewed if the world says so.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.shared.engine.borrow().time_of(self.number))
    }

    /// Waits for a time of the simulated clock.
    pub async fn sleep(&self, time: Duration) {
        // Neither of them fails.
        let _ = self.call(Op::Sleep { time: nanos(time) }, None).await;
    }

    /// Lets others run for the duration of one operation.
    pub async fn pause(&self) {
        let _ = self.call(Op::Pause, None).await;
    }

    /// Draws a number below `bound`, 0 for a bound of 0. Like every choice it is part of the schedule, and
    /// shrinking makes it 0 where it can.
    pub fn choose(&self, bound: u32) -> u32 {
        self.shared.engine.borrow_mut().draw(self.number, bound)
    }

    /// Writes a line into the trace.
    pub fn note(&self, text: &str) {
        self.shared.engine.borrow_mut().note(self.number, text);
    }

    /// Returns a thing that all ranks of this run share, outside of the simulated job: for checks of
    /// properties that no single rank sees. Each run begins with a fresh one.
    pub fn shared<T: Default + 'static>(&self) -> Rc<T> {
        self.shared.thing()
    }

    /// Contributes `bytes` (1 to 1 GiB) of zeros to the pool and joins it.
    ///
    /// # Errors
    /// `InvalidParam` the number of bytes · `RepeatInvoke` this rank is in the pool.
    pub async fn open_pool(&self, bytes: u64) -> Result<Pool> {
        self.call(Op::OpenPool { bytes }, None).await?;
        Ok(Pool::new(self.clone()))
    }

    /// Returns the config store.
    pub fn store(&self) -> Store {
        Store::new(self.clone())
    }

    /// Returns the cache.
    pub fn cache(&self) -> Cache {
        Cache::new(self.clone())
    }

    /// Waits until all ranks are at the barrier of this name, at most for `limit`. **Collective.**
    ///
    /// # Errors
    /// `Timeout` names the missing ranks.
    pub async fn barrier(&self, name: &str, limit: Duration) -> Result<()> {
        self.store().barrier(name, 0, limit).await
    }

    /// Sends a message to `to`; returns when it is in the inbox there. Messages have no
    /// order, as transfers of several connections have none.
    ///
    /// # Errors
    /// `InvalidParam` unknown rank · `NotConnected` it has died · `Timeout` no answer in time.
    pub async fn notify(&self, to: u32, message: &[u8]) -> Result<()> {
        self.call(Op::Notify { to, message: message.to_vec() }, None).await.map(|_| ())
    }

    /// Waits for a message, at most for `limit`. Returns its sender and its bytes.
    ///
    /// # Errors
    /// `Timeout` none came in time.
    pub async fn receive(&self, limit: Duration) -> Result<(u32, Vec<u8>)> {
        match self.call(Op::Receive, Some(limit)).await? {
            Value::Message(from, message) => Ok((from, message)),
            _ => Ok((self.number, Vec::new())),
        }
    }

    /// Runs `body` beside the caller, as a thread of the rank would. It ends at the latest when the program
    /// of the rank returns.
    pub fn spawn<T: 'static>(&self, body: impl Future<Output = T> + 'static) -> Task<T> {
        let place: Rc<RefCell<Option<T>>> = Rc::default();
        let result = Rc::clone(&place);
        let job = Box::pin(async move {
            let value = body.await;
            *place.borrow_mut() = Some(value);
        });
        Task { rank: self.clone(), task: self.shared.spawn(self.number, job), result }
    }
}

/// A task of a rank beside its program.
pub struct Task<T> {
    rank: Rank,
    task: TaskId,
    result: Rc<RefCell<Option<T>>>,
}

impl<T> Task<T> {
    /// Waits until the task has returned. `None` if its value was taken before.
    pub async fn join(&self) -> Option<T> {
        let _ = self.rank.call(Op::Join { task: self.task }, None).await;
        self.result.borrow_mut().take()
    }
}
