// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of a rank, and dispatch of orders.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::mapping::Reservation;
use mf_base::{Error, Kind, Rank};
use mf_fabric::space::Presence;
use mf_smem::bm::{Config, Context, GroupEvent, Pool, PoolOptions};
use mf_store::Lifetime;
use mf_tests::order::Standing;
use mf_tests::{Answer, Failure, Init, Order, PoolSizes, accelerator, deadline, pattern};

use crate::buffer::Buffer;
use crate::census::{self, Census};
use crate::copies;
use crate::heap::HeapOfPe;
use crate::limits::{self, Limits};
use crate::putting::Putting;
use crate::scenario;
use crate::shares::Shares;

type Events = Arc<Mutex<Vec<(u32, bool)>>>;

/// A rank.
pub(crate) struct State {
    at_start: Census,
    limits: Limits,
    context: Option<Context>,
    pools: BTreeMap<u32, Pool>,
    putting: Option<Putting>,
    shares: Shares,
    heap: HeapOfPe,
    events: Events,
    occupied: Vec<Reservation>,
    /// Dropped last: queued copies may use it until the pools are gone.
    buffer: Buffer,
}

impl State {
    pub(crate) fn new() -> Self {
        Self {
            at_start: Census::take(),
            limits: Limits::at_start(),
            context: None,
            pools: BTreeMap::new(),
            putting: None,
            shares: Shares::default(),
            heap: HeapOfPe::default(),
            events: Events::default(),
            occupied: Vec::new(),
            buffer: Buffer::default(),
        }
    }

    pub(crate) fn carry_out(&mut self, order: Order) -> Result<Answer, Failure> {
        let done = |()| Answer::Done;
        match order {
            Order::Init(init) => self.init(&init),
            Order::Create(id, sizes) => self.create(id, sizes),
            Order::Join(id) => Ok(done(self.pool(id)?.join()?)),
            Order::Leave(id) => Ok(done(self.pool(id)?.leave()?)),
            Order::Destroy(id) => {
                self.pool(id)?.destroy();
                Ok(Answer::Done)
            }
            Order::Drop(id) => {
                let pool = self.pools.remove(&id).ok_or_else(|| missing("pool"))?;
                pool.destroy();
                Ok(Answer::Done)
            }
            Order::Shutdown => {
                self.context()?.shutdown();
                Ok(Answer::Done)
            }
            Order::Exit => std::process::exit(0),
            Order::Address(id, mem, rank) => {
                Ok(Answer::Number(self.pool(id)?.address(mem.into(), Rank(rank))?.0))
            }
            Order::Members(id) => {
                let members = self.pool(id)?.members();
                Ok(Answer::Numbers(members.into_iter().map(|rank| u64::from(rank.0)).collect()))
            }
            Order::LocalBytes(id, mem) => Ok(Answer::Number(self.pool(id)?.local_bytes(mem.into()))),
            Order::AwaitStanding(id, rank, standing) => self.await_standing(id, Rank(rank), standing),
            Order::WatchEvents(id) => self.watch_events(id),
            Order::AwaitEvents(count) => self.await_events(count),
            Order::Put(id, there, bytes, seed) => copies::put(self.pool(id)?, there, bytes, seed),
            Order::Check(id, there, bytes, seed) => copies::check(self.pool(id)?, there, bytes, seed),
            Order::PutZeroes(id, there, bytes) => copies::put_zeroes(self.pool(id)?, there, bytes),
            Order::CheckZeroes(id, there, bytes) => copies::check_zeroes(self.pool(id)?, there, bytes),
            Order::Digest(id, there, bytes) => {
                copies::get(self.pool(id)?, there, bytes).map(|found| Answer::Number(pattern::digest(&found)))
            }
            Order::Copy(id, from, to, bytes) => copies::copy(self.pool(id)?, from, to, bytes),
            Order::FillBuffer(seed, offset, bytes) => self.buffer.fill(seed, offset, bytes).map(done),
            Order::CheckBuffer(seed, offset, bytes) => self.buffer.check(seed, offset, bytes),
            Order::Raw(id, from, to, bytes, copy_type, asynchronous) => {
                let pool = self.pool(id)?.clone();
                copies::raw(&pool, &mut self.buffer, (from, to, bytes), copy_type, asynchronous)
            }
            Order::Batch(id, pieces, copy_type, asynchronous) => {
                let pool = self.pool(id)?.clone();
                copies::batch(&pool, &mut self.buffer, &pieces, copy_type, asynchronous)
            }
            Order::PassHoles(id, there) => {
                let pool = self.pool(id)?;
                crate::holes::of_pool(pool, copies::address(pool, there)?.as_ptr())
            }
            Order::Wait(id) => Ok(done(self.pool(id)?.wait()?)),
            Order::KeepPutting(id, there, bytes, seed) => {
                let pool = self.pool(id)?.clone();
                let there = copies::address(&pool, there)?;
                let content = pattern::stream(seed, usize::try_from(bytes).unwrap());
                self.putting = Some(Putting::start(pool, there, content));
                Ok(Answer::Done)
            }
            Order::AwaitPuts(puts) => self.putting()?.await_puts(puts),
            Order::AwaitPutError => self.putting()?.await_error(),
            Order::StopPutting => {
                self.putting.take().map_or_else(|| Err(Failure::wrong("nothing is put")), Putting::stop)
            }
            Order::Share(order) => self.shares.carry_out(order),
            Order::Heap(order) => self.heap.carry_out(order),
            Order::Extend(id, mem, bytes) => Ok(done(self.pool(id)?.extend(mem.into(), bytes)?)),
            Order::Set(key, value) => {
                Ok(Answer::Number(self.context()?.whole_store()?.set(&key, &value, Lifetime::Permanent)?))
            }
            Order::Get(key) => {
                Ok(Answer::Value(self.context()?.whole_store()?.get(&key)?.map(|entry| entry.value)))
            }
            Order::Barrier(name, members) => Ok(done(self.context()?.barrier(&name, members)?)),
            Order::Occupy(start, bytes) => {
                self.occupied.push(Reservation::at(start, bytes)?);
                Ok(Answer::Done)
            }
            Order::LimitDescriptors(more) => self.limits.descriptors(more).map(done),
            Order::LimitAddressSpace(more) => self.limits.address_space(more).map(done),
            Order::AnonymousKib => Ok(Answer::Number(limits::anonymous_kib())),
            Order::Leak => census::leak().map(done),
            Order::Kernel(order) => Err(Failure::wrong(format!("this program runs no kernels: {order:?}"))),
            Order::Scenario(name, numbers) => scenario::run(&name, &numbers, self.context()?, self.pool(0)?),
            Order::Finish => self.finish(),
        }
    }

    fn init(&mut self, init: &Init) -> Result<Answer, Failure> {
        let context = Context::init(config(init))?;
        self.buffer.on(context.devices());
        let rank = context.rank();
        self.context = Some(context);
        Ok(Answer::Number(u64::from(rank.0)))
    }

    fn create(&mut self, id: u32, sizes: PoolSizes) -> Result<Answer, Failure> {
        let options = PoolOptions::new(id)
            .host(sizes.host)
            .device(sizes.device)
            .max_host(sizes.max_host)
            .max_device(sizes.max_device);
        let pool = self.context()?.create(options)?;
        self.pools.insert(id, pool);
        Ok(Answer::Done)
    }

    fn pool(&self, id: u32) -> Result<&Pool, Failure> {
        self.pools.get(&id).ok_or_else(|| missing("pool"))
    }

    fn context(&self) -> Result<&Context, Failure> {
        self.context.as_ref().ok_or_else(|| missing("context"))
    }

    fn putting(&self) -> Result<&Putting, Failure> {
        self.putting.as_ref().ok_or_else(|| Failure::wrong("nothing is put"))
    }

    fn await_standing(&self, id: u32, rank: Rank, standing: Standing) -> Result<Answer, Failure> {
        let pool = self.pool(id)?;
        let wanted = match standing {
            Standing::Absent => Presence::Absent,
            Standing::Joined => Presence::Joined,
            Standing::Left => Presence::Left,
            Standing::Dead => Presence::Dead,
        };
        if deadline::wait_until(|| pool.presence(rank) == wanted) {
            return Ok(Answer::Done);
        }
        Err(Failure::wrong(format!("rank {rank} stays {:?}", pool.presence(rank))))
    }

    fn watch_events(&mut self, id: u32) -> Result<Answer, Failure> {
        let events = Arc::clone(&self.events);
        self.pool(id)?
            .on_event(move |rank, event| events.lock().unwrap().push((rank.0, event == GroupEvent::Join)));
        Ok(Answer::Done)
    }

    fn await_events(&self, count: usize) -> Result<Answer, Failure> {
        deadline::wait_until(|| self.events.lock().unwrap().len() >= count);
        Ok(Answer::Events(self.events.lock().unwrap().clone()))
    }

    /// Releases everything, in a program's order, and reports leaks.
    fn finish(&mut self) -> Result<Answer, Failure> {
        self.putting = None;
        self.shares.finish();
        self.heap.finish();
        for pool in std::mem::take(&mut self.pools).into_values() {
            pool.destroy();
        }
        self.buffer.off();
        // Leaves the store.
        self.context = None;
        self.limits.descriptors(None)?;
        self.limits.address_space(None)?;
        self.occupied.clear();
        self.events.lock().unwrap().clear();
        // Threads that were asked to end, and the store that serves until its last member has gone, take a
        // moment.
        let mut remains = Vec::new();
        deadline::wait_until(|| {
            remains = Census::take().since(&self.at_start);
            remains.is_empty()
        });
        Ok(Answer::Remains(remains))
    }
}

fn missing(what: &str) -> Failure {
    Error::new(Kind::NotExist, "order").what(format!("this member has no {what}")).into()
}

/// Configuration of a process in its job.
pub(crate) fn config(init: &Init) -> Config {
    let config = Config::new(&init.url, init.world)
        .start_store(init.start_store)
        .init_timeout(Duration::from_millis(init.init_ms))
        .create_timeout(Duration::from_millis(init.create_ms))
        .control_timeout(Duration::from_millis(init.control_ms))
        .device(accelerator::number(init.rank));
    match init.rank {
        Some(rank) => config.rank(Rank(rank)),
        None => config,
    }
}
