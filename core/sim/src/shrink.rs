// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shrinking: removes choices from a failing schedule while it still fails (delta debugging), then makes the
//! rest smaller.

use crate::choice::{Choice, Kind, Schedule};

/// Shortens `schedule`, which fails, with at most `budget` runs.
///
/// `fails` runs a candidate. It returns the choices that the run made if it failed in the same manner, else
/// `None`. The result is a local minimum, unless the budget ended before: none of its choices can be
/// removed alone, or halved.
pub fn shrink(schedule: Schedule, budget: u32, fails: impl FnMut(&Schedule) -> Option<Schedule>) -> Schedule {
    let mut search = Search { best: schedule, budget, fails };
    loop {
        let before = search.best.clone();
        search.remove_kinds();
        search.remove_chunks();
        search.lower();
        if search.best == before || search.budget == 0 {
            return search.best;
        }
    }
}

struct Search<F> {
    best: Schedule,
    budget: u32,
    fails: F,
}

impl<F: FnMut(&Schedule) -> Option<Schedule>> Search<F> {
    fn accepts(&mut self, choices: Vec<Choice>) -> bool {
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        let Some(made) = (self.fails)(&Schedule { choices }) else { return false };
        // Choices that the run did not come to are gone as well.
        let weight = |schedule: &Schedule| {
            (schedule.len(), schedule.choices.iter().map(|choice| u64::from(choice.value)).sum::<u64>())
        };
        let is_smaller = weight(&made) < weight(&self.best);
        if is_smaller {
            self.best = made;
        }
        is_smaller
    }

    /// Removes all faults of a kind, then all times of a kind.
    fn remove_kinds(&mut self) {
        let mut kinds: Vec<Kind> = self.best.choices.iter().map(|choice| choice.site.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let rest: Vec<_> =
                self.best.choices.iter().filter(|choice| choice.site.kind != kind).copied().collect();
            if rest.len() < self.best.len() {
                self.accepts(rest);
            }
        }
    }

    /// Removes half of the choices, a quarter, and so on down to single ones, the last first.
    fn remove_chunks(&mut self) {
        let mut size = self.best.len().div_ceil(2);
        while size > 0 && self.budget > 0 {
            let mut end = self.best.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let choices = &self.best.choices;
                let rest: Vec<_> =
                    choices.iter().take(start).chain(choices.iter().skip(end)).copied().collect();
                self.accepts(rest);
                end = start.min(self.best.len());
            }
            size /= 2;
        }
    }

    /// Halves the distance of each number to 0 as long as that fails too.
    fn lower(&mut self) {
        let mut index = 0;
        while let Some(choice) = self.best.choices.get(index).copied() {
            let (mut low, mut high) = (0, choice.value);
            // `high` fails; `low` does not, or is 0, which was tried before.
            while high - low > 1 && self.budget > 0 {
                let middle = low + (high - low) / 2;
                let mut choices = self.best.choices.clone();
                if let Some(place) = choices.get_mut(index) {
                    place.value = middle;
                }
                if self.accepts(choices) {
                    high = middle;
                    if self.best.choices.get(index).is_none_or(|now| now.site != choice.site) {
                        break;
                    }
                } else {
                    low = middle;
                }
            }
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails with choices 5 and 17 of the stalls, the second at 4 or more.
    fn fails(schedule: &Schedule) -> Option<Schedule> {
        let value = |index| schedule.choices.iter().find(|c| c.index == index && c.site.kind == Kind::Stall);
        (value(5).is_some() && value(17).is_some_and(|choice| choice.value >= 4)).then(|| schedule.clone())
    }

    #[test]
    fn shrinking_keeps_only_the_choices_that_the_failure_needs() {
        let text: String = (0..100).map(|n| format!("stall:1:{n}=40 latency:0>1:{n}=9 ")).collect();
        let schedule: Schedule = text.parse().unwrap();
        let mut runs = 0;
        let shortest = shrink(schedule, 1000, |candidate| {
            runs += 1;
            fails(candidate)
        });
        assert_eq!(shortest.to_string(), "stall:1:5=1 stall:1:17=4");
        assert!(runs < 200, "{runs}");
    }

    #[test]
    fn shrinking_stops_at_its_budget() {
        let schedule: Schedule = "stall:1:5=40 stall:1:6=40 stall:1:17=40".parse().unwrap();
        let mut runs = 0;
        shrink(schedule.clone(), 2, |candidate| {
            runs += 1;
            fails(candidate)
        });
        assert_eq!(runs, 2);
        assert_eq!(shrink(schedule.clone(), 0, fails), schedule);
    }
}
