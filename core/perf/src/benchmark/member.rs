// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A rank of `mfcli benchmark`.

use std::ffi::CStr;
use std::time::{Duration, Instant};

use mf_base::{Error, MemKind, Result};
use mf_library::abi::{
    SMEMB_COPY_AUTO, SMEMB_DATA_OP_DEVICE_RDMA, SMEMB_DATA_OP_DEVICE_UBOE, SMEMB_DATA_OP_DEVICE_URMA,
    SMEMB_DATA_OP_HOST_RDMA, SMEMB_DATA_OP_HOST_TCP, SMEMB_DATA_OP_HOST_URMA, SMEMB_DATA_OP_SDMA,
};
use mf_library::big_memory::{Job, Pieces, Pool, set_nic, take_rank};
use mf_library::c_text;
use mf_library::transfers::{self, Transfers};
use mf_measure::members::{print_value, wait_for_end};

use super::{Measured, Memory, OPERATION, Protocol, Task, What};
use crate::{Buffer, segment_bytes};

impl Protocol {
    /// Its bit in the engines of a pool and of endpoints.
    fn engine(self) -> u32 {
        match self {
            Self::Sdma => SMEMB_DATA_OP_SDMA,
            Self::DeviceRdma => SMEMB_DATA_OP_DEVICE_RDMA,
            Self::DeviceUrma => SMEMB_DATA_OP_DEVICE_URMA,
            Self::DeviceUboe => SMEMB_DATA_OP_DEVICE_UBOE,
            Self::HostRdma => SMEMB_DATA_OP_HOST_RDMA,
            Self::HostUrma => SMEMB_DATA_OP_HOST_URMA,
            Self::HostTcp => SMEMB_DATA_OP_HOST_TCP,
        }
    }
}

/// Measures, prints, and stays until the others are done.
pub(crate) fn main(task: &Task) -> Result<()> {
    let timeout = Duration::from_secs(task.timeout_s.into());
    let mut nic = Ok(());
    let job = Job::join(&task.url, task.world, task.device, |config| {
        take_rank(config, Some(task.rank));
        (config.init_timeout, config.create_timeout) = (task.timeout_s, task.timeout_s);
        nic = task.nic.as_deref().map_or(Ok(()), |nic| set_nic(config, nic));
    })?;
    nic?;
    let rank = Run { task, job: &job, timeout };
    match task.what {
        What::Read | What::Write => rank.pool()?,
        What::Trans => rank.endpoints()?,
    }
    wait_for_end();
    Ok(())
}

struct Run<'a> {
    task: &'a Task,
    job: &'a Job,
    timeout: Duration,
}

impl Run<'_> {
    /// Bytes of a call, all pieces one behind the other.
    fn bytes(&self) -> Result<u64> {
        let bytes = self.task.piece_bytes.checked_mul(self.task.pieces.into());
        bytes.ok_or_else(|| Error::invalid(OPERATION, "the pieces of a call are too large together"))
    }

    fn peer(&self) -> u32 {
        (self.task.rank + 1) % self.task.world
    }

    fn meet(&self, name: &CStr) -> Result<()> {
        self.job.barrier(name, self.task.world, self.timeout)
    }

    /// Calls take no turns: all ranks copy at the same time.
    fn measure(&self, mut call: impl FnMut() -> Result<()>) -> Result<()> {
        (0..self.task.warm_up).try_for_each(|_| call())?;
        self.meet(c"benchmark/start")?;
        let mut took = Vec::with_capacity(usize::try_from(self.task.calls).unwrap_or(0));
        let begin = Instant::now();
        for _ in 0..self.task.calls {
            let since = Instant::now();
            call()?;
            took.push(since.elapsed().as_secs_f64() * 1e6);
        }
        let seconds = begin.elapsed().as_secs_f64();
        took.sort_by(f64::total_cmp);
        let at = |part: usize| took.get((took.len() * part / 100).min(took.len().saturating_sub(1)));
        let [p50_us, p99_us] = [50, 99].map(|part| at(part).copied().unwrap_or_default());
        self.meet(c"benchmark/end")?;
        print_value(&Measured { rank: self.task.rank, peer: self.peer(), seconds, p50_us, p99_us })
    }

    fn pool(&self) -> Result<()> {
        let bytes = self.bytes()?;
        let kind = match self.task.memory {
            Memory::Host => MemKind::Host,
            Memory::Device => MemKind::Device,
        };
        let device_bytes = self.task.device_bytes.max(if kind == MemKind::Device { bytes } else { 0 });
        let device_bytes = if device_bytes > 0 { segment_bytes(device_bytes) } else { 0 };
        let engine = self.task.protocol.engine();
        let pool = self.job.create_over(0, segment_bytes(bytes), device_bytes, engine)?;
        pool.join()?;
        self.meet(c"benchmark/joined")?;
        self.copies(&pool, kind, bytes)
    }

    fn copies(&self, pool: &Pool, kind: MemKind, bytes: u64) -> Result<()> {
        let mut buffer = Buffer::filled(crate::length(bytes)?);
        // Unwritten memory is a single page of zeros, which is read faster.
        pool.put(buffer.bytes(), pool.address(kind, self.task.rank)?)?;
        let local = buffer.bytes_mut().as_mut_ptr();
        let remote = pool.address(kind, self.peer())?;
        let piece = crate::length(self.task.piece_bytes)?;
        let mut pieces = Pieces::default();
        for number in 0..self.task.pieces as usize {
            let (near, far) = (local.wrapping_add(number * piece), remote.wrapping_add(number * piece));
            let (from, to) = if self.task.what == What::Read { (far, near) } else { (near, far) };
            pieces.push(from.cast_const(), to, self.task.piece_bytes);
        }
        self.measure(|| {
            // SAFETY: near sides lie in `buffer`, which lives through the call and nothing else uses; far
            // sides are the pool's to check.
            unsafe { pool.copy_batch(&pieces, SMEMB_COPY_AUTO) }
        })
    }

    fn endpoints(&self) -> Result<()> {
        let bytes = crate::length(self.bytes()?)?;
        // Names look like addresses; nothing listens there.
        let name = |rank: u32| format!("127.0.0.1:{}", 1 + rank % 65535);
        let mut nic = Ok(());
        let all = Transfers::begin(&self.task.url, |config| {
            (config.data_op_type, config.init_timeout) = (self.task.protocol.engine(), self.task.timeout_s);
            nic = self.task.nic.as_deref().map_or(Ok(()), |nic| transfers::set_nic(config, nic));
        })?;
        nic?;
        let endpoint = all.create(&name(self.task.rank))?;
        let [near, far] = [endpoint.malloc(bytes)?, endpoint.malloc(bytes)?];
        let (own, mut content) = (c_text(&name(self.task.rank))?, Buffer::filled(bytes));
        let start = content.bytes_mut().as_mut_ptr();
        // SAFETY: a buffer of so many bytes, which nothing else uses.
        unsafe { endpoint.transfer(1, &own, (start, near.addr() as u64, bytes), true) }?;
        let address = (far.addr() as u64).to_le_bytes();
        let store = self.job.store();
        let addresses = store.allgather(c"benchmark/addresses", self.task.world, &address, self.timeout)?;
        let wrong = || Error::invalid(OPERATION, "a rank does not say where its memory is");
        let (peer, to) = (self.peer(), c_text(&name(self.peer()))?);
        let (_, address) = addresses.iter().find(|(rank, _)| *rank == peer).ok_or_else(wrong)?;
        let there = u64::from_le_bytes(address.as_slice().try_into().map_err(|_| wrong())?);
        let piece = crate::length(self.task.piece_bytes)?;
        let mut pieces = transfers::Pieces::default();
        for number in 0..self.task.pieces as usize {
            let offset = number * piece;
            pieces.push(near.wrapping_add(offset), there + offset as u64, piece);
        }
        self.measure(|| {
            // SAFETY: the near sides are memory of the endpoint, of as many bytes, which nothing else
            // uses; far sides are checked where they are.
            unsafe { endpoint.write_all(1, &to, &pieces) }
        })?;
        self.meet(c"benchmark/transferred")
    }
}
