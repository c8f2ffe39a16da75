// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transfer functions of the C interface as programs call them, with two endpoints of this process: each
//! call against a model of registrations and contents. Arguments are of any kind, as far as the interface
//! allows: null, invalid sizes, ranges over the last address, unregistered ranges, handles that are stale or
//! made up, flags, names and URLs of any bytes. A refused call has its code and a text, and has changed
//! nothing.

#![no_main]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use mf_abi::smem::*;
use mf_capi as _;
use mf_fuzz::Input;

#[path = "../trans/arguments.rs"]
mod arguments;
#[path = "../calls.rs"]
mod calls;
#[path = "../trans/endpoints.rs"]
mod endpoints;
#[path = "../trans/ends.rs"]
mod ends;
#[path = "../trans/model.rs"]
mod model;
#[path = "../trans/started.rs"]
mod started;

use arguments::Lists;
use ends::{Ends, INVALID, NAMES, OK, c, check, ends, of_pointer, pointer};
use model::{ARENA, Model, Piece, is_malformed};
use started::List;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static ARENA_BYTES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let arena = *ARENA_BYTES.get_or_init(|| vec![0_u8; ARENA].leak().as_mut_ptr().expose_provenance());
    for place in 0..ARENA {
        // SAFETY: the program's own memory, which nothing else uses now.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(arena + place).write((place % 251) as u8) };
    }
    let mut program = Program {
        input: Input(bytes),
        ends: ends(),
        model: Model::new(arena as u64),
        ended: Vec::new(),
        lists: Vec::new(),
        stale: 1,
    };
    for _ in 0..48 {
        if program.input.0.is_empty() {
            break;
        }
        program.step();
        program.model.compare();
    }
    program.end();
});

/// A program, as far as it has come.
struct Program<'a> {
    input: Input<'a>,
    ends: &'static Ends,
    model: Model,
    /// Transfers that have ended, and how.
    ended: Vec<(usize, i32)>,
    lists: Vec<List>,
    /// A handle that was given up.
    stale: usize,
}

impl Program<'_> {
    fn step(&mut self) {
        match self.input.byte() % 19 {
            0 | 1 => self.register(),
            2 => self.deregister(),
            3 => self.malloc(),
            4 => self.free(),
            5..=7 => self.transfer_one(),
            8 | 9 => self.transfer_batch(),
            10 => self.quantised(),
            11 | 12 => self.start(),
            13 => self.prepare(),
            14 => self.start_prepared(),
            15 => self.handles(),
            16 => self.notify(),
            17 => self.notifications(),
            _ => self.others(),
        }
    }

    // ---- memory ----

    fn register(&mut self) {
        let (handle, endpoint) = self.handle();
        let flags = self.input.byte().into();
        let is_batch = self.input.byte() % 2 == 1;
        let count = if is_batch { usize::from(self.input.byte() % 5) } else { 1 };
        let ranges: Vec<(u64, u64)> =
            (0..count).map(|_| (self.address(), self.input.number() as u64)).collect();
        let is_bad =
            |(start, bytes): &(u64, u64)| *start == 0 || *bytes == 0 || start.checked_add(*bytes).is_none();
        let is_refused = endpoint.is_none() || count == 0 || ranges.iter().any(is_bad);
        let of = endpoint.unwrap_or(0);
        if !is_refused && !ranges.iter().all(|(start, bytes)| self.model.may_register(of, *start, *bytes)) {
            return;
        }
        let expected = if is_refused { INVALID } else { OK };
        if is_batch {
            let starts: Vec<*mut c_void> = ranges.iter().map(|(start, _)| pointer(*start)).collect();
            let sizes: Vec<usize> = ranges.iter().map(|(_, bytes)| *bytes as usize).collect();
            let (starts, sizes, count) = (starts.as_ptr(), sizes.as_ptr(), count as u32);
            check(c::smem_trans_batch_register_mem(handle, null(), sizes, count.max(9), flags), &[INVALID]);
            check(c::smem_trans_batch_register_mem(handle, starts, null(), count.max(9), flags), &[INVALID]);
            check(c::smem_trans_batch_register_mem(handle, starts, sizes, count, flags), &[expected]);
        } else {
            let (start, bytes) = ranges[0];
            check(c::smem_trans_register_mem(handle, pointer(start), bytes as usize, flags), &[expected]);
        }
        if !is_refused {
            self.model.register(of, &ranges);
        }
    }

    fn deregister(&mut self) {
        let (handle, endpoint) = self.handle();
        let starts = self.model.starts(endpoint.unwrap_or(0));
        let start = match starts.get(usize::from(self.input.byte() / 2)) {
            Some(start) => *start,
            None => self.address(),
        };
        let got = c::smem_trans_deregister_mem(handle, pointer(start));
        let Some(endpoint) = endpoint.filter(|_| start != 0) else { return check(got, &[INVALID]) };
        check(got, &[if self.model.withdraw(endpoint, start) { OK } else { SMEM_NOT_EXIST }]);
    }

    fn malloc(&mut self) {
        let (handle, endpoint) = self.handle();
        let bytes = self.input.number();
        // Possible sizes, and impossible ones.
        if (8193..1 << 47).contains(&bytes) || self.model.allocations().count() > 3 {
            return;
        }
        let start = c::smem_trans_malloc(handle, bytes);
        let possible = endpoint.filter(|_| (1..8193).contains(&bytes));
        let Some(endpoint) = possible else {
            return check(of_pointer(start), &[INVALID, SMEM_MALLOC_FAILED, SMEM_NO_RESOURCES]);
        };
        check(of_pointer(start), &[OK]);
        self.model.allocated(endpoint, start.expose_provenance() as u64, bytes.next_multiple_of(4096));
    }

    fn free(&mut self) {
        let (handle, endpoint) = self.handle();
        let known = self.model.allocations().nth(usize::from(self.input.byte() / 16));
        let start = known.map_or_else(|| self.address(), |(_, start)| start);
        let got = c::smem_trans_free(handle, pointer(start));
        let Some(endpoint) = endpoint.filter(|_| start != 0) else { return check(got, &[INVALID]) };
        check(got, &[if self.model.free(endpoint, start) { OK } else { SMEM_NOT_EXIST }]);
    }

    // ---- transfers ----

    fn transfer_one(&mut self) {
        let ((handle, from), (text, name)) = (self.handle(), self.name());
        let (piece, kind, flags) = (self.piece(), self.input.byte(), u32::from(self.input.byte()));
        let (is_write, has_stream, is_submitted) = (kind & 1 == 0, kind & 2 == 0, kind & 12 == 12);
        let Some((mut code, good)) = self.judge(from, &name, &[piece]) else { return };
        if is_submitted && !has_stream {
            code = INVALID;
        }
        let (name, (local, remote, bytes)) = (text.as_ref().map_or(null(), |text| text.as_ptr()), piece);
        let (local, remote, bytes) = (pointer(local), pointer(remote), bytes as usize);
        let mut mark = 0_u8;
        let stream: *mut c_void = if has_stream { (&raw mut mark).cast() } else { null_mut() };
        let got = match (is_submitted, is_write) {
            (false, true) => c::smem_trans_write(handle, local, name, remote, bytes, flags),
            (false, false) => c::smem_trans_read(handle, local, name, remote, bytes, flags),
            (true, true) => c::smem_trans_write_submit(handle, local, name, remote, bytes, stream, flags),
            (true, false) => c::smem_trans_read_submit(handle, local, name, remote, bytes, stream, flags),
        };
        check(got, &[code]);
        self.settle(&good, is_write, code);
    }

    fn settle(&mut self, good: &[Piece], is_write: bool, code: i32) {
        if code == OK || !good.is_empty() {
            self.model.check(good, is_write, code == OK);
        }
    }

    fn transfer_batch(&mut self) {
        let ((handle, from), (text, name)) = (self.handle(), self.name());
        let (pieces, kind, flags) = (self.pieces(5), self.input.byte(), u32::from(self.input.byte()));
        let (is_write, has_stream, is_submitted) = (kind & 1 == 0, kind & 2 == 0, kind & 12 == 12);
        // Bits of a call without one of its lists.
        let missing = if kind >= 240 { kind & 7 } else { 0 };
        let Some((mut code, mut good)) = self.judge(from, &name, &pieces) else { return };
        if is_submitted && !has_stream || missing != 0 {
            (code, good) = (INVALID, Vec::new());
        }
        let lists = Lists::of(&pieces, missing);
        let (locals, remotes, sizes, count) = lists.arguments();
        let name = text.as_ref().map_or(null(), |text| text.as_ptr());
        let mut mark = 0_u8;
        let stream: *mut c_void = if has_stream { (&raw mut mark).cast() } else { null_mut() };
        let (from_here, from_there) = (locals.cast::<*const c_void>(), remotes.cast::<*const c_void>());
        let got = match (is_submitted, is_write) {
            (false, true) => c::smem_trans_batch_write(handle, from_here, name, remotes, sizes, count, flags),
            (false, false) => c::smem_trans_batch_read(handle, locals, name, from_there, sizes, count, flags),
            (true, true) => c::smem_trans_batch_write_submit(
                handle, from_here, name, remotes, sizes, count, stream, flags,
            ),
            (true, false) => {
                c::smem_trans_batch_read_submit(handle, locals, name, from_there, sizes, count, stream, flags)
            }
        };
        check(got, &[code]);
        self.settle(&good, is_write, code);
    }

    fn quantised(&mut self) {
        let ((handle, from), (text, name)) = (self.handle(), self.name());
        let (pieces, kind) = (self.pieces(3), self.input.byte());
        let missing = if kind >= 240 { kind & 7 } else { 0 };
        let bytes_of = |(local, remote, bytes): &Piece| (*local, *remote, bytes / 2);
        let bytes: Vec<Piece> = pieces.iter().map(bytes_of).collect();
        let is_over = |(local, _, bytes): &Piece| local.checked_add(*bytes).is_none() || bytes % 2 == 1;
        let is_odd = pieces.iter().any(is_over) || is_malformed(&bytes);
        let input_type = u32::from(kind & 8 != 0) + u32::from(kind & 0x30 == 0x30);
        let Some((mut code, mut good)) = self.judge(from, &name, &bytes) else { return };
        let is_memory = |(local, _, bytes): &Piece| self.model.is_memory(*local, *bytes);
        if is_odd || missing != 0 || input_type > 1 {
            (code, good) = (INVALID, Vec::new());
        } else if !pieces.iter().all(is_memory) {
            return;
        }
        static mut FACTORS: [f32; 4096] = [1.5; 4096];
        let factors: *mut f32 = (&raw mut FACTORS).cast();
        let mut some = [factors, null_mut(), factors];
        let lists = Lists::of(&pieces, missing);
        let (locals, remotes, sizes, count) = lists.arguments();
        let mut mark = 0_u8;
        let mut params = QuantCopyParam {
            remote_unique_id: text.as_ref().map_or(null(), |text| text.as_ptr()),
            local_addrs: locals.cast_mut(),
            remote_addrs: remotes.cast_mut(),
            data_sizes: sizes.cast_mut(),
            scale: if kind & 1 == 0 { null_mut() } else { some.as_mut_ptr() },
            offset: if kind & 2 == 0 { null_mut() } else { some.as_mut_ptr() },
            batch_size: count,
            unit_num: self.input.number() as u32,
            stream: if kind & 4 == 0 { null_mut() } else { (&raw mut mark).cast() },
            input_type,
            flags: self.input.byte().into(),
        };
        check(c::smem_trans_batch_quant_write(handle, &raw mut params), &[code]);
        good.iter().for_each(|(_, remote, bytes)| self.model.accept(*remote, *bytes));
    }

    // ---- the end ----

    /// Gives everything back; nothing is left.
    fn end(mut self) {
        for (handle, _) in std::mem::take(&mut self.ended) {
            check(c::mfx_trans_release(pointer(handle as u64)), &[OK]);
        }
        for list in std::mem::take(&mut self.lists) {
            check(c::mfx_trans_release_prepared(pointer(list.handle as u64)), &[OK]);
        }
        for (endpoint, handle) in self.ends.handles.into_iter().enumerate() {
            let handle = pointer(handle as u64);
            for start in self.model.starts(endpoint) {
                if self.model.withdraw(endpoint, start) {
                    check(c::smem_trans_deregister_mem(handle, pointer(start)), &[OK]);
                }
            }
            let own: Vec<u64> =
                self.model.allocations().filter(|(of, _)| *of == endpoint).map(|(_, start)| start).collect();
            for start in own {
                assert!(self.model.free(endpoint, start));
                check(c::smem_trans_free(handle, pointer(start)), &[OK]);
            }
            check(c::smem_trans_set_peer_down_callback(handle, None, null_mut()), &[OK]);
            self.take(endpoint, usize::MAX);
            let (start, name) = (pointer(self.model.block(0).0), NAMES[endpoint].as_ptr());
            check(c::smem_trans_write(handle, start, name, start, 1, 0), &[INVALID]);
        }
        self.model.compare();
    }
}
