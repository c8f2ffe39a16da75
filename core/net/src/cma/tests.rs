// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A guest that hangs.

use std::sync::atomic::AtomicU64;

use mf_base::sync::shared_rcu::reader_slot;
use mf_transport::JobId;

use super::page::Page;
use super::*;

/// Counts errors.
struct Counting(Arc<AtomicU64>);

impl tracing::Subscriber for Counting {
    fn enabled(&self, of: &tracing::Metadata<'_>) -> bool {
        *of.level() <= tracing::Level::ERROR
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, _: &tracing::Event<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

struct Nothing;

impl Target for Nothing {
    fn access(&self, _: SegmentKey, _: u64, _: u64, _: Access, _: &mut dyn FnMut(Spot<'_>)) -> Result<()> {
        Ok(())
    }
    fn message(&self, _: Peer, _: &[u8]) {}
    fn lost(&self, _: Peer, _: &Error) {}
}

#[test]
fn hanging_peer_does_not_flood_the_log() {
    if let Some(reason) = Cma::refusal() {
        return println!("skipped: {reason}");
    }
    let target: Arc<dyn Target> = Arc::new(Nothing);
    let me = Peer { job: JobId(1), rank: 0, session: 1 };
    let timeout = Duration::from_millis(1);
    let cma = Cma::open(Options { me, token: [7; 32], timeout, target: Arc::downgrade(&target) }).unwrap();
    let (page, _) = Page::create().unwrap();
    // It never leaves.
    let _visit = page.visits().read_lock(reader_slot()).unwrap();
    cma.0.guests.insert(1, Guest::new((None, None), page));
    let errors = Arc::new(AtomicU64::new(0));
    tracing::subscriber::with_default(Counting(Arc::clone(&errors)), || {
        for number in 0..100 {
            // SAFETY: there are no regions.
            unsafe { cma.expose(SegmentKey(number), &[]) }.unwrap();
            cma.conceal(SegmentKey(number));
        }
    });
    let logged = errors.load(Ordering::Relaxed);
    assert!((1..100).contains(&logged), "{logged} lines");
}
