// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The models over arrays at made-up addresses.

use std::collections::BTreeMap;

use super::*;

/// Arrays by address.
#[derive(Default)]
struct Memory(BTreeMap<u64, Vec<u8>>);

impl Memory {
    fn with<const N: usize>(
        mut self,
        address: u64,
        elements: impl IntoIterator<Item = i64>,
        bytes: fn(i64) -> [u8; N],
    ) -> Self {
        self.0.insert(address, elements.into_iter().flat_map(bytes).collect());
        self
    }

    fn words(self, address: u64, elements: impl IntoIterator<Item = i64>) -> Self {
        self.with(address, elements, i64::to_ne_bytes)
    }

    fn halves(self, address: u64, elements: impl IntoIterator<Item = i64>) -> Self {
        self.with(address, elements, |value| u32::try_from(value).unwrap().to_ne_bytes())
    }
}

impl Arrays for Memory {
    fn read(&self, name: &'static str, address: u64, bytes: u64) -> Result<Vec<u8>> {
        let found = self.0.range(..=address).next_back().and_then(|(start, array)| {
            let from = usize::try_from(address - start).unwrap();
            array.get(from..from + usize::try_from(bytes).ok()?)
        });
        found
            .map(<[u8]>::to_vec)
            .ok_or_else(|| Error::invalid("test", format!("{name} is not readable here")))
    }
}

fn spans(plan: &Plan) -> Vec<(u64, u64, u64)> {
    plan.spans.iter().map(|span| (span.from, span.to, span.bytes)).collect()
}

const SPARSE: Operation = Operation::Sparse { sources: 1000, destinations: 2000, lengths: 3000, count: 4000 };

#[test]
fn sparse_pieces_stop_at_the_count_and_skip_empty_ones() {
    let memory = Memory::default()
        .words(1000, [10, 20, 30, 40])
        .words(2000, [50, 60, 70, 80])
        .halves(3000, [1, 0, 3, 4])
        .halves(4000, [3]);
    assert_eq!(spans(&plan(&SPARSE, None, &memory).unwrap()), [(10, 50, 1), (30, 70, 3)]);
    let none = memory.halves(4000, [0]);
    assert_eq!(plan(&SPARSE, None, &none).unwrap(), Plan::default());
    let many = none.halves(4000, [5]);
    assert!(plan(&SPARSE, None, &many).unwrap_err().to_string().contains("srcPtr"));
    let endless = many.halves(4000, [i64::from(u32::MAX)]);
    assert!(plan(&SPARSE, None, &endless).is_err());
}

#[test]
fn lists_longer_than_a_batch_keep_their_order() {
    let count = i64::try_from(BATCH).unwrap() + 3;
    let memory = Memory::default()
        .words(1 << 40, 1..=count)
        .words(2 << 40, (1..=count).map(|number| number + (1 << 50)))
        .halves(3 << 40, (1..=count).map(|number| number % 2))
        .halves(4 << 40, [count]);
    let operation =
        Operation::Sparse { sources: 1 << 40, destinations: 2 << 40, lengths: 3 << 40, count: 4 << 40 };
    let planned = spans(&plan(&operation, None, &memory).unwrap());
    let odd = (1..=count.unsigned_abs()).filter(|number| number % 2 == 1);
    assert!(planned.into_iter().eq(odd.map(|number| (number, number + (1 << 50), 1))));
}

#[test]
fn packed_pieces_take_the_first_destinations() {
    let operation = Operation::GroupPack {
        sources: 1000,
        destinations: 2000,
        lengths: 3000,
        count: 4000,
        groups: 5000,
        packed: 6000,
    };
    let memory = Memory::default()
        .words(1000, [10, 20, 30, 40, 50])
        .words(2000, [100, 200, 300])
        .halves(3000, [1, 2, 0, 4, 5])
        .halves(4000, [5])
        .words(5000, [0, -7, 8, 9, 0]);
    let planned = plan(&operation, None, &memory).unwrap();
    // A group with a piece of 0 bytes takes a place.
    assert_eq!(spans(&planned), [(20, 100, 2), (40, 300, 4)]);
    let groups: Vec<u8> = [-7_i64, 8, 9].into_iter().flat_map(i64::to_ne_bytes).collect();
    assert_eq!(planned.words, Some((6000, groups)));
}

fn exchange_of(head: &[i64], components: &[[i64; 9]], header: Header) -> Result<Vec<(u64, u64, u64)>> {
    let words = head.iter().copied().chain(components.iter().flatten().copied());
    let memory = Memory::default()
        .words(8000, words)
        .words(1000, [5, 77, 2, 77, 9, 77])
        .words(2000, [1, 77, 8, 77, 0, 77]);
    Ok(spans(&plan(&Operation::KvExchange { meta: 8000, header }, None, &memory)?))
}

#[test]
fn pages_are_exchanged_by_their_first_token() {
    // Base of the device and the host; pitches: layers and pages of the device, pages and layers of the host.
    let component = [1 << 20, 2 << 20, 1000, 100, 10_000, 50, 7, 1, 3];
    let to_host = exchange_of(&[1, 2, 2, 2, 1000, 2000, 0, 0], &[component], Header::Words8).unwrap();
    let (device, host) = (1 << 20, 2 << 20);
    let expected = [
        (device + 1000 + 2 * 100, host + 50, 7),
        (device + 2000 + 2 * 100, host + 100, 7),
        (device + 1000 + 100, host + 4 * 10_000 + 50, 7),
        (device + 2000 + 100, host + 4 * 10_000 + 100, 7),
    ];
    assert_eq!(to_host, expected);
    // Any other direction is to the device, in both layouts, also with the older header.
    let swapped = expected.map(|(from, to, bytes)| (to, from, bytes));
    for direction in [1, 0, -3] {
        let head = [1, 2, 2, direction, 1000, 2000, 1, 0];
        assert_eq!(exchange_of(&head, &[component], Header::Words8).unwrap(), swapped);
        assert_eq!(exchange_of(&head[..6], &[component], Header::Words6).unwrap(), swapped);
    }
}

#[test]
fn components_and_pages_without_bytes_are_skipped() {
    let component = |width, low, high| [0, 1 << 20, 8, 8, 8, 8, width, low, high];
    let count = |components: i64, pages: i64, list: &[[i64; 9]]| {
        exchange_of(&[components, pages, 2, 1, 1000, 2000, 0, 0], list, Header::Words8).map(|all| all.len())
    };
    let empty = [component(0, 0, 2), component(-1, 0, 2), component(4, 2, 2), component(4, 3, 2)];
    assert_eq!(count(4, 3, &empty).unwrap(), 0);
    assert_eq!(count(4, 3, &[component(4, 0, 1); 4]).unwrap(), 12);
    // More than four count as four.
    assert_eq!(count(9, 1, &[component(4, 0, 1); 5]).unwrap(), 4);
    for (components, pages) in [(0, 1), (-2, 1), (1, 0), (1, -1)] {
        assert_eq!(count(components, pages, &[component(4, 0, 1)]).unwrap(), 0);
    }
    assert!(count(2, 1, &[component(4, 0, 1)]).is_err(), "the second component is not there");
    assert!(count(1, 4, &[component(4, 0, 1)]).is_err(), "the fourth index is not there");
    assert!(count(1, 1, &[component(4, 0, i64::MAX)]).unwrap_err().to_string().contains("too many pieces"));
    assert!(exchange_of(&[1, 1, 0, 1, 1000, 2000, 0, 0], &empty, Header::Words8).is_err());
}

#[test]
fn entries_are_found_by_slot_and_row() {
    let operation = Operation::EntryGather { destination: 100_000, ids: 1000, count: 2000 };
    let table = Table { base: 1 << 40, stride: 1 << 30, entry_bytes: 48, rows_per_slot: 7 };
    let memory = Memory::default().words(1000, [0, 6, 7, (5 << 32) + 20, 0]).halves(2000, [4]);
    let planned = spans(&plan(&operation, Some(&table), &memory).unwrap());
    let base = 1 << 40;
    assert_eq!(
        planned,
        [
            (base, 100_000, 48),
            (base + 6 * 48, 100_048, 48),
            (base + (1 << 30), 100_096, 48),
            (base + (2 << 30) + 6 * 48, 100_144, 48),
        ]
    );
    assert!(plan(&operation, None, &memory).unwrap_err().to_string().contains("register_entry_table"));
}
