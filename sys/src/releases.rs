// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Releases of CANN as data: versions, and the newest functions of each.

use crate::loader::Since;

/// A release of CANN.
#[derive(Debug, PartialEq, Eq)]
pub struct Release {
    /// Short name: major and minor version.
    pub name: &'static str,
    /// Version of the interface of ACL.
    pub api: [i32; 3],
    /// Version of its packages.
    pub version: &'static str,
    /// Version of the driver that came with it.
    pub driver: &'static str,
    /// The release has all functions up to these.
    pub newest: Since,
}

impl Release {
    /// All known releases, beginning with the most common requirement.
    ///
    /// Function lists of 8.3 are not public: it has the list of 8.5. `next` is the public runtime of August
    /// 2026, with functions that no release of that time had.
    pub const ALL: &'static [Release; 7] = &[
        release("9.1", [1, 17, 0], "9.1.0", "26.0.0", Since::Cann91),
        release("8.1", [1, 13, 0], "8.1.RC1", "25.0.0", Since::Cann81),
        release("8.3", [1, 14, 0], "8.3.RC1", "25.3.0", Since::Cann85),
        release("8.5", [1, 16, 0], "8.5.0", "25.5.1", Since::Cann85),
        release("9.0", [1, 17, 0], "9.0.0", "25.5.1", Since::Cann90),
        release("9.2", [1, 17, 0], "9.2.0-beta.1", "26.0.0", Since::Cann92),
        release("next", [1, 17, 0], "9.2.0-beta.2", "26.0.0", Since::Unreleased),
    ];

    /// Names of all releases, in their order.
    pub const NAMES: [&'static str; 7] = {
        let mut names = [""; 7];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name;
            at += 1;
        }
        names
    };

    /// Packages with a version of their own, by the names of their folders under `share/info`.
    pub const PACKAGES: [&'static str; 12] = [
        "runtime",
        "hccl",
        "hcomm",
        "bisheng-compiler",
        "oam-tools",
        "ops-legacy",
        "ops_transformer",
        "ge-compiler",
        "hixl",
        "opbase",
        "asc-devkit",
        "toolkit",
    ];

    /// Returns true if the release has functions that are there since `since`. The driver and the runtime
    /// below ACL have their own releases; functions of theirs are in all.
    pub fn has(&self, since: Since) -> bool {
        matches!(since, Since::Driver | Since::Runtime) || since <= self.newest
    }
}

const fn release(
    name: &'static str,
    api: [i32; 3],
    version: &'static str,
    driver: &'static str,
    newest: Since,
) -> Release {
    Release { name, api, version, driver, newest }
}
