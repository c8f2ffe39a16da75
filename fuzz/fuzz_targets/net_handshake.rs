// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What an unknown peer sends to the transport over TCP, or a false server to its client: plain, in TLS, or
//! as sealed records.

#![no_main]

use mf_fabric::transport::tcp::fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::handshake(bytes));
