// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The rule of [`from_variables`], launcher by launcher.

use std::io;

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
fn the_innermost_launcher_counts() {
    let both = |one: Pairs, other: Pairs| found(&[], &with(one, other)).unwrap().launcher;
    assert_eq!(both(SRUN, TORCHRUN), Launcher::Torchrun);
    assert_eq!(both(SRUN, MPIRUN), Launcher::OpenMpi);
    assert_eq!(both(SRUN, HYDRA), Launcher::Pmi, "the PMI variables differ from srun's");
    assert_eq!(both(SRUN, &[("PMI_RANK", "5"), ("PMI_SIZE", "8")]), Launcher::Slurm, "srun speaks PMI");
    assert_eq!(both(SRUN, &[("PMIX_RANK", "5")]), Launcher::Slurm);
    assert_eq!(both(SRUN, &[("WORLD_SIZE", "99")]), Launcher::Slurm, "a size without a rank");
}

#[test]
fn the_store_is_found() {
    let one_host = with(MPIRUN, &[("OMPI_COMM_WORLD_LOCAL_SIZE", "4")]);
    let srun_alone =
        with(SRUN, &[("SLURM_STEP_TASKS_PER_NODE", "8"), ("SLURM_NODEID", "0"), ("SLURM_LOCALID", "5")]);
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
        (srun_alone, Some(format!("tcp://127.0.0.1:{port}"))),
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
    let derived = found(&[], &one_host).unwrap().store.unwrap();
    let port: u16 = derived.strip_prefix("tcp://127.0.0.1:").unwrap().parse().unwrap();
    assert!(DERIVED_PORTS.contains(&port), "{derived}");
    assert_ne!(
        Some(derived),
        found(&[], &with(&[], &[&one_host[..], &[("PMIX_NAMESPACE", "123457")]].concat())).unwrap().store
    );
}

#[test]
fn settings_come_first() {
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
    assert!(refused(&[("MF_CONFIG_STORE_URL", "tcp://here:1")], TORCHRUN).contains("host names"));
}

#[test]
fn jobs_have_names_where_the_launcher_gives_one() {
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
    ] {
        let error = refused(&[], &with(base, change));
        for part in parts {
            assert!(error.contains(part), "{change:?}, {part}: {error}");
        }
    }
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
fn a_place_becomes_options() {
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
fn a_unique_id_gives_place_and_secret() {
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
fn secrets_come_from_setting_or_file() {
    let load = |pairs: &[(&str, &str)]| {
        let loaded = settings::load(&map(pairs), &BTreeMap::new()).unwrap();
        JobSecret::from_settings(&loaded.settings)
    };
    let path = std::env::temp_dir().join(format!("mf-test-secret-{}", std::process::id()));
    let file = ("MF_JOB_SECRET_FILE", path.to_str().unwrap());
    assert!(load(&[]).unwrap().as_bytes().is_empty());
    assert_eq!(load(&[("MF_JOB_SECRET", "s")]).unwrap().as_bytes(), b"s");
    assert!(load(&[file]).unwrap_err().to_string().contains("mf-test-secret"));
    std::fs::write(&path, " \n").unwrap();
    assert!(load(&[file]).unwrap_err().to_string().contains("empty"));
    std::fs::write(&path, "t\n").unwrap();
    assert_eq!(load(&[file]).unwrap().as_bytes(), b"t");
    assert_eq!(load(&[file, ("MF_JOB_SECRET", "s")]).unwrap().as_bytes(), b"s");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn tasks_of_a_host_are_found() {
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
