// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the processes of a machine share, settings, faults, the trace, the control interface and the general
//! functions.

mod control;
mod death;
mod faults;
mod general;
mod join;
mod session;
mod settings;
mod trace;
