// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective creation of a world: each PE sends its requests, all evaluate the same offers, each makes its
//! part, and all learn whether every PE succeeded.

#[expect(unsafe_code, reason = "pages of the program's buffers, on the word of the caller")]
mod buffers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use mf_base::os::{process, random};
use mf_base::settings::settings;
use mf_base::{ByteLen, Error, Kind, MemKind, Rank, Result};
use mf_fabric::objects::{Control, among_living, gather, in_order, vote};
use mf_fabric::pool::{GivenMemory, Options as PoolOptions, Pool};
use mf_fabric::space::Places;
use mf_fabric::space::agree::{Prospect, Together};
use mf_fabric::space::layout::GRANULE_BYTES;
use mf_job::Membership;
use mf_job::id_ranges::Number;
use mf_store::Store;
use serde::{Deserialize, Serialize};

use self::buffers::{agree_on_buffers, agree_on_queue_pairs};
use crate::options::{Buffer, default_heap_bytes};
use crate::segment::Segment;
use crate::statics::{Lent, Program};

const OP: &str = "symmetric heap begin";

/// Requests and facts of a PE.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Offer {
    /// Bytes of its heap.
    heap_bytes: Option<u64>,
    /// Bytes to which its heap may grow; 0: not at all.
    most_heap_bytes: u64,
    /// Id of its host.
    machine: String,
    /// Memory of its host, in bytes; 0 if it requests a size.
    memory_bytes: u64,
    /// Its knowledge of free addresses; `None` if it could not be determined.
    addresses: Option<Prospect>,
    /// Bytes of the quarantine of its heap.
    quarantine_bytes: u64,
    /// Bytes of its static data, and the identity of its program.
    statics: Option<(u64, String)>,
    /// Type of the accelerator with its heap; `None` if in host memory.
    accelerator: Option<String>,
    /// Sizes of the buffers of its program.
    buffers: Vec<u64>,
    /// Code and reason for which it cannot take these.
    refusal: Option<(i32, String)>,
    /// Queue pairs of its kernels to each PE.
    queue_pairs: u32,
}

/// Parameters of the own part.
pub(crate) struct Maker<'a> {
    pub(crate) membership: &'a Membership,
    pub(crate) store: &'a Arc<dyn Store>,
    pub(crate) number: Number,
    /// Index of the heap's pool among the pools of this number.
    pub(crate) part: u32,
    pub(crate) heap_bytes: Option<u64>,
    pub(crate) most_heap_bytes: u64,
    /// Kind of memory for the heap.
    pub(crate) heap: MemKind,
    pub(crate) buffers: &'a [Buffer],
    pub(crate) queue_pairs: u32,
    pub(crate) statics: Option<&'a Lent>,
}

/// Compares the programs of two PEs.
fn compare_programs(one: &Offer, other: &Offer) -> Program {
    match (&one.statics, &other.statics) {
        (Some(one), Some(other)) if one == other => Program::Same,
        (Some(_), Some(_)) => Program::Other,
        _ => Program::Unknown,
    }
}

/// The memory of a PE, and the control area between its kernels and the host.
type Memory = (Arc<Pool>, Option<Control>);

/// The finished part.
pub(crate) struct OwnPart {
    pub(crate) pool: Arc<Pool>,
    /// Control area of host and kernels; `None` if kernels cannot use the heap.
    pub(crate) control: Option<Control>,
    pub(crate) segment: Segment,
    /// By PE.
    pub(crate) programs: Vec<Program>,
    /// Quarantine of the heap: the largest request.
    pub(crate) quarantine_bytes: u64,
    /// True if freed blocks are filled.
    pub(crate) is_poisoned: bool,
    /// Prefix of this world's keys in the store, unique to it.
    pub(crate) prefix: String,
}

impl Maker<'_> {
    /// Makes the own part and maps the parts of other PEs. **Collective**: all fail if one fails, with its
    /// reason, or if one dies.
    pub(crate) fn make(&self) -> Result<OwnPart> {
        let since = self.membership.attendance_at_begin(OP)?;
        among_living(self.store, OP, since, || self.make_with_others())
    }

    fn make_with_others(&self) -> Result<OwnPart> {
        let deadline = Instant::now() + self.membership.create_timeout();
        let n_pes = self.membership.world_size();
        let settings = settings()?;
        let ranks: Vec<Rank> = (0..n_pes).map(Rank).collect();
        let prospect = self.membership.prospect(OP, self.number.pool(self.part));
        let prospect =
            prospect.inspect_err(|error| tracing::debug!("the members agree one after the other: {error}"));
        let (addresses, seen) = prospect.map_or((None, None), |(own, seen)| (Some(own), seen));
        let own = Offer {
            heap_bytes: self.heap_bytes,
            most_heap_bytes: self.most_heap_bytes,
            machine: process::machine().unwrap_or_default(),
            memory_bytes: self.heap_bytes.map_or_else(process::memory_bytes, |_| 0),
            addresses,
            quarantine_bytes: settings.symmetric_quarantine.0,
            statics: self.statics.map(|own| (own.range.end - own.range.start, own.identity.clone())),
            accelerator: self.accelerator()?,
            buffers: self.buffers.iter().map(|buffer| buffer.bytes).collect(),
            refusal: self.check_buffers(),
            queue_pairs: self.queue_pairs,
        };
        let offers = gather(&**self.store, OP, &self.key("offer"), n_pes, &own, deadline)?;
        let offers = in_order(OP, &ranks, offers)?;
        agree_on_buffers(&offers)?;
        agree_on_queue_pairs(&offers)?;
        let (heap_bytes, most, heap) =
            (agree_on_size(&offers)?, self.most_heap_bytes, agree_on_memory(&offers)?);
        let segment = Segment::new(OP, largest_statics(&offers), heap_bytes, most, heap, n_pes)?;
        let prospects: Option<Vec<Prospect>> = offers.iter().map(|offer| offer.addresses.clone()).collect();
        let together = prospects.map(|prospects| Together { prospects, seen });
        let is_together = together.is_some();
        let mut made = self.make_own(segment, &ranks, together, deadline);
        if is_together && matches!(made, Err((_, Kind::InUse))) {
            made = self.make_own(segment, &ranks, None, deadline);
        }
        let ((pool, control), nonce) = made.map_err(|(error, _)| error)?;
        let programs = offers.iter().map(|offer| compare_programs(&own, offer)).collect();
        let quarantine_bytes = offers.iter().map(|offer| offer.quarantine_bytes).max().unwrap_or(0);
        let (is_poisoned, prefix) = (settings.symmetric_poison, self.key(&format!("{nonce:016x}/")));
        Ok(OwnPart { pool, control, segment, programs, quarantine_bytes, is_poisoned, prefix })
    }

    /// Makes the own part, and learns whether all PEs succeeded. An error comes with the kind that all PEs
    /// agree on.
    fn make_own(
        &self,
        segment: Segment,
        ranks: &[Rank],
        together: Option<Together>,
        deadline: Instant,
    ) -> Result<(Memory, u64), (Error, Kind)> {
        let made = self.open(segment, together, deadline);
        let ballot = made.as_ref().map(|(_, nonce)| *nonce);
        let name = self.key("made");
        let voted = vote(&**self.store, OP, (&name, self.number.id()), ranks, ballot, deadline);
        match (made, voted) {
            (Ok((memory, _)), Ok(nonce)) => Ok((memory, nonce)),
            (Ok(((pool, _), _)), Err(error)) => {
                pool.destroy();
                let kind = error.kind();
                Err((error, kind))
            }
            (Err(own), voted) => {
                let kind = voted.map_or_else(|error| error.kind(), |_| own.kind());
                Err((own, kind))
            }
        }
    }

    fn open(&self, segment: Segment, together: Option<Together>, deadline: Instant) -> Result<(Memory, u64)> {
        let shape = segment.shape(self.membership.world_size());
        let number = self.number.pool(self.part);
        let pool = Pool::open(
            self.membership.devices().clone(),
            Arc::clone(self.store),
            &PoolOptions {
                own_bytes: segment.all_bytes_with(segment.heap_bytes),
                given: self.own_statics(segment)?,
                given_blocks: if segment.heap == MemKind::Device { self.blocks() } else { Vec::new() },
                together,
                keep_mappings: true,
                groups_follow: true,
                create_timeout: deadline.saturating_duration_since(Instant::now()),
                ..self.membership.pool_options(OP, number, shape, Places::all())?
            },
        )?;
        let control = self.control(&pool, segment).inspect_err(|_| pool.destroy())?;
        self.replace_buffers(&pool, segment).inspect_err(|_| pool.destroy())?;
        pool.join().inspect_err(|_| pool.destroy())?;
        Ok(((pool, control), u64::from_le_bytes(random(OP)?)))
    }

    /// Creates the control area of host and kernels.
    fn control(&self, pool: &Arc<Pool>, segment: Segment) -> Result<Option<Control>> {
        match self.membership.devices().accelerator() {
            Some(device) if segment.heap == MemKind::Device => {
                Control::begin(Arc::clone(pool), device, self.membership.control_timeout()).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Returns the type of the accelerator with the heap.
    ///
    /// # Errors
    /// `Failed` the driver does not report it.
    fn accelerator(&self) -> Result<Option<String>> {
        if self.heap == MemKind::Host || self.heap_bytes == Some(0) {
            return Ok(None);
        }
        let Some(accelerator) = self.membership.devices().accelerator() else { return Ok(None) };
        match accelerator.windows() {
            Ok(_) => Ok(Some(accelerator.identity()?.device)),
            Err(error) => {
                tracing::warn!("the symmetric heap is in host memory: {error}");
                Ok(None)
            }
        }
    }

    /// Returns the own static data, at the common length of all PEs.
    fn own_statics(&self, segment: Segment) -> Result<Option<GivenMemory>> {
        let Some(own) = self.statics else { return Ok(None) };
        let descriptor = own.descriptor.try_clone().map_err(|error| {
            Error::new(Kind::NoResources, OP).what("a descriptor could not be duplicated").source(error)
        })?;
        Ok(Some(GivenMemory { descriptor, bytes: segment.statics_bytes }))
    }

    fn key(&self, name: &str) -> String {
        format!(".mf/heap/{}/{name}", self.number.pool(self.part))
    }
}

/// Decides the size of each heap.
///
/// # Errors
/// `InvalidParam` PEs request different sizes, or different limits of growth; the first that differs is
/// named. The same on all PEs.
fn agree_on_size(offers: &[Offer]) -> Result<u64> {
    let first = offers.first().and_then(|offer| offer.heap_bytes);
    let most = offers.first().map_or(0, |offer| offer.most_heap_bytes);
    if let Some((pe, other)) = (0..).zip(offers).find(|(_, offer)| offer.most_heap_bytes != most) {
        return Err(Error::invalid(OP, "PEs let their symmetric heaps grow to different sizes")
            .with("pe", pe)
            .with("most", ByteLen(other.most_heap_bytes))
            .with("most_of_pe_0", ByteLen(most))
            .hint("set MF_SHMEM_SYMMETRIC_MAX to the same on all PEs"));
    }
    if let Some((pe, other)) = (0..).zip(offers).find(|(_, offer)| offer.heap_bytes != first) {
        let text =
            |bytes: Option<u64>| bytes.map_or("the default".to_owned(), |bytes| ByteLen(bytes).to_string());
        return Err(Error::invalid(OP, "PEs ask for symmetric heaps of different sizes")
            .with("pe", pe)
            .with("heap", text(other.heap_bytes))
            .with("heap_of_pe_0", text(first))
            .hint("pass the same size on all PEs (SHMEM_SYMMETRIC_SIZE)"));
    }
    Ok(first.unwrap_or_else(|| by_memory(offers)))
}

/// Decides the kind of memory of the heaps.
///
/// # Errors
/// `InvalidParam` it is not the same on all PEs; the first that differs is named.
fn agree_on_memory(offers: &[Offer]) -> Result<MemKind> {
    let first = offers.first().and_then(|offer| offer.accelerator.as_ref());
    let Some((pe, other)) = (0..).zip(offers).find(|(_, offer)| offer.accelerator.as_ref() != first) else {
        return Ok(if first.is_some() { MemKind::Device } else { MemKind::Host });
    };
    let text = |accelerator: Option<&String>| accelerator.map_or("host memory", String::as_str).to_owned();
    Err(Error::invalid(OP, "PEs have symmetric heaps in different sorts of memory")
        .with("pe", pe)
        .with("memory", text(other.accelerator.as_ref()))
        .with("memory_of_pe_0", text(first))
        .hint("set a device in the beginning thread of all PEs or of none, and MF_DEVICE to the same"))
}

/// Returns the bytes of the largest static data, in whole pieces of memory.
fn largest_statics(offers: &[Offer]) -> u64 {
    let bytes = offers.iter().filter_map(|offer| offer.statics.as_ref()).map(|(bytes, _)| *bytes);
    bytes.max().unwrap_or(0).checked_next_multiple_of(GRANULE_BYTES).unwrap_or(u64::MAX)
}

/// Returns the bytes that the host with the least memory can give each PE.
fn by_memory(offers: &[Offer]) -> u64 {
    let mut pes = BTreeMap::new();
    for offer in offers {
        *pes.entry(&offer.machine).or_insert(0u64) += 1;
    }
    let parts = offers
        .iter()
        .map(|offer| default_heap_bytes(offer.memory_bytes, pes.get(&offer.machine).copied().unwrap_or(1)));
    parts.min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn offer(heap_bytes: Option<u64>, machine: &str, gib: u64) -> Offer {
        Offer {
            heap_bytes,
            most_heap_bytes: 0,
            machine: machine.to_owned(),
            memory_bytes: gib << 30,
            addresses: None,
            quarantine_bytes: 0,
            statics: None,
            accelerator: None,
            buffers: Vec::new(),
            refusal: None,
            queue_pairs: 1,
        }
    }

    #[test]
    fn differing_heap_sizes_name_the_pe() {
        let asks = |bytes: &[Option<u64>]| {
            agree_on_size(&bytes.iter().map(|bytes| offer(*bytes, "a", 8)).collect::<Vec<_>>())
        };
        assert_eq!(asks(&[Some(5), Some(5)]).unwrap(), 5);
        let error = asks(&[Some(4 << 20), Some(4 << 20), Some(2 << 20)]).unwrap_err();
        assert_eq!((error.fact("pe"), error.fact("heap")), (Some("2"), Some("2 MiB")));
        let error = asks(&[Some(4 << 20), None]).unwrap_err();
        assert_eq!((error.fact("pe"), error.fact("heap")), (Some("1"), Some("the default")));
        let growing = |most_heap_bytes| Offer { most_heap_bytes, ..offer(Some(5), "a", 8) };
        assert_eq!(agree_on_size(&[growing(9), growing(9)]).unwrap(), 5);
        let error = agree_on_size(&[growing(9), growing(0)]).unwrap_err();
        assert_eq!((error.fact("pe"), error.fact("most")), (Some("1"), Some("0 B")));
    }

    #[test]
    fn differing_kinds_of_memory_name_the_pe() {
        let sorted_offer = |sorts: &[Option<&str>]| {
            let offer =
                |sort: &Option<&str>| Offer { accelerator: sort.map(str::to_owned), ..offer(None, "a", 8) };
            agree_on_memory(&sorts.iter().map(offer).collect::<Vec<_>>())
        };
        assert_eq!(sorted_offer(&[None, None]).unwrap(), MemKind::Host);
        assert_eq!(sorted_offer(&[Some("npu"); 3]).unwrap(), MemKind::Device);
        let error = sorted_offer(&[Some("npu"), Some("npu"), None]).unwrap_err();
        assert_eq!((error.fact("pe"), error.fact("memory")), (Some("2"), Some("host memory")));
        assert_eq!(error.fact("memory_of_pe_0"), Some("npu"));
        assert!(sorted_offer(&[Some("npu"), Some("simulated")]).is_err());
    }

    #[test]
    fn static_data_is_shared_among_pes_of_one_program() {
        let statics_offer = |statics: Option<(u64, &str)>| Offer {
            statics: statics.map(|(bytes, program)| (bytes, program.to_owned())),
            ..offer(None, "a", 8)
        };
        let offers = [
            statics_offer(Some((4096, "x"))),
            statics_offer(Some((3 << 20, "y"))),
            statics_offer(None),
            statics_offer(Some((4096, "x"))),
        ];
        assert_eq!(largest_statics(&offers), 4 << 20);
        assert_eq!(largest_statics(&offers[2..3]), 0);
        let beside =
            |one: usize| offers.iter().map(|other| compare_programs(&offers[one], other)).collect::<Vec<_>>();
        assert_eq!(beside(0), [Program::Same, Program::Other, Program::Unknown, Program::Same]);
        assert_eq!(beside(2), [Program::Unknown; 4]);
    }

    #[test]
    fn default_size_fits_the_smallest_host() {
        let two = [offer(None, "a", 16), offer(None, "a", 16), offer(None, "b", 4)];
        assert_eq!(agree_on_size(&two).unwrap(), 1 << 30);
        assert_eq!(agree_on_size(&[offer(None, "a", 16); 1]).unwrap(), 4 << 30);
        let many: Vec<_> = (0..1000).map(|_| offer(None, "a", 16)).collect();
        assert_eq!(agree_on_size(&many).unwrap(), 64 << 20);
    }
}
