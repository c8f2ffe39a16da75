// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Randomness that can be repeated.

/// Seed of randomness: printed, and taken from `MF_TEST_SEED` to repeat a test.
pub(crate) fn seed() -> u64 {
    let given =
        std::env::var("MF_TEST_SEED").ok().map(|text| text.parse().expect("MF_TEST_SEED is a number"));
    let seed = given.unwrap_or_else(|| u64::from(std::process::id()) + 1);
    eprintln!("MF_TEST_SEED={seed}");
    seed
}

/// Numbers that look random, the same for the same seed (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        // 0 would stay 0.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}
