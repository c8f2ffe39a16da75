// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A transport that carries nothing and records the calls made to it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::{Error, Kind, Result};
use mf_transport::{
    Capabilities, Completion, Operation, Peer, PeerRoute, Reach, Region, SegmentKey, Transport,
};

pub(crate) const NAME: &str = "tcp";

#[derive(Default)]
pub(crate) struct Counting {
    refuses: AtomicBool,
    description_bytes: AtomicUsize,
    /// Bytes by key.
    exposed: Mutex<BTreeMap<u64, u64>>,
    attached: Mutex<BTreeMap<u64, Peer>>,
}

impl Counting {
    /// Lets it refuse to expose anything, or not.
    pub(crate) fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::Release);
    }

    /// Sets the length of its descriptions of exposed memory.
    pub(crate) fn describe(&self, bytes: usize) {
        self.description_bytes.store(bytes, Ordering::Release);
    }

    /// Keys and bytes.
    pub(crate) fn exposed(&self) -> Vec<(SegmentKey, u64)> {
        self.exposed.lock().unwrap().iter().map(|(key, bytes)| (SegmentKey(*key), *bytes)).collect()
    }

    pub(crate) fn attached(&self) -> Vec<SegmentKey> {
        self.attached.lock().unwrap().keys().copied().map(SegmentKey).collect()
    }
}

impl Transport for Counting {
    fn name(&self) -> &'static str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::COPY
    }

    fn address(&self) -> Vec<u8> {
        vec![0]
    }

    fn introduce(&self, _: Peer, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn reach(&self, _: Peer) -> Result<Reach> {
        Ok(Reach { path: "nowhere".to_owned(), encrypted: true, score: 1 })
    }

    fn forget(&self, _: Peer) {}

    unsafe fn expose(&self, key: SegmentKey, regions: &[Region]) -> Result<Vec<u8>> {
        if self.refuses.load(Ordering::Acquire) {
            return Err(Error::new(Kind::NoResources, "expose").what("it is set to refuse"));
        }
        let bytes = regions.iter().map(|region| region.bytes).sum();
        self.exposed.lock().unwrap().insert(key.0, bytes);
        Ok(vec![7; self.description_bytes.load(Ordering::Acquire)])
    }

    fn conceal(&self, key: SegmentKey) {
        self.exposed.lock().unwrap().remove(&key.0);
    }

    fn attach(&self, peer: Peer, key: SegmentKey, _: &[u8]) -> Result<()> {
        self.attached.lock().unwrap().insert(key.0, peer);
        Ok(())
    }

    fn detach(&self, _: Peer, key: SegmentKey) {
        self.attached.lock().unwrap().remove(&key.0);
    }

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        Ok(Arc::new(Nowhere(peer)))
    }

    fn eager_bytes(&self) -> u64 {
        0
    }

    fn wait(&self, completion: &Completion) -> Result<()> {
        completion.outcome()
    }

    fn send(&self, _: Peer, _: &[u8], _: Instant) -> Result<()> {
        Ok(())
    }

    fn flush(&self, _: Option<Peer>, _: Instant) -> Result<()> {
        Ok(())
    }

    fn close(&self) {}
}

struct Nowhere(Peer);

impl PeerRoute for Nowhere {
    fn peer(&self) -> Peer {
        self.0
    }

    unsafe fn post(&self, _: &Operation<'_>, _: &Arc<Completion>, _: Instant) -> Result<()> {
        Ok(())
    }
}
