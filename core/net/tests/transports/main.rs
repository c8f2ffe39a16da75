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
        cases!($name, $make,
            copies {
                every_size_and_alignment_arrives,
                batches_of_mixed_sizes_are_scattered_and_gathered,
                a_put_that_has_ended_is_visible_there,
                a_source_that_cannot_be_written_is_put,
                words_are_never_torn,
                two_ends_that_put_to_each_other_at_once_do_not_block,
                gets_and_puts_in_both_directions_at_once,
                a_batch_of_ten_thousand_spans_arrives
            }
            atomics {
                every_kind_does_what_it_says,
                neighbours_of_a_word_stay,
                adds_of_many_are_all_counted,
                a_lock_by_compare_swap_excludes,
                pipelined_adds_are_all_counted
            }
            signals {
                data_is_visible_before_its_signal,
                a_signal_without_data_is_a_signal,
                added_signals_of_many_are_all_counted,
                signals_of_32_bits_leave_their_neighbour,
                a_signal_whose_data_is_refused_does_not_come
            }
            routes {
                a_route_is_kept_over_many_operations,
                a_route_of_a_forgotten_peer_refuses_and_a_new_one_works,
                one_completion_serves_again_and_again,
                the_source_of_a_short_put_may_be_reused_at_once,
                short_operations_to_one_peer_keep_their_order
            }
            strides {
                blocks_of_every_shape_arrive_and_nothing_between_them_is_touched,
                blocks_come_back_from_every_shape,
                many_strided_operations_in_flight_all_end,
                shapes_that_make_no_sense_are_refused,
                blocks_outside_the_segment_are_refused
            }
            remote {
                a_third_party_gets_a_copy,
                the_caller_gets_a_copy,
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
                flush_waits_for_what_was_posted,
                flush_of_one_peer_does_not_wait_for_another,
                many_threads_wait_for_one_completion,
                nothing_to_wait_for_is_no_wait
            }
            refusals {
                ranges_outside_the_segments_are_refused_and_nothing_is_written,
                operations_that_make_no_sense_are_refused,
                unknown_keys_are_refused,
                a_key_that_was_withdrawn_reaches_nothing,
                nothing_is_written_behind_a_withdrawal_in_the_middle_of_puts,
                memory_under_a_new_key_is_not_reached_by_the_old_one,
                peers_that_were_not_introduced_are_refused,
                garbage_for_an_address_is_refused
            }
            deadlines {
                nothing_touches_local_memory_after_the_deadline,
                a_deadline_in_the_middle_of_a_large_get_leaves_the_buffer_alone,
                a_deadline_that_has_passed_ends_at_once,
                a_peer_that_hangs_does_not_hold_up_another
            }
            deaths {
                a_thousand_operations_in_flight_end_with_their_peer,
                operations_to_a_closed_peer_end_with_not_connected,
                a_closed_transport_refuses,
                a_forgotten_peer_can_be_introduced_again,
                forgetting_ends_what_is_in_flight,
                a_peer_that_comes_back_is_another_peer,
                a_third_party_that_is_gone_is_an_error_of_the_copy
            }
            crowds {
                many_threads_use_one_transport,
                all_talk_to_all,
                idle_peers_hold_no_connections
            }
        );
    };
}

over_every_transport!();
