// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ordering of puts and tags that take another path: data put before a tag is visible when the tag is, from
//! both ends, also at a dialer that only waits for tags.
//!
//! `MF_TEST_HMC_ROUNDS` is the number of rounds of each size (default: few), `MF_TEST_HMC_SIZE` selects one
//! size, `MF_TEST_HMC_ROUTE` one route, `MF_TEST_HMC_TYPES` the memory types of listener and dialer (default:
//! `1,1`, host memory); 2 are the simulated accelerators of `mf sim --gpus 2:cuda --`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::Users;
use mf_base::{Error, Kind, Result};
use mf_hmc::buffer::DataIn;
use mf_hmc::communicator::{At, Communicator, Ranges};
use mf_hmc::ctrl::frame::INTEGER;
use mf_hmc::ctrl::{Expected, Listen, PROCESS, Peer, Rules, path_for};
use mf_hmc::{Buffer, ConnType, MemoryType};
use mf_tls::JobSecret;

use crate::processes::free_port;
use crate::side::Side;

const OP: &str = "hmc test";
const HERE: &str = "127.0.0.1";
const TAG: Expected = Expected { kind: INTEGER, bytes: 8 };
const LIMIT: Duration = Duration::from_secs(60);
/// Bytes of a put, and the default number of rounds.
const SIZES: [(u64, u64); 5] = [(64, 60), (4096, 60), (65_536, 20), (1 << 20, 6), (8 << 20, 4)];
/// Offset at which data arrives, after the area of sent data.
const REMOTE: u64 = 8 << 20;

/// Ports that a listener tries.
const PORTS: usize = 20;

/// Rounds of one command, so that it takes little time.
const AT_ONCE: usize = 200;

/// Routes between the processes.
const ROUTES: [(&str, &[(&str, &str)]); 3] = [
    ("in place", &[]),
    ("tcp", &[("MF_SHM", "false"), ("MF_TRANSPORTS", "tcp")]),
    ("ucx", &[("MF_SHM", "false"), ("MF_TRANSPORTS", "ucx")]),
];

/// One end of the rounds, as words of a command.
pub(crate) struct End<'a> {
    is_dialer: bool,
    port: u16,
    /// Port for tags; 0: by socket files in the folder.
    tags: u16,
    folder: &'a str,
    kind: i32,
}

impl<'a> End<'a> {
    /// Parses it.
    pub(crate) fn of(words: &[&'a str]) -> Self {
        let [dialer, port, tags, folder, kind] = words else { panic!("no end: {words:?}") };
        Self {
            is_dialer: *dialer == "1",
            port: port.parse().unwrap(),
            tags: tags.parse().unwrap(),
            folder,
            kind: kind.parse().unwrap(),
        }
    }

    fn at(&self) -> At<'static> {
        At { ip: HERE.as_bytes(), port: if self.is_dialer { self.port } else { 0 }, conn: ConnType::Ucx }
    }

    fn peer(&self) -> Peer {
        Peer::Rank(u32::from(!self.is_dialer))
    }

    /// Listens, or connects, for data and tags.
    pub(crate) fn open(&self) -> Result<Communicator> {
        let device = i32::from(self.is_dialer && self.kind != MemoryType::Cpu as i32);
        let communicator =
            Communicator::new(OP, Arc::new(Buffer::new(OP, device, self.kind, 2 * REMOTE)?), 1)?;
        let rules = Rules::new(JobSecret::new(""), Users::default(), false);
        let path = path_for(self.folder, 0);
        if self.is_dialer {
            communicator.connect(OP, HERE, self.port, ConnType::Ucx)?;
            match self.tags {
                0 => PROCESS.connect_unix(&rules, 0, &path, 1)?,
                port => PROCESS.connect_tcp(&rules, 0, HERE, port, 1)?,
            }
            println!("by {}", communicator.connection(OP, self.at())?.path());
        } else {
            communicator.listen(OP, HERE, self.port, ConnType::Ucx)?;
            let at = match self.tags {
                0 => Listen { tcp: None, unix: Some(&path) },
                port => Listen { tcp: Some((HERE, port)), unix: None },
            };
            PROCESS.start(&rules, at)?;
        }
        Ok(communicator)
    }

    /// Puts and reads in turns. Returns the number of rounds in which data was missing.
    pub(crate) fn run(&self, on: &Communicator, bytes: u64, rounds: u64) -> Result<i64> {
        let mut data = vec![0_u8; usize::try_from(bytes).unwrap()];
        let mut found = data.clone();
        let mut stale = 0;
        for round in 0..rounds * 2 {
            // Consecutive rounds of a direction differ in every byte.
            data.fill((round / 2 % 255 + 1).to_le_bytes()[0]);
            if (round % 2 == 0) == self.is_dialer {
                // SAFETY: the vector has so many bytes.
                unsafe { on.buffer().write(OP, data.as_ptr(), bytes, 0, DataIn::Host) }?;
                on.put(OP, self.at(), Ranges { local: 0, remote: REMOTE, bytes })?;
                PROCESS.send(self.peer(), INTEGER, 0, &round.to_le_bytes())?;
                // Has been read there.
                self.await_tag(round)?;
            } else {
                self.await_tag(round)?;
                // SAFETY: the vector has room for so many bytes.
                unsafe { on.buffer().read(OP, found.as_mut_ptr(), bytes, REMOTE, DataIn::Host) }?;
                stale += i64::from(found != data);
                PROCESS.send(self.peer(), INTEGER, 0, &round.to_le_bytes())?;
            }
        }
        Ok(stale)
    }

    fn await_tag(&self, round: u64) -> Result<()> {
        let mut tag = u64::MAX;
        let end = Instant::now() + LIMIT;
        loop {
            let received = PROCESS.receive_into(self.peer(), Some(LIMIT), TAG, |bytes| {
                tag = u64::from_le_bytes(bytes.try_into().unwrap());
            });
            match received {
                // The dialer has not connected yet.
                Err(error) if round == 0 && error.kind() == Kind::NotConnected && Instant::now() < end => {
                    std::thread::yield_now();
                }
                Err(error) => return Err(error),
                Ok(()) if tag == round => return Ok(()),
                Ok(()) => return Err(Error::new(Kind::Failed, OP).what("another tag").with("tag", tag)),
            }
        }
    }
}

/// Starts two connected processes; `None` if they cannot connect by this route.
fn pair(environment: &[(&str, &str)], is_unix: bool, kinds: [i32; 2], folder: &str) -> Option<[Side; 2]> {
    let mut listener = Side::start(environment);
    // Another process may take a port that was free.
    let (port, tags) = (0..PORTS).find_map(|_| {
        let (port, tags) = (free_port(), if is_unix { 0 } else { free_port() });
        let is_open = listener.call(&format!("rounds open 0 {port} {tags} {folder} {}", kinds[0])) == 0;
        is_open.then_some((port, tags))
    })?;
    let mut dialer = Side::start(environment);
    let is_there = dialer.call(&format!("rounds open 1 {port} {tags} {folder} {}", kinds[1])) == 0;
    is_there.then_some([listener, dialer])
}

#[test]
fn put_data_is_visible_when_its_tag_arrives() {
    let rounds = std::env::var("MF_TEST_HMC_ROUNDS").ok().map(|text| text.parse::<u64>().unwrap());
    let size = std::env::var("MF_TEST_HMC_SIZE").ok().map(|text| text.parse::<u64>().unwrap());
    let only = std::env::var("MF_TEST_HMC_ROUTE").ok();
    let kinds = std::env::var("MF_TEST_HMC_TYPES").map_or([MemoryType::Cpu as i32; 2], |text| {
        let (one, other) = text.split_once(',').unwrap();
        [one.parse().unwrap(), other.parse().unwrap()]
    });
    let folder = std::env::temp_dir().join(format!("mf-hmc-stale-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (route, environment) in ROUTES {
        if only.as_ref().is_some_and(|only| only != route) {
            continue;
        }
        if route == "ucx" && kinds.iter().any(|kind| *kind != MemoryType::Cpu as i32) {
            println!("skip puts by ucx: it reaches no memory of an accelerator (would help: host memory)");
            continue;
        }
        for is_unix in [false, true] {
            let tags = if is_unix { "unix" } else { "tcp" };
            let Some([mut listener, mut dialer]) =
                pair(environment, is_unix, kinds, folder.to_str().unwrap())
            else {
                assert_eq!(route, "ucx", "they do not reach each other");
                println!(
                    "skip puts by {route}: it reaches nothing here (would help: apt-get install libucx0)"
                );
                continue;
            };
            for (bytes, few) in SIZES.into_iter().filter(|(bytes, _)| size.is_none_or(|size| size == *bytes))
            {
                let rounds = rounds.unwrap_or(few);
                let mut stale = [0, 0];
                for first in (0..rounds).step_by(AT_ONCE) {
                    let command = format!("rounds run {bytes} {}", (rounds - first).min(AT_ONCE as u64));
                    listener.begin(&command);
                    dialer.begin(&command);
                    // The dialer put the data that the listener checks.
                    stale[0] += listener.finish(&command);
                    stale[1] += dialer.finish(&command);
                }
                println!("{kinds:?} {route}, tags by {tags}: {bytes} B, {rounds} rounds, stale {stale:?}");
                assert_eq!(stale, [0, 0], "{route}, tags by {tags}: {bytes} B");
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
