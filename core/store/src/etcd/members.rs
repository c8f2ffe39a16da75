// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The members of the job, and how they change.
//!
//! The key of a rank is the record of its member. Every session follows these keys, so all see the same
//! changes in the same order; the epoch of a view is the revision of the last change in it. A member begins
//! with the view at the revision at which it got its rank, so it has the epochs of all others from the start.
//! A guest begins with the revision of the last arrival that it finds, until it sees a change.

use std::collections::BTreeMap;
use std::sync::Arc;

use etcd_client::{GetOptions, GetResponse};
use mf_base::{Error, Kind, Result, Retry};
use tokio::sync::watch;

use super::cluster::Call;
use super::feed::{Feed, changes};
use super::names::{Life, Names, decode, end_of};
use super::session::Session;
use super::watches::{Batch, Callback, Causes, Said, Watches};
use crate::api::{Cause, MembersFn, Peer, View, ViewChange, WatchId};

const OPERATION: &str = "store membership";

#[derive(Clone, Default)]
struct Known {
    epoch: i64,
    /// By rank, with the revision of the arrival.
    members: BTreeMap<u32, (Peer, i64)>,
}

/// See the module documentation.
pub(super) struct Members {
    known: watch::Sender<Known>,
}

impl Members {
    /// Reads the members at revision `at` and follows their changes from there. `at` none: now.
    pub(super) async fn follow(
        session: &Arc<Session>,
        watches: &Arc<Watches>,
        call: &Call,
        at: Option<i64>,
    ) -> Result<Arc<Self>> {
        let options = GetOptions::new().with_prefix().with_revision(at.unwrap_or_default());
        let got = session.cluster.get(call, session.names.fixed("r/"), options).await?;
        let members = read(&got)?;
        let epoch = members.values().map(|(_, arrived)| *arrived).max().unwrap_or_default();
        let after = at.unwrap_or_else(|| session.cluster.saw(got.header()));
        let known = Known { epoch: at.unwrap_or(epoch), members };
        let this = Arc::new(Self { known: watch::Sender::new(known) });
        tokio::spawn(Arc::clone(&this).run(Arc::clone(session), Arc::clone(watches), after));
        Ok(this)
    }

    /// The members now.
    pub(super) async fn view(&self, session: &Session, call: &Call) -> Result<View> {
        let got =
            session.cluster.get(call, session.names.fixed("r/"), GetOptions::new().with_prefix()).await?;
        let now = read(&got)?;
        let read_at = session.cluster.saw(got.header());
        let arrivals = |members: &BTreeMap<u32, (Peer, i64)>| -> Vec<(u32, i64)> {
            members.iter().map(|(rank, (_, arrived))| (*rank, *arrived)).collect()
        };
        let wanted = arrivals(&now);
        let mut known = self.known.subscribe();
        // What was read shows here in a moment, with its epoch.
        let caught_up = known.wait_for(|known| known.epoch > read_at || arrivals(&known.members) == wanted);
        let late = || {
            Error::new(Kind::Timeout, call.operation)
                .what("the changes of the membership did not come")
                .with("etcd", session.cluster.places())
                .with("waited_ms", call.started.elapsed().as_millis())
                .retry(Retry::Later)
        };
        match tokio::time::timeout(call.left(), caught_up).await {
            Ok(Ok(known)) => Ok(View {
                epoch: known.epoch.unsigned_abs(),
                members: known.members.values().map(|(peer, _)| peer.clone()).collect(),
            }),
            Ok(Err(_)) | Err(_) => Err(late()),
        }
    }

    /// Sets up a watch of the membership.
    pub(super) fn watch(&self, watches: &Watches, callback: MembersFn) -> WatchId {
        watches.add(Callback::Members(callback), Vec::new(), Vec::new(), || self.known.borrow().epoch)
    }

    async fn run(self: Arc<Self>, session: Arc<Session>, watches: Arc<Watches>, mut after: i64) {
        let prefix = session.names.fixed("r/");
        'again: loop {
            let mut feed = Feed::new(&session.cluster, prefix.clone(), end_of(&prefix), after);
            loop {
                let mut known = self.known.borrow().clone();
                let mut delta = Delta::default();
                match feed.batch().await {
                    Ok(events) => {
                        for change in changes(&events) {
                            let at = change.now.mod_revision();
                            known.epoch = at;
                            let Some(rank) = Names::rank_of(change.now.key()) else { continue };
                            if let Some((gone, _)) = known.members.remove(&rank) {
                                delta.gone(gone, at);
                            }
                            if !change.deleted
                                && let Ok(peer) = decode::<Peer>(OPERATION, change.now.value())
                            {
                                delta.joined.push(peer.clone());
                                known.members.insert(rank, (peer, at));
                            }
                        }
                        self.publish(&session, &watches, known, delta).await;
                    }
                    Err(_) => {
                        let Some((now, at)) = reread(&session).await else { return };
                        for (rank, (peer, arrived)) in &known.members {
                            if now.get(rank).map(|(_, at)| at) != Some(arrived) {
                                delta.gone(peer.clone(), at);
                            }
                        }
                        for (rank, (peer, arrived)) in &now {
                            if known.members.get(rank).map(|(_, at)| at) != Some(arrived) {
                                delta.joined.push(peer.clone());
                            }
                        }
                        self.publish(&session, &watches, Known { epoch: at, members: now }, delta).await;
                        after = at;
                        continue 'again;
                    }
                }
            }
        }
    }

    async fn publish(&self, session: &Session, watches: &Watches, known: Known, delta: Delta) {
        let upto = known.epoch;
        let wanted = watches.members_watches(|| {
            self.known.send_replace(known);
        });
        if wanted.is_empty() {
            return;
        }
        let mut change =
            ViewChange { epoch: upto.unsigned_abs(), joined: delta.joined, ..ViewChange::default() };
        let mut causes = Causes::default();
        for (peer, at) in delta.gone {
            match causes.of(session, at, peer.session, Life::Session).await {
                Cause::Lost | Cause::Expired => change.dead.push(peer),
                Cause::Left | Cause::Deleted => change.left.push(peer),
            }
        }
        if change.joined.is_empty() && change.left.is_empty() && change.dead.is_empty() {
            return;
        }
        for watch in wanted {
            watches.send(Some(Batch { watch, said: Said::View(change.clone()), upto })).await;
        }
    }
}

/// What changed from one view to the next.
#[derive(Default)]
struct Delta {
    joined: Vec<Peer>,
    /// With the revisions at which they went.
    gone: Vec<(Peer, i64)>,
}

impl Delta {
    fn gone(&mut self, peer: Peer, at: i64) {
        // Who came and went between two reports is in neither list.
        match self.joined.iter().position(|joined| joined.session == peer.session) {
            Some(place) => {
                self.joined.remove(place);
            }
            None => self.gone.push((peer, at)),
        }
    }
}

async fn reread(session: &Session) -> Option<(BTreeMap<u32, (Peer, i64)>, i64)> {
    loop {
        let call = session.call(OPERATION);
        let got =
            session.cluster.get(&call, session.names.fixed("r/"), GetOptions::new().with_prefix()).await;
        match got.and_then(|got| Ok((read(&got)?, session.cluster.saw(got.header())))) {
            Ok(known) => return Some(known),
            Err(error) if error.kind() == Kind::Timeout => {}
            Err(error) => {
                tracing::error!(%error, "the members cannot be read, changes are no longer reported");
                return None;
            }
        }
    }
}

fn read(got: &GetResponse) -> Result<BTreeMap<u32, (Peer, i64)>> {
    let mut members = BTreeMap::new();
    for kv in got.kvs() {
        let peer: Peer = decode(OPERATION, kv.value())?;
        members.insert(peer.rank.0, (peer, kv.mod_revision()));
    }
    Ok(members)
}
