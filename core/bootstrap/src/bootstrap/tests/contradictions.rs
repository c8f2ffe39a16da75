// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Variables that contradict each other, within a launcher and between two.

use super::*;

#[test]
fn contradicting_launchers_are_refused() {
    let own = |rank, size| [("RANK", rank), ("WORLD_SIZE", size)];
    let left_over = own("0", "1");
    for (base, change, parts) in [
        (MPIRUN, left_over.to_vec(), ["RANK says", "rank 0 of 1", "OMPI_COMM_WORLD_RANK", "rank 2 of 4"]),
        (MPIRUN, own("1", "4").to_vec(), ["RANK says", "rank 1 of 4", "OMPI_COMM_WORLD_RANK", "Open MPI"]),
        (HYDRA, left_over.to_vec(), ["RANK says", "PMI_RANK", "rank 1 of 2", "env -u RANK"]),
        (SRUN, left_over.to_vec(), ["RANK says", "SLURM_PROCID", "rank 5 of 8", "Slurm"]),
        (
            MPIRUN,
            vec![("PMI_RANK", "0"), ("PMI_SIZE", "4")],
            ["OMPI_COMM_WORLD_RANK says", "PMI_RANK", "rank 0 of 4", "launcher Open MPI"],
        ),
    ] {
        let error = refused(&[], &with(base, &change));
        for part in parts {
            assert!(error.contains(part), "{change:?}, {part}: {error}");
        }
    }
    for (base, change) in [
        // They agree.
        (MPIRUN, own("2", "4").to_vec()),
        (HYDRA, own("1", "2").to_vec()),
        (SRUN, own("5", "8").to_vec()),
        (MPIRUN, vec![("PMI_RANK", "2"), ("PMI_SIZE", "4")]),
        // A launcher of one starts others.
        (
            MPIRUN,
            [
                &left_over[..],
                &[
                    ("OMPI_COMM_WORLD_RANK", "0"),
                    ("OMPI_COMM_WORLD_SIZE", "1"),
                    ("OMPI_COMM_WORLD_LOCAL_SIZE", "1"),
                ],
            ]
            .concat(),
        ),
        (HYDRA, vec![("RANK", "3"), ("WORLD_SIZE", "4"), ("PMI_RANK", "0"), ("PMI_SIZE", "1")]),
        // A launcher in a step, which counts the ranks of the host.
        (SRUN, vec![("RANK", "0"), ("WORLD_SIZE", "16"), ("LOCAL_RANK", "0")]),
        // Set by srun for MPI, around mpirun.
        (SRUN, [MPIRUN, &[("PMI_RANK", "5"), ("PMI_SIZE", "8")]].concat()),
    ] {
        found(&[], &with(base, &change)).unwrap();
    }
}

#[test]
fn contradictions_name_variable_and_value() {
    for (base, change, parts) in [
        (TORCHRUN, &[("RANK", "8")] as Pairs, ["RANK", "\"8\"", "WORLD_SIZE is 8"]),
        (TORCHRUN, &[("RANK", "-1")], ["RANK", "\"-1\"", "whole number"]),
        (TORCHRUN, &[("RANK", "+1")], ["RANK", "\"+1\"", "whole number"]),
        (TORCHRUN, &[("RANK", "1.0")], ["RANK", "\"1.0\"", "whole number"]),
        (TORCHRUN, &[("RANK", "99999999999")], ["RANK", "\"99999999999\"", "whole number"]),
        (TORCHRUN, &[("WORLD_SIZE", "")], ["RANK is set", "WORLD_SIZE is not", "both"]),
        (TORCHRUN, &[("WORLD_SIZE", "0")], ["WORLD_SIZE", "value 0", "1 to"]),
        (TORCHRUN, &[("WORLD_SIZE", "4294967295")], ["WORLD_SIZE", "4294967295", "1 to"]),
        (TORCHRUN, &[("LOCAL_RANK", "2")], ["LOCAL_RANK", "\"2\"", "LOCAL_WORLD_SIZE is 2"]),
        (TORCHRUN, &[("LOCAL_RANK", "8"), ("LOCAL_WORLD_SIZE", "")], ["LOCAL_RANK", "\"8\"", "ranks is 8"]),
        (TORCHRUN, &[("LOCAL_WORLD_SIZE", "9")], ["LOCAL_WORLD_SIZE", "\"9\"", "1 to 8"]),
        (TORCHRUN, &[("LOCAL_WORLD_SIZE", "0")], ["LOCAL_WORLD_SIZE", "\"0\"", "1 to 8"]),
        (TORCHRUN, &[("MASTER_PORT", "")], ["MASTER_ADDR is set", "MASTER_PORT is not", "both"]),
        (TORCHRUN, &[("MASTER_ADDR", "")], ["MASTER_PORT is set", "MASTER_ADDR is not", "both"]),
        (TORCHRUN, &[("MASTER_PORT", "0")], ["MASTER_PORT", "\"0\"", "65535"]),
        (TORCHRUN, &[("MASTER_PORT", "65536")], ["MASTER_PORT", "\"65536\"", "65535"]),
        (TORCHRUN, &[("MASTER_PORT", "tcp")], ["MASTER_PORT", "\"tcp\"", "whole number"]),
        (TORCHRUN, &[("MASTER_PORT", "7")], ["MASTER_PORT 7", "MF_STORE_PORT_OFFSET 1013", "1025"]),
        (TORCHRUN, &[("MASTER_ADDR", "nowhere")], ["MASTER_ADDR", "\"nowhere\"", "no such host"]),
        (TORCHRUN, &[("MASTER_ADDR", "linklocal")], ["MASTER_ADDR", "\"linklocal\"", "numeric"]),
        (SRUN, &[("SLURM_PROCID", "8")], ["SLURM_PROCID", "\"8\"", "SLURM_STEP_NUM_TASKS is 8"]),
        (
            SRUN,
            &[("SLURM_STEP_NUM_TASKS", ""), ("SLURM_NTASKS", "")],
            ["SLURM_PROCID", "SLURM_NTASKS", "not"],
        ),
        (SRUN, &[("SLURM_LOCALID", "2")], ["SLURM_LOCALID", "\"2\"", "TASKS_PER_NODE is 2"]),
        (SRUN, &[("SLURM_NODEID", "5")], ["SLURM_STEP_TASKS_PER_NODE", "2(x3),1(x2)", "host 5"]),
        (SRUN, &[("SLURM_STEP_TASKS_PER_NODE", "2(x")], ["SLURM_STEP_TASKS_PER_NODE", "2(x", "host 2"]),
        (SRUN, &[("SLURM_STEP_NODELIST", "node[1")], ["SLURM_STEP_NODELIST", "node[1", "not closed"]),
        (SRUN, &[("SLURM_STEP_NODELIST", "nowhere")], ["SLURM_STEP_NODELIST", "nowhere", "no such host"]),
        (
            SRUN,
            &[("SLURM_STEP_NODELIST", ""), ("SLURM_JOB_NODELIST", "")],
            ["SLURM_JOB_NODELIST", "is not", "SLURM_PROCID"],
        ),
        (SRUN, &[("SLURM_JOB_ID", "")], ["SLURM_JOB_ID", "is not", "SLURM_PROCID"]),
        (SRUN, &[("SLURM_STEP_ID", "x")], ["SLURM_STEP_ID", "\"x\"", "whole number"]),
        (
            MPIRUN,
            &[("OMPI_COMM_WORLD_RANK", "4")],
            ["OMPI_COMM_WORLD_RANK", "\"4\"", "OMPI_COMM_WORLD_SIZE is 4"],
        ),
        (MPIRUN, &[("OMPI_COMM_WORLD_SIZE", "four")], ["OMPI_COMM_WORLD_SIZE", "\"four\"", "whole number"]),
        (
            MPIRUN,
            &[("OMPI_COMM_WORLD_LOCAL_RANK", "2")],
            ["OMPI_COMM_WORLD_LOCAL_RANK", "\"2\"", "LOCAL_SIZE is 2"],
        ),
        (HYDRA, &[("PMI_RANK", "2")], ["PMI_RANK", "\"2\"", "PMI_SIZE is 2"]),
        (HYDRA, &[("PMI_SIZE", "")], ["PMI_RANK is set", "PMI_SIZE is not", "both"]),
        (&[("PMIX_RANK", "1")], &[], ["PMIX_RANK is set", "WORLD_SIZE is not", "both"]),
        (
            &[("OMPI_COMM_WORLD_SIZE", "2")],
            &[],
            ["OMPI_COMM_WORLD_SIZE is set", "OMPI_COMM_WORLD_RANK is not", "Open MPI"],
        ),
        (&[("PMI_SIZE", "2")], &[], ["PMI_SIZE is set", "PMI_RANK is not", "PMI"]),
        (POD, &[("JOB_COMPLETION_INDEX", "4")], ["JOB_COMPLETION_INDEX", "\"4\"", "WORLD_SIZE is 4"]),
        (POD, &[("JOB_COMPLETION_INDEX", "x")], ["JOB_COMPLETION_INDEX", "\"x\"", "launcher Kubernetes"]),
        (POD, &[("WORLD_SIZE", "")], ["JOB_COMPLETION_INDEX is set", "WORLD_SIZE is not", "completions"]),
        (
            POD,
            &[("MASTER_ADDR", "a b"), ("MASTER_PORT", "29500")],
            ["MASTER_ADDR", "\"a b\"", "neither an address"],
        ),
    ] {
        let error = refused(&[], &with(base, change));
        for part in parts {
            assert!(error.contains(part), "{change:?}, {part}: {error}");
        }
    }
}
