// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Team splitting, by one allgather among the PEs of the parent; the store is not used.
//!
//! **All or none.** A PE that cannot take part, because it has no room or got invalid arguments, reports that
//! in the same allgather, and all PEs fail. Only a PE that does not arrive leaves the others waiting, until
//! the control timeout.

use std::sync::Arc;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result};

use super::{Team, TeamOptions, Teams};

pub(crate) const SPLIT: &str = "symmetric team split";

/// Most teams of a program at a time, besides the first ones.
pub const TEAMS_MAX: usize = 2048;

/// The members of teams that one meeting makes, and their options; empty: without this PE.
pub(crate) type Lists<const N: usize> = [(Vec<Rank>, TeamOptions); N];

impl Teams {
    /// Creates several teams in one meeting of a team's PEs, or none. `lists`: an error makes the call fail
    /// on all PEs. Threads that split one team do it one after the other.
    ///
    /// # Errors
    /// The error of `lists` · `NoResources` a PE has [`TEAMS_MAX`] · errors of a meeting.
    pub(crate) fn split<const N: usize>(
        &self,
        team: &Team,
        lists: Result<Lists<N>>,
    ) -> Result<[Option<Arc<Team>>; N]> {
        let _splitting = lock(&team.splitting);
        team.settle()?;
        let others = &self.others;
        let mut numbers = [0; N];
        let lists = lists.and_then(|lists| {
            for (number, (members, _)) in numbers.iter_mut().zip(&lists) {
                *number = if members.is_empty() { 0 } else { others.take().ok_or_else(exhausted)? };
            }
            Ok(lists)
        });
        let lists = lists.inspect_err(|_| {
            // The others learn that this PE refuses; its own reason is more precise than their error.
            if let Err(refusal) = team.group().refuse_split::<N>(team.deadline()) {
                tracing::debug!("a split was refused: {refusal}");
            }
        });
        let split = lists.and_then(|lists| {
            let members = lists.each_ref().map(|(members, _)| members.as_slice());
            let groups = team.group().split_into(members, team.deadline())?;
            Ok((lists, groups))
        });
        let (lists, groups) = split.inspect_err(|_| {
            for number in numbers {
                others.remove(number);
            }
        })?;
        let mut teams = [const { None }; N];
        for (((place, group), number), (_, options)) in teams.iter_mut().zip(groups).zip(numbers).zip(lists) {
            *place = group.map(|group| {
                let made = Team::new(group, number, team.timeout, options);
                others.put(number, Arc::clone(&made));
                made
            });
        }
        Ok(teams)
    }
}

/// Returns the PEs of a split; empty if this one is not among them.
///
/// # Errors
/// `InvalidParam` invalid PEs.
pub(crate) fn strided(team: &Team, start: i32, stride: i32, size: i32) -> Result<Vec<Rank>> {
    let refused = |what: &str| {
        Error::invalid(SPLIT, what)
            .with("start", start)
            .with("stride", stride)
            .with("size", size)
            .with("n_pes", team.n_pes())
            .hint("PEs start, start + stride, ... of the parent, each from 0 to below its size")
    };
    if size < 1 {
        return Err(refused("a team has at least one PE"));
    }
    if stride == 0 && size > 1 {
        return Err(refused("a stride of 0 names one PE again and again"));
    }
    let last = i64::from(start) + i64::from(stride) * i64::from(size - 1);
    let pes = 0..i64::from(team.n_pes());
    if !pes.contains(&i64::from(start)) || !pes.contains(&last) {
        return Err(refused("the team would have PEs that its parent does not have"));
    }
    let members = || (0..size).map(|place| start + stride * place);
    if !members().any(|pe| pe == team.my_pe()) {
        return Ok(Vec::new());
    }
    Ok(members().filter_map(|pe| team.world_pe(pe)).map(|pe| Rank(pe.cast_unsigned())).collect())
}

/// Returns the row and the column of this PE.
///
/// # Errors
/// `InvalidParam` no columns.
pub(crate) fn grid(team: &Team, xrange: i32) -> Result<[Vec<Rank>; 2]> {
    if xrange < 1 {
        return Err(Error::invalid(SPLIT, "a grid has at least one column").with("xrange", xrange));
    }
    let (n, own) = (team.n_pes(), team.my_pe());
    let columns = xrange.min(n);
    let (x, y) = (own % columns, own / columns);
    let row = strided(team, y * columns, 1, columns.min(n - y * columns))?;
    Ok([row, strided(team, x, columns, (n - x - 1) / columns + 1)?])
}

#[cold]
fn exhausted() -> Error {
    Error::new(Kind::NoResources, SPLIT)
        .what("this PE is in too many teams")
        .with("limit", TEAMS_MAX)
        .hint("destroy teams that are not needed")
}
