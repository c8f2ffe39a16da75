// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Decides from measurements whether a second thread takes part in large copies. Pure: no clock, no thread.
//!
//! A second core doubles a copy if memory has bandwidth to spare and ruins it if that core is busy, and no
//! property of the machine shows which. So slices of the real copies are measured in pairs, one solo and one
//! assisted, in alternating order, next to each other in the same copy so that both are equally warm.
//! [`PAIRS`] pairs make a probe and vote; the majority is kept until the next probe, which comes after
//! [`PROBE_EVERY_COPIES`] large copies or [`PROBE_EVERY_BYTES`], or earlier when assisted copies have become
//! slower than solo ones were.

/// Mode of a slice of a large copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// By the caller alone.
    Solo,
    /// By the caller and the helper thread.
    Assisted,
}

impl Mode {
    const fn other(self) -> Self {
        match self {
            Mode::Solo => Mode::Assisted,
            Mode::Assisted => Mode::Solo,
        }
    }
}

/// The next step: so many bytes in that mode, then report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) mode: Mode,
    pub(super) bytes: usize,
    probing: bool,
}

/// Pairs of measured slices that make a probe; odd, so that there is a majority.
const PAIRS: u32 = 3;
/// The smallest slice worth measuring: the wake-up of the helper must be small against it.
const SLICE_MIN: usize = 4 << 20;
/// The largest slice measured: bounds the cost of a wrong mode.
const SLICE_MAX: usize = 32 << 20;
/// Slices are whole multiples of this, so that pieces start aligned alike.
const SLICE_STEP: usize = 1 << 20;
const PROBE_EVERY_COPIES: u32 = 64;
const PROBE_EVERY_BYTES: u64 = 16 << 30;
/// So many assisted copies in a row, each slower than solo was, call for a probe before its time.
const SUSPICIOUS: u32 = 2;
/// But not sooner after the last probe than this many copies.
const SUSPICION_REST: u32 = 8;
/// Assisted must be so much faster than solo to be taken up ...
const ENTER: f64 = 1.10;
/// ... and so much faster to be kept.
const STAY: f64 = 1.02;

/// The state of the decision; one per process.
#[derive(Debug)]
pub(super) struct Tuner {
    chosen: Mode,
    pairs_left: u32,
    votes: u32,
    /// The first half of the present pair and its bytes per nanosecond.
    first: Option<(Slice, f64)>,
    solo_rate: f64,
    copies: u32,
    bytes: u64,
    slow_in_a_row: u32,
}

impl Tuner {
    /// A tuner that probes from the first copy on.
    pub(super) const fn new() -> Self {
        Self {
            chosen: Mode::Solo,
            pairs_left: PAIRS,
            votes: 0,
            first: None,
            solo_rate: 0.0,
            copies: 0,
            bytes: 0,
            slow_in_a_row: 0,
        }
    }

    /// A large copy of `bytes` bytes starts.
    pub(super) fn begin(&mut self, bytes: usize) {
        self.first = None;
        if self.pairs_left > 0 {
            return;
        }
        self.copies += 1;
        self.bytes = self.bytes.saturating_add(bytes as u64);
        let suspicious = self.slow_in_a_row >= SUSPICIOUS && self.copies >= SUSPICION_REST;
        if suspicious || self.copies >= PROBE_EVERY_COPIES || self.bytes >= PROBE_EVERY_BYTES {
            self.pairs_left = PAIRS;
            self.votes = 0;
        }
    }

    /// Returns the slice for the next of the `left` bytes of the copy; `left` is not 0.
    pub(super) fn next(&mut self, left: usize) -> Slice {
        let all = Slice { mode: self.chosen, bytes: left, probing: false };
        if self.pairs_left == 0 {
            return all;
        }
        if let Some((first, _)) = self.first {
            // A pair is only begun where both halves fit.
            return Slice { mode: first.mode.other(), bytes: first.bytes.min(left), probing: true };
        }
        let half =
            (left / (2 * self.pairs_left as usize)).clamp(SLICE_MIN, SLICE_MAX) / SLICE_STEP * SLICE_STEP;
        if left < 2 * half {
            return all;
        }
        let mode = if self.pairs_left % 2 == 1 { Mode::Solo } else { Mode::Assisted };
        Slice { mode, bytes: half, probing: true }
    }

    /// The slice that [`Tuner::next`] named took `nanos` nanoseconds.
    pub(super) fn report(&mut self, slice: Slice, nanos: u64) {
        let rate = slice.bytes as f64 / nanos.max(1) as f64;
        if !slice.probing {
            if slice.mode == Mode::Assisted {
                self.slow_in_a_row = if rate < self.solo_rate { self.slow_in_a_row + 1 } else { 0 };
            }
            return;
        }
        let Some((_, first_rate)) = self.first.take() else {
            self.first = Some((slice, rate));
            return;
        };
        let (solo, assisted) = if slice.mode == Mode::Solo { (rate, first_rate) } else { (first_rate, rate) };
        self.solo_rate = solo;
        let needed = if self.chosen == Mode::Assisted { STAY } else { ENTER };
        self.votes += u32::from(assisted >= solo * needed);
        self.pairs_left -= 1;
        if self.pairs_left == 0 {
            self.chosen = if self.votes * 2 > PAIRS { Mode::Assisted } else { Mode::Solo };
            self.copies = 0;
            self.bytes = 0;
            self.slow_in_a_row = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Runs a copy on a machine with the given rates (bytes per microsecond); returns the bytes done
    /// assisted.
    fn run(tuner: &mut Tuner, bytes: usize, solo: u64, assisted: u64) -> usize {
        let mut left = bytes;
        let mut helped = 0;
        tuner.begin(bytes);
        while left > 0 {
            let slice = tuner.next(left);
            assert!(slice.bytes > 0 && slice.bytes <= left);
            let rate = if slice.mode == Mode::Solo { solo } else { assisted };
            tuner.report(slice, slice.bytes as u64 * 1000 / rate);
            helped += if slice.mode == Mode::Assisted { slice.bytes } else { 0 };
            left -= slice.bytes;
        }
        helped
    }

    const BYTES: usize = 64 << 20;

    #[test]
    fn uses_the_helper_if_it_is_faster() {
        let mut tuner = Tuner::new();
        run(&mut tuner, BYTES, 10_000, 19_000);
        assert_eq!(run(&mut tuner, BYTES, 10_000, 19_000), BYTES);
    }

    #[test]
    fn stays_solo_if_the_gain_is_small() {
        let mut tuner = Tuner::new();
        run(&mut tuner, BYTES, 10_000, 10_800);
        assert_eq!(run(&mut tuner, BYTES, 10_000, 10_800), 0);
    }

    #[test]
    fn one_disturbed_pair_does_not_decide() {
        let mut tuner = Tuner::new();
        // Copies of 16 MiB hold one pair, or two of the smallest slices.
        run(&mut tuner, 8 << 20, 10_000, 2_000);
        run(&mut tuner, 8 << 20, 10_000, 19_000);
        run(&mut tuner, 8 << 20, 10_000, 19_000);
        assert_eq!(run(&mut tuner, BYTES, 10_000, 19_000), BYTES);
    }

    #[test]
    fn busy_core_is_detected_within_a_few_copies() {
        let mut tuner = Tuner::new();
        run(&mut tuner, BYTES, 10_000, 19_000);
        for _ in 0..SUSPICION_REST + 1 {
            run(&mut tuner, BYTES, 10_000, 5_000);
        }
        assert_eq!(run(&mut tuner, BYTES, 10_000, 5_000), 0);
    }

    #[test]
    fn next_probe_finds_a_freed_core() {
        let mut tuner = Tuner::new();
        run(&mut tuner, BYTES, 10_000, 5_000);
        for _ in 0..PROBE_EVERY_COPIES {
            run(&mut tuner, BYTES, 10_000, 19_000);
        }
        assert_eq!(run(&mut tuner, BYTES, 10_000, 19_000), BYTES);
    }

    #[test]
    fn keeping_the_helper_needs_less_gain_than_taking_it() {
        let mut tuner = Tuner::new();
        run(&mut tuner, BYTES, 10_000, 19_000);
        for _ in 0..2 * PROBE_EVERY_COPIES {
            run(&mut tuner, BYTES, 10_000, 10_500);
        }
        assert_eq!(run(&mut tuner, BYTES, 10_000, 10_500), BYTES);
    }

    proptest! {
        #[test]
        fn slices_always_cover_the_copy(sizes in prop::collection::vec(1usize..(3 << 30), 1..200), solo in 1000u64..30_000, assisted in 1000u64..30_000) {
            let mut tuner = Tuner::new();
            for bytes in sizes {
                run(&mut tuner, bytes, solo, assisted);
            }
        }
    }
}
