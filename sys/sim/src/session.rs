// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State shared by the processes of one simulated machine: budgets, numbers, and objects that one process
//! publishes and others fetch.
//!
//! The machine is one memory file that every process maps, and a thread in every process that answers the
//! others. There is no daemon and no name in the file system, so nothing is left when the last process ends,
//! however it ends: the kernel takes back the file, the names of the sockets and the leases.
//! * [`layout`]: structure of the file; [`lock`]: its lock; [`books`]: operations under the lock.
//! * [`lease`]: liveness of processes.
//! * [`join`]: how a process finds the machine or makes it; [`socket`]: names and messages.
//! * [`listener`]: the answering thread; [`member`]: objects offered and held by this process; [`number`]:
//!   numbers of offers.
//! * [`damage`]: lost devices and cut links. [`kinds`]: kinds of locations, numbers and objects.
//! * [`fork`]: cleanup in a forked child.
//!
//! Processes find each other within one network namespace, by user and by the name of the machine. In
//! different process namespaces they know each other by numbers that the machine gives.

mod books;
mod damage;
mod fork;
mod join;
mod kinds;
mod layout;
mod lease;
mod listener;
mod lock;
mod member;
mod number;
mod random;
mod socket;

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

use books::ClaimId;
pub(crate) use fork::{GENERATIONS, generation, is_forked, note_use, refuse_children};
pub use kinds::{Location, Pool, Sort};
use member::Member;
use random::random;
use rustix::io::Errno;

use crate::config::{Config, MachineSettings};
use crate::fault::{Fault, Outcome};

/// Bytes charged to a budget; returned when the last holder, in any process, drops them or dies.
#[derive(Debug)]
pub struct Claim {
    /// From where.
    pub location: Location,
    /// Number of bytes.
    pub bytes: u64,
    id: ClaimId,
    member: Arc<Member>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.member.let_go(self.id);
    }
}

/// A number taken from a pool; given back when dropped or when the process dies.
#[derive(Debug)]
pub struct Number {
    /// The number.
    pub value: u32,
    device: u32,
    pool: Pool,
    member: Arc<Member>,
}

impl Drop for Number {
    fn drop(&mut self) {
        self.member.free_number(self.device, self.pool, self.value);
    }
}

/// An object as its exporter offers it.
#[derive(Debug)]
pub struct Offer {
    /// Its sort.
    pub sort: Sort,
    /// File for the importer.
    pub file: Arc<OwnedFd>,
    /// Memory whose bytes stay charged while an importer holds it.
    pub claim: Option<Arc<Claim>>,
    /// Facts for the importer (offset, length, page size, flags …), as the sort defines them.
    pub facts: [u64; 6],
    /// Every process may import; otherwise only the processes named by [`Published::allow`].
    pub open: bool,
    /// Other simulated servers may import.
    pub fabric: bool,
}

/// An object that others may fetch until this is dropped.
#[derive(Debug)]
pub struct Published {
    /// Unique on the machine; what 64-bit handles carry.
    pub number: u64,
    /// It cannot be guessed; longer handles carry it too.
    pub secret: u64,
    member: Arc<Member>,
}

impl Published {
    /// Lets these processes import.
    ///
    /// # Errors
    /// 207006 for an object that is open to all.
    pub fn allow(&self, processes: &[i32]) -> Outcome {
        self.member.allow(self.number, None, processes)
    }

    /// Lets these processes of another server import, although the object may not be for other servers.
    ///
    /// # Errors
    /// As [`Published::allow`].
    pub fn allow_on_server(&self, server: u32, processes: &[i32]) -> Outcome {
        self.member.allow(self.number, Some(server), processes)
    }

    /// Opens the object to all, or to those alone that are allowed.
    pub fn set_open(&self, open: bool) {
        self.member.set_open(self.number, open);
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        self.member.withdraw(self.number);
    }
}

/// An object of another process.
#[derive(Debug)]
pub struct Fetched {
    /// The file.
    pub file: OwnedFd,
    /// Held while the memory is used.
    pub claim: Option<Arc<Claim>>,
    /// The exporter's facts.
    pub facts: [u64; 6],
    /// Process of the exporter.
    pub exporter: i32,
    /// Server of the exporter.
    pub server: u32,
}

/// The machine's shared part, as this process is a member of it.
#[derive(Debug)]
pub struct Session(Arc<Member>);

impl Session {
    /// Finds the machine of that name or makes it.
    ///
    /// # Errors
    /// 100000 if explicit settings contradict the machine's · 507000 with the reason.
    pub fn open(config: &Config) -> Outcome<Self> {
        let membership = join::join(config)?;
        let (member, listener, gate) = Member::new(membership);
        let member = Arc::new(member);
        listener::serve(Arc::clone(&member), listener)?;
        drop(gate);
        Ok(Self(member))
    }

    /// Returns the settings of the machine's creator.
    pub fn settings(&self) -> MachineSettings {
        self.0.layout.settings()
    }

    /// Takes `bytes` of a budget.
    ///
    /// # Errors
    /// 107001 for an unknown device · 207001 if too little is left.
    pub fn claim(&self, location: Location, bytes: u64) -> Outcome<Arc<Claim>> {
        let id = self.0.take(location, bytes)?;
        Ok(Arc::new(Claim { location, bytes, id, member: Arc::clone(&self.0) }))
    }

    /// Free and total bytes at `location`, over all processes. The memory of a host is one budget for all
    /// nodes.
    ///
    /// # Errors
    /// 107001 for an unknown device.
    pub fn budget(&self, location: Location) -> Outcome<(u64, u64)> {
        self.0.books()?.budget(location)
    }

    /// Sets the amount of memory for all processes. Existing allocations stay.
    ///
    /// # Errors
    /// As [`Session::budget`].
    pub fn set_limit(&self, location: Location, bytes: u64) -> Outcome {
        self.0.books()?.set_limit(location, bytes)
    }

    /// Takes a number of a device's pool.
    ///
    /// # Errors
    /// 107001 for an unknown device · 207007, 207008, 207009 if the pool is empty.
    pub fn number(&self, device: u32, pool: Pool) -> Outcome<Number> {
        let value = self.0.books()?.number(self.0.slot, device, pool)?;
        Ok(Number { value, device, pool, member: Arc::clone(&self.0) })
    }

    /// Returns the count of free numbers in a device's pool.
    ///
    /// # Errors
    /// 107001 for an unknown device.
    pub fn free_numbers(&self, device: u32, pool: Pool) -> Outcome<usize> {
        self.0.books()?.free_numbers(device, pool)
    }

    /// Lets a device have fewer numbers than the hardware, for all processes; 0 for as many as the hardware.
    ///
    /// # Errors
    /// 107001 for an unknown device.
    pub fn set_pool_limit(&self, device: u32, pool: Pool, numbers: u32) -> Outcome {
        self.0.books()?.set_pool_limit(device, pool, numbers)
    }

    /// Offers an object to the other processes.
    ///
    /// # Errors
    /// 507000 when the system has no random numbers.
    pub fn publish(&self, offer: Offer) -> Outcome<Published> {
        let secret = random()?;
        Ok(Published { number: self.0.offer(offer, secret), secret, member: Arc::clone(&self.0) })
    }

    /// Fetches an object that another process (or this one) offers. `secret`: the one of the handle, when it
    /// has one.
    ///
    /// # Errors
    /// `unknown` (the caller's code) if no process offers that number to this server · 207006 if this
    /// process is not allowed · 507000 if its exporter does not answer.
    pub fn fetch(&self, sort: Sort, number: u64, secret: Option<u64>, unknown: i32) -> Outcome<Fetched> {
        member::fetch(&self.0, sort, number, secret, unknown)
    }

    /// Returns true if a device is lost.
    pub fn is_lost(&self, device: u32) -> bool {
        self.0.layout.device(device).is_ok_and(|device| self.0.layout.damage.is_lost(device))
    }

    /// Loses a device, or heals it, for all processes.
    ///
    /// # Errors
    /// 107001 for an unknown device.
    pub fn set_lost(&self, device: u32, lost: bool) -> Outcome {
        self.0.layout.damage.set_lost(self.0.layout.device(device)?, lost);
        Ok(())
    }

    /// Returns true if the link between two devices is cut.
    pub fn is_cut(&self, one: u32, other: u32) -> bool {
        let layout = self.0.layout;
        match (layout.device(one), layout.device(other)) {
            (Ok(one), Ok(other)) => layout.damage.is_cut(one, other),
            _ => false,
        }
    }

    /// Cuts the link between two devices, or mends it, for all processes.
    ///
    /// # Errors
    /// 107001 for an unknown device.
    pub fn set_cut(&self, one: u32, other: u32, cut: bool) -> Outcome {
        let layout = self.0.layout;
        layout.damage.set_cut(layout.device(one)?, layout.device(other)?, cut);
        Ok(())
    }

    /// Returns the count of lost devices and cut links.
    pub(crate) fn damage(&self) -> &'static AtomicU32 {
        &self.0.layout.damage.count
    }

    /// Returns the liveness id of this process, by which others check it: unique among all processes.
    pub fn own_life(&self) -> u64 {
        self.0.life()
    }

    /// Returns true if the process with this [`Session::own_life`] is alive.
    pub fn lives(&self, life: u64) -> bool {
        self.0.lives(life)
    }

    /// Listens under a name of the machine; `None` if the name is taken. The name ends with the descriptor.
    ///
    /// # Errors
    /// 507000 with the error of the system.
    pub(crate) fn listen(&self, name: &str) -> Outcome<Option<OwnedFd>> {
        match socket::listen(&self.0.names.of(name)) {
            Ok(listener) => Ok(Some(listener)),
            Err(Errno::ADDRINUSE) => Ok(None),
            Err(errno) => Err(Fault::internal(format_args!("cannot listen under {name}: {errno}"))),
        }
    }

    /// Returns true if a process of the machine listens under a name.
    pub(crate) fn has_listener(&self, name: &str) -> bool {
        socket::connect(&self.0.names.of(name), Instant::now()).is_ok()
    }

    /// The number of the calling process: its process id as the creator of the machine sees it, or, where
    /// process namespaces differ, one that the machine gave it.
    pub fn own_process(&self) -> i32 {
        self.0.process
    }
}
