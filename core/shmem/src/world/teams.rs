// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Teams of a world.

use std::sync::Arc;

use mf_base::{Error, Result};

use super::World;
use crate::context::Context;
use crate::team::{Lists, SPLIT, Team, TeamOptions, grid, strided};

const SYNC: &str = "symmetric team sync";
const DESTROY: &str = "symmetric team destroy";

impl World {
    /// Returns the team of all PEs. **Local.**
    #[inline]
    pub fn team_world(&self) -> &Arc<Team> {
        self.teams.world()
    }

    /// Returns the team with a number, predefined ones included. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` no such team · `NotInit`.
    pub fn team_of(&self, operation: &'static str, number: u64) -> Result<Arc<Team>> {
        self.check(operation)?;
        self.teams.find(operation, number)
    }

    /// Returns the team at an index of this PE's list ([`Team::index`]), with any number. **Local.**
    pub fn team_at(&self, index: usize) -> Option<Arc<Team>> {
        self.teams.get_at(index)
    }

    /// Waits until all PEs of a team have arrived; completes only plain stores. **Collective** over the team.
    /// Waits at most for the control timeout.
    ///
    /// # Errors
    /// `Timeout` names a PE that did not arrive · `NotConnected` names a PE that has died or ended ·
    /// `InvalidParam` a PE is in another call · `RepeatInvoke` another thread is in a call of the team ·
    /// `NotInit` after [`end`](Self::end).
    pub fn team_sync(&self, team: &Team) -> Result<()> {
        self.check(SYNC)?;
        team.sync()
    }

    /// Translates the number of a PE of `from` to its number in `to`; `None` if `from` has no such PE, or it
    /// is not in `to`. **Local.**
    pub fn translate_pe(&self, from: &Team, pe: i32, to: &Team) -> Option<i32> {
        to.pe_of(from.world_pe(pe)?)
    }

    /// Creates a team of the PEs `start + i * stride` of a team, `size` in all; returns `None` on a PE that
    /// is not among them. **Collective** over the team; waits at most for the control timeout. `options`: an
    /// error of this PE makes the call fail on all. Threads that split one team do it one after the other.
    ///
    /// # Errors
    /// On all PEs of the team alike: `InvalidParam` invalid numbers of PEs, a stride of 0 for more than one
    /// PE, or arguments that differ between PEs · `NoResources` a PE has [`TEAMS_MAX`](crate::TEAMS_MAX);
    /// the team is unchanged then · errors of [`team_sync`](Self::team_sync).
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

    /// Creates several teams in one meeting, or none, and shows them to kernels.
    fn split<const N: usize>(&self, team: &Team, lists: Result<Lists<N>>) -> Result<[Option<Arc<Team>>; N]> {
        self.check(SPLIT)?;
        let teams = self.teams.split(team, lists)?;
        // In the same order on all PEs, so that there is no circular wait.
        teams.iter().flatten().for_each(|team| self.kernels.show_team(SPLIT, team, self.n_pes()));
        Ok(teams)
    }

    /// Destroys a team, and completes and destroys its contexts that are not private. **Collective** over the
    /// team, but its PEs do not wait for each other.
    ///
    /// # Errors
    /// `InvalidParam` a predefined team, or not a team of this PE; nothing was done · errors of
    /// [`Access::quiet`](crate::Access::quiet), on a context of the team; it is destroyed then, too ·
    /// `NotInit`.
    pub fn destroy_team(&self, number: u64) -> Result<()> {
        self.check(DESTROY)?;
        if self.teams.is_predefined(number) {
            return Err(Error::invalid(DESTROY, "a predefined team stays until the end")
                .hint("destroy teams that were split; nothing was done"));
        }
        let team = self.teams.find(DESTROY, number)?;
        self.kernels.hide_team(&team);
        let is_of_team =
            |context: &Context| Arc::ptr_eq(context.team(), &team) && !context.options().is_private;
        let quiet = self.contexts.destroy_all(is_of_team);
        self.teams.remove(number);
        quiet
    }
}
