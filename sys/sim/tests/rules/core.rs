// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State shared by the processes of a machine, settings, faults, the trace, the control interface and the
//! general functions.

mod control;
mod death;
mod faults;
mod general;
mod join;
mod session;
mod settings;
mod trace;
