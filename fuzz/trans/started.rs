// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asynchronous operations: started transfers, prepared lists, notifications.

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut, without_provenance_mut};

use mf_abi::smem::*;

use super::Program;
use super::arguments::{Lists, Name};
use super::ends::{INVALID, NAMES, OK, c, check, of_pointer, pointer};
use super::model::{Piece, is_malformed};

/// Longest wait for short operations, in milliseconds.
const SOON: u32 = 9000;

/// A list that was prepared.
pub struct List {
    pub handle: usize,
    from: usize,
    to: usize,
    pieces: Vec<Piece>,
    is_write: bool,
}

impl Program<'_> {
    pub(super) fn start(&mut self) {
        let ((handle, from), (text, name)) = (self.handle(), self.name());
        let (pieces, kind) = (self.pieces(4), self.input.byte());
        let missing = if kind >= 240 { kind & 7 } else { 0 };
        let is_write = u32::from(kind) & MFX_TRANS_READ == 0;
        let (data, length, message, is_message) = self.message();
        let Some((code, good)) = self.judge(from, &name, &pieces) else { return };
        let lists = Lists::of(&pieces, missing);
        let (locals, remotes, sizes, count) = lists.arguments();
        let text = text.as_ref().map_or(null(), |text| text.as_ptr());
        let started = c::mfx_trans_start(
            handle,
            u32::from(kind),
            text,
            locals.cast(),
            remotes.cast(),
            sizes.cast(),
            count,
            data,
            length,
        );
        let is_notice = count == 0 && message.is_some();
        let is_bad = from.is_none() || matches!(name, Name::None) || !is_message;
        let is_none = missing != 0 && count > 0 || is_malformed(&pieces) && !is_notice;
        let Some(from) = from.filter(|_| !is_bad && !is_none) else {
            return check(of_pointer(started), &[INVALID]);
        };
        check(of_pointer(started), &[OK]);
        let code = match name {
            Name::Of(_) if is_notice => OK,
            Name::Nobody => SMEM_NOT_CONNECTED,
            _ => code,
        };
        let to = if let Name::Of(to) = name { Some(to) } else { None };
        self.finish(started, (from, to), code, &good, is_write, message);
    }

    /// Waits for, polls or cancels a transfer that must end with `code`.
    pub(super) fn finish(
        &mut self,
        started: *mut c_void,
        (from, to): (usize, Option<usize>),
        code: i32,
        good: &[Piece],
        is_write: bool,
        message: Option<Vec<u8>>,
    ) {
        let mut done = false;
        let code = match self.input.byte() % 8 {
            0 => {
                check(c::mfx_trans_cancel(started), &[OK]);
                let got = c::mfx_trans_poll(started, &raw mut done);
                check(got, &[code, MFX_CANCELLED]);
                assert!(done);
                got
            }
            1 => {
                while !done {
                    let got = c::mfx_trans_poll(started, &raw mut done);
                    check(got, if done { std::slice::from_ref(&code) } else { &[OK] });
                }
                code
            }
            _ => {
                check(c::mfx_trans_wait(started, SOON), &[code]);
                code
            }
        };
        self.settle(good, is_write, code);
        if let (OK, Some(to), Some(message)) = (code, to, message) {
            self.model.inboxes[to].push_back((from, message));
        }
        self.ended.push((started.addr(), code));
    }

    pub(super) fn prepare(&mut self) {
        let ((handle, from), (text, name)) = (self.handle(), self.name());
        let (pieces, kind) = (self.pieces(4), self.input.byte());
        let missing = if kind >= 240 { kind & 7 } else { 0 };
        let lists = Lists::of(&pieces, missing);
        let (locals, remotes, sizes, count) = lists.arguments();
        let text = text.as_ref().map_or(null(), |text| text.as_ptr());
        let flags = u32::from(kind);
        let list =
            c::mfx_trans_prepare(handle, flags, text, locals.cast(), remotes.cast(), sizes.cast(), count);
        let got = of_pointer(list);
        if from.is_none() || matches!(name, Name::None) || missing != 0 || is_malformed(&pieces) {
            return check(got, &[INVALID]);
        }
        let (Some(from), Name::Of(to)) = (from, name) else { return check(got, &[SMEM_NOT_CONNECTED]) };
        let is_registered = pieces.iter().all(|(local, _, bytes)| self.model.covers(from, *local, *bytes));
        check(got, &[if is_registered { OK } else { INVALID }]);
        if is_registered {
            let is_write = flags & MFX_TRANS_READ == 0;
            self.lists.push(List { handle: list.expose_provenance(), from, to, pieces, is_write });
        }
    }

    pub(super) fn start_prepared(&mut self) {
        let known = usize::from(self.input.byte());
        let (data, length, message, is_message) = self.message();
        let count = usize::from(self.input.byte() % 4);
        let numbers: Vec<u32> = (0..count).map(|_| self.input.number() as u32).collect();
        let is_all = self.input.byte() % 4 == 0;
        let numbers_at = if is_all { null() } else { numbers.as_ptr() };
        let known = self.lists.get(known % (self.lists.len() + 1)).map(|list| list.handle);
        let number = known.unwrap_or_else(|| self.handle().0.addr());
        let handle = without_provenance_mut(number);
        let started = c::mfx_trans_start_prepared(handle, numbers_at, count as u32, data, length);
        let Some(list) = self.lists.iter().find(|list| list.handle == number) else {
            return check(of_pointer(started), &[INVALID]);
        };
        let chosen: Option<Vec<Piece>> = match (is_all, count) {
            (true, 0) => Some(list.pieces.clone()),
            (true, _) | (false, 0) => None,
            _ => numbers.iter().map(|number| list.pieces.get(*number as usize).copied()).collect(),
        };
        let is_registered =
            list.pieces.iter().all(|(local, _, bytes)| self.model.covers(list.from, *local, *bytes));
        let Some(chosen) = chosen.filter(|_| is_registered && is_message) else {
            return check(of_pointer(started), &[INVALID]);
        };
        check(of_pointer(started), &[OK]);
        let (from, to, is_write) = (list.from, list.to, list.is_write);
        let Some((code, good)) = self.judge(Some(from), &Name::Of(to), &chosen) else { return };
        self.finish(started, (from, Some(to)), code, &good, is_write, message);
    }

    /// Handles of transfers and lists that have ended, are invalid, or are released.
    pub(super) fn handles(&mut self) {
        let known = usize::from(self.input.byte()) % (self.ended.len() + 1);
        let known = self.ended.get(known).copied();
        let handle = known.map_or_else(|| self.handle().0, |(handle, _)| without_provenance_mut(handle));
        // Handles of other tables may have the same number.
        let found = self.ended.iter().copied().find(|(known, _)| *known == handle.addr());
        let (expected, mut done) = (found.map_or(INVALID, |(_, code)| code), false);
        let expected_of_others = if found.is_some() { OK } else { INVALID };
        match self.input.byte() % 6 {
            0 => check(c::mfx_trans_poll(handle, &raw mut done), &[expected]),
            1 => check(c::mfx_trans_wait(handle, self.input.wide() as u32), &[expected]),
            2 => check(c::mfx_trans_cancel(handle), &[expected_of_others]),
            3 => {
                check(c::mfx_trans_release(handle), &[expected_of_others]);
                self.ended.retain(|(other, _)| *other != handle.addr());
                self.stale = handle.addr();
            }
            4 => check(c::mfx_trans_poll(handle, null_mut()), &[INVALID]),
            _ => {
                let number = self.lists.last().map_or(handle.addr(), |list| list.handle);
                let before = self.lists.len();
                self.lists.retain(|list| list.handle != number);
                let is_one = self.lists.len() < before;
                let got = c::mfx_trans_release_prepared(without_provenance_mut(number));
                check(got, &[if is_one { OK } else { INVALID }]);
                self.stale = number;
            }
        }
    }

    pub(super) fn notify(&mut self) {
        let ((handle, from), (text, name)) = (self.handle(), self.name());
        let (data, length, message, is_message) = self.message();
        let got =
            c::mfx_trans_notify(handle, text.as_ref().map_or(null(), |text| text.as_ptr()), data, length);
        let Some(from) = from.filter(|_| is_message && !matches!(name, Name::None)) else {
            return check(got, &[INVALID]);
        };
        let Name::Of(to) = name else { return check(got, &[SMEM_NOT_CONNECTED]) };
        check(got, &[OK]);
        self.model.inboxes[to].push_back((from, message.unwrap_or_default()));
    }

    pub(super) fn notifications(&mut self) {
        let ((handle, endpoint), most) = (self.handle(), usize::from(self.input.byte() % 4));
        check(c::mfx_trans_notifications(handle, 0, None, null_mut()), &[INVALID]);
        let Some(endpoint) = endpoint else {
            return check(c::mfx_trans_notifications(handle, u32::MAX, Some(take), null_mut()), &[INVALID]);
        };
        self.take(endpoint, most + 1);
    }

    pub(super) fn take(&mut self, endpoint: usize, most: usize) {
        let mut taken = Taken { found: Vec::new(), most };
        let handle = pointer(self.ends.handles[endpoint] as u64);
        check(c::mfx_trans_notifications(handle, 0, Some(take), (&raw mut taken).cast()), &[OK]);
        let inbox = &mut self.model.inboxes[endpoint];
        let expected =
            inbox.drain(..most.min(inbox.len())).map(|(from, message)| (NAMES[from].to_owned(), message));
        assert_eq!(taken.found, expected.collect::<Vec<_>>());
    }
}

struct Taken {
    found: Vec<(CString, Vec<u8>)>,
    most: usize,
}

unsafe extern "C-unwind" fn take(
    from: *const c_char,
    message: *const c_void,
    bytes: u64,
    taken: *mut c_void,
) -> bool {
    // SAFETY: what `Program::take` passes.
    let taken = unsafe { &mut *taken.cast::<Taken>() };
    // SAFETY: the library passes a string and so many bytes.
    let (from, message) = unsafe {
        let bytes =
            if bytes == 0 { &[] } else { std::slice::from_raw_parts(message.cast::<u8>(), bytes as usize) };
        (std::ffi::CStr::from_ptr(from).to_owned(), bytes.to_vec())
    };
    taken.found.push((from, message));
    taken.found.len() < taken.most
}
