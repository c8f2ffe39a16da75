// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The pause before a task, which makes streams overtake each other in tests.

use std::time::Duration;

use super::Running;
use crate::clock::{Deadline, SLICE};
use crate::config::Schedule;

/// Pauses as the schedule says before task `number` of stream `stream`. Ends early when the task is
/// cancelled.
pub(super) fn pause(schedule: Schedule, stream: u32, number: u64, running: &Running) {
    let time = match schedule {
        Schedule::Fifo => return,
        Schedule::Slow(time) => time,
        Schedule::Random(seed) => {
            let draw = mix(seed ^ (u64::from(stream) << 40) ^ number);
            match draw % 8 {
                // Half of the tasks start at once: neighbours on one stream then run back to back.
                0..4 => return,
                4 | 5 => {
                    std::thread::yield_now();
                    return;
                }
                _ => Duration::from_micros((draw >> 32) % 400),
            }
        }
    };
    let end = Deadline::after(Some(time));
    while !end.is_over() && !running.is_cancelled() {
        std::thread::sleep(end.slice().min(SLICE));
    }
}

/// Spreads a number evenly over all (the finaliser of SplitMix64).
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
