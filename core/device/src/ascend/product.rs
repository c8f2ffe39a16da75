// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Product facts that follow from the name of the chip and cannot be queried.

use std::fmt;

/// A generation of products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Product {
    /// Atlas A2: one server, its devices in a full mesh.
    A2,
    /// Atlas A3: super nodes of many servers.
    A3,
    /// Ascend 950.
    A5,
    /// One that came later, or that we never met.
    Other(String),
}

impl Product {
    /// The product of a SoC name.
    pub(super) fn from_soc(soc: &str) -> Self {
        if soc.starts_with("Ascend910_95") || soc.starts_with("Ascend950") {
            Product::A5
        } else if soc.starts_with("Ascend910_93") {
            Product::A3
        } else if soc.starts_with("Ascend910B") {
            Product::A2
        } else {
            Product::Other(soc.to_owned())
        }
    }

    /// Cycles of a core's counter in a microsecond.
    pub(super) fn cycles_per_us(&self) -> u32 {
        if *self == Product::A5 { 1000 } else { 50 }
    }

    /// Returns true if a device reaches the memory of another only after peer access was enabled.
    pub(super) fn needs_peer_access(&self) -> bool {
        *self != Product::A3
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Product::A2 => f.write_str("A2"),
            Product::A3 => f.write_str("A3"),
            Product::A5 => f.write_str("950"),
            Product::Other(soc) => f.write_str(soc),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soc_names_of_each_generation() {
        for (soc, product) in [
            ("Ascend910B3", Product::A2),
            ("Ascend910_9382", Product::A3),
            ("Ascend910_9589", Product::A5),
            ("Ascend950PR_957c", Product::A5),
            ("Ascend310P3", Product::Other("Ascend310P3".to_owned())),
        ] {
            assert_eq!(Product::from_soc(soc), product);
        }
        assert!(!Product::A3.needs_peer_access());
        assert!(Product::A2.needs_peer_access() && Product::A5.needs_peer_access());
    }
}
