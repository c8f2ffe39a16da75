// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Table of settings. Nothing else in the workspace reads the environment.
//!
//! Sources of a value, first to last: the argument of a call, the environment, the file named by
//! `MF_SETTINGS_FILE` (lines `MF_NAME=value`), the default. [`settings()`] reads them once per process;
//! [`load`] is its pure rule.

mod launcher;
mod value;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::log::without_password;
use crate::os::descriptor;
use crate::units::ByteLen;
pub use launcher::{LAUNCHER_VARIABLES, launcher_environment};
pub use value::{
    DeviceChoice, Generation, IsSet, LogLevel, OnError, Secret, Switch, TransferAbi, Users, Value,
};

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The built-in default.
    Default,
    /// The settings file, under this name (an older name is possible).
    File(String),
    /// The environment, under this name (an older name is possible).
    Environment(String),
}

impl Origin {
    /// The name under which it was set; empty for the default.
    fn name(&self) -> &str {
        match self {
            Origin::Default => "",
            Origin::File(name) | Origin::Environment(name) => name,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(name) => write!(f, "file {name}"),
            Origin::Environment(name) => write!(f, "environment {name}"),
        }
    }
}

/// A row of the table: what documentation and `mf info --settings` print.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The environment variable.
    pub name: &'static str,
    /// Other names: older ones, read with a warning, and names of standards.
    pub aliases: &'static [&'static str],
    /// The default as text.
    pub default: &'static str,
    /// Its effect, with units and range.
    pub doc: &'static str,
}

/// A value with its origin, as text for people.
#[derive(Clone, Debug)]
pub struct ShownSetting {
    /// The row of the table.
    pub key: &'static Key,
    /// The value in force; secrets are masked.
    pub value: String,
    /// Its source.
    pub origin: Origin,
}

macro_rules! table {
    ($($field:ident: $type:ty = $default:literal, env $name:literal, was [$($alias:literal),*], doc $doc:literal;)*) => {
        /// Every setting, typed.
        #[derive(Clone, Debug)]
        pub struct Settings { $(#[doc = $doc] pub $field: $type,)* }

        /// The table itself.
        pub static TABLE: &[Key] = &[$(Key { name: $name, aliases: &[$($alias),*], default: $default, doc: $doc },)*];

        /// Resolves every setting from the given environment and file; the rule is pure.
        ///
        /// # Errors
        /// `InvalidParam` names the variable, its text and the accepted values.
        pub fn load(environment: &BTreeMap<String, String>, file: &BTreeMap<String, String>) -> Result<Loaded> {
            let mut rows = TABLE.iter();
            let mut shown = Vec::with_capacity(TABLE.len());
            $(let $field = {
                let key: &'static Key = rows.next().ok_or_else(|| Error::invalid("settings", "table and struct differ"))?;
                let (text, origin) = resolve(key, environment, file);
                let value = <$type as Value>::parse_of(&text, origin.name()).map_err(|expected| unusable(key, &text, &origin, expected))?;
                shown.push(ShownSetting { key, value: value.render(), origin });
                value
            };)*
            Ok(Loaded { settings: Settings { $($field,)* }, warnings: warnings(environment, file, &shown), shown })
        }
    };
}

table! {
    log_level: LogLevel = "2", env "MF_LOG_LEVEL", was ["ASCEND_MF_LOG_LEVEL", "SHMEM_LOG_LEVEL", "ACLSHMEM_LOG_LEVEL"],
        doc "Lowest level that is logged: 0 debug, 1 info, 2 warn, 3 error, 4 trace, 5 nothing; in SHMEM_LOG_LEVEL 4 is fatal, hence nothing.";
    log_path: String = "", env "MF_LOG_PATH", was ["SHMEM_LOG_PATH", "ACLSHMEM_LOG_PATH"],
        doc "Directory for log lines, which is made where it is missing: each process writes a file of its own there, named by its number and the time in UTC, and goes on on standard error after 1 GiB. Nothing there is ever removed. Empty: standard error. A function that the program has set for log lines comes first.";
    log_to_stdout: bool = "false", env "MF_LOG_TO_STDOUT", was ["SHMEM_LOG_TO_STDOUT", "ACLSHMEM_LOG_TO_STDOUT"],
        doc "true: log lines go to standard output, and neither to a file nor to standard error.";
    store_url: String = "", env "MF_CONFIG_STORE_URL", was ["ASCEND_MF_STORE_URL"],
        doc "Store of the job, tcp://host:port, for programs that take no URL argument.";
    job_secret: Secret = "", env "MF_JOB_SECRET", was [],
        doc "Secret of the job; members without it are refused. Set by `mf run`. Empty: no secret; keep the store on loopback then.";
    job_secret_file: String = "", env "MF_JOB_SECRET_FILE", was [],
        doc "File that holds the secret of the job, used when MF_JOB_SECRET is empty.";
    allow_users: Users = "", env "MF_ALLOW_USERS", was [],
        doc "Comma-separated ids of other users: their processes on this host may exchange memory with this one, and use its store on the loopback without a secret; `any`: all users. A listed user can read and change everything in the job. Root is no exception: 0 lists it.";
    job_id: String = "", env "MF_JOB_ID", was [],
        doc "Name of the job; a store and members that have different names refuse each other. Empty: any.";
    store_port_offset: u32 = "1013", env "MF_STORE_PORT_OFFSET", was [],
        doc "Port of the store above MASTER_PORT, where torch has a store of its own, for jobs without MF_CONFIG_STORE_URL. 0: the same port, when nothing else is there.";
    store_tls: Switch = "auto", env "MF_STORE_TLS", was ["SMEM_CONF_STORE_TLS_ENABLE", "MEMFABRIC_HYBRID_TLS_ENABLE"],
        doc "TLS between store and members: auto encrypts whenever a secret or certificates are given and refuses to leave the host without, on always, off never.";
    require_tls: bool = "false", env "MF_REQUIRE_TLS", was [],
        doc "true: no connection to a store is plaintext; a program that chooses it is refused, and a store or member without a secret or certificates does not start. MF_NET_TLS says it of connections between members.";
    store_lease: Duration = "5s", env "MF_STORE_LEASE", was ["MF_CONFIG_STORE_HEARTBEAT_TIMEOUT_S"],
        doc "How long a host may be silent before its members count as dead; 1 s to 1 h.";
    store_reconnect: Duration = "60s", env "MF_STORE_RECONNECT", was ["MF_CONFIG_STORE_LINK_RETRY_TIMEOUT_S"],
        doc "How long a member searches for a store that died before it gives up.";
    resume_grace: Duration = "50ms", env "MF_RESUME_GRACE", was [],
        doc "Time that a member has to resume a broken connection before it counts as dead.";
    store_tls_info: String = "", env "MF_STORE_TLS_INFO", was ["SMEM_CONF_STORE_TLS_INFO"],
        doc "Certificates of this process, as `key: value;` pairs: tlsCaPath, tlsCaFile, tlsCert, tlsPk and others; `mf certs issue` prints such a text.";
    tls_verify_name: bool = "true", env "MF_TLS_VERIFY_NAME", was [],
        doc "Whether the certificate of a store must name its address, or `memfabric-store`; false for certificates made without names.";
    tls_check_period: u32 = "168", env "MF_ACC_CHECK_PERIOD_HOURS", was ["ACCLINK_CHECK_PERIOD_HOURS"],
        doc "Hours between two checks of the expiry of certificates, 24 to 720.";
    tls_check_ahead: u32 = "30", env "MF_ACC_CERT_CHECK_AHEAD_DAYS", was ["ACCLINK_CERT_CHECK_AHEAD_DAYS"],
        doc "Days before the expiry of a certificate from which it is warned of, 7 to 180.";
    rank_window: Duration = "100ms", env "MF_RANK_WINDOW", was [],
        doc "Automatic ranks: how long no new member may have arrived before ranks are assigned although the world is not complete.";
    device: DeviceChoice = "auto", env "MF_DEVICE", was [],
        doc "Accelerator of device memory: auto uses an Ascend NPU if there is one, ascend requires one, sim uses the simulator, cuda an NVIDIA GPU (pools and buffers, no kernels), none uses host memory instead.";
    huge_pages: Switch = "auto", env "MF_HUGE_PAGES", was [],
        doc "Huge pages for segments: auto takes them where the machine has them, off never, on refuses to go on without.";
    normal_pages: bool = "false", env "MF_HYBM_ENABLE_4K_PAGE", was [],
        doc "true is the same as MF_HUGE_PAGES=off.";
    prefault: bool = "false", env "MF_PREFAULT", was [],
        doc "true: the owner touches every page of its contribution in join, so that first copies meet no page faults.";
    cache_disk: String = "", env "MF_CACHE_DISK", was [],
        doc "Folder on a local disk, or several separated by colons, that gives each member of a cache in this process a tier on disk: values that leave its memory stay there. Each member uses `rank-N` in every folder, with its rank. Empty: none.";
    cache_disk_bytes: ByteLen = "64GiB", env "MF_CACHE_DISK_BYTES", was [],
        doc "Size of that tier, all folders together, 16 MiB or more; folders that exist keep theirs.";
    cache_disk_admission: String = "all", env "MF_CACHE_DISK_ADMISSION", was [],
        doc "Values that the tier takes when they leave memory: `all`, or `reused` for values that were read at least once or replaced an earlier one.";
    cache_save_on_sigterm: u32 = "0", env "MF_CACHE_SAVE_ON_SIGTERM", was [],
        doc "Seconds for which a process of Python moves the values of its caches from memory to their tiers on disk when it gets SIGTERM, before the handler of the program runs; 0: it does not.";
    core_files: bool = "false", env "MF_CORE_FILES", was [],
        doc "true: core files have the memory that this process contributes, or allocates to be shared, too; to write one, the kernel makes all pages that were not touched. Memory of other members is in none.";
    stream_from: ByteLen = "0", env "MF_STREAM_FROM", was [],
        doc "Copies of at least this many bytes go past the caches (non-temporal stores), smaller ones never; 0: each size is copied as was measured to be fastest.";
    copy_assist: Switch = "auto", env "MF_COPY_ASSIST", was [],
        doc "A second thread for copies of 16 MiB and more, and for copies by the kernel between processes of 1 MiB and more: auto uses it where it measures faster, on always, off never.";
    async_depth: u32 = "65536", env "MF_ASYNC_DEPTH", was [],
        doc "Asynchronous copies a pool queues before a further call blocks.";
    shared_memory: bool = "true", env "MF_SHM", was [],
        doc "false: members of one host do not map each other's memory but use the network; for tests and measurements.";
    nic: String = "", env "MF_NIC", was ["MF_SOCKET_URL"],
        doc "Where this process listens for other hosts: an address, a subnet (10.0.0.0/8), an interface (eth0) or a list of these by commas, or tcp://host:port with the port of rank 0. Empty: every interface that other hosts may reach.";
    transports: String = "auto", env "MF_TRANSPORTS", was ["MF_TRANSPORT_MANAGER"],
        doc "Comma-separated transports between hosts: tcp, ucx. auto: all that open on this machine.";
    strict_engine: bool = "false", env "MF_STRICT_ENGINE", was [],
        doc "true: a pool or a transfer that asks for an engine this machine lacks is refused, instead of getting the best that reaches the peer.";
    transfer_abi: TransferAbi = "auto", env "MF_SMEM_ABI", was [],
        doc "Interface of programs with transfers in C: 1.3, next (no store; provisional), 2026.02 (a configuration of 24 bytes). auto: 1.3 or next, by the arguments of each call; 2026.02 only where it is set here.";
    open_hmc: bool = "false", env "MF_HMC_OPEN", was [],
        doc "true: without a secret of the job HMC accepts connections from every host, unencrypted, not from this host alone. With a secret it has no effect.";
    net_tls: Switch = "auto", env "MF_NET_TLS", was [],
        doc "TLS of the tcp transport: auto encrypts what leaves the host (all but loopback addresses), on always, off never.";
    net_checksum: bool = "false", env "MF_NET_CHECKSUM", was [],
        doc "true: the tcp transport sends a CRC-32C of every payload and checks it before the operation ends.";
    net_connections: u32 = "4", env "MF_NET_CONNECTIONS", was [],
        doc "Most TCP connections to one peer, 1 to 16. The second and further ones are opened when large operations need them.";
    net_timeout: Duration = "30s", env "MF_NET_TIMEOUT", was [],
        doc "Longest time one operation over the network may take before it ends with a timeout.";
    net_trace: bool = "false", env "MF_NET_TRACE", was [],
        doc "true: every operation over the network is logged at the level trace, with its end and how long it took.";
    net_metrics: bool = "false", env "MF_NET_METRICS", was [],
        doc "true: operations over the network are counted and timed by peer; the table is logged when the network of a member ends.";
    metrics: String = "", env "MF_METRICS", was [],
        doc "Where this process serves its metrics over HTTP, in the text of OpenMetrics: HOST:PORT, as 127.0.0.1:9464. The launcher's local rank is added to the port, so that processes of a host have one each; HOST:FIRST-LAST takes the first free port of a range, HOST:0 any, and the log says which. Off the loopback interface it asks for the job's secret. Empty: nowhere.";
    trace_file: String = "", env "MF_TRACE_FILE", was [],
        doc "File that operations are written to with times, bytes, peer and route, as Chrome and Perfetto read it. %r stands for the rank, %p for the process, %h for the host. Of copies between mapped memory it records all from 4 KiB on, and one in 256 of the others. Empty: none.";
    trace_bytes: ByteLen = "256MiB", env "MF_TRACE_BYTES", was [],
        doc "Length at which the file of MF_TRACE_FILE gets no more operations; 64 KiB and more.";
    trace_interval: Duration = "10s", env "MF_TRACE_INTERVAL", was [],
        doc "How often the tracer of libmf_hybm_core.so writes its file, once ptracer_init has started it; 100 ms to 1 h.";
    net_faults: String = "", env "MF_NET_FAULTS", was [],
        doc "Harms operations over the network, for tests, by rules with semicolons between: drop, corrupt, sever, delay=5ms or fail=timeout, then rank=3, only=put, nth=7, every=100 or permillion=50. Empty: nothing.";
    offload_timeout: Duration = "120s", env "MF_OFFLOAD_TIMEOUT", was [],
        doc "Longest wait of offload's initialize for the other ranks of a shared pool; ranks other than 0 search half as long for the store.";
    symmetric_size: String = "", env "MF_SHMEM_SYMMETRIC_SIZE", was ["SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE", "SMA_SYMMETRIC_SIZE"],
        doc "Bytes of the symmetric heap of each PE, the same on all: a number, perhaps with a fraction, and one of k, m, g, t. Memory is taken when it is touched. Empty: a quarter of the host's memory divided by the PEs there, at least 64 MiB.";
    symmetric_max: String = "", env "MF_SHMEM_SYMMETRIC_MAX", was [],
        doc "Bytes to which the symmetric heap of each PE grows when an allocation does not fit, the same on all PEs, written as MF_SHMEM_SYMMETRIC_SIZE is. Addresses for it are reserved at the start, and memory is added in steps. Empty, or no more than the size: the heap does not grow.";
    symmetric_quarantine: ByteLen = "0", env "MF_SHMEM_QUARANTINE", was [],
        doc "Bytes of the symmetric heap that were given back and are not given out again at once, so that late writes to them harm no other block. PEs take the largest that one of them asks for; blocks leave it when memory is short.";
    symmetric_poison: bool = "false", env "MF_SHMEM_POISON", was [],
        doc "Fills blocks of the symmetric heap with the byte 0xfb when they are given back; with MF_SHMEM_QUARANTINE, writes to them are found when they leave it, and logged as errors.";
    symmetric_statics: Switch = "auto", env "MF_SHMEM_STATICS", was [],
        doc "Whether static data of the main program is symmetric, read when the program is loaded. auto: where the program itself is linked with OpenSHMEM; on: also where a library of it, or an interpreter is; off: never.";
    address_base: String = "", env "MF_ADDRESS_BASE", was [],
        doc "Hexadecimal base to try first for the address space, for example 0x300000000000. Must be the same in all members.";
    symmetric_on_error: OnError = "log", env "MF_SHMEM_ON_ERROR", was [],
        doc "OpenSHMEM: what functions that return nothing do with an error: log it and go on, exit with status 1, abort.";
    symmetric_timeout: Duration = "0s", env "MF_SHMEM_TIMEOUT", was [],
        doc "Symmetric heaps: longest wait for a word of this PE, and in OpenSHMEM for other PEs in a collective call, before it fails and names the PEs that are gone or did not come. 0: no limit; what lasts a minute is logged.";
    symmetric_version: IsSet = "unset", env "MF_SHMEM_VERSION", was ["SHMEM_VERSION", "SMA_VERSION"],
        doc "OpenSHMEM: set to anything, PE 0 prints the version of the library at its start.";
    symmetric_info: IsSet = "unset", env "MF_SHMEM_INFO", was ["SHMEM_INFO", "SMA_INFO"],
        doc "OpenSHMEM: set to anything, PE 0 prints these variables at its start.";
    symmetric_debug: IsSet = "unset", env "MF_SHMEM_DEBUG", was ["SHMEM_DEBUG", "SMA_DEBUG"],
        doc "OpenSHMEM: set to anything, what MF_LOG_LEVEL=0 logs is logged.";
    symmetric_limit: ByteLen = "40GiB", env "MF_SHMEM_LIMIT", was [],
        doc "CANN SHMEM: largest heap of a PE that attributes may ask for; more is refused with -2, as that library does.";
    symmetric_generation: Generation = "auto", env "MF_SHMEM_GENERATION", was [],
        doc "CANN SHMEM: generation of the headers that callers and kernels were compiled with, for programs that do not declare it. Team configuration: 4 bytes in g2a and g2b, 64 in later ones; auto decides by the functions that the caller imports. Record of a kernel: 32,944 bytes up to v1.0, 32,976 in v1.3 and v1.5, 32,992 in head (auto).";
}

/// Result of [`load`].
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The values.
    pub settings: Settings,
    /// The values as text with their origin, in the order of [`TABLE`].
    pub shown: Vec<ShownSetting>,
    /// Texts about unknown and renamed variables, to be logged once.
    pub warnings: Vec<String>,
}

/// Names that start with `MF_` and belong to programs around us or to later releases of the interface; no
/// warning.
const KNOWN_ELSEWHERE: &[&str] = &["MF_SETTINGS_FILE", "MF_SMEM_LIBRARY", "MF_NIXL_VERSION", "MF_TEST_"];

/// Prefixes of variables that tune parts of MemFabric which this library lacks: they are set for both, so
/// they are no mistakes.
const OF_MEMFABRIC: &[&str] = &["MF_HCOM_", "MF_NPU_RDMA_", "MF_QP_READY_CHECK_TIMEOUT_BASE"];

/// Names that standards give, read without a note.
const NAMES_OF_STANDARDS: &[&str] =
    &["SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE", "SHMEM_VERSION", "SHMEM_INFO", "SHMEM_DEBUG"];

impl Key {
    /// The name that a standard gives it.
    pub fn standard_name(&self) -> Option<&'static str> {
        self.aliases.iter().copied().find(|name| NAMES_OF_STANDARDS.contains(name))
    }
}

fn resolve(
    key: &Key,
    environment: &BTreeMap<String, String>,
    file: &BTreeMap<String, String>,
) -> (String, Origin) {
    let named = |values: &BTreeMap<String, String>| {
        let mut names = std::iter::once(&key.name).chain(key.aliases);
        names.find_map(|name| Some((values.get(*name)?.clone(), (*name).to_owned())))
    };
    if let Some((text, name)) = named(environment) {
        return (text, Origin::Environment(name));
    }
    match named(file) {
        Some((text, name)) => (text, Origin::File(name)),
        None => (key.default.to_owned(), Origin::Default),
    }
}

#[cold]
fn unusable(key: &Key, text: &str, origin: &Origin, expected: &str) -> Error {
    let displayed = if text.contains("://") { without_password(text) } else { text.into() };
    let error = Error::invalid("settings", format!("{} cannot be \"{displayed}\"", key.name));
    let error = match origin {
        Origin::Environment(name) if name == key.name => error,
        _ => error.with("from", origin),
    };
    error.hint(format!("it takes {expected}"))
}

fn warnings(
    environment: &BTreeMap<String, String>,
    file: &BTreeMap<String, String>,
    shown: &[ShownSetting],
) -> Vec<String> {
    let mut texts = Vec::new();
    for row in shown {
        if let Origin::Environment(name) | Origin::File(name) = &row.origin
            && name != row.key.name
            && !NAMES_OF_STANDARDS.contains(&name.as_str())
        {
            let today = row.key.standard_name().unwrap_or(row.key.name);
            texts.push(format!("setting {name} is read under its old name, use {today}"));
        }
    }
    let names = environment.keys().filter(|name| name.starts_with("MF_")).chain(file.keys());
    for name in names.filter(|name| !is_known(name)) {
        let hint = nearest(name).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        texts.push(format!("setting {name} is unknown and has no effect{hint}"));
    }
    texts
}

fn is_known(name: &str) -> bool {
    TABLE.iter().any(|key| key.name == name || key.aliases.contains(&name))
        || KNOWN_ELSEWHERE.iter().chain(OF_MEMFABRIC).any(|known| name.starts_with(known))
}

/// Returns the setting that `name` may be a misspelling of: its name differs in a third of its characters at
/// most.
fn nearest(name: &str) -> Option<&'static str> {
    let bare = |name: &'static str| name.strip_prefix("MF_").unwrap_or(name);
    let wrong = name.strip_prefix("MF_").unwrap_or(name);
    let near = |key: &Key| {
        let right = bare(key.name);
        let differences = distance(right, wrong);
        (differences <= right.len().min(wrong.len()).div_ceil(3)).then_some((differences, key.name))
    };
    TABLE.iter().filter_map(near).min().map(|(_, name)| name)
}

/// Edit distance of two short names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

static LOADED: OnceLock<Result<Loaded>> = OnceLock::new();

/// Reads environment and file, once per process.
///
/// # Errors
/// `InvalidParam` when a value or the settings file is unusable; every call returns it again.
pub fn loaded() -> Result<&'static Loaded> {
    LOADED.get_or_init(read_process).as_ref().map_err(Error::duplicate)
}

/// The settings of this process.
///
/// # Errors
/// As [`loaded`].
pub fn settings() -> Result<&'static Settings> {
    loaded().map(|loaded| &loaded.settings)
}

fn read_process() -> Result<Loaded> {
    let environment: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let file = match environment.get("MF_SETTINGS_FILE") {
        Some(path) if !path.is_empty() => {
            let text = descriptor::read_text(path).map_err(|error| {
                Error::invalid("settings", "the settings file cannot be read")
                    .with("MF_SETTINGS_FILE", path)
                    .source(error)
            })?;
            parse_file(&text)?
        }
        _ => BTreeMap::new(),
    };
    load(&environment, &file)
}

/// Reads the text of a settings file: lines `MF_NAME=value`, empty lines, and comments after `#`.
///
/// # Errors
/// `InvalidParam` names the malformed line.
pub fn parse_file(text: &str) -> Result<BTreeMap<String, String>> {
    let mut values = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            return Err(Error::invalid("settings", "a line of the settings file is not NAME=value")
                .with("line", number + 1)
                .with("text", line));
        };
        values.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn environment_beats_file_beats_default() {
        let file = parse_file("# comment\nMF_LOG_LEVEL = 1\nMF_PREFAULT=true\n").unwrap();
        let loaded = load(&env(&[("MF_LOG_LEVEL", "3")]), &file).unwrap();
        assert_eq!(loaded.settings.log_level, LogLevel(3));
        assert!(loaded.settings.prefault);
        assert_eq!(loaded.settings.rank_window, Duration::from_millis(100));
        let origin = |name| loaded.shown.iter().find(|s| s.key.name == name).unwrap().origin.clone();
        assert_eq!(origin("MF_PREFAULT"), Origin::File("MF_PREFAULT".to_owned()));
        assert_eq!(origin("MF_LOG_LEVEL"), Origin::Environment("MF_LOG_LEVEL".to_owned()));
    }

    fn warned_of(name: &str) -> Vec<String> {
        load(&env(&[(name, "3")]), &BTreeMap::new()).unwrap().warnings
    }

    #[test]
    fn unknown_names_warn_with_the_nearest() {
        for (wrong, meant) in
            [("MF_LOG_LEVLE", "MF_LOG_LEVEL"), ("MF_STORE_LEAS", "MF_STORE_LEASE"), ("MF_NICS", "MF_NIC")]
        {
            assert_eq!(
                warned_of(wrong),
                [format!("setting {wrong} is unknown and has no effect; did you mean {meant}?")]
            );
        }
    }

    #[test]
    fn unfamiliar_names_get_no_suggestion() {
        for wrong in ["MF_COLOUR", "MF_X", "MF_", "MF_GROUP_RETRY_TIME", "MF_FOO"] {
            assert_eq!(warned_of(wrong), [format!("setting {wrong} is unknown and has no effect")]);
        }
    }

    #[test]
    fn unsupported_memfabric_settings_are_accepted() {
        for name in ["MF_HCOM_CQ_DEPTH", "MF_HCOM_MAX_SEND_RECV_DATA_CNT", "MF_NPU_RDMA_MAX_SEND_WR"] {
            assert_eq!(warned_of(name), Vec::<String>::new());
        }
    }

    #[test]
    fn old_names_are_read_with_a_note() {
        for (old, key) in TABLE.iter().flat_map(|key| key.aliases.iter().map(move |old| (*old, key))) {
            for (environment, file) in
                [(env(&[(old, key.default)]), env(&[])), (env(&[]), env(&[(old, key.default)]))]
            {
                let loaded = load(&environment, &file).unwrap();
                let today = key.standard_name().unwrap_or(key.name);
                let note = format!("setting {old} is read under its old name, use {today}");
                let is_standard = NAMES_OF_STANDARDS.contains(&old);
                assert_eq!(loaded.warnings, if is_standard { Vec::new() } else { vec![note] });
            }
        }
        let loaded = load(&env(&[("ASCEND_MF_LOG_LEVEL", "0")]), &BTreeMap::new()).unwrap();
        assert_eq!(loaded.settings.log_level, LogLevel(0));
        // An old name beside the new one changes nothing, and is not reported.
        let both = env(&[("MF_SOCKET_URL", "eth1"), ("MF_NIC", "eth0")]);
        let loaded = load(&both, &BTreeMap::new()).unwrap();
        assert_eq!((&loaded.settings.nic[..], loaded.warnings.len()), ("eth0", 0));
    }

    #[test]
    fn unknown_names_in_the_file_are_warned_of_too() {
        let loaded = load(&env(&[]), &env(&[("MF_DEVIC", "none")])).unwrap();
        assert!(loaded.warnings[0].contains("MF_DEVIC is unknown"), "{:?}", loaded.warnings);
    }

    #[test]
    fn invalid_log_level_is_refused() {
        for wrong in ["foo", "99", "6", "-1", ""] {
            let error = load(&env(&[("MF_LOG_LEVEL", wrong)]), &BTreeMap::new()).unwrap_err();
            let text = format!(
                "settings: MF_LOG_LEVEL cannot be \"{wrong}\"; it takes a whole number from 0 to 5 \
                 [SMEM_INVALID_PARAM -2000]"
            );
            assert_eq!(error.to_string(), text);
            assert_eq!(error.duplicate().to_string(), text);
        }
        let old = load(&env(&[("SHMEM_LOG_LEVEL", "x")]), &BTreeMap::new()).unwrap_err().to_string();
        assert!(old.contains("from environment SHMEM_LOG_LEVEL"), "{old}");
        for (variable, level) in [("MF_LOG_LEVEL", 4), ("SHMEM_LOG_LEVEL", 5), ("ACLSHMEM_LOG_LEVEL", 5)] {
            let loaded = load(&env(&[(variable, "4")]), &BTreeMap::new()).unwrap();
            assert_eq!(loaded.settings.log_level, LogLevel(level), "{variable}");
        }
    }

    #[test]
    fn unusable_values_name_setting_value_and_remedy() {
        let error = load(&env(&[("MF_COPY_ASSIST", "maybe")]), &BTreeMap::new()).unwrap_err().to_string();
        for part in ["MF_COPY_ASSIST", "maybe", "auto, on or off"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn users_are_ids_or_any() {
        let users =
            |text| load(&env(&[("MF_ALLOW_USERS", text)]), &BTreeMap::new()).map(|l| l.settings.allow_users);
        assert_eq!(users("").unwrap(), Users::Listed(Vec::new()));
        assert_eq!(users("0, 1000").unwrap(), Users::Listed(vec![0, 1000]));
        assert_eq!(users("any").unwrap(), Users::Any);
        for text in ["root", "-1", "4294967296", "0;1"] {
            assert!(users(text).unwrap_err().to_string().contains("user ids"), "{text}");
        }
    }

    #[test]
    fn secrets_are_masked() {
        let loaded = load(&env(&[("MF_JOB_SECRET", "hunter2")]), &BTreeMap::new()).unwrap();
        assert!(!format!("{loaded:?}").contains("hunter2"));
    }
}
