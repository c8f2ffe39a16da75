// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Launch attributes.

use std::time::Duration;

use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::product::Product;

/// Core type that runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Cube cores (and, for mixed kernels, their vector cores).
    Cube,
    /// Vector cores.
    Vector,
}

impl Engine {
    /// Returns the number of cores of this type on a device.
    pub fn cores(self, product: &Product) -> u32 {
        match self {
            Self::Cube => product.cube_cores,
            Self::Vector => product.vector_cores,
        }
    }

    /// Returns the error code of a timeout.
    pub fn timeout_code(self) -> i32 {
        match self {
            Self::Cube => acl::AICORE_TIMEOUT,
            Self::Vector => acl::VECTOR_CORE_TIMEOUT,
        }
    }

    /// Returns the error code of an exception.
    pub fn exception_code(self) -> i32 {
        match self {
            Self::Cube => acl::AICORE_EXCEPTION,
            Self::Vector => acl::VECTOR_CORE_EXCEPTION,
        }
    }
}

/// The attributes of a launch.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// All blocks at once or not at all.
    pub all_at_once: Option<bool>,
    /// Bytes of unified buffer beyond the kernel's own plan.
    pub dynamic_ub_bytes: u32,
    /// Core type to run on; `None` for the kernel's own.
    pub engine: Option<Engine>,
    /// Number of the first block.
    pub block_offset: u32,
    /// Longest run.
    pub timeout: Option<Duration>,
}

/// One attribute as programs pass it.
#[derive(Clone, Copy, Debug)]
pub struct Raw {
    /// Which one.
    pub id: u32,
    /// Its value, in the first bytes.
    pub value: [u8; 16],
}

impl Raw {
    fn byte(&self) -> u8 {
        self.value[0]
    }

    fn word(&self, index: usize) -> u32 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|byte| self.value[index * 4 + byte]);
        u32::from_ne_bytes([a, b, c, d])
    }

    fn switch(&self, what: &str) -> Outcome<bool> {
        ensure(self.byte() <= 1, acl::RT_PARAM_INVALID, || format!("{what} {} is not 0 or 1", self.byte()))?;
        Ok(self.byte() == 1)
    }
}

impl Attributes {
    /// Reads and checks attributes; a later one of the same kind replaces an earlier one.
    ///
    /// # Errors
    /// 107000 for an unknown attribute or value.
    pub fn read(raw: &[Raw], product: &Product) -> Outcome<Self> {
        let mut read = Self::default();
        for attribute in raw {
            match attribute.id {
                1 => read.all_at_once = Some(attribute.switch("schedule mode")?),
                2 => {
                    read.dynamic_ub_bytes = attribute.word(0);
                    ensure(
                        u64::from(read.dynamic_ub_bytes) <= product.ub_bytes,
                        acl::RT_PARAM_INVALID,
                        || {
                            format!(
                                "{} bytes of dynamic unified buffer are more than a core's {}",
                                read.dynamic_ub_bytes, product.ub_bytes
                            )
                        },
                    )?;
                }
                3 => {
                    read.engine = Some(match attribute.word(0) {
                        0 => Engine::Cube,
                        1 => Engine::Vector,
                        other => {
                            return Err(Fault::new(
                                acl::RT_PARAM_INVALID,
                                format_args!("engine {other} is neither 0 (cube) nor 1 (vector)"),
                            ));
                        }
                    });
                }
                4 => read.block_offset = attribute.word(0),
                5 => drop(attribute.switch("prefetch")?),
                6 => drop(attribute.switch("data dump")?),
                7 => {
                    let [low, high, ..] = attribute.value;
                    let seconds = u16::from_ne_bytes([low, high]);
                    read.timeout = some_time(Duration::from_secs(seconds.into()));
                }
                8 => {
                    let micros = u64::from(attribute.word(0)) | u64::from(attribute.word(1)) << 32;
                    read.timeout = some_time(Duration::from_micros(micros));
                }
                other => {
                    return Err(Fault::new(
                        acl::RT_PARAM_INVALID,
                        format_args!("launch attribute {other} is unknown; 1 to 8 are known"),
                    ));
                }
            }
        }
        Ok(read)
    }
}

/// Assumed: a timeout of 0 means no timeout.
fn some_time(time: Duration) -> Option<Duration> {
    (!time.is_zero()).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(id: u32, words: [u32; 2]) -> Outcome<Attributes> {
        let mut value = [0; 16];
        value[..4].copy_from_slice(&words[0].to_ne_bytes());
        value[4..8].copy_from_slice(&words[1].to_ne_bytes());
        Attributes::read(&[Raw { id, value }], Product::named("Ascend910_9382").unwrap())
    }

    #[test]
    fn each_attribute_lands_in_its_field() {
        assert_eq!(read(1, [1, 0]).unwrap().all_at_once, Some(true));
        assert_eq!(read(2, [4096, 0]).unwrap().dynamic_ub_bytes, 4096);
        assert_eq!(read(3, [0, 0]).unwrap().engine, Some(Engine::Cube));
        assert_eq!(read(4, [7, 0]).unwrap().block_offset, 7);
        assert_eq!(read(7, [3, 0]).unwrap().timeout, Some(Duration::from_secs(3)));
        assert_eq!(read(8, [5, 1]).unwrap().timeout, Some(Duration::from_micros((1 << 32) + 5)));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for (id, value) in [(0, 0), (9, 0), (1, 2), (2, 193 << 10), (3, 2), (5, 2), (6, 2)] {
            assert_eq!(read(id, [value, 0]).unwrap_err().code, acl::RT_PARAM_INVALID, "{id} = {value}");
        }
    }
}
