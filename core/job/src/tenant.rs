// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tenants: participants in jobs on behalf of this process.

use std::fmt;

/// Participant in a job on behalf of this process: a family of interfaces, or one of its instances.
///
/// Tenants that name the same store share one membership, each at most once: a tenant that joins a second
/// time is another member, for programs with several ranks in one process. A tenant that is
/// [`alone`](Self::alone) shares with no other.
///
/// ```
/// use mf_job::Tenant;
///
/// const HEAP: Tenant = Tenant::new("symmetric heap");
/// assert_ne!(HEAP.instance(1), HEAP.instance(2));
/// assert_eq!(HEAP.instance(2).to_string(), "symmetric heap 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tenant {
    family: &'static str,
    instance: u32,
    is_alone: bool,
}

impl Tenant {
    /// The first instance of a family, which shares the membership of others.
    pub const fn new(family: &'static str) -> Self {
        Self { family, instance: 0, is_alone: false }
    }

    /// Another instance of the family.
    #[must_use]
    pub const fn instance(self, instance: u32) -> Self {
        Self { instance, ..self }
    }

    /// A member of its own, also when other callers of this process are in the job.
    #[must_use]
    pub const fn alone(self) -> Self {
        Self { is_alone: true, ..self }
    }

    /// Returns true if both may be one member.
    pub(crate) fn may_share_with(self, other: Self) -> bool {
        !self.is_alone && !other.is_alone && (self.family, self.instance) != (other.family, other.instance)
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.instance {
            0 => f.write_str(self.family),
            instance => write!(f, "{} {instance}", self.family),
        }
    }
}
