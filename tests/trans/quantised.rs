// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers that become bytes in the transfer: of the host by the processor, of an accelerator by a kernel on
//! the simulator, and the bytes are the same.

use std::sync::Arc;

use mf_base::settings::{DeviceChoice, Switch};
use mf_base::{Error, Kind, Result};
use mf_device::engine::Piece;
use mf_device::host::HostDevice;
use mf_device::{Buffer, Devices, Locality, Transfer, choose};
use mf_smem::trans::{Endpoint, Half, Options, QuantPiece};
use mf_tests::kernels::content;
use mf_tests::kernels::number::{from_bf16, from_f16};
use mf_tests::skip;

use crate::member::Place;

const OWNER: &str = "127.0.0.1:5001";
/// All numbers of 16 bits.
const COUNT: usize = 1 << 16;

fn built_in(_: &Devices) -> Result<&'static [u8]> {
    mf_device_kernels::simulated().map_err(|why| Error::new(Kind::NotExist, "test").what(why))
}

fn host() -> Arc<HostDevice> {
    Arc::new(HostDevice::new(Switch::Off))
}

/// The simulator; none where it cannot run kernels.
fn simulator(what: &str) -> Option<Devices> {
    if let Err(reason) = mf_device_kernels::simulated() {
        skip(what, reason);
        return None;
    }
    match choose(DeviceChoice::Sim, 0, host()) {
        Ok((devices, _)) => Some(devices),
        Err(error) => {
            skip(what, error);
            None
        }
    }
}

/// Bytes in memory of the accelerator, so many from its beginning.
struct There {
    buffer: Box<dyn Buffer>,
    skew: usize,
}

impl There {
    fn new(devices: &Devices, bytes: &[u8], skew: usize) -> Self {
        let buffer = devices.accelerator().unwrap().allocate_buffer((bytes.len() + skew) as u64).unwrap();
        let there = Self { buffer, skew };
        let piece =
            Piece { src: bytes.as_ptr(), dst: there.at::<u8>().cast_mut(), bytes: bytes.len() as u64 };
        let transfer = Transfer { piece, from: Locality::Host, to: Locality::Device };
        // SAFETY: the source is a slice, the destination the buffer.
        unsafe { devices.mover().unwrap().copy(&[transfer]) }.unwrap();
        there
    }

    fn at<T>(&self) -> *const T {
        let address = usize::try_from(self.buffer.address()).unwrap() + self.skew;
        std::ptr::with_exposed_provenance(address)
    }
}

fn bytes_of<T: Copy, const N: usize>(all: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    all.iter().flat_map(|one| bytes(*one)).collect()
}

/// Numbers with every bit pattern, in pieces, with scales and offsets that are no numbers, infinite, tiny.
struct Case {
    numbers: Vec<u16>,
    scales: Vec<f32>,
    offsets: Vec<f32>,
    unit: usize,
}

impl Case {
    fn new(unit: usize) -> Self {
        let units = content::units(COUNT, unit);
        let (mut scales, mut offsets) = content::scales_and_offsets(7, 0, units);
        let strange =
            [f32::NAN, f32::INFINITY, -0.0, f32::MIN_POSITIVE / 8.0, 3e38, -1e-40, f32::NEG_INFINITY];
        for (at, strange) in strange.into_iter().enumerate().filter(|(at, _)| at * 3 + 2 < units) {
            scales[at * 3] = strange;
            offsets[at * 3 + 1] = strange;
            (scales[at * 3 + 2], offsets[at * 3 + 2]) = (strange, -strange);
        }
        // Neighbours are of all sizes.
        let numbers = (0..COUNT).map(|at| u16::try_from(at * 40_503 % COUNT).unwrap()).collect();
        Self { numbers, scales, offsets, unit }
    }

    fn expected(&self, half: Half) -> Vec<u8> {
        let value = |bits: &u16| if half == Half::Float16 { from_f16(*bits) } else { from_bf16(*bits) };
        let values: Vec<f32> = self.numbers.iter().map(value).collect();
        content::quantise(&values, self.unit, &self.scales, &self.offsets)
    }

    /// Two pieces, where units allow it.
    fn pieces(&self, (numbers, scales, offsets): Places, to: u64) -> Vec<QuantPiece> {
        let half = COUNT.checked_div(self.unit).map_or(COUNT, |units| units / 2 * self.unit);
        let piece = |from: usize, count: usize| QuantPiece {
            source: numbers.wrapping_add(2 * from),
            address: to + from as u64,
            count,
            scales: scales.wrapping_add(from.checked_div(self.unit).unwrap_or(0)),
            offsets: offsets.wrapping_add(from.checked_div(self.unit).unwrap_or(0)),
        };
        let pieces = [piece(0, half), piece(half, COUNT - half)];
        pieces.into_iter().filter(|piece| piece.count > 0).collect()
    }
}

/// Of numbers, scales, offsets.
type Places = (*const u8, *const f32, *const f32);

/// Two endpoints that meet at a store, in this process.
fn endpoints(place: &Place, devices: &Devices, with_kernels: bool) -> [Endpoint; 2] {
    let options = |name| Options::new(place.url(), name).devices(devices.clone());
    let asks = options("127.0.0.1:5002");
    let asks = if with_kernels { asks.kernels(built_in) } else { asks };
    [Endpoint::create(options(OWNER)).unwrap(), Endpoint::create(asks).unwrap()]
}

#[test]
fn quantised_bytes_do_not_depend_on_the_source_memory() {
    let Some(devices) = simulator("quantised writes by a kernel") else { return };
    let place = Place::open();
    for with_kernels in [true, false] {
        let [owner, other] = endpoints(&place, &devices, with_kernels);
        let to = owner.allocate(COUNT as u64).unwrap();
        for unit in [0, 1, 33, 4096, COUNT - 1] {
            let case = Case::new(unit);
            let numbers = bytes_of(&case.numbers, u16::to_ne_bytes);
            let [scales, offsets] = [&case.scales, &case.offsets].map(|all| bytes_of(all, f32::to_ne_bytes));
            let there = [(&numbers, 1), (&scales, 0), (&offsets, 3)]
                .map(|(bytes, skew)| There::new(&devices, bytes, skew));
            let here: Places = (numbers.as_ptr(), scales.as_ptr().cast(), offsets.as_ptr().cast());
            let over: Places = (there[0].at(), there[1].at(), there[2].at());
            for half in [Half::Float16, Half::Bfloat16] {
                let expected = case.expected(half);
                for places in [here, over, (here.0, over.1, here.2), (over.0, here.1, over.2)] {
                    owner.write(&[0x77; COUNT], OWNER, to).unwrap();
                    let pieces = case.pieces(places, to);
                    // SAFETY: numbers, scales and offsets lie in vectors and buffers that live until it
                    // returns.
                    unsafe { other.quant_write(OWNER, &pieces, unit, half) }.unwrap();
                    let mut found = vec![0; COUNT];
                    owner.read(&mut found, OWNER, to).unwrap();
                    let wrong = found.iter().zip(&expected).position(|(found, expected)| found != expected);
                    assert_eq!(wrong, None, "unit {unit}, {half:?}, kernels: {with_kernels}");
                }
            }
        }
        other.destroy();
        owner.destroy();
    }
}

/// Numbers of adjacent pieces, around the kernel's batch of table entries.
const MANY: [usize; 6] = [2, 7, 8, 101, 102, 700];

#[test]
fn quantised_batch_matches_on_the_accelerator() {
    let Some(devices) = simulator("batches of quantised writes") else { return };
    let place = Place::open();
    let [owner, other] = endpoints(&place, &devices, true);
    let to = owner.allocate(2 * COUNT as u64).unwrap();
    let case = Case::new(32);
    let numbers = bytes_of(&case.numbers, u16::to_ne_bytes);
    let [scales, offsets] = [&case.scales, &case.offsets].map(|all| bytes_of(all, f32::to_ne_bytes));
    let there =
        [(&numbers, 0), (&scales, 0), (&offsets, 1)].map(|(bytes, skew)| There::new(&devices, bytes, skew));
    for many in MANY {
        // From anywhere in the numbers; in the other process with gaps, but for some that adjoin. One of them
        // is large, some are of the host, some have no scale, some no offset.
        let mut at = 0;
        let lengths = (0..many).map(|number| match number {
            1 => COUNT / 2,
            number => 1 + number * 97 % 85,
        });
        let pieces: Vec<(usize, usize, usize)> = lengths
            .enumerate()
            .map(|(number, count)| {
                let piece = (number * 7919 % (COUNT - count), at, count);
                at += count + if number % 3 == 0 { 0 } else { 5 };
                piece
            })
            .collect();
        let described = |kind: usize| {
            let piece = |(number, (from, at, count)): (usize, &(usize, usize, usize))| {
                let is_there = kind == 0 && number % 5 != 2;
                let scales = if number % 2 == 0 { there[1].at() } else { scales.as_ptr().cast::<f32>() };
                QuantPiece {
                    source: if is_there { there[0].at::<u8>() } else { numbers.as_ptr() }
                        .wrapping_add(2 * from),
                    address: to + *at as u64,
                    count: *count,
                    scales: if number % 7 == 3 { std::ptr::null() } else { scales.wrapping_add(number) },
                    offsets: if number % 11 == 4 { std::ptr::null() } else { there[2].at() },
                }
            };
            pieces.iter().enumerate().map(piece).collect::<Vec<_>>()
        };
        for half in [Half::Float16, Half::Bfloat16] {
            let [by_kernel, by_processor] = [0, 1].map(|kind| {
                owner.write(&[0x77; 2 * COUNT], OWNER, to).unwrap();
                // SAFETY: numbers, scales and offsets lie in vectors and buffers that live until it returns;
                // no piece needs more scales behind its first than there are.
                unsafe { other.quant_write(OWNER, &described(kind), 32, half) }.unwrap();
                let mut found = vec![0; 2 * COUNT];
                owner.read(&mut found, OWNER, to).unwrap();
                found
            });
            assert!(by_processor.iter().any(|byte| *byte != 0x77));
            let wrong = by_kernel.iter().zip(&by_processor).position(|(one, other)| one != other);
            assert_eq!(wrong, None, "{many} pieces, {half:?}");
        }
    }
    other.destroy();
    owner.destroy();
}
