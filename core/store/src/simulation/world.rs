// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The clock, the store, and all deliveries.

use std::collections::HashMap;
use std::ops::Range;

use super::linearize::History;
use super::lives::Life;
use super::model::Model;
use super::network::{Link, Queue, ScheduledEvent, ToClient, ToStore};
use super::random::Random;
use super::votes::Recorder;
use crate::state::{LinkId, Machine, Micros};

pub(super) const MS: Micros = 1000;
pub(super) const SECOND: Micros = 1000 * MS;
/// Watches of every member.
pub(super) const KEYS_WATCH: u64 = 1;
pub(super) const MEMBERS_WATCH: u64 = 2;

/// Plan of a world.
pub(super) struct WorldPlan {
    pub(super) world_size: u32,
    pub(super) rank_window_us: Micros,
    pub(super) resume_grace_us: Micros,
    pub(super) recovery_us: Micros,
    pub(super) recovery_quiet_us: Micros,
    /// Time for which a new store does not know whether another preceded it.
    pub(super) young_us: Micros,
    /// Time for which a message is in flight.
    pub(super) delay_us: Range<Micros>,
    /// The store runs in the process of a member, and dies with it.
    pub(super) is_hosted: bool,
    /// Members work at random.
    pub(super) works: bool,
    /// See the limits of the store.
    pub(super) unread_bytes: usize,
    pub(super) is_traced: bool,
}

/// A store that runs.
pub(super) struct RunningStore {
    pub(super) machine: Machine,
    pub(super) store: [u8; 16],
    pub(super) tick_at: Option<Micros>,
}

/// See [`super`].
pub(super) struct World {
    pub(super) plan: WorldPlan,
    pub(super) now: Micros,
    pub(super) random: Random,
    pub(super) queue: Queue,
    pub(super) store: Option<RunningStore>,
    /// Number of stores so far, which numbers this one.
    pub(super) generation: u64,
    pub(super) links: HashMap<LinkId, Link>,
    pub(super) lives: Vec<Life>,
    pub(super) model: Model,
    pub(super) history: History,
    /// Records votes.
    pub(super) votes: Option<Recorder>,
    /// The store found out that there is one of a higher term; it ends.
    pub(super) has_stepped_down: bool,
    /// Messages sent so far.
    pub(super) messages: u64,
    pub(super) last_link: LinkId,
}

macro_rules! trace {
    ($world:expr, $($text:tt)*) => {
        if $world.plan.is_traced {
            eprintln!("{:>10} {}", $world.now, format_args!($($text)*));
        }
    };
}
pub(super) use trace;

impl World {
    pub(super) fn with(seed: u64, plan: WorldPlan) -> Self {
        Self {
            plan,
            now: 0,
            random: Random::new(seed),
            queue: Queue::default(),
            store: None,
            generation: 0,
            links: HashMap::new(),
            lives: Vec::new(),
            model: Model::default(),
            history: History::default(),
            votes: None,
            has_stepped_down: false,
            messages: 0,
            last_link: 0,
        }
    }

    pub(super) fn delay(&mut self) -> Micros {
        self.random.within(self.plan.delay_us.clone())
    }

    pub(super) fn later(&mut self, range: Range<Micros>, happening: ScheduledEvent) {
        let at = self.now + self.random.within(range);
        self.queue.push(at, happening);
    }

    /// Lets happen what happens until `end`.
    pub(super) fn run_until(&mut self, end: Micros) {
        while let Some((at, happening)) = self.queue.pop(end) {
            self.now = at;
            match happening {
                ScheduledEvent::ToStore(link, message) => self.at_store(link, message),
                ScheduledEvent::ToClient(link, message) => self.at_client(link, message),
                ScheduledEvent::StoreTick => self.tick_store(),
                ScheduledEvent::LifeTick(life) => self.tick_life(life),
                ScheduledEvent::Connect(life) => self.connect(life),
                ScheduledEvent::Work(life) => self.work(life),
                ScheduledEvent::Start(rank) => {
                    let wish = self.wish(rank);
                    self.start_life(wish);
                }
                ScheduledEvent::StartStore => self.start_store(),
                ScheduledEvent::Fault => self.fault(),
            }
        }
        self.now = end;
    }

    pub(super) fn send_client(&mut self, number: LinkId, message: ToClient) {
        let at = self.now + self.delay();
        self.send_client_at(number, at, message);
    }

    pub(super) fn send_client_at(&mut self, number: LinkId, at: Micros, message: ToClient) {
        let Some(link) = self.links.get_mut(&number) else { return };
        let at = at.max(link.last_at_client).max(self.lives[link.life].cut_off_until);
        link.last_at_client = at;
        self.messages += 1;
        self.queue.push(at, ScheduledEvent::ToClient(number, message));
    }

    pub(super) fn send_store(&mut self, number: LinkId, message: ToStore) {
        let at = self.now + self.delay();
        self.send_store_at(number, at, message);
    }

    pub(super) fn send_store_at(&mut self, number: LinkId, at: Micros, message: ToStore) {
        let Some(link) = self.links.get_mut(&number) else { return };
        let at = at.max(link.last_at_store).max(self.lives[link.life].cut_off_until);
        link.last_at_store = at;
        self.messages += 1;
        self.queue.push(at, ScheduledEvent::ToStore(number, message));
    }
}

/// The beginning of a value's debug form.
pub(super) fn short(what: &impl std::fmt::Debug) -> String {
    format!("{what:?}").chars().take(300).collect()
}
