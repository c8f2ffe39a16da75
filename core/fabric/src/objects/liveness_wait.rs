// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits of all members of a job for each other, which end when one of them dies: the store notices that at
//! once, and without it they would last to their deadlines.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use mf_base::{Error, Kind, Result, interrupt};
use mf_store::{Attendance, Lost, Store};

/// Runs `body`, and ends its waits if a member of the job dies after the moment `since`: all members must
/// take part in it. A member that died before, or that has left, may still come back.
///
/// # Errors
/// `NotConnected` names the member that died · errors of `body`.
pub fn among_living<T>(
    store: &Arc<dyn Store>,
    operation: &'static str,
    since: Attendance,
    body: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let (store, ends, found) = (Arc::clone(store), Cell::new(since.ends()), RefCell::default());
    let watched = Rc::new(Deaths { store, since: since.epoch, ends, found });
    let asked = Rc::clone(&watched);
    let done = interrupt::unless(move || asked.is_one_dead(), body);
    done.map_err(|error| match watched.found.take() {
        Some(lost) if error.kind() == Kind::Interrupted => died(operation, &lost),
        _ => error,
    })
}

fn died(operation: &'static str, lost: &Lost) -> Error {
    Error::new(Kind::NotConnected, operation)
        .what("a rank is gone")
        .with("rank", lost.peer.rank)
        .with("host", &lost.peer.host)
        .with("pid", lost.peer.pid)
        .with("because", "its process has ended")
        .hint("begin again, with another process in its place")
}

/// Members that have died since an epoch of the membership.
struct Deaths {
    store: Arc<dyn Store>,
    since: u64,
    /// The number of ends that the last view held.
    ends: Cell<u64>,
    found: RefCell<Option<Lost>>,
}

impl Deaths {
    /// Asks the store only when a member has left or died.
    fn is_one_dead(&self) -> bool {
        let ends = self.store.attendance().ends();
        if self.ends.replace(ends) == ends {
            return false;
        }
        // Within a wait that calls this.
        let Ok(view) = interrupt::without(|| self.store.view()) else { return false };
        let lost = view.dead.into_iter().find(|lost| lost.epoch >= self.since);
        let is_one_dead = lost.is_some();
        *self.found.borrow_mut() = lost;
        is_one_dead
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use mf_base::Rank;
    use mf_store::MemoryStore;

    use super::*;

    #[test]
    fn death_of_a_member_ends_waits_and_leaving_does_not() {
        let world = MemoryStore::new(3).unwrap();
        let join = |rank| world.join(Some(Rank(rank))).unwrap();
        let (own, left, dead): (Arc<dyn Store>, _, _) = (Arc::new(join(0)), join(1), join(2));
        let wait = |since, limit| {
            let wait = || own.barrier("b", 3, Instant::now() + limit);
            among_living(&own, "test", since, wait).unwrap_err()
        };
        let begun = own.attendance();
        left.close();
        assert_eq!(wait(begun, Duration::from_millis(200)).kind(), Kind::Timeout);
        dead.sever();
        let error = wait(begun, Duration::from_secs(600));
        assert_eq!((error.kind(), error.fact("rank")), (Kind::NotConnected, Some("2")));
        // For a new wait the death is in the past, and another process may come in its place.
        assert_eq!(wait(own.attendance(), Duration::from_millis(200)).kind(), Kind::Timeout);
    }
}
