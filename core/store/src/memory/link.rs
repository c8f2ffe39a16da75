// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connections inside the process.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind};

use super::{CLOSED, DEFAULT_TIMEOUT, OPERATION, Owner};
use crate::api::RankWish;
use crate::client::after;
use crate::client::connect::Attempt;
use crate::client::link::{Incoming, Link, LinkError, ReadOutcome, Signal};
use crate::client::resume::{Connector, Loss, NewLink};
use crate::client::shared::SessionCore;
use crate::protocol::{Failure, Join, OneWay, Refusal, RequestMessage};
use crate::state::{Arrival, Event, Granted, LinkId};

/// Margin beyond the store's own deadline for the answer to a join.
const JOIN_MARGIN: Duration = Duration::from_secs(5);
/// The store's address, for texts.
const PLACE: &str = "in memory";

/// A message of the store over one link.
pub(super) enum Delivery {
    Welcome(Box<Granted>),
    Refused(Box<Refusal>),
    Message(Incoming),
}

#[derive(Default)]
pub(super) struct Queue {
    pub(super) deliveries: VecDeque<Delivery>,
    pub(super) closed: Option<LinkError>,
    /// There is no waiting caller: the store's thread reads.
    armed: bool,
}

/// The receiving end of one link.
pub(super) struct Inbox {
    pub(super) queue: Mutex<Queue>,
    pub(super) arrived: Condvar,
    pub(super) session: Weak<SessionCore>,
}

impl Inbox {
    /// Adds a message; true when there is no waiting caller.
    pub(super) fn put(&self, fill: impl FnOnce(&mut Queue)) -> bool {
        let mut queue = lock(&self.queue);
        fill(&mut queue);
        self.arrived.notify_all();
        std::mem::take(&mut queue.armed)
    }

    /// Waits for the answer to a join.
    fn answer(&self, until: Instant) -> Option<Delivery> {
        let mut queue = lock(&self.queue);
        loop {
            if let Some(deliveries) = queue.deliveries.pop_front() {
                return Some(deliveries);
            }
            let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            if queue.closed.is_some() {
                return None;
            }
            queue = wait_notified_for(&self.arrived, queue, left);
        }
    }
}

impl Signal for Inbox {
    fn wait(&self, arrivals: bool, _room: bool, until: Instant) {
        let queue = lock(&self.queue);
        let left = until.saturating_duration_since(Instant::now());
        if arrivals {
            let nothing = |queue: &mut Queue| queue.deliveries.is_empty() && queue.closed.is_none();
            // The caller reads, for any reason of this return.
            drop(self.arrived.wait_timeout_while(queue, left, nothing));
        }
    }
}

/// Connector of a session in the store's own process.
pub(super) struct MemoryConnector {
    pub(super) owner: Arc<Owner>,
    pub(super) wish: RankWish,
    pub(super) world_size: u32,
}

impl Connector for MemoryConnector {
    fn attempt(&self, shared: &Arc<SessionCore>, until: Instant) -> Result<NewLink, Attempt> {
        let core = &self.owner.0;
        let inbox = Arc::new(Inbox {
            queue: Mutex::default(),
            arrived: Condvar::new(),
            session: Arc::downgrade(shared),
        });
        let left = until.saturating_duration_since(Instant::now());
        let (key, resume) = shared.with_machine(|machine| (machine.key(), machine.join_resume()));
        let (store, link) = {
            let mut state = lock(&core.state);
            if state.dead {
                let failure = Failure::new(Kind::NotConnected, "the store was stopped");
                return Err(Attempt::Refused(failure, PLACE.to_owned()));
            }
            state.last_link += 1;
            let link = state.last_link;
            state.links.insert(link, Arc::clone(&inbox));
            (state.store, link)
        };
        let mut connection =
            MemoryLink { owner: Arc::clone(&self.owner), link, inbox, taken: VecDeque::new() };
        let join = Join {
            proof: [0; 32],
            world_size: self.world_size,
            wish: self.wish.on_the_wire(),
            device: 0,
            hosts_store: false,
            timeout_us: u64::try_from(left.as_micros()).unwrap_or(u64::MAX),
            host: "memory".to_owned(),
            pid: std::process::id(),
            key,
            resume,
            job_token: None,
        };
        let memories = shared.with_machine(|machine| machine.memories(store));
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        core.apply(Event::Join { link, arrival: Box::new(Arrival { join, address }) });
        for message in memories {
            core.apply(Event::OneWay { link, message });
        }
        match connection.inbox.answer(after(left.saturating_add(JOIN_MARGIN))) {
            Some(Delivery::Welcome(granted)) => Ok(NewLink {
                welcome: core.welcome(store, &granted),
                link: Box::new(connection),
                place: PLACE.to_owned(),
                here: true,
            }),
            Some(Delivery::Refused(refusal)) => {
                connection.end(true);
                let refused = Attempt::Refused(refusal.failure, PLACE.to_owned());
                Err(if refusal.later { Attempt::Again(refused.into_error()) } else { refused })
            }
            Some(Delivery::Message(_)) | None => {
                connection.end(false);
                Err(Attempt::Again(Error::new(Kind::Failed, OPERATION).what("the store did not answer")))
            }
        }
    }

    fn resume_limit(&self, _: Loss) -> Option<Duration> {
        Some(DEFAULT_TIMEOUT)
    }

    fn while_absent(&self) {}

    fn relocate(&self, _: Vec<SocketAddr>) -> bool {
        false
    }
}

/// One connection inside the process.
struct MemoryLink {
    owner: Arc<Owner>,
    link: LinkId,
    inbox: Arc<Inbox>,
    taken: VecDeque<Incoming>,
}

impl MemoryLink {
    fn end(&mut self, in_order: bool) {
        let core = &self.owner.0;
        // Dropped first: nothing may follow the end.
        let before = lock(&core.state).links.remove(&self.link);
        if before.is_some() {
            core.apply(Event::End { link: self.link, in_order });
        }
        self.inbox.put(|queue| queue.closed = Some(CLOSED.to_owned()));
    }

    fn apply(&self, event: Event) -> Result<(), LinkError> {
        if lock(&self.inbox.queue).closed.is_some() {
            return Err(CLOSED.to_owned());
        }
        self.owner.0.apply(event);
        Ok(())
    }
}

impl Drop for MemoryLink {
    fn drop(&mut self) {
        self.end(false);
    }
}

impl Link for MemoryLink {
    fn request(&mut self, sequence: u64, message: RequestMessage) -> Result<(), LinkError> {
        self.apply(Event::Request { link: self.link, sequence, message })
    }

    fn send_one_way(&mut self, message: OneWay) -> Result<(), LinkError> {
        self.apply(Event::OneWay { link: self.link, message })
    }

    fn leave(&mut self) -> Result<(), LinkError> {
        self.end(true);
        Ok(())
    }

    fn flush(&mut self) -> Result<bool, LinkError> {
        Ok(true)
    }

    fn read_arrived(&mut self) -> Result<ReadOutcome, LinkError> {
        let mut queue = lock(&self.inbox.queue);
        if queue.deliveries.is_empty() {
            return queue.closed.clone().map_or(Ok(ReadOutcome::Nothing), Err);
        }
        self.taken.extend(queue.deliveries.drain(..).filter_map(|deliveries| match deliveries {
            Delivery::Message(incoming) => Some(incoming),
            Delivery::Welcome(_) | Delivery::Refused(_) => None,
        }));
        Ok(if queue.closed.is_some() { ReadOutcome::Some } else { ReadOutcome::All })
    }

    fn next(&mut self) -> Result<Option<Incoming>, LinkError> {
        Ok(self.taken.pop_front())
    }

    fn cut(&mut self) {
        self.end(false);
    }

    fn signal(&self) -> Arc<dyn Signal> {
        Arc::clone(&self.inbox) as Arc<dyn Signal>
    }

    fn token(&self) -> u64 {
        self.link
    }

    fn arm(&mut self, _unsent: bool) {
        let mut queue = lock(&self.inbox.queue);
        if queue.deliveries.is_empty() && queue.closed.is_none() {
            queue.armed = true;
            return;
        }
        drop(queue);
        let core = &self.owner.0;
        lock(&core.state).ready.push(self.link);
        core.changed.notify_all();
    }

    fn disarm(&mut self) {
        lock(&self.inbox.queue).armed = false;
    }
}
