// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A member's frames after the handshake: the transport over TCP, served from memory with fences.

#![no_main]

use mf_tcp::fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::frames(bytes));
