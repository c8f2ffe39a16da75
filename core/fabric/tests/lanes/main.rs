// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lanes of transfers over every transport: the transports, their memory and the list of them are those of
//! the suite of `core/net`.
#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![expect(dead_code, reason = "the suite of the transports uses the rest of the shared modules")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    reason = "what goes wrong here fails the test"
)]

#[macro_use]
#[path = "../../../net/tests/transports/suite.rs"]
mod suite;

#[path = "../../../net/tests/transports/around.rs"]
mod around;
#[path = "../../../net/tests/transports/bed.rs"]
mod bed;
#[path = "../../../net/tests/transports/cma.rs"]
mod cma;
#[path = "../../../net/tests/transports/direct.rs"]
mod direct;
mod lanes;
#[path = "../../../net/tests/transports/memory.rs"]
mod memory;
#[path = "../../../net/tests/transports/tcp.rs"]
mod tcp;
#[path = "../../../net/tests/transports/ucx.rs"]
mod ucx;

/// Makes the tests of one transport.
macro_rules! suite {
    ($name:ident, $make:expr) => {
        cases!(
            $name,
            $make,
            lanes {
                what_was_started_on_a_lane_is_there_when_it_is_quiet,
                a_source_may_be_reused_when_a_put_says_so,
                a_fence_orders_puts_signals_and_atomics,
                atomics_of_a_lane_bring_their_old_values,
                data_comes_before_its_signal_of_either_width,
                a_lane_waits_for_its_own_operations_only,
                errors_of_a_lane_are_given_out_once_and_to_it_alone,
                many_threads_share_a_lane,
                blocks_at_equal_distances_are_put_and_got
            }
        );
    };
}

over_every_transport!();
