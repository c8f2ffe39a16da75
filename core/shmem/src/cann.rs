// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN's family: addresses, attributes, variables and error codes. The C interface adds the functions.

pub mod address;
pub mod attributes;
pub mod codes;
pub mod environment;
