// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Share memory: objects, their collective calls, and extensions.

pub(crate) mod collective;
pub(crate) mod extensions;
pub(crate) mod init;
pub(crate) mod objects;
