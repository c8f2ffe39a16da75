// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device properties, as reported by `aclrtGetDeviceInfo` and similar functions.

use super::Device;
use crate::codes::acl;
use crate::config::Config;
use crate::device_ids;
use crate::fault::{Fault, Outcome};
use crate::product::{Line, Product};

impl Device {
    /// The number by which a super node knows it: unique and stable.
    pub fn super_node_id(&self, config: &Config) -> u32 {
        device_ids::super_node(config.server, self.logical())
    }

    /// 16 bytes that no other device of the machine has, the same in every process.
    pub fn uuid(&self, config: &Config) -> [u8; 16] {
        let mut uuid = [0; 16];
        uuid[..4].copy_from_slice(b"ASIM");
        uuid[4..8].copy_from_slice(&config.server.to_be_bytes());
        uuid[8..12].copy_from_slice(&self.logical().to_be_bytes());
        uuid[12..].copy_from_slice(&hash(&config.soc).to_be_bytes());
        uuid
    }

    /// An attribute by its number.
    ///
    /// # Errors
    /// 100000 for an unknown number · 207000 for an attribute that the product lacks.
    pub fn attribute(&self, number: u32, product: &Product, config: &Config) -> Outcome<i64> {
        let simt = |value: i64| match product.line {
            Line::A5 => Ok(value),
            Line::A2 | Line::A3 => Err(Fault::new(
                acl::FEATURE_NOT_SUPPORT,
                format_args!("{} has no SIMT threads, so no attribute {number}", config.soc),
            )),
        };
        Ok(match number {
            1 => AI_CPUS,
            101 | 102 => product.cube_cores.into(),
            201 => product.vector_cores.into(),
            202 => simt(SIMT_WARP)?,
            203 => simt(SIMT_THREADS)?,
            204 => large(product.ub_bytes),
            205..=207 => simt(i64::from(u16::MAX))?,
            208 => MAX_BLOCKS,
            301 => large(config.hbm_bytes),
            302 => L2_BYTES,
            402 => self.logical().into(),
            403 => self.super_node_id(config).into(),
            404 => config.server.into(),
            // One SMP system, one super pod; no privileges, nothing virtual.
            401 | 405 | 406 | 501 => 0,
            407 => product.mainboard,
            408 => match product.line {
                Line::A2 => 0,
                Line::A3 => 1,
                Line::A5 => 2,
            },
            601 => product.npu_arch.into(),
            _ => {
                return Err(Fault::new(
                    acl::INVALID_PARAM,
                    format_args!("unknown device attribute {number}"),
                ));
            }
        })
    }
}

const AI_CPUS: i64 = 6;
const SIMT_WARP: i64 = 32;
const SIMT_THREADS: i64 = 2048;
const MAX_BLOCKS: i64 = 65_535;
const L2_BYTES: i64 = 192 << 20;

fn large(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// FNV-1a.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
