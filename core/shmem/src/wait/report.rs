// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reports and limit of a slow wait.

use std::time::{Duration, Instant};

use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};

use super::WAIT;
use crate::pe::Pe;

/// Pause between two checks for PEs that are gone.
const LOOK: Duration = Duration::from_secs(1);
/// Pause between two messages about a wait.
const REPORT: Duration = Duration::from_secs(60);

/// A slow wait: its reports, and its limit.
pub(super) struct SlowWait<'a> {
    pe: &'a Pe,
    subject: &'a dyn Fn() -> String,
    began: Instant,
    limit: Option<Duration>,
    /// Time of the next check.
    pub(super) next: Instant,
    /// PEs that were known to be gone.
    gone: usize,
    reported: Duration,
}

impl<'a> SlowWait<'a> {
    pub(super) fn new(pe: &'a Pe, subject: &'a dyn Fn() -> String) -> Result<Self> {
        let limit = Some(settings()?.symmetric_timeout).filter(|limit| !limit.is_zero());
        let began = Instant::now();
        let next = began + LOOK.min(limit.unwrap_or(LOOK));
        Ok(Self { pe, subject, began, limit, next, gone: 0, reported: Duration::ZERO })
    }

    /// Checks the limit, and reports the wait if due.
    ///
    /// # Errors
    /// `Timeout` the limit is reached · `NotInit` the world has ended.
    pub(super) fn check(&mut self) -> Result<()> {
        self.pe.check(WAIT)?;
        let (waited, gone) = (self.began.elapsed(), self.pe.departed_pes());
        if let Some(limit) = self.limit.filter(|limit| waited >= *limit) {
            return Err(Error::new(Kind::Timeout, WAIT)
                .what(format!("gave up waiting for {}", (self.subject)()))
                .with("waited_ms", waited.as_millis())
                .with("limit_ms", limit.as_millis())
                .with("gone", if gone.is_empty() { "no PE".to_owned() } else { list_pes(&gone) })
                .hint("MF_SHMEM_TIMEOUT is the limit"));
        }
        if gone.len() != self.gone || waited >= self.reported + REPORT {
            let who = if gone.is_empty() {
                "all PEs are here".to_owned()
            } else {
                format!("gone: {}", list_pes(&gone))
            };
            tracing::warn!("{WAIT}: for {} s, for {}; {who}", waited.as_secs(), (self.subject)());
            (self.gone, self.reported) = (gone.len(), waited);
        }
        let left = self.limit.map_or(LOOK, |limit| limit.saturating_sub(waited));
        self.next = Instant::now() + LOOK.min(left);
        Ok(())
    }
}

fn list_pes(pes: &[u32]) -> String {
    pes.iter().map(|pe| format!("PE {pe}")).collect::<Vec<_>>().join(", ")
}
