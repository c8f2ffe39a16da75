// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rank and number of ranks from the variables of launchers, and what launchers that contradict each other
//! amount to.

use mf_base::{Error, Result};
use mf_store::check_world_size;

use super::variables::{Variables, missing, unusable};
use super::{Launcher, OPERATION};

/// Values that a launcher gives to this process.
#[derive(Clone, Copy, Debug)]
pub(super) struct LauncherInfo {
    pub(super) launcher: Launcher,
    /// Its usual name.
    pub(super) title: &'static str,
    /// The variable of the rank; empty if the launcher has none.
    pub(super) variable: &'static str,
    pub(super) rank: Option<u32>,
    pub(super) world_size: u32,
    pub(super) local_rank: Option<u32>,
    pub(super) local_size: Option<u32>,
}

impl LauncherInfo {
    /// Returns true if all ranks are known to be on this host.
    pub(super) fn is_one_host(&self) -> bool {
        self.world_size == 1 || self.local_size == Some(self.world_size)
    }
}

/// Variable names of a launcher.
struct Names {
    launcher: Launcher,
    title: &'static str,
    rank: &'static str,
    size: &'static str,
    local_rank: &'static str,
    local_size: &'static str,
}

const TORCHRUN: Names = Names {
    launcher: Launcher::Torchrun,
    title: "torchrun",
    rank: "RANK",
    size: "WORLD_SIZE",
    local_rank: "LOCAL_RANK",
    local_size: "LOCAL_WORLD_SIZE",
};
const OPEN_MPI: Names = Names {
    launcher: Launcher::OpenMpi,
    title: "Open MPI",
    rank: "OMPI_COMM_WORLD_RANK",
    size: "OMPI_COMM_WORLD_SIZE",
    local_rank: "OMPI_COMM_WORLD_LOCAL_RANK",
    local_size: "OMPI_COMM_WORLD_LOCAL_SIZE",
};
const PMI: Names = Names {
    launcher: Launcher::Pmi,
    title: "PMI (MPICH, Intel MPI)",
    rank: "PMI_RANK",
    size: "PMI_SIZE",
    local_rank: "MPI_LOCALRANKID",
    local_size: "MPI_LOCALNRANKS",
};
/// The size of a PMIx job is not in its environment, so the user has to set it.
const PMIX: Names = Names { title: "PMIx", rank: "PMIX_RANK", size: "WORLD_SIZE", ..PMI };
/// The number of pods of an indexed job is not in its environment either. A pod is one process.
const KUBERNETES: Names = Names {
    launcher: Launcher::Kubernetes,
    title: "Kubernetes",
    rank: "JOB_COMPLETION_INDEX",
    size: "WORLD_SIZE",
    local_rank: "",
    local_size: "",
};
const SLURM: &str = "Slurm";
/// Set by torchrun besides, and likewise by `mf run`; a RANK without it may have been set by hand.
const RUN: &str = "TORCHELASTIC_RUN_ID";
/// Prefix of the names of `mf run`'s runs.
const OWN_RUN: &str = "mf-";

/// The variable that distinguishes a rank of `srun` from the script of a batch job.
const STEP: &str = "SLURM_STEP_ID";

/// Finds the innermost launcher and its values. `None` if no launcher has started this process.
pub(super) fn find(variables: Variables<'_>) -> Result<Option<LauncherInfo>> {
    if variables.is_set(TORCHRUN.rank) {
        let title = match variables.text(RUN) {
            None => "the environment",
            Some(run) if run.starts_with(OWN_RUN) => "mf run",
            Some(_) => TORCHRUN.title,
        };
        let found = named(variables, &Names { title, ..TORCHRUN })?;
        refuse_contradiction(variables, &found)?;
        return Ok(Some(found));
    }
    if variables.is_set(OPEN_MPI.rank) {
        let found = named(variables, &OPEN_MPI)?;
        refuse_contradiction(variables, &found)?;
        return Ok(Some(found));
    }
    let in_step = is_in_step(variables);
    if variables.is_set(PMI.rank) && !(in_step && srun_speaks_pmi(variables)) {
        return named(variables, &PMI).map(Some);
    }
    if in_step {
        return slurm(variables).map_err(|error| error.with("launcher", SLURM)).map(Some);
    }
    if variables.is_set(PMIX.rank) {
        return named(variables, &PMIX).map(Some);
    }
    if variables.is_set(KUBERNETES.rank) {
        let found = named(variables, &KUBERNETES);
        return match variables.is_set(KUBERNETES.size) {
            true => found.map(Some),
            false => found.map(Some).map_err(|error| {
                error.hint(
                    "set WORLD_SIZE to the number of completions of the job; or RANK=0 and WORLD_SIZE=1 where each pod is a job \
                     of its own",
                )
            }),
        };
    }
    // A number of ranks without a rank is as useless as the reverse, and does not mean automatic ranks.
    for names in [&OPEN_MPI, &PMI] {
        if variables.is_set(names.size) {
            return Err(missing(names.rank, names.size).with("launcher", names.title));
        }
    }
    let Some(world_size) = variables.number(TORCHRUN.size)? else { return Ok(None) };
    check(TORCHRUN.size, world_size, TORCHRUN.rank, None)?;
    Ok(Some(LauncherInfo {
        launcher: Launcher::Nobody,
        title: "the environment",
        variable: "",
        rank: None,
        world_size,
        local_rank: None,
        local_size: None,
    }))
}

fn named(variables: Variables<'_>, names: &Names) -> Result<LauncherInfo> {
    let read = || {
        let rank = variables.number(names.rank)?;
        let world_size = variables.number(names.size)?.ok_or_else(|| missing(names.size, names.rank))?;
        let local_rank = variables.number(names.local_rank)?;
        let local_size = variables.number(names.local_size)?;
        check(names.size, world_size, names.rank, rank)?;
        check_local(names.local_size, local_size, names.local_rank, local_rank, world_size)?;
        let (launcher, title, variable) = (names.launcher, names.title, names.rank);
        Ok(LauncherInfo { launcher, title, variable, rank, world_size, local_rank, local_size })
    };
    read().map_err(|error: Error| error.with("launcher", names.title))
}

/// Refuses contradicting values of another launcher, when one of the two is left over from elsewhere: then
/// each process of that other launcher would be the same rank of a job of its own.
///
/// torchrun and `mf run` set the name of their run, so they are known to be the inner ones. A step of Slurm
/// starts other launchers as a rule; a RANK without a local rank in such a step was not set by a launcher. A
/// launcher of one process contradicts no other: it starts others.
fn refuse_contradiction(variables: Variables<'_>, found: &LauncherInfo) -> Result<()> {
    let is_torch = found.launcher == Launcher::Torchrun;
    if is_torch && variables.is_set(RUN) {
        return Ok(());
    }
    let by_srun = is_in_step(variables) && srun_speaks_pmi(variables);
    let open_mpi = is_torch.then_some((OPEN_MPI.title, OPEN_MPI.rank, OPEN_MPI.size));
    let pmi = (!by_srun).then_some((PMI.title, PMI.rank, PMI.size));
    let slurm = (is_torch && is_in_step(variables) && found.local_rank.is_none()).then_some((
        SLURM,
        "SLURM_PROCID",
        slurm_size(variables),
    ));
    for (title, rank_name, size_name) in [open_mpi, pmi, slurm].into_iter().flatten() {
        let (Some(rank), Some(size)) = (variables.number(rank_name)?, variables.number(size_name)?) else {
            continue;
        };
        if size > 1 && (found.rank, found.world_size) != (Some(rank), size) {
            let (variable, own) = (found.variable, found.rank.unwrap_or(0));
            return Err(Error::invalid(
                OPERATION,
                format!(
                    "two launchers disagree: {variable} says that this process is rank {own} of {}, and {rank_name} that it \
                     is rank {rank} of {size}",
                    found.world_size
                ),
            )
            .with("variable", variable)
            .with("launcher", found.title)
            .with("other_launcher", title)
            .hint(format!(
                "unset the variables that are left over from another run, {variable} or {rank_name} (env -u {variable} …)"
            )));
        }
    }
    Ok(())
}

/// Returns true if other ranks are reached by the names of pods.
pub(super) fn is_pod(variables: Variables<'_>) -> bool {
    variables.is_set(KUBERNETES.rank)
}

/// Returns true if a step of Slurm has started this process or one of its ancestors.
fn is_in_step(variables: Variables<'_>) -> bool {
    variables.is_set("SLURM_PROCID") && variables.is_set(STEP)
}

/// Returns true if the PMI variables come from the `srun` that also set Slurm's, and not from a launcher
/// below it.
fn srun_speaks_pmi(variables: Variables<'_>) -> bool {
    let same = |pmi, slurm| variables.text(pmi) == variables.text(slurm);
    same(PMI.rank, "SLURM_PROCID") && same(PMI.size, slurm_size(variables))
}

fn slurm_size(variables: Variables<'_>) -> &'static str {
    // Under srun that starts a part of the job's tasks, older releases leave the job's number in the other
    // one.
    if variables.is_set("SLURM_STEP_NUM_TASKS") { "SLURM_STEP_NUM_TASKS" } else { "SLURM_NTASKS" }
}

fn slurm(variables: Variables<'_>) -> Result<LauncherInfo> {
    let (rank_name, size_name, local_name) = ("SLURM_PROCID", slurm_size(variables), "SLURM_LOCALID");
    let tasks_name = "SLURM_STEP_TASKS_PER_NODE";
    let rank = variables.number(rank_name)?;
    let world_size = variables.number(size_name)?.ok_or_else(|| missing(size_name, rank_name))?;
    let local_rank = variables.number(local_name)?;
    let local_size = match (variables.text(tasks_name), variables.number("SLURM_NODEID")?) {
        (Some(tasks), Some(node)) => Some(tasks_on_node(tasks, node).ok_or_else(|| {
            unusable(tasks_name, tasks, &format!("it has no number of tasks of host {node}"))
        })?),
        _ => None,
    };
    check(size_name, world_size, rank_name, rank)?;
    check_local(tasks_name, local_size, local_name, local_rank, world_size)?;
    let (launcher, title, variable) = (Launcher::Slurm, SLURM, rank_name);
    Ok(LauncherInfo { launcher, title, variable, rank, world_size, local_rank, local_size })
}

/// The number of tasks on host number `node` by a list such as `2(x3),1`: three hosts with two tasks, then
/// one.
pub(super) fn tasks_on_node(list: &str, node: u32) -> Option<u32> {
    let mut left = node;
    for part in list.split(',') {
        let (tasks, hosts) = match part.split_once("(x") {
            Some((tasks, hosts)) => (tasks, hosts.strip_suffix(')')?.parse().ok()?),
            None => (part, 1_u32),
        };
        let tasks = tasks.parse().ok()?;
        match left.checked_sub(hosts) {
            Some(rest) => left = rest,
            None => return Some(tasks),
        }
    }
    None
}

/// Checks a rank and a number of ranks; errors use the launcher's names.
pub(super) fn check(
    size_name: &'static str,
    world_size: u32,
    rank_name: &'static str,
    rank: Option<u32>,
) -> Result<()> {
    check_world_size(world_size).map_err(|failure| {
        failure.into_error(OPERATION).with("variable", size_name).with("value", world_size)
    })?;
    match rank {
        Some(rank) if rank >= world_size => Err(contradiction(rank_name, rank, size_name, world_size)),
        _ => Ok(()),
    }
}

fn check_local(
    size_name: &'static str,
    local_size: Option<u32>,
    rank_name: &'static str,
    local_rank: Option<u32>,
    world_size: u32,
) -> Result<()> {
    if let Some(size) = local_size
        && (size == 0 || size > world_size)
    {
        return Err(unusable(
            size_name,
            &size.to_string(),
            &format!("a host of a job of {world_size} ranks has 1 to {world_size}"),
        ));
    }
    match local_rank {
        Some(rank) if rank >= local_size.unwrap_or(world_size) => {
            let (name, size) = match local_size {
                Some(size) => (size_name, size),
                None => ("number of ranks", world_size),
            };
            Err(contradiction(rank_name, rank, name, size))
        }
        _ => Ok(()),
    }
}

fn contradiction(rank_name: &'static str, rank: u32, size_name: &str, size: u32) -> Error {
    unusable(rank_name, &rank.to_string(), &format!("{size_name} is {size}, and ranks count from 0"))
}

/// The error for a process without a launcher.
pub(super) fn no_launcher(variables: Variables<'_>, store_url: &str) -> Error {
    let what = if variables.is_set("SLURM_JOB_ID") && !variables.is_set(STEP) {
        "this process is in a Slurm job but was not started by srun, so it has no rank"
    } else if store_url.is_empty() {
        "no launcher has started this process"
    } else {
        "the store of the job is known, but not how many ranks there are"
    };
    Error::invalid(OPERATION, what)
        .with(
            "looked_for",
            "RANK and WORLD_SIZE (torchrun, mf run), OMPI_COMM_WORLD_RANK (Open MPI), PMI_RANK (Hydra), SLURM_PROCID with \
             SLURM_STEP_ID (srun), PMIX_RANK, JOB_COMPLETION_INDEX (Kubernetes)",
        )
        .hint("start it by mf run, torchrun, srun or mpirun; or set MF_CONFIG_STORE_URL and WORLD_SIZE, and RANK if it is fixed")
}

/// The name of the job according to `launcher`.
pub(super) fn job(variables: Variables<'_>, launcher: Launcher) -> Option<String> {
    match launcher {
        // torchrun sets this if it was given no name.
        Launcher::Torchrun => variables.text(RUN).filter(|run| *run != "none").map(str::to_owned),
        Launcher::Slurm => {
            Some(format!("slurm-{}.{}", variables.text("SLURM_JOB_ID")?, variables.text(STEP)?))
        }
        _ => None,
    }
}
