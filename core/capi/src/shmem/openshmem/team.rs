// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Teams.

use std::ffi::{c_int, c_long, c_void};
use std::sync::Arc;

use mf_base::{Error, Result};
use mf_shmem::{TeamOptions, World};

use super::types::{Team, TeamConfig};
use super::{init, world};

/// SHMEM_TEAM_NUM_CONTEXTS.
const NUM_CONTEXTS: c_long = 1;

/// Result for an argument that the standard allows to be invalid.
pub(super) const REFUSED: c_int = -1;

impl Team {
    /// SHMEM_TEAM_WORLD.
    pub(super) const WORLD: Self = Self(std::ptr::without_provenance_mut(1));
    pub(super) const INVALID: Self = Self(std::ptr::null_mut());

    /// The handle of a team.
    pub(super) fn handle_of(team: &mf_shmem::Team) -> Self {
        let number = usize::try_from(team.number()).unwrap_or(0);
        Self(std::ptr::without_provenance_mut::<c_void>(number))
    }

    /// Returns true for SHMEM_TEAM_INVALID.
    pub(super) fn is_invalid(self) -> bool {
        self.0.is_null()
    }

    /// Calls `call` with the team.
    ///
    /// # Errors
    /// `InvalidParam` there is no such team · `NotInit` · errors of `call`.
    #[inline]
    pub(super) fn with<R>(
        self,
        op: &'static str,
        call: impl FnOnce(&'static World, &Arc<mf_shmem::Team>) -> Result<R>,
    ) -> Result<R> {
        let (world, team) = self.find(op)?;
        call(world, team.as_ref().unwrap_or_else(|| world.team_world()))
    }

    /// Returns the world and the team; `None`: the world's own. Out of line, as hundreds of functions use it.
    #[inline(never)]
    fn find(self, op: &'static str) -> Result<(&'static World, Option<Arc<mf_shmem::Team>>)> {
        let world = world::get(op)?;
        let team = if self == Self::WORLD { None } else { Some(world.team_of(op, self.0.addr() as u64)?) };
        Ok((world, team))
    }
}

pub(crate) fn team_my_pe(op: &'static str, team: Team) -> Result<c_int> {
    query(op, team, |team| team.my_pe())
}

pub(crate) fn team_n_pes(op: &'static str, team: Team) -> Result<c_int> {
    query(op, team, |team| team.n_pes())
}

/// A number of a team; -1 of none, and where there is no world.
fn query(op: &'static str, team: Team, number: fn(&mf_shmem::Team) -> i32) -> Result<c_int> {
    if team.is_invalid() || world::current().is_none() {
        return Ok(-1);
    }
    team.with(op, |_, team| Ok(number(team)))
}

pub(crate) unsafe fn team_get_config(
    op: &'static str,
    team: Team,
    config_mask: c_long,
    config: *mut TeamConfig,
) -> Result<c_int> {
    if team.is_invalid() {
        return Ok(REFUSED);
    }
    team.with(op, |_, team| {
        check_mask(op, config_mask)?;
        if config_mask & NUM_CONTEXTS != 0 {
            let config = mf_boundary::present(op, "the configuration", config)?;
            // SAFETY: not null; the caller passes a configuration.
            unsafe { config.write(TeamConfig { num_contexts: team.options().num_contexts }) };
        }
        Ok(0)
    })
}

pub(crate) fn team_translate_pe(
    op: &'static str,
    src_team: Team,
    src_pe: c_int,
    dest_team: Team,
) -> Result<c_int> {
    if src_team.is_invalid() || dest_team.is_invalid() || world::current().is_none() {
        return Ok(-1);
    }
    src_team.with(op, |world, from| {
        dest_team.with(op, |_, to| Ok(world.translate_pe(from, src_pe, to).unwrap_or(-1)))
    })
}

pub(crate) unsafe fn team_split_strided(
    op: &'static str,
    parent: Team,
    start: c_int,
    stride: c_int,
    size: c_int,
    config: *const TeamConfig,
    config_mask: c_long,
    new_team: *mut Team,
) -> Result<c_int> {
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(new_team, Team::INVALID) };
    if parent.is_invalid() {
        return Ok(REFUSED);
    }
    let place = mf_boundary::present(op, "the place of the new team", new_team);
    // SAFETY: null, or an initialised configuration of the caller.
    let options = place.and_then(|_| unsafe { options(op, config, config_mask) });
    let made = parent.with(op, |world, parent| world.split_strided(parent, start, stride, size, options))?;
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(new_team, made.map_or(Team::INVALID, |team| Team::handle_of(&team))) };
    Ok(0)
}

pub(crate) unsafe fn team_split_2d(
    op: &'static str,
    parent: Team,
    xrange: c_int,
    xaxis_config: *const TeamConfig,
    xaxis_mask: c_long,
    xaxis_team: *mut Team,
    yaxis_config: *const TeamConfig,
    yaxis_mask: c_long,
    yaxis_team: *mut Team,
) -> Result<c_int> {
    for place in [xaxis_team, yaxis_team] {
        // SAFETY: null or a place for a team, on the word of the caller.
        unsafe { put(place, Team::INVALID) };
    }
    if parent.is_invalid() {
        return Ok(REFUSED);
    }
    let place = |place| mf_boundary::present(op, "the place of a new team", place);
    // SAFETY: null, or an initialised configuration of the caller.
    let xaxis = place(xaxis_team).and_then(|_| unsafe { options(op, xaxis_config, xaxis_mask) });
    // SAFETY: null, or an initialised configuration of the caller.
    let yaxis = place(yaxis_team).and_then(|_| unsafe { options(op, yaxis_config, yaxis_mask) });
    let (row, column) = parent.with(op, |world, parent| world.split_2d(parent, xrange, xaxis, yaxis))?;
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(xaxis_team, Team::handle_of(&row)) };
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(yaxis_team, Team::handle_of(&column)) };
    Ok(0)
}

/// # Safety
/// It is null, or a place for a handle.
unsafe fn put(place: *mut Team, team: Team) {
    if !place.is_null() {
        // SAFETY: null or a place for a team, on the word of the caller.
        unsafe { place.write(team) };
    }
}

/// Reads a configuration.
///
/// # Errors
/// `InvalidParam` unknown fields, null with named fields, or an invalid number.
///
/// # Safety
/// It is null, or a configuration.
unsafe fn options(op: &'static str, config: *const TeamConfig, mask: c_long) -> Result<TeamOptions> {
    check_mask(op, mask)?;
    if mask & NUM_CONTEXTS == 0 {
        return Ok(TeamOptions::default());
    }
    let config = mf_boundary::present(op, "the configuration", config.cast_mut())?;
    // SAFETY: not null; passed on to the caller.
    let TeamConfig { num_contexts } = unsafe { config.read() };
    if num_contexts < 0 {
        return Err(Error::invalid(op, "a number of contexts is negative").with("num_contexts", num_contexts));
    }
    Ok(TeamOptions { num_contexts })
}

fn check_mask(op: &'static str, mask: c_long) -> Result<()> {
    if mask & !NUM_CONTEXTS == 0 {
        return Ok(());
    }
    Err(Error::invalid(op, "the mask names fields that there are not")
        .with("config_mask", format!("{mask:#x}"))
        .hint("SHMEM_TEAM_NUM_CONTEXTS is 1"))
}

pub(crate) fn team_destroy(op: &'static str, team: Team) -> Result<()> {
    if team.is_invalid() { Ok(()) } else { world::get(op)?.destroy_team(team.0.addr() as u64) }
}

pub(crate) fn team_sync(op: &'static str, team: Team) -> Result<c_int> {
    team.with(op, |world, team| world.team_sync(team)).map(|()| 0)
}

pub(crate) fn team_ptr(op: &'static str, team: Team, dest: *const c_void, pe: c_int) -> Result<*mut c_void> {
    if team.is_invalid() || world::current().is_none() {
        return Ok(std::ptr::null_mut());
    }
    team.with(op, |_, team| match team.world_pe(pe) {
        Some(pe) => init::ptr(op, dest, pe),
        None => Ok(std::ptr::null_mut()),
    })
}
