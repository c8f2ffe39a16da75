// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All rules, by subject.

mod addresses;
mod collectives;
mod copies;
mod devices;
mod driver;
mod events;
mod kernels;
mod memory;
mod peers;
mod physical;
mod process;
mod sharing;
mod streams;
mod waits;

use crate::rule::Rule;

/// In the order in which to ask them: what later ones stand on comes first.
pub(crate) fn all() -> Vec<&'static Rule> {
    let subjects = [
        process::RULES,
        devices::RULES,
        memory::RULES,
        copies::RULES,
        streams::RULES,
        events::RULES,
        waits::RULES,
        addresses::RULES,
        physical::RULES,
        sharing::RULES,
        peers::RULES,
        driver::RULES,
        kernels::RULES,
        collectives::RULES,
    ];
    subjects.into_iter().flatten().collect()
}
