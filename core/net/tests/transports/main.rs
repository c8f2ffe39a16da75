// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transports: one suite over every implementation, and over the decorators around them.
//!
//! * [`suite`]: the list of the transports, and running one case.
//! * [`bed`]: endpoints with memory of their own; [`memory`]: that memory, as the network reaches it.
//! * [`direct`]: the reference, which carries operations inside this process; simple, and right. [`tcp`]:
//!   that one, in all its settings; [`ucx`]: over libucp's transports for every machine; [`cma`]: within this
//!   process.
//! * [`copies`], [`strides`], [`routes`], [`atomics`], [`signals`], [`remote`], [`messages`], [`counting`],
//!   [`refusals`], [`deadlines`], [`deaths`], [`crowds`]: the cases.
//! * [`around`]: decorators around transports; [`decorated`]: their effects beyond passing on.
//!
//! A case that needs a missing capability prints `skip CASE on TRANSPORT: reason`.
#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    reason = "what goes wrong here fails the test"
)]

#[macro_use]
mod suite;

mod around;
mod atomics;
mod bed;
mod cma;
mod copies;
mod counting;
mod crowds;
mod deadlines;
mod deaths;
mod decorated;
mod direct;
mod memory;
mod messages;
mod refusals;
mod remote;
mod routes;
mod signals;
mod strides;
mod tcp;
mod ucx;

/// Makes the tests of one transport.
macro_rules! suite {
    ($name:ident, $make:expr) => {
        suite!(#[cfg(test)] $name, $make);
    };
    (#[$attribute:meta] $name:ident, $make:expr) => {
        cases!(#[$attribute] $name, $make,
            copies {
                every_size_and_alignment_arrives,
                mixed_size_batches_are_scattered_and_gathered,
                completed_put_is_visible_to_the_peer,
                read_only_source_can_be_put,
                words_are_never_torn,
                simultaneous_puts_in_both_directions_do_not_deadlock,
                gets_and_puts_in_both_directions_at_once,
                a_batch_of_ten_thousand_spans_arrives
            }
            atomics {
                every_atomic_kind_matches_its_definition,
                atomics_leave_adjacent_bytes_unchanged,
                concurrent_adds_are_all_counted,
                compare_swap_lock_is_exclusive,
                pipelined_adds_are_all_counted
            }
            signals {
                data_is_visible_before_its_signal,
                signal_without_data_arrives,
                concurrent_signal_adds_are_all_counted,
                signals_of_32_bits_leave_adjacent_words_unchanged,
                refused_data_suppresses_its_signal
            }
            routes {
                a_route_is_kept_over_many_operations,
                route_of_a_forgotten_peer_is_refused_and_a_new_one_works,
                completion_is_reusable,
                the_source_of_a_short_put_may_be_reused_at_once,
                short_operations_to_one_peer_keep_their_order
            }
            strides {
                strided_puts_write_blocks_and_leave_gaps_unchanged,
                strided_gets_read_every_shape,
                many_strided_operations_in_flight_all_end,
                invalid_shapes_are_refused,
                blocks_outside_the_segment_are_refused
            }
            remote {
                copy_to_a_third_peer_arrives,
                copy_to_the_caller_arrives,
                copies_within_one_peer,
                copies_with_a_wrong_end_are_refused
            }
            messages {
                messages_of_one_peer_keep_their_order,
                messages_of_every_size_arrive,
                messages_of_wrong_size_are_refused,
                messages_of_many_threads_all_arrive
            }
            counting {
                one_completion_counts_a_thousand_operations,
                errors_do_not_lose_counts,
                flush_waits_for_posted_operations,
                flush_of_one_peer_does_not_wait_for_another,
                many_threads_wait_for_one_completion,
                wait_without_operations_returns_at_once
            }
            refusals {
                ranges_outside_the_segments_are_refused_and_nothing_is_written,
                invalid_operations_are_refused,
                unknown_keys_are_refused,
                withdrawn_key_reaches_nothing,
                no_put_writes_after_a_withdrawal,
                old_key_does_not_reach_reregistered_memory,
                unknown_peers_are_refused,
                garbage_address_is_refused
            }
            deadlines {
                nothing_touches_local_memory_after_the_deadline,
                expired_large_get_stops_writing_its_buffer,
                expired_deadline_fails_at_once,
                hanging_peer_does_not_delay_another
            }
            deaths {
                a_thousand_operations_in_flight_end_with_their_peer,
                operations_to_a_closed_peer_end_with_not_connected,
                a_closed_transport_refuses,
                a_forgotten_peer_can_be_introduced_again,
                forgetting_a_peer_ends_operations_in_flight,
                restarted_peer_is_a_different_peer,
                copy_to_a_departed_third_peer_fails
            }
            crowds {
                many_threads_use_one_transport,
                all_peers_exchange_data_concurrently,
                idle_peers_hold_no_connections
            }
        );
    };
}

over_every_transport!();
