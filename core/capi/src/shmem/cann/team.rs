// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Teams by small numbers: 0 is the team of all PEs, -1 none, others count from 1, the lowest free one first.
//! Each PE counts its own. Only instance 0 has teams besides the team of all.

use std::ffi::c_int;
use std::sync::Arc;

use mf_base::settings::{Generation, settings};
use mf_base::{Error, Result};
use mf_shmem::cann::codes::NOT_SUPPORTED;
use mf_shmem::{Team as WorldTeam, TeamOptions, World};

use super::instances::{self, Instance};
use super::types::{Team, TeamConfig};
use super::watch;
use crate::boundary::present;

/// No team.
const INVALID: Team = -1;
/// Bytes of a configuration: today, and in the first generations and the beginning of the second.
const CONFIG_BYTES: usize = 64;
const EARLY_CONFIG_BYTES: usize = 4;

/// Returns the team of a number. None if it does not exist or does not contain this PE.
fn find(instance: &Instance, team: Team) -> Option<Arc<WorldTeam>> {
    match usize::try_from(team).ok()? {
        0 => Some(Arc::clone(instance.world.team_world())),
        // The core has a second team of its own.
        number => instance.world.team_at(number + 1),
    }
}

fn number(team: &WorldTeam) -> Team {
    match team.index() {
        0 => 0,
        index => Team::try_from(index - 1).unwrap_or(INVALID),
    }
}

/// A number of a team; -1 of none, and before init.
fn query(team: Team, number: fn(&WorldTeam) -> i32) -> c_int {
    let team = instances::current().and_then(|instance| find(instance, team));
    team.map_or(-1, |team| number(&team))
}

pub(crate) fn aclshmem_team_my_pe(_op: &'static str, team: Team) -> Result<c_int> {
    Ok(query(team, WorldTeam::my_pe))
}

pub(crate) fn aclshmem_team_n_pes(_op: &'static str, team: Team) -> Result<c_int> {
    Ok(query(team, WorldTeam::n_pes))
}

pub(crate) fn aclshmem_team_translate_pe(
    op: &'static str,
    src_team: Team,
    src_pe: c_int,
    dest_team: Team,
) -> Result<c_int> {
    instances::current().map_or(Ok(()), |instance| has_teams(op, instance))?;
    let translated = instances::current().and_then(|instance| {
        let (from, to) = (find(instance, src_team)?, find(instance, dest_team)?);
        instance.world.translate_pe(&from, src_pe, &to)
    });
    Ok(translated.unwrap_or(-1))
}

/// Refuses an instance without teams of its own.
///
/// # Errors
/// `InvalidParam` with the code `NOT_SUPPORTED`.
fn has_teams(op: &'static str, instance: &Instance) -> Result<()> {
    if instance.id == 0 {
        return Ok(());
    }
    Err(Error::invalid(op, "only instance 0 has teams besides that of all PEs")
        .with("instance_id", instance.id)
        .code_of_family(NOT_SUPPORTED))
}

/// The parent of a split, and its world.
fn parent(op: &'static str, team: Team) -> Result<(&'static World, Arc<WorldTeam>)> {
    let instance = instances::get(op)?;
    has_teams(op, instance)?;
    let found = find(instance, team).ok_or_else(|| {
        Error::invalid(op, "unknown team, or this PE is not in it").with("parent_team", team)
    })?;
    Ok((&instance.world, found))
}

/// Writes a number of a team where the caller wants one.
///
/// # Safety
/// `to` is null or points to a number.
unsafe fn put(to: *mut Team, team: Team) {
    if !to.is_null() {
        // SAFETY: not null; passed on to the caller.
        unsafe { to.write(team) };
    }
}

pub(crate) unsafe fn aclshmem_team_split_strided(
    op: &'static str,
    parent_team: Team,
    pe_start: c_int,
    pe_stride: c_int,
    pe_size: c_int,
    new_team: *mut Team,
) -> Result<c_int> {
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(new_team, INVALID) };
    let (world, parent) = parent(op, parent_team)?;
    // The other PEs learn of wrong arguments, as they take part.
    let options = present(op, "new_team", new_team).and_then(|_| {
        if pe_stride >= 1 {
            return Ok(TeamOptions::default());
        }
        Err(Error::invalid(op, "the stride is less than 1").with("pe_stride", pe_stride))
    });
    if let Some(team) = world.split_strided(&parent, pe_start, pe_stride, pe_size, options)? {
        // SAFETY: null or a place for a team, on the word of the caller.
        unsafe { put(new_team, number(&team)) };
    }
    watch::changed();
    Ok(0)
}

pub(crate) unsafe fn aclshmem_team_split_2d(
    op: &'static str,
    parent_team: Team,
    x_range: c_int,
    x_team: *mut Team,
    y_team: *mut Team,
) -> Result<c_int> {
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(x_team, INVALID) };
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(y_team, INVALID) };
    let (world, parent) = parent(op, parent_team)?;
    let options = |name: &str, to: *mut Team| present(op, name, to).map(|_| TeamOptions::default());
    let (x_options, y_options) = (options("x_team", x_team), options("y_team", y_team));
    let (row, column) = world.split_2d(&parent, x_range.min(parent.n_pes()), x_options, y_options)?;
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(x_team, number(&row)) };
    // SAFETY: null or a place for a team, on the word of the caller.
    unsafe { put(y_team, number(&column)) };
    watch::changed();
    Ok(0)
}

/// Writes a configuration, which is all zero.
unsafe fn config(op: &'static str, team: Team, config: *mut TeamConfig, bytes: usize) -> Result<c_int> {
    let config = present(op, "config", config)?;
    let instance = instances::get(op)?;
    has_teams(op, instance)?;
    find(instance, team)
        .ok_or_else(|| Error::invalid(op, "unknown team, or this PE is not in it").with("team", team))?;
    // SAFETY: not null; the caller passes a configuration of its generation.
    unsafe { config.cast::<u8>().write_bytes(0, bytes) };
    Ok(0)
}

pub(crate) unsafe fn aclshmem_team_get_config(
    op: &'static str,
    team: Team,
    to: *mut TeamConfig,
) -> Result<c_int> {
    let is_early = match settings()?.symmetric_generation {
        Generation::EarlySecond => true,
        Generation::UpTo10 | Generation::UpTo15 | Generation::Head => false,
        Generation::Auto => super::header_generation::uses_4_byte_team_config(),
    };
    let bytes = if is_early { EARLY_CONFIG_BYTES } else { CONFIG_BYTES };
    // SAFETY: null or a configuration of the generation, on the word of the caller.
    unsafe { config(op, team, to, bytes) }
}

pub(crate) unsafe fn shmem_team_get_config(
    op: &'static str,
    team: Team,
    to: *mut TeamConfig,
) -> Result<c_int> {
    // SAFETY: null or a configuration of the generation, on the word of the caller.
    unsafe { config(op, team, to, EARLY_CONFIG_BYTES) }
}

pub(crate) fn aclshmem_team_destroy(op: &'static str, team: Team) -> Result<()> {
    let Some(instance) = instances::current() else { return Ok(()) };
    match find(instance, team) {
        Some(found) if team != 0 => {
            instance.world.destroy_team(found.number())?;
            watch::changed();
            Ok(())
        }
        _ => {
            tracing::debug!("{op}: team {team} is invalid or that of all PEs, and is kept");
            Ok(())
        }
    }
}

/// The team of a barrier; none: this PE has nothing to do there, which is logged.
///
/// # Errors
/// `NotInit` there is no instance.
pub(super) fn team_for_barrier(
    op: &'static str,
    team: Team,
) -> Result<Option<(&'static Instance, Arc<WorldTeam>)>> {
    let instance = instances::get(op)?;
    let found = find(instance, team);
    match &found {
        // A split returns it to PEs outside the new team.
        None if team == INVALID => tracing::debug!("{op}: team {team} is none; nothing is done"),
        None => tracing::warn!("{op}: there is no team {team}, or this PE is not in it; nothing is done"),
        Some(_) => {}
    }
    Ok(found.map(|team| (instance, team)))
}

pub(crate) fn aclshmem_barrier(op: &'static str, team: Team) -> Result<()> {
    if team == 0 {
        return super::order::aclshmem_barrier_all(op);
    }
    let Some((instance, team)) = team_for_barrier(op, team)? else { return Ok(()) };
    let quiet = instance.quiet();
    instance.world.team_sync(&team)?;
    quiet
}

pub(crate) fn aclshmem_sync(op: &'static str, team: Team) -> Result<()> {
    if team == 0 {
        return super::order::aclshmem_sync_all(op);
    }
    let Some((instance, team)) = team_for_barrier(op, team)? else { return Ok(()) };
    instance.world.team_sync(&team)
}

pub(crate) use {
    aclshmem_team_destroy as shmem_team_destroy, aclshmem_team_my_pe as shmem_team_my_pe,
    aclshmem_team_n_pes as shmem_team_n_pes, aclshmem_team_split_2d as shmem_team_split_2d,
    aclshmem_team_split_strided as shmem_team_split_strided,
    aclshmem_team_translate_pe as shmem_team_translate_pe,
};
