// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An object of which a process has one: made by its first user, ended by its last.

use std::sync::{Arc, Weak};

use crate::Result;
use crate::os::per_process::PerProcess;

/// The place of such an object. A forked child, which has no threads of its parent, gets one of its own.
pub struct Single<T>(PerProcess<Weak<T>>);

impl<T> Single<T> {
    /// Creates the place without an object.
    pub const fn new() -> Self {
        Self(PerProcess::new(Weak::new()))
    }

    /// Returns the object of this process; `make` creates it on the first call.
    ///
    /// # Errors
    /// As for `make`.
    pub fn get(&self, make: impl FnOnce() -> Result<Arc<T>>) -> Result<Arc<T>> {
        let mut place = self.0.lock();
        if let Some(one) = place.upgrade() {
            return Ok(one);
        }
        let one = make()?;
        *place = Arc::downgrade(&one);
        Ok(one)
    }
}

impl<T> Default for Single<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Kind};

    #[test]
    fn single_instance_is_recreated_after_the_last_user() {
        let single = Single::new();
        let failed: Result<Arc<u32>> = single.get(|| Err(Error::new(Kind::Failed, "test")));
        assert!(failed.is_err());
        let (one, other) = (single.get(|| Ok(Arc::new(1))).unwrap(), single.get(|| Ok(Arc::new(2))).unwrap());
        assert_eq!((*one, *other), (1, 1));
        drop((one, other));
        assert_eq!(*single.get(|| Ok(Arc::new(3))).unwrap(), 3);
    }
}
