// SPDX-License-Identifier: Apache-2.0 OR MIT
//! etcd servers on the loopback, and stores on them.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Rank, Result};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::rendezvous::Options;
use mf_store::RankWish;

use crate::hosted::{GRACE, Hosted};
use crate::members::{TIMEOUT, deadline, timing};

static NUMBERS: AtomicU32 = AtomicU32::new(0);

/// A name that no other test uses.
pub(crate) fn fresh(what: &str) -> String {
    format!("{what}-{}-{}", std::process::id(), NUMBERS.fetch_add(1, Ordering::Relaxed))
}

/// Certificates of a cluster: files for the servers, texts for the stores.
pub(crate) struct Certificates {
    pub(crate) ca: PathBuf,
    pub(crate) certificate: PathBuf,
    pub(crate) key: PathBuf,
}

/// A running server process. It dies with this process too, on any end.
struct Process {
    child: Arc<Mutex<Child>>,
    /// The thread that started it waits for the other end to go: a server dies with the thread that started
    /// it.
    _alive: Sender<()>,
}

impl Process {
    fn start(arguments: &[String]) -> Self {
        let arguments = arguments.to_vec();
        let (started, child) = channel();
        let (alive, gone) = channel::<()>();
        std::thread::spawn(move || {
            let start = |program: &str, before: &[&str]| {
                let mut command = Command::new(program);
                command.args(before).args(&arguments);
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
            };
            let child =
                start("setpriv", &["--pdeathsig", "KILL", "etcd"]).or_else(|_| start("etcd", &[])).unwrap();
            started.send(Arc::new(Mutex::new(child))).unwrap();
            let _ = gone.recv();
        });
        Self { child: child.recv().unwrap(), _alive: alive }
    }

    fn has_ended(&self) -> bool {
        !matches!(self.child.lock().unwrap().try_wait(), Ok(None))
    }

    fn signal(&self, name: &str) {
        let child = lock(&self.child);
        Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        let _ = child.kill();
        let _ = child.wait();
    }
}

struct Server {
    arguments: Vec<String>,
    client: SocketAddr,
    process: Mutex<Option<Process>>,
}

/// A cluster of etcd servers.
pub(crate) struct Servers {
    servers: Vec<Server>,
    folder: PathBuf,
    encrypted: bool,
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.servers.clear();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap()
}

/// Returns true if etcd is installed; prints a note if not.
pub(crate) fn is_installed() -> bool {
    let found = Command::new("etcd").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        println!("SKIPPED: the program etcd is not installed (Debian: etcd-server)");
    }
    found
}

impl Servers {
    /// Starts a cluster; none when etcd is not installed.
    pub(crate) fn start(count: usize) -> Option<Self> {
        Self::start_with(count, None, &[])
    }

    /// With further arguments of etcd.
    pub(crate) fn start_with(
        count: usize,
        certificates: Option<&Certificates>,
        more: &[&str],
    ) -> Option<Self> {
        if !is_installed() {
            return None;
        }
        // Another process may take a port between finding it free and using it.
        let started = (0..5).find_map(|_| {
            let servers = Self::prepare(count, certificates, more);
            (0..count).for_each(|at| servers.run(at));
            (0..count).all(|at| servers.becomes_ready(at)).then_some(servers)
        });
        assert!(started.is_some(), "etcd is installed and does not start");
        started
    }

    fn prepare(count: usize, certificates: Option<&Certificates>, more: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(fresh("mf-store-etcd"));
        let scheme = if certificates.is_some() { "https" } else { "http" };
        let ports: Vec<(SocketAddr, SocketAddr)> = (0..count).map(|_| (free_port(), free_port())).collect();
        let all: Vec<String> =
            ports.iter().enumerate().map(|(at, (_, peer))| format!("m{at}=http://{peer}")).collect();
        let token = fresh("token");
        let servers = ports.iter().enumerate().map(|(at, (client, peer))| {
            let mut arguments: Vec<String> = [
                ("--name", format!("m{at}")),
                ("--data-dir", folder.join(format!("m{at}")).to_string_lossy().into_owned()),
                ("--listen-client-urls", format!("{scheme}://{client}")),
                ("--advertise-client-urls", format!("{scheme}://{client}")),
                ("--listen-peer-urls", format!("http://{peer}")),
                ("--initial-advertise-peer-urls", format!("http://{peer}")),
                ("--initial-cluster", all.join(",")),
                ("--initial-cluster-token", token.clone()),
                ("--heartbeat-interval", "50".to_owned()),
                ("--election-timeout", "500".to_owned()),
                ("--log-level", "error".to_owned()),
            ]
            .into_iter()
            .flat_map(|(name, value)| [name.to_owned(), value])
            .collect();
            arguments.push("--unsafe-no-fsync".to_owned());
            arguments.extend(more.iter().map(|argument| (*argument).to_owned()));
            if let Some(certificates) = certificates {
                let path = |path: &PathBuf| path.to_string_lossy().into_owned();
                arguments.extend(["--client-cert-auth".to_owned()]);
                arguments.extend(["--trusted-ca-file".to_owned(), path(&certificates.ca)]);
                arguments.extend(["--cert-file".to_owned(), path(&certificates.certificate)]);
                arguments.extend(["--key-file".to_owned(), path(&certificates.key)]);
            }
            Server { arguments, client: *client, process: Mutex::new(None) }
        });
        Self { servers: servers.collect(), folder: folder.clone(), encrypted: certificates.is_some() }
    }

    fn run(&self, at: usize) {
        let server = &self.servers[at];
        *server.process.lock().unwrap() = Some(Process::start(&server.arguments));
    }

    /// Waits until a server answers; false when it ended instead.
    fn becomes_ready(&self, at: usize) -> bool {
        let end = deadline();
        while Instant::now() < end {
            if self.servers[at].process.lock().unwrap().as_ref().is_none_or(Process::has_ended) {
                return false;
            }
            if self.answers(at) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    fn answers(&self, at: usize) -> bool {
        let Ok(mut stream) = TcpStream::connect(self.servers[at].client) else { return false };
        if self.encrypted {
            return true;
        }
        let mut answer = String::new();
        let message = stream
            .set_read_timeout(Some(Duration::from_secs(2)))
            .and_then(|()| stream.write_all(b"GET /health HTTP/1.0\r\n\r\n"))
            .and_then(|()| stream.read_to_string(&mut answer));
        message.is_ok() && answer.contains("\"health\":\"true\"")
    }

    /// As `kill -9`.
    pub(crate) fn kill(&self, at: usize) {
        let process = self.servers[at].process.lock().unwrap().take();
        drop(process);
    }

    /// Starts a killed server again and waits until it is back.
    pub(crate) fn restart(&self, at: usize) {
        self.run(at);
        assert!(self.becomes_ready(at), "etcd server {at} did not come back");
    }

    /// Sends a signal to a server.
    pub(crate) fn signal(&self, at: usize, name: &str) {
        self.servers[at].process.lock().unwrap().as_ref().unwrap().signal(name);
    }

    pub(crate) fn endpoints(&self) -> Vec<SocketAddr> {
        self.servers.iter().map(|server| server.client).collect()
    }
}

/// One server that the tests share which do not hurt it. It ends with the last that uses it.
pub(crate) fn shared() -> Option<Arc<Servers>> {
    static SHARED: Mutex<Weak<Servers>> = Mutex::new(Weak::new());
    let mut shared = lock(&SHARED);
    if let Some(servers) = shared.upgrade() {
        return Some(servers);
    }
    let servers = Arc::new(Servers::start(1)?);
    *shared = Arc::downgrade(&servers);
    Some(servers)
}

/// A job of its own on some servers.
pub(crate) struct Job {
    pub(crate) servers: Arc<Servers>,
    pub(crate) prefix: String,
    pub(crate) world_size: u32,
}

impl Job {
    /// None when etcd is not installed.
    pub(crate) fn new(world_size: u32) -> Option<Self> {
        Some(Self::on(shared()?, world_size))
    }

    pub(crate) fn on(servers: Arc<Servers>, world_size: u32) -> Self {
        Self { servers, prefix: fresh("job"), world_size }
    }

    pub(crate) fn url(&self) -> StoreUrl {
        url_of(&self.servers.endpoints(), &self.prefix)
    }

    pub(crate) fn options(&self, wish: RankWish) -> Options {
        Options {
            wish,
            init_timeout: TIMEOUT,
            request_timeout: TIMEOUT,
            timing: Some(timing(GRACE)),
            ..Options::new(self.url(), self.world_size)
        }
    }

    pub(crate) fn wishing(&self, wish: RankWish) -> Result<Hosted> {
        Hosted::join(&self.options(wish))
    }

    pub(crate) fn join(&self, rank: Option<u32>) -> Result<Hosted> {
        self.join_within(rank, GRACE)
    }

    /// Joins a member with `grace` to resume a broken connection.
    pub(crate) fn join_within(&self, rank: Option<u32>, grace: Duration) -> Result<Hosted> {
        let wish = rank.map_or(RankWish::Any, |rank| RankWish::Exactly(Rank(rank)));
        Hosted::join(&Options { timing: Some(timing(grace)), ..self.options(wish) })
    }
}

pub(crate) fn url_of(endpoints: &[SocketAddr], prefix: &str) -> StoreUrl {
    let endpoints: Vec<String> = endpoints.iter().map(ToString::to_string).collect();
    StoreUrl::parse(&format!("etcd://{}/{prefix}", endpoints.join(","))).unwrap()
}
