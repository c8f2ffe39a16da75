// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of a cache in the C interface as programs call them, in a cache of this process: each call
//! against a model. Arguments are of any kind, as far as the interface allows: null, invalid lengths, keys of
//! any bytes, handles that are stale or made up, flags, lists in which some items are bad. A get returns the
//! last put; a refused call has its code and a text, and changes nothing.

#![no_main]

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use mf_abi::smem::*;
use mf_capi as _;
use mf_fuzz::Input;

#[path = "../calls.rs"]
mod calls;

use calls::{INVALID, OK, c, check, of_pointer, pointer};

/// Longest value, which fits into no contribution.
const MOST: usize = 8 << 20;
const POOL: u64 = 4 << 20;
const KEY_MOST: usize = 4096;

unsafe extern "C-unwind" fn ignore(_: c_int, _: *const c_char) {}

/// The cache, as a number, made for the first input.
fn opened() -> usize {
    static CACHE: OnceLock<usize> = OnceLock::new();
    *CACHE.get_or_init(|| {
        check(c::smem_set_extern_logger(Some(ignore)), &[OK]);
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = free.local_addr().expect("it has one").port();
        drop(free);
        let url = CString::new(format!("tcp://127.0.0.1:{port}")).expect("no zero is in it");
        let mut config = std::mem::MaybeUninit::uninit();
        check(c::smem_bm_config_init(config.as_mut_ptr()), &[OK]);
        // SAFETY: the call has written it.
        let mut config = unsafe { config.assume_init() };
        (config.auto_ranking, config.rank_id) = (0, 0);
        check(c::smem_bm_init(url.as_ptr(), 1, 0, &raw const config), &[OK]);
        let pool = c::smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, POOL, 0, 0);
        check(of_pointer(pool), &[OK]);
        check(c::smem_bm_join(pool, 0), &[OK]);
        let cache = c::mfx_cache_open(pool, std::ptr::null());
        check(of_pointer(cache), &[OK]);
        cache.expose_provenance()
    })
}

/// Memory that values are put from, each byte the last one of its place, and that they are got into.
fn memory() -> [usize; 2] {
    static MEMORY: OnceLock<[usize; 2]> = OnceLock::new();
    *MEMORY.get_or_init(|| {
        let values: Vec<u8> = (0..MOST + 256).map(|place| place as u8).collect();
        [values, vec![0; MOST]].map(|bytes| bytes.leak().as_mut_ptr().expose_provenance())
    })
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut program = Program { input: Input(bytes), cache: opened(), put: HashMap::new(), puts: 0 };
    check(c::mfx_cache_clear(pointer(program.cache as u64), null_mut()), &[OK]);
    for _ in 0..64 {
        if program.input.0.is_empty() {
            break;
        }
        program.step();
    }
});

/// A program, as far as it has come.
struct Program<'a> {
    input: Input<'a>,
    cache: usize,
    /// Length and first byte of the value that was put last.
    put: HashMap<Vec<u8>, (usize, u8)>,
    puts: u8,
}

/// A key as a call gets it.
struct Key {
    bytes: Vec<u8>,
    address: *const c_void,
    length: u64,
    is_bad: bool,
}

impl Program<'_> {
    fn step(&mut self) {
        match self.input.byte() % 14 {
            0..=3 => self.put_one(),
            4 => self.get(),
            5 => self.find(),
            6 => self.pin(),
            7 => self.lease(),
            8 => self.remove(),
            9 => self.put_many(),
            10 => self.find_many(),
            11 => self.list(),
            12 => self.close_others(),
            _ => self.others(),
        }
    }

    /// The cache, or an invalid handle.
    fn handle(&mut self) -> (CacheHandle, bool) {
        match self.input.byte() {
            250 => (null_mut(), true),
            251 => (pointer(1), true),
            252 => (pointer((self.cache as u64) ^ (1 << 20)), true),
            253.. => (pointer(self.input.wide() | 1 << 63), true),
            _ => (pointer(self.cache as u64), false),
        }
    }

    fn key(&mut self) -> Key {
        let (bytes, length) = match self.input.byte() % 8 {
            7 => {
                let length = self.input.number() as u64;
                (vec![b'k'; usize::try_from(length).unwrap_or(0).min(KEY_MOST)], length)
            }
            6 => (Vec::new(), 0),
            5 => (vec![self.input.byte() % 4; KEY_MOST], KEY_MOST as u64),
            _ => {
                let bytes = self.input.bytes().to_vec();
                let length = bytes.len() as u64;
                (bytes, length)
            }
        };
        let is_null = self.input.byte() == 255;
        let address = if is_null { std::ptr::null() } else { bytes.as_ptr().cast() };
        Key { address, is_bad: is_null || length == 0 || length > KEY_MOST as u64, bytes, length }
    }

    /// The first byte of the next value, and where it lies.
    fn value(&mut self) -> (u8, *const c_void) {
        self.puts = self.puts.wrapping_add(1);
        (self.puts, pointer_to(memory()[0], self.puts.into()).cast_const().cast())
    }

    fn put_one(&mut self) {
        let ((handle, is_none), key) = (self.handle(), self.key());
        let length = self.input.number();
        let how = CachePut {
            replicas: (self.input.byte() % 8).into(),
            flags: (self.input.byte() % 16).into(),
            preferred: u32::from(length as u8),
        };
        let is_null = self.input.byte() == 255;
        let (first, value) = self.value();
        let value = if is_null { std::ptr::null() } else { value };
        let mut stored = false;
        let code = c::mfx_cache_put(
            handle,
            key.address,
            key.length,
            value,
            length as u64,
            &raw const how,
            &raw mut stored,
        );
        let is_bad = is_none
            || key.is_bad
            || is_null && length > 0
            || how.replicas > 4
            || how.flags & !(MFX_CACHE_KEEP | MFX_CACHE_PIN | MFX_CACHE_PREFER) != 0;
        match is_bad {
            true => check(code, &[INVALID]),
            false => check(
                code,
                if length < 1 << 10 { &[OK, SMEM_NO_RESOURCES] } else { &[OK, SMEM_NO_RESOURCES, INVALID] },
            ),
        }
        if code == OK && stored {
            assert!(length < MOST, "a value that fits into no contribution");
            self.put.insert(key.bytes, (length, first));
        } else if code == OK {
            assert!(how.flags & MFX_CACHE_KEEP != 0 && self.put.contains_key(&key.bytes));
        }
    }

    fn get(&mut self) {
        let ((handle, is_none), key) = (self.handle(), self.key());
        let capacity = self.input.number();
        let is_null = self.input.byte() == 255;
        let buffer = if is_null { null_mut() } else { pointer_to(memory()[1], 0).cast() };
        let (mut length, mut found) = (7, true);
        let code = c::mfx_cache_get(
            handle,
            key.address,
            key.length,
            buffer,
            capacity as u64,
            &raw mut length,
            &raw mut found,
        );
        let is_bad = is_none || key.is_bad || is_null && capacity > 0;
        check(code, if is_bad { &[INVALID] } else { &[OK, INVALID] });
        if is_bad {
            return;
        }
        let there = self.put.get(&key.bytes);
        if code == INVALID {
            assert!(there.is_some_and(|(bytes, _)| *bytes > capacity), "it has room");
        } else if found {
            let (bytes, first) = there.expect("nobody has put it");
            assert_eq!(length, *bytes as u64);
            for place in (0..*bytes).step_by(97) {
                // SAFETY: the program's own memory, which nothing else uses now.
                let byte = unsafe { pointer_to(memory()[1], place).read() };
                assert_eq!(byte, first.wrapping_add(place as u8), "at {place} of {bytes}");
            }
        } else {
            assert_eq!(length, 0);
        }
    }

    fn find(&mut self) {
        let ((handle, is_none), key) = (self.handle(), self.key());
        let (mut length, mut found, mut exists) = (7, true, true);
        let code = c::mfx_cache_size(handle, key.address, key.length, &raw mut length, &raw mut found);
        check(code, &[if is_none || key.is_bad { INVALID } else { OK }]);
        let again = c::mfx_cache_exists(handle, key.address, key.length, &raw mut exists);
        check(again, &[code]);
        if code == OK {
            assert_eq!(found, exists);
            assert!(!found || self.put.get(&key.bytes).is_some_and(|(bytes, _)| *bytes as u64 == length));
        }
    }

    fn pin(&mut self) {
        let ((handle, is_none), key) = (self.handle(), self.key());
        let pinned = self.input.byte() % 2 == 1;
        let code = c::mfx_cache_pin(handle, key.address, key.length, pinned, null_mut());
        check(code, &[if is_none || key.is_bad { INVALID } else { OK }]);
    }

    fn lease(&mut self) {
        let ((handle, is_none), key) = (self.handle(), self.key());
        let mut lease =
            CacheLease { address: std::ptr::null(), bytes: 0, until_ms: 0, place: 0, state: 0, stamp: 0 };
        let mut found = false;
        // Short, so that a long run has room.
        let for_ms = u64::from(self.input.byte() % 3);
        let code =
            c::mfx_cache_lease(handle, key.address, key.length, for_ms, &raw mut lease, &raw mut found);
        check(code, &[if is_none || key.is_bad { INVALID } else { OK }]);
        assert!(!found || self.put.get(&key.bytes).is_some_and(|(bytes, _)| *bytes as u64 == lease.bytes));
    }

    fn remove(&mut self) {
        let ((handle, is_none), key) = (self.handle(), self.key());
        let mut found = false;
        let code = c::mfx_cache_remove(handle, key.address, key.length, &raw mut found);
        check(code, &[if is_none || key.is_bad { INVALID } else { OK }]);
        let was_put = code == OK && self.put.remove(&key.bytes).is_some();
        assert!(!found || was_put);
    }

    fn put_many(&mut self) {
        let (handle, is_none) = self.handle();
        let count = usize::from(self.input.byte() % 6);
        let keys: Vec<Key> = (0..count).map(|_| self.key()).collect();
        let sizes: Vec<usize> = (0..count).map(|_| self.input.number() % 5000).collect();
        let (first, value) = self.value();
        let (names, lengths) = lists(&keys);
        let values = vec![value; count];
        let (mut stored, mut codes) = (vec![false; count], vec![7; count]);
        let code = c::mfx_cache_put_batch(
            handle,
            names.as_ptr(),
            lengths.as_ptr(),
            values.as_ptr(),
            sizes.as_ptr(),
            count as u32,
            std::ptr::null(),
            stored.as_mut_ptr(),
            codes.as_mut_ptr(),
        );
        let is_bad = is_none || keys.iter().any(|key| key.is_bad);
        check(code, if is_bad { &[INVALID, SMEM_NO_RESOURCES] } else { &[OK, SMEM_NO_RESOURCES] });
        if is_none {
            return;
        }
        for (((key, size), stored), code) in keys.into_iter().zip(sizes).zip(stored).zip(codes) {
            assert_eq!((code == INVALID, stored), (key.is_bad, code == OK));
            if stored {
                self.put.insert(key.bytes, (size, first));
            }
        }
    }

    fn find_many(&mut self) {
        let (handle, is_none) = self.handle();
        let count = usize::from(self.input.byte() % 6);
        let keys: Vec<Key> = (0..count).map(|_| self.key()).collect();
        let (names, lengths) = lists(&keys);
        let (mut found, mut sizes, mut codes) = (vec![false; count], vec![7; count], vec![7; count]);
        let mut leading = 9;
        let expected = if is_none || keys.iter().any(|key| key.is_bad) { INVALID } else { OK };
        let (names, lengths, number) = (names.as_ptr(), lengths.as_ptr(), count as u32);
        check(
            c::mfx_cache_exists_batch(handle, names, lengths, number, found.as_mut_ptr(), codes.as_mut_ptr()),
            &[expected],
        );
        check(
            c::mfx_cache_size_batch(handle, names, lengths, number, sizes.as_mut_ptr(), null_mut()),
            &[expected],
        );
        check(c::mfx_cache_count_prefix(handle, names, lengths, number, &raw mut leading), &[expected, OK]);
        let prefetch = c::mfx_cache_prefetch(handle, names, lengths, number, 1000);
        // A key without an address or of an impossible length is refused, another bad one is counted.
        let is_impossible = |key: &Key| key.address.is_null() || isize::try_from(key.length).is_err();
        let is_refused = is_none || keys.iter().any(is_impossible);
        check(of_pointer(prefetch), &[if is_refused { INVALID } else { OK }]);
        if !is_refused {
            let (mut counts, mut done) = (CachePrefetchCounts::default(), false);
            check(c::mfx_cache_prefetch_wait(prefetch, 2000, &raw mut counts, &raw mut done), &[OK]);
            let bad = keys.iter().filter(|key| key.is_bad).count() as u64;
            assert!(done && counts.keys == u64::from(number) && counts.failed >= bad);
            check(c::mfx_cache_prefetch_end(prefetch), &[OK]);
        }
        if is_none {
            return;
        }
        for ((key, found), size) in keys.iter().zip(found).zip(sizes) {
            let there = self.put.get(&key.bytes).filter(|_| !key.is_bad);
            assert!(!found || there.is_some_and(|(bytes, _)| *bytes as u64 == size));
        }
    }

    fn list(&mut self) {
        let (handle, is_none) = self.handle();
        let mut from = if self.input.byte() == 255 { self.input.wide() } else { 0 };
        let (capacity, most) = (KEY_MOST + self.input.number() % 5000, 1 + u32::from(self.input.byte() % 9));
        let (mut room, mut lengths, mut count) = (vec![0_u8; capacity], vec![0; most as usize], 0);
        for _ in 0..200 {
            let code = c::mfx_cache_keys(
                handle,
                &raw mut from,
                room.as_mut_ptr().cast(),
                capacity as u64,
                lengths.as_mut_ptr(),
                most,
                &raw mut count,
            );
            check(code, &[if is_none { INVALID } else { OK }]);
            let mut rest = &room[..];
            for length in lengths.iter().take(count as usize) {
                let (key, others) = rest.split_at(*length as usize);
                assert!(self.put.contains_key(key), "nobody has put it");
                rest = others;
            }
            if code != OK || from == 0 {
                break;
            }
        }
        let code = c::mfx_cache_keys(
            handle,
            &raw mut from,
            room.as_mut_ptr().cast(),
            (KEY_MOST - 1) as u64,
            lengths.as_mut_ptr(),
            most,
            &raw mut count,
        );
        check(code, &[INVALID]);
    }

    fn close_others(&mut self) {
        let (handle, is_none) = self.handle();
        if is_none {
            check(c::mfx_cache_close(handle), &[OK]);
        }
        let config = CacheConfig {
            struct_bytes: self.input.byte().into(),
            replicas: self.input.byte().into(),
            index_entries: self.input.wide(),
            read_lease_ms: self.input.wide(),
            flags: self.input.byte().into(),
            reserved: 0,
            name: std::ptr::null(),
            disk: std::ptr::null(),
            disk_bytes: self.input.wide(),
        };
        let cache = c::mfx_cache_open(pointer(self.input.wide() | 1 << 63), &raw const config);
        check(of_pointer(cache), &[INVALID]);
    }

    fn others(&mut self) {
        let (handle, is_none) = self.handle();
        let (mut stats, mut removed) = (CacheStats::default(), 0);
        let expected = if is_none { INVALID } else { OK };
        check(c::mfx_cache_stats(handle, &raw mut stats), &[expected]);
        check(c::mfx_cache_stats(handle, null_mut()), &[INVALID]);
        check(c::mfx_cache_clear(handle, &raw mut removed), &[expected]);
        if !is_none {
            assert!(stats.members == 1 && removed <= self.put.len() as u64);
            self.put.clear();
        }
    }
}

/// A byte of the memory of values.
fn pointer_to(memory: usize, place: usize) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(memory + place)
}

fn lists(keys: &[Key]) -> (Vec<*const c_void>, Vec<usize>) {
    keys.iter().map(|key| (key.address, usize::try_from(key.length).unwrap_or(usize::MAX))).unzip()
}
