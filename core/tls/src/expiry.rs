// SPDX-License-Identifier: Apache-2.0 OR MIT
//! When to warn of the end of a certificate.

use std::fmt;
use std::time::{Duration, SystemTime};

use mf_base::settings::settings;

use crate::inspect::date;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A certificate that ends soon or has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// When it ends.
    pub not_after: SystemTime,
    /// Remaining validity; `None` if it has expired.
    pub left: Option<Duration>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.left {
            Some(left) => {
                write!(f, "expires in {} days, on {}", left.as_secs() / DAY.as_secs(), date(self.not_after))
            }
            None => write!(f, "expired on {}", date(self.not_after)),
        }
    }
}

/// The warning at `now` about a certificate that ends at `not_after`, if that is within `ahead`.
#[must_use]
pub fn expiry(now: SystemTime, not_after: SystemTime, ahead: Duration) -> Option<Warning> {
    // The moment itself is still inside the validity.
    match not_after.duration_since(now) {
        Ok(left) if left > ahead => None,
        Ok(left) => Some(Warning { not_after, left: Some(left) }),
        Err(_) => Some(Warning { not_after, left: None }),
    }
}

/// Returns the time before the end at which to warn: `MF_ACC_CERT_CHECK_AHEAD_DAYS` within its limits.
pub fn check_ahead() -> Duration {
    let days = settings().map_or(30, |settings| settings.tls_check_ahead);
    DAY * days.clamp(7, 180)
}

/// Interval of checks: `MF_ACC_CHECK_PERIOD_HOURS` within its limits.
pub fn check_period() -> Duration {
    let hours = settings().map_or(168, |settings| settings.tls_check_period);
    Duration::from_secs(60 * 60) * hours.clamp(24, 720)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiry_is_warned_before_and_after() {
        let now = SystemTime::UNIX_EPOCH + DAY * 20_000;
        assert_eq!(expiry(now, now + DAY * 31, DAY * 30), None);
        let soon = expiry(now, now + DAY * 30, DAY * 30).unwrap();
        assert_eq!(soon.left, Some(DAY * 30));
        assert!(soon.to_string().starts_with("expires in 30 days, on 20"), "{soon}");
        assert_eq!(expiry(now, now, DAY * 30).unwrap().left, Some(Duration::ZERO));
        let over = expiry(now, now - Duration::from_secs(1), DAY * 30).unwrap();
        assert_eq!(over.left, None);
        assert!(over.to_string().starts_with("expired on 20"), "{over}");
    }
}
