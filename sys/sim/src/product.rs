// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Capabilities of the products, by SoC name.

use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// A line of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// `Ascend910B*`.
    A2,
    /// `Ascend910_93*`.
    A3,
    /// `Ascend950*`, `Ascend910_95*`.
    A5,
}

/// Capabilities of a product line.
#[derive(Debug)]
pub struct Product {
    /// The line.
    pub line: Line,
    /// Cube cores of a device.
    pub cube_cores: u32,
    /// Vector cores of a device.
    pub vector_cores: u32,
    /// Bytes of HBM of a device, unless set otherwise.
    pub hbm_bytes: u64,
    /// Bytes of level-2 cache of a device.
    pub l2_bytes: u64,
    /// Bytes of unified buffer of a vector core.
    pub ub_bytes: u64,
    /// Shareable handles of the fabric kind exist at ACL level.
    pub fabric_handles: bool,
    /// A reservation may request an address.
    pub address_hints: bool,
    /// Reservations of the 40–224 TiB form exist.
    pub no_uc_reserve: bool,
    /// Copies between devices need peer access.
    pub needs_peer_access: bool,
    /// Devices reach host memory in a global range.
    pub reaches_host: bool,
    /// Counting notifies exist.
    pub count_notify: bool,
    /// Number that kernels know the architecture by.
    pub npu_arch: u32,
    /// Number of the main board.
    pub mainboard: i64,
}

const A2: Product = Product {
    line: Line::A2,
    cube_cores: 24,
    vector_cores: 48,
    hbm_bytes: 64 << 30,
    l2_bytes: 192 << 20,
    ub_bytes: 192 << 10,
    fabric_handles: false,
    address_hints: true,
    no_uc_reserve: false,
    needs_peer_access: true,
    reaches_host: false,
    count_notify: false,
    npu_arch: 2201,
    mainboard: 0,
};
/// Assumed: the small one of the line.
const A2_SMALL: Product = Product { cube_cores: 20, vector_cores: 40, hbm_bytes: 32 << 30, ..A2 };
const A3: Product = Product {
    line: Line::A3,
    fabric_handles: true,
    no_uc_reserve: true,
    needs_peer_access: false,
    reaches_host: true,
    ..A2
};
/// Assumed: memory and cores as A2, until one can be asked; the main board of a server.
const A5: Product = Product {
    mainboard: 0x23,
    line: Line::A5,
    ub_bytes: 248 << 10,
    address_hints: false,
    reaches_host: true,
    count_notify: true,
    npu_arch: 3510,
    ..A2
};

impl Product {
    /// The product with this SoC name.
    ///
    /// # Errors
    /// 100000 for a name of no line.
    pub fn named(soc: &str) -> Outcome<&'static Self> {
        // The first that fits counts.
        let lines: [(&str, &'static Self); 5] = [
            ("Ascend910B4", &A2_SMALL),
            ("Ascend910B", &A2),
            ("Ascend910_93", &A3),
            ("Ascend910_95", &A5),
            ("Ascend950", &A5),
        ];
        let line = lines.iter().find(|(prefix, _)| soc.starts_with(prefix)).map(|(_, product)| *product);
        line.ok_or_else(|| {
            let known = lines.map(|(prefix, _)| prefix).join("*, ");
            Fault::new(
                acl::INVALID_PARAM,
                format_args!("invalid ASCEND_SIM_SOC={soc}: must be one of {known}*"),
            )
        })
    }
}
