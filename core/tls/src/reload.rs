// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An identity that follows its files: replaced certificates and revocation lists count for the next
//! connection.
//!
//! Files are checked (not read) at a new connection, once a second at most. When one differs, all are read
//! again. If they are not usable, as in the moment between the replacement of a certificate and of its
//! key, the identity stays as it was, and the next change is waited for. Existing connections are not
//! touched.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use mf_base::Result;
use mf_base::sync::lock;

use crate::files::TlsFiles;
use crate::load::{self, Loaded};
use crate::read::{self, Stamps};

/// Interval between checks of the files.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Renewed {
    files: TlsFiles,
    state: Mutex<ReloadState>,
}

#[derive(Debug)]
struct ReloadState {
    loaded: Arc<Loaded>,
    stamps: Stamps,
    checked: Instant,
}

impl Renewed {
    pub(crate) fn new(files: TlsFiles) -> Result<Self> {
        // Stamps first: a file that changes while it is read then differs at the next check.
        let stamps = read::stamps(&files);
        let loaded = Arc::new(load::load(&files, SystemTime::now())?);
        Ok(Self { files, state: Mutex::new(ReloadState { loaded, stamps, checked: Instant::now() }) })
    }

    /// The files themselves.
    pub(crate) fn files(&self) -> &TlsFiles {
        &self.files
    }

    /// The identity at this moment.
    pub(crate) fn current(&self, now: Instant) -> Arc<Loaded> {
        if self.is_due(now) {
            self.check_files();
        }
        Arc::clone(&lock(&self.state).loaded)
    }

    /// Returns true if the caller should check the files.
    fn is_due(&self, now: Instant) -> bool {
        let mut state = lock(&self.state);
        let due = now.saturating_duration_since(state.checked) >= CHECK_INTERVAL;
        if due {
            state.checked = now;
        }
        due
    }

    /// Reads the files again if they changed; no lock is held meanwhile, as the password may need a callback.
    fn check_files(&self) {
        let stamps = read::stamps(&self.files);
        let before = lock(&self.state).stamps.clone();
        if before == stamps {
            return;
        }
        let loaded = load::load(&self.files, SystemTime::now());
        let mut state = lock(&self.state);
        if state.stamps != before {
            // A thread that checked later was faster.
            return;
        }
        state.stamps = stamps;
        match loaded {
            Ok(loaded) => {
                state.loaded = Arc::new(loaded);
                drop(state);
                tracing::info!("certificates have changed; new connections use the new ones");
            }
            Err(error) => {
                drop(state);
                tracing::warn!(
                    "certificates have changed and are not usable; the ones before stay in use: {error}"
                );
            }
        }
    }
}
