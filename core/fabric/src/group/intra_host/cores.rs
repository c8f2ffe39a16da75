// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The cores on which members wait.
//!
//! The kernel wakes a thread near its waker, so two members may end on one core while other cores are free,
//! or run unrelated processes. Where each member can have a core, a waiting member writes the number of its
//! core into its control page, and moves if another member has written the same one.

use std::collections::BTreeSet;

use mf_base::os::scheduling;

use super::IntraHost;

/// Returns true if members that may use these cores can all run at once; a member without a list is not bound
/// to any.
pub(super) fn are_enough<'a>(members: impl Iterator<Item = &'a [u16]>) -> bool {
    let (mut bound, mut cores) = (0, BTreeSet::<&u16>::new());
    for list in members.filter(|list| !list.is_empty()) {
        bound += 1;
        cores.extend(list);
    }
    bound <= cores.len()
}

impl IntraHost {
    /// Moves this thread to another core if another member waits on its core, and each can have one.
    /// **Local.**
    pub(in crate::group) fn leave_shared_core(&self) {
        // Miri's threads have no cores.
        if !self.has_core || cfg!(miri) {
            return;
        }
        let own = scheduling::current_core();
        self.own_page().set_core(own);
        let others = self.seats.iter().enumerate().filter(|(place, _)| *place != self.own);
        let occupied: Vec<u16> = others.filter_map(|(_, seat)| seat.page().core()).collect();
        if occupied.contains(&own) && scheduling::leave_core(occupied.into_iter()) {
            self.own_page().set_core(scheduling::current_core());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_spin_if_each_has_a_core() {
        let each = |members: &[&[u16]]| are_enough(members.iter().copied());
        // A launcher has bound each to a separate core, or both to the same.
        assert!(each(&[&[0], &[1]]) && !each(&[&[1], &[1]]));
        assert!(each(&[&[], &[]]) && each(&[&[], &[3]]) && each(&[&[0, 1], &[0, 1]]));
        assert!(!each(&[&[0, 1], &[0, 1], &[0, 1]]));
    }
}
