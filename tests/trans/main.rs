// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between processes: by the kernel, mapped and over the network; withdrawal, death, stopped
//! processes; handles of transfers, and notifications behind their data.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "what goes wrong fails the test")]

#[cfg(test)]
mod faults;
#[cfg(test)]
mod handles;
#[cfg(test)]
mod member;
#[cfg(test)]
mod notifications;
#[cfg(test)]
#[expect(unsafe_code, reason = "memory of an accelerator")]
mod quantised;
#[cfg(test)]
mod transfers;
#[cfg(test)]
mod withdrawals;
