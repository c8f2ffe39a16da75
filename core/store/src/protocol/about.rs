// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Version negotiation: the announcement of each side, and the check that two sides are compatible.
//!
//! Both sides judge, so that both users read the same: a range of protocol versions must overlap, and two
//! names of jobs must be the same where both have one. Builds may differ as long as their ranges of versions
//! overlap; texts name builds, because users know builds and not protocol versions.

use super::frame::{OLDEST_VERSION, VERSION};
use super::{About, Failure};

/// This build, for texts.
pub(crate) const BUILD: &str = concat!("memfabric-rs ", env!("CARGO_PKG_VERSION"));
/// Longest name of a job that texts repeat, in characters.
const SHOWN_CHARACTERS: usize = 64;

/// Feature: understands [`Notice::Ending`](super::Notice::Ending).
pub(crate) const ENDING: u64 = 1;
/// Feature of a store: answers [`Request::Contacts`](super::Request::Contacts).
pub(crate) const CONTACTS: u64 = 2;
/// Feature of a store: answers [`Request::Awaited`](super::Request::Awaited).
pub(crate) const AWAITED: u64 = 4;
/// Features of this build.
pub(crate) const FEATURES: u64 = ENDING | CONTACTS | AWAITED;

impl About {
    /// Returns this library's announcement in the job `job`.
    pub(crate) fn this(job: &str) -> Self {
        Self {
            oldest: OLDEST_VERSION,
            newest: VERSION,
            features: FEATURES,
            build: BUILD.to_owned(),
            job: job.to_owned(),
        }
    }

    /// Checks that both sides are compatible; the last argument names the other side in texts.
    pub(crate) fn fits(&self, other: &About, who: &str) -> Result<(), Failure> {
        if self.oldest > other.newest || other.oldest > self.newest {
            return Err(Failure::invalid(format!(
                "the {who} ({}) has {} of the store protocol, this side ({}) {}",
                shown(&other.build),
                versions(other.oldest, other.newest),
                self.build,
                versions(self.oldest, self.newest)
            ))
            .hint("run the same release of the library in all processes of the job"));
        }
        if !self.job.is_empty() && !other.job.is_empty() && self.job != other.job {
            return Err(Failure::invalid(format!(
                "the {who} belongs to the job \"{}\", this side to the job \"{}\"",
                shown(&other.job),
                shown(&self.job)
            ))
            .hint("check the address of the store, and MF_JOB_ID on both sides"));
        }
        Ok(())
    }
}

/// `version 2`, or `versions 2 to 3`.
pub(crate) fn versions(oldest: u16, newest: u16) -> String {
    if oldest == newest { format!("version {newest}") } else { format!("versions {oldest} to {newest}") }
}

/// A text of the other side, made fit to be read.
fn shown(text: &str) -> String {
    text.escape_debug().take(SHOWN_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_must_overlap_and_the_text_names_both() {
        let ours = About { oldest: 3, newest: 5, ..About::this("") };
        for (oldest, newest, fits) in [(1, 2, false), (1, 3, true), (4, 4, true), (5, 9, true), (6, 9, false)]
        {
            let theirs = About { oldest, newest, build: "other 9".to_owned(), ..About::this("") };
            match ours.fits(&theirs, "store") {
                Ok(()) => assert!(fits, "{oldest} to {newest}"),
                Err(failure) => {
                    assert!(!fits, "{oldest} to {newest}");
                    for part in ["versions 3 to 5", &versions(oldest, newest), BUILD, "other 9"] {
                        assert!(failure.text().contains(part), "{failure:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn job_names_must_match_if_both_are_set() {
        let (red, blue, any) = (About::this("red"), About::this("blue"), About::this(""));
        assert!(red.fits(&any, "store").is_ok() && any.fits(&red, "store").is_ok());
        assert!(red.fits(&red, "store").is_ok());
        let failure = red.fits(&blue, "store").unwrap_err();
        assert!(failure.text().contains("\"red\"") && failure.text().contains("\"blue\""), "{failure:?}");
        // As logs show it.
        let text = failure.to_string();
        assert!(text.ends_with("; check the address of the store, and MF_JOB_ID on both sides"), "{text}");
        assert!(!text.contains("Failure"), "{text}");
    }
}
