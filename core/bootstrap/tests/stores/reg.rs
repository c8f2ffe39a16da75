// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of a store with a leader that is found through a registered backend.

#[path = "../../src/backend/table.rs"]
#[expect(dead_code, reason = "the unit tests of the backend use more of it")]
mod table;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use mf_base::{Rank, Result};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::backend::{self, Backend, Fault, Fill, Provider};
use mf_bootstrap::rendezvous::Options;
use mf_store::RankWish;

use super::hosted::Hosted;
use super::members::{TIMEOUT, timing};

/// Tables in memory, one for each instance.
#[derive(Default)]
struct Tables(Mutex<HashMap<String, table::Table>>);

impl Provider for Tables {
    fn open(&self, _: &str, prefix: &str) -> Result<Arc<dyn Backend>, Fault> {
        let mut tables = self.0.lock().unwrap();
        let table = tables.entry(prefix.to_owned()).or_insert_with(|| table::Table::new(true));
        Ok(Arc::new(table.clone()))
    }
}

/// A job of its own.
pub(crate) struct Job {
    url: StoreUrl,
    world_size: u32,
}

impl Job {
    pub(crate) fn new(world_size: u32) -> Self {
        static REGISTERED: Once = Once::new();
        static NUMBERS: AtomicU32 = AtomicU32::new(0);
        REGISTERED.call_once(|| backend::register(Arc::new(Tables::default())));
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let url = StoreUrl::parse(&format!("reg://127.0.0.1:2379#job-{number}")).unwrap();
        Self { url, world_size }
    }

    pub(crate) fn join(&self, rank: Option<u32>, grace: Duration) -> Result<Hosted> {
        Hosted::join(&Options {
            wish: rank.map_or(RankWish::Any, |rank| RankWish::Exactly(Rank(rank))),
            init_timeout: TIMEOUT,
            request_timeout: TIMEOUT,
            timing: Some(timing(grace)),
            ..Options::new(self.url.clone(), self.world_size)
        })
    }
}
