// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Nondeterminism of a run: every choice is one draw of a number below a bound.
//!
//! A draw has a *site* (the kind of choice, and the ranks it concerns) and an index at that site. Zero is
//! always the calm choice: the shortest time, no fault. A seed gives each draw a number by a hash of seed,
//! site and index; a [`Schedule`] lists the draws that are not zero. Because a draw is found by site and
//! index, and not by its place in one long sequence, an entry can be removed from a schedule without
//! moving the others: that is what shrinking needs.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// The number of the store where ranks are numbered.
pub(crate) const STORE: u32 = u32::MAX;
/// Steps between the shortest and the longest time.
pub(crate) const LEVELS: u32 = 64;

/// Kind of a choice, in the order in which shrinking removes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Rank of the n-th death, plus 1.
    Death,
    /// Operation before which it dies.
    DeathStep,
    /// Time from that operation to the death.
    DeathDelay,
    /// Its peers see a closed connection, or silence.
    DeathSilent,
    /// Loss of a message that the dead rank has sent.
    Remains,
    /// Rank of the n-th cut, plus 1.
    Cut,
    CutStart,
    CutLength,
    Skew,
    Loss,
    Delay,
    Stall,
    Evict,
    Split,
    Latency,
    Step,
    Start,
    /// Numbers that the program asks for.
    Program,
}

const KINDS: [(Kind, &str, &str); 18] = [
    (Kind::Death, "death", "victim of death"),
    (Kind::DeathStep, "death-step", "operation of death"),
    (Kind::DeathDelay, "death-delay", "time to death"),
    (Kind::DeathSilent, "death-silent", "silence of death"),
    (Kind::Remains, "remains", "loss of a message in flight at the death of rank"),
    (Kind::Cut, "cut", "rank of cut"),
    (Kind::CutStart, "cut-start", "start of cut"),
    (Kind::CutLength, "cut-length", "length of cut"),
    (Kind::Skew, "skew", "clock of rank"),
    (Kind::Loss, "loss", "lost copies of a message"),
    (Kind::Delay, "delay", "delay of a message"),
    (Kind::Stall, "stall", "pause before an operation of rank"),
    (Kind::Evict, "evict", "eviction after a lease of rank"),
    (Kind::Split, "split", "split of a copy"),
    (Kind::Latency, "latency", "latency of a message"),
    (Kind::Step, "step", "duration of an operation of rank"),
    (Kind::Start, "start", "start of rank"),
    (Kind::Program, "program", "number drawn by rank"),
];

/// Place of a choice: a kind, and the rank, the pair of ranks or the fault that it concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site {
    pub(crate) kind: Kind,
    pub(crate) a: u32,
    pub(crate) b: Option<u32>,
}

impl Site {
    pub(crate) const fn one(kind: Kind, a: u32) -> Self {
        Self { kind, a, b: None }
    }

    pub(crate) const fn link(kind: Kind, from: u32, to: u32) -> Self {
        Self { kind, a: from, b: Some(to) }
    }
}

/// One draw that was not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) site: Site,
    pub(crate) index: u32,
    pub(crate) value: u32,
}

/// Distribution of a draw under a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spread {
    /// Every number with the same chance.
    Even,
    /// Every number, but some seeds use only a few levels: extremes make more reorderings than averages.
    Levels,
    /// Not zero with this chance in a million, scaled by 0, 1/4, 1 or 4 for the whole run.
    Rare(u32),
    /// Small numbers are as likely as large ones in each power of two; never zero.
    Magnitude,
}

/// List of the choices of a run that differ from the calm ones. `Display` and `FromStr` are its text:
/// `latency:0>1:4=12 stall:2:3=8`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    pub(crate) choices: Vec<Choice>,
}

impl Schedule {
    /// Returns the number of choices.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Returns true if every choice is the calm one.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Returns the choices in words, one text each.
    pub fn described(&self) -> Vec<String> {
        self.choices.iter().map(describe).collect()
    }
}

/// The words for one choice, for people.
fn describe(choice: &Choice) -> String {
    let Choice { site, index, value } = choice;
    let named = KINDS.iter().find(|(kind, ..)| *kind == site.kind).map_or("choice", |(_, _, words)| words);
    let place = match site.b {
        Some(to) => format!("from {} to {}", end(site.a), end(to)),
        None => site.a.to_string(),
    };
    format!("{named} {place} (number {index}): {value}")
}

/// Name of an end of a link.
pub(crate) fn end(rank: u32) -> String {
    if rank == STORE { "the store".into() } else { format!("rank {rank}") }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, choice) in self.choices.iter().enumerate() {
            let Choice { site, index, value } = choice;
            let name =
                KINDS.iter().find(|(kind, ..)| *kind == site.kind).map_or("choice", |(_, name, _)| name);
            let space = if number == 0 { "" } else { " " };
            let short = |rank: u32| if rank == STORE { "s".to_owned() } else { rank.to_string() };
            match site.b {
                Some(to) => write!(f, "{space}{name}:{}>{}:{index}={value}", short(site.a), short(to))?,
                None => write!(f, "{space}{name}:{}:{index}={value}", short(site.a))?,
            }
        }
        Ok(())
    }
}

/// Text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSchedule(pub(crate) String);

impl fmt::Display for InvalidSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid choice {:?} in a schedule: write NAME:RANK:NUMBER=VALUE or NAME:FROM>TO:NUMBER=VALUE",
            self.0
        )
    }
}

impl std::error::Error for InvalidSchedule {}

impl FromStr for Schedule {
    type Err = InvalidSchedule;

    fn from_str(text: &str) -> Result<Self, InvalidSchedule> {
        let one = |part: &str| parse(part).ok_or_else(|| InvalidSchedule(part.to_owned()));
        Ok(Self { choices: text.split_whitespace().map(one).collect::<Result<_, _>>()? })
    }
}

fn parse(part: &str) -> Option<Choice> {
    let (place, value) = part.split_once('=')?;
    let mut fields = place.split(':');
    let (name, ends, index) = (fields.next()?, fields.next()?, fields.next()?);
    let kind = KINDS.iter().find(|(_, known, _)| *known == name)?.0;
    let number = |text: &str| if text == "s" { Some(STORE) } else { text.parse().ok() };
    let site = match ends.split_once('>') {
        Some((from, to)) => Site::link(kind, number(from)?, number(to)?),
        None => Site::one(kind, number(ends)?),
    };
    let choice = Choice { site, index: index.parse().ok()?, value: value.parse().ok()? };
    fields.next().is_none().then_some(choice)
}

/// Origin of the choices of a run.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Seed(u64),
    Schedule(BTreeMap<(Site, u32), u32>),
}

impl Source {
    pub(crate) fn schedule(schedule: &Schedule) -> Self {
        let entry = |choice: &Choice| ((choice.site, choice.index), choice.value);
        Self::Schedule(schedule.choices.iter().map(entry).collect())
    }
}

/// The choices of one run: draws them, and records all but zeros.
#[derive(Debug)]
pub(crate) struct Choices {
    source: Source,
    counts: BTreeMap<Site, u32>,
    made: Vec<Choice>,
}

impl Choices {
    pub(crate) fn new(source: Source) -> Self {
        Self { source, counts: BTreeMap::new(), made: Vec::new() }
    }

    /// Draws a number below `bound` at `site`. Zero if `bound` is 0 or 1.
    pub(crate) fn draw(&mut self, site: Site, bound: u32, spread: Spread) -> u32 {
        let count = self.counts.entry(site).or_default();
        let index = *count;
        *count += 1;
        if bound < 2 {
            return 0;
        }
        let value = match &self.source {
            Source::Seed(seed) => drawn(*seed, site, index, bound, spread),
            Source::Schedule(entries) => {
                entries.get(&(site, index)).map_or(0, |value| (*value).min(bound - 1))
            }
        };
        if value != 0 {
            self.made.push(Choice { site, index, value });
        }
        value
    }

    /// Returns the choices so far, in the order in which they were made.
    pub(crate) fn made(&self) -> &[Choice] {
        &self.made
    }
}

fn drawn(seed: u64, site: Site, index: u32, bound: u32, spread: Spread) -> u32 {
    let hash = |salt: u32| {
        let kind = u64::from(site.kind as u32) << 32 | u64::from(salt);
        let ends = u64::from(site.a) << 32 | u64::from(site.b.unwrap_or(STORE - 1));
        mix(mix(mix(mix(seed) ^ kind) ^ ends) ^ u64::from(index))
    };
    match spread {
        Spread::Even => below(hash(0), bound),
        Spread::Levels => {
            // Of the run and kind, not of the draw.
            let levels = [2, 4, bound, bound]
                [below(mix(seed ^ mix(u64::from(site.kind as u32))), 4) as usize]
                .min(bound);
            below(hash(0), levels) * (bound - 1) / (levels - 1)
        }
        Spread::Rare(millionths) => {
            let scale =
                [0, 1, 4, 16][below(mix(seed ^ mix(u64::from(site.kind as u32) | 1 << 40)), 4) as usize];
            if u64::from(below(hash(0), 1_000_000)) * 4 < u64::from(millionths) * scale {
                1 + below(hash(1), bound - 1)
            } else {
                0
            }
        }
        Spread::Magnitude => {
            let bits = below(hash(0), bound.ilog2() + 1);
            let from = 1u32 << bits;
            (from + below(hash(1), from)).min(bound - 1)
        }
    }
}

/// Splitmix64: a bijection that scatters close numbers.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[expect(clippy::cast_possible_truncation, reason = "below the bound, which has 32 bits")]
fn below(hash: u64, bound: u32) -> u32 {
    ((u128::from(hash) * u128::from(bound)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedule_is_read_from_its_text() {
        let text = "latency:0>1:4=12 stall:2:3=8 latency:1>s:0=63 death:0:0=3";
        let schedule: Schedule = text.parse().unwrap();
        assert_eq!(schedule.len(), 4);
        assert_eq!(schedule.to_string(), text);
        for wrong in ["latency", "latency:0:1", "speed:0:1=2", "stall:x:1=2", "stall:0:1:2=3", "stall:0:1=-1"]
        {
            assert_eq!(wrong.parse::<Schedule>().unwrap_err(), InvalidSchedule(wrong.into()));
        }
    }

    #[test]
    fn recorded_schedule_gives_the_draws_of_the_seed() {
        let sites = [Site::link(Kind::Latency, 0, 1), Site::one(Kind::Stall, 3), Site::one(Kind::Death, 0)];
        let spreads = [Spread::Levels, Spread::Rare(200_000), Spread::Even];
        let run = |source: Source| {
            let mut choices = Choices::new(source);
            let drawn: Vec<u32> = (0..300).map(|n| choices.draw(sites[n % 3], 64, spreads[n % 3])).collect();
            (drawn, Schedule { choices: choices.made().to_vec() })
        };
        for seed in 0..20 {
            let (drawn, schedule) = run(Source::Seed(seed));
            assert_eq!(run(Source::schedule(&schedule)), (drawn, schedule));
        }
    }

    #[test]
    fn draws_stay_below_their_bound() {
        for bound in [0, 1, 2, 3, 64, 1000] {
            for spread in [Spread::Even, Spread::Levels, Spread::Rare(900_000), Spread::Magnitude] {
                for seed in 0..50 {
                    let value =
                        Choices::new(Source::Seed(seed)).draw(Site::one(Kind::Step, 1), bound, spread);
                    assert!(value < bound.max(1), "{value} of {bound}");
                }
            }
        }
    }
}
