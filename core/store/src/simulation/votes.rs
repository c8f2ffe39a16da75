// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Votes of members, recorded in the steps of the model of votes, which must accept them.
//!
//! Three members vote twice under one name, while members and stores die. Each event of the real machines
//! that concerns the votes is one step; a step names the member by its rank.

use std::collections::BTreeSet;

use mf_base::Kind as ErrorKind;
use mf_models::check::{Rejected, Step, replay};
use mf_models::votes::{Kind, Outcome, Votes, votes_of};

use super::network::ScheduledEvent;
use super::random::Random;
use super::world::{MS, SECOND, World, WorldPlan};
use crate::protocol::{Answer, Failure, OneWay, RankRequest, Request};
use crate::state::{Action, Event, StorePhase};

const MEMBERS: usize = 3;
const VOTES: usize = 2;
const NAME: &str = "votes";
/// Members that fail in each vote, by bits.
const FAILING: [&[u8]; 4] = [&[0, 0], &[0b010, 0], &[0, 0b101], &[0b100, 0b001]];
/// Longer than all faults and recoveries together.
const DEADLINE_US: u64 = 20 * SECOND;

/// State of a store, as far as votes are concerned.
pub(super) struct Seen {
    phase: StorePhase,
    /// The ranks inside.
    inside: BTreeSet<u8>,
}

/// The event that a store takes next, with the rank of its sender.
pub(super) enum About {
    Ballot(u8),
    Claim(u8),
    Report(u8),
    Other,
}

/// Steps so far.
#[derive(Default)]
pub(super) struct Recorder {
    steps: Vec<Step<Kind>>,
    /// The store that each rank has claimed its place at.
    links: [u64; MEMBERS],
    outcomes: [Vec<Outcome>; MEMBERS],
}

impl Recorder {
    fn add(&mut self, kind: Kind, by: u8, on: u8) {
        self.steps.push(Step { kind, by, on });
    }
}

impl World {
    fn rank_of(&self, life: usize) -> u8 {
        u8::try_from(self.lives[life].rank.expect("all have joined")).expect("few members")
    }

    /// Records a step of a life, or of the store without one.
    pub(super) fn record(&mut self, kind: Kind, life: Option<usize>) {
        let by = life.filter(|_| self.votes.is_some()).map_or(0, |life| self.rank_of(life));
        let generation = self.generation;
        let Some(recorder) = &mut self.votes else { return };
        match kind {
            // Only a link over which the member has claimed its place is one.
            Kind::Cut if std::mem::take(&mut recorder.links[usize::from(by)]) == 0 => return,
            Kind::Claim => recorder.links[usize::from(by)] = generation,
            _ => {}
        }
        recorder.add(kind, by, 0);
    }

    /// Records the outcome of a vote.
    pub(super) fn record_outcome(
        &mut self,
        life: usize,
        request: &Request,
        result: &Result<Answer, Failure>,
    ) {
        let (Request::Gather { .. }, Some(_)) = (request, &self.votes) else { return };
        let by = self.rank_of(life);
        let outcome = match result {
            Ok(Answer::Gathered(round)) => {
                let is_made = |part: &crate::api::Part| part.value == [1];
                let all = round.parts.len() == MEMBERS && round.parts.iter().all(is_made);
                if all { Outcome::Made } else { Outcome::Failed }
            }
            Err(failure) if failure.kind() == ErrorKind::Timeout => Outcome::Late,
            // Its membership has ended.
            Err(failure) if failure.kind() == ErrorKind::NotConnected => return,
            other => panic!("a vote ended by {other:?}"),
        };
        let recorder = self.votes.as_mut().expect("checked above");
        recorder.add(Kind::Receive, by, outcome as u8);
        recorder.outcomes[usize::from(by)].push(outcome);
    }

    /// Returns the state of the store before an event.
    pub(super) fn before_event(&self, event: &Event) -> Option<(Seen, About)> {
        self.votes.as_ref()?;
        let of = |link: &u64| self.rank_of(self.links[link].life);
        let about = match event {
            Event::Request { link, message, .. } if matches!(message.request, Request::Gather { .. }) => {
                About::Ballot(of(link))
            }
            Event::Join { link, .. } => About::Claim(of(link)),
            Event::OneWay { link, message: OneWay::Complete } => About::Report(of(link)),
            _ => About::Other,
        };
        Some((self.seen()?, about))
    }

    fn seen(&self) -> Option<Seen> {
        let status = self.store.as_ref()?.machine.status(self.now);
        let waits = status.members.iter().filter(|member| member.waiting_requests > 0);
        let inside = waits.map(|member| u8::try_from(member.rank.0).unwrap()).collect();
        Some(Seen { phase: status.phase, inside })
    }

    /// Records the steps that the store has taken in an event.
    pub(super) fn record_event(&mut self, before: &Seen, about: &About, actions: &[Action]) {
        let Some(after) = self.seen() else { return };
        let generation = self.generation;
        let Some(recorder) = &mut self.votes else { return };
        match about {
            // A member that comes too late is refused.
            About::Claim(_) | About::Report(_) if before.phase == StorePhase::Serving => {}
            About::Claim(by) => {
                recorder.links[usize::from(*by)] = generation;
                recorder.add(Kind::Claim, *by, 0);
            }
            About::Report(by) => recorder.add(Kind::Report, *by, 0),
            About::Ballot(by) => {
                let is_reply = |action: &&Action| {
                    matches!(action, Action::Reply { result: Ok(Answer::Gathered(_)), .. })
                };
                let is_answered = actions.iter().filter(is_reply).count() > 0;
                let is_missed = is_answered && before.inside == after.inside;
                recorder.add(if is_missed { Kind::Missed } else { Kind::Enter }, *by, 0);
            }
            About::Other => {
                let is_late = |action: &Action| match action {
                    Action::Reply { result: Err(failure), .. } => failure.kind() == ErrorKind::Timeout,
                    _ => false,
                };
                if actions.iter().any(is_late) {
                    recorder.add(Kind::Expire, 0, 0);
                } else {
                    before.inside.difference(&after.inside).for_each(|by| recorder.add(Kind::Leave, *by, 0));
                }
            }
        }
        if before.phase != StorePhase::Serving && after.phase == StorePhase::Serving {
            recorder.add(Kind::TakeOver, 0, 0);
        }
    }
}

/// A recorded job.
struct Recorded {
    steps: Vec<Step<Kind>>,
    failing: &'static [u8],
    outcomes: Vec<Outcome>,
}

impl Recorded {
    fn model(&self) -> Votes {
        votes_of(MEMBERS, self.failing, 2, 3)
    }

    fn replay(&self) -> Result<(), Rejected> {
        replay(&self.model(), &self.steps).map(drop)
    }
}

fn record(seed: u64) -> Recorded {
    let mut random = Random::new(seed.wrapping_add(1 << 32));
    let plan = WorldPlan {
        world_size: 3,
        rank_window_us: 20 * MS,
        resume_grace_us: random.pick(&[20 * MS, 500 * MS]).unwrap(),
        recovery_us: random.pick(&[500 * MS, 2 * SECOND]).unwrap(),
        recovery_quiet_us: 50 * MS,
        young_us: 0,
        delay_us: 20..random.pick(&[200, 2 * MS, 10 * MS]).unwrap(),
        is_hosted: false,
        works: false,
        unread_bytes: 1 << 18,
        is_traced: false,
    };
    let mut world = World::with(seed, plan);
    world.start_store();
    for _ in 0..MEMBERS {
        world.start_life(RankRequest::Any);
    }
    world.run_until(SECOND);
    let failing = random.pick(&FAILING).unwrap();
    world.votes = Some(Recorder { links: [1; MEMBERS], ..Recorder::default() });
    let [vote, crash, kill] = random.pick(&[[20, 0, 0], [20, 1, 0], [10, 0, 2], [10, 1, 2]]).unwrap();
    let (mut begun, mut crashes, mut stores) = ([0; MEMBERS], 0, 1);
    for _ in 0..400 {
        for life in 0..MEMBERS {
            if !world.lives[life].is_intact() {
                continue;
            }
            let rank = usize::from(world.rank_of(life));
            let outcomes =
                world.votes.as_ref().map(|recorder| recorder.outcomes[rank].clone()).unwrap_or_default();
            let may_begin =
                begun[rank] < VOTES && begun[rank] == outcomes.len() && !outcomes.contains(&Outcome::Late);
            if may_begin && random.percent(vote) {
                let value = u8::from(failing[begun[rank]] & 1 << rank == 0);
                begun[rank] += 1;
                world.record(Kind::Begin, Some(life));
                let request = Request::Gather {
                    name: NAME.to_owned(),
                    members: 3,
                    value: Some(vec![value]),
                    timeout_us: 0,
                    after_round: None,
                };
                world.begin(life, request, DEADLINE_US);
            }
            if crashes < 2 && random.percent(crash) {
                crashes += 1;
                world.crash(life);
            }
        }
        if stores < 3 && world.store.is_some() && random.percent(kill) {
            stores += 1;
            world.kill_store();
            world.later(5 * MS..200 * MS, ScheduledEvent::StartStore);
        }
        world.run_until(world.now + random.within(50..2 * MS));
    }
    world.run_until(world.now + 2 * DEADLINE_US);
    let recorder = world.votes.take().unwrap();
    let mut outcomes = Vec::new();
    for life in (0..MEMBERS).filter(|life| world.lives[*life].is_intact()) {
        assert!(world.lives[life].calls.is_empty(), "seed {seed}: a vote of life {life} does not end");
        outcomes.extend(recorder.outcomes[usize::from(world.rank_of(life))].iter().copied());
    }
    Recorded { steps: recorder.steps, failing, outcomes }
}

#[test]
fn model_accepts_recorded_votes() {
    let seeds = super::number("MF_TEST_SEEDS").unwrap_or(super::WORLDS);
    let (mut kinds, mut outcomes) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..seeds {
        let recorded = record(seed);
        if let Err(rejected) = recorded.replay() {
            panic!("seed {seed}: step {}: {}\n{:#?}", rejected.at, rejected.because, recorded.steps);
        }
        kinds.extend(recorded.steps.iter().map(|step| step.kind as u8));
        outcomes.extend(recorded.outcomes.iter().map(|outcome| *outcome as u8));
    }
    if seeds >= super::WORLDS {
        assert_eq!(outcomes.len(), 3, "made, failed, late");
        let all = <Kind as mf_models::check::Kind>::ALL.len();
        assert_eq!(kinds.len(), all, "every kind of step was recorded");
    }
}

#[test]
fn model_rejects_altered_votes() {
    let mut altered = 0;
    for seed in 0..20 {
        let recorded = record(seed);
        for at in 0..recorded.steps.len() {
            let step = recorded.steps[at];
            let is_rejected = |steps: Vec<Step<Kind>>| {
                Recorded { steps, outcomes: Vec::new(), ..recorded }.replay().is_err()
            };
            let with = |step| {
                let mut steps = recorded.steps.clone();
                steps[at] = step;
                steps
            };
            match step.kind {
                // Another outcome.
                Kind::Receive => {
                    assert!(is_rejected(with(Step { on: step.on % 3 + 1, ..step })), "seed {seed}: {at}");
                }
                // A store that has not learned how the vote ended.
                Kind::Missed => {
                    assert!(is_rejected(with(Step { kind: Kind::Enter, ..step })), "seed {seed}: {at}");
                }
                // The same step twice.
                Kind::Enter | Kind::Begin => {
                    let mut steps = recorded.steps.clone();
                    steps.insert(at, step);
                    assert!(is_rejected(steps), "seed {seed}: {at}");
                }
                _ => continue,
            }
            altered += 1;
        }
    }
    assert!(altered > 100, "{altered}");
}
