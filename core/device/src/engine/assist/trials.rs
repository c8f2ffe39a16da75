// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Decides from measurements whether a second thread takes part in copies of one size that cannot be measured
//! slice by slice. Pure: no clock, no thread.
//!
//! [`PAIRS`] pairs of solo and assisted copies, in alternating order, make a probe and vote. Each half of a
//! pair is two copies, of which the second counts: it then meets its own mode's state of the processors'
//! caches. While the helper is used its copies are watched: if [`WINDOW`] of them together were slower than
//! solo ones, as beside a busy core, it is given up. The next probe comes after some copies, with exponential
//! back-off as long as probes see no gain.

use crate::engine::tuner::Mode;

/// Odd, so that there is a majority.
const PAIRS: u32 = 3;
/// Copies of a pair.
const PAIR: u32 = 4;
/// Assisted must be so much faster than solo to be taken up ...
const ENTER: f64 = 1.10;
/// ... and so much faster to be kept.
const STAY: f64 = 1.02;
/// Assisted copies that are judged together.
const WINDOW: u32 = 16;
/// Copies until the next probe, while the helper is used.
const PROBE_EVERY: u32 = 512;
/// The same while it is not: at first, and at most.
const AGAIN: (u32, u32) = (64, 4096);

/// The mode of the next copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) mode: Mode,
    /// Number of the copy in a probe; `None` outside of a probe.
    step: Option<u32>,
}

/// The state of the decision for one size.
#[derive(Debug)]
pub(super) struct Trials {
    chosen: Mode,
    /// The next copy of the probe; `None` if no probe is running.
    step: Option<u32>,
    votes: u32,
    /// Bytes per nanosecond: of the pair, solo and assisted, and of the fastest, undisturbed solo copy of the
    /// last probe.
    pair: [f64; 2],
    solo_rate: f64,
    /// Copies until the next probe, and that number after a probe without a gain.
    left: u32,
    again: u32,
    /// Assisted copies since the window began, their bytes and their nanoseconds.
    window: (u32, f64, f64),
}

impl Trials {
    /// Probes from the first copy on.
    pub(super) const fn new() -> Self {
        Self {
            chosen: Mode::Solo,
            step: Some(0),
            votes: 0,
            pair: [0.0; 2],
            solo_rate: 0.0,
            left: 0,
            again: AGAIN.0,
            window: (0, 0.0, 0.0),
        }
    }

    /// Returns the mode of the next copy.
    pub(super) const fn next(&self) -> Turn {
        let Some(step) = self.step else { return Turn { mode: self.chosen, step: None } };
        let (pair, half) = (step / PAIR, step % PAIR / 2);
        let mode = if (pair + half) % 2 == 0 { Mode::Solo } else { Mode::Assisted };
        Turn { mode, step: Some(step) }
    }

    /// Reports the duration of the copy that [`next`](Self::next) decided. If two threads had the same turn
    /// of a probe, the second report is ignored.
    pub(super) fn report(&mut self, turn: Turn, bytes: usize, nanos: u64) {
        if turn.step != self.step {
            return;
        }
        let rate = bytes as f64 / nanos.max(1) as f64;
        match turn.step {
            Some(step) => self.probed(step, turn.mode, rate),
            None => self.record(turn.mode, bytes, nanos),
        }
    }

    fn probed(&mut self, step: u32, mode: Mode, rate: f64) {
        if step == 0 {
            self.solo_rate = 0.0;
        }
        if step % 2 == 1 {
            self.pair[mode as usize] = rate;
            if mode == Mode::Solo {
                self.solo_rate = self.solo_rate.max(rate);
            }
        }
        let [solo, assisted] = self.pair;
        if step % PAIR == PAIR - 1 {
            let needed = if self.chosen == Mode::Assisted { STAY } else { ENTER };
            self.votes += u32::from(assisted >= solo * needed);
        }
        if step + 1 < PAIRS * PAIR {
            self.step = Some(step + 1);
            return;
        }
        if self.votes * 2 > PAIRS {
            (self.chosen, self.left, self.again) = (Mode::Assisted, PROBE_EVERY, AGAIN.0);
        } else {
            self.stay_solo();
        }
        (self.step, self.votes, self.window) = (None, 0, (0, 0.0, 0.0));
    }

    fn record(&mut self, mode: Mode, bytes: usize, nanos: u64) {
        if mode == Mode::Assisted {
            let (copies, sum, time) = self.window;
            self.window = (copies + 1, sum + bytes as f64, time + nanos as f64);
            if copies + 1 == WINDOW {
                let rate = self.window.1 / self.window.2.max(1.0);
                self.window = (0, 0.0, 0.0);
                if rate < self.solo_rate {
                    self.stay_solo();
                    return;
                }
            }
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.step = Some(0);
        }
    }

    fn stay_solo(&mut self) {
        (self.chosen, self.left) = (Mode::Solo, self.again);
        self.again = (self.again * 2).min(AGAIN.1);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BYTES: usize = 1 << 20;
    const PROBE: u32 = PAIRS * PAIR;

    /// Runs copies on a machine with given rates (bytes per microsecond). Returns the number of assisted
    /// ones.
    fn run(trials: &mut Trials, copies: u32, solo: u64, assisted: u64) -> u32 {
        let one = |_| {
            let turn = trials.next();
            let rate = if turn.mode == Mode::Solo { solo } else { assisted };
            trials.report(turn, BYTES, BYTES as u64 * 1000 / rate);
            u32::from(turn.mode == Mode::Assisted)
        };
        (0..copies).map(one).sum()
    }

    #[test]
    fn probe_assists_half_and_chooses_the_faster_mode() {
        let mut trials = Trials::new();
        assert_eq!(run(&mut trials, PROBE, 10_000, 19_000), PROBE / 2);
        assert_eq!(run(&mut trials, PROBE_EVERY, 10_000, 19_000), PROBE_EVERY);
        let mut trials = Trials::new();
        assert_eq!(run(&mut trials, PROBE, 10_000, 10_800), PROBE / 2);
        assert_eq!(run(&mut trials, AGAIN.0, 10_000, 10_800), 0);
    }

    #[test]
    fn first_copy_after_a_mode_change_does_not_count() {
        let mut trials = Trials::new();
        let mut last = Mode::Solo;
        for _ in 0..PROBE {
            let turn = trials.next();
            let is_warm = std::mem::replace(&mut last, turn.mode) == turn.mode;
            let nanos = match (turn.mode, is_warm) {
                (_, false) => 200_000,
                (Mode::Solo, true) => 70_000,
                (Mode::Assisted, true) => 50_000,
            };
            trials.report(turn, BYTES, nanos);
        }
        assert_eq!(trials.next().mode, Mode::Assisted);
    }

    #[test]
    fn busy_core_is_detected_within_one_window() {
        let mut trials = Trials::new();
        run(&mut trials, PROBE, 10_000, 19_000);
        assert_eq!(run(&mut trials, WINDOW + AGAIN.0, 10_000, 5_000), WINDOW);
    }

    #[test]
    fn few_very_slow_copies_are_noticed() {
        let mut trials = Trials::new();
        run(&mut trials, PROBE, 10_000, 19_000);
        let mut assisted = 0;
        for copy in 0..WINDOW {
            let turn = trials.next();
            assisted += u32::from(turn.mode == Mode::Assisted);
            trials.report(turn, BYTES, if copy == 3 { 6_000_000 } else { 55_000 });
        }
        assert_eq!((assisted, trials.next().mode), (WINDOW, Mode::Solo));
    }

    #[test]
    fn disturbed_solo_copies_do_not_keep_the_helper() {
        let mut trials = Trials::new();
        for step in 0..PROBE {
            let turn = trials.next();
            // Two of three pairs vote for the helper, because of other load during the solo copies.
            let is_disturbed = turn.mode == Mode::Solo && step >= PAIR;
            trials.report(turn, BYTES, if is_disturbed { 4_000_000 } else { 70_000 });
        }
        assert_eq!(trials.next().mode, Mode::Assisted);
        for copy in 0..WINDOW {
            trials.report(trials.next(), BYTES, if copy % 2 == 0 { 4_000_000 } else { 70_000 });
        }
        assert_eq!(trials.next().mode, Mode::Solo);
    }

    #[test]
    fn unsuccessful_probes_become_rare() {
        let mut trials = Trials::new();
        let assisted = run(&mut trials, 100_000, 10_000, 5_000);
        assert!(assisted < 100_000 / 300, "{assisted}");
        assert!(run(&mut trials, 2 * (AGAIN.1 + PROBE), 10_000, 19_000) > AGAIN.1 / 2);
        while trials.chosen == Mode::Assisted {
            run(&mut trials, 1, 10_000, 5_000);
        }
        assert_eq!((trials.left, trials.again), (AGAIN.0, 2 * AGAIN.0));
    }

    #[test]
    fn keeping_the_helper_needs_less_gain_than_taking_it() {
        let mut trials = Trials::new();
        run(&mut trials, PROBE, 10_000, 19_000);
        run(&mut trials, PROBE_EVERY + PROBE, 10_000, 10_500);
        assert_eq!(trials.next().mode, Mode::Assisted);
    }

    #[test]
    fn second_report_of_a_turn_changes_nothing() {
        let mut trials = Trials::new();
        let turn = trials.next();
        trials.report(turn, BYTES, 1);
        trials.report(turn, BYTES, u64::MAX);
        assert_eq!(trials.step, Some(1));
    }

    proptest! {
        #[test]
        fn most_copies_use_a_clearly_faster_mode(solo in 1_000..50_000_u64, assisted in 1_000..50_000_u64) {
            let mut trials = Trials::new();
            run(&mut trials, PROBE, solo, assisted);
            let chosen = run(&mut trials, AGAIN.0, solo, assisted);
            if assisted > solo * 6 / 5 {
                prop_assert_eq!(chosen, AGAIN.0);
            } else if assisted < solo {
                prop_assert_eq!(chosen, 0);
            }
        }
    }
}
