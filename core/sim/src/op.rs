// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations of ranks and their results, as data: the interface of the engine, for Rust and Python alike.

use crate::choice::end;
use crate::engine::TaskId;
use crate::engine::layout::place;
use crate::error::Result;
use crate::world::Nanos;

/// Atomic operation on a word of 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    /// Adds; wraps.
    Add(u64),
    /// Bitwise and.
    And(u64),
    /// Bitwise or.
    Or(u64),
    /// Bitwise exclusive or.
    Xor(u64),
    /// Replaces the word.
    Swap(u64),
    /// Replaces the word by `new` if it equals `expected`.
    CompareAndSwap {
        /// Value that the word must have.
        expected: u64,
        /// Value that it gets.
        new: u64,
    },
    /// Reads the word.
    Fetch,
}

impl Atomic {
    pub(crate) fn apply(self, word: u64) -> u64 {
        match self {
            Self::Add(value) => word.wrapping_add(value),
            Self::And(value) => word & value,
            Self::Or(value) => word | value,
            Self::Xor(value) => word ^ value,
            Self::Swap(value) => value,
            Self::CompareAndSwap { expected, new } => {
                if word == expected {
                    new
                } else {
                    word
                }
            }
            Self::Fetch => word,
        }
    }
}

/// Update of a word behind the data of a put: a reader that sees it sees the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    pub(crate) address: u64,
    pub(crate) atomic: Atomic,
}

impl Signal {
    /// Sets the word of 8 bytes at `address`, a multiple of 8.
    pub const fn set(address: u64, value: u64) -> Self {
        Self { address, atomic: Atomic::Swap(value) }
    }

    /// Adds to the word of 8 bytes at `address`, a multiple of 8.
    pub const fn add(address: u64, value: u64) -> Self {
        Self { address, atomic: Atomic::Add(value) }
    }
}

/// Comparison of a word with a value, as numbers without a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterOrEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessOrEqual,
}

impl Comparison {
    pub(crate) fn holds(self, word: u64, value: u64) -> bool {
        match self {
            Self::Equal => word == value,
            Self::NotEqual => word != value,
            Self::Greater => word > value,
            Self::GreaterOrEqual => word >= value,
            Self::Less => word < value,
            Self::LessOrEqual => word <= value,
        }
    }

    const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
        }
    }
}

/// A lease of the store: its keys are removed when it was not renewed for its time to live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lease(pub(crate) u64);

/// Lifetime of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// Until it is deleted.
    Permanent,
    /// Until it is deleted, or the session of its setter ends.
    Session,
    /// Until it is deleted, or the lease ends.
    Lease(Lease),
}

/// A key of the store with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Vec<u8>,
    /// Revision of the store when this value was set; it increases with every change.
    pub revision: u64,
    /// Owner of a session key. `None` for other keys.
    pub owner: Option<u32>,
}

/// Request to the store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the methods of `Store`")]
pub enum Request {
    Set {
        key: String,
        value: Vec<u8>,
        lifetime: Lifetime,
    },
    Get {
        key: String,
    },
    Wait {
        key: String,
    },
    Add {
        key: String,
        delta: i64,
    },
    Append {
        key: String,
        value: Vec<u8>,
    },
    CompareAndSwap {
        key: String,
        expected: Option<Vec<u8>>,
        new: Vec<u8>,
        lifetime: Lifetime,
    },
    Delete {
        key: String,
    },
    List {
        prefix: String,
    },
    GrantLease {
        ttl: Nanos,
    },
    RenewLease {
        lease: Lease,
    },
    RevokeLease {
        lease: Lease,
    },
    Lock {
        name: String,
        wait: bool,
    },
    Unlock {
        name: String,
    },
    /// Barrier, or allgather with a value.
    Meet {
        name: String,
        members: u32,
        value: Option<Vec<u8>>,
    },
    Members,
}

impl Request {
    fn name(&self) -> String {
        match self {
            Self::Set { key, value, .. } => format!("store set {key:?} ({} bytes)", value.len()),
            Self::Get { key } => format!("store get {key:?}"),
            Self::Wait { key } => format!("store wait {key:?}"),
            Self::Add { key, delta } => format!("store add {delta} to {key:?}"),
            Self::Append { key, value } => format!("store append {} bytes to {key:?}", value.len()),
            Self::CompareAndSwap { key, .. } => format!("store compare and swap {key:?}"),
            Self::Delete { key } => format!("store delete {key:?}"),
            Self::List { prefix } => format!("store list {prefix:?}"),
            Self::GrantLease { ttl } => format!("store lease of {}", shown(*ttl)),
            Self::RenewLease { lease } => format!("store renew lease {}", lease.0),
            Self::RevokeLease { lease } => format!("store revoke lease {}", lease.0),
            Self::Lock { name, wait: true } => format!("store lock {name:?}"),
            Self::Lock { name, .. } => format!("store try lock {name:?}"),
            Self::Unlock { name } => format!("store unlock {name:?}"),
            Self::Meet { name, value: None, .. } => format!("store barrier {name:?}"),
            Self::Meet { name, .. } => format!("store allgather {name:?}"),
            Self::Members => "store members".into(),
        }
    }
}

/// Request to the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the methods of `Cache`")]
pub enum CacheRequest {
    Put { key: Vec<u8>, value: Vec<u8> },
    Get { key: Vec<u8> },
    Remove { key: Vec<u8>, unless_leased: bool },
    Lease { key: Vec<u8>, time: Nanos },
}

/// Operation of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the methods of the handles")]
pub enum Op {
    Pause,
    Sleep {
        time: Nanos,
    },
    OpenPool {
        bytes: u64,
    },
    ClosePool,
    Put {
        source: Vec<u8>,
        address: u64,
        signal: Option<Signal>,
        wait: bool,
    },
    Get {
        address: u64,
        bytes: usize,
    },
    Atomic {
        address: u64,
        atomic: Atomic,
    },
    WaitWord {
        address: u64,
        comparison: Comparison,
        value: u64,
    },
    Fence,
    Quiet,
    Store(Request),
    Cache(CacheRequest),
    /// Reads the bytes of a leased value in place.
    ReadLeased {
        block: u64,
    },
    Notify {
        to: u32,
        message: Vec<u8>,
    },
    Receive,
    Join {
        task: TaskId,
    },
}

impl Op {
    /// The name of the operation with its arguments, in traces and errors.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Pause => "pause".into(),
            Self::Sleep { time } => format!("sleep {}", shown(*time)),
            Self::OpenPool { bytes } => format!("open pool of {bytes} bytes"),
            Self::ClosePool => "close pool".into(),
            Self::Put { source, address, signal, wait } => {
                let start = if *wait { "put" } else { "start put of" };
                let behind = signal
                    .map_or(String::new(), |signal| format!(" with signal at {}", place(signal.address)));
                format!("{start} {} bytes to {}{behind}", source.len(), place(*address))
            }
            Self::Get { address, bytes } => format!("get {bytes} bytes from {}", place(*address)),
            Self::Atomic { address, atomic } => format!("atomic {atomic:?} at {}", place(*address)),
            Self::WaitWord { address, comparison, value } => {
                format!("wait for word {} {} {value}", place(*address), comparison.sign())
            }
            Self::Fence => "fence".into(),
            Self::Quiet => "quiet".into(),
            Self::Store(request) => request.name(),
            Self::Cache(CacheRequest::Put { key, value }) => {
                format!("cache put {:?} ({} bytes)", text(key), value.len())
            }
            Self::Cache(CacheRequest::Get { key }) => format!("cache get {:?}", text(key)),
            Self::Cache(CacheRequest::Remove { key, .. }) => format!("cache remove {:?}", text(key)),
            Self::Cache(CacheRequest::Lease { key, time }) => {
                format!("cache lease {:?} for {}", text(key), shown(*time))
            }
            Self::ReadLeased { block } => format!("read leased block {block}"),
            Self::Notify { to, message } => format!("notify {} ({} bytes)", end(*to), message.len()),
            Self::Receive => "receive".into(),
            Self::Join { task } => format!("join task {task}"),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A time for people, exact.
pub(crate) fn shown(time: Nanos) -> String {
    format!("{}.{:03} us", time / 1000, time % 1000)
}

/// Value of an operation that succeeded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Value {
    None,
    Bytes(Vec<u8>),
    Word(u64),
    Number(i64),
    Flag(bool),
    Entry(Option<Entry>),
    Entries(Vec<Entry>),
    Swap(bool, Option<Entry>),
    /// Fencing number of a lock, if it was taken.
    Fencing(Option<u64>),
    Lease(Lease),
    Parts(Vec<(u32, Vec<u8>)>),
    Ranks(Vec<u32>),
    Found(Option<Vec<u8>>),
    /// Number of the block, its length, and the end of the lease by the clock of the rank.
    Leased(Option<(u64, u64, Nanos)>),
    /// Sender and message.
    Message(u32, Vec<u8>),
}

impl Value {
    /// Returns a short text for the trace.
    pub(crate) fn summary(&self) -> String {
        match self {
            Self::None => "done".into(),
            Self::Bytes(bytes) => bytes_shown(bytes),
            Self::Word(word) => word.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Entry(None) | Self::Found(None) | Self::Leased(None) => "nothing".into(),
            Self::Entry(Some(entry)) => {
                format!("{} at revision {}", bytes_shown(&entry.value), entry.revision)
            }
            Self::Entries(entries) => format!("{} entries", entries.len()),
            Self::Swap(swapped, _) => {
                if *swapped {
                    "swapped".into()
                } else {
                    "not swapped".into()
                }
            }
            Self::Fencing(Some(number)) => format!("taken, fencing number {number}"),
            Self::Fencing(None) => "held by another".into(),
            Self::Lease(lease) => format!("lease {}", lease.0),
            Self::Parts(parts) => format!("{} members", parts.len()),
            Self::Ranks(ranks) => format!("{} ranks", ranks.len()),
            Self::Found(Some(bytes)) => bytes_shown(bytes),
            Self::Leased(Some((block, bytes, until))) => {
                format!("block {block} of {bytes} bytes until {}", shown(*until))
            }
            Self::Message(from, bytes) => format!("{} from {}", bytes_shown(bytes), end(*from)),
        }
    }
}

/// The first bytes of a value in hexadecimal, and its length.
pub(crate) fn bytes_shown(bytes: &[u8]) -> String {
    let first: String = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > 8 { "…" } else { "" };
    format!("{} bytes {first}{more}", bytes.len())
}

/// Result of an operation.
pub type Outcome = Result<Value>;
