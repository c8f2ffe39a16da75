// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program `mf`.
fn main() {}
