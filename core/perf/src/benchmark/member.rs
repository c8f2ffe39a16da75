// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A rank of `mfcli benchmark`.

use std::time::{Duration, Instant};

use mf_base::{Error, MemKind, Rank, Result};
use mf_smem::bm::{Config, Context, CopyMode, CopyType, EngineName, EngineSet, Piece, Pool, PoolOptions};
use mf_smem::trans::{Endpoint, Options, Span};

use super::{BenchmarkMode, Measured, Memory, OPERATION, Protocol, Task};
use crate::members::{print_value, wait_for_end};
use crate::{Buffer, segment_bytes};

impl Protocol {
    fn engines(self) -> EngineSet {
        EngineSet::one(match self {
            Self::Sdma => EngineName::DeviceSdma,
            Self::DeviceRdma => EngineName::DeviceRdma,
            Self::DeviceUrma => EngineName::DeviceUrma,
            Self::DeviceUboe => EngineName::DeviceUboe,
            Self::HostRdma => EngineName::HostRdma,
            Self::HostUrma => EngineName::HostUrma,
            Self::HostTcp => EngineName::HostTcp,
        })
    }
}

/// Measures, prints, and stays until the others are done.
pub(crate) fn main(task: &Task) -> Result<()> {
    let timeout = Duration::from_secs(task.timeout_s.into());
    let mut config = Config::new(task.url.as_str(), task.world).auto_rank(false).rank(Rank(task.rank));
    config = config.device(task.device).init_timeout(timeout).create_timeout(timeout);
    if let Some(nic) = &task.nic {
        config = config.nic(nic.as_str());
    }
    let ctx = Context::init(config)?;
    let rank = Run { task, ctx: &ctx, timeout };
    match task.what {
        BenchmarkMode::Read | BenchmarkMode::Write => rank.pool()?,
        BenchmarkMode::Trans => rank.endpoints()?,
    }
    wait_for_end();
    ctx.shutdown();
    Ok(())
}

struct Run<'a> {
    task: &'a Task,
    ctx: &'a Context,
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

    fn meet(&self, name: &str) -> Result<()> {
        self.ctx.store()?.barrier(
            &format!("benchmark/{name}"),
            self.task.world,
            Instant::now() + self.timeout,
        )
    }

    /// Calls take no turns: all ranks copy at the same time.
    fn measure(&self, mut call: impl FnMut() -> Result<()>) -> Result<()> {
        (0..self.task.warm_up).try_for_each(|_| call())?;
        self.meet("start")?;
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
        self.meet("end")?;
        print_value(&Measured { rank: self.task.rank, peer: self.peer(), seconds, p50_us, p99_us })
    }

    fn pool(&self) -> Result<()> {
        let bytes = self.bytes()?;
        let mut options =
            PoolOptions::new(0).engines(self.task.protocol.engines()).host(segment_bytes(bytes));
        let kind = match self.task.memory {
            Memory::Host => MemKind::Host,
            Memory::Device => MemKind::Device,
        };
        let device_bytes = self.task.device_bytes.max(if kind == MemKind::Device { bytes } else { 0 });
        if device_bytes > 0 {
            options = options.device(segment_bytes(device_bytes));
        }
        let pool = self.ctx.create(options)?;
        pool.join()?;
        self.meet("joined")?;
        self.copies(&pool, kind, bytes)?;
        pool.destroy();
        Ok(())
    }

    fn copies(&self, pool: &Pool, kind: MemKind, bytes: u64) -> Result<()> {
        let mut buffer = Buffer::filled(crate::length(bytes)?);
        // Unwritten memory is a single page of zeros, which is read faster.
        pool.put(buffer.bytes_mut(), pool.address(kind, Rank(self.task.rank))?)?;
        let local = buffer.bytes_mut().as_mut_ptr();
        let remote = pool.address(kind, Rank(self.peer()))?.as_ptr();
        let piece = crate::length(self.task.piece_bytes)?;
        let pieces: Vec<Piece> = (0..self.task.pieces as usize)
            .map(|number| (local.wrapping_add(number * piece), remote.wrapping_add(number * piece)))
            .map(|(near, far)| match self.task.what {
                BenchmarkMode::Read => Piece { src: far, dst: near, bytes: self.task.piece_bytes },
                _ => Piece { src: near, dst: far, bytes: self.task.piece_bytes },
            })
            .collect();
        self.measure(|| {
            // SAFETY: near sides lie in `buffer`, which lives through the call and nothing else uses; far
            // sides are the pool's to check.
            unsafe { pool.copy_batch_raw(&pieces, CopyType::Auto, CopyMode::Sync) }
        })
    }

    fn endpoints(&self) -> Result<()> {
        let bytes = self.bytes()?;
        // Names look like addresses; nothing listens there.
        let name = |rank: u32| format!("127.0.0.1:{}", 1 + rank % 65535);
        let options = Options::new(self.task.url.as_str(), name(self.task.rank));
        let mut options = options.engines(self.task.protocol.engines()).init_timeout(self.timeout);
        if let Some(nic) = &self.task.nic {
            options = options.nic(nic.as_str());
        }
        let endpoint = Endpoint::create(options)?;
        let [near, far] = [endpoint.allocate(bytes)?, endpoint.allocate(bytes)?];
        endpoint.write(Buffer::filled(crate::length(bytes)?).bytes_mut(), &name(self.task.rank), near)?;
        let deadline = Instant::now() + self.timeout;
        let store = self.ctx.store()?;
        let all = store.allgather("benchmark/addresses", self.task.world, &far.to_le_bytes(), deadline)?;
        let wrong = || Error::invalid(OPERATION, "a rank does not say where its memory is");
        let peer = self.peer();
        let part = all.iter().find(|part| part.rank.0 == peer).ok_or_else(wrong)?;
        let there = u64::from_le_bytes(part.value.as_slice().try_into().map_err(|_| wrong())?);
        let near: *mut u8 =
            std::ptr::with_exposed_provenance_mut(usize::try_from(near).map_err(|_| wrong())?);
        let piece = crate::length(self.task.piece_bytes)?;
        let spans: Vec<Span> = (0..self.task.pieces as usize)
            .map(|number| Span {
                local: near.wrapping_add(number * piece),
                address: there + (number * piece) as u64,
                bytes: self.task.piece_bytes,
            })
            .collect();
        self.measure(|| {
            // SAFETY: the near sides are memory of the endpoint, of as many bytes, which nothing else
            // uses; far sides are checked where they are.
            unsafe { endpoint.transfer(&name(peer), &spans, true) }
        })?;
        self.meet("transferred")?;
        endpoint.destroy();
        Ok(())
    }
}
