// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Input of an unknown peer to the transport over TCP, or of a false server to its client: plain, in TLS, or
//! as sealed records.

#![no_main]

use mf_tcp::fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::handshake(bytes));
