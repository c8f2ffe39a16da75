// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Environment of a rank: the variables that torchrun sets, and ours.

use std::time::Duration;

/// Facts of a job that all its ranks share.
pub(super) struct Job {
    /// Number of ranks.
    pub(super) ranks: u32,
    /// An address of the first host, and a port there for the program's own rendezvous.
    pub(super) master: (String, u16),
    /// Store of the job.
    pub(super) store_url: String,
    /// Name of this run, different for each.
    pub(super) run_id: String,
    /// Secret of the job; none when the ranks inherit one.
    pub(super) secret: Option<String>,
    /// True if rank 0 gets our standard input.
    pub(super) stdin_to_first: bool,
    /// Grace time for ranks after one has ended with a non-zero code, before they are sent SIGTERM.
    pub(super) settling: Duration,
    /// Variables that the user sets for all ranks.
    pub(super) further: Vec<(String, String)>,
    /// Names of the command and of a rank in messages.
    pub(super) words: Words,
    /// The number of this host and how many there are; each has `ranks` ranks.
    pub(super) nodes: (u32, u32),
    /// Number of restarts, and their limit.
    pub(super) restarts: (u32, u32),
}

impl Job {
    /// The rank in the job of a rank of this host.
    pub(super) fn global(&self, local: u32) -> u32 {
        self.nodes.0 * self.ranks + local
    }
}

/// The user's names for the command and for a process of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) command: &'static str,
    pub(super) rank: &'static str,
}

/// Variables of a rank, by its number on this host, in addition to inherited ones.
pub(super) fn variables(job: &Job, local: u32) -> Vec<(&'static str, String)> {
    let (rank, world) = (job.global(local).to_string(), (job.nodes.1 * job.ranks).to_string());
    let mut variables = vec![
        ("RANK", rank.clone()),
        ("LOCAL_RANK", local.to_string()),
        ("ROLE_RANK", rank),
        ("WORLD_SIZE", world.clone()),
        ("LOCAL_WORLD_SIZE", job.ranks.to_string()),
        ("ROLE_WORLD_SIZE", world),
        ("ROLE_NAME", "default".to_owned()),
        ("GROUP_RANK", job.nodes.0.to_string()),
        ("GROUP_WORLD_SIZE", job.nodes.1.to_string()),
        ("MASTER_ADDR", job.master.0.clone()),
        ("MASTER_PORT", job.master.1.to_string()),
        ("TORCHELASTIC_RUN_ID", job.run_id.clone()),
        ("TORCHELASTIC_RESTART_COUNT", job.restarts.0.to_string()),
        ("TORCHELASTIC_MAX_RESTARTS", job.restarts.1.to_string()),
        // No store is served at MASTER_PORT yet: rank 0 of the program has to.
        ("TORCHELASTIC_USE_AGENT_STORE", "False".to_owned()),
        ("MF_CONFIG_STORE_URL", job.store_url.clone()),
    ];
    if let Some(secret) = &job.secret {
        variables.push(("MF_JOB_SECRET", secret.clone()));
    }
    variables
}

/// Variables that are set only where the user has not set them.
pub(super) fn defaults(ranks: u32) -> Vec<(&'static str, &'static str)> {
    // Without it Python holds its output back until a block is full, and lines come late.
    let mut defaults = vec![("PYTHONUNBUFFERED", "1")];
    if ranks > 1 {
        // As torchrun does: N ranks with as many threads each as there are cores would fight for them.
        defaults.push(("OMP_NUM_THREADS", "1"));
    }
    defaults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(secret: Option<&str>) -> Job {
        Job {
            ranks: 4,
            master: ("127.0.0.1".into(), 4000),
            store_url: "tcp://127.0.0.1:5570".into(),
            run_id: "mf-1".into(),
            secret: secret.map(str::to_owned),
            stdin_to_first: false,
            settling: Duration::ZERO,
            further: Vec::new(),
            words: Words { command: "mf run", rank: "rank" },
            nodes: (0, 1),
            restarts: (0, 0),
        }
    }

    #[test]
    fn ranks_get_the_variables_of_torchrun() {
        let variables = variables(&job(Some("s")), 2);
        let value = |name| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_str());
        for (name, expected) in [
            ("RANK", "2"),
            ("LOCAL_RANK", "2"),
            ("ROLE_RANK", "2"),
            ("WORLD_SIZE", "4"),
            ("LOCAL_WORLD_SIZE", "4"),
            ("GROUP_RANK", "0"),
            ("MASTER_ADDR", "127.0.0.1"),
            ("MASTER_PORT", "4000"),
            ("TORCHELASTIC_RUN_ID", "mf-1"),
            ("MF_CONFIG_STORE_URL", "tcp://127.0.0.1:5570"),
            ("MF_JOB_SECRET", "s"),
        ] {
            assert_eq!(value(name), Some(expected), "{name}");
        }
    }

    #[test]
    fn ranks_are_numbered_through_all_hosts() {
        let job = Job { nodes: (2, 3), restarts: (1, 4), ..job(None) };
        let variables = variables(&job, 1);
        let value = |name| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_str());
        for (name, expected) in [
            ("RANK", "9"),
            ("LOCAL_RANK", "1"),
            ("WORLD_SIZE", "12"),
            ("LOCAL_WORLD_SIZE", "4"),
            ("GROUP_RANK", "2"),
            ("GROUP_WORLD_SIZE", "3"),
            ("TORCHELASTIC_RESTART_COUNT", "1"),
            ("TORCHELASTIC_MAX_RESTARTS", "4"),
        ] {
            assert_eq!(value(name), Some(expected), "{name}");
        }
    }

    #[test]
    fn an_inherited_secret_stays() {
        assert!(variables(&job(None), 0).iter().all(|(name, _)| *name != "MF_JOB_SECRET"));
    }
}
