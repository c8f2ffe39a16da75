// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words in pinned memory that never change, for copies in graphs: a graph runs them again long after the
//! call that captured them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::driver::Driver;
use crate::Transfer;

/// A separate page for each value, since memory is pinned by pages.
#[repr(align(4096))]
struct Page([u64; 512]);

/// The words, by their value. They live as long as the process.
#[derive(Default)]
pub(super) struct Constants(Mutex<BTreeMap<u64, &'static Page>>);

impl Constants {
    /// A transfer that writes the same `value` as one of [`Word::written`](crate::Word::written),
    /// from memory that stays.
    ///
    /// # Errors
    /// `Failed` the driver does not pin memory.
    pub(super) fn with_static_source(
        &self,
        driver: &dyn Driver,
        value: u64,
        transfer: &Transfer,
    ) -> Result<Transfer> {
        let mut words = lock(&self.0);
        let page = match words.get(&value) {
            Some(page) => *page,
            None => {
                let page: &'static Page = Box::leak(Box::new(Page([value; 512])));
                if !driver.pin(page.0.as_ptr().expose_provenance() as u64, size_of::<Page>() as u64) {
                    return Err(Error::new(Kind::Failed, "device word")
                        .what("host memory cannot be pinned for a graph to write a word from"));
                }
                words.insert(value, page);
                page
            }
        };
        let mut lasting = *transfer;
        lasting.piece.src = page.0.as_ptr().cast();
        Ok(lasting)
    }
}
