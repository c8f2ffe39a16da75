// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a member says to another one after the handshake: frames of the transport over TCP, served from
//! memory with fences.

#![no_main]

use mf_fabric::transport::tcp::fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::frames(bytes));
