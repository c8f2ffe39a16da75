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
        suite!(
            #[cfg(test)]
            $name,
            $make
        );
    };
    (#[$attribute:meta] $name:ident, $make:expr) => {
        cases!(
            #[$attribute]
            $name,
            $make,
            lanes {
                quiet_completes_started_operations,
                source_is_reusable_when_put_reports_it,
                fence_orders_puts_signals_and_atomics,
                lane_atomics_return_old_values,
                data_arrives_before_its_signal_of_either_width,
                lane_waits_only_for_its_own_operations,
                lane_errors_are_returned_once_and_to_that_lane,
                many_threads_share_a_lane,
                strided_blocks_are_put_and_got
            }
        );
    };
}

over_every_transport!();
