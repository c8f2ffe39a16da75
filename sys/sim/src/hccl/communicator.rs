// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A communicator, as one of its ranks has it.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::code::{self, Trouble};
use super::config::CommunicatorOptions;
use super::order::Order;
use super::peers::{COMING, GONE, HERE, ROUND, Wait};
use super::shared::CommunicatorFile;
use crate::clock::Deadline;
use crate::device::Device;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::machine::machine;

/// Communicators that programs have.
pub static COMMUNICATORS: LazyLock<HandleTable<Communicator>> =
    LazyLock::new(|| HandleTable::new("communicator"));

/// A rank of a communicator.
pub struct Communicator {
    /// State shared by its ranks.
    pub shared: Arc<CommunicatorFile>,
    /// Its number.
    pub rank: u32,
    /// Its device.
    pub device: Arc<Device>,
    /// The communicator's name.
    pub name: String,
    /// Longest run of an operation; `None` for no limit.
    pub exec_timeout: Option<Duration>,
    /// The order of its operations.
    pub order: Order,
    /// First error of its operations, for queries.
    error: AtomicI32,
}

/// A rank that has taken its slot and waits for the others.
pub struct Candidate {
    shared: Arc<CommunicatorFile>,
    rank: u32,
    device: Arc<Device>,
    wishes: CommunicatorOptions,
    /// Gives the slot up when the communicator does not come to be.
    is_member: bool,
}

impl Candidate {
    /// Takes the slot of a rank.
    ///
    /// # Errors
    /// `HCCL_E_PARA` when another has it.
    pub fn enlist(
        shared: &Arc<CommunicatorFile>,
        rank: u32,
        device: &Arc<Device>,
        wishes: CommunicatorOptions,
    ) -> Outcome<Self> {
        let slot = shared.slot(rank);
        let took = slot.state.compare_exchange(0, COMING, Ordering::AcqRel, Ordering::Acquire);
        ensure(took.is_ok(), code::PARA, || format!("{} is there already", shared.names(&[rank])))?;
        let session = &machine()?.session;
        slot.device.store(device.physical, Ordering::Relaxed);
        slot.process.store(session.own_process(), Ordering::Relaxed);
        slot.member.store(session.own_life(), Ordering::Relaxed);
        slot.set_name(wishes.name.as_deref().unwrap_or_default());
        slot.state.store(HERE, Ordering::Release);
        shared.ring();
        let (shared, device) = (Arc::clone(shared), Arc::clone(device));
        Ok(Self { shared, rank, device, wishes, is_member: false })
    }

    /// Waits until all ranks have come. Either all of them learn that, or none. `tick` is called now and
    /// then.
    ///
    /// # Errors
    /// `HCCL_E_TIMEOUT` naming the missing ranks · `HCCL_E_REMOTE` if one died · `HCCL_E_PARA` if ranks
    /// disagree.
    pub fn wait(&self, timeout: Duration, mut tick: impl FnMut()) -> Outcome {
        let shared = &self.shared;
        let wait = Wait {
            rank: self.rank,
            what: &|| "the coming together of a communicator".to_owned(),
            deadline: Deadline::after(Some(timeout)),
            is_cancelled: &|| false,
        };
        let mut checked = Instant::now();
        let all_came = shared.wait(&wait, || {
            tick();
            if shared.head().decision.load(Ordering::Acquire) == COMPLETE {
                return Ok(Vec::new());
            }
            let is_missing = |rank: &u32| shared.slot(*rank).state.load(Ordering::Acquire) < HERE;
            let missing: Vec<u32> = (0..shared.ranks()).filter(is_missing).collect();
            if !missing.is_empty() && checked.elapsed() > ROUND {
                checked = Instant::now();
                (0..shared.ranks()).try_for_each(|rank| shared.check_presence(rank, self.rank))?;
            }
            Ok(missing)
        });
        let wanted = if all_came.is_ok() { COMPLETE } else { FAILED };
        let decided = shared.head().decision.compare_exchange(0, wanted, Ordering::AcqRel, Ordering::Acquire);
        let decision = decided.map_or_else(|others| others, |_| wanted);
        shared.ring();
        match (decision, all_came) {
            (COMPLETE, _) => self.check_fit(),
            (_, Err(trouble)) => {
                shared.fail(self.rank, &trouble);
                Err(Fault::new(trouble.code, trouble.text))
            }
            (_, Ok(())) => Err(Fault::new(code::TIMEOUT, "another rank gave up waiting for this one")),
        }
    }

    /// All ranks see the same and come to the same result.
    fn check_fit(&self) -> Outcome {
        let shared = &self.shared;
        let first = shared.slot(0).name();
        let mut devices = std::collections::HashMap::new();
        for rank in 0..shared.ranks() {
            let name = shared.slot(rank).name();
            ensure(name == first, code::PARA, || {
                format!("rank {rank} calls the communicator {name:?}, rank 0 {first:?}")
            })?;
            let device = shared.slot(rank).device.load(Ordering::Relaxed);
            if let Some(other) = devices.insert(device, rank) {
                check_devices(device, other, rank)?;
            }
        }
        Ok(())
    }

    /// The communicator, once all have arrived. `name`: its default name.
    pub fn into_communicator(mut self, name: String, default_timeout: Option<Duration>) -> *mut c_void {
        self.is_member = true;
        let communicator = Communicator {
            shared: Arc::clone(&self.shared),
            rank: self.rank,
            device: Arc::clone(&self.device),
            name: self.wishes.name.take().unwrap_or(name),
            exec_timeout: self.wishes.exec_timeout.or(default_timeout),
            order: Order::default(),
            error: AtomicI32::new(0),
        };
        COMMUNICATORS.insert_with(|_| communicator).0
    }
}

const COMPLETE: u32 = 1;
const FAILED: u32 = 2;

/// Assumed: two ranks of a communicator never share a device.
fn check_devices(device: u32, one: u32, other: u32) -> Outcome {
    Err(Fault::new(code::PARA, format_args!("ranks {one} and {other} both use device {device}")))
}

impl Drop for Candidate {
    fn drop(&mut self) {
        if !self.is_member {
            leave(&self.shared, self.rank);
        }
    }
}

impl Communicator {
    /// The communicator behind a handle.
    ///
    /// # Errors
    /// `HCCL_E_PTR` null · `HCCL_E_PARA` unknown.
    pub fn from_handle(handle: *const c_void) -> Outcome<Arc<Self>> {
        ensure(!handle.is_null(), code::PTR, || "the communicator is null".to_owned())?;
        COMMUNICATORS.get(handle, code::PARA)
    }

    /// An operation of this rank failed.
    pub fn fail(&self, trouble: &Trouble) {
        // The first one counts.
        let _ = self.error.compare_exchange(0, trouble.code, Ordering::Relaxed, Ordering::Relaxed);
        self.shared.fail(self.rank, trouble);
    }

    /// Returns the first error of its operations, or success.
    pub fn error(&self) -> i32 {
        match self.error.load(Ordering::Relaxed) {
            0 => self.shared.failure(self.rank).map_or(0, |trouble| trouble.code),
            code => code,
        }
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        leave(&self.shared, self.rank);
    }
}

fn leave(shared: &CommunicatorFile, rank: u32) {
    shared.slot(rank).state.store(GONE, Ordering::Release);
    shared.ring();
}
