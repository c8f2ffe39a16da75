// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of the symmetric heap as programs make them, in a job of one PE: blocks against a model, copies with
//! strides and tests and waits against plain loops, at the end of the heap and with arguments of any kind;
//! sizes and addresses as text. The first byte chooses.

#![no_main]

use std::sync::{Arc, OnceLock};

use mf_fuzz::Input;
use mf_shmem::cann::address;
use mf_shmem::{Comparison, Condition, Config, Elements, Number, Options, Values, World};

const HEAP: usize = 2 << 20;
/// The end of the heap, where copies and waits of the target are.
const WINDOW: usize = 4096;
const UNIT: u64 = 64;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let input = &mut Input(rest);
    match choice % 5 {
        0 => blocks(input),
        1 => strided(input),
        2 => waits(input),
        3 => sizes(rest),
        _ => addresses(rest),
    }
});

fn world() -> &'static World {
    static WORLD: OnceLock<Arc<World>> = OnceLock::new();
    WORLD.get_or_init(|| {
        let config = Config::from_launcher_or_alone().expect("no launcher started this");
        let options = Options::open_shmem(config).expect("a configuration").heap_bytes(HEAP as u64);
        World::begin(options).expect("a job of one PE begins")
    })
}

/// A block of the model: its address, its bytes, and their filling.
struct Block {
    at: usize,
    bytes: usize,
    fill: u8,
}

impl Block {
    /// First and last bytes, which is where neighbours would meet.
    fn ends(&self) -> impl Iterator<Item = *mut u8> {
        let first = 0..self.bytes.min(16);
        let last = self.bytes.saturating_sub(16)..self.bytes;
        first.chain(last).map(|place| std::ptr::with_exposed_provenance_mut(self.at + place))
    }

    fn new(at: *mut u8, bytes: usize, fill: u8) -> Self {
        let block = Self { at: at.expose_provenance(), bytes, fill };
        // SAFETY: a block of the heap.
        block.ends().for_each(|byte| unsafe { byte.write(fill) });
        block
    }

    fn check(&self) {
        // SAFETY: as above.
        assert!(self.ends().all(|byte| unsafe { byte.read() } == self.fill), "a block was written to");
    }
}

fn blocks(input: &mut Input<'_>) {
    let (world, mut model) = (world(), Vec::<Block>::new());
    let heap = world.heap_start().expose_provenance();
    for fill in 1..64 {
        if input.0.is_empty() {
            break;
        }
        let choice = input.byte();
        let which = input.byte() as usize % model.len().max(1);
        let bytes = input.number().saturating_mul(if choice & 0x40 == 0 { 1 } else { 300 });
        let largest = world.heap_usage().largest_free;
        let spared = |alignment: usize| largest < (bytes as u64).saturating_add(alignment as u64 + UNIT);
        match choice % 6 {
            0 => match world.malloc(bytes) {
                Ok(at) if at.is_null() => assert_eq!(bytes, 0),
                Ok(at) => model.push(Block::new(at, bytes, fill)),
                Err(_) => assert!(spared(64), "{largest} bytes are free, and not {bytes}"),
            },
            1 => {
                let alignment = if choice & 0x80 == 0 { 1 << (bytes % 23) } else { input.number() };
                match world.align(alignment, bytes) {
                    Ok(at) if at.is_null() => assert_eq!(bytes, 0),
                    Ok(at) => {
                        assert!(alignment.is_power_of_two() && at.addr().is_multiple_of(alignment));
                        model.push(Block::new(at, bytes, fill));
                    }
                    Err(_) => {
                        let is_good = alignment.is_power_of_two() && alignment >= 8 && alignment <= 2 << 20;
                        assert!(!is_good || spared(alignment));
                    }
                }
            }
            2 => {
                let count = usize::from(choice >> 3);
                match world.calloc(count, bytes) {
                    Ok(at) if at.is_null() => assert!(bytes == 0 || count == 0),
                    Ok(at) => {
                        let block = Block { at: at.expose_provenance(), bytes: bytes * count, fill: 0 };
                        block.check();
                        model.push(Block::new(at, bytes * count, fill));
                    }
                    Err(_) => assert!(largest < (bytes.saturating_mul(count) as u64).saturating_add(128)),
                }
            }
            3 if !model.is_empty() => {
                let block = model.swap_remove(which);
                let at = std::ptr::with_exposed_provenance_mut(block.at);
                block.check();
                world.free(at).expect("a block is given back");
                world.free(at).expect_err("a block is given back once");
            }
            4 if !model.is_empty() => {
                let block = model.swap_remove(which);
                let at = std::ptr::with_exposed_provenance_mut(block.at);
                match world.realloc(at, bytes) {
                    Ok(at) if at.is_null() => assert_eq!(bytes, 0),
                    Ok(at) => {
                        let kept = block.bytes.min(bytes).min(16);
                        let kept = Block { at: at.expose_provenance(), bytes: kept, fill: block.fill };
                        kept.check();
                        model.push(Block::new(at, bytes, fill));
                    }
                    Err(_) => {
                        assert!(bytes > block.bytes && spared(64));
                        block.check();
                        model.push(block);
                    }
                }
            }
            _ => {
                let at = heap.wrapping_add(bytes);
                if bytes != 0 && !model.iter().any(|block| block.at == at) {
                    let at = std::ptr::with_exposed_provenance_mut(at);
                    world.free(at).expect_err("no block begins there");
                    world.realloc(at, 8).expect_err("no block begins there");
                }
            }
        }
        model.sort_unstable_by_key(|block| block.at);
        let spans = model.iter().map(|block| (block.at, block.bytes.next_multiple_of(UNIT as usize)));
        let mut end = heap;
        for (at, span) in spans.clone() {
            assert!(at >= end && at.is_multiple_of(UNIT as usize), "blocks overlap");
            end = at + span;
        }
        assert!(end <= heap + HEAP);
        let (usage, used) = (world.heap_usage(), spans.map(|(_, span)| span as u64).sum());
        assert_eq!((usage.blocks, usage.used), (model.len() as u64, used));
        assert_eq!(usage.used + usage.free + usage.quarantined, HEAP as u64);
    }
    for block in model {
        block.check();
        world.free(std::ptr::with_exposed_provenance_mut(block.at)).expect("a block is given back");
    }
    let usage = world.heap_usage();
    assert_eq!((usage.blocks, usage.used, usage.largest_free), (0, 0, HEAP as u64));
}

/// True if an offset from the start of the window lies in the heap in front of it, which no model covers.
fn is_in_front(offset: usize) -> bool {
    offset.wrapping_neg() <= HEAP - WINDOW && offset != 0
}

/// The last bytes of the heap, and their filling.
fn window(fill: impl Fn(usize) -> u8) -> (*mut u8, Vec<u8>) {
    let (start, contents): (_, Vec<u8>) =
        (world().heap_start().wrapping_add(HEAP - WINDOW), (0..WINDOW).map(fill).collect());
    // SAFETY: the heap is this long, and not in use elsewhere.
    unsafe { std::ptr::copy_nonoverlapping(contents.as_ptr(), start, WINDOW) };
    (start, contents)
}

fn contents(start: *const u8) -> Vec<u8> {
    // SAFETY: as in `window`.
    (0..WINDOW).map(|place| unsafe { start.wrapping_add(place).read() }).collect()
}

fn strided(input: &mut Input<'_>) {
    let world = world();
    let (start, mut there) = window(|place| (place % 251) as u8);
    let mut here: Vec<u8> = (0..WINDOW).map(|place| (place % 241) as u8 ^ 0xff).collect();
    let is_put = input.byte() & 1 == 0;
    let offset = input.number();
    let (near, far) = (input.number(), input.number());
    let (block, count) = (input.number(), input.number());
    let bytes = [1, 2, 4, 8, 16, 3][input.byte() as usize % 6];
    let pe = if input.byte() < 240 { 0 } else { input.byte() as i8 as i32 };
    let skew = input.byte() as usize % 16;

    let reach = |stride: usize| {
        let last = (count as u128 - 1).saturating_mul(stride as u128);
        last.saturating_add(block as u128).saturating_mul(bytes as u128)
    };
    let is_stride = |stride: usize| stride <= isize::MAX as usize && stride >= block.max(1);
    let is_nothing = block == 0 || count == 0;
    let fits = !is_nothing && reach(far).saturating_add(offset as u128) <= WINDOW as u128;
    let is_good = is_stride(near) && is_stride(far) && (is_nothing || fits && pe == 0);
    // Vouched for by the program: the elements on its own side.
    if is_in_front(offset)
        || is_good && !is_nothing && reach(near).saturating_add(skew as u128) > WINDOW as u128
    {
        return;
    }
    let symmetric = start.wrapping_add(offset);
    let own = here.as_mut_ptr().wrapping_add(skew);
    let [near_stride, far_stride] = [near as isize, far as isize];
    // SAFETY: the own side is as long as is said, where anything is copied.
    let outcome = unsafe {
        if is_put {
            world.ibput(symmetric, own, far_stride, near_stride, block, count, bytes, pe)
        } else {
            world.ibget(own, symmetric, near_stride, far_stride, block, count, bytes, pe)
        }
    };
    assert_eq!(outcome.is_ok(), is_good, "{outcome:?}");
    let mut expected = (0..WINDOW).map(|place| (place % 241) as u8 ^ 0xff).collect::<Vec<u8>>();
    if is_good && !is_nothing {
        for index in 0..count {
            let near = skew + index * near * bytes..skew + (index * near + block) * bytes;
            let far = offset + index * far * bytes..offset + (index * far + block) * bytes;
            if is_put {
                there[far].copy_from_slice(&expected[near]);
            } else {
                expected[near].copy_from_slice(&there[far]);
            }
        }
    }
    assert!(here == expected && contents(start) == there, "other bytes than those of the elements");
}

fn waits(input: &mut Input<'_>) {
    const NUMBERS: [Number; 10] = [
        Number::Signed(1),
        Number::Signed(2),
        Number::Signed(4),
        Number::Signed(8),
        Number::Unsigned(1),
        Number::Unsigned(2),
        Number::Unsigned(4),
        Number::Unsigned(8),
        Number::Float,
        Number::Double,
    ];
    let world = world();
    let number = NUMBERS[input.byte() as usize % NUMBERS.len()];
    let bytes = number.bytes();
    let comparison = Comparison::from_number(i32::from(input.byte() % 6)).expect("there are six");
    let condition = Condition { number, comparison };
    let (offset, count) = (input.number(), input.number());
    if is_in_front(offset) {
        return;
    }
    let seed = input.byte();
    let (start, there) = window(|place| if seed & 1 == 0 { 0 } else { (place as u8).wrapping_mul(seed) });
    let status: Vec<i32> = (0..WINDOW).map(|index| (index as u8 ^ seed) as i32 & 3).collect();
    let values: Vec<u8> = (0..WINDOW).map(|place| (place as u8).wrapping_mul(seed)).collect();
    let (has_status, has_values) = (input.byte() & 1 == 1, input.byte() & 1 == 1);
    let value = input.wide();
    let elements = Elements {
        words: start.wrapping_add(offset),
        count,
        status: if has_status { status.as_ptr() } else { std::ptr::null() },
        condition,
        values: if has_values { Values::Each(values.as_ptr()) } else { Values::One(value) },
    };
    let fits = offset as u128 + count as u128 * bytes as u128 <= WINDOW as u128;
    let is_good = count == 0 || fits && offset.is_multiple_of(bytes);
    let word = |from: &[u8], at: usize| {
        from[at..at + bytes].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    let is_in = |index: usize| !has_status || status[index] == 0;
    let holds = |index: usize| {
        let value = if has_values { word(&values, index * bytes) } else { value };
        condition.holds(word(&there, offset + index * bytes), value)
    };
    let members: Vec<usize> =
        if is_good { (0..count).filter(|index| is_in(*index)).collect() } else { Vec::new() };
    let satisfying: Vec<usize> = members.iter().copied().filter(|index| holds(*index)).collect();
    let mut indices = vec![usize::MAX; WINDOW + 1];
    // SAFETY: status, values and indices are as long as the words, where any is read.
    unsafe {
        assert_eq!(world.test_all(&elements).ok(), is_good.then_some(members.len() == satisfying.len()));
        let any = world.test_any(&elements);
        assert_eq!(any.is_ok(), is_good);
        let any = any.ok().flatten();
        assert_eq!(any.is_some(), !satisfying.is_empty());
        assert!(any.is_none_or(|index| satisfying.contains(&index)));
        let some = world.test_some(&elements, indices.as_mut_ptr());
        assert_eq!(some.ok(), is_good.then_some(satisfying.len()));
        assert_eq!(indices[..satisfying.len()], satisfying);
        assert!(indices[satisfying.len()..].iter().all(|index| *index == usize::MAX));
        if !is_good || members.len() == satisfying.len() {
            assert_eq!(world.wait_until_all(&elements).is_ok(), is_good);
        }
        if !is_good || members.is_empty() || !satisfying.is_empty() {
            let any = world.wait_until_any(&elements);
            assert_eq!(any.as_ref().map(Option::is_some).ok(), is_good.then_some(!satisfying.is_empty()));
            let some = world.wait_until_some(&elements, indices.as_mut_ptr());
            assert_eq!(some.ok(), is_good.then_some(satisfying.len()));
        }
    }
    let is_word =
        count > 0 && offset as u128 + bytes as u128 <= WINDOW as u128 && offset.is_multiple_of(bytes);
    if count > 0 {
        let first = word_at(&there, offset, bytes, is_word);
        let expected = first.map(|first| condition.holds(first, value));
        assert_eq!(world.test(elements.words, condition, value).ok(), expected);
        if expected != Some(false) {
            assert_eq!(world.wait_until(elements.words, condition, value).ok(), first);
        }
    }
    assert!(contents(start) == there, "a test has written");
}

fn word_at(from: &[u8], at: usize, bytes: usize, is_there: bool) -> Option<u64> {
    is_there.then(|| from[at..at + bytes].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
}

/// A text accepted as a size has the same bytes when it is written as a number.
fn sizes(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(bytes) = mf_shmem::heap_bytes_of(text) {
        assert_eq!(mf_shmem::heap_bytes_of(&bytes.to_string()).ok(), Some(bytes));
    }
}

/// Every name of a session is an address.
fn addresses(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let address = address::Address::parse("fuzz", text);
    if let Ok(session) = address::Address::parse_session("fuzz", text) {
        assert!(session.port != 0 && address.ok() == Some(session));
    }
}
