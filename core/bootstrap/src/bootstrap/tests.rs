// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The rule of [`from_variables`], launcher by launcher.

mod contradictions;

use std::io;
use std::net::IpAddr;

use super::*;

type Pairs = &'static [(&'static str, &'static str)];

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn ips(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// Names that the tests know.
fn resolve(host: &str) -> io::Result<Vec<IpAddr>> {
    match host {
        "node001" => Ok(ips(&["10.0.0.9", "10.0.0.8", "fd00::8"])),
        "own" => Ok(ips(&["127.0.1.1"])),
        "both" => Ok(ips(&["127.0.1.1", "10.0.0.8"])),
        "six" => Ok(ips(&["fe80::1", "fd00::8"])),
        "localhost" => Ok(ips(&["::1", "127.0.0.1"])),
        "linklocal" => Ok(ips(&["fe80::1"])),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "no such host")),
    }
}

fn found(settings: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Bootstrap> {
    let loaded = settings::load(&map(settings), &BTreeMap::new()).unwrap();
    from_variables(&loaded.settings, &map(variables), &resolve)
}

fn refused(settings: &[(&str, &str)], variables: &[(&str, &str)]) -> String {
    let error = found(settings, variables).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    error.to_string()
}

/// Rank, size, local rank, local size.
fn ranks(found: &Bootstrap) -> (Option<u32>, u32, Option<u32>, Option<u32>) {
    (found.rank.map(|rank| rank.0), found.world_size, found.local_rank, found.local_size)
}

const TORCHRUN: Pairs = &[
    ("RANK", "3"),
    ("WORLD_SIZE", "8"),
    ("LOCAL_RANK", "1"),
    ("LOCAL_WORLD_SIZE", "2"),
    ("MASTER_ADDR", "10.0.0.1"),
    ("MASTER_PORT", "29500"),
    ("TORCHELASTIC_RUN_ID", "run-1"),
];
const SRUN: Pairs = &[
    ("SLURM_PROCID", "5"),
    ("SLURM_NTASKS", "12"),
    ("SLURM_STEP_NUM_TASKS", "8"),
    ("SLURM_LOCALID", "1"),
    ("SLURM_NODEID", "2"),
    ("SLURM_STEP_TASKS_PER_NODE", "2(x3),1(x2)"),
    ("SLURM_STEP_NODELIST", "node[001-005]"),
    ("SLURM_JOB_NODELIST", "node[000-009]"),
    ("SLURM_JOB_ID", "4711"),
    ("SLURM_STEP_ID", "3"),
];
const MPIRUN: Pairs = &[
    ("OMPI_COMM_WORLD_RANK", "2"),
    ("OMPI_COMM_WORLD_SIZE", "4"),
    ("OMPI_COMM_WORLD_LOCAL_RANK", "0"),
    ("OMPI_COMM_WORLD_LOCAL_SIZE", "2"),
    ("PMIX_RANK", "2"),
    ("PMIX_NAMESPACE", "123456"),
];
const HYDRA: Pairs =
    &[("PMI_RANK", "1"), ("PMI_SIZE", "2"), ("MPI_LOCALRANKID", "0"), ("MPI_LOCALNRANKS", "1")];

const POD: Pairs = &[("JOB_COMPLETION_INDEX", "3"), ("WORLD_SIZE", "4")];

/// `base` with some variables set otherwise; an empty one counts as absent.
fn with(base: Pairs, changes: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    base.iter().chain(changes).copied().collect()
}

#[test]
fn each_launcher_gives_rank_and_size() {
    for (variables, launcher, expected) in [
        (TORCHRUN, Launcher::Torchrun, (Some(3), 8, Some(1), Some(2))),
        (SRUN, Launcher::Slurm, (Some(5), 8, Some(1), Some(2))),
        (MPIRUN, Launcher::OpenMpi, (Some(2), 4, Some(0), Some(2))),
        (HYDRA, Launcher::Pmi, (Some(1), 2, Some(0), Some(1))),
        (&[("PMIX_RANK", "1"), ("WORLD_SIZE", "2")], Launcher::Pmi, (Some(1), 2, None, None)),
        (
            &[("RANK", " 0 "), ("WORLD_SIZE", "1"), ("LOCAL_RANK", "")],
            Launcher::Torchrun,
            (Some(0), 1, None, None),
        ),
        (
            &[("JOB_COMPLETION_INDEX", "2"), ("WORLD_SIZE", "4")],
            Launcher::Kubernetes,
            (Some(2), 4, None, None),
        ),
        (&[("WORLD_SIZE", "4")], Launcher::Nobody, (None, 4, None, None)),
        (
            &[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "1"), ("SLURM_STEP_ID", "0"), ("SLURM_JOB_ID", "1")],
            Launcher::Slurm,
            (Some(0), 1, None, None),
        ),
    ] {
        let found = found(&[], variables).unwrap();
        assert_eq!((found.launcher, ranks(&found)), (launcher, expected), "{variables:?}");
    }
}

#[test]
fn innermost_launcher_wins() {
    let both = |one: Pairs, other: Pairs| found(&[], &with(one, other)).unwrap().launcher;
    assert_eq!(both(SRUN, TORCHRUN), Launcher::Torchrun);
    assert_eq!(both(SRUN, MPIRUN), Launcher::OpenMpi);
    assert_eq!(both(SRUN, HYDRA), Launcher::Pmi, "the PMI variables differ from srun's");
    assert_eq!(both(SRUN, &[("PMI_RANK", "5"), ("PMI_SIZE", "8")]), Launcher::Slurm, "srun speaks PMI");
    assert_eq!(both(SRUN, &[("PMIX_RANK", "5")]), Launcher::Slurm);
    assert_eq!(both(SRUN, &[("WORLD_SIZE", "99")]), Launcher::Slurm, "a size without a rank");
    assert_eq!(both(POD, TORCHRUN), Launcher::Torchrun, "torchrun in a pod");
    assert_eq!(both(POD, MPIRUN), Launcher::OpenMpi);
    assert_eq!(both(MPIRUN, TORCHRUN), Launcher::Torchrun, "torchrun on each host by mpirun");
    // By hand, in a pod that counts for nothing else.
    let alone = found(&[], &with(POD, &[("RANK", "0"), ("WORLD_SIZE", "1")])).unwrap();
    assert_eq!((alone.launcher, ranks(&alone)), (Launcher::Torchrun, (Some(0), 1, None, None)));
}

#[test]
fn description_names_the_origin_of_each_value() {
    for (variables, place, store) in [
        (
            TORCHRUN.to_vec(),
            "rank 3 of 8, from torchrun's RANK",
            "tcp://10.0.0.1:30513, from MASTER_ADDR and MASTER_PORT",
        ),
        (with(TORCHRUN, &[("TORCHELASTIC_RUN_ID", "mf-0123")]), "from mf run's RANK", "MASTER_ADDR"),
        (with(TORCHRUN, &[("TORCHELASTIC_RUN_ID", "")]), "from the environment's RANK", "MASTER_ADDR"),
        (
            MPIRUN.to_vec(),
            "rank 2 of 4, from Open MPI's OMPI_COMM_WORLD_RANK",
            "not known; the ranks are not known to be on one host",
        ),
        (
            with(MPIRUN, &[("OMPI_COMM_WORLD_LOCAL_SIZE", "4")]),
            "rank 2 of 4",
            "between the ranks of this host",
        ),
        (
            with(HYDRA, &[("PMI_FD", "6")]),
            "from PMI (MPICH, Intel MPI)'s PMI_RANK",
            "by the launcher (PMI_FD)",
        ),
        (SRUN.to_vec(), "rank 5 of 8, from Slurm's SLURM_PROCID", "from SLURM_STEP_NODELIST"),
        (POD.to_vec(), "rank 3 of 4, from Kubernetes's JOB_COMPLETION_INDEX", "JOB-0.SERVICE"),
        (vec![("WORLD_SIZE", "4")], "one of 4, with an automatic rank", "MF_CONFIG_STORE_URL"),
    ] {
        let found = found(&[], &variables).unwrap();
        assert!(found.place_text().contains(place), "{place}: {}", found.place_text());
        assert!(found.store_text().contains(store), "{store}: {}", found.store_text());
    }
}

#[test]
fn ranks_publish_the_address_if_all_of_them_can() {
    let hand_on = |base, change: &[_]| found(&[], &with(base, change)).unwrap().hand_on;
    let host = |text: &str| Some(HandOn::Host(text.to_owned()));
    assert_eq!(hand_on(MPIRUN, &[]), None, "several hosts");
    let one_host = [("OMPI_COMM_WORLD_LOCAL_SIZE", "4"), ("PMIX_SERVER_URI2", "u;1")];
    assert_eq!(hand_on(MPIRUN, &one_host), host("pmix 123456 u;1"));
    assert_eq!(hand_on(MPIRUN, &[&one_host[..], &[("PMIX_NAMESPACE", "")]].concat()), None);
    assert_eq!(hand_on(HYDRA, &[("PMI_FD", "6")]), Some(HandOn::Launcher(6)));
    assert_eq!(hand_on(HYDRA, &[("MPI_LOCALNRANKS", "2")]), None, "no common name");
    let step = [("SLURM_STEP_TASKS_PER_NODE", "8"), ("SLURM_NODEID", "0"), ("SLURM_LOCALID", "5")];
    assert_eq!(hand_on(SRUN, &step), host("slurm 4711.3"));
    assert_eq!(hand_on(SRUN, &[]), None, "the first host of several has the store");
    assert_eq!(hand_on(TORCHRUN, &[]), None);
    let master = [&one_host[..], &[("MASTER_ADDR", "10.0.0.1"), ("MASTER_PORT", "29500")]].concat();
    assert_eq!(hand_on(MPIRUN, &master), None);
    let named = found(&[("MF_CONFIG_STORE_URL", "tcp://10.0.0.1:5570")], &with(MPIRUN, &one_host)).unwrap();
    assert_eq!(named.hand_on, None);
}

#[test]
fn store_address_is_derived_from_the_launcher() {
    let at = |host| with(TORCHRUN, &[("MASTER_ADDR", host)]);
    let rank_0 = |host| with(TORCHRUN, &[("MASTER_ADDR", host), ("RANK", "0")]);
    let alone = |host| with(TORCHRUN, &[("MASTER_ADDR", host), ("RANK", "0"), ("LOCAL_WORLD_SIZE", "8")]);
    let port = 17_000 + (4711 * 31 + 3) % 12_000;
    for (variables, store) in [
        (TORCHRUN.to_vec(), Some("tcp://10.0.0.1:30513".to_owned())),
        (with(TORCHRUN, &[("MASTER_PORT", "65000")]), Some("tcp://10.0.0.1:63987".to_owned())),
        (at("node001"), Some("tcp://10.0.0.8:30513".to_owned())),
        (at("both"), Some("tcp://10.0.0.8:30513".to_owned())),
        (at("six"), Some("tcp://[fd00::8]:30513".to_owned())),
        (at("fd00::9"), Some("tcp://[fd00::9]:30513".to_owned())),
        (at("[fd00::9]"), Some("tcp://[fd00::9]:30513".to_owned())),
        (at("localhost"), Some("tcp://127.0.0.1:30513".to_owned())),
        (rank_0("localhost"), Some("tcp://127.0.0.1:30513".to_owned())),
        (at("own"), Some("tcp://127.0.1.1:30513".to_owned())),
        (rank_0("own"), Some("tcp://0.0.0.0:30513".to_owned())),
        (alone("own"), Some("tcp://127.0.1.1:30513".to_owned())),
        (SRUN.to_vec(), Some(format!("tcp://10.0.0.8:{port}"))),
        (
            with(SRUN, &[("SLURM_STEP_NODELIST", ""), ("SLURM_JOB_NODELIST", "six,x")]),
            Some(format!("tcp://[fd00::8]:{port}")),
        ),
        (
            with(POD, &[("MASTER_ADDR", "node001"), ("MASTER_PORT", "29500")]),
            Some("tcp://10.0.0.8:30513".to_owned()),
        ),
        (POD.to_vec(), None),
        (
            with(SRUN, &[("MASTER_ADDR", "10.0.0.1"), ("MASTER_PORT", "29500")]),
            Some("tcp://10.0.0.1:30513".to_owned()),
        ),
        (with(SRUN, &[("MASTER_PORT", "29500")]), Some(format!("tcp://10.0.0.8:{port}"))),
        (MPIRUN.to_vec(), None),
        (HYDRA.to_vec(), None),
        (
            with(MPIRUN, &[("MASTER_ADDR", "10.0.0.1"), ("MASTER_PORT", "29500")]),
            Some("tcp://10.0.0.1:30513".to_owned()),
        ),
    ] {
        assert_eq!(found(&[], &variables).unwrap().store, store, "{variables:?}");
    }
}

#[test]
fn settings_override_launchers() {
    let url = ("MF_CONFIG_STORE_URL", "tcp://10.9.9.9:5570");
    for variables in [TORCHRUN, SRUN, MPIRUN, HYDRA, &[("WORLD_SIZE", "2"), ("MASTER_PORT", "bad")]] {
        let found = found(&[url], variables).unwrap();
        assert_eq!(found.store.as_deref(), Some(url.1), "{variables:?}");
    }
    let offset = |offset, port| {
        let found = found(&[("MF_STORE_PORT_OFFSET", offset)], TORCHRUN).unwrap();
        assert_eq!(found.store, Some(format!("tcp://10.0.0.1:{port}")));
    };
    offset("0", 29_500);
    offset("1", 29_501);
    offset("28000", 57_500);
    // Above leaves the range, below does not.
    assert!(refused(&[("MF_STORE_PORT_OFFSET", "40000")], TORCHRUN).contains("MF_STORE_PORT_OFFSET 40000"));
    assert!(refused(&[("MF_STORE_PORT_OFFSET", "4294967295")], TORCHRUN).contains("MASTER_PORT 29500"));
    let named = |url| found(&[("MF_CONFIG_STORE_URL", url)], TORCHRUN).unwrap().store;
    assert_eq!(named("tcp://node001:5570").as_deref(), Some("tcp://node001:5570"));
    let unknown = refused(&[("MF_CONFIG_STORE_URL", "tcp://nowhere:5570")], TORCHRUN);
    assert!(unknown.contains("the host name \"nowhere\" has no address: no such host"), "{unknown}");
}

#[test]
fn job_name_comes_from_the_launcher() {
    let job = |settings: Pairs, variables: &[(&str, &str)]| found(settings, variables).unwrap().job;
    assert_eq!(job(&[], TORCHRUN).as_deref(), Some("run-1"));
    assert_eq!(job(&[], &with(TORCHRUN, &[("TORCHELASTIC_RUN_ID", "none")])), None);
    assert_eq!(job(&[], SRUN).as_deref(), Some("slurm-4711.3"));
    assert_eq!(job(&[], MPIRUN), None);
    assert_eq!(job(&[("MF_JOB_ID", "mine")], SRUN).as_deref(), Some("mine"));
}

#[test]
fn the_origin_of_the_secret_is_known() {
    let origin = |settings: Pairs| found(settings, TORCHRUN).unwrap().secret_origin;
    assert_eq!(origin(&[]), SecretOrigin::None);
    assert_eq!(origin(&[("MF_JOB_SECRET", "s")]), SecretOrigin::Setting);
    assert_eq!(origin(&[("MF_JOB_SECRET_FILE", "/f")]), SecretOrigin::File);
    assert_eq!(origin(&[("MF_JOB_SECRET", "s"), ("MF_JOB_SECRET_FILE", "/f")]), SecretOrigin::Setting);
}

#[test]
fn without_a_launcher_the_text_lists_the_variables() {
    let no_launcher = refused(&[], &[]);
    for part in [
        "no launcher",
        "RANK",
        "OMPI_COMM_WORLD_RANK",
        "PMI_RANK",
        "SLURM_PROCID",
        "JOB_COMPLETION_INDEX",
        "mf run",
        "MF_CONFIG_STORE_URL",
    ] {
        assert!(no_launcher.contains(part), "{part}: {no_launcher}");
    }
    assert!(refused(&[("MF_CONFIG_STORE_URL", "tcp://127.0.0.1:5570")], &[]).contains("how many ranks"));
    // The script of a batch job, which Slurm gives a rank that no other process has.
    let batch = with(SRUN, &[("SLURM_STEP_ID", "")]);
    assert!(refused(&[], &batch).contains("not started by srun"));
}

#[test]
fn bootstrap_result_becomes_options() {
    let second = Duration::from_secs(1);
    let options = found(&[], TORCHRUN).unwrap().options(second, 2 * second).unwrap();
    assert_eq!(options.url.to_string(), "tcp://10.0.0.1:30513");
    assert_eq!((options.wish, options.world_size, options.device), (RankWish::Exactly(Rank(3)), 8, 1));
    assert_eq!((options.init_timeout, options.request_timeout), (second, 2 * second));
    assert!(
        options.start_server
            && !options.only_server
            && !options.hosts_store
            && options.access.secret.is_none()
    );
    assert_eq!(options.access.job, "run-1");

    let error = found(&[], HYDRA).unwrap().options(second, second).unwrap_err().to_string();
    for part in ["Pmi", "MF_CONFIG_STORE_URL", "unique id"] {
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn unique_id_gives_rank_and_secret() {
    let (id, server) = UniqueId::create(Some([127, 0, 0, 1].into())).unwrap();
    let second = Duration::from_secs(1);
    let away = Bootstrap::from_unique_id(&id, Some(Rank(1)), 2).unwrap();
    let options = away.options(second, second).unwrap();
    assert!(!options.start_server && !options.hosts_store && options.access.secret.is_some());
    assert_eq!(options.url.to_string(), format!("tcp://{}", server.address()));
    assert!(away.beside(&server).options(second, second).unwrap().hosts_store);
    for (rank, world_size) in [(Some(Rank(2)), 2), (None, 0), (None, u32::MAX)] {
        assert!(Bootstrap::from_unique_id(&id, rank, world_size).is_err(), "{rank:?} of {world_size}");
    }
}

#[test]
fn slurm_tasks_per_node_are_parsed() {
    for (list, node, tasks) in [
        ("2", 0, Some(2)),
        ("2", 1, None),
        ("2(x3),1", 0, Some(2)),
        ("2(x3),1", 2, Some(2)),
        ("2(x3),1", 3, Some(1)),
        ("2(x3),1", 4, None),
        ("", 0, None),
        ("x", 0, None),
        ("2(x3", 0, None),
        ("2(x)", 0, None),
        ("4294967295(x4294967295)", u32::MAX - 1, Some(u32::MAX)),
    ] {
        assert_eq!(place::tasks_on_node(list, node), tasks, "{list} {node}");
    }
}
