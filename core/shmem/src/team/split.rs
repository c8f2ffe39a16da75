// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Team splitting, by one allgather among the PEs of the parent; the store is not used.
//!
//! **All or none.** A PE that cannot take part, because it has no room or got invalid arguments, reports that
//! in the same allgather, and all PEs fail. Only a PE that does not arrive leaves the others waiting, until
//! the control timeout.

use std::sync::Arc;

use mf_base::{Error, Kind, Rank, Result};

use super::{Team, TeamOptions};
use crate::World;

const SPLIT: &str = "symmetric team split";
const DESTROY: &str = "symmetric team destroy";

/// Most teams of a program at a time, besides the first ones.
pub const TEAMS_MAX: usize = 2048;

impl World {
    /// Creates a team of the PEs `start + i * stride` of a team, `size` in all; returns `None` on a PE that
    /// is not among them. **Collective** over the team; waits at most for the control timeout. `options`: an
    /// error of this PE makes the call fail on all.
    ///
    /// # Errors
    /// On all PEs of the team alike: `InvalidParam` invalid numbers of PEs, a stride of 0 for more than one
    /// PE, or arguments that differ between PEs · `NoResources` a PE has [`TEAMS_MAX`]; the team is
    /// unchanged then · errors of [`team_sync`](Self::team_sync).
    pub fn split_strided(
        &self,
        team: &Team,
        start: i32,
        stride: i32,
        size: i32,
        options: Result<TeamOptions>,
    ) -> Result<Option<Arc<Team>>> {
        let made = options.and_then(|options| Ok([(strided(team, start, stride, size)?, options)]));
        let [made] = self.split(team, made)?;
        Ok(made)
    }

    /// Arranges the PEs of a team, in order, in a grid of `xrange` columns, and creates a team of each row
    /// and each column. Returns the teams of this PE's row and column. **Collective** over the team.
    ///
    /// # Errors
    /// As [`split_strided`](Self::split_strided); `InvalidParam` fewer than one column.
    pub fn split_2d(
        &self,
        team: &Team,
        xrange: i32,
        xaxis: Result<TeamOptions>,
        yaxis: Result<TeamOptions>,
    ) -> Result<(Arc<Team>, Arc<Team>)> {
        let made = xaxis.and_then(|xaxis| {
            let (yaxis, [row, column]) = (yaxis?, grid(team, xrange)?);
            Ok([(row, xaxis), (column, yaxis)])
        });
        match self.split(team, made)? {
            [Some(row), Some(column)] => Ok((row, column)),
            _ => Err(Error::invalid(SPLIT, "a team without this PE")),
        }
    }

    /// Creates several teams in one meeting, or none.
    fn split<const N: usize>(
        &self,
        team: &Team,
        made: Result<[(Vec<Rank>, TeamOptions); N]>,
    ) -> Result<[Option<Arc<Team>>; N]> {
        self.check(SPLIT)?;
        team.settle()?;
        let others = &self.teams().others;
        let mut numbers = [0; N];
        let made = made.and_then(|made| {
            for (number, (members, _)) in numbers.iter_mut().zip(&made) {
                *number = if members.is_empty() { 0 } else { others.take().ok_or_else(exhausted)? };
            }
            Ok(made)
        });
        let made = made.inspect_err(|_| {
            // The others learn that this PE refuses; its own reason is more precise than their error.
            if let Err(refusal) = team.group().refuse_split::<N>(team.deadline()) {
                tracing::debug!("a split was refused: {refusal}");
            }
        });
        let split = made.and_then(|made| {
            let lists = made.each_ref().map(|(members, _)| members.as_slice());
            let groups = team.group().split_into(lists, team.deadline())?;
            Ok((made, groups))
        });
        let (made, groups) = split.inspect_err(|_| {
            for number in numbers {
                others.remove(number);
            }
        })?;
        let mut teams = [const { None }; N];
        for (((place, group), number), (_, options)) in teams.iter_mut().zip(groups).zip(numbers).zip(made) {
            *place = group.map(|group| {
                let made = Team::new(group, number, team.timeout, options);
                others.put(number, Arc::clone(&made));
                made
            });
        }
        // In the same order on all PEs, so that there is no circular wait.
        teams.iter().flatten().for_each(|team| self.show_to_kernels(SPLIT, team));
        Ok(teams)
    }

    /// Destroys a team, and completes and destroys its contexts that are not private. **Collective** over the
    /// team, but its PEs do not wait for each other.
    ///
    /// # Errors
    /// `InvalidParam` a predefined team, or not a team of this PE; nothing was done · those of
    /// [`Access::quiet`](crate::Access::quiet), on a context of the team; it is destroyed then, too ·
    /// `NotInit`.
    pub fn destroy_team(&self, number: u64) -> Result<()> {
        self.check(DESTROY)?;
        if [self.team_world(), self.team_shared()].iter().any(|team| team.number() == number) {
            return Err(Error::invalid(DESTROY, "a predefined team stays until the end")
                .hint("destroy teams that were split; nothing was done"));
        }
        let team = self.team_of(DESTROY, number)?;
        self.hide_from_kernels(&team);
        let is_of_team =
            |context: &crate::Context| Arc::ptr_eq(context.team(), &team) && !context.options().is_private;
        let quiet = self.contexts().destroy(is_of_team);
        self.teams().others.remove(number);
        quiet
    }
}

/// Returns the PEs of a split; empty if this one is not among them.
///
/// # Errors
/// `InvalidParam` invalid PEs.
fn strided(team: &Team, start: i32, stride: i32, size: i32) -> Result<Vec<Rank>> {
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
fn grid(team: &Team, xrange: i32) -> Result<[Vec<Rank>; 2]> {
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
