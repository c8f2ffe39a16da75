// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a pool.

use std::os::fd::OwnedFd;

use mf_base::{ByteLen, Error, MemKind, Result};
use mf_job::id_ranges::{BIG_MEMORY, Number};
use mf_net::choice::{EngineSet, Request, Tag, TagRules};

/// Most memory of each kind that one member contributes, device memory first.
const BYTES_MAX: [u64; 2] = [64 << 30, 2 << 40];

/// Options of [`super::Context::create`]. Sizes are bytes, multiples of 2 MiB.
#[derive(Debug)]
pub struct PoolOptions {
    pub(crate) id: u32,
    pub(crate) own_bytes: [u64; 2],
    pub(crate) max_bytes: [u64; 2],
    /// The maximum of host memory is that of the pool.
    pub(crate) adopts_max: bool,
    pub(crate) host_descriptor: Option<OwnedFd>,
    pub(crate) numa_node: Option<u32>,
    pub(crate) engines: EngineSet,
    pub(crate) tag: String,
    pub(crate) tag_rules: String,
}

impl PoolOptions {
    /// Pool number `id` (0 to 63) of the job; all members pass the same number and the same maxima.
    pub fn new(id: u32) -> Self {
        Self {
            id,
            own_bytes: [0; 2],
            max_bytes: [0; 2],
            adopts_max: false,
            host_descriptor: None,
            numa_node: None,
            engines: EngineSet::AUTO,
            tag: String::new(),
            tag_rules: String::new(),
        }
    }

    /// Sets the number of the pool in the job, 0 to 63.
    #[must_use]
    pub fn id(mut self, id: u32) -> Self {
        self.id = id;
        self
    }

    /// Host memory that this member contributes; at most 2 TiB.
    #[must_use]
    pub fn host(mut self, bytes: u64) -> Self {
        self.own_bytes[1] = bytes;
        self
    }

    /// Device memory that this member contributes, at most 64 GiB; on a machine without an accelerator a
    /// second window of host memory.
    #[must_use]
    pub fn device(mut self, bytes: u64) -> Self {
        self.own_bytes[0] = bytes;
        self
    }

    /// Sets the most host memory that any member will contribute (default: this member's contribution).
    #[must_use]
    pub fn max_host(mut self, bytes: u64) -> Self {
        self.max_bytes[1] = bytes;
        self
    }

    /// Takes the maximum of host memory from the pool; its first member chooses 16 TiB divided by the size of
    /// the world, if there are so many free addresses, and no less than it sets itself.
    #[must_use]
    pub fn max_host_of_pool(mut self) -> Self {
        self.adopts_max = true;
        self
    }

    /// Sets the most device memory that any member will contribute (default: this member's contribution).
    #[must_use]
    pub fn max_device(mut self, bytes: u64) -> Self {
        self.max_bytes[0] = bytes;
        self
    }

    /// Contributes this shared memory object as host memory; it is lengthened when it is shorter. The caller
    /// must not shorten it while the pool lives: every member that touches the lost part would be ended
    /// by the kernel.
    #[must_use]
    pub fn host_descriptor(mut self, descriptor: OwnedFd) -> Self {
        self.host_descriptor = Some(descriptor);
        self
    }

    /// Takes the own host memory from this NUMA node (default: from the node of the thread that touches it
    /// first).
    #[must_use]
    pub fn numa_node(mut self, node: u32) -> Self {
        self.numa_node = Some(node);
        self
    }

    /// Sets the engines for copies to members on other hosts (default: the best for each). The first of them
    /// that reaches the member is taken; if none does, the best other that does, with one warning, or none
    /// with `MF_STRICT_ENGINE=1`. Memory mapped here is copied in place, with any engines.
    #[must_use]
    pub fn engines(mut self, engines: EngineSet) -> Self {
        self.engines = engines;
        self
    }

    /// Sets this member's name in tag rules: letters, digits and `_`, at most 30.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tag = tag.into();
        self
    }

    /// Sets engines by pairs of tags, instead of [`engines`](Self::engines): `tagA:ENGINE:tagB`, separated by
    /// commas, at most 255 bytes. A rule holds in both directions; engines have the names of [`EngineName`].
    ///
    /// [`EngineName`]: super::EngineName
    #[must_use]
    pub fn tag_rules(mut self, rules: impl Into<String>) -> Self {
        self.tag_rules = rules.into();
        self
    }

    /// Parses the requested engines.
    pub(crate) fn request(&self) -> Result<Request> {
        const OP: &str = "bm create";
        Ok(Request {
            engines: self.engines,
            tag: Tag::parse(OP, &self.tag)?,
            rules: TagRules::parse(OP, &self.tag_rules)?,
        })
    }

    /// The maxima with their defaults filled in.
    pub(crate) fn strides(&self) -> [u64; 2] {
        [0, 1].map(|i: usize| if self.max_bytes[i] == 0 { self.own_bytes[i] } else { self.max_bytes[i] })
    }

    /// Refuses impossible options. Returns the numbers of the pool.
    pub(crate) fn check(&self) -> Result<Number> {
        const OP: &str = "bm create";
        let number = BIG_MEMORY.number(OP, self.id)?;
        let strides = self.strides();
        if strides == [0, 0] {
            return Err(Error::invalid(OP, "the pool is empty")
                .with("id", self.id)
                .hint("give a host or a device maximum"));
        }
        for kind in MemKind::ALL {
            let (own, most) = (self.own_bytes[kind.index()], BYTES_MAX[kind.index()]);
            if own > most {
                return Err(Error::invalid(OP, "the contribution is too large")
                    .with("kind", kind)
                    .with("local", ByteLen(own))
                    .hint(format!("at most {}", ByteLen(most))));
            }
        }
        Ok(number)
    }
}
