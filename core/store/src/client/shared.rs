// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The middle of a session: the state machine, the link and the callers, under one lock.
//!
//! Nothing waits under the lock: sockets do not block, callbacks run elsewhere. A caller that waits for a
//! reply either *drives* (waits for the link without the lock, then takes what arrived, for itself and for
//! all others) or sleeps in its slot. A driver that stops hands over: to another waiting caller, else to the
//! reactor. So there is always exactly one reader, and in the common case it is the thread that needs the
//! answer. [`ends`] is how links and sessions end.

mod ends;

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_base::interrupt::InterruptPoll;
use mf_base::os::process::Owner;
use mf_base::sync::{lock, wait_notified_for};

use super::dispatch::{Dispatcher, Notification};
use super::link::{Incoming, Link, ReadOutcome, Signal};
use super::machine::{ClientMachine, Effect};
use super::resume::{Connector, NewLink};
use crate::api::{Attendance, Leader};
use crate::protocol::about::FEATURES;
use crate::protocol::{Answer, Failure, Request, Standing};
use crate::state::Micros;
use mf_base::sync::spin::Spin;

/// Longest wait of a leaving caller until the store knows.
const WITHDRAW_LIMIT: Duration = Duration::from_millis(50);
/// Interval of checks in a wait without any deadline.
const LONG: Duration = Duration::from_secs(3600);

/// Mailbox of one caller's reply.
#[derive(Default)]
struct Slot {
    result: Option<Result<Answer, Failure>>,
    /// The last delivery to a watch that the store sent before it.
    behind: u64,
    /// Set while the caller sleeps here.
    wake: Option<Arc<Condvar>>,
}

/// Phase of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// The leave message was sent; the store will close.
    Leaving,
    Over,
}

/// SessionState guarded by one lock.
struct SessionState {
    machine: ClientMachine,
    link: Option<Box<dyn Link>>,
    /// Something waits until the link takes more.
    unsent: bool,
    /// A caller waits for the link.
    driving: bool,
    slots: HashMap<u64, Slot>,
    /// Number of the last delivery to a watch.
    delivered: u64,
    phase: Phase,
    spin: Spin,
    /// Breaks the attempt to connect that runs now.
    attempt: Option<Box<dyn Fn() + Send>>,
    /// The next pause between two attempts is skipped.
    hurry: bool,
    leader: Leader,
    /// Round trips that callers have waited for; and whether the last one has begun and no reply of it was
    /// taken, so that further requests belong to it.
    round_trips: u64,
    is_round_open: bool,
    /// Features that the store has announced; 0 if the store runs in this process.
    features: u64,
}

impl SessionState {
    /// A request is sent: it begins a round trip unless it belongs to one.
    fn begin_round(&mut self) {
        self.round_trips += u64::from(!self.is_round_open);
        self.is_round_open = true;
    }
}

/// The middle of a session.
pub(crate) struct SessionCore {
    state: Mutex<SessionState>,
    /// The link came or went, or the phase changed.
    changed: Condvar,
    pub(super) dispatcher: Arc<Dispatcher>,
    pub(crate) connector: Box<dyn Connector>,
    started: Instant,
    owner: Owner,
    /// This very session, for the thread that finds the store again.
    me: Weak<SessionCore>,
}

/// The reply to a call.
pub(super) struct CallReply {
    pub(super) result: Result<Answer, Failure>,
    /// Number of the delivery that precedes it.
    behind: u64,
}

impl SessionCore {
    /// A session that is no member yet; `key` is the secret between it and its store.
    pub(crate) fn new(key: [u8; 16], connector: Box<dyn Connector>) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            state: Mutex::new(SessionState {
                machine: ClientMachine::new(key),
                link: None,
                unsent: false,
                driving: false,
                slots: HashMap::new(),
                delivered: 0,
                phase: Phase::Open,
                spin: Spin::default(),
                attempt: None,
                hurry: false,
                leader: Leader { term: 0, place: String::new(), here: false },
                round_trips: 0,
                is_round_open: false,
                features: FEATURES,
            }),
            changed: Condvar::new(),
            dispatcher: Arc::default(),
            connector,
            started: Instant::now(),
            owner: Owner::current(),
            me: me.clone(),
        })
    }

    /// Returns true if this is a copy in a forked child.
    pub(super) fn is_of_another_process(&self) -> bool {
        !self.owner.is_current()
    }

    pub(super) fn has_ended(&self) -> bool {
        if self.is_of_another_process() {
            return false;
        }
        let state = lock(&self.state);
        state.phase == Phase::Over && state.machine.is_ending()
    }

    pub(super) fn is_connected(&self) -> bool {
        // In a forked child the owner of the lock may be a thread that does not exist there.
        if self.is_of_another_process() {
            return false;
        }
        let state = lock(&self.state);
        state.phase == Phase::Open && state.link.is_some()
    }

    pub(super) fn is_open(&self) -> bool {
        lock(&self.state).phase == Phase::Open
    }

    pub(super) fn round_trips(&self) -> u64 {
        if self.is_of_another_process() { 0 } else { lock(&self.state).round_trips }
    }

    /// Features of the store.
    pub(super) fn features(&self) -> u64 {
        lock(&self.state).features
    }

    /// A store has announced its features.
    pub(super) fn set_features(&self, features: u64) {
        lock(&self.state).features = features;
    }

    pub(super) fn leader(&self) -> Leader {
        lock(&self.state).leader.clone()
    }

    /// No members in a forked child.
    pub(super) fn attendance(&self) -> Attendance {
        if self.is_of_another_process() {
            return Attendance { epoch: 0, members: 0 };
        }
        let Standing { epoch, members, .. } = lock(&self.state).machine.standing();
        Attendance { epoch, members }
    }

    pub(super) fn place(&self) -> String {
        lock(&self.state).leader.place.clone()
    }

    /// Gives a connector access to the machine.
    pub(crate) fn with_machine<T>(&self, body: impl FnOnce(&mut ClientMachine) -> T) -> T {
        body(&mut lock(&self.state).machine)
    }

    fn micros(&self, at: Instant) -> Micros {
        let since = at.saturating_duration_since(self.started);
        Micros::try_from(since.as_micros()).unwrap_or(Micros::MAX)
    }

    fn instant(&self, at: Micros) -> Option<Instant> {
        self.started.checked_add(Duration::from_micros(at))
    }

    /// Sends a request and waits for its reply, which comes by `deadline`, or a little later where the store
    /// names the missing members.
    pub(super) fn call(&self, request: Request, deadline: Instant) -> Result<CallReply, Failure> {
        let mut state = lock(&self.state);
        let now = self.micros(Instant::now());
        let (sequence, effects) = state.machine.begin(now, request, self.micros(deadline))?;
        state.slots.insert(sequence, Slot::default());
        state.begin_round();
        self.act(&mut state, effects);
        state.is_round_open = false;
        Ok(self.wait(state, sequence))
    }

    /// Sends a request. [`finish`](Self::finish) takes its reply.
    pub(super) fn start(&self, request: Request, deadline: Instant) -> Result<u64, Failure> {
        let mut state = lock(&self.state);
        let now = self.micros(Instant::now());
        let (sequence, effects) = state.machine.begin(now, request, self.micros(deadline))?;
        state.slots.insert(sequence, Slot::default());
        state.begin_round();
        self.act(&mut state, effects);
        self.hand_over_reading(&mut state);
        Ok(sequence)
    }

    /// Waits for the reply to a started request.
    pub(super) fn finish(&self, sequence: u64) -> CallReply {
        let mut state = lock(&self.state);
        state.is_round_open = false;
        self.wait(state, sequence)
    }

    /// Gives the reply to a started request up, unless it was taken.
    pub(super) fn forget(&self, sequence: u64) {
        let mut state = lock(&self.state);
        if state.slots.remove(&sequence).is_some_and(|slot| slot.result.is_none()) {
            state.machine.cancel(sequence);
        }
    }

    /// Sends a request without waiting for its reply.
    pub(super) fn post(&self, request: Request, deadline: Instant) -> Result<(), Failure> {
        let mut state = lock(&self.state);
        let now = self.micros(Instant::now());
        let (_, effects) = state.machine.begin(now, request, self.micros(deadline))?;
        self.act(&mut state, effects);
        self.hand_over_reading(&mut state);
        Ok(())
    }

    /// Waits until the deliveries before a reply are over, which the caller may have caused.
    pub(super) fn settle(&self, replied: &CallReply, deadline: Instant) {
        if replied.behind > 0 {
            self.dispatcher.wait_for(replied.behind, deadline);
        }
    }

    fn wait<'a>(&'a self, mut state: MutexGuard<'a, SessionState>, sequence: u64) -> CallReply {
        let (mut interrupt, mut is_first) = (None, true);
        loop {
            let Some(slot) = state.slots.get_mut(&sequence) else {
                // Only this caller takes its slot away.
                let failure = Failure::new(Kind::Failed, "the place of a reply was lost");
                return CallReply { result: Err(failure), behind: 0 };
            };
            slot.wake = None;
            if let Some(result) = slot.result.take() {
                let behind = slot.behind;
                state.slots.remove(&sequence);
                self.hand_over_reading(&mut state);
                return CallReply { result, behind };
            }
            let until = self.limit(&state);
            let interrupt = interrupt.get_or_insert_with(InterruptPoll::new);
            if until <= Instant::now() {
                self.tick(&mut state);
            } else if interrupt.is_due() {
                self.hand_over_reading(&mut state);
                drop(state);
                let is_left = interrupt.is_left();
                state = lock(&self.state);
                if is_left {
                    return self.leave_call(state, sequence);
                }
            } else if state.link.is_some() && !state.driving {
                let poll = std::mem::take(&mut is_first);
                state = self.drive(state, Some(sequence), interrupt.until(until), poll);
            } else if state.unsent {
                // The driver waits for arrivals only; the messages of this caller are sent when there is
                // room.
                let signal = state.link.as_ref().map(|link| link.signal());
                drop(state);
                if let Some(signal) = signal {
                    signal.wait(false, true, interrupt.until(until));
                }
                state = lock(&self.state);
                self.flush(&mut state);
            } else {
                let wake = Arc::new(Condvar::new());
                if let Some(slot) = state.slots.get_mut(&sequence) {
                    slot.wake = Some(Arc::clone(&wake));
                }
                let left = interrupt.until(until).saturating_duration_since(Instant::now());
                state = wait_notified_for(&wake, state, left);
            }
        }
    }

    /// The caller stops waiting. A request that waits at the store is withdrawn, so that the same call may be
    /// made again; if the store was faster, the caller gets its answer.
    fn leave_call<'a>(&'a self, mut state: MutexGuard<'a, SessionState>, sequence: u64) -> CallReply {
        let now = Instant::now();
        let (at, limit) = (self.micros(now), self.micros(now + WITHDRAW_LIMIT));
        if let Some((withdrawal, effects)) = state.machine.withdraw(at, sequence, limit) {
            state.slots.insert(withdrawal, Slot::default());
            self.act(&mut state, effects);
            // The call was interrupted already, so this wait is not. An unreachable store receives the
            // withdrawal later.
            let _ = self.wait(state, withdrawal);
            state = lock(&self.state);
        }
        let slot = state.slots.remove(&sequence).unwrap_or_default();
        let replied = match slot.result {
            Some(result) => CallReply { result, behind: slot.behind },
            None => {
                state.machine.cancel(sequence);
                let failure = Failure::new(Kind::Interrupted, "the wait was interrupted by the program");
                CallReply { result: Err(failure), behind: 0 }
            }
        };
        self.hand_over_reading(&mut state);
        replied
    }

    /// The next deadline of a caller.
    fn limit(&self, state: &SessionState) -> Instant {
        let at = state.machine.next_deadline().and_then(|at| self.instant(at));
        at.unwrap_or_else(|| super::after(LONG))
    }

    fn tick(&self, state: &mut SessionState) {
        let now = self.micros(Instant::now());
        // A moment is the same whether counted in nanoseconds or in microseconds.
        let effects = state.machine.on_tick(now.saturating_add(1));
        self.act(state, effects);
    }

    /// Reads from the store until the reply `sequence` is there, the link ends, a caller's deadline passes,
    /// or until `end`. `poll`: it may poll a few times before it sleeps.
    fn drive<'a>(
        &'a self,
        mut state: MutexGuard<'a, SessionState>,
        sequence: Option<u64>,
        end: Instant,
        poll: bool,
    ) -> MutexGuard<'a, SessionState> {
        state.driving = true;
        if let Some(link) = &mut state.link {
            link.disarm();
        }
        let done = |state: &SessionState| {
            let answered = |sequence| state.slots.get(&sequence).is_none_or(|slot| slot.result.is_some());
            state.link.is_none() || sequence.is_some_and(answered)
        };
        if poll && let Some(mut poll) = state.spin.begin() {
            loop {
                drop(state);
                let again = poll.again();
                state = lock(&self.state);
                self.pump(&mut state);
                if done(&state) {
                    state.spin.found();
                    break;
                }
                if !again {
                    state.spin.missed();
                    break;
                }
            }
        }
        let mut known: Option<(u64, Arc<dyn Signal>)> = None;
        while !done(&state) {
            let until = self.limit(&state).min(end);
            if until <= Instant::now() {
                break;
            }
            let Some(link) = &state.link else { break };
            let token = link.token();
            let signal = match &known {
                Some((before, signal)) if *before == token => Arc::clone(signal),
                _ => link.signal(),
            };
            let unsent = state.unsent;
            drop(state);
            signal.wait(true, unsent, until);
            known = Some((token, signal));
            state = lock(&self.state);
            self.pump(&mut state);
        }
        state.driving = false;
        state
    }

    /// Takes arrived messages and sends waiting ones.
    fn pump(&self, state: &mut SessionState) {
        if state.unsent {
            self.flush(state);
        }
        loop {
            let Some(link) = &mut state.link else { return };
            match link.read_arrived() {
                Ok(ReadOutcome::Nothing) => return,
                Ok(outcome) => {
                    self.take_in(state);
                    if outcome == ReadOutcome::All {
                        return;
                    }
                }
                Err(ended) => return self.lose_link(state, &ended),
            }
        }
    }

    /// Feeds the messages read from the link to the machine.
    fn take_in(&self, state: &mut SessionState) {
        loop {
            let Some(link) = &mut state.link else { return };
            let incoming = match link.next() {
                Ok(Some(incoming)) => incoming,
                Ok(None) => return,
                Err(ended) => return self.lose_link(state, &ended),
            };
            let now = self.micros(Instant::now());
            let effects = match incoming {
                Incoming::Reply { sequence, result } => state.machine.on_reply(now, sequence, result),
                Incoming::Change { watch, change } => state.machine.on_change(now, watch, change),
                Incoming::Notice(notice) => state.machine.on_notice(now, notice),
            };
            self.act(state, effects);
        }
    }

    fn act(&self, state: &mut SessionState, effects: Vec<Effect>) {
        let mut sent = Ok(());
        for effect in effects {
            match effect {
                Effect::Send { sequence, message } => {
                    if let (Some(link), Ok(())) = (&mut state.link, &sent) {
                        sent = link.request(sequence, message);
                    }
                }
                Effect::OneWay(message) => {
                    if let (Some(link), Ok(())) = (&mut state.link, &sent) {
                        sent = link.send_one_way(message);
                    }
                }
                Effect::Complete { sequence, result } => {
                    // A posted request has no waiting caller.
                    if let Some(slot) = state.slots.get_mut(&sequence) {
                        slot.result = Some(result);
                        slot.behind = state.delivered;
                        if let Some(wake) = &slot.wake {
                            wake.notify_one();
                        }
                    }
                }
                Effect::Deliver { watch, change } => {
                    state.delivered = self.dispatcher.push(watch, Notification::Change(change));
                }
                Effect::DeliverView { watch, change } => {
                    state.delivered = self.dispatcher.push(watch, Notification::View(change));
                }
                Effect::DeliverLeader { watch, term } => {
                    let leader = Leader { term, ..state.leader.clone() };
                    state.delivered = self.dispatcher.push(watch, Notification::Leader(leader));
                }
            }
        }
        match sent {
            Ok(()) => self.flush(state),
            Err(ended) => self.lose_link(state, &ended),
        }
    }

    fn flush(&self, state: &mut SessionState) {
        let Some(link) = &mut state.link else {
            state.unsent = false;
            return;
        };
        match link.flush() {
            Ok(done) => state.unsent = !done,
            Err(ended) => self.lose_link(state, &ended),
        }
    }

    /// Chooses the next reader of the link.
    fn hand_over_reading(&self, state: &mut SessionState) {
        if state.driving || state.link.is_none() {
            return;
        }
        let sleeper = state.slots.values().find(|slot| slot.result.is_none() && slot.wake.is_some());
        if let Some(wake) = sleeper.and_then(|slot| slot.wake.as_ref()) {
            wake.notify_one();
        } else if let Some(link) = &mut state.link {
            link.arm(state.unsent);
        }
    }

    /// Something arrived without a waiting caller.
    pub(crate) fn on_ready(&self, token: u64) {
        let mut state = lock(&self.state);
        if state.driving || state.link.as_ref().is_none_or(|link| link.token() != token) {
            return;
        }
        self.pump(&mut state);
        self.hand_over_reading(&mut state);
    }

    /// A link to a store that welcomed this session, for the first time or again.
    pub(crate) fn attach_link(&self, arrived: NewLink) {
        let NewLink { mut link, welcome, place, here } = arrived;
        let mut state = lock(&self.state);
        state.attempt = None;
        if state.phase != Phase::Open {
            // It was closed meanwhile.
            let _ = link.leave().and_then(|()| link.flush());
            return;
        }
        state.link = Some(link);
        state.leader = Leader { term: welcome.term, place, here };
        let now = self.micros(Instant::now());
        let effects = state.machine.on_welcome(now, &welcome);
        self.act(&mut state, effects);
        // Messages right after the welcome.
        self.take_in(&mut state);
        self.hand_over_reading(&mut state);
        self.changed.notify_all();
    }

    /// Lets `interrupt` break the attempt to connect that begins; false when there shall be none.
    pub(super) fn begin_attempt(&self, interrupt: Box<dyn Fn() + Send>) -> bool {
        let mut state = lock(&self.state);
        let open = state.phase == Phase::Open;
        state.attempt = open.then_some(interrupt);
        open
    }
}
