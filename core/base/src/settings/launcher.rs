// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Environment variables set by the program that started this process.
//!
//! These variables belong to torchrun, Slurm, Open MPI and others, so they are not settings of ours: they
//! have no defaults, no file and no warnings. They are read here all the same, so that one place reads the
//! whole environment.

use std::collections::BTreeMap;

/// Every variable of a launcher that is read, with its meaning.
pub const LAUNCHER_VARIABLES: &[(&str, &str)] = &[
    ("RANK", "torchrun, mf run: rank"),
    ("WORLD_SIZE", "torchrun, mf run: number of ranks"),
    ("LOCAL_RANK", "torchrun, mf run: rank among those of the host"),
    ("LOCAL_WORLD_SIZE", "torchrun, mf run: number of ranks on the host"),
    ("MASTER_ADDR", "torchrun: host of rank 0, a name or an address"),
    ("MASTER_PORT", "torchrun: port of torch's own store on that host"),
    ("TORCHELASTIC_RUN_ID", "torchrun, mf run: name of the run"),
    ("OMPI_COMM_WORLD_RANK", "Open MPI: rank"),
    ("OMPI_COMM_WORLD_SIZE", "Open MPI: number of ranks"),
    ("OMPI_COMM_WORLD_LOCAL_RANK", "Open MPI: rank among those of the host"),
    ("OMPI_COMM_WORLD_LOCAL_SIZE", "Open MPI: number of ranks on the host"),
    ("PMIX_RANK", "PMIx: rank"),
    ("PMIX_NAMESPACE", "PMIx: name of the job"),
    ("PMIX_SERVER_URI2", "PMIx: address of the server of this host, which differs between jobs of one name"),
    ("PMI_RANK", "PMI: rank"),
    ("PMI_SIZE", "PMI: number of ranks"),
    ("PMI_FD", "Hydra: socket on which it answers"),
    ("MPI_LOCALRANKID", "Hydra: rank among those of the host"),
    ("MPI_LOCALNRANKS", "Hydra: number of ranks on the host"),
    ("SLURM_PROCID", "Slurm: rank"),
    ("SLURM_STEP_NUM_TASKS", "Slurm: number of ranks of the step"),
    ("SLURM_NTASKS", "Slurm: number of ranks"),
    ("SLURM_LOCALID", "Slurm: rank among those of the host"),
    ("SLURM_NODEID", "Slurm: number of the host"),
    ("SLURM_STEP_TASKS_PER_NODE", "Slurm: number of ranks on each host of the step"),
    ("SLURM_STEP_NODELIST", "Slurm: hosts of the step"),
    ("SLURM_JOB_NODELIST", "Slurm: hosts of the job"),
    ("SLURM_JOB_ID", "Slurm: number of the job"),
    ("SLURM_STEP_ID", "Slurm: number of the step; only srun sets it"),
    (
        "JOB_COMPLETION_INDEX",
        "Kubernetes: number of the pod of an indexed job; the number of pods is WORLD_SIZE",
    ),
    ("SHMEM_RANK", "CANN SHMEM: rank"),
    ("SHMEM_NRANKS", "CANN SHMEM: number of ranks"),
    ("SHMEM_MASTER_ADDR", "CANN SHMEM: host of rank 0, a name or an address, perhaps with a port"),
    ("SHMEM_MASTER_PORT", "CANN SHMEM: port there"),
    ("SHMEM_UID_SESSION_ID", "CANN SHMEM: address and port of the unique id that this process makes"),
    ("SHMEM_UID_SOCK_IFNAME", "CANN SHMEM: interface of the unique id that this process makes"),
    ("SHMEM_UID_SOCK_IFNAM", "CANN SHMEM: the same, as its first generation spelled it"),
    ("SHMEM_INSTANCE_PORT_RANGE", "CANN SHMEM: first and last port of instances"),
    ("SHMEM_TLS_DISABLE", "CANN SHMEM: 1 chooses plaintext"),
    ("SHMEM_CYCLE_PROF_PE", "CANN SHMEM: the PE whose kernels are counted"),
    ("ACLSHMEM_UID_SESSION_ID", "CANN SHMEM of December 2025: as SHMEM_UID_SESSION_ID"),
    ("ACLSHMEM_UID_SOCK_IFNAME", "CANN SHMEM of December 2025: as SHMEM_UID_SOCK_IFNAME"),
    ("ACLSHMEM_INSTANCE_PORT_RANGE", "CANN SHMEM of December 2025: as SHMEM_INSTANCE_PORT_RANGE"),
    ("ACLSHMEM_TLS_DISABLE", "CANN SHMEM of December 2025: as SHMEM_TLS_DISABLE"),
    ("ACLSHMEM_CYCLE_PROF_PE", "CANN SHMEM of December 2025: as SHMEM_CYCLE_PROF_PE"),
];

/// The variables of [`LAUNCHER_VARIABLES`] that are set in this process.
///
/// Bytes that are not text are replaced, so that the user of the value can name it in an error.
pub fn launcher_environment() -> BTreeMap<String, String> {
    let set = |name: &str| Some((name.to_owned(), std::env::var_os(name)?.to_string_lossy().into_owned()));
    LAUNCHER_VARIABLES.iter().filter_map(|(name, _)| set(name)).collect()
}
