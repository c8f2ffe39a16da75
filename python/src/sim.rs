// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The engine of simulated jobs for coroutines. `mf_smem.sim` drives it, as `mf_sim` does for futures.
//!
//! It needs nothing of the library, and has no state of the process.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mf_abi::smem::SMEM_INVALID_PARAM;
use mf_sim::raw::{
    CacheRequest, Engine, Next, Op, Outcome, Request, Value, address, lease as lease_of, lease_number, shrink,
};
use mf_sim::{Atomic, Comparison, Entry, Lifetime, Schedule, Signal, World};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::evaluation::Evaluate as _;
use crate::failure;

/// Settings of a world; times are nanoseconds.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct SimWorld(World);

#[pymethods]
impl SimWorld {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "one for each setting")]
    fn new(
        ranks: u32,
        latency: (u64, u64),
        step: (u64, u64),
        delays: (f64, u64),
        losses: (f64, u64),
        stalls: (f64, u64),
        deaths: u32,
        death_steps: u32,
        mortal: Vec<u32>,
        cuts: (u32, u64),
        clock_skew: u64,
        session_lease: u64,
        request_limit: u64,
        horizon: u64,
        events: u64,
    ) -> Self {
        let time = Duration::from_nanos;
        let world = World::new(ranks)
            .latency(time(latency.0), time(latency.1))
            .step(time(step.0), time(step.1))
            .delays(delays.0, time(delays.1))
            .losses(losses.0, time(losses.1))
            .stalls(stalls.0, time(stalls.1))
            .deaths(deaths)
            .death_steps(death_steps)
            .mortal(mortal)
            .cuts(cuts.0, time(cuts.1))
            .clock_skew(time(clock_skew))
            .session_lease(time(session_lease))
            .request_limit(time(request_limit))
            .horizon(time(horizon))
            .events(events);
        Self(world)
    }
}

/// A simulated job.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct SimEngine(Mutex<Engine>);

impl SimEngine {
    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SimEngine {
    /// Begins a run by a seed, or by a schedule.
    #[new]
    fn new(
        py: Python<'_>,
        world: &SimWorld,
        seed: Option<u64>,
        schedule: &str,
        tracing: bool,
    ) -> PyResult<Self> {
        let engine = match seed {
            Some(seed) => Engine::by_seed(&world.0, seed, tracing),
            None => Engine::by_schedule(&world.0, &parsed(py, schedule)?, tracing),
        };
        Ok(Self(Mutex::new(engine)))
    }

    /// Begins an operation for a task; returns its number.
    fn begin(
        &self,
        py: Python<'_>,
        rank: u32,
        task: usize,
        limit: Option<u64>,
        name: &str,
        arguments: &Bound<'_, PyTuple>,
    ) -> PyResult<u64> {
        let Some(op) = operation(name, arguments)? else {
            return Err(failure::exception(
                py,
                SMEM_INVALID_PARAM,
                &format!("sim: there is no operation {name:?}"),
            ));
        };
        Ok(self.engine().begin(rank, task, op, limit))
    }

    /// The task that runs next, and the operation that ended. Without a task: the run is over; the text names
    /// the bound that ended it.
    fn next(&self) -> (Option<usize>, Option<u64>, Option<&'static str>) {
        match self.engine().advance() {
            Next::Run(task, op) => (Some(task), op, None),
            Next::End(bound) => (None, None, bound),
        }
    }

    /// Takes the value of an operation that has ended; raises its error.
    fn take<'py>(&self, py: Python<'py>, op: u64) -> PyResult<Bound<'py, PyAny>> {
        let outcome = self.engine().take(op);
        match outcome {
            Some(outcome) => converted(py, outcome),
            None => Ok(py.None().into_bound(py)),
        }
    }

    fn spawn(&self, rank: u32) -> usize {
        self.engine().spawn(rank)
    }

    fn end_task(&self, task: usize) {
        self.engine().end_task(task);
    }

    fn note(&self, rank: u32, text: &str) {
        self.engine().note(rank, text);
    }

    fn draw(&self, rank: u32, bound: u32) -> u32 {
        self.engine().draw(rank, bound)
    }

    fn time_of(&self, rank: u32) -> u64 {
        self.engine().time_of(rank)
    }

    fn now(&self) -> u64 {
        self.engine().now()
    }

    fn trace(&self) -> String {
        self.engine().trace().to_owned()
    }

    fn schedule(&self) -> String {
        self.engine().schedule().to_string()
    }

    /// The choices in words, for people.
    fn choices(&self) -> Vec<String> {
        self.engine().schedule().described()
    }

    fn has_died(&self, rank: u32) -> bool {
        self.engine().has_died(rank)
    }

    fn waits_for(&self, rank: u32) -> String {
        self.engine().waits_for(rank)
    }

    fn memory<'py>(&self, py: Python<'py>, rank: u32) -> Option<Bound<'py, PyBytes>> {
        self.engine().memory(rank).map(|bytes| PyBytes::new(py, bytes))
    }

    fn key<'py>(&self, py: Python<'py>, key: &str) -> Option<Bound<'py, PyBytes>> {
        self.engine().key(key).map(|bytes| PyBytes::new(py, bytes))
    }
}

/// The address of the segment of a rank.
#[pyfunction]
pub(crate) fn sim_address(rank: u32) -> u64 {
    address(rank)
}

/// Shortens a failing schedule with at most `budget` calls of `fails(schedule)`, which returns the choices of
/// the run if it failed, else None.
#[pyfunction]
pub(crate) fn sim_shrink(
    py: Python<'_>,
    schedule: &str,
    budget: u32,
    fails: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let mut error = None;
    let shortest = shrink(parsed(py, schedule)?, budget, |candidate| {
        // Nothing is called behind an exception, for example Ctrl-C.
        if error.is_some() {
            return None;
        }
        let made = fails.evaluate((candidate.to_string(),)).and_then(|made| made.extract::<Option<String>>());
        match made.and_then(|made| made.map(|made| parsed(py, &made)).transpose()) {
            Ok(made) => made,
            Err(raised) => {
                error = Some(raised);
                None
            }
        }
    });
    error.map_or_else(|| Ok(shortest.to_string()), Err)
}

fn parsed(py: Python<'_>, schedule: &str) -> PyResult<Schedule> {
    schedule.parse().map_err(|error| failure::exception(py, SMEM_INVALID_PARAM, &format!("sim: {error}")))
}

/// Address, value, and whether it is added instead of set.
type SignalParts = (u64, u64, bool);

/// An operation by its name. `None`: unknown.
fn operation(name: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Option<Op>> {
    let op = match name {
        "pause" => Op::Pause,
        "sleep" => Op::Sleep { time: arguments.extract::<(u64,)>()?.0 },
        "open_pool" => Op::OpenPool { bytes: arguments.extract::<(u64,)>()?.0 },
        "close_pool" => Op::ClosePool,
        "put" => {
            let (source, address, signal, wait): (_, _, Option<SignalParts>, _) = arguments.extract()?;
            let signal =
                signal.map(
                    |(address, value, adds)| {
                        if adds { Signal::add(address, value) } else { Signal::set(address, value) }
                    },
                );
            Op::Put { source, address, signal, wait }
        }
        "read" => {
            let (address, bytes) = arguments.extract()?;
            Op::Get { address, bytes }
        }
        "atomic" => {
            let (address, kind, value, compare): (u64, String, u64, u64) = arguments.extract()?;
            let Some(atomic) = atomic(&kind, value, compare) else { return Ok(None) };
            Op::Atomic { address, atomic }
        }
        "wait_word" => {
            let (address, sign, value): (u64, String, u64) = arguments.extract()?;
            let Some(comparison) = comparison(&sign) else { return Ok(None) };
            Op::WaitWord { address, comparison, value }
        }
        "fence" => Op::Fence,
        "quiet" => Op::Quiet,
        "read_leased" => Op::ReadLeased { block: arguments.extract::<(u64,)>()?.0 },
        "notify" => {
            let (to, message) = arguments.extract()?;
            Op::Notify { to, message }
        }
        "receive" => Op::Receive,
        "join" => Op::Join { task: arguments.extract::<(usize,)>()?.0 },
        _ => match (request(name, arguments)?, cache_request(name, arguments)?) {
            (Some(request), _) => Op::Store(request),
            (None, Some(request)) => Op::Cache(request),
            (None, None) => return Ok(None),
        },
    };
    Ok(Some(op))
}

fn atomic(kind: &str, value: u64, compare: u64) -> Option<Atomic> {
    Some(match kind {
        "add" => Atomic::Add(value),
        "and" => Atomic::And(value),
        "or" => Atomic::Or(value),
        "xor" => Atomic::Xor(value),
        "swap" => Atomic::Swap(value),
        "compare_swap" => Atomic::CompareAndSwap { expected: compare, new: value },
        "fetch" => Atomic::Fetch,
        _ => return None,
    })
}

fn comparison(sign: &str) -> Option<Comparison> {
    Some(match sign {
        "==" => Comparison::Equal,
        "!=" => Comparison::NotEqual,
        ">" => Comparison::Greater,
        ">=" => Comparison::GreaterOrEqual,
        "<" => Comparison::Less,
        "<=" => Comparison::LessOrEqual,
        _ => return None,
    })
}

fn request(name: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Option<Request>> {
    let key = || arguments.extract::<(String,)>().map(|(key,)| key);
    let lease = || arguments.extract::<(u64,)>().map(|(lease,)| lease_of(lease));
    let request = match name {
        "set" => {
            let (key, value, session, lease) = arguments.extract()?;
            Request::Set { key, value, lifetime: lifetime(session, lease) }
        }
        "entry" => Request::Get { key: key()? },
        "wait" => Request::Wait { key: key()? },
        "add" => {
            let (key, delta) = arguments.extract()?;
            Request::Add { key, delta }
        }
        "append" => {
            let (key, value) = arguments.extract()?;
            Request::Append { key, value }
        }
        "compare_and_swap" => {
            let (key, expected, new, session, lease) = arguments.extract()?;
            Request::CompareAndSwap { key, expected, new, lifetime: lifetime(session, lease) }
        }
        "delete" => Request::Delete { key: key()? },
        "list" => Request::List { prefix: key()? },
        "grant_lease" => Request::GrantLease { ttl: arguments.extract::<(u64,)>()?.0 },
        "renew_lease" => Request::RenewLease { lease: lease()? },
        "revoke_lease" => Request::RevokeLease { lease: lease()? },
        "lock" => {
            let (name, wait) = arguments.extract()?;
            Request::Lock { name, wait }
        }
        "unlock" => Request::Unlock { name: key()? },
        "meet" => {
            let (name, members, value) = arguments.extract()?;
            Request::Meet { name, members, value }
        }
        "members" => Request::Members,
        _ => return Ok(None),
    };
    Ok(Some(request))
}

fn cache_request(name: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Option<CacheRequest>> {
    let request = match name {
        "cache_put" => {
            let (key, value) = arguments.extract()?;
            CacheRequest::Put { key, value }
        }
        "cache_get" => CacheRequest::Get { key: arguments.extract::<(Vec<u8>,)>()?.0 },
        "cache_remove" => {
            let (key, unless_leased) = arguments.extract()?;
            CacheRequest::Remove { key, unless_leased }
        }
        "cache_lease" => {
            let (key, time) = arguments.extract()?;
            CacheRequest::Lease { key, time }
        }
        _ => return Ok(None),
    };
    Ok(Some(request))
}

fn lifetime(session: bool, lease: Option<u64>) -> Lifetime {
    match lease {
        Some(lease) => Lifetime::Lease(lease_of(lease)),
        None if session => Lifetime::Session,
        None => Lifetime::Permanent,
    }
}

fn converted(py: Python<'_>, outcome: Outcome) -> PyResult<Bound<'_, PyAny>> {
    let bytes = |bytes: Vec<u8>| PyBytes::new(py, &bytes);
    match outcome {
        Err(error) => Err(failure::exception(py, error.kind().code(), error.message())),
        Ok(Value::None) => Ok(py.None().into_bound(py)),
        Ok(Value::Bytes(read)) => bytes(read).into_bound_py_any(py),
        Ok(Value::Word(word)) => word.into_bound_py_any(py),
        Ok(Value::Number(number)) => number.into_bound_py_any(py),
        Ok(Value::Flag(flag)) => flag.into_bound_py_any(py),
        Ok(Value::Entry(entry)) => entry.map(|entry| listed(py, entry)).into_bound_py_any(py),
        Ok(Value::Entries(entries)) => {
            entries.into_iter().map(|entry| listed(py, entry)).collect::<Vec<_>>().into_bound_py_any(py)
        }
        Ok(Value::Swap(swapped, entry)) => {
            (swapped, entry.map(|entry| listed(py, entry))).into_bound_py_any(py)
        }
        Ok(Value::Fencing(number)) => number.into_bound_py_any(py),
        Ok(Value::Lease(lease)) => lease_number(lease).into_bound_py_any(py),
        Ok(Value::Parts(parts)) => {
            parts.into_iter().map(|(_, part)| bytes(part)).collect::<Vec<_>>().into_bound_py_any(py)
        }
        Ok(Value::Ranks(ranks)) => ranks.into_bound_py_any(py),
        Ok(Value::Found(value)) => value.map(bytes).into_bound_py_any(py),
        Ok(Value::Leased(leased)) => leased.into_bound_py_any(py),
        Ok(Value::Message(from, message)) => (from, bytes(message)).into_bound_py_any(py),
    }
}

type Listed<'py> = (String, Bound<'py, PyBytes>, u64, Option<u32>);

fn listed(py: Python<'_>, entry: Entry) -> Listed<'_> {
    (entry.key, PyBytes::new(py, &entry.value), entry.revision, entry.owner)
}
