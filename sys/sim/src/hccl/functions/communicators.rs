// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Making and ending communicators, and their properties.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mf_base::os::descriptor;

use ascend_acl_sys::raw::types::{HcclCommConfig, HcclRootInfo};

use super::{answer, check_rank, not_null};
use crate::acl::arguments::give;
use crate::clock::Deadline;
use crate::context::current;
use crate::device::Device;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::hccl::code;
use crate::hccl::communicator::{COMMUNICATORS, Candidate, Communicator};
use crate::hccl::config::{CommunicatorOptions, connect_timeout, exec_timeout};
use crate::hccl::root::{self, Address};
use crate::hccl::shared::{CommunicatorFile, MOST_RANKS, NAME_BYTES};
use crate::hccl::subset::{self, Key};
use crate::hccl::table::RankTable;
use crate::machine::machine;

exports! {
    /// Creates the root info by which ranks find each other.
    fn HcclGetRootInfo(rootInfo: *mut HcclRootInfo) = root_info;
    /// A communicator by root info.
    fn HcclCommInitRootInfo(nRanks: u32, rootInfo: *const HcclRootInfo, rank: u32, comm: *mut *mut c_void)
        = by_root_info;
    /// The same, with wishes.
    fn HcclCommInitRootInfoConfig(
        nRanks: u32, rootInfo: *const HcclRootInfo, rank: u32, config: *const HcclCommConfig, comm: *mut *mut c_void,
    ) = by_root_info_with;
    /// A communicator of devices of this process.
    fn HcclCommInitAll(ndev: u32, devices: *mut i32, comms: *mut *mut c_void) = of_devices;
    /// A communicator by the rank table in a file.
    fn HcclCommInitClusterInfo(clusterInfo: *const c_char, rank: u32, comm: *mut *mut c_void) = by_file;
    /// The same, with wishes.
    fn HcclCommInitClusterInfoConfig(
        clusterInfo: *const c_char, rank: u32, config: *mut HcclCommConfig, comm: *mut *mut c_void,
    ) = by_file_with;
    /// A communicator by a rank table.
    fn HcclCommInitClusterInfoMemConfig(
        rankTable: *const c_char, rank: u32, config: *mut HcclCommConfig, comm: *mut *mut c_void,
    ) = by_text;
    /// A communicator of some ranks of another one.
    fn HcclCreateSubCommConfig(
        comm: *mut *mut c_void, rankNum: u32, rankIds: *mut u32, subCommId: u64, subCommRankId: u32,
        config: *mut HcclCommConfig, subComm: *mut *mut c_void,
    ) = of_subset;
    /// Ends a communicator.
    fn HcclCommDestroy(comm: *mut c_void) = destroy;
    /// Returns the number of ranks.
    fn HcclGetRankSize(comm: *mut c_void, rankSize: *mut u32)
        -> rankSize: Communicator::from_handle(comm)?.shared.ranks();
    /// The own rank.
    fn HcclGetRankId(comm: *mut c_void, rank: *mut u32) -> rank: Communicator::from_handle(comm)?.rank;
    /// Its name.
    fn HcclGetCommName(comm: *mut c_void, commName: *mut c_char) = name;
    /// Returns the first error of its operations.
    fn HcclGetCommAsyncError(comm: *mut c_void, asyncError: *mut i32)
        -> asyncError: Communicator::from_handle(comm)?.error();
}

/// Returns the meaning of a result.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the names are CANN's")]
pub extern "C" fn HcclGetErrorString(code: i32) -> *const c_char {
    code::describe(code).as_ptr()
}

unsafe fn root_info(info: *mut HcclRootInfo) -> Outcome {
    not_null(info, "rootInfo")?;
    current_device()?;
    let bytes = root::offer()?.to_root_info();
    // SAFETY: checked for null above.
    unsafe { give(info.cast(), bytes) }
}

/// The device must be set before a communicator is made.
fn current_device() -> Outcome<Arc<Device>> {
    current().map(|context| Arc::clone(&context.device)).map_err(code::of_acl)
}

unsafe fn by_root_info(ranks: u32, info: *const HcclRootInfo, rank: u32, comm: *mut *mut c_void) -> Outcome {
    not_null(info, "rootInfo")?;
    not_null(comm, "comm")?;
    // SAFETY: checked for null above.
    unsafe { init_by_root_info(ranks, info, rank, CommunicatorOptions::default(), comm) }
}

unsafe fn by_root_info_with(
    ranks: u32,
    info: *const HcclRootInfo,
    rank: u32,
    config: *const HcclCommConfig,
    comm: *mut *mut c_void,
) -> Outcome {
    not_null(info, "rootInfo")?;
    not_null(comm, "comm")?;
    // SAFETY: the program passes null or a configuration with its size in the first field.
    let wishes = unsafe { CommunicatorOptions::read(config) }?;
    // SAFETY: checked for null above.
    unsafe { init_by_root_info(ranks, info, rank, wishes, comm) }
}

unsafe fn init_by_root_info(
    ranks: u32,
    info: *const HcclRootInfo,
    rank: u32,
    wishes: CommunicatorOptions,
    comm: *mut *mut c_void,
) -> Outcome {
    check_ranks(ranks)?;
    ensure(rank < ranks, code::PARA, || format!("rank {rank} of {ranks}"))?;
    // SAFETY: not null, so the caller passes a whole root info.
    let bytes = unsafe { info.cast::<[u8; root::BYTES]>().read_unaligned() };
    let address = Address::of_root_info(&bytes)?;
    let device = current_device()?;
    let timeouts = Timeouts::read()?;
    let shared = root::fetch(address, ranks)?;
    let candidate = Candidate::enlist(&shared, rank, &device, wishes)?;
    let all_came = candidate.wait(timeouts.connect, || ());
    root::withdraw(address);
    all_came?;
    // SAFETY: checked for null by the callers; the program passes a place for a handle.
    unsafe { give(comm, candidate.into_communicator(default_name(address), timeouts.exec)) }
}

fn check_ranks(ranks: u32) -> Outcome {
    ensure((1..=MOST_RANKS).contains(&ranks), code::PARA, || {
        format!("{ranks} ranks; a communicator has 1 to {MOST_RANKS}")
    })
}

fn default_name(address: Address) -> String {
    format!("hccl_{:x}", address.number)
}

/// The settings that a communicator is made with.
struct Timeouts {
    connect: Duration,
    exec: Option<Duration>,
}

impl Timeouts {
    fn read() -> Outcome<Self> {
        Ok(Self { connect: connect_timeout()?, exec: exec_timeout()? })
    }
}

unsafe fn of_devices(count: u32, devices: *mut i32, comms: *mut *mut c_void) -> Outcome {
    not_null(devices, "devices")?;
    not_null(comms, "comms")?;
    check_ranks(count)?;
    let timeouts = Timeouts::read()?;
    let devices = (0..count as usize).map(|index| {
        // SAFETY: the caller passes `ndev` of them.
        let device = unsafe { devices.wrapping_add(index).read_unaligned() };
        machine()?.devices.get(device).map_err(code::of_acl)
    });
    let devices = devices.collect::<Outcome<Vec<_>>>()?;
    let address = root::offer()?;
    let shared = root::fetch(address, count);
    root::withdraw(address);
    let shared = shared?;
    let candidates = (0..)
        .zip(&devices)
        .map(|(rank, device)| Candidate::enlist(&shared, rank, device, CommunicatorOptions::default()))
        .collect::<Outcome<Vec<_>>>()?;
    candidates.iter().try_for_each(|candidate| candidate.wait(timeouts.connect, || ()))?;
    for (index, candidate) in candidates.into_iter().enumerate() {
        let comm = candidate.into_communicator(default_name(address), timeouts.exec);
        // SAFETY: the caller has room for `ndev` of them.
        unsafe { give(comms.wrapping_add(index), comm) }?;
    }
    Ok(())
}

unsafe fn by_file(path: *const c_char, rank: u32, comm: *mut *mut c_void) -> Outcome {
    not_null(path, "clusterInfo")?;
    not_null(comm, "comm")?;
    // SAFETY: checked for null above; the caller passes a string.
    let text = unsafe { read_file(path) }?;
    // SAFETY: checked for null above.
    unsafe { init_by_table(&text, rank, CommunicatorOptions::default(), comm) }
}

unsafe fn by_file_with(
    path: *const c_char,
    rank: u32,
    config: *mut HcclCommConfig,
    comm: *mut *mut c_void,
) -> Outcome {
    not_null(path, "clusterInfo")?;
    not_null(comm, "comm")?;
    // SAFETY: the program passes null or a configuration with its size in the first field.
    let wishes = unsafe { CommunicatorOptions::read(config) }?;
    // SAFETY: checked for null above; the caller passes a string.
    let text = unsafe { read_file(path) }?;
    // SAFETY: checked for null above.
    unsafe { init_by_table(&text, rank, wishes, comm) }
}

unsafe fn by_text(
    text: *const c_char,
    rank: u32,
    config: *mut HcclCommConfig,
    comm: *mut *mut c_void,
) -> Outcome {
    not_null(text, "rankTable")?;
    not_null(comm, "comm")?;
    // SAFETY: the program passes null or a configuration with its size in the first field.
    let wishes = unsafe { CommunicatorOptions::read(config) }?;
    // SAFETY: not null, so the caller passes a string.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    // SAFETY: checked for null above.
    unsafe { init_by_table(&text, rank, wishes, comm) }
}

unsafe fn read_file(path: *const c_char) -> Outcome<String> {
    // SAFETY: not null, so the program passes a C string.
    let path = Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()));
    descriptor::read_text(path).map_err(|error| {
        Fault::new(code::OPEN_FILE, format_args!("cannot read the rank table {}: {error}", path.display()))
    })
}

unsafe fn init_by_table(
    text: &str,
    rank: u32,
    wishes: CommunicatorOptions,
    comm: *mut *mut c_void,
) -> Outcome {
    let table = RankTable::parse(text)?;
    let device = current_device()?;
    table.check(rank, &device)?;
    let timeouts = Timeouts::read()?;
    let ranks = u32::try_from(table.devices.len()).unwrap_or(u32::MAX);
    let (candidate, address) = if rank == 0 {
        let listener = retry(&timeouts, "the name of this rank table to become free", || table.listen())?;
        let address = root::offer()?;
        let all_came = root::fetch(address, ranks).and_then(|shared| {
            let candidate = Candidate::enlist(&shared, rank, &device, wishes)?;
            candidate.wait(timeouts.connect, || listener.answer(address))?;
            Ok(candidate)
        });
        root::withdraw(address);
        (all_came?, address)
    } else {
        let come = retry(&timeouts, "rank 0 of this rank table", || {
            let Some(address) = table.query()? else { return Ok(None) };
            let candidate = root::fetch(address, ranks).and_then(|shared: Arc<CommunicatorFile>| {
                Candidate::enlist(&shared, rank, &device, wishes.clone())
            });
            // An earlier communicator of the same table may just be complete.
            Ok(candidate.ok().map(|candidate| (candidate, address)))
        })?;
        come.0.wait(timeouts.connect, || ())?;
        come
    };
    // SAFETY: checked for null by the callers; the program passes a place for a handle.
    unsafe { give(comm, candidate.into_communicator(default_name(address), timeouts.exec)) }
}

/// Tries until something is there.
fn retry<T>(timeouts: &Timeouts, what: &str, mut attempt: impl FnMut() -> Outcome<Option<T>>) -> Outcome<T> {
    let deadline = Deadline::after(Some(timeouts.connect));
    loop {
        if let Some(found) = attempt()? {
            return Ok(found);
        }
        ensure(!deadline.is_over(), code::TIMEOUT, || format!("waited {:?} for {what}", timeouts.connect))?;
        std::thread::sleep(deadline.slice());
    }
}

unsafe fn of_subset(
    parent: *mut *mut c_void,
    count: u32,
    ranks: *mut u32,
    id: u64,
    rank: u32,
    config: *mut HcclCommConfig,
    comm: *mut *mut c_void,
) -> Outcome {
    not_null(parent, "comm")?;
    not_null(comm, "subComm")?;
    // SAFETY: checked for null above.
    let parent = Communicator::from_handle(unsafe { parent.read_unaligned() })?;
    if is_outsider(count, ranks) {
        // SAFETY: checked for null above.
        return unsafe { give(comm, std::ptr::null_mut()) };
    }
    not_null(ranks, "rankIds")?;
    check_ranks(count)?;
    // SAFETY: the program passes null or a configuration with its size in the first field.
    let wishes = unsafe { CommunicatorOptions::read(config) }?;
    let ranks: Vec<u32> = (0..count as usize)
        .map(|index| {
            // SAFETY: the caller passes `rankNum` of them.
            unsafe { ranks.wrapping_add(index).read_unaligned() }
        })
        .collect();
    check_subset(&parent, &ranks, rank)?;
    let timeouts = Timeouts::read()?;
    let key = Key::new(id, &ranks);
    let is_first = rank == 0;
    let address = match is_first {
        true => subset::found(&parent, key)?,
        false => subset::find(&parent, key, ranks[0], timeouts.connect)?,
    };
    let all_came = root::fetch(address, count).and_then(|shared| {
        let candidate = Candidate::enlist(&shared, rank, &parent.device, wishes)?;
        candidate.wait(timeouts.connect, || ())?;
        Ok(candidate)
    });
    if is_first {
        subset::forget(&parent, address);
        root::withdraw(address);
    }
    let name = format!("{}_sub_{id}", parent.name);
    // SAFETY: checked for null above.
    unsafe { give(comm, all_came?.into_communicator(name, timeouts.exec)) }
}

/// Assumed: a rank that is in no subset passes no list and gets no communicator.
fn is_outsider(count: u32, ranks: *const u32) -> bool {
    count == 0 && ranks.is_null()
}

fn check_subset(parent: &Communicator, ranks: &[u32], rank: u32) -> Outcome {
    for (index, member) in ranks.iter().enumerate() {
        check_rank(parent, *member, "a member")?;
        ensure(!ranks[..index].contains(member), code::PARA, || format!("rank {member} is listed twice"))?;
    }
    ensure(ranks.get(rank as usize) == Some(&parent.rank), code::PARA, || {
        format!("this is rank {}, which is not at place {rank} of {ranks:?}", parent.rank)
    })
}

unsafe fn destroy(comm: *mut c_void) -> Outcome {
    not_null(comm, "comm")?;
    COMMUNICATORS.remove(comm, code::PARA).map(drop)
}

unsafe fn name(comm: *mut c_void, name: *mut c_char) -> Outcome {
    not_null(name, "commName")?;
    let communicator = Communicator::from_handle(comm)?;
    let bytes = communicator.name.as_bytes();
    let length = bytes.len().min(NAME_BYTES - 1);
    // SAFETY: the caller has room for a name.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), name.cast(), length) };
    // SAFETY: the program has room for a name, and `length` leaves a byte for its end.
    unsafe { give(name.wrapping_add(length), 0) }
}
