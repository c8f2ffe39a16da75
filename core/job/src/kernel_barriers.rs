// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barriers of the kernel on all threads of this process (membarrier).

use mf_base::sync::{fences, rcu};

/// Registers with the kernel for barriers on all threads. It is to be called before there are other threads:
/// then it costs nothing, later a grace period of the kernel, of some 10 ms.
pub(crate) fn register_barriers() {
    rcu::prepare();
    // Without kernel support, groups find out again.
    let _ = fences::register();
}
