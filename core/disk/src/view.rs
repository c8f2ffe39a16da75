// SPDX-License-Identifier: Apache-2.0 OR MIT
//! View: the folders that have all removals so far, as the folders themselves record it.
//!
//! A folder that fails takes no tombstones. Before a removal returns that it does not have, the others
//! record a view without it, so that the next process erases its segments instead of reading them. Once it
//! works again and has the tombstones that it missed, a view with it follows.
//!
//! Successive views share a folder, and a tier is opened only if all members of the newest view found can
//! be read: so a later one cannot have stayed unseen.

use mf_base::sync::lock;
use rustix::io::Errno;

use crate::disk::Area;
use crate::disks::Disks;
use crate::engine::Engine;
use crate::fields::{self, u64_at};

/// Bytes of a view on disk.
const VIEW_BYTES: usize = 64;
/// Most folders of a tier.
pub(crate) const FOLDERS_MAX: usize = 64;

/// Folders by number, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Members(u64);

impl Members {
    pub(crate) fn has(self, folder: usize) -> bool {
        folder < FOLDERS_MAX && self.0 >> folder & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These and other folders.
    pub(crate) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns true if a folder is among both.
    pub(crate) fn meet(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Returns true if all these folders are `others`, too.
    pub(crate) fn are_in(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

impl FromIterator<usize> for Members {
    fn from_iter<I: IntoIterator<Item = usize>>(folders: I) -> Self {
        Self(folders.into_iter().filter(|folder| *folder < FOLDERS_MAX).fold(0, |bits, one| bits | 1 << one))
    }
}

/// See the module documentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) number: u64,
    pub(crate) members: Members,
}

impl View {
    fn encode(&self, set: u64) -> [u8; VIEW_BYTES] {
        let mut bytes = [0; VIEW_BYTES];
        fields::put(&mut bytes, 0, &set.to_le_bytes());
        fields::put(&mut bytes, 8, &self.number.to_le_bytes());
        fields::put(&mut bytes, 16, &self.members.0.to_le_bytes());
        fields::seal(&mut bytes);
        bytes
    }

    fn decode(bytes: &[u8], set: u64) -> Option<Self> {
        let is_ours = fields::is_sealed(bytes) && u64_at(bytes, 0) == set;
        is_ours.then(|| Self { number: u64_at(bytes, 8), members: Members(u64_at(bytes, 16)) })
    }

    /// Position on disk: two places take turns, so that a torn write leaves the view before.
    fn position(&self) -> u64 {
        self.number % 2 * VIEW_BYTES as u64
    }
}

/// Views of all folders of a tier that is opened.
pub(crate) struct Found {
    /// Newest view.
    pub(crate) view: View,
    /// Folders that cannot be read.
    pub(crate) failed: Vec<(usize, Errno)>,
}

/// Reads the views. A tier with one folder has none.
///
/// # Errors
/// The kernel's, for a folder whose segments count.
pub(crate) fn read(disks: &Disks, set: u64) -> Result<Found, Errno> {
    let (mut newest, mut failed) = (None::<View>, Vec::new());
    let all: Members = (0..disks.count()).collect();
    if disks.count() == 1 {
        return Ok(Found { view: View { number: 0, members: all }, failed });
    }
    for folder in 0..disks.count() {
        let mut bytes = [0; 2 * VIEW_BYTES];
        match disks.disk(folder).read(Area::View, 0, &mut bytes) {
            Ok(()) => {
                let views = bytes.chunks_exact(VIEW_BYTES).filter_map(|one| View::decode(one, set));
                newest = newest.into_iter().chain(views).max_by_key(|view| view.number);
            }
            Err(errno) => failed.push((folder, errno)),
        }
    }
    let view = newest.unwrap_or(View { number: 0, members: all });
    match failed.iter().find(|(folder, _)| view.members.has(*folder)) {
        Some((_, errno)) => Err(*errno),
        None => Ok(Found { view, failed }),
    }
}

impl Engine {
    /// Records the folders that work now, on all of them, if that has changed.
    pub(crate) fn update_view(&self) {
        let _turn = lock(&self.view_turn);
        while self.disks.count() > 1 {
            let view = {
                let mut state = lock(&self.state);
                let members = state.working();
                let is_known = state.is_view_certain && members == state.view.members;
                // Without a folder of the views before, removals are in memory alone until one works.
                let follows = members.meet(state.view.members) && members.meet(state.last_members);
                if is_known || !follows {
                    return;
                }
                state.last_members = members;
                // Until all have it, a later process may find this view or the one before.
                state.is_view_certain = false;
                state.view.number += 1;
                state.view.members = state.view.members.and(members);
                View { number: state.view.number, members }
            };
            let bytes = view.encode(self.options.set);
            let mut is_written = true;
            for folder in (0..self.disks.count()).filter(|folder| view.members.has(*folder)) {
                let call = self.begin_call(folder);
                let written = self.disks.disk(folder).write(Area::View, view.position(), &bytes);
                drop(call);
                if let Err(errno) = written {
                    self.switch_off(folder, "write of a view", errno);
                    is_written = false;
                }
            }
            if is_written {
                let mut state = lock(&self.state);
                state.view.members = view.members;
                state.is_view_certain = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_is_read_back_and_damage_is_found() {
        let view = View { number: 7, members: [0, 2, 63].into_iter().collect() };
        let mut bytes = view.encode(3);
        assert_eq!(View::decode(&bytes, 3), Some(view));
        assert_eq!(View::decode(&bytes, 4), None);
        bytes[16] ^= 2;
        assert_eq!(View::decode(&bytes, 3), None);
        assert!(view.members.has(63) && !view.members.has(1) && !view.members.has(64));
        assert!(view.members.are_in((0..64).collect()) && !view.members.are_in([0, 2].into_iter().collect()));
    }
}
