// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arguments of calls, from the bytes of an input, and the interface's requirements on them.

use std::ffi::{CString, c_void};
use std::ptr::{null, without_provenance_mut};

use mf_abi::smem::*;

use super::Program;
use super::ends::{INVALID, NAMES, OK, pointer};
use super::model::{ARENA, Piece, is_malformed};

/// Names in inputs besides the endpoints' own.
const OTHERS: [&[u8]; 4] = [b"127.0.0.1:1", b"", b"localhost:5000", b"10.0.0.1:5_\xff"];

/// Meaning of a name.
pub enum Name {
    /// Null, or no UTF-8.
    None,
    /// An unknown name.
    Nobody,
    /// One of the endpoints.
    Of(usize),
}

impl Program<'_> {
    pub(super) fn handle(&mut self) -> (*mut c_void, Option<usize>) {
        let number = match self.input.byte() {
            0..=119 => self.ends.handles[0],
            120..=229 => self.ends.handles[1],
            230..=233 => 0,
            234..=239 => self.stale,
            240..=244 => self.lists.last().map_or(7, |list| list.handle),
            245..=249 => self.ends.handles[1] ^ 1 << (self.input.byte() % 64),
            _ => self.input.wide() as usize,
        };
        let endpoint = self.ends.handles.iter().position(|handle| *handle == number);
        (without_provenance_mut(number), endpoint)
    }

    pub(super) fn name(&mut self) -> (Option<CString>, Name) {
        let bytes = match self.input.byte() {
            0..=119 => return (Some(NAMES[0].to_owned()), Name::Of(0)),
            120..=229 => return (Some(NAMES[1].to_owned()), Name::Of(1)),
            230..=233 => return (None, Name::None),
            kind @ 234..=249 => OTHERS[usize::from(kind) % OTHERS.len()],
            _ => self.input.bytes(),
        };
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        let is_text = std::str::from_utf8(text).is_ok();
        let known = NAMES.iter().position(|name| name.to_bytes() == text);
        let name = known.map_or(if is_text { Name::Nobody } else { Name::None }, Name::Of);
        (CString::new(text).ok(), name)
    }

    /// Mostly memory of the program.
    pub(super) fn address(&mut self) -> u64 {
        match self.input.byte() {
            0..=159 => self.model.block(0).0 + self.input.number() as u64 % ARENA as u64,
            kind @ 160..=219 => {
                let (start, bytes) = self.model.block(usize::from(kind));
                start + self.input.number() as u64 % bytes
            }
            220..=224 => 0,
            225..=234 => u64::from(self.input.byte()),
            _ => self.model.block(0).0.wrapping_add(self.input.number() as u64),
        }
    }

    pub(super) fn piece(&mut self) -> Piece {
        (self.address(), self.address(), self.input.number() as u64)
    }

    /// Pieces of a call; their local memory must be the program's if `endpoint` gets that far.
    pub(super) fn pieces(&mut self, most: usize) -> Vec<Piece> {
        let count = usize::from(self.input.byte()) % (most + 1);
        (0..count).map(|_| self.piece()).collect()
    }

    /// The code of a transfer with these arguments, and the pieces that it may copy. Returns `None` if the
    /// program's own requirements do not hold.
    pub(super) fn judge(
        &self,
        from: Option<usize>,
        name: &Name,
        pieces: &[Piece],
    ) -> Option<(i32, Vec<Piece>)> {
        if from.is_none() || matches!(name, Name::None) || is_malformed(pieces) {
            return Some((INVALID, Vec::new()));
        }
        let &Name::Of(to) = name else { return Some((SMEM_NOT_CONNECTED, Vec::new())) };
        let (good, bad): (Vec<Piece>, Vec<Piece>) =
            pieces.iter().copied().partition(|(_, remote, bytes)| self.model.covers(to, *remote, *bytes));
        let is_safe = good.iter().all(|(local, _, bytes)| self.model.is_memory(*local, *bytes));
        is_safe.then_some((if bad.is_empty() { OK } else { INVALID }, good))
    }

    pub(super) fn message(&mut self) -> (*const c_void, u64, Option<Vec<u8>>, bool) {
        let (arena, bytes) = (self.model.block(0).0, self.input.byte());
        match bytes {
            0..=99 => (null(), 0, None, true),
            100..=104 => (null(), u64::from(bytes - 99), None, false),
            105..=109 => (pointer(arena), 4097 + self.input.wide() % (u64::MAX - 4097), None, false),
            _ => {
                let length = self.input.number() % 4097;
                // SAFETY: the program's own memory, unchanged meanwhile.
                let bytes = unsafe {
                    std::slice::from_raw_parts(
                        std::ptr::with_exposed_provenance::<u8>(arena as usize),
                        length,
                    )
                };
                (pointer(arena), length as u64, Some(bytes.to_vec()), true)
            }
        }
    }
}

/// Lists of a call from C.
pub struct Lists {
    locals: Vec<*mut c_void>,
    remotes: Vec<*mut c_void>,
    sizes: Vec<usize>,
    missing: u8,
}

impl Lists {
    /// `missing`: a bit for each list that is null.
    pub fn of(pieces: &[Piece], missing: u8) -> Self {
        Self {
            locals: pieces.iter().map(|(local, ..)| pointer(*local)).collect(),
            remotes: pieces.iter().map(|(_, remote, _)| pointer(*remote)).collect(),
            sizes: pieces.iter().map(|(.., bytes)| *bytes as usize).collect(),
            missing,
        }
    }

    pub fn arguments(&self) -> (PlaceArray, PlaceArray, SizeArray, u32) {
        fn list<T>(list: &[T], is_missing: bool) -> *const T {
            if is_missing { null() } else { list.as_ptr() }
        }
        let is_missing = |bit: u8| self.missing & bit != 0;
        let (locals, remotes) = (list(&self.locals, is_missing(1)), list(&self.remotes, is_missing(2)));
        (locals, remotes, list(&self.sizes, is_missing(4)), self.sizes.len() as u32)
    }
}
